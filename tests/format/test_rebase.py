"""Links that go on reaching what they reached when their text is shown elsewhere."""

from __future__ import annotations

import pytest

from gitmem.format.rebase import rebase


@pytest.mark.parametrize(
    ("written", "shown", "expected"),
    [
        ("[a](b.md#^x)", "core.md", "[a](topics/people/b.md#^x)"),
        ("[a](../b.md#^x)", "core.md", "[a](topics/b.md#^x)"),
        ("[a](../../sources/p/_v2/t%20u.md#source-1)", "core.md", "[a](sources/p/_v2/t%20u.md#source-1)"),
        ("[a](#^x)", "timeline/2024.md", "[a](../topics/people/ada.md#^x)"),
        ("[a](#^x)", "topics/people/ada.md", "[a](#^x)"),
        ("[a](b.md)", "topics/people/bob.md", "[a](b.md)"),
        ("[a](https://x.org/b.md#c) [b](/abs.md) [c](mailto:x@y.z) []()", "core.md", None),
    ],
)
def test_relative_destinations_follow(written: str, shown: str, expected: str | None) -> None:  # behaviours.md 13.2
    assert rebase(written, "topics/people/ada.md", shown) == (written if expected is None else expected)
