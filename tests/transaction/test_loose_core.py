"""A ``core.md`` in the root of an adopted folder: a topic, evidence, or a view (behaviours.md 0.23, 11.2, 13.4)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from archives import ARCHIVE, OWNER, archive, block, topic
from gitmem.errors import Code, Refused
from gitmem.ids import SourceId, TopicPath
from gitmem.request import CreateRecord, Destination, RecordsEdit, SourceRef
from gitmem.workspace import Workspace
from gitmem.writer.base import WriterResult
from scribes import Noting
from workspaces import ME, QUICK, reopened, state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.transaction.create import InitAnswer
    from gitmem.writer.base import Batch, Memory, Refusal
    from running import Git

LOOSE = "Ada's facts\n\n- Ada likes tea.\n- She lives in Berlin.\n"
LEGACY = f"openprogram-migration/legacy-core/{hashlib.sha256(LOOSE.encode()).hexdigest()}"
MASTER = topic("Core", block("Ada likes tea.", "aaaa1111"))
AT_ROOT = topic("Core", block("Ada likes tea, see [more](#^aaaa1111).", "aaaa1111", up=0))
MOVED = topic("Core", block("Ada likes tea, see [more](#^aaaa1111).", "aaaa1111", up=1))
ELSEWHERE = topic("Bob", block("Bob likes coffee.", "bbbb2222"))


def laid(folder: Path, loose: str | bytes, **topics: str) -> Path:
    files = {ARCHIVE: archive("m1"), "core.md": loose if isinstance(loose, bytes) else loose.encode()}
    files |= {f"topics/{name}.md": text.encode() for name, text in topics.items()}
    (folder / "topics").mkdir(parents=True)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


@pytest.fixture(params=["in place", "adopted"])
def taken(request: pytest.FixtureRequest, tmp_path: Path) -> Taken:
    return Taken(tmp_path / "w", tmp_path / "w" if request.param == "in place" else tmp_path / "old")


class Taken:
    """A workspace at ``folder``, made in place of the folder ``origin`` or adopting it."""

    def __init__(self, folder: Path, origin: Path) -> None:
        self.folder, self.origin = folder, origin
        self.in_place = folder == origin

    def over(self, loose: str | bytes, **topics: str) -> InitAnswer:
        laid(self.origin, loose, **topics)
        held = None if self.in_place else state(self.origin)
        made = Workspace.create(self.folder, ME, QUICK, adopt=None if self.in_place else self.origin)
        assert held is None or state(self.origin) == held
        return made

    def read(self, path: str) -> str:
        return (self.folder / path).read_text()


def test_a_valid_one_becomes_the_topic_with_its_links_rebased(taken: Taken, git: Git) -> None:  # 0.23, 13.4
    made = taken.over(AT_ROOT, bob=ELSEWHERE)
    assert (made.adopted.core, made.adopted.topics, made.adopted.sources) == ("topics/core.md", 2, 1)
    assert taken.read("topics/core.md") == MOVED
    assert f"({ARCHIVE}#" in taken.read("core.md")
    assert git(taken.folder, "status", "--porcelain") == ""
    (claim,) = reopened(taken.folder).memory().facts.of_topic(TopicPath("topics/core.md"))
    assert claim.whens == ("2024-03-15",)


@pytest.mark.parametrize(
    "core",
    [
        pytest.param(LOOSE, id="no topic"),
        pytest.param(topic("Core", block("Ada.", "aaaa1111", "gone", up=0)), id="evidence that is missing"),
        pytest.param(topic("Core", block("Bob.", "bbbb2222", up=0)), id="an id that stands elsewhere"),
        pytest.param(b"Ada likes t\xe9.\n", id="no text"),
    ],
)
def test_an_invalid_one_is_evidence_of_the_owner_and_kept(  # 0.23, 11.2
    taken: Taken, git: Git, core: str | bytes
) -> None:
    data = core if isinstance(core, bytes) else core.encode()
    made = taken.over(core, bob=ELSEWHERE)
    handle = f"openprogram-migration/legacy-core/{hashlib.sha256(data).hexdigest()}"
    assert (made.adopted.core, made.adopted.topics, made.adopted.sources) == (handle, 1, 2)
    record = reopened(taken.folder).memory().facts.source(SourceId(handle))
    assert record is not None
    assert (record.metadata, record.timestamp, record.label) == (OWNER, "undated", "user")
    archived = (taken.folder / record.path).read_bytes()[record.body_start : record.body_end]
    assert archived == data.decode("utf-8", "replace").encode()
    (rescue,) = made.rescues
    assert rescue.startswith("refs/gitmem/rescue/")
    assert git(taken.folder, "cat-file", "-s", f"{rescue}:core.md") == str(len(data))
    assert not (taken.folder / "core.md").exists()  # nothing is shown yet, and nothing lies about
    assert not (taken.folder / "topics/core.md").exists()
    assert git(taken.folder, "status", "--porcelain") == ""


class Remembering(Noting):
    """Writes each bullet that it is shown into the core."""

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        super().distill(batch, memory, refusal)
        place = Destination(TopicPath("topics/core.md"), ("Core",))
        return WriterResult(
            RecordsEdit(
                tuple(
                    CreateRecord(line.removeprefix("- "), None, (SourceRef(turn.handle, "core"),), place)
                    for turn in batch.turns
                    for line in turn.content.splitlines()
                    if line.startswith("- ")
                )
            )
        )


def test_what_it_said_comes_back_as_claims_of_the_core(taken: Taken) -> None:  # 11.2
    taken.over(LOOSE, bob=ELSEWHERE)
    writer = Remembering()
    workspace = reopened(taken.folder)
    answer = workspace.backfill(writer=writer)
    assert (answer.status, answer.candidates, answer.processed) == ("ok", 1, 1)
    assert [turn.content for batch in writer.shown for turn in batch] == [LOOSE]
    for path in ("topics/core.md", "core.md"):
        assert "Ada likes tea." in taken.read(path)
        assert "She lives in Berlin." in taken.read(path)
    assert workspace.backfill(writer=writer).candidates == 0


def test_it_is_archived_once(tmp_path: Path) -> None:  # 11.2
    first = tmp_path / "first"
    Workspace.create(first, ME, QUICK, adopt=laid(tmp_path / "old", LOOSE))
    (first / "core.md").write_text(LOOSE)  # an older program writes it again
    made = Workspace.create(tmp_path / "second", ME, QUICK, adopt=first)
    assert made.adopted.core == LEGACY
    path = "sources/openprogram-migration/_v2/legacy-core.md"
    assert (tmp_path / "second" / path).read_bytes() == (first / path).read_bytes()
    (first / "core.md").write_text(LOOSE + "- Bob.\n")
    Workspace.create(tmp_path / "third", ME, QUICK, adopt=first)
    assert (tmp_path / "third" / path).read_bytes().startswith((first / path).read_bytes())
    assert (tmp_path / "third" / path).read_bytes().count(b"<!-- source-id:") == 2


def test_with_both_the_topic_wins_and_the_other_is_kept(taken: Taken, git: Git) -> None:  # 0.23
    made = taken.over(LOOSE, core=MASTER)
    assert made.adopted.core is None
    assert taken.read("topics/core.md") == MASTER
    assert "Ada likes tea." in taken.read("core.md")
    (rescue,) = made.rescues
    assert git(taken.folder, "show", f"{rescue}:core.md") == LOOSE.rstrip("\n")
    assert reopened(taken.folder).memory().facts.source(SourceId(LEGACY)) is None
    assert git(taken.folder, "status", "--porcelain") == ""


def test_a_rendering_of_the_topic_is_neither(taken: Taken, tmp_path: Path) -> None:  # 0.23
    Workspace.create(tmp_path / "other", ME, QUICK, adopt=laid(tmp_path / "model", "", core=MASTER))
    made = taken.over((tmp_path / "other/core.md").read_text(), core=MASTER)
    assert (made.adopted.core, made.adopted.topics, made.adopted.sources, made.rescues) == (None, 1, 1, ())


def test_a_shorter_rendering_is_neither(tmp_path: Path) -> None:  # 0.23: another budget
    master = topic("Core", block("Ada likes tea.", "aaaa1111"), block("Bob likes tea.", "bbbb2222"))
    shorter = topic("Core", block("Ada likes tea.", "aaaa1111", up=0))
    made = Workspace.create(tmp_path / "w", ME, QUICK, adopt=laid(tmp_path / "old", shorter, core=master))
    assert (made.adopted.core, made.rescues) == (None, ())


@pytest.mark.parametrize("core", ["", " \n"])
def test_an_empty_one_is_nothing(taken: Taken, git: Git, core: str) -> None:
    made = taken.over(core, bob=ELSEWHERE)
    assert (made.adopted.core, made.rescues) == (None, ())
    assert git(taken.folder, "status", "--porcelain") == ""


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    old = laid(tmp_path / "old", "", bob=ELSEWHERE)
    (tmp_path / "secret").write_text(LOOSE)
    (old / "core.md").unlink()
    (old / "core.md").symlink_to(tmp_path / "secret")
    made = Workspace.create(tmp_path / "w", ME, QUICK, adopt=old)
    assert (made.adopted.core, made.adopted.sources, made.rescues) == (None, 1, ())


def test_other_defects_are_told_and_leave_it_where_it_is(tmp_path: Path) -> None:  # 13.4
    old = laid(tmp_path / "w", AT_ROOT, bob="loose words\n")
    held = state(old)
    with pytest.raises(Refused) as caught:
        Workspace.create(old, ME, QUICK)
    assert caught.value.code is Code.INVALID_TOPIC_FORMAT
    assert {finding.path for finding in caught.value.findings} == {"topics/bob.md"}
    assert state(old) == held
