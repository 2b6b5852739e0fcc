"""Derived views: functions of the memory commit, incremental and from scratch to the same bytes (part 6, 13)."""
