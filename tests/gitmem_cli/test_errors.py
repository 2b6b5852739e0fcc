"""Failures become exit codes, envelopes and words (`cli.md`)."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from gitmem.errors import (
    Code,
    Conflict,
    Disabled,
    Finding,
    GitmemError,
    InvalidRequest,
    NotAllowed,
    NotFound,
    Refused,
    Severity,
    Unavailable,
)
from gitmem_cli import errors
from gitmem_cli.command import command, json_option
from gitmem_cli.crash_log import write_crash_log
from gitmem_cli.table import COMMANDS, Entry

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem_cli.invocation import Invocation
    from running import Gitmem

CLASSES = (InvalidRequest, Conflict, NotFound, Disabled, NotAllowed, Unavailable, Refused)
FINDING = Finding(
    "topic-format", Severity.ERROR, "not-a-paragraph", "a list\x1b[2J", "topics/a.md", 3, None, "write a paragraph"
)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make the command ``fail`` raise something."""

    def arrange(error: BaseException) -> None:
        @command("fail", examples=["gitmem fail"])
        @json_option
        def fail(_invocation: Invocation, *, as_json: bool) -> None:
            click.echo("" if as_json else "before", nl=False)
            raise error

        monkeypatch.setattr("gitmem_cli.commands.version.command", fail)
        monkeypatch.setitem(COMMANDS, "fail", Entry("gitmem_cli.commands.version", "Fail."))

    return arrange


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_class_of_failure_has_its_exit(
    gitmem: Gitmem, failing: Callable[[BaseException], None], kind: type[GitmemError]
) -> None:
    code = min(kind.codes)
    failing(kind(code, "what happened"))
    answer = gitmem("fail", "--json")
    assert answer.status == errors.EXIT_OF_CLASS[kind]
    assert answer.code == code
    assert answer.err == ""


def test_every_code_belongs_to_exactly_one_class() -> None:
    assert sorted(code for kind in CLASSES for code in kind.codes) == sorted(Code)


def test_the_envelope_has_every_key_of_the_contract(gitmem: Gitmem, failing: Callable[[BaseException], None]) -> None:
    failing(
        Refused(
            Code.INVALID_TOPIC_FORMAT, "no: \x9b", path="topics/a.md", details={"tip": "1" * 40}, findings=(FINDING,)
        )
    )
    answer = gitmem("fail", "--json")
    assert "\x9b" not in answer.out
    assert answer.json == {
        "ok": False,
        "error": {
            "code": "INVALID_TOPIC_FORMAT",
            "message": "no: \x9b",
            "path": "topics/a.md",
            "retryable": False,
            "details": {"tip": "1" * 40},
            "findings": [
                {
                    "check": "topic-format",
                    "severity": "error",
                    "code": "not-a-paragraph",
                    "message": "a list\x1b[2J",
                    "path": "topics/a.md",
                    "line": 3,
                    "block": None,
                    "fix": "write a paragraph",
                }
            ],
        },
    }


def test_people_get_message_findings_and_hint_on_standard_error(
    gitmem: Gitmem, failing: Callable[[BaseException], None]
) -> None:
    failing(Conflict(Code.CONCURRENT_UPDATE, "it moved\x1b[31m", findings=(FINDING,)))
    answer = gitmem("fail")
    assert answer.status == 3
    assert answer.out == "before"
    assert answer.err.splitlines() == [
        "error: it moved\\x1b[31m [CONCURRENT_UPDATE]",
        "  topics/a.md:3: a list\\x1b[2J (write a paragraph)",
        "hint: read the current revision and try again",
    ]


def test_a_message_is_not_said_twice(gitmem: Gitmem, failing: Callable[[BaseException], None]) -> None:
    only, other = (Finding("x", Severity.ERROR, "y", text, "topics/a.md", 3, None, "mend it") for text in ("bad", "no"))
    bare = Finding("limits", Severity.ERROR, "too-many", "bad")
    for findings, lines in (
        ((only,), ["  topics/a.md:3: mend it"]),
        ((bare,), []),
        ((only, other), ["  topics/a.md:3: bad (mend it)", "  topics/a.md:3: no (mend it)"]),
    ):
        failing(Refused(Code.INVALID_TOPIC_FORMAT, "it is bad", findings=findings))
        assert gitmem("fail").err.splitlines() == ["error: it is bad [INVALID_TOPIC_FORMAT]", *lines]


def test_a_hint_is_given_only_where_the_message_names_no_step(
    gitmem: Gitmem, failing: Callable[[BaseException], None]
) -> None:
    failing(NotFound(Code.REVISION_NOT_FOUND, "there is none"))
    assert gitmem("fail").err.splitlines()[1:] == ["hint: `gitmem log` lists revisions"]
    failing(NotFound(Code.REVISION_NOT_FOUND, "there is none; `gitmem log` lists them"))
    assert gitmem("fail").err.splitlines()[1:] == []
    missing = gitmem("-C", ".", "get", "nothing")
    assert missing.err.count("`gitmem init`") == 1


@pytest.mark.parametrize(
    "arguments",
    [("get",), ("verzion",), ("log", "-n", "0"), ("-C", "nowhere", "log"), ("config", "gitmem.nonsense"), ("status",)],
    ids=" ".join,
)
def test_messages_have_no_capital_and_no_final_stop(gitmem: Gitmem, arguments: tuple[str, ...]) -> None:
    message = gitmem(*arguments, "--json").json["error"]["message"]
    assert (message[0].islower(), message.endswith(".")) == (True, False)


def test_a_finding_without_a_place_is_only_its_message() -> None:
    assert errors.finding_line(Finding("limits", Severity.ERROR, "too-many", "65 sources")) == "65 sources"


@pytest.mark.parametrize("arguments", [(), ("nothing",), ("version", "--no-such"), ("config", "a", "b", "c"), ("-C",)])
def test_a_command_line_that_is_wrong_is_exit_2_with_an_envelope(gitmem: Gitmem, arguments: tuple[str, ...]) -> None:
    answer = gitmem(*arguments, "--json")
    assert answer.status == 2
    assert answer.code == "INVALID_ARGUMENT"
    assert answer.err == ""


def test_a_command_line_that_is_wrong_says_where_help_is(gitmem: Gitmem) -> None:
    answer = gitmem("config", "--nonsense")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.splitlines()[-1] == "hint: `gitmem config --help`"


def test_no_command_at_all_shows_the_help(gitmem: Gitmem) -> None:
    answer = gitmem()
    assert answer.status == 2
    assert "Workspace:" in answer.err


def test_a_misspelt_command_is_answered_with_the_nearest(gitmem: Gitmem) -> None:
    assert "did you mean version?" in gitmem("verzion").err
    assert gitmem("zzz").err.count("gitmem --help") == 1


def test_an_error_of_click_without_context_is_exit_2(gitmem: Gitmem, failing: Callable[[BaseException], None]) -> None:
    failing(click.FileError("missing.json", "no such file"))
    answer = gitmem("fail")
    assert answer.status == 2
    assert "missing.json" in answer.err


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EEXIST])
def test_a_disk_that_refuses_is_exit_7(gitmem: Gitmem, failing: Callable[[BaseException], None], number: int) -> None:
    failing(OSError(number, os.strerror(number), "some/file"))
    answer = gitmem("fail", "--json")
    assert answer.status == 7
    assert answer.code == "STORAGE_UNAVAILABLE"
    assert answer.json["error"]["details"] == {"errno": errno.errorcode[number]}
    assert "some/file" in answer.json["error"]["message"]


def test_an_error_of_the_system_without_a_number_is_exit_7(
    gitmem: Gitmem, failing: Callable[[BaseException], None]
) -> None:
    failing(OSError("what libgit2 said"))
    answer = gitmem("fail", "--json")
    assert answer.status == 7
    assert "what libgit2 said" in answer.json["error"]["message"]
    assert answer.json["error"]["details"] == {"errno": None}


@pytest.mark.parametrize("command_line", [["search", "x"], ["remember", "x", "--topic", "d"], ["doctor"]])
@pytest.mark.parametrize("dangling", [False, True])
def test_a_runtime_folder_that_is_none_is_exit_7(
    gitmem: Gitmem, workspace: Path, command_line: list[str], *, dangling: bool
) -> None:
    state = workspace / ".git" / "gitmem"
    if dangling:
        state.symlink_to("nowhere")
    else:
        state.write_text("")
    answer = gitmem(*command_line, cwd=workspace)
    assert answer.status == 7
    assert str(state) in answer.err


def test_a_bug_is_exit_70_and_its_traceback_is_in_a_private_file(
    gitmem: Gitmem, failing: Callable[[BaseException], None], home: Path
) -> None:
    failing(LookupError("a bug"))
    answer = gitmem("fail")
    assert answer.status == 70
    (log,) = (home / ".gitmem" / "log").iterdir()
    assert str(log) in answer.err
    assert "Traceback" not in answer.err
    assert "LookupError: a bug" in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700


def test_a_bug_is_an_envelope_too(gitmem: Gitmem, failing: Callable[[BaseException], None]) -> None:
    failing(ValueError("a bug"))
    answer = gitmem("fail", "--json")
    assert (answer.status, answer.code) == (70, "INTERNAL_ERROR")
    assert Path(answer.json["error"]["details"]["log"]).is_file()


def test_a_bug_where_home_cannot_be_written_is_logged_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    log = write_crash_log(ValueError("a bug"), {"HOME": str(tmp_path / "file")})
    assert log is not None
    assert log.parent == elsewhere
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    assert write_crash_log(ValueError("a bug"), {}) is None


def test_a_bug_that_cannot_be_logged_is_still_reported(capfd: pytest.CaptureFixture[str]) -> None:
    assert errors.report_bug(ValueError("a bug"), None, as_json=False) == 70
    assert "could not be written" in capfd.readouterr().err


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interrupt_is_exit_130(
    gitmem: Gitmem, failing: Callable[[BaseException], None], error: BaseException
) -> None:
    failing(error)
    assert gitmem("fail").status == 130


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["status", "--json"], True),
        (["log", "--jsonl"], True),
        (["check", "--format", "sarif"], True),
        (["check", "--format=json"], True),
        (["check", "--format", "text"], False),
        (["remember", "--", "--json"], False),
        ([], False),
    ],
)
def test_json_is_recognized_in_a_command_line_that_may_be_wrong(arguments: list[str], wanted: bool) -> None:
    assert errors.json_wanted(arguments) is wanted
