"""`search`, `grep`, `get`, `browse`: JSON for programs, lines for people (`cli.md`, Reading)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reading_memory import ADA, V2, handle, lay_out
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory that nobody changes."""
    folder = tmp_path_factory.mktemp("read") / "w"
    make(folder, adopt=lay_out(tmp_path_factory.mktemp("given")))
    return folder


def test_search_prints_what_the_library_answers(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("search", "budget", "tracker", "-k", "2", "--json", cwd=folder)
    assert answer.status == 0
    assert answer.err == ""
    assert [hit["id"] for hit in answer.json["results"]] == ["aaaa1111", handle("m1")]
    assert answer.json["truncated"] is True
    assert "scope" not in answer.json
    explained = gitmem("search", "budget", "--explain", "--speaker", "7391", "--json", cwd=folder).json
    assert explained["scope"] == "sources"
    assert explained["results"][0]["terms"] == {"budget": 1}


def test_search_takes_every_filter(gitmem: Gitmem, folder: Path) -> None:
    filters = ["--path", "topics", "--from", "2024-03", "--to", "2024-03-15", "--topics-only", "--max-tokens", "50"]
    found = gitmem("search", "budget", *filters, "--at", "HEAD", "--method", "bm25", "--json", cwd=folder).json
    assert [hit["id"] for hit in found["results"]] == ["aaaa1111"]


def test_search_shows_people_where_and_who(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("search", "budget tracker", "--explain", "-k", "3", cwd=folder)
    shown = answer.out
    assert f"^aaaa1111  {ADA}:3  2024-03-15" in shown
    assert "\n  Ada is building a budget tracker in Flask.\n" in shown
    assert f"\n  cites {handle('m1')}\n" in shown
    assert "\n  holds budget x1, tracker x1\n" in shown
    assert f"{handle('m1')}  {V2}:8  2024-03-15T10:00:00+00:00  Ada (7391)" in shown
    assert answer.err == "note: there is more; -k and --max-tokens say how much is shown\n"
    assert "\x1b" not in shown
    assert "Eve (666)  pending" in gitmem("search", "Turing", cwd=folder).out
    assert "unconfirmed" in gitmem("search", "hello", cwd=folder).out


def test_escapes_of_memory_are_spelled_out(gitmem: Gitmem, folder: Path) -> None:
    for arguments in (("search", "red tail"), ("grep", "tail"), ("get", handle("m5"))):
        shown = gitmem(*arguments, cwd=folder).out
        assert "\\x1b[31mred" in shown
        assert "\x1b" not in shown
        assert "\x1b" not in gitmem(*arguments, "--json", cwd=folder).out


def test_nothing_found_is_no_error(gitmem: Gitmem, folder: Path) -> None:
    assert gitmem("search", "zeppelin", cwd=folder).out == "Nothing found.\n"
    empty = gitmem("search", "zeppelin", "--json", cwd=folder)
    assert (empty.status, empty.json["results"]) == (0, [])
    assert gitmem("grep", "zeppelin", cwd=folder).out == ""
    assert gitmem("grep", "zeppelin", cwd=folder).status == 0
    assert gitmem("browse", "zeppelin", "--json", cwd=folder).json["total"] == 0


def test_grep_prints_lines_as_they_stand(gitmem: Gitmem, folder: Path) -> None:
    shown = gitmem("grep", "-i", "lisbon", "--path", "sources", cwd=folder).out
    assert shown == f"{V2}:21:[2023-06-01T10:00:00+00:00] Bob (88): I moved to Lisbon\n"
    found = gitmem("grep", "--regex", "Lis.on", "--json", cwd=folder).json
    assert {line["kind"] for line in found["results"]} == {"block", "source"}


def test_grep_says_when_there_is_more(gitmem: Gitmem, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.search.grep.GrepQuery.__init__.__defaults__", (None, False, False, 1, 5.0))
    answer = gitmem("grep", "budget", cwd=folder)
    assert answer.out.count("\n") == 1
    assert "narrow it with --path" in answer.err


def test_get_prints_what_can_be_written_back(gitmem: Gitmem, folder: Path) -> None:
    assert gitmem("get", ADA, cwd=folder).out == (folder / ADA).read_text()
    assert gitmem("get", "old1", cwd=folder).out.startswith("Ada is building a budget tracker")
    assert gitmem("get", ADA, "--heading", "Home", "--json", cwd=folder).json["kind"] == "section"
    assert gitmem("get", ADA, "--block", "bbbb2222", "--json", cwd=folder).json["line"] == 9
    assert gitmem("get", handle("m3"), "--at", "HEAD~1", "--json", cwd=folder).json["kind"] == "source"


def test_get_says_when_it_cuts(gitmem: Gitmem, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.search.reading.MOST_CHARACTERS", 5)
    answer = gitmem("get", ADA, cwd=folder)
    assert answer.out == "# Ada\n"
    assert "only the first 5 characters" in answer.err


def test_browse_lists_tab_separated_rows_in_a_pipe(gitmem: Gitmem, folder: Path) -> None:
    assert gitmem("browse", "topics/people", cwd=folder).out == (
        f"{ADA}\ttopic\t3\t0\tAda\ntopics/people/bob.md\ttopic\t1\t0\tBob\n"
    )
    cut = gitmem("browse", "-n", "1", cwd=folder)
    assert cut.out.count("\n") == 1
    assert "1 of 6 files are shown" in cut.err
    assert gitmem("browse", "-n", "1", "--json", cwd=folder).json["total"] == 6


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("search", "budget", "-k", "0"), 2, "INVALID_ARGUMENT"),
        (("search", "budget", "--from", "soon"), 2, "INVALID_ARGUMENT"),
        (("search", "budget", "--method", "hybrid"), 7, "EMBEDDING_UNAVAILABLE"),
        (("search", "budget", "--at", "nowhere"), 4, "REVISION_NOT_FOUND"),
        (("search", "budget", "--path", "../x"), 1, "PATH_OUTSIDE_WORKSPACE"),
        (("search",), 2, "INVALID_ARGUMENT"),
        (("grep", "(", "--regex"), 2, "INVALID_ARGUMENT"),
        (("get", "topics/none.md"), 4, "PATH_NOT_FOUND"),
        (("get", "zzzz9999"), 4, "MEMORY_NOT_FOUND"),
        (("get", "chat/g1/m99"), 4, "SOURCE_NOT_FOUND"),
        (("browse", "-n", "0"), 2, "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_answered_has_a_code(
    gitmem: Gitmem, folder: Path, arguments: tuple[str, ...], status: int, code: str
) -> None:
    answer = gitmem(*arguments, "--json", cwd=folder)
    assert (answer.status, answer.code) == (status, code)


@pytest.mark.parametrize("arguments", [("search", "x"), ("grep", "x"), ("get", "x"), ("browse",), ("status",)])
def test_without_a_workspace_or_with_memory_off_nothing_is_read(
    gitmem: Gitmem, folder: Path, arguments: tuple[str, ...]
) -> None:
    assert gitmem(*arguments, "--json").code == "WORKSPACE_NOT_FOUND"
    off = gitmem("-c", "gitmem.backend=none", *arguments, "--json", cwd=folder)
    assert (off.status, off.code) == (5, "MEMORY_DISABLED")  # 14.8
