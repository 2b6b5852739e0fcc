"""The topics as an agent edits them: its reach, what it was shown, what comes out (behaviours.md 0.7, part 15)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, GitmemError
from gitmem.ids import BlockId, TopicPath
from gitmem.request import FileDelete, FilesEdit, FileWrite, NoEdit
from gitmem.writer.workbench import MOST_ROWS, READ_CHARACTERS, Workbench

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.format.model import Claim

ADA = TopicPath("topics/people/ada.md")
ADA_TEXT = """# Ada

Ada likes tea.[^e-1] ^aaaa0001

Ada lives in Basel,
see [the city](../places/basel.md#^bbbb0001).[^e-1] ^aaaa0002

[^e-1]: Time: `2024`; Sources: [talk](../../sources/p/_v2/t.md#source-0000000000000000)
"""
BASEL = TopicPath("topics/places/basel.md")
BASEL_TEXT = """# Basel

Basel lies on the Rhine.[^e-1] ^bbbb0001

[^e-1]: Time: `2024`; Sources: [talk](../../sources/p/_v2/t.md#source-0000000000000000)
"""


@dataclass
class Texts:
    """A memory of whole files."""

    files: dict[TopicPath, str] = field(default_factory=lambda: {ADA: ADA_TEXT, BASEL: BASEL_TEXT})

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        return tuple(sorted(path for path in self.files if path.rpartition("/")[0] == folder))

    def paths(self) -> tuple[TopicPath, ...]:
        return tuple(sorted(self.files))

    def text(self, path: TopicPath) -> str | None:
        return self.files.get(path)

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        raise NotImplementedError(path)


@pytest.fixture
def bench() -> Workbench:
    return Workbench(Texts())


def ids(*names: str) -> frozenset[BlockId]:
    return frozenset(BlockId(name) for name in names)


# --- what it reaches

OUTSIDE = (
    "sources/p/_v2/t.md",
    "Sources/x.md",
    "topics/../sources/x.md",
    "topics/../../x.md",
    "/topics/x.md",
    "core.md",
    "topics/x.txt",
    "Topics/x.md",
    "topics/.git/x.md",
    "",
)


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize(
    "call",
    [
        lambda bench, path: bench.write(path, "x"),
        lambda bench, path: bench.read(path),
        lambda bench, path: bench.edit(path, "a", "b"),
        lambda bench, path: bench.move(ADA, path),
        lambda bench, path: bench.move(path, "topics/free.md"),
        lambda bench, path: bench.remove(path),
    ],
)
def test_nothing_but_topics_is_in_reach(  # behaviours.md 15.2
    bench: Workbench, call: Callable[[Workbench, str], object], path: str
) -> None:
    with pytest.raises(GitmemError) as refused:
        call(bench, path)
    assert refused.value.code in {Code.PATH_OUTSIDE_WORKSPACE, Code.READ_ONLY_PATH}
    assert bench.changes() == NoEdit()


@pytest.mark.parametrize("folder", ["sources", "SOURCES/p", "topics/../sources", "/", "..", "timeline", ""])
def test_no_other_folder_is_looked_into(bench: Workbench, folder: str) -> None:
    looks: tuple[Callable[[], object], ...] = (lambda: bench.list(folder), lambda: bench.grep("x", folder))
    for look in looks:
        with pytest.raises(GitmemError) as refused:
            look()
        assert refused.value.code in {Code.PATH_OUTSIDE_WORKSPACE, Code.READ_ONLY_PATH}


# --- what comes out


def test_without_a_change_there_is_no_edit(bench: Workbench) -> None:
    bench.write(ADA, "other")
    bench.write(ADA, ADA_TEXT)
    assert bench.changes() == NoEdit()


def test_changed_files_come_out_sorted(bench: Workbench) -> None:
    bench.write("topics/./zoo.md", "# Zoo\n")
    assert bench.edit(ADA, "tea", "coffee") == 1
    bench.remove(BASEL)
    assert bench.changes() == FilesEdit(
        (
            FileWrite(ADA, ADA_TEXT.replace("tea", "coffee")),
            FileDelete(BASEL),
            FileWrite(TopicPath("topics/zoo.md"), "# Zoo\n"),
        )
    )
    assert bench.paths() == (ADA, "topics/zoo.md")
    assert bench.text(BASEL) is None


def test_a_file_that_was_made_and_removed_leaves_nothing(bench: Workbench) -> None:
    bench.write("topics/zoo.md", "# Zoo\n")
    bench.remove("topics/zoo.md")
    assert bench.changes() == NoEdit()


def test_a_moved_file_takes_its_links_along(bench: Workbench) -> None:  # behaviours.md 2.4
    bench.move(ADA, "topics/ada.md")
    moved = ADA_TEXT.replace("../places", "places").replace("../../sources", "../sources")
    assert bench.changes() == FilesEdit((FileWrite(TopicPath("topics/ada.md"), moved), FileDelete(ADA)))
    assert bench.removed() == frozenset()


def test_a_file_is_not_moved_over_another(bench: Workbench) -> None:
    with pytest.raises(GitmemError) as refused:
        bench.move(ADA, BASEL)
    assert refused.value.code is Code.PATCH_CONFLICT
    assert bench.changes() == NoEdit()


def test_work_goes_on_from_an_earlier_edit() -> None:
    first = FilesEdit((FileWrite(TopicPath("topics/new.md"), "# New\n"), FileDelete(BASEL)))
    bench = Workbench(Texts(), first, ids("aaaa0001"))
    assert bench.changes() == first
    assert bench.seen == ids("aaaa0001")
    assert bench.paths() == ("topics/new.md", ADA)


# --- editing


@pytest.mark.parametrize(("old", "new"), [("nowhere", "x"), ("Ada", "Bea"), ("", "x"), ("tea", "tea")])
def test_an_edit_needs_one_place(bench: Workbench, old: str, new: str) -> None:  # behaviours.md 15.4
    with pytest.raises(GitmemError) as refused:
        bench.edit(ADA, old, new)
    assert refused.value.code in {Code.PATCH_CONFLICT, Code.INVALID_ARGUMENT}
    assert bench.changes() == NoEdit()


def test_an_edit_of_every_place_says_how_many(bench: Workbench) -> None:
    assert bench.edit(ADA, "Ada", "Bea", replace_all=True) == 3
    assert bench.text(ADA) == ADA_TEXT.replace("Ada", "Bea")


def test_a_text_that_is_not_unicode_is_refused(bench: Workbench) -> None:
    changes: tuple[Callable[[], object], ...] = (
        lambda: bench.write(ADA, "\ud800"),
        lambda: bench.edit(ADA, "tea", "\udfff"),
    )
    for change in changes:
        with pytest.raises(GitmemError) as refused:
            change()
        assert refused.value.code is Code.INVALID_ARGUMENT


# --- blocks


def test_a_removed_block_leaves_the_rest_as_it_stands(bench: Workbench) -> None:
    assert bench.remove_block("^aaaa0001") == ("aaaa0001",)
    assert bench.text(ADA) == ADA_TEXT.replace("Ada likes tea.[^e-1] ^aaaa0001\n\n", "")
    assert bench.removed() == ids("aaaa0001")
    with pytest.raises(GitmemError) as unknown:
        bench.remove_block("aaaa0001")
    assert unknown.value.code is Code.MEMORY_NOT_FOUND


def test_a_legacy_unit_goes_without_its_neighbours() -> None:
    path = TopicPath("topics/old.md")
    bench = Workbench(Texts({path: "# Old\n\nOne.[^mem_a] Two.[^mem_b]\n"}))
    bench.remove_block("mem_a")
    assert bench.text(path) == "# Old\n\n Two.[^mem_b]\n"
    assert bench.removed() == ids("mem_a")


def test_a_block_that_is_merged_or_moved_is_not_removed(bench: Workbench) -> None:
    bench.remove_block("aaaa0001")
    bench.edit(BASEL, "^bbbb0001", "^aaaa0001 ^bbbb0001")
    assert bench.removed() == frozenset()
    assert bench.remove(BASEL) == ("aaaa0001", "bbbb0001")
    assert bench.removed() == ids("aaaa0001", "bbbb0001")


# --- what it was shown


def test_reading_a_file_shows_its_blocks(bench: Workbench) -> None:
    assert bench.seen == frozenset()
    assert bench.text(ADA) == ADA_TEXT
    assert bench.seen == frozenset()
    excerpt = bench.read(ADA)
    assert (excerpt.text, excerpt.whole) == (ADA_TEXT, True)
    assert bench.seen == ids("aaaa0001", "aaaa0002")


def test_only_blocks_of_which_every_line_was_given_are_seen(bench: Workbench) -> None:
    excerpt = bench.read(ADA, 3, 3)
    assert (excerpt.text, excerpt.first, excerpt.whole) == (
        "Ada likes tea.[^e-1] ^aaaa0001\n\nAda lives in Basel,",
        3,
        False,
    )
    assert bench.seen == ids("aaaa0001")
    assert bench.grep(r" \^[ab]").rows == (
        f"{ADA}:3:Ada likes tea.[^e-1] ^aaaa0001",
        f"{ADA}:6:see [the city](../places/basel.md#^bbbb0001).[^e-1] ^aaaa0002",
        f"{BASEL}:3:Basel lies on the Rhine.[^e-1] ^bbbb0001",
    )
    assert bench.seen == ids("aaaa0001", "bbbb0001")


def test_a_long_file_is_cut_and_what_is_behind_is_not_seen() -> None:  # behaviours.md 15.4
    path = TopicPath("topics/long.md")
    text = f"One.[^e-1] ^aaaa0001\n\n{'x' * READ_CHARACTERS}[^e-1] ^aaaa0002\n\nThree.[^e-1] ^aaaa0003\n"
    bench = Workbench(Texts({path: text}))
    excerpt = bench.read(path)
    assert (len(excerpt.text), excerpt.whole) == (READ_CHARACTERS, False)
    assert bench.seen == ids("aaaa0001")
    assert bench.read(path, 4).whole
    assert bench.seen == ids("aaaa0001", "aaaa0003")
    assert bench.read(path, 99).text == ""


# --- looking


def test_lines_are_found_by_expression_or_as_they_stand(bench: Workbench) -> None:
    assert bench.grep("LIKES", ignore_case=True).rows == (f"{ADA}:3:Ada likes tea.[^e-1] ^aaaa0001",)
    assert bench.grep("[^e-1] ^bbbb", literal=True).rows == (f"{BASEL}:3:Basel lies on the Rhine.[^e-1] ^bbbb0001",)
    assert bench.grep("Basel", "topics/people/").rows == (f"{ADA}:5:Ada lives in Basel,",)
    assert bench.grep("Basel lies", BASEL).rows == (f"{BASEL}:3:Basel lies on the Rhine.[^e-1] ^bbbb0001",)
    for pattern in ("(", "a\nb", ""):
        with pytest.raises(GitmemError) as refused:
            bench.grep(pattern)
        assert refused.value.code is Code.INVALID_ARGUMENT


def test_an_expression_is_bounded_in_time(monkeypatch: pytest.MonkeyPatch) -> None:  # behaviours.md 17.15
    monkeypatch.setattr("gitmem.writer.workbench.GREP_SECONDS", 0.2)
    bench = Workbench(Texts({TopicPath("topics/x.md"): f"{'a' * 40}b\n"}))
    started = time.monotonic()
    with pytest.raises(GitmemError) as refused:
        bench.grep("(a|aa)+$")
    assert refused.value.code is Code.INVALID_ARGUMENT
    assert time.monotonic() - started < 5


def test_rows_are_cut(bench: Workbench) -> None:  # behaviours.md 15.4
    assert not bench.grep(".").truncated
    bench.write("topics/many.md", "row\n" * (MOST_ROWS + 1))
    rows = bench.grep("^row$")
    assert (len(rows.rows), rows.truncated) == (MOST_ROWS, True)
    for number in range(MOST_ROWS):
        bench.write(f"topics/n/{number}.md", "x")
    assert (len(bench.glob("**/*.md").rows), bench.glob("**/*.md").truncated) == (MOST_ROWS, True)
    bench.write("topics/wide.md", "wide" + "y" * READ_CHARACTERS)
    assert bench.grep("^wide").truncated


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.md", [ADA, BASEL]),
        ("ada.md", [ADA]),
        ("topics/*.md", []),
        ("topics/**/*.md", [ADA, BASEL]),
        ("./topics/p*/?da.md", [ADA]),
        ("topics/**", [ADA, BASEL]),
        ("[a]da.md", []),
        ("sources/**", []),
    ],
)
def test_files_are_found_by_pattern(bench: Workbench, pattern: str, found: list[str]) -> None:
    assert list(bench.glob(pattern).rows) == found


def test_a_pattern_has_bounds(bench: Workbench) -> None:
    for pattern in ("", "*" * 501):
        with pytest.raises(GitmemError) as refused:
            bench.glob(pattern)
        assert refused.value.code is Code.INVALID_ARGUMENT


def test_a_folder_is_listed(bench: Workbench) -> None:
    bench.write("topics/zoo.md", "x")
    assert bench.list().rows == ("topics/people/", "topics/places/", "topics/zoo.md")
    assert bench.list("topics/people").rows == (ADA,)
    with pytest.raises(GitmemError) as unknown:
        bench.list("topics/none")
    assert unknown.value.code is Code.PATH_NOT_FOUND
    assert Workbench(Texts({})).list().rows == ()
