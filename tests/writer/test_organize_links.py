"""Links that lost their block find it again by its id (issue: repair links)."""

from __future__ import annotations

from memory_workspace import block
from orderly import archived, lost_links, passed

B = "# B\n\n" + block("Ben lives in Bern.", "b1", 2, "../..")


def a(link: str) -> str:
    return "# A\n\n" + block(f"Ada knows [Ben]({link}) well.", "a1")


def test_a_link_to_a_file_that_moved_reaches_the_block_where_it_stands() -> None:
    tree = archived({"topics/a.md": a("ben.md#^b1"), "topics/people/ben.md": B})
    after = passed(tree)
    assert "[Ben](people/ben.md#^b1)" in after.text("topics/a.md")
    assert lost_links(after) == []
    assert passed(after) is after


def test_a_link_inside_a_file_is_written_without_path() -> None:
    tree = archived({"topics/a.md": a("gone.md#^a2") + "\n" + block("Ada sings.", "a2", 2)})
    assert "[Ben](#^a2)" in passed(tree).text("topics/a.md")


def test_an_alias_is_found_too() -> None:
    merged = B.replace(" ^b1", " ^b0 ^b1")
    tree = archived({"topics/a.md": a("ben.md#^b0"), "topics/people/ben.md": merged})
    assert "[Ben](people/ben.md#^b0)" in passed(tree).text("topics/a.md")


def test_a_link_to_nothing_is_left_to_somebody_who_knows_what_was_meant() -> None:
    tree = archived({"topics/a.md": a("ben.md#^nowhere"), "topics/people/ben.md": B})
    assert passed(tree) is tree


def test_a_link_to_an_id_that_stands_twice_is_left_too() -> None:
    tree = archived({"topics/a.md": a("ben.md#^b1"), "topics/people/ben.md": B, "topics/people/bob.md": B})
    assert passed(tree) is tree


def test_a_link_to_a_whole_file_is_left() -> None:
    tree = archived({"topics/a.md": a("gone.md"), "topics/people/ben.md": B})
    assert passed(tree) is tree
