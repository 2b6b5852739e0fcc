"""Only Markdown files below topics/ are writable (behaviours.md 4.3, 4.4, 5.2)."""

from __future__ import annotations

import pytest

from gitmem.edit.topic_path import topic_path
from gitmem.errors import Code, Refused


def test_steps_that_lead_nowhere_are_dropped() -> None:
    # behaviours.md 5.2
    assert topic_path("topics/./people//craig.md") == "topics/people/craig.md"


def test_the_folder_may_be_implied() -> None:
    assert topic_path("people/craig.md", implied=True) == "topics/people/craig.md"
    assert topic_path("topics/craig.md", implied=True) == "topics/craig.md"


@pytest.mark.parametrize("path", ["/topics/x.md", "../x.md", "topics/../x.md", "topics\\..\\x.md", "C:/topics/x.md"])
def test_leaving_the_workspace_is_refused(path: str) -> None:
    # behaviours.md 4.4
    with pytest.raises(Refused) as caught:
        topic_path(path)
    assert caught.value.code is Code.PATH_OUTSIDE_WORKSPACE


@pytest.mark.parametrize(
    "path",
    [
        "",
        "core.md",
        "topics/note.txt",
        "topics/note.md/",
        "topics/.md/.",
        "Topics/x.md",
        "sources/a/_v2/b.md",
        "timeline/2024.md",
        "topics/.git/x.md",
        "topics/a\\b.md",
        "topics/con.md",
    ],
)
def test_everything_else_is_read_only(path: str) -> None:
    # behaviours.md 4.3
    with pytest.raises(Refused) as caught:
        topic_path(path)
    assert caught.value.code is Code.READ_ONLY_PATH
