"""The secret, told once for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from leaks import Leak, leak

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def told(tmp_path: Path) -> Leak:
    return leak(tmp_path / "all" / "w")
