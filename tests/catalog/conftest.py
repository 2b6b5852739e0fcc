"""An empty history in memory."""

from __future__ import annotations

import pytest

from catalogues import MemoryCommits


@pytest.fixture
def commits() -> MemoryCommits:
    return MemoryCommits()
