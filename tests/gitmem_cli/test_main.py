"""The process: start-up, pipes, streams."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem_cli import main, streams

if TYPE_CHECKING:
    import click

GITMEM = Path(sys.executable).with_name("gitmem")


def test_a_closed_pipe_ends_quietly() -> None:
    done = subprocess.run(
        ["bash", "-c", f'"{GITMEM}" config | true; echo "${{PIPESTATUS[0]}}"'],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_a_reader_that_goes_away_in_the_middle_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []

    def broken(_context: click.Context) -> int:
        raise BrokenPipeError

    monkeypatch.setattr(main.gitmem, "invoke", broken)
    monkeypatch.setattr(streams, "forget_output", lambda: closed.append(True))
    assert main.run(["version"]) == 0
    assert closed == [True]


def test_output_without_a_descriptor_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.StringIO()
    monkeypatch.setattr(sys, "stdout", output)
    streams.forget_output()
    assert sys.stdout is output


def test_the_exit_code_is_the_process_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["gitmem", "nothing"])
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)
    monkeypatch.setattr(sys, "stderr", sys.__stderr__)
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 2


def test_starting_up_imports_no_command_and_nothing_heavy() -> None:
    heavy = ("mistune", "numpy", "pygit2", "rank_bm25", "rich", "tiktoken", "dateparser", "gitmem_cli.commands.config")
    code = f"import sys, gitmem_cli.main; print(sorted(set({heavy!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_output_that_an_encoding_cannot_hold_is_escaped() -> None:
    code = "import sys; from gitmem_cli.main import main; sys.argv = ['gitmem', '字']; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, env={"PYTHONIOENCODING": "latin-1"}
    )
    assert done.returncode == 2
    assert b"\\u5b57" in done.stderr


def test_a_shell_can_ask_what_comes_next() -> None:
    asked = {"_GITMEM_COMPLETE": "bash_complete", "COMP_WORDS": "gitmem ver", "COMP_CWORD": "1"}
    done = subprocess.run([GITMEM], capture_output=True, text=True, check=True, env=asked)
    assert done.stdout == "plain,version\n"


def shell(line: str, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    surroundings = {"HOME": str(home), "PATH": os.environ["PATH"], "GITMEM": str(GITMEM)}
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, cwd=cwd, env=surroundings)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ('"$GITMEM" version >&-', 0),
        ('"$GITMEM" nope 2>&-', 2),
        ('"$GITMEM" version <&- >&- 2>&-', 0),
        ('"$GITMEM" init "$HOME/w" >&- && "$GITMEM" -C "$HOME/w" status >&-', 0),
        ('"$GITMEM" remember - --topic q <&-', 1),
    ],
)
def test_closed_streams_are_no_bug(workspace: Path, home: Path, line: str, status: int) -> None:
    done = shell(line, workspace, home)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", ["version", "version --json", "log --json", "remember x --topic d", "remember y --topic d --json"]
)
def test_an_answer_that_cannot_be_printed_is_exit_7(workspace: Path, home: Path, arguments: str) -> None:
    done = shell(f'"$GITMEM" {arguments} >/dev/full', workspace, home)
    assert done.returncode == 7
    assert done.stderr.splitlines()[-1] == (
        "error: the answer could not be printed (No space left on device); what the command did stands"
        " [STORAGE_UNAVAILABLE]"
    )
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "status"), [("nope 2>/dev/full", 2), ("nope --json >/dev/full 2>&1", 7), ("version 2>/dev/full", 0)]
)
def test_standard_error_that_takes_nothing_changes_no_exit_code(
    workspace: Path, home: Path, arguments: str, status: int
) -> None:
    assert shell(f'"$GITMEM" {arguments}', workspace, home).returncode == status
