"""Conversations as graphs of turns: where they are kept, how they grow, and which turns memory has not written yet."""
