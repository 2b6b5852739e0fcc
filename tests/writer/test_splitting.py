"""Files that have grown too large are split by subject, and then by time (behaviours.md 0.6, 1.6, 1.9)."""

from __future__ import annotations

import pytest

from memory_tree import MemoryTree
from memory_workspace import block, defined, link
from orderly import SMALL, archived, ids, large, lost_links, other_text, passed, said

WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty", "knoll", "lagoon")


def told(number: int, when: str = "2024", folder: str = "..") -> str:
    """A block of some 200 characters that no other one is like, with evidence of its own."""
    prose = " ".join(f"{word}{number}" for word in WORDS)
    name, line = defined(1 + number % 100, when, folder)
    return f"{prose}[^{name}] ^b{number}\n\n{line}\n"


def section(title: str, numbers: range, when: str = "2024", folder: str = "..") -> str:
    return f"{title}\n\n" + "".join(told(n, when, folder) for n in numbers)


def memory(files: dict[str, str]) -> MemoryTree:
    return archived(files, messages=100)


def sizes(tree: MemoryTree) -> dict[str, int]:
    return {path: len(tree.text(path)) for path in tree.files if path.startswith("topics/")}


def blocks(tree: MemoryTree, path: str) -> list[str]:
    topic = tree.topic(path)
    return [block.id for block in topic.blocks] if topic is not None else []


def split(text: str, path: str = "topics/ada.md", **others: str) -> MemoryTree:
    """The memory after a pass, which kept everything and left nothing to do."""
    tree = memory({path: text, **{f"topics/{name.replace('__', '/')}.md": more for name, more in others.items()}})
    after = passed(tree)
    assert ids(after) == ids(tree)
    assert said(after) == said(tree)
    assert other_text(after) == other_text(tree)
    assert lost_links(after) == []
    assert passed(after) is after
    return after


def test_a_file_of_the_largest_size_is_left_alone() -> None:
    text = section("# Ada", range(8))
    assert len(text) < SMALL.largest
    text += "<!-- " + "x" * (SMALL.largest - len(text) - 10) + " -->\n"
    assert len(text) == SMALL.largest
    tree = memory({"topics/ada.md": text})
    assert passed(tree) is tree
    assert passed(memory({"topics/ada.md": f"{text}\n<!-- more -->\n"})) is not tree


def test_the_largest_subjects_leave_until_the_rest_fits() -> None:
    text = section("# Ada", range(2)) + section("## Work", range(10, 17)) + section("## Family", range(20, 23))
    after = split(text)
    assert sorted(sizes(after)) == ["topics/ada.md", "topics/ada/work.md"]
    assert blocks(after, "topics/ada/work.md") == [f"b{n}" for n in range(10, 17)]
    assert after.text("topics/ada/work.md").startswith("# Ada\n\n## Work\n\namber10")
    assert "## Work" not in after.text("topics/ada.md")
    assert "../../sources/" in after.text("topics/ada/work.md")


def test_one_subject_is_cut_by_time_and_the_newest_stays() -> None:
    text = "# Ada\n\n" + "".join(
        section(f"## {year}", range(year * 10, year * 10 + 4), f"{year}-05") for year in range(2020, 2025)
    )
    after = split(text)
    assert sorted(sizes(after)) == ["topics/ada.md", *(f"topics/ada/{year}.md" for year in range(2020, 2024))]
    assert blocks(after, "topics/ada.md") == [f"b{n}" for n in range(20240, 20244)]
    assert after.text("topics/ada/2020.md").startswith("# Ada\n\n## 2020\n\n")


def test_a_subject_that_is_too_large_itself_is_cut_by_time_in_a_folder_of_its_own() -> None:
    work = "".join(section(f"### {year}", range(year * 10, year * 10 + 5), f"{year}") for year in (2022, 2023, 2024))
    after = split(section("# Ada", range(3)) + "## Work\n\n" + work)
    assert sorted(sizes(after)) == [
        "topics/ada.md",
        "topics/ada/work.md",
        "topics/ada/work/2022.md",
        "topics/ada/work/2023.md",
    ]
    assert large(after) == []


def test_a_block_without_event_time_is_filed_by_the_day_it_was_said() -> None:
    text = "# Ada\n\n" + "".join(told(n, "undated") for n in range(1, 13)) + section("## X", range(20, 24), "2025")
    tree = memory({"topics/ada.md": text})
    files = dict(tree.files)
    archive = files["sources/p/_v2/t.md"].decode()
    files["sources/p/_v2/t.md"] = archive.replace("[2024-03-15]", "[2019-03-15]").encode()
    after = passed(MemoryTree(files))
    assert "topics/ada/2019.md" in after.files or "topics/ada/2019-03-15.md" in after.files
    assert large(after) == []


def test_a_day_that_holds_too_much_is_cut_in_the_order_of_the_file() -> None:
    after = split(section("# Ada", range(30), "2024-05-07"))
    parts = sorted(path for path in sizes(after) if path != "topics/ada.md")
    assert parts[:2] == ["topics/ada/2024-05-07-part-2.md", "topics/ada/2024-05-07-part-3.md"]
    assert [name for path in ("topics/ada/2024-05-07.md", parts[0]) for name in blocks(after, path)] == [
        f"b{n}" for n in range(len(blocks(after, "topics/ada/2024-05-07.md")) + len(blocks(after, parts[0])))
    ]


def test_a_part_that_grows_is_cut_beside_itself() -> None:
    part = section("# Ada", range(30), folder="../..")
    tree = split(section("# Ada", range(40, 43)), ada__2024=part.replace("`2024`", "`2024-02`", 1))
    assert "topics/ada/2024/" not in " ".join(sizes(tree))
    assert large(tree) == []
    assert {"topics/ada/2024.md", "topics/ada/2024-part-2.md"} <= sizes(tree).keys()


def test_more_of_a_stretch_joins_the_part_that_there_is_under_its_headings() -> None:
    first = "# Ada\n\n## 2023-01\n\n" + told(90, "2023", "../..")
    after = split(
        "# Ada\n\n" + section("## 2023-01", range(2), "2023") + section("## 2024-01", range(10, 21)), ada__2023=first
    )
    assert blocks(after, "topics/ada/2023.md") == ["b90", "b0", "b1"]
    assert after.text("topics/ada/2023.md").count("# 2023-01") == 1


def test_a_file_that_is_about_something_else_is_not_joined() -> None:
    other = "# Workshops\n\n" + told(90, "2023", "../..")
    after = split(section("# Ada", range(2)) + section("## Work", range(10, 20)), ada__work=other)
    assert blocks(after, "topics/ada/work.md") == ["b90"]
    assert len(blocks(after, "topics/ada/work-part-2.md")) == 10


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Work & Play!", "work-play"),
        ("仕事", "仕事"),
        ("CON", "con_"),
        ("2024-q1", "2024-q1_"),
        ("***", "part-" + "2de6a5a6"),
    ],
)
def test_files_are_named_after_their_subject(title: str, name: str) -> None:
    after = split(section("# Ada", range(2)) + section(f"## {title}", range(10, 20)))
    (part,) = [path for path in sizes(after) if path != "topics/ada.md"]
    assert part.startswith("topics/ada/part-") if name.startswith("part-") else part == f"topics/ada/{name}.md"


def test_links_follow_in_every_direction() -> None:
    old, new = range(4), range(10, 18)
    text = "# Ada\n\n" + section("## 2020", old, "2020") + section("## 2024", new)
    text = text.replace("lagoon1[", "lagoon1 [later](#^b10) [peer](#^b2)[").replace(
        "lagoon10[", "lagoon10 [before](#^b0)["
    )
    other = "# B\n\n" + told(90).replace("lagoon90[", "lagoon90 [old](ada.md#^b3) [new](ada.md#^b11)[")
    after = split(text, other=other)
    part = after.text("topics/ada/2020.md")
    assert "[later](../ada.md#^b10) [peer](#^b2)" in part
    assert "[before](ada/2020.md#^b0)" in after.text("topics/ada.md")
    assert "[old](ada/2020.md#^b3) [new](ada.md#^b11)" in after.text("topics/other.md")


def test_a_footnote_that_several_share_goes_along_with_each() -> None:
    name, line = defined(1, "2020")
    shared = "".join(f"{told(n, '2020').partition('[^')[0]}[^{name}] ^b{n}\n\n" for n in range(5))
    newer, newer_line = defined(5, "2025")
    last = f"And here[^{name}] but newer.[^{newer}] ^keep\n\n{newer_line}\n"
    text = f"# Ada\n\n{shared}{line}\n{last}"
    after = split(text + section("## 2025", range(20, 30), "2025"))
    assert after.text("topics/ada/2020.md").count(f"[^{name}]: Time") == 1


def test_footnotes_that_are_collected_under_a_heading_go_along() -> None:
    # behaviours.md 1.9
    notes = [defined(1 + n, str(2010 + n)) for n in range(14)]
    prose = "".join(f"{told(n).partition('[^')[0]}[^{name}] ^b{n}\n\n" for n, (name, _) in enumerate(notes))
    after = split(f"# Ada\n\n{prose}# References\n\n" + "".join(line for _, line in notes))
    assert large(after) == []
    assert "# References" in after.text("topics/ada.md")


def test_older_records_move_with_their_citation_and_words_behind_them_stay() -> None:
    # behaviours.md 1.6: what no citation proves cannot be carried elsewhere
    note = f"[^mem_{{}}]: 2020 · Sources: {link(2)}\n"
    one = (
        f"{' '.join(WORDS)} one.[^mem_one] {' '.join(WORDS)} two.[^mem_two]\n\n"
        + note.format("one")
        + note.format("two")
    )
    loose = f"{' '.join(WORDS)} three.[^mem_three] And so they say.\n\n" + note.format("three")
    after = split(f"# Ada\n\n{one}\n{loose}\n" + section("## 2024", range(12)))
    moved = [path for path in sizes(after) if "mem_one" in after.text(path)]
    assert moved == ["topics/ada/2020.md"]
    assert "[^mem_three] And so they say." in after.text("topics/ada.md")


def test_what_stands_beside_text_without_evidence_stays_with_it() -> None:
    table = "| a | b |\n| - | - |\n| 1 | 2 |\n\n"
    text = "# Ada\n\n" + told(1, "2020") + table + told(2, "2020") + told(3, "2020") + told(4, "2020")
    after = split(text + section("## 2024", range(10, 21)))
    assert blocks(after, "topics/ada.md")[:2] == ["b1", "b2"]
    assert blocks(after, "topics/ada/2020.md") == ["b3", "b4"]


def test_anchors_and_remarks_directly_before_a_paragraph_go_along() -> None:
    text = (
        '# Ada\n\n<a id="first"></a>\n' + told(1, "2020") + "<!-- sure -->\n" + told(2, "2020") + "<!-- apart -->\n\n"
    )
    after = split(text + told(3, "2020") + section("## 2024", range(10, 21)))
    part = after.text("topics/ada/2020.md")
    assert '<a id="first"></a>\namber1 ' in part
    assert "<!-- sure -->\namber2 " in part
    assert "<!-- apart -->" in after.text("topics/ada.md")


def test_a_paragraph_with_a_reference_link_stays_where_its_reference_is() -> None:
    first = told(1, "2020").replace("lagoon1[", "lagoon1, see [the page][Site][")
    text = f"# Ada\n\n{first}{told(2, '2020')}[site]: https://example.invalid\n\n"
    after = split(text + section("## 2024", range(10, 19)))
    assert "b1" in blocks(after, "topics/ada.md")
    assert blocks(after, "topics/ada/2020.md") == ["b2"]


def test_a_block_that_is_larger_than_a_file_may_be_stays_whole() -> None:
    huge = block(" ".join(WORDS) * 40, "huge")
    after = split(f"# Ada\n\n{huge}\n" + section("## 2020", range(4), "2020"))
    assert large(after) == [path for path in sizes(after) if "huge" in blocks(after, path)]


def test_the_core_master_is_never_split() -> None:
    # behaviours.md 13.1, 13.3
    tree = memory({"topics/core.md": section("# Core", range(20))})
    assert passed(tree) is tree


def test_a_file_that_is_not_text_is_left_alone() -> None:
    tree = memory({"topics/ada.md": section("# Ada", range(20))})
    files = {**tree.files, "topics/ada.md": tree.files["topics/ada.md"] + b"\xff\n"}
    tree = MemoryTree(files)
    assert passed(tree) is tree


def test_crlf_becomes_lf_in_what_is_split() -> None:
    tree = memory({"topics/ada.md": section("# Ada", range(20)).replace("\n", "\r\n")})
    after = passed(tree)
    assert ids(after) == ids(tree)
    assert not any(b"\r" in data for path, data in after.files.items() if path.startswith("topics/"))


def test_an_old_defect_in_a_block_that_links_keeps_what_it_links_to_in_place() -> None:
    # behaviours.md 0.9: the link would have to change, and the block with it, which is refused for its defect
    text = "# Ada\n\n" + section("## 2020", range(4), "2020") + section("## 2024", range(10, 21))
    other = "# B\n\n" + told(90).replace("lagoon90[", "lagoon90 [old](ada.md#^b3) [gone](ada.md#^nowhere)[")
    tree = memory({"topics/ada.md": text, "topics/other.md": other})
    after = passed(tree)
    assert blocks(after, "topics/ada/2020.md") == ["b0", "b1", "b2"]
    assert after.text("topics/other.md") == tree.text("topics/other.md")
