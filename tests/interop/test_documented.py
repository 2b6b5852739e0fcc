"""What a reader may report stands in docs/ingest.md."""

from __future__ import annotations

import re
from pathlib import Path

from gitmem.interop.formats import FORMATS
from gitmem.interop.lines import MAX_LINE_BYTES
from gitmem.interop.reading import Fault

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "ingest.md"


def test_every_fault_has_its_row_in_order() -> None:
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| [A-Z]", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert rows == [fault.value for fault in Fault]


def test_every_format_is_described() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert all(f"(`{entry.name}`)" in text for entry in FORMATS)
    assert f"{MAX_LINE_BYTES // 2**20} MiB" in text
