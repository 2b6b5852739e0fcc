"""`status`, `check`, `doctor`: how the memory stands and what is wrong with it (`cli.md`, Workspace)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git, Gitmem

ADA = "topics/people/ada.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = make(tmp_path / "w")
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    workspace.close()
    return tmp_path / "w"


def loosen(folder: Path) -> None:
    with (folder / ADA).open("a") as topic:
        topic.write("\nNobody \x1b[31msaid this.\n")


def test_status_shows_a_line_for_each_part(gitmem: Gitmem, folder: Path) -> None:
    (folder / "topics" / "new\x1b.md").write_text("")
    shown = gitmem("status", cwd=folder).out
    names = [line.split()[0] for line in shown.splitlines()]
    assert names == ["workspace", "revision", "topics", "sources", "core", "views", "writer", "kept", "edited"]
    assert "topics    1 file, 1 block\n" in shown
    assert "sources   1 file, 1 message (0 pending, 0 uncited)\n" in shown
    assert "views     fresh\n" in shown
    assert "edited    topics/new\\x1b.md\n" in shown
    assert str(folder) not in shown
    assert f"folder    {folder}\n" in gitmem("status", "--paths", cwd=folder).out


def test_status_as_json(gitmem: Gitmem, folder: Path, git: Git) -> None:
    answer = gitmem("status", "--json", cwd=folder).json
    assert answer["head"] == git(folder, "rev-parse", "HEAD")
    assert answer["topics"] == {"files": 1, "blocks": 1}
    assert "path" not in answer
    assert gitmem("status", "--json", "--paths", cwd=folder).json["path"] == str(folder)


def test_status_says_that_views_are_stale_and_blocks_left_out(gitmem: Gitmem, folder: Path, git: Git) -> None:
    gitmem("remember", "tea " * 2500, "--topic", "core.md", cwd=folder)
    assert "1 block left out" in gitmem("status", cwd=folder).out
    git(folder, "rm", "-q", ADA)
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    assert "views     stale: they show " in gitmem("status", cwd=folder).out
    git(folder, "switch", "-q", "--detach")
    assert "no branch (detached)" in gitmem("status", cwd=folder).out


def test_a_clean_memory_is_exit_0(gitmem: Gitmem, folder: Path) -> None:
    for arguments in ((), ("--staged",), ("--all",), ("HEAD",), ("HEAD~1..HEAD",)):
        answer = gitmem("check", *arguments, cwd=folder)
        assert answer.status == 0
        assert "nothing wrong" in answer.out
    assert gitmem("check", "--all", "--json", cwd=folder).json["ok"] is True


def test_what_is_wrong_is_shown_with_its_place_and_how_to_mend_it(gitmem: Gitmem, folder: Path) -> None:
    loosen(folder)
    answer = gitmem("check", cwd=folder)
    assert answer.status == 1
    assert f"error  {ADA}:7  not a memory block" in answer.out
    assert "[missing-citation]" in answer.out
    assert answer.out.splitlines()[-1].startswith("working-directory: 1 error in ")
    assert "\x1b" not in answer.out


def test_findings_as_json_by_either_option(gitmem: Gitmem, folder: Path) -> None:
    loosen(folder)
    answer = gitmem("check", "--format", "json", cwd=folder)
    assert answer.status == 1
    assert answer.json == gitmem("check", "--json", cwd=folder).json
    assert answer.json["findings"][0]["path"] == ADA
    wrong = gitmem("check", "HEAD", "--staged", "--format=json", cwd=folder)
    assert (wrong.status, wrong.code) == (2, "INVALID_ARGUMENT")


def test_findings_as_sarif(gitmem: Gitmem, folder: Path, git: Git) -> None:
    loosen(folder)
    odd = folder / "topics" / "a b.md"
    odd.write_text("Text.\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    answer = gitmem("check", "--all", "--format", "sarif", cwd=folder)
    assert answer.status == 1
    assert answer.json["version"] == "2.1.0"
    (run,) = answer.json["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"error", "warning"}
        assert result["message"]["text"]
    places = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert {ADA, "topics/a%20b.md"} <= places
    regions = [result["locations"][0]["physicalLocation"]["region"] for result in run["results"]]
    assert max(region["startLine"] for region in regions) > 1
    loose = run["results"][0]
    assert loose["properties"]["commit"] == git(folder, "rev-parse", "HEAD")


def test_a_finding_about_no_path_is_shown(gitmem: Gitmem, folder: Path, git: Git, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", folder.as_uri(), "shallow")
    answer = gitmem("check", cwd=tmp_path / "shallow")
    assert answer.status == 0
    assert answer.out.startswith("warning  whether the views show the memory cannot be verified")
    result = gitmem("check", "--format", "sarif", cwd=tmp_path / "shallow").json["runs"][0]["results"][0]
    place = {"artifactLocation": {"uri": ".gitmem"}, "region": {"startLine": 1}}  # hosts take no result without one
    assert result["locations"] == [{"physicalLocation": place}]


def test_doctor_says_what_it_did(gitmem: Gitmem, folder: Path, git: Git) -> None:
    assert gitmem("doctor", cwd=folder).out == "nothing had to be done, nothing wrong\n"
    git(folder, "rm", "-q", ADA)
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    answer = gitmem("doctor", cwd=folder)
    assert answer.status == 0
    assert answer.out.startswith("rendered  views  ")
    assert gitmem("doctor", "--json", cwd=folder).json["ok"] is True


def test_doctor_ends_with_1_where_something_is_still_wrong(gitmem: Gitmem, folder: Path) -> None:
    loosen(folder)
    answer = gitmem("doctor", cwd=folder)
    assert answer.status == 1
    assert "[missing-citation]" in answer.out
