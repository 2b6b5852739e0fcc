"""What of the memory a model is given without asking: the core, and what answers a turn."""
