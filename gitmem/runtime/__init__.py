"""The memory in operation: what state it is in, and putting it right after an interruption."""
