"""What callers write is normalized (behaviours.md part 2, 0.10, 0.11, 0.15, 0.30, 17.8, 17.10)."""

from __future__ import annotations

import pytest

from gitmem.errors import Code, Refused
from gitmem.ids import TopicPath
from gitmem.request import FileDelete, FilesEdit, FileWrite, NewSource
from memory_workspace import Workspace, block, create, defined, link, records, three_messages, write

A, B = block("One.", "a"), block("Two.", "b", 2)
FILE = f"# A\n\n{A}\n{B}"
(E1, LINE1), (E2, LINE2), (E3, LINE3) = defined(1), defined(2), defined(3)
NOTE = "[^e1]: Time: `2024`; Sources: p/t/m3\n"


def edited(new: str, old: str = FILE) -> tuple[str, dict[str, str]]:
    workspace = three_messages({"topics/a.md": old})
    outcome = workspace.edit(write("topics/a.md", new))
    return workspace.text("topics/a.md"), dict(outcome.block_ids)


# --- labels and sources -----------------------------------------------------------------------------------------


def test_local_labels_become_evidence_ids_and_plain_handles_links() -> None:
    # behaviours.md 2.1, 2.2, 2.3
    workspace = three_messages({"topics/a.md": FILE})
    new = "New.[^e1] More.[^new-evidence-x]\n\n" + NOTE + "[^new-evidence-x]: undated · Sources: [L](p/t/m2), p/t/m1\n"
    outcome = workspace.edit(write("topics/a.md", f"{FILE}\n{new}"))
    second = outcome.evidence_ids["topics/a.md#new-evidence-x"]
    (block_id,) = outcome.block_ids.values()
    assert workspace.text("topics/a.md") == (
        f"{FILE}\nNew.[^{E3}] More.[^{second}] ^{block_id}\n\n"
        f"{LINE3}[^{second}]: Time: `undated`; Sources: {link(2).replace('p/t/m2]', 'L]')}, {link(1)}\n"
    )
    assert outcome.evidence_ids == {"topics/a.md#e1": E3, "topics/a.md#new-evidence-x": second}
    assert outcome.block_ids == {"topics/a.md#1": block_id}


def test_evidence_that_the_file_has_is_reused_and_defined_once() -> None:
    # behaviours.md 0.11, 0.30
    text, ids = edited(
        f"{FILE}\nNew.[^e1][^e2]\n\n[^e1]: 2024 · Sources: [other label](p/t/m1)\n[^e2]: 2024 · Sources: p/t/m1\n"
    )
    assert text == f"{FILE}\nNew.[^{E1}] ^{ids['topics/a.md#1']}\n"


def test_an_older_id_of_the_same_meaning_is_reused() -> None:
    # behaviours.md 0.30
    old = FILE.replace(E1, "fact-7")
    text, ids = edited(f"{old}\nNew.[^e1]\n\n[^e1]: Time: 2024; Sources: p/t/m1\n", old)
    assert text == f"{old}\nNew.[^fact-7] ^{ids['topics/a.md#1']}\n"


def test_a_footnote_that_comes_to_mean_something_else_gets_another_id() -> None:
    # formats.md: one id has one meaning
    text, ids = edited(FILE.replace(LINE1, LINE1.replace("2024", "2025")))
    name, line = defined(1, "2025")
    assert text == FILE.replace(LINE1, line).replace(E1, name)
    assert ids == {}


def test_a_new_label_of_a_source_is_kept_and_changes_no_id() -> None:
    # formats.md: labels carry no meaning
    new = FILE.replace("[p/t/m1]", "[a better label]")
    assert edited(new)[0] == new


def test_footnotes_that_stood_there_keep_their_form() -> None:
    # behaviours.md 1.3
    old = FILE.replace(LINE1, f"[^{E1}]: 2024 · Sources: {link(1)}\n")
    new = old.replace("Two.", "2.")
    assert edited(new, old)[0] == new


def test_declared_labels_are_replaced_where_they_stand_as_sources_only() -> None:
    # behaviours.md 4.5, 17.11
    workspace = three_messages()
    text = "Say new-source-x and new-source-y.[^e1]\n\n[^e1]: Time: `2024`; Sources: [S](new-source-x), new-source-x\n"
    workspace.edit(write("topics/a.md", text), NewSource("hello", "user", label="new-source-x"))
    stored = workspace.text("topics/a.md")
    assert stored.startswith("Say new-source-x and new-source-y.[^e-")
    assert "](new-source" not in stored
    assert "[S](../sources/gitmem/_v2/test.md#source-" in stored


def test_every_unknown_source_is_named() -> None:
    # behaviours.md 4.5
    workspace = three_messages()
    notes = "[^e1]: Time: `2024`; Sources: new-source-x, p/t/m1\n[^e2]: Time: `2024`; Sources: [L](p/t/no)\n"
    error = workspace.refused(write("topics/a.md", f"A.[^e1] B.[^e2]\n\n{notes}"))
    assert error.code is Code.MISSING_SOURCE
    named = [(finding.line, finding.message.split()[0]) for finding in error.findings]
    assert named == [(3, "new-source-x"), (4, "p/t/no")]


def test_an_unknown_source_that_stood_there_is_left_alone() -> None:
    old = FILE.replace(LINE2, f"[^{E2}]: Time: `2024`; Sources: p/t/gone\n")
    new = old.replace("One.", "Won.")
    assert edited(new, old)[0] == new


def test_a_malformed_footnote_is_left_for_the_check() -> None:
    new = f"{FILE}\nNew.[^e1]\n\n[^e1]: Time: `2024-02-30`; Sources: p/t/m1\n"
    assert "[^e1]: Time: `2024-02-30`" in edited(new)[0]


def test_a_source_link_from_the_root_is_mended() -> None:
    root = link(3).replace("../", "")
    text, ids = edited(f"{FILE}\nNew.[^e1]\n\n[^e1]: Time: `2024`; Sources: {root}\n")
    assert text == f"{FILE}\n{block('New.', ids['topics/a.md#1'], 3)}"


def test_a_label_without_definition_is_bound_to_the_one_that_follows() -> None:
    # behaviours.md 2.5
    new = FILE.replace(f"One.[^{E1}]", "Won.[^e1]")
    assert edited(new)[0] == FILE.replace("One.", "Won.")


def test_a_label_without_any_definition_stays_for_the_check() -> None:
    text = edited(f"{FILE}\nNew.[^e9]\n")[0]
    assert "New.[^e9]" in text


def test_a_definition_is_brought_along_from_another_file() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    outcome = workspace.edit(write("topics/p/b.md", f"New.[^{E1}]\n\nMore.[^{E1}][^{E2}]\n"))
    one, two = outcome.block_ids.values()
    assert workspace.text("topics/p/b.md") == (
        f"New.[^{E1}] ^{one}\n\n{defined(1, folder='../..')[1]}\n"
        f"More.[^{E1}][^{E2}] ^{two}\n\n{defined(2, folder='../..')[1]}"
    )


def test_a_definition_that_only_this_file_had_is_not_brought_back() -> None:
    new = FILE.replace(LINE1, "")
    assert edited(new)[0] == new


def test_a_footnote_that_the_edit_leaves_uncited_goes() -> None:
    # behaviours.md 2.7
    new = FILE.replace(f"One.[^{E1}] ^a\n\n", "")
    assert edited(new)[0] == f"# A\n\n{B}"


def test_a_footnote_nobody_ever_cited_is_not_pruned() -> None:
    # behaviours.md 0.10; a new one is left for the check
    new = f"{FILE}\n[^{E3}]: Time: `2024`; Sources: {link(3)}\n"
    assert edited(new)[0] == new
    assert edited(new.replace("One.", "Won."), new)[0] == new.replace("One.", "Won.")


# --- ids --------------------------------------------------------------------------------------------------------


def test_ids_that_stood_there_stay_and_new_paragraphs_get_theirs() -> None:
    # behaviours.md 2.2
    text, ids = edited(FILE.replace("One.", "Won.").replace("# A\n", f"# A\n\nZero.[^{E1}]\n"))
    assert list(ids) == ["topics/a.md#1"]
    assert text == FILE.replace("One.", "Won.").replace("# A\n", f"# A\n\nZero.[^{E1}] ^{ids['topics/a.md#1']}\n")


@pytest.mark.parametrize("invented", [" ^mine", " ^a-x", " ^x ^y", " ^not_an_id", "^glued", " ^b"])
def test_invented_ids_are_replaced(invented: str) -> None:
    # behaviours.md 2.2, 17.10
    text, ids = edited(f"{FILE}\nNew.[^{E1}]{invented}\n")
    assert text == f"{FILE}\nNew.[^{E1}] ^{ids['topics/a.md#1']}\n"


def test_an_id_that_is_kept_sheds_invented_company() -> None:
    text, ids = edited(FILE.replace(" ^a\n", " ^mine ^a\n"))
    assert (text, ids) == (FILE, {})


def test_of_two_paragraphs_with_one_id_the_old_one_keeps_it() -> None:
    new = FILE.replace(A, f"Copied.[^{E1}] ^a\n\n{A}")
    text, ids = edited(new)
    assert text == new.replace(f"Copied.[^{E1}] ^a", f"Copied.[^{E1}] ^{ids['topics/a.md#1']}")


def test_an_id_that_stands_in_another_file_is_not_taken_over() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    outcome = workspace.edit(write("topics/b.md", A))
    assert workspace.text("topics/b.md") == A.replace(" ^a", f" ^{outcome.block_ids['topics/b.md#1']}")
    assert workspace.text("topics/a.md") == FILE


def test_an_id_that_history_had_is_never_issued_again() -> None:
    workspace = three_messages()
    first = workspace.edit(records(create("A fact."))).block_ids["topics/a.md#1"]
    again = write("topics/b.md", f"A fact.[^e1]\n\n{NOTE.replace('m3', 'm1')}")
    second = workspace.edit(again).block_ids["topics/b.md#1"]
    assert first != second


def test_links_to_invented_ids_reach_the_ids_that_replace_them() -> None:
    workspace = three_messages()
    one = f"One, see [two](b.md#^mine).[^e1] ^mine\n\n{NOTE}"
    two = f"Two, see [one](a.md#^mine), [self](#^mine), [none](a.md#^none).[^e1] ^mine\n\n{NOTE}"
    edit = FilesEdit((FileWrite(TopicPath("topics/a.md"), one), FileWrite(TopicPath("topics/b.md"), two)))
    ids = workspace.edit(edit).block_ids
    first, second = ids["topics/a.md#1"], ids["topics/b.md#1"]
    assert f"[two](b.md#^{second})" in workspace.text("topics/a.md")
    assert f"[one](a.md#^{first}), [self](#^{second}), [none](a.md#^none)" in workspace.text("topics/b.md")


def test_a_paragraph_cut_and_pasted_into_another_folder_keeps_id_links_and_evidence() -> None:
    # behaviours.md 2.2, 2.4
    old = FILE.replace("One.", "One, see [two](#^b).")
    inbound = f"See [one](a.md#^a).[^n] ^c\n\n[^n]: Time: `2024`; Sources: {link(3)}\n"
    workspace = three_messages({"topics/a.md": old, "topics/c.md": inbound})
    pasted = A.replace("One.", "One, see [two](#^b).")
    edit = FilesEdit(
        (FileWrite(TopicPath("topics/a.md"), f"# A\n\n{B}"), FileWrite(TopicPath("topics/deep/b.md"), pasted))
    )
    assert workspace.edit(edit).block_ids == {}
    moved = pasted.replace("#^b", "../a.md#^b").replace("../sources", "../../sources")
    assert workspace.text("topics/deep/b.md") == moved
    assert workspace.text("topics/c.md") == inbound.replace("a.md", "deep/b.md")


def test_a_pasted_link_that_already_fits_or_never_did_is_left_alone() -> None:
    linking = block("One, see [two](b.md#^b) and [none](#^none).", "a")
    workspace = three_messages({"topics/a.md": linking, "topics/b.md": block("Two.", "b", 2)})
    workspace.edit(FilesEdit((FileWrite(TopicPath("topics/a.md"), ""), FileWrite(TopicPath("topics/c.md"), linking))))
    assert workspace.text("topics/c.md") == linking


def test_what_nobody_touched_keeps_its_defects() -> None:
    # behaviours.md 0.9, 17.8
    old = f"# A\n\nNo id here.[^{E1}]\n\n```\n# not a heading\nline ^word\n```\n\n{A}\n# Empty\n"
    new = old.replace("One.", "Won.")
    assert edited(new, old) == (new, {})


# --- legacy -----------------------------------------------------------------------------------------------------

LEGACY_NOTES = f"[^mem_a]: 2024 · Sources: {link(1)}\n[^mem_b]: 2024 · Sources: {link(2)}\n"
LEGACY = f"# L\n\nOne.[^mem_a] Two.[^mem_b] loose\n\n{LEGACY_NOTES}"


def test_legacy_units_are_edited_in_place() -> None:
    # behaviours.md 1.6, 5.17
    new = LEGACY.replace("One.", "Won.")
    assert edited(new, LEGACY) == (new, {})
    dated = new.replace("[^mem_a]: 2024 ·", "[^mem_a]: 2025 ·")
    assert edited(dated, LEGACY)[0] == new.replace(
        f"[^mem_a]: 2024 · Sources: {link(1)}", f"[^mem_a]: Time: `2025`; Sources: {link(1)}"
    )


def test_an_invented_legacy_unit_becomes_a_block() -> None:
    text, ids = edited(f"{FILE}\nNew.[^mem_new]\n\n[^mem_new]: 2024 · Sources: p/t/m3\n")
    assert text == f"{FILE}\n{block('New.', ids['topics/a.md#1'], 3)}"


def test_a_legacy_unit_that_moves_keeps_its_citation_beside_a_footnote_of_the_same_meaning() -> None:
    note = f"[^mem_a]: Time: `2024`; Sources: {link(1)}\n"
    workspace = three_messages({"topics/a.md": FILE, "topics/l.md": f"# L\n\nOld.[^mem_a]\n\n{note}"})
    moved = f"{FILE}\nOld.[^mem_a]\n\n{note}"
    changes = FileWrite(TopicPath("topics/a.md"), moved), FileDelete(TopicPath("topics/l.md"))
    workspace.edit(FilesEdit(changes))
    assert workspace.text("topics/a.md") == moved


def test_older_ids_of_one_meaning_are_both_kept_when_their_blocks_move() -> None:
    # behaviours.md 0.30; formats.md: ids that exist are never recomputed
    same = A + "\n" + B.replace(E2, "e-0ld").replace(link(2), link(1))
    workspace = three_messages({"topics/old.md": f"# Old\n\n{same}"})
    changes = FileWrite(TopicPath("topics/new.md"), f"# New\n\n{same}"), FileDelete(TopicPath("topics/old.md"))
    workspace.edit(FilesEdit(changes))
    assert workspace.text("topics/new.md") == f"# New\n\n{same}"


def test_a_clause_added_to_a_legacy_paragraph_is_refused() -> None:
    # behaviours.md 0.15
    new = LEGACY.replace("loose", f"loose and new.[^{E1}]")
    assert three_messages({"topics/a.md": LEGACY}).refused(write("topics/a.md", new)).code is Code.INVALID_TOPIC_FORMAT


# --- uncited text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "A paragraph.",
        "A paragraph with an id. ^a",
        "- list",
        "> quote",
        "| a |\n|---|\n| b |",
        "```\ncode\n```",
        "    indented",
        "<div>html</div>",
    ],
)
def test_new_text_without_evidence_refuses_everything(text: str) -> None:
    # behaviours.md 0.15
    workspace = three_messages({"topics/a.md": FILE})
    error = workspace.refused(write("topics/a.md", f"{FILE}\n{text}\n"), NewSource("x", "user", label="new-source-x"))
    assert error.code is Code.INVALID_TOPIC_FORMAT
    assert [(finding.code, finding.path) for finding in error.findings] == [("uncited-text", "topics/a.md")]


def test_all_uncited_text_is_reported_at_once() -> None:
    workspace = three_messages()
    edit = FilesEdit(
        (
            FileWrite(TopicPath("topics/a.md"), "One.\n\n- two\n"),
            FileWrite(TopicPath("topics/b.md"), f"{'long ' * 30}\n"),
        )
    )
    error = workspace.refused(edit)
    assert [(finding.path, finding.line) for finding in error.findings] == [
        ("topics/a.md", 1),
        ("topics/a.md", 3),
        ("topics/b.md", 1),
    ]


def test_text_that_stood_there_stays_and_may_not_be_doubled_or_changed() -> None:
    old = f"# A\n\n{A}\n- list\n\nplain\n"
    assert edited(old.replace("One", "Won"), old)[0] == old.replace("One", "Won")
    workspace = three_messages({"topics/a.md": old})
    for new in (f"{old}\n- list\n", old.replace("- list", "- lists"), old.replace("plain", "plainer")):
        assert workspace.refused(write("topics/a.md", new)).code is Code.INVALID_TOPIC_FORMAT


@pytest.mark.parametrize("text", [f"New.[^{E1}]\n---", "Plain prose.\n---", "Two\nlines\n==="])
def test_prose_that_a_line_below_makes_a_heading_is_refused(text: str) -> None:
    # behaviours.md 0.15: it would be pruned as an empty heading
    error = three_messages({"topics/a.md": FILE}).refused(write("topics/a.md", f"{FILE}\n{text}\n"))
    assert error.code is Code.INVALID_TOPIC_FORMAT
    assert [finding.code for finding in error.findings] == ["uncited-text"]


def test_an_underlined_heading_above_a_record_is_a_heading() -> None:
    new = FILE.replace("# A\n", "A\n===\n")
    assert edited(new)[0] == new


def test_structure_may_be_written_freely() -> None:
    new = f'---\ntags: x\n---\n\n<!-- note -->\n\n<a id="top"></a>\n\n# A\n\n{A}\n***\n\n[ref]: https://example.org\n'
    assert edited(new)[0] == new


# --- pruning ----------------------------------------------------------------------------------------------------


def test_headings_go_when_the_edit_empties_them() -> None:
    # behaviours.md 0.10, 2.6, 2.7, 17.8
    old = f"# A\n\n{A}\n## Sub\n\n### Deep\n\n{B}\n# Old and empty\n\n# Last\n\n{block('Three.', 'c', 3)}"
    assert edited(old.replace(B, ""), old)[0] == old.replace(f"## Sub\n\n### Deep\n\n{B}\n", "")


def test_a_footnote_in_an_emptied_section_stays_for_others() -> None:
    # behaviours.md 2.7
    old = f"# A\n\n{A}\n# B\n\nTwo.[^{E1}] ^b\n"
    new = old.replace(f"One.[^{E1}] ^a\n", "")
    assert edited(new, old)[0] == f"{LINE1}\n# B\n\nTwo.[^{E1}] ^b\n"


def test_collected_footnotes_keep_their_heading() -> None:
    # behaviours.md 1.9
    new = f"# A\n\nOne.[^{E1}]\n\n# References\n\n{LINE1}"
    text, ids = edited(new)
    assert text == new.replace("One.[", "One.[").replace(f"[^{E1}]\n\n#", f"[^{E1}] ^{ids['topics/a.md#1']}\n\n#")


def test_a_new_heading_without_record_goes_with_a_warning() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    outcome = workspace.edit(write("topics/a.md", f"{FILE}\n# Todo\n"))
    assert workspace.text("topics/a.md") == FILE
    assert "Todo" in outcome.warnings[0]


def test_a_file_without_record_is_not_kept_and_one_that_was_so_is() -> None:
    # behaviours.md 0.10, 2.6
    workspace = three_messages({"topics/a.md": FILE, "topics/empty.md": "# Empty\n"})
    outcome = workspace.edit(write("topics/b.md", "# Only a heading\n"))
    assert ("topics/b.md" in workspace.tree.files, outcome.touched, len(outcome.warnings)) == (False, (), 1)
    workspace.edit(write("topics/empty.md", "# Still empty\n"))
    workspace.edit(write("topics/a.md", "# A\n"))
    assert sorted(path for path in workspace.tree.files if path.startswith("topics")) == ["topics/empty.md"]


def test_uncited_text_that_stood_there_keeps_file_and_heading() -> None:
    old = f"# A\n\n{A}\n## List\n\n- kept\n"
    assert edited(old.replace(f"{A}\n", ""), old)[0] == "# A\n\n## List\n\n- kept\n"


def test_empty_content_removes_the_file() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(write("topics/a.md", ""))
    assert "topics/a.md" not in workspace.tree.files


def test_the_same_input_gives_the_same_tree() -> None:
    text = f"# N\n\nNew.[^e1]\n\nMore.[^e1]\n\n{NOTE}"
    trees = []
    for _ in range(2):
        workspace = three_messages({"topics/a.md": FILE})
        workspace.edit(write("topics/n.md", text))
        trees.append(workspace.tree.files)
    assert trees[0] == trees[1]


def test_normalizing_twice_changes_nothing() -> None:
    workspace = Workspace()
    workspace.archive("p/t/m1", "p/t/m2", "p/t/m3")
    workspace.edit(
        write("topics/n.md", f"# N\n\nNew.[^e1] More.[^e2]\n\n{NOTE}[^e2]: undated · Sources: [L](p/t/m1)\n")
    )
    stored = workspace.text("topics/n.md")
    assert workspace.edit(write("topics/n.md", stored)).touched == ()


def test_a_byte_order_mark_is_named_and_not_the_heading_behind_it() -> None:
    with pytest.raises(Refused) as caught:
        edited(f"\ufeff{FILE}")
    assert [finding.code for finding in caught.value.findings] == ["byte-order-mark"]
    assert "gitmem check --fix" in str(caught.value)
