"""The history commands as scripts and people see them (cli.md, "History", "Shapes")."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from gitmem.history.diff import StatAnswer
from gitmem_cli.claims import stat_lines
from signing import ssh_keys
from stories import ADA, change, claim, revision, tell, topics
from untouched import byte_identical
from workspaces import make

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Answer, Git, Gitmem
    from stories import Story

    Told = Callable[..., Answer]

B = ["id", "aliases", "path", "line", "headings", "when", "content", "refs", "trust_state", "visibility"]
C = ["added", "changed", "moved", "merged", "removed"]
R = [
    *("ok", "revision", "derived_commit", "memory_committed", "source_ids", "block_ids", "evidence_ids"),
    *("changed_files", "autosave", "warnings"),
]
T = [
    *("revision", "derived_commit", "parents", "at", "author", "writer", "authority", "subject", "claims"),
    "sources_added",
]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return tell(tmp_path_factory.mktemp("story") / "workspace")


@pytest.fixture
def told(gitmem: Gitmem, story: Story) -> Told:
    """Run a command in the story; it must not change it."""

    def call(*arguments: str) -> Answer:
        return gitmem(*arguments, cwd=story.folder)

    return call


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make(tmp_path / "w")


# --- shapes


def test_log_has_the_documented_shape(told: Told, story: Story) -> None:
    answer = told("log", "-n", "3", "--json")
    assert (answer.status, answer.err) == (0, "")
    assert list(answer.json) == ["revision", "truncated", "transactions"]
    assert [list(one) for one in answer.json["transactions"]] == [T] * 3
    assert list(answer.json["transactions"][0]["claims"]) == C
    assert (answer.json["revision"], answer.json["truncated"]) == (story.revisions["bob"], True)
    assert answer.json["transactions"][0]["author"] == {"name": "Test", "email": "test@example.invalid"}


def test_show_has_the_documented_shape(told: Told, story: Story) -> None:
    answer = told("show", story.revisions["move"], "--json")
    assert (answer.status, list(answer.json)) == (0, [*T, "files"])
    assert answer.json["claims"]["moved"] == [
        {"id": story.viola, "from": f"topics/{ADA}", "to": "topics/music.md"},
    ]


def test_diff_has_the_documented_shape(told: Told, story: Story) -> None:
    answer = told("diff", story.revisions["cat"], "--json")
    assert (answer.status, list(answer.json)) == (0, ["from", "to", "claims", "sources_added", "stat"])
    assert list(answer.json["claims"]) == C
    assert list(answer.json["claims"]["changed"][0]) == ["id", "path", "before", "after", "evidence_added"]
    assert list(answer.json["claims"]["added"][0]) == B
    assert list(answer.json["claims"]["merged"][0]) == ["id", "into"]
    assert list(answer.json["stat"][0]) == ["path", *C]
    span = f"{story.revisions['cat']}..{story.revisions['bob']}"
    assert told("diff", span, "--json").json == answer.json
    assert told("diff", f"{story.revisions['cat']}..", "--json").json == answer.json
    assert told("diff", "--json").json["to"] == "working directory"


def test_why_has_the_documented_shape(told: Told, story: Story) -> None:
    answer = told("why", story.home, "--json")
    assert (answer.status, list(answer.json)) == (0, ["revision", "fresh", "results"])
    (found,) = answer.json["results"]
    assert list(found) == [*B, "evidence", "written_by", "changed_by"]
    assert list(found["evidence"][0]) == ["id", "when", "sources"]
    assert list(found["evidence"][0]["sources"][0]) == [
        *("id", "path", "line", "timestamp", "role", "text", "speaker_id", "speaker_display", "speaker_trusted"),
        *("trust_state", "tier", "archived_by"),
    ]
    assert told("why", "--text", "nobody says this", "--json").json["results"] == []
    assert told("why", "--text", "bern", "--json").json == answer.json


def test_history_has_the_documented_shape(told: Told, story: Story) -> None:
    answer = told("history", story.viola, "--json")
    assert (answer.status, list(answer.json)) == (0, ["id", "aliases", "present", "versions"])
    assert list(answer.json["versions"][0]) == [
        *("revision", "at", "author", "writer", "event", "path", "headings", "when", "content", "refs")
    ]
    assert [version["event"] for version in answer.json["versions"]] == ["added", "moved", "merged"]


def test_blame_has_the_documented_shape(told: Told, story: Story) -> None:
    answer = told("blame", f"topics/{ADA}", "--json")
    assert (answer.status, list(answer.json)) == (0, ["revision", "fresh", "claims"])
    (found,) = answer.json["claims"]
    assert list(found) == [*B, "by"]
    assert list(found["by"]) == ["revision", "at", "author", "writer", "subject"]
    assert found["by"]["revision"] == story.revisions["merge"]


def test_autosave_list_has_a_shape(told: Told, story: Story) -> None:
    answer = told("autosave", "list", "--json")
    assert (answer.status, list(answer.json)) == (0, ["autosaves"])
    assert [list(kept) for kept in answer.json["autosaves"]] == [
        ["name", "ref", "at", "revision", "subject", "kind"]
    ] * 2
    assert answer.json == told("autosave", "--json").json
    assert answer.json["autosaves"][0]["revision"] == story.revisions["merge"]


def test_autosave_save_keeps_what_is_not_committed(gitmem: Gitmem, workspace: Workspace) -> None:
    folder = workspace.repo.path
    nothing = gitmem("autosave", "save", "--json", cwd=folder)
    assert (nothing.status, nothing.json) == (0, {"saved": None})
    assert gitmem("autosave", "save", cwd=folder).out == "Nothing to save: everything is committed.\n"
    (folder / "topics").mkdir()
    (folder / "topics" / "new.md").write_text("Half a thought")
    kept = gitmem("autosave", "save", "--json", cwd=folder).json["saved"]
    assert list(kept) == ["name", "ref", "at", "revision", "subject", "kind"]
    assert gitmem("autosave", "save", cwd=folder).out == f"kept  autosave/1  {kept['ref']}\n"


def test_restore_and_undo_have_the_documented_shape(gitmem: Gitmem, workspace: Workspace) -> None:
    folder = workspace.repo.path
    claim(workspace, "Ada lives in Basel.")
    was = topics(workspace)
    for arguments in (("restore", "HEAD~2"), ("undo",)):
        answer = gitmem(*arguments, "--json", cwd=folder)
        assert (answer.status, answer.err) == (0, "")
        assert list(answer.json) == [*R, "of", "dry_run", "claims", "go_back"]
        assert list(answer.json["claims"]) == C
    assert topics(workspace) == was


# --- going back


def test_the_printed_command_goes_back(gitmem: Gitmem, workspace: Workspace) -> None:
    folder = workspace.repo.path
    claim(workspace, "Ada lives in Basel.")
    was = topics(workspace)
    for arguments in (("restore", "HEAD~2"), ("undo",)):
        answer = gitmem(*arguments, cwd=folder)
        lines = answer.out.split("\n")
        assert "1 removed" in lines[0]
        assert lines[-3].startswith("kept  refs/gitmem/autosave/")
        assert lines[-2].startswith("back  gitmem ")
        assert topics(workspace) != was
        back = gitmem(*lines[-2].removeprefix("back  gitmem ").split(), "--json", cwd=folder)
        assert (back.status, topics(workspace)) == (0, was)
        assert gitmem(*back.json["go_back"].split()[1:], cwd=folder).status == 0
        workspace.undo()


def test_nothing_to_do_is_no_failure(gitmem: Gitmem, workspace: Workspace) -> None:
    folder, before = workspace.repo.path, revision(workspace)
    with byte_identical(folder):
        for arguments in (("restore", "HEAD"), ("undo",), ("undo", "HEAD", "--dry-run")):
            answer = gitmem(*arguments, "--json", cwd=folder)
            assert (answer.status, answer.json["revision"], answer.json["autosave"]) == (0, before, None)
        assert gitmem("restore", "HEAD", cwd=folder).out.startswith("Nothing to do.")
    assert gitmem("undo", cwd=folder).err.startswith("warning: ")


def test_a_dry_run_only_says_what_would_change(gitmem: Gitmem, workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    with byte_identical(workspace.repo.path):
        answer = gitmem("undo", "--dry-run", cwd=workspace.repo.path)
    assert answer.status == 0
    assert answer.out.startswith("would change: 1 removed\n")
    assert f"- ^{block}" in answer.out
    assert "kept" not in answer.out


def test_one_block_or_one_file_is_restored(gitmem: Gitmem, workspace: Workspace) -> None:
    folder = workspace.repo.path
    block, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Bob is here.", "bob.md")
    earlier = revision(workspace)
    change(workspace, block, "Ada lives in Bern.")
    change(workspace, other, "Bob is there.")
    answer = gitmem("restore", earlier, "--block", block, "--json", cwd=folder)
    assert [changed["id"] for changed in answer.json["claims"]["changed"]] == [block]
    answer = gitmem("restore", earlier, "bob.md", "--json", cwd=folder)
    assert [changed["id"] for changed in answer.json["claims"]["changed"]] == [other]


def test_an_undo_conflict_names_each_block(gitmem: Gitmem, workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    of = revision(workspace)
    change(workspace, block, "Ada lives in Bern.")
    with byte_identical(workspace.repo.path):
        answer = gitmem("undo", of, "--json", cwd=workspace.repo.path)
        shown = gitmem("undo", of, cwd=workspace.repo.path)
    assert (answer.status, answer.code, shown.status) == (1, "UNDO_CONFLICT", 1)
    (finding,) = answer.json["error"]["findings"]
    assert list(finding) == ["check", "severity", "code", "path", "line", "block", "message", "fix"] or set(
        finding
    ) == {"check", "severity", "code", "path", "line", "block", "message", "fix"}
    assert finding["block"] == block
    assert shown.err.count(f"^{block} was changed since") == 1
    assert f"  topics/{ADA}:3: remove the block as it is now: `gitmem rm {block}`\n" in shown.err


# --- bad input


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["log", "nobody"], 4, "MEMORY_NOT_FOUND"),
        (["log", "topics/no.md"], 4, "PATH_NOT_FOUND"),
        (["log", "-n", "0"], 2, "INVALID_ARGUMENT"),
        (["log", "--since", "sometime"], 2, "INVALID_ARGUMENT"),
        (["show"], 2, "INVALID_ARGUMENT"),
        (["show", "nope"], 4, "REVISION_NOT_FOUND"),
        (["show", "1999-01-01"], 4, "REVISION_NOT_FOUND"),
        (["show", "autosave/9"], 4, "REVISION_NOT_FOUND"),
        (["diff", "nope"], 4, "REVISION_NOT_FOUND"),
        (["diff", "HEAD..nope"], 4, "REVISION_NOT_FOUND"),
        (["diff", "a", "b", "c"], 2, "INVALID_ARGUMENT"),
        (["why"], 2, "INVALID_ARGUMENT"),
        (["why", "a", "--text", "b"], 2, "INVALID_ARGUMENT"),
        (["why", "nobody"], 4, "MEMORY_NOT_FOUND"),
        (["why", "topics/no.md"], 4, "PATH_NOT_FOUND"),
        (["why", "x", "--at", "nope"], 4, "REVISION_NOT_FOUND"),
        (["history", "nobody"], 4, "MEMORY_NOT_FOUND"),
        (["blame", "nobody"], 4, "MEMORY_NOT_FOUND"),
        (["blame", "topics/no.md"], 4, "PATH_NOT_FOUND"),
        (["restore", "nope"], 4, "REVISION_NOT_FOUND"),
        (["restore", "HEAD", "sources"], 1, "READ_ONLY_PATH"),
        (["restore", "HEAD", "topics/no.md"], 4, "PATH_NOT_FOUND"),
        (["restore", "HEAD", "--block", "nobody"], 4, "MEMORY_NOT_FOUND"),
        (["restore", "HEAD", "--block", "\udcff"], 4, "MEMORY_NOT_FOUND"),
        (["restore", "HEAD", "topics", "--block", "x"], 2, "INVALID_ARGUMENT"),
        (["undo", "nope"], 4, "REVISION_NOT_FOUND"),
        (["autosave", "burn"], 2, "INVALID_ARGUMENT"),
    ],
    ids=str,
)
def test_bad_input_has_a_code_and_an_exit_and_changes_nothing(
    told: Told, story: Story, arguments: list[str], status: int, code: str
) -> None:
    with byte_identical(story.folder):
        answer = told(*arguments, "--json")
    assert (answer.status, answer.code) == (status, code)


def test_a_day_before_the_memory_says_when_it_begins(told: Told) -> None:
    answer = told("diff", "1999-01-01")
    assert answer.status == 4
    told_when = r"no revision by 1999-01-01: the memory begins 20\d\d-\d\d-\d\d \d\d:\d\d; `gitmem log` lists"
    assert re.search(told_when, answer.err)
    assert "hint" not in answer.err


@pytest.mark.parametrize("command", ["log", "show", "diff", "why", "history", "blame", "restore", "undo", "autosave"])
def test_without_a_workspace_nothing_is_found(gitmem: Gitmem, tmp_path: Path, command: str) -> None:
    arguments = {"show": ["HEAD"], "why": ["x"], "history": ["x"], "blame": ["x"], "restore": ["HEAD"]}
    answer = gitmem(command, *arguments.get(command, []), "--json", cwd=tmp_path)
    assert (answer.status, answer.code) == (4, "WORKSPACE_NOT_FOUND")


# --- for people


def test_log_reads_well_in_a_pipe(told: Told, story: Story) -> None:
    answer = told("log", "-n", "4")
    assert f"{story.revisions['bob'][:12]}  2026-08-10 10:00  Test  cli\n" in answer.out
    assert "  memory: Bob is Ada's brother.\n" in answer.out
    assert f"  + ^{story.bob}  topics/people/bob.md  Bob is Ada's brother.\n" in answer.out
    assert f"  > ^{story.viola}  topics/people/ada.md -> topics/music.md\n" in answer.out
    assert f"  = ^{story.viola}  is part of ^{story.home} now\n" in answer.out
    assert f"  - ^{story.cat}  topics/people/ada.md  Ada has a cat.\n" in answer.out
    assert "  archived 1 message\n" in answer.out
    assert "\x1b" not in answer.out
    assert answer.err == "note: older transactions match too; -n shows more than 4\n"


def test_log_of_a_block_shows_its_own_lines_and_counts_the_rest(gitmem: Gitmem, workspace: Workspace) -> None:
    ada, eve = claim(workspace, "Ada lives in Basel."), claim(workspace, "Eve left.")
    bob, cat = claim(workspace, "Bob is here.", "bob.md"), claim(workspace, "A cat.", "bob.md")
    workspace.merge_blocks(ada, [eve])
    workspace.remove([ada, bob, cat])
    gone = gitmem("log", ada, "-n", "1", cwd=workspace.repo.path).out.split("\n")
    assert gone[2:] == [f"  - ^{ada}  topics/{ADA}  Ada lives in Basel.", "  and 2 more claims", "", ""]
    merged = gitmem("log", eve, cwd=workspace.repo.path).out
    assert f"  - ^{ada}  " in merged
    assert f"  = ^{eve}  is part of ^{ada} now\n" in merged
    assert f"  + ^{eve}  " in merged
    assert f"^{bob}" not in merged
    of_file = gitmem("log", "bob.md", "-n", "1", cwd=workspace.repo.path).out
    assert f"^{bob}" in of_file
    assert f"^{ada}" not in of_file
    assert "  and 1 more claim\n" in of_file
    assert "  and 1 claim\n" in gitmem("log", "sources/", "-n", "1", cwd=workspace.repo.path).out


def test_claims_are_whole_in_a_pipe_and_cut_to_a_terminal(gitmem: Gitmem, workspace: Workspace) -> None:
    text = f"Ada lives in Basel{' and in Bern' * 12}."
    claim(workspace, text)
    folder = workspace.repo.path
    assert f"  {text}\n" in gitmem("log", cwd=folder).out
    assert f"  {text}\n" in gitmem("undo", "--dry-run", cwd=folder).out
    shown = on_a_terminal(folder, "--no-color", "undo", "--dry-run")
    (line,) = (line for line in shown.split("\n") if line.startswith("- ^"))
    assert (len(line) <= 100, line.endswith("…")) == (True, True)


def test_the_way_back_is_short_for_people_and_exact_for_programs(gitmem: Gitmem, workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    exact = gitmem("undo", "--json", cwd=workspace.repo.path).json
    assert exact["go_back"] == f"gitmem undo {exact['revision']}"
    shown = gitmem("undo", cwd=workspace.repo.path).out
    assert f"back  gitmem undo {revision(workspace)[:12]}\n" in shown


def test_blame_on_a_narrow_terminal_gives_each_claim_its_own_line(story: Story) -> None:
    shown = on_a_terminal(story.folder, "--no-color", "blame", "topics", COLUMNS="60", LINES="50")
    assert f"{story.revisions['bob'][:12]}  2026-08-10 10:00  Test    ^{story.bob}\n  Bob is Ada's brother.\n" in shown


def test_show_and_diff_show_words(told: Told, story: Story) -> None:
    plain = told("show", story.revisions["moved house"]).out
    assert "  - Ada lives in Basel.\n  + Ada lives in Bern.\n" in plain
    assert "  topics/people/ada.md" in plain
    assert "now also cites gitmem/cli-2026-08/" in plain
    words = told("diff", story.revisions["cat"], "--words").out
    assert words.startswith(f"{story.revisions['cat'][:12]} -> {story.revisions['bob'][:12]}  1 added, 1 changed, ")
    assert "  Ada lives in [-Basel-]{+Bern+}.\n" in words
    assert f"+ ^{story.bob}  topics/people/bob.md  2026\n  Bob is Ada's brother.\n" in words


def test_stat_draws_bars(told: Told, story: Story) -> None:
    out = told("diff", story.revisions["cat"], "--stat").out.split("\n")
    assert out[1:] == [" topics/people/ada.md | 3 ~=-", " topics/people/bob.md | 1 +", " 2 files changed", ""]
    assert told("diff", "HEAD", "--stat").out.split("\n")[1:] == [""]


def test_bars_begin_in_one_column() -> None:
    stat = (StatAnswer("topics/a.md", 1, 0, 0, 0, 0), StatAnswer("topics/long.md", 10, 0, 0, 0, 2))
    assert [click.unstyle(line) for line in stat_lines(stat)] == [
        " topics/a.md    |  1 +",
        " topics/long.md | 12 ++++++++++--",
        " 2 files changed",
    ]


def test_a_diff_says_where_only_the_layout_differs(gitmem: Gitmem, workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    path = workspace.repo.path / "topics" / ADA
    path.write_text(path.read_text() + "\n")
    answer = gitmem("diff", cwd=workspace.repo.path)
    assert answer.out.split("\n")[0].endswith(" -> working directory  no claim differs")
    assert f"topics/{ADA}: only its layout differs" in answer.out


def test_why_tells_the_words_and_the_commits(told: Told, story: Story) -> None:
    out = told("why", story.home).out
    assert f"^{story.home}  topics/people/ada.md:3  Ada  2025-01\n  Ada lives in Bern.\n" in out
    assert f"written by  {story.revisions['home'][:12]}  2026-08-03 10:00  Test  memory: Ada lives in Basel.\n" in out
    assert f"changed by  {story.revisions['moved house'][:12]}" in out
    assert "    said: Ada lives in Bern.\n" in out
    assert f"  archived by  {story.revisions['viola'][:12]}" in out
    assert told("why", "--text", "nobody").out == "No claim says that.\n"


def test_history_tells_the_story_in_order(told: Told, story: Story) -> None:
    out = told("history", story.home).out
    assert out.startswith(f"^{story.home}  also ^{story.viola}\n")
    assert out.index("added  ") < out.index("changed  ")
    assert "  Ada lives in [-Basel-]{+Bern+}.\n" in out
    gone = told("history", story.cat).out
    assert gone.startswith(f"^{story.cat}  is gone\n")
    assert "removed  " in gone


def test_blame_and_autosaves_are_tables(told: Told, story: Story) -> None:
    rows = [line.split("\t") for line in told("blame", "topics").out.split("\n") if line]
    assert [row[0] for row in rows] == [story.revisions["merge"][:12], story.revisions["bob"][:12]]
    assert rows[1][1:] == ["2026-08-10 10:00", "Test", f"^{story.bob}", "Bob is Ada's brother."]
    kept = [line.split("\t")[0] for line in told("autosave").out.split("\n") if line]
    assert kept == ["autosave/1", "autosave/2"]


ESCAPE = "\x1b[2J\x1b]0;owned\x07"


def test_terminal_escapes_in_memory_are_shown_not_obeyed(gitmem: Gitmem, workspace: Workspace) -> None:
    folder = workspace.repo.path
    (block,) = workspace.remember(f"Ada {ESCAPE}lives.", ADA, quote=f"I {ESCAPE}\u202elive").block_ids.values()
    change(workspace, block, f"Ada {ESCAPE}left.")
    commands = [
        *(["log"], ["show", "HEAD"], ["show", "HEAD", "--words"], ["diff", "HEAD~2"], ["why", block]),
        *(["history", block], ["blame", block], ["diff", "HEAD~2", "--words"], ["undo", "--dry-run"]),
    ]
    for arguments in commands:
        out = gitmem(*arguments, cwd=folder).out
        assert not set(out) & {"\x1b", "\x07", "\u202e"}
        assert "\\x1b[2J" in out
        assert "\\x07" in out


def on_a_terminal(folder: Path, *arguments: str, **environ: str) -> str:
    """What somebody sees; the command runs in a process of its own, on a terminal."""
    ours, theirs = pty.openpty()
    script = "from gitmem_cli.main import main; main()"
    known = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "12", **environ}
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], cwd=folder, env=known, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        shown += data
    os.close(ours)
    assert process.wait() == 0
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colours(story: Story) -> None:
    out = on_a_terminal(story.folder, "log", LINES="200", PAGER="false")
    assert f"\x1b[33m{story.revisions['bob'][:12]}\x1b[0m" in out
    words = on_a_terminal(story.folder, "diff", story.revisions["cat"], "--words", LINES="200")
    assert "\x1b[31m\x1b[9mBasel\x1b[0m\x1b[32m\x1b[4mBern\x1b[0m" in words
    assert "[-" not in words
    plain = on_a_terminal(story.folder, "--no-color", "diff", story.revisions["cat"], "--words", LINES="200")
    assert "[-Basel-]{+Bern+}" in plain
    assert "\x1b" not in plain


def test_a_long_answer_goes_through_the_pager(story: Story) -> None:
    assert "MEMORY: Bob" in on_a_terminal(story.folder, "log", PAGER="sed s/memory/MEMORY/")
    assert "memory: Bob" in on_a_terminal(story.folder, "log", "-n", "1", PAGER="sed s/memory/MEMORY/")


def test_json_is_one_document_whatever_the_terminal(story: Story) -> None:
    out = on_a_terminal(story.folder, "log", "--json", PAGER="false")
    assert len(json.loads(out)["transactions"]) == 9


def test_log_and_show_say_who_signed(gitmem: Gitmem, workspace: Workspace, tmp_path: Path, git: Git) -> None:
    folder, keys = workspace.repo.path, ssh_keys(tmp_path)
    for key, value in {**keys.settings, "gitmem.sign": "true"}.items():
        git(folder, "config", key, value)
    assert gitmem("remember", "Ada likes tea.", "--topic", "people/ada.md", cwd=folder).status == 0
    lines = gitmem("log", "--show-signature", cwd=folder).out.splitlines()
    assert lines[2].startswith("  good signature by test@example.invalid (SHA256:")
    assert lines.count("  not signed") == 1
    assert "good signature" in gitmem("show", "HEAD", "--show-signature", cwd=folder).out
    assert "signature" not in gitmem("log", cwd=folder).out
    signature = gitmem("log", "--show-signature", "--json", cwd=folder).json["transactions"][0]["signature"]
    assert (signature["verdict"], signature["signer"]) == ("good", "test@example.invalid")
    assert gitmem("show", "HEAD", "--show-signature", "--json", cwd=folder).json["signature"] == signature
