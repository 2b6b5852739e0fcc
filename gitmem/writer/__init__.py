"""Turns in, record operations out: the writers that fold conversations into topics."""
