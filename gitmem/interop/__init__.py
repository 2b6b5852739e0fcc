"""Conversations from elsewhere: readers of exports, and what becomes of what they read."""
