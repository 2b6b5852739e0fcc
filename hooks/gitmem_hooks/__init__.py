"""The git hooks that keep a workspace valid under plain git."""
