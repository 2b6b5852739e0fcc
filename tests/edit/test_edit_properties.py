"""Whatever sequence of edits is made: the topics stay valid, and what an edit does not touch keeps its bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gitmem.errors import GitmemError
from gitmem.format.layout import is_topic
from gitmem.format.links import relative_block_link
from gitmem.format.topic import parse_topic
from gitmem.ids import BlockId, TopicPath
from gitmem.request import (
    CiteRecord,
    CreateRecord,
    DeleteRecord,
    FileMove,
    FilesEdit,
    FileWrite,
    MergeRecords,
    MoveRecords,
    RecordsEdit,
    SourceRef,
    UpdateRecord,
)
from memory_workspace import Workspace, defined, into, link, move, records

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.format.model import Topic
    from gitmem.request import RecordOperation

PATHS = ["topics/a.md", "topics/b.md", "topics/deep/c.md", "topics/deep/er/d e%.md"]
HEADINGS: list[tuple[str, ...]] = [("A",), ("A", "Sub"), ("B",), ("B", "Sub", "Sub"), ()]
TIMES = [None, "2024", "2024-03", "2024-03-15"]
PROSE = ["One.", "Two\nlines.", "CJK 句子。", "Code `[^x]` and *stars*.", "Odd\u2028break.", "Costs 2 < 3 & more."]
UNCITED = "- uncited list\n\n```\n# no heading ^word\n```\n"
FILES = {
    "topics/b.md": f"---\ntags: x\n---\n\n<!-- kept -->\n\n# B\n\n{UNCITED}",
    "topics/old.md": (
        f"# Old\n\nUnit.[^mem_a] Other.[^mem_b]\n\n[^mem_a]: 2024 · Sources: {link(1)}\n"
        f"[^mem_b]: 2024 · Sources: {link(2)}\n"
    ),
}
LINK_PATH = re.compile(r"\]\([^()\s]*#\^")


def topics(workspace: Workspace) -> dict[str, Topic]:
    found = {path: workspace.tree.topic(path) for path in workspace.tree.files if is_topic(path)}
    return {path: topic for path, topic in found.items() if topic is not None}


def said(workspace: Workspace) -> dict[BlockId, str]:
    """Each block's text and what its evidence means, by each of its ids; paths of links left out, since they follow."""
    found: dict[BlockId, str] = {}
    for topic in topics(workspace).values():
        meaning = {d.id: (d.when, tuple(source.resolved for source in d.sources)) for d in topic.definitions}
        for block in topic.blocks:
            text = LINK_PATH.sub("](#^", topic.text[block.start : block.end])
            evidence = [meaning.get(citation.id) for citation in block.citations]
            found.update(dict.fromkeys(block.ids, f"{text}|{evidence}"))
    return found


def dangling(workspace: Workspace) -> set[tuple[str, BlockId | None]]:
    blocks = [(path, block) for path, topic in topics(workspace).items() for block in topic.blocks]
    held = {(path, block_id) for path, block in blocks for block_id in block.ids}
    return {(link.target_path, link.block) for _, block in blocks for link in block.links} - held


@st.composite
def operations(draw: st.DrawFn, workspace: Workspace) -> RecordOperation:
    """An operation on what the workspace holds now."""
    places = {block_id: path for path, topic in topics(workspace).items() for b in topic.blocks for block_id in b.ids}
    known = st.sampled_from(sorted(places))
    one, two, path = draw(known), draw(known), draw(st.sampled_from(PATHS))
    goal = into(path, *draw(st.sampled_from(HEADINGS)), position=draw(st.sampled_from(["start", "end"])))
    numbers = draw(st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True))
    sources, time = tuple(SourceRef(f"p/t/m{n}", f"label {n}") for n in numbers), draw(st.sampled_from(TIMES))
    content = draw(st.sampled_from(PROSE))
    create = CreateRecord(_linking(content, path, two, places), time, sources, goal)
    others = [
        UpdateRecord(one, _linking(content, places[one], two, places), time, sources),
        CiteRecord(one, time, sources),
        DeleteRecord(one),
        move(goal, *dict.fromkeys([one, two])),
        MergeRecords(one, (two,)),
    ]
    return draw(st.sampled_from([create, create, *others]))


def _linking(content: str, path: str, block_id: BlockId, places: dict[BlockId, str]) -> str:
    destination = relative_block_link(path, places[block_id], block_id)
    return f"See [it]({destination}). {content}" if len(content) % 2 else content


def named(edit: RecordsEdit | FilesEdit) -> set[BlockId]:
    found: set[BlockId] = set()
    for operation in edit.operations if isinstance(edit, RecordsEdit) else ():
        if isinstance(operation, MergeRecords):
            found |= {operation.keep, *operation.absorbed}
        elif not isinstance(operation, CreateRecord | MoveRecords):
            found.add(operation.memory_id)
    return found


def drawn(data: st.DataObject, workspace: Workspace) -> RecordsEdit | FilesEdit:
    if data.draw(st.integers(0, 7)):
        return records(data.draw(operations(workspace)))
    origin, goal = data.draw(st.sampled_from(sorted(topics(workspace)))), data.draw(st.sampled_from(PATHS))
    return FilesEdit((FileMove(TopicPath(origin), TopicPath(goal)),))


@settings(max_examples=30)
@given(st.data())
def test_any_sequence_of_edits_leaves_valid_topics_and_untouched_blocks(data: st.DataObject) -> None:
    workspace = Workspace(FILES)
    workspace.archive("p/t/m1", "p/t/m2", "p/t/m3")
    for _ in range(data.draw(st.integers(1, 6))):
        before, links, files = said(workspace), dangling(workspace), dict(workspace.tree.files)
        if not before:
            break
        edit = drawn(data, workspace)
        try:
            outcome = workspace.edit(edit)
        except GitmemError:
            assert workspace.tree.files == files
            continue
        after, now = said(workspace), workspace.tree.files
        touched = {before[block_id] for block_id in named(edit)}
        assert all(after.get(block_id) == text for block_id, text in before.items() if text not in touched)
        assert {path for path in {*files, *now} if files.get(path) != now.get(path)} == set(outcome.touched)
        assert UNCITED in "".join(map(workspace.text, topics(workspace)))
        if before.keys() <= after.keys():
            assert dangling(workspace) <= links
        blocks = [block_id for topic in topics(workspace).values() for b in topic.blocks for block_id in b.ids]
        assert len(blocks) == len(set(blocks))
        defects = [(d.code, topic.text) for topic in topics(workspace).values() for d in topic.defects]
        assert [defect for defect in defects if defect[0] != "not-a-paragraph"] == []


clauses = st.lists(st.tuples(st.sampled_from(PROSE), st.integers(1, 3)), min_size=1, max_size=3)


@given(st.lists(clauses, min_size=1, max_size=5), st.booleans())
def test_written_files_are_valid_and_stay_as_they_are_when_written_again(
    written: list[list[tuple[str, int]]],
    collected: bool,
) -> None:
    body = [" ".join(f"{prose}[^e{n}]" for prose, n in paragraph) for paragraph in written]
    used = sorted({n for paragraph in written for _, n in paragraph})
    notes = [f"[^e{n}]: Time: `2024`; Sources: [L{n}](p/t/m{n})" for n in used]
    parts = ["# A", *body, "# References", *notes] if collected else ["# A", body[0], *notes, *body[1:]]
    workspace = Workspace()
    workspace.archive("p/t/m1", "p/t/m2", "p/t/m3")
    text = "\n\n".join(parts)
    outcome = workspace.edit(FilesEdit((FileWrite(TopicPath("topics/a.md"), f"{text}\n"),)))
    topic = workspace.tree.topic("topics/a.md")
    assert topic is not None
    assert topic.defects == ()
    assert len(outcome.block_ids) == len(topic.blocks) == len(written)
    again = FilesEdit((FileWrite(TopicPath("topics/a.md"), topic.text),))
    assert workspace.edit(again).touched == ()


def real(shared_data: Path) -> Workspace:
    root = shared_data / "openprogram" / "topics_legacy_sources"
    found = [path for part in ("topics", "sources") for path in root.glob(f"{part}/**/*.md")]
    return Workspace({path.relative_to(root).as_posix(): path.read_bytes() for path in found})


def test_real_topics_move_to_another_folder_and_back(shared_data: Path) -> None:
    # behaviours.md 2.4, 5.16
    workspace = real(shared_data)
    before, files = said(workspace), dict(workspace.tree.files)
    for path in sorted(topics(workspace)):
        away = TopicPath(f"topics/else/where/{path.rpartition('/')[2]}")
        workspace.edit(FilesEdit((FileMove(TopicPath(path), away),)))
        assert said(workspace) == before
        workspace.edit(FilesEdit((FileMove(away, TopicPath(path)),)))
    assert workspace.tree.files == files


def test_real_blocks_move_one_by_one(shared_data: Path) -> None:
    # behaviours.md 5.12, 5.16
    workspace = real(shared_data)
    before = said(workspace)
    for block_id in sorted(before)[::24]:
        workspace.edit(records(move(into("topics/gathered.md", "Gathered"), block_id)))
    assert said(workspace) == before
    assert all(topic.defects == () for topic in topics(workspace).values())


PIECES = [
    f"Kept alpha.[^{defined(1)[0]}] ^a",
    f"Kept beta.[^{defined(2)[0]}] ^b1 ^b",
    f"Changed gamma.[^{defined(1)[0]}] ^a",
    "New delta.[^e1]",
    "New epsilon.[^e1] More zeta.[^e2] ^mine",
    "Linking eta [x](#^mine), [y](b.md#^b), [z](#^a).[^e2] ^other",
    "Unit theta.[^mem_a] Unit iota.[^mem_b]",
    "Lone kappa ^a",
    "Plain lambda.",
    "- list mu",
    "> quote nu",
    "```\n# fence xi ^word\n```",
    "<div>omicron</div>",
    "<!-- pi -->",
    '<a id="rho"></a>',
    "# Sigma",
    "## Tau",
    "***",
    "---\nupsilon: phi\n---",
    "[chi]: https://example.org",
    defined(1)[1].rstrip("\n"),
    defined(2)[1].rstrip("\n"),
    "[^e1]: Time: `2024`; Sources: p/t/m3",
    "[^e2]: undated · Sources: [psi](p/t/m1), p/t/m2",
    f"[^mem_a]: 2024 · Sources: {link(1)}",
    f"[^mem_b]: 2024 · Sources: {link(2)}",
    "omega\u2028omega\x0comega.[^e1]",
]
WORDS = re.compile(r"alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|omega", re.ASCII)
separators = st.sampled_from(["\n\n", "\n\n", "\n\n", "\n", "\r\n\r\n", "\n\n\n"])
texts = st.lists(st.tuples(st.sampled_from(PIECES), separators))


@settings(max_examples=80)
@given(texts, texts)
def test_no_prose_is_ever_lost_or_changed_unsaid(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> None:
    # behaviours.md 0.15: success is never reported for text that normalization dropped
    before, after = ("".join(piece + separator for piece, separator in parts) for parts in (old, new))
    headings = parse_topic(TopicPath("topics/a.md"), before).headings
    assume(not any("\n" in before[heading.start : heading.end] for heading in headings))  # those may be pruned
    workspace = Workspace({"topics/a.md": before} if before else {})
    workspace.archive("p/t/m1", "p/t/m2", "p/t/m3")
    try:
        workspace.edit(FilesEdit((FileWrite(TopicPath("topics/a.md"), after),)))
    except GitmemError:
        assert ("topics/a.md" in workspace.tree.files) == bool(before)
        return
    stored = workspace.tree.files.get("topics/a.md", b"").decode()
    assert WORDS.findall(stored) == WORDS.findall(after)
    again = workspace.edit(FilesEdit((FileWrite(TopicPath("topics/a.md"), stored),))) if stored else None
    assert again is None or again.touched == (), stored
