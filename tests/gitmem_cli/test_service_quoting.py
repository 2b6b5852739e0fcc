"""A path is named in a unit and in a crontab so that what runs is what was meant."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.errors import Refused
from gitmem_cli.service import crontab, systemd
from gitmem_cli.service.job import Job

PATHS = (
    "/plain",
    "/with space",
    "/100%",
    "/a\\b",
    "/a\\%b",
    '/"quoted"',
    "/it's",
    "/$HOME/${x}",
    "/é☃",
    "/#1;&|",
    "/%h",
)
ARGUMENTS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1), min_size=1, max_size=4)


def job(root: str, *extra: str) -> Job:
    command = ("/usr/bin/python3", "-P", "-m", "gitmem_cli", "-C", root, *extra)
    return Job("w-1234abcd", Path(root), command, {"PATH": "/usr/bin:/bin", "HOME": "/home/ada"})


def as_systemd_reads(line: str) -> list[str]:
    """What systemd.syntax(7) and systemd.service(5) make of a command line of quoted words."""
    plain = line.startswith(":")
    assert plain or "$" not in line
    words = re.findall(r'"((?:[^"\\]|\\.)*)"(?: |\Z)', line.removeprefix(":"), re.DOTALL)
    assert " ".join(f'"{word}"' for word in words) == line.removeprefix(":")
    return [_unescaped(word).replace("%%", "%") for word in words]


def _unescaped(word: str) -> str:
    def byte(found: re.Match[str]) -> str:
        return chr(int(found[1], 16)) if found[1] else found[2]

    return re.sub(r'\\(?:x([0-9a-f]{2})|(["\\]))', byte, word)


def as_cron_runs(line: str) -> list[str]:
    """What cron gives the shell of a line, and what the shell then makes of it; the command itself is not run."""
    command, escaped = [], False
    for mark in line.split(" ", 5)[5]:  # as cron's do_command.c goes through it
        if escaped and mark == "%":
            command[-1] = mark
        else:
            assert mark != "%"
            command.append(mark)
        escaped = mark == "\\" and not escaped
    script = "".join(command)
    assignment, _, rest = script.partition(" /usr/bin/python3 ")
    assert assignment == "PATH=/usr/bin:/bin"
    shown = rest.replace(" >/dev/null # gitmem-watch-w-1234abcd", "")
    done = subprocess.run(["sh", "-c", f"printf '%s\\0' {shown}"], capture_output=True, check=True)
    return [os.fsdecode(word) for word in done.stdout.split(b"\0")[:-1]]


@pytest.mark.parametrize("path", PATHS)
def test_every_path_reaches_the_program(path: str) -> None:
    unit = systemd.unit_text(job(path))
    (line,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    assert as_systemd_reads(line)[4:] == ["-C", path, "watch"]
    assert as_cron_runs(crontab.crontab_line(job(path)))[3:] == ["-C", path, "watch", "--once"]
    assert systemd._workspace(unit) == path
    assert crontab._workspace(crontab.crontab_line(job(path))) == path


@given(ARGUMENTS)
@example(["a\nb", "\\", "%", "$", '"'])
def test_systemd_reads_every_argument_as_it_was(arguments: list[str]) -> None:
    line = systemd.exec_start(arguments)
    shell = ["/bin/sh", "-c", 'exec "$0" "$@"']
    assert as_systemd_reads(line) in (arguments, [*shell, *arguments])
    assert "\n" not in line


@given(ARGUMENTS.map(lambda arguments: [a.replace("\n", "").replace("\r", "") or "x" for a in arguments]))
@example(["\\%", "\\\\%", "%\\", "'%'", "\\'%"])
def test_cron_reads_every_argument_as_it_was(arguments: list[str]) -> None:
    assert as_cron_runs(crontab.crontab_line(job("/w", *arguments)))[5:-2] == arguments


def test_a_path_with_a_line_break_has_no_crontab_line_and_a_unit_of_whole_lines() -> None:
    with pytest.raises(Refused):
        crontab.crontab_line(job("/a\nb"))
    unit = systemd.unit_text(job("/a\nExecStart=/bin/false"))
    assert [line.partition("=")[0] for line in unit.splitlines() if line.startswith("Exec")] == ["ExecStart"]


def test_bytes_that_are_no_text_are_named_by_their_numbers() -> None:
    assert systemd.quoted(os.fsdecode(b"/a\xff")) == '"/a\\xff"'


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze, which reads units, is not here")
@pytest.mark.parametrize("name", ["plain", "100% $odd; folder", 'it\'s \\ "quoted"'])
def test_systemd_itself_takes_the_unit(tmp_path: Path, name: str) -> None:
    program = tmp_path / name / "python"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "gitmem-watch-w-1234abcd.service"
    unit.write_text(systemd.unit_text(Job("w-1234abcd", program.parent, (str(program), "-C", "$x"), {"PATH": "/bin"})))
    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", str(unit)],
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert unit.name not in done.stderr, done.stderr
