"""move_records and merging (behaviours.md 5.12-5.16, cli.md "merge-blocks")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code
from gitmem.ids import BlockId
from gitmem.request import DeleteRecord, MergeRecords
from memory_workspace import block, defined, into, link, move, records, three_messages, update

if TYPE_CHECKING:
    from memory_workspace import Workspace

A, B, C = block("One.", "a"), block("Two.", "b", 2), block("Three.", "c", 3)
FILE = f"# A\n\n{A}\n{B}\n{C}"


def note(number: int, folder: str = "..") -> str:
    return f"[^n]: Time: `2024`; Sources: {link(number, folder)}\n"


def merge(keep: str, *absorbed: str) -> MergeRecords:
    return MergeRecords(BlockId(keep), tuple(BlockId(block_id) for block_id in absorbed))


def defects(workspace: Workspace, path: str) -> list[str]:
    topic = workspace.tree.topic(path)
    assert topic is not None
    return [defect.code for defect in topic.defects]


def test_records_move_in_the_declared_order_with_their_footnotes() -> None:
    # behaviours.md 5.12, 5.16
    workspace = three_messages({"topics/a.md": FILE})
    outcome = workspace.edit(records(move(into("topics/people/x.md", "X"), "c", "a")))
    first, second = block("Three.", "c", 3, folder="../.."), block("One.", "a", folder="../..")
    assert workspace.text("topics/people/x.md") == f"# X\n\n{first}\n{second}"
    assert workspace.text("topics/a.md") == f"# A\n\n{B}"
    assert outcome.block_ids == {}
    assert outcome.touched == ("topics/a.md", "topics/people/x.md")


def test_an_emptied_file_is_pruned() -> None:
    # behaviours.md 5.12, 2.6
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(records(move(into("topics/x.md", "X", "Y"), "a", "b", "c")))
    assert workspace.text("topics/x.md") == f"# X\n\n## Y\n\n{A}\n{B}\n{C}"
    assert "topics/a.md" not in workspace.tree.files


def test_records_are_reordered_in_their_own_file() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(records(move(into("topics/a.md", "A", position="before", beside="a"), "c")))
    assert workspace.text("topics/a.md") == f"# A\n\n{C}\n{A}\n{B}"


def test_links_follow_what_moved_in_every_direction() -> None:
    # behaviours.md 2.4, 5.12
    text = "# A\n\nOne [own](#^a), [next](#^b), [far](deep/f.md#^f).[^n1] ^a\n\nTwo [first](#^a).[^n1] ^b\n\n"
    notes = f"[^n1]: Time: `2024`; Sources: {link(1)}\n"
    far = f"# F\n\nFar [one](../a.md#^a), [two](../a.md#^b).[^n] ^f\n\n{note(2, '../..')}"
    workspace = three_messages({"topics/a.md": text + notes, "topics/deep/f.md": far})
    outcome = workspace.edit(records(move(into("topics/deep/x.md", "X"), "a")))
    assert workspace.text("topics/deep/x.md") == (
        "# X\n\nOne [own](#^a), [next](../a.md#^b), [far](f.md#^f).[^n1] ^a\n\n"
        f"[^n1]: Time: `2024`; Sources: {link(1, '../..')}\n"
    )
    assert workspace.text("topics/a.md") == f"# A\n\nTwo [first](deep/x.md#^a).[^n1] ^b\n\n{notes}"
    assert workspace.text("topics/deep/f.md") == far.replace("../a.md#^a", "x.md#^a")
    assert outcome.touched == ("topics/a.md", "topics/deep/f.md", "topics/deep/x.md")


def test_a_link_becomes_local_where_its_ends_meet() -> None:
    linking = f"# X\n\nSee [one](a.md#^a).[^n]  ^x\n\n[^n]: Time: `2024`; Sources: {link(2)}\n"
    workspace = three_messages({"topics/a.md": FILE, "topics/x.md": linking})
    workspace.edit(records(move(into("topics/x.md", "X"), "a")))
    assert workspace.text("topics/x.md") == linking.replace("a.md#^a", "#^a") + f"\n{A}"


def test_an_update_and_a_move_of_one_record_work_together() -> None:
    # behaviours.md 5.13: moves run last
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(records(move(into("topics/x.md", "X"), "a"), update("a", "New.", "p/t/m3")))
    assert workspace.text("topics/x.md") == f"# X\n\n{block('New.', 'a', 3)}"


MERGED = f"# A\n\nOne.[^{defined(1)[0]}] ^x ^y\n\n{defined(1)[1]}\n{B}"


def test_part_of_a_merged_block_does_not_move() -> None:
    # behaviours.md 5.14
    workspace = three_messages({"topics/a.md": MERGED})
    goal = into("topics/x.md", "X")
    for ids in (("x",), ("y",), ("b", "x")):
        error = workspace.refused(records(move(goal, *ids)))
        assert (error.code, "physical block" in error.message) == (Code.INVALID_TOPIC_FORMAT, True)
    for ids in (("y", "x"), ("x", "b", "y")):
        error = workspace.refused(records(move(goal, *ids)))
        assert "physical block order" in error.message


def test_a_whole_merged_block_moves_and_so_does_what_a_deleted_alias_leaves() -> None:
    # behaviours.md 5.14
    goal = into("topics/x.md", "X")
    workspace = three_messages({"topics/a.md": MERGED})
    workspace.edit(records(move(goal, "x", "y")))
    assert workspace.text("topics/x.md").endswith(f" ^x ^y\n\n{defined(1)[1]}")
    workspace = three_messages({"topics/a.md": MERGED})
    workspace.edit(records(DeleteRecord(BlockId("x")), move(goal, "y")))
    assert workspace.text("topics/x.md") == f"# X\n\n{block('One.', 'y')}"


def test_a_legacy_paragraph_moves_as_a_whole() -> None:
    notes = f"[^mem_a]: 2024 · Sources: {link(1)}\n[^mem_b]: 2024 · Sources: {link(2)}\n"
    text = f"# A\n\nOne.[^mem_a] Two.[^mem_b] rest\n\n{notes}"
    workspace = three_messages({"topics/a.md": text, "topics/b.md": f"# B\n\n{C}"})
    assert workspace.refused(records(move(into("topics/p/x.md", "X"), "mem_a"))).code is Code.INVALID_TOPIC_FORMAT
    workspace.edit(records(move(into("topics/p/x.md", "X"), "mem_a", "mem_b")))
    assert workspace.text("topics/p/x.md") == text.replace("# A", "# X").replace("../sources", "../../sources")


def shared(number: int, name: str, block_id: str, content: str = "Other.") -> str:
    return f"# B\n\n{content}[^{name}] ^{block_id}\n\n[^{name}]: Time: `2020`; Sources: {link(number)}\n"


def test_one_evidence_id_with_two_meanings_is_refused() -> None:
    # behaviours.md 5.15
    name = defined(1)[0]
    workspace = three_messages({"topics/a.md": FILE, "topics/b.md": shared(2, name, "z")})
    error = workspace.refused(records(move(into("topics/b.md", "B"), "a")))
    assert (error.code, "evidence definition conflicts" in error.message) == (Code.INVALID_TOPIC_FORMAT, True)
    error = workspace.refused(records(move(into("topics/x.md", "X"), "a", "z")))
    assert "conflicts across sources" in error.message


def test_a_footnote_that_others_need_is_copied_and_one_that_is_there_is_used() -> None:
    # behaviours.md 0.11
    name, line = defined(1)
    both = f"# A\n\nOne.[^{name}] ^a\n\n{line}\nTwo.[^{name}] ^b\n"
    workspace = three_messages({"topics/a.md": both})
    workspace.edit(records(move(into("topics/x.md", "X"), "a")))
    assert workspace.text("topics/a.md") == f"# A\n\n{line}\nTwo.[^{name}] ^b\n"
    assert workspace.text("topics/x.md") == f"# X\n\n{A}"
    workspace.edit(records(move(into("topics/x.md", "X"), "b")))
    assert workspace.text("topics/x.md") == f"# X\n\n{A}\nTwo.[^{name}] ^b\n"


def test_a_moved_record_cannot_be_its_own_anchor() -> None:
    goal = into("topics/a.md", "A", position="after", beside="a")
    error = three_messages({"topics/a.md": FILE}).refused(records(move(goal, "a")))
    assert error.code is Code.INVALID_ARGUMENT


def test_merging_keeps_prose_and_every_citation_and_id() -> None:
    # cli.md "merge-blocks"
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(records(merge("b", "a", "c")))
    (one, line1), (two, line2), (three, line3) = defined(1), defined(2), defined(3)
    assert workspace.text("topics/a.md") == (f"# A\n\nTwo.[^{two}][^{one}][^{three}] ^a ^c ^b\n\n{line1}{line3}{line2}")


def test_merging_across_files_takes_links_and_footnotes_along() -> None:
    far = f"# F\n\nSee [one](../a.md#^a).[^n] ^f\n\n{note(2, '../..')}"
    workspace = three_messages(
        {"topics/a.md": f"# A\n\n{A}", "topics/f/b.md": block("Two.", "b", 2, "../.."), "topics/f/f.md": far}
    )
    workspace.edit(records(merge("b", "a")))
    assert "topics/a.md" not in workspace.tree.files
    assert workspace.text("topics/f/b.md").startswith(f"Two.[^{defined(2)[0]}][^{defined(1)[0]}] ^a ^b\n")
    assert defects(workspace, "topics/f/b.md") == []
    assert workspace.text("topics/f/f.md") == far.replace("../a.md#^a", "b.md#^a")


def test_merging_a_merged_block_takes_all_its_ids_once() -> None:
    workspace = three_messages({"topics/a.md": MERGED})
    workspace.edit(records(merge("b", "x", "y")))
    assert workspace.text("topics/a.md").startswith(f"# A\n\nTwo.[^{defined(2)[0]}][^{defined(1)[0]}] ^x ^y ^b\n")


@pytest.mark.parametrize(("keep", "absorbed"), [("x", "y"), ("b", "b"), ("b", "mem_l"), ("mem_l", "b")])
def test_what_cannot_be_merged_is_refused(keep: str, absorbed: str) -> None:
    legacy = f"# L\n\nOld.[^mem_l]\n\n[^mem_l]: 2024 · Sources: {link(1)}\n"
    workspace = three_messages({"topics/a.md": MERGED, "topics/l.md": legacy})
    assert workspace.refused(records(merge(keep, absorbed))).code is Code.INVALID_TOPIC_FORMAT


def test_unknown_ids_are_named_in_moves_and_merges() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    error = workspace.refused(records(move(into("topics/x.md", "X"), "a", "no"), merge("none", "b")))
    assert error.details == {"memory_ids": ["no", "none"]}


def test_a_block_without_definition_moves_as_it_is() -> None:
    workspace = three_messages({"topics/a.md": "One.[^gone] ^a\n"})
    workspace.edit(records(move(into("topics/x.md", "X"), "a")))
    assert workspace.text("topics/x.md") == "# X\n\nOne.[^gone] ^a\n"
