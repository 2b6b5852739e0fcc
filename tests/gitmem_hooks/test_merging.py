"""Merges: views never conflict, archives keep both sides' messages, topics merge block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.format.frame import HEADER, render_frame, scan_v2
from gitmem.ids import SourceId
from gitmem_hooks.__main__ import main
from gitmem_hooks.merging_archives import merge
from workspaces import reopened

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Hooked

ADA, BO = "topics/people/ada.md", "topics/people/bo.md"
ARCHIVE = "sources/chat/_v2/t.md"


def frame(message: str, body: str) -> bytes:
    return render_frame(handle=SourceId(f"chat/t/{message}"), timestamp="2026-03-01", role="user", body=body)


BASE = HEADER + frame("m1", "one\r\n\n\nlines")
OURS = BASE + frame("m2", "two")
THEIRS = BASE + frame("m3", "three") + frame("m2", "two") + frame("m4", "four\n")


def test_the_other_sides_new_frames_follow_ours_byte_for_byte() -> None:
    assert merge(ARCHIVE, OURS, THEIRS) == (OURS + frame("m3", "three") + frame("m4", "four\n"), "")
    assert merge(ARCHIVE, THEIRS, OURS) == (THEIRS, "")
    assert merge(ARCHIVE, b"", THEIRS) == (THEIRS, "")
    assert merge(ARCHIVE, OURS, OURS) == (OURS, "")
    merged, _ = merge(ARCHIVE, OURS, THEIRS)
    assert scan_v2(ARCHIVE, merged or b"").defect is None


@pytest.mark.parametrize(
    ("path", "ours", "theirs"),
    [
        (ARCHIVE, OURS, BASE + frame("m2", "other words")),
        (ARCHIVE, OURS[:-1], THEIRS),
        (ARCHIVE, OURS, THEIRS + b"\ntext"),
        ("sources/chat/t.md", b"a\n", b"b\n"),
    ],
)
def test_what_cannot_be_merged_is_left_as_it_is(tmp_path: Path, path: str, ours: bytes, theirs: bytes) -> None:
    for name, data in (("O", BASE), ("A", ours), ("B", theirs)):
        (tmp_path / name).write_bytes(data)
    names = [str(tmp_path / name) for name in "OAB"]
    assert main(["merge-archive", *names, path]) == 1
    assert (tmp_path / "A").read_bytes() == ours


def test_a_topic_that_is_no_text_is_left_as_it_is(tmp_path: Path) -> None:
    for name, data in (("O", b""), ("A", b"a\n"), ("B", b"\xff\n")):
        (tmp_path / name).write_bytes(data)
    assert main(["merge-topic", *(str(tmp_path / name) for name in "OAB"), ADA]) == 1
    assert (tmp_path / "A").read_bytes() == b"a\n"


def remember(root: Path, text: str, path: str = ADA) -> None:
    with reopened(root) as workspace:
        workspace.remember(text, path, time="2026-03")


def test_both_sides_write_on_one_page_and_nothing_conflicts(hooked: Hooked) -> None:
    hooked.git("branch", "other")
    remember(hooked.root, "Ada swims.")
    hooked.git("switch", "-q", "other")
    remember(hooked.root, "Ada skis.")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("commit", "-q", "-a", "-m", "Bern")
    hooked.git("switch", "-q", "main")
    hooked.git("merge", "-q", "--no-edit", "other")
    assert hooked.subjects(1) == ["D"]
    assert hooked.git("log", "-1", "--skip=1", "--first-parent", "--format=%b").startswith("Gitmem-Writer: merge\n")
    for text in ("lives in Bern", "Ada swims.", "Ada skis."):
        assert text in hooked.read(ADA)
        assert text in hooked.read("timeline/2026/03.md")
    with reopened(hooked.root) as workspace:
        assert workspace.check(all_history=True).findings == ()


def test_what_both_changed_waits_for_a_person_and_may_then_be_committed(hooked: Hooked) -> None:
    hooked.git("branch", "other")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("commit", "-q", "-a", "-m", "Bern")
    hooked.git("switch", "-q", "other")
    hooked.replace(ADA, "lives in Basel", "lives in Genf")
    hooked.git("commit", "-q", "-a", "-m", "Genf")
    done = hooked.run("merge", "-q", "main")
    assert done.returncode == 1
    assert f"gitmem: {ADA}: both sides changed ^" in done.stdout + done.stderr
    assert hooked.git("status", "--porcelain") == f"UU {ADA}"
    hooked.git("add", ADA)
    refused = hooked.run("commit", "-q", "--no-edit")
    assert (refused.returncode, "[conflict-marker]" in refused.stderr) == (1, True)
    hooked.git("checkout", "-q", "HEAD", "--", ADA)
    hooked.git("commit", "-q", "-a", "--no-edit")
    assert hooked.subjects(1) == ["D"]
    assert len(hooked.git("log", "-1", "--skip=1", "--first-parent", "--format=%p").split()) == 2
    assert "lives in Genf" in hooked.read("timeline/2026/03.md")


def test_a_merge_that_breaks_a_rule_is_not_committed(hooked: Hooked) -> None:
    hooked.git("branch", "other")
    hooked.git("switch", "-q", "other")
    hooked.append(BO, "\nBo is tall.\n")
    hooked.git("commit", "-q", "-n", "-a", "-m", "uncited")
    hooked.git("switch", "-q", "main")
    hooked.append(ADA, "\n<!-- a note -->\n")
    hooked.git("commit", "-q", "-a", "-m", "note")
    done = hooked.run("merge", "-q", "-m", "both", "other")
    assert (done.returncode, "[missing-citation]" in done.stderr) == (1, True)
    assert "[source-lost-in-merge]" not in done.stderr
    assert hooked.subjects(1) == ["D"]
