"""Bytes on disk and the values they stand for: pure, no input or output (``formats.md``)."""
