"""The catalogue: facts, history and search postings of the memory in a database that can be deleted at any time."""
