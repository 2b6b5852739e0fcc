"""Evidence ids are content-addressed and mean one thing (behaviours.md 0.11, 0.30, 1.13, 17.16)."""

from __future__ import annotations

import pytest

from gitmem.edit.evidence import EvidenceBook
from gitmem.errors import Code, Refused
from gitmem.facts.scan import scan_facts
from gitmem.request import FileMove, FilesEdit, SourceRef
from memory_workspace import Workspace, block, create, defined, into, link, move, records, three_messages, write

E1 = defined(1)[0]


def test_the_same_evidence_has_one_id_in_every_file() -> None:
    # behaviours.md 17.16
    workspace = three_messages()
    outcome = workspace.edit(records(create("One.", "topics/a.md"), create("Two.", "topics/deep/b.md")))
    assert set(outcome.evidence_ids.values()) == {E1}


def test_an_id_that_means_something_else_elsewhere_is_made_longer() -> None:
    # behaviours.md 0.30
    taken = f"Else.[^{E1}] ^z\n\n[^{E1}]: Time: `1999`; Sources: {link(2)}\n"
    workspace = three_messages({"topics/z.md": taken})
    (name,) = workspace.edit(records(create("One."))).evidence_ids.values()
    assert (name[: len(E1)], len(name)) == (E1, len(E1) + 2)
    (again,) = workspace.edit(
        write("topics/b.md", "Two.[^e1]\n\n[^e1]: 2024 · Sources: p/t/m1\n")
    ).evidence_ids.values()
    assert again == name


def test_an_id_that_means_something_else_in_the_file_is_made_longer() -> None:
    # a footnote that nothing cites is no evidence of the workspace, but its id is taken in its file
    workspace = three_messages({"topics/a.md": f"{block('Zero.', 'z', 2)}[^{E1}]: Time: `1999`; Sources: {link(3)}\n"})
    (name,) = workspace.edit(records(create("One."))).evidence_ids.values()
    assert len(name) == len(E1) + 2


def test_threads_that_need_encoding_resolve_from_either_spelling() -> None:
    # behaviours.md 1.13
    workspace = Workspace()
    workspace.archive("p/encoded id/m1")
    handle = "p/encoded id/m1"
    workspace.edit(records(create("One.", source=handle)))
    stored = workspace.text("topics/a.md")
    assert "](../sources/p/_v2/encoded%20id.md#source-" in stored
    again = stored.replace("encoded%20id", "encoded%2520id").partition("(")[2].rpartition(")")[0]
    workspace.edit(records(create("Two.", "topics/b.md", source=again)))
    assert "](../sources/p/_v2/encoded%20id.md#source-" in workspace.text("topics/b.md")


def test_a_link_whose_message_is_gone_stands_for_itself() -> None:
    gone = link(1).replace("t.md", "gone.md")
    text = f"One.[^e1]\n\n[^e1]: Time: `2024`; Sources: {gone}\n"
    workspace = three_messages()
    (name,) = workspace.edit(write("topics/a.md", text)).evidence_ids.values()
    assert name not in {"e1", E1}
    assert gone in workspace.text("topics/a.md")


def test_a_frame_of_this_transaction_wins_over_a_legacy_record() -> None:
    # behaviours.md 7.14
    legacy = '<a id="source-13ab6d34daf7e557"></a>\n<!-- source-id:p/t/m1 -->\n[2024-03-15] user: hi\n'
    workspace = Workspace({"sources/p/t.md": legacy})
    workspace.archive("p/t/m1")
    workspace.edit(records(create("One.")))
    assert "](../sources/p/_v2/t.md#" in workspace.text("topics/a.md")


def test_footnotes_moved_inside_a_folder_keep_their_bytes() -> None:
    odd = block("One.", "a").replace("../sources", "./.././sources")
    workspace = three_messages({"topics/a.md": odd})
    workspace.edit(FilesEdit((FileMove("topics/a.md", "topics/b.md"),)))
    assert workspace.text("topics/b.md") == odd
    workspace.edit(records(move(into("topics/c.md"), "a")))
    assert workspace.text("topics/c.md") == odd


def test_a_record_goes_before_the_anchor_lines_of_a_block() -> None:
    text = f'<a id="top"></a>\n{block("One.", "a")}'
    workspace = three_messages({"topics/a.md": text})
    operation = create("New.", "topics/a.md")
    start = records(
        type(operation)(operation.content, "2024", operation.sources, into("topics/a.md", position="start"))
    )
    (block_id,) = workspace.edit(start).block_ids.values()
    assert workspace.text("topics/a.md") == f"New.[^{E1}] ^{block_id}\n\n{text}"


def test_a_source_that_is_nowhere_cannot_be_linked() -> None:
    workspace = three_messages()
    book = EvidenceBook(workspace.tree, scan_facts(workspace.tree), {})
    with pytest.raises(Refused) as caught:
        book.link("topics/a.md", SourceRef("new-source-x", "x"))
    assert caught.value.code is Code.MISSING_SOURCE
