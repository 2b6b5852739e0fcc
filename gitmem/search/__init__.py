"""Search: query, ranking, exact lines, reading."""
