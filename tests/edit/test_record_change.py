"""update, delete and cite (behaviours.md 1.5, 1.6, 5.7-5.10, 5.17)."""

from __future__ import annotations

from gitmem.errors import Code
from gitmem.ids import BlockId
from gitmem.request import CiteRecord, DeleteRecord, SourceRef
from memory_workspace import block, create, defined, link, records, three_messages, update

A, B = block("One.", "a"), block("Two.", "b", 2)
FILE = f"# A\n\n{A}\n{B}"
MERGED = f"# A\n\nOne.[^{defined(1)[0]}] ^x ^y\n\n{defined(1)[1]}"
LEGACY = (
    f"# A\n\n[^mem_b]: Time: 2023; Sources: {link(2)}\n\n"
    "One.[^mem_a] Two.[^mem_b] loose end\n\n"
    f"[^mem_a]: 2024 · Sources: {link(1)}\n"
)


def delete(block_id: str) -> DeleteRecord:
    return DeleteRecord(BlockId(block_id))


def cite(block_id: str, number: int, time: str | None = "2024") -> CiteRecord:
    return CiteRecord(BlockId(block_id), time, (SourceRef(f"p/t/m{number}", f"p/t/m{number}"),))


def test_an_update_keeps_the_id_and_replaces_prose_and_evidence() -> None:
    # behaviours.md 5.7
    workspace = three_messages({"topics/a.md": FILE})
    outcome = workspace.edit(records(update("a", "New.", "p/t/m3")))
    assert workspace.text("topics/a.md") == f"# A\n\n{block('New.', 'a', 3)}\n{B}"
    assert (outcome.block_ids, outcome.evidence_ids) == ({}, {"topics/a.md#e1": defined(3)[0]})


def test_evidence_that_stays_keeps_its_footnote() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(records(update("a", "New.", "p/t/m1")))
    assert workspace.text("topics/a.md") == FILE.replace("One.", "New.")


def test_a_shared_footnote_stays_for_the_others() -> None:
    # behaviours.md 2.7
    shared = FILE.replace(f"Two.[^{defined(2)[0]}]", f"Two.[^{defined(1)[0]}]").replace(f"\n{defined(2)[1]}", "")
    workspace = three_messages({"topics/a.md": shared})
    workspace.edit(records(delete("a")))
    assert workspace.text("topics/a.md") == f"# A\n\n{defined(1)[1]}\nTwo.[^{defined(1)[0]}] ^b\n"


def test_updating_through_an_alias_keeps_all_ids() -> None:
    # behaviours.md 1.5
    workspace = three_messages({"topics/a.md": MERGED})
    workspace.edit(records(update("x", "New.")))
    assert workspace.text("topics/a.md") == MERGED.replace("One.", "New.")


def test_two_updates_of_one_merged_block_are_refused() -> None:
    # behaviours.md 5.9
    error = three_messages({"topics/a.md": MERGED}).refused(records(update("x", "New."), update("y", "Newer.")))
    assert (error.code, "same merged block" in error.message) == (Code.INVALID_TOPIC_FORMAT, True)


def test_every_unknown_id_is_named_and_the_batch_rolls_back() -> None:
    # behaviours.md 5.10
    workspace = three_messages({"topics/a.md": FILE})
    error = workspace.refused(records(update("a", "New."), delete("no"), update("nowhere", "X."), create("Y.")))
    assert error.code is Code.MEMORY_NOT_FOUND
    assert error.details == {"memory_ids": ["no", "nowhere"]}


def test_a_block_deleted_earlier_in_the_batch_is_not_found() -> None:
    error = three_messages({"topics/a.md": FILE}).refused(records(delete("a"), update("a", "New.")))
    assert error.code is Code.MEMORY_NOT_FOUND


def test_an_id_on_two_blocks_is_refused() -> None:
    workspace = three_messages({"topics/a.md": FILE, "topics/b.md": block("Other.", "a")})
    assert workspace.refused(records(update("a", "New."))).code is Code.INVALID_TOPIC_FORMAT


def test_deleting_an_alias_removes_only_that_id() -> None:
    # behaviours.md 5.8
    workspace = three_messages({"topics/a.md": MERGED})
    workspace.edit(records(delete("x")))
    assert workspace.text("topics/a.md") == MERGED.replace(" ^x ^y", " ^y")


def test_deleting_a_merged_blocks_own_id_leaves_its_alias() -> None:
    workspace = three_messages({"topics/a.md": MERGED})
    workspace.edit(records(delete("y")))
    assert workspace.text("topics/a.md") == MERGED.replace(" ^x ^y", " ^x")


def test_deleting_removes_paragraph_and_footnote_and_keeps_the_rest() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(records(delete("a")))
    assert workspace.text("topics/a.md") == f"# A\n\n{B}"
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(records(delete("b")))
    assert workspace.text("topics/a.md") == f"# A\n\n{A}"


def test_deleting_the_last_block_removes_the_file() -> None:
    # behaviours.md 2.6, 6.6
    workspace = three_messages({"topics/a.md": f"# A\n\n{A}"})
    outcome = workspace.edit(records(delete("a")))
    assert "topics/a.md" not in workspace.tree.files
    assert outcome.touched == ("topics/a.md",)


def test_a_legacy_unit_is_updated_alone() -> None:
    # behaviours.md 1.6, 1.7, 5.17
    workspace = three_messages({"topics/a.md": LEGACY})
    workspace.edit(records(update("mem_a", "New.", "p/t/m3", "2025"), update("mem_b", "Newer.", "p/t/m3")))
    assert workspace.text("topics/a.md") == (
        f"# A\n\n[^mem_b]: Time: `2024`; Sources: {link(3)}\n\n"
        "New.[^mem_a] Newer.[^mem_b] loose end\n\n"
        f"[^mem_a]: Time: `2025`; Sources: {link(3)}\n"
    )


def test_a_legacy_unit_without_footnote_gets_one() -> None:
    workspace = three_messages({"topics/a.md": "# A\n\nOne.[^mem_a] rest\n"})
    workspace.edit(records(update("mem_a", "New.")))
    line = f"[^mem_a]: Time: `2024`; Sources: {link(1)}\n"
    assert workspace.text("topics/a.md") == f"# A\n\nNew.[^mem_a] rest\n\n{line}"


def test_legacy_units_are_deleted_one_by_one() -> None:
    # behaviours.md 1.6
    workspace = three_messages({"topics/a.md": LEGACY})
    workspace.edit(records(delete("mem_a")))
    assert "\n\nTwo.[^mem_b] loose end\n" in workspace.text("topics/a.md")
    assert "mem_a" not in workspace.text("topics/a.md")
    workspace.edit(records(delete("mem_b")))
    assert workspace.text("topics/a.md") == "# A\n\nloose end\n"


def test_the_last_unit_of_a_paragraph_takes_it_along() -> None:
    legacy = LEGACY.replace(" loose end", "")
    workspace = three_messages({"topics/a.md": legacy})
    workspace.edit(records(delete("mem_b")))
    assert "\n\nOne.[^mem_a]\n\n" in workspace.text("topics/a.md")
    workspace.edit(records(delete("mem_a")))
    assert "topics/a.md" not in workspace.tree.files


def test_citing_adds_a_footnote_and_leaves_the_prose() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(records(cite("a", 3)))
    name, line = defined(3)
    expected = FILE.replace(" ^a\n\n", f"[^{name}] ^a\n\n{line}")
    assert workspace.text("topics/a.md") == expected


def test_citing_what_is_cited_changes_nothing() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    outcome = workspace.edit(records(cite("a", 1)))
    assert (workspace.text("topics/a.md"), outcome.touched, len(outcome.warnings)) == (FILE, (), 1)


def test_an_uncited_block_can_be_given_evidence() -> None:
    workspace = three_messages({"topics/a.md": "# A\n\nOne. ^a\n"})
    workspace.edit(records(cite("a", 1)))
    assert workspace.text("topics/a.md") == f"# A\n\n{A}"


def test_a_legacy_unit_takes_more_sources_of_the_same_time_only() -> None:
    workspace = three_messages({"topics/a.md": LEGACY})
    workspace.edit(records(cite("mem_a", 3), cite("mem_a", 1)))
    assert f"[^mem_a]: Time: `2024`; Sources: {link(1)}, {link(3)}\n" in workspace.text("topics/a.md")
    assert workspace.refused(records(cite("mem_a", 2, "2020"))).code is Code.INVALID_TOPIC_FORMAT


def test_an_update_that_the_file_would_swallow_is_refused() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    assert workspace.refused(records(update("a", "New \\"))).code is Code.INVALID_TOPIC_FORMAT
