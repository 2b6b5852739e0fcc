"""``gitmem watch`` (`cli.md`): looking once, in the foreground until somebody says stop, and as a service."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

import filelock
import pytest

from chats import NOON, say
from gitmem.runtime.watcher import LOCK
from gitmem.runtime.writer_status import record_failure, record_success
from workspaces import make, reopened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from running import Git, Gitmem

CHAT = "team/chat"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


def talk(folder: Path, *contents: str, session: str = CHAT, role: str = "user") -> None:
    with reopened(folder) as workspace:
        say(workspace, session, *contents, role=role)


# --- once


def test_one_look_writes_what_is_idle(gitmem: Gitmem, folder: Path) -> None:
    talk(folder, "I moved to Basel in March 2024.")
    talk(folder, "42", session="team/empty", role="tool")
    answer = gitmem("watch", "--once", "--json", cwd=folder)
    assert (answer.status, answer.err, answer.json["ok"]) == (0, "", True)
    (done,) = answer.json["done"]
    assert list(done) == [
        *("what", "ok", "session", "turns", "claims", "revision"),
        *("reason_code", "message", "retryable"),
    ]
    assert (done["what"], done["ok"], done["session"], done["turns"], done["claims"]) == (
        *("conversation", True, CHAT),
        *(1, 1),
    )
    assert gitmem("status", "--json", cwd=folder).json["writer"]["last_outcome"] == "success"
    assert gitmem("watch", "--once", "--json", cwd=folder).json == {"ok": True, "done": []}


def test_one_look_says_what_it_did(gitmem: Gitmem, folder: Path) -> None:
    talk(folder, "I moved to Basel in March 2024.")
    answer = gitmem("watch", "--once", cwd=folder)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out[5:] == " team/chat: 1 turn written, 1 new claim\n"
    assert gitmem("watch", "--once", cwd=folder).out == ""


def test_a_failure_is_told_with_what_becomes_of_it(gitmem: Gitmem, folder: Path, git: Git) -> None:
    talk(folder, "I moved to Basel in March 2024.")
    git(folder, "switch", "-q", "--detach")
    answer = gitmem("watch", "--once", "--jsonl", cwd=folder)
    assert answer.status == 3
    (line,) = answer.out.splitlines()
    done = json.loads(line)
    assert (done["ok"], done["reason_code"], done["retryable"]) == (False, "REPOSITORY_BUSY", True)
    assert "[REPOSITORY_BUSY]; tried again at the next look" in gitmem("watch", "--once", cwd=folder).out


def test_the_traceback_of_what_nobody_foresaw_is_kept(
    gitmem: Gitmem, folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(folder, "I moved to Basel in March 2024.")
    monkeypatch.setattr("gitmem.workspace.Workspace.fold", lambda *_, **__: 1 / 0)
    answer = gitmem("watch", "--once", "--json", cwd=folder)
    assert (answer.status, answer.json["done"][0]["reason_code"]) == (1, "TRANSACTION_FAILURE_UNKNOWN")
    (log,) = (home / ".gitmem" / "log").iterdir()
    assert "ZeroDivisionError" in log.read_text()
    assert str(log) in answer.err


def test_who_comes_second_does_nothing(gitmem: Gitmem, folder: Path) -> None:
    with filelock.FileLock(folder / ".git" / "gitmem" / LOCK):
        answer = gitmem("watch", "--once", cwd=folder)
        assert (answer.status, answer.out[5:]) == (0, " another process is looking just now\n")
        assert gitmem("watch", "--once", "--json", cwd=folder).json == {"ok": True, "done": [{"what": "busy"}]}


def test_a_damaged_state_is_an_error(gitmem: Gitmem, folder: Path) -> None:
    (folder / ".git" / "gitmem" / "watch.json").write_text("{")
    answer = gitmem("watch", "--once", "--json", cwd=folder)
    assert (answer.status, answer.code) == (7, "STORAGE_UNAVAILABLE")


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("--once", "--install"), 2, "INVALID_ARGUMENT"),
        (("--install", "--uninstall"), 2, "INVALID_ARGUMENT"),
        ((), 2, "INVALID_ARGUMENT"),  # with --json only: there is no end at which a document could be printed
    ],
)
def test_what_makes_no_sense_is_refused(
    gitmem: Gitmem, folder: Path, arguments: tuple[str, ...], status: int, code: str
) -> None:
    answer = gitmem("watch", *arguments, "--json", cwd=folder)
    assert (answer.status, answer.code) == (status, code)


def test_memory_that_is_off_is_not_watched(gitmem: Gitmem, folder: Path) -> None:  # 14.8
    for option in ("--once", "--jsonl", "--install"):
        assert gitmem("-c", "gitmem.backend=none", "watch", option, cwd=folder).status == 5
    assert gitmem("watch", "--once").status == 4


def test_the_status_tells_of_the_last_success_and_of_a_failure_after_it(gitmem: Gitmem, folder: Path) -> None:  # 12.1
    runtime = folder / ".git" / "gitmem"
    assert "writer    0 turns pending\n" in gitmem("status", cwd=folder).out
    record_success(runtime, NOON)
    assert "writer    0 turns pending; last wrote 2024-08-10 12:00\n" in gitmem("status", cwd=folder).out
    record_failure(runtime, NOON + timedelta(hours=1), "MODEL_TIMEOUT", retryable=True)
    shown = "writer    0 turns pending; last wrote 2024-08-10 12:00; failed 2024-08-10 13:00: MODEL_TIMEOUT\n"
    assert shown in gitmem("status", cwd=folder).out
    record_success(runtime, NOON + timedelta(hours=2))
    assert "writer    0 turns pending; last wrote 2024-08-10 14:00\n" in gitmem("status", cwd=folder).out
    assert gitmem("status", "--json", cwd=folder).json["writer"] == {
        "last_outcome": "success",
        "last_success_at": "2024-08-10T14:00:00+00:00",
        "last_failure": {"at": "2024-08-10T13:00:00+00:00", "reason_code": "MODEL_TIMEOUT", "retryable": True},
        "pending_turns": 0,
    }


# --- in the foreground


class Watching:
    """A ``gitmem watch`` of its own process, which sleeps not five minutes but until a line comes in."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        program = (
            "import sys, time; from gitmem_cli.main import main; "
            "time.sleep = lambda seconds: (print('asleep', file=sys.stderr, flush=True), sys.stdin.readline()); main()"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            cwd=folder,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def asleep(self) -> list[str]:
        """Wait until it sleeps; what it said on standard error until then."""
        assert self._process.stderr is not None
        said = []
        for line in self._process.stderr:
            if line == "asleep\n":
                break
            said.append(line)
        return said

    def wake(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal: the exit code, and all of standard output."""
        self._process.send_signal(number)
        out, _ = self._process.communicate()
        return self._process.returncode, out

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()


@pytest.fixture
def watching(folder: Path, home: Path) -> Iterator[Watching]:
    assert home.is_dir()
    made = Watching(folder, "watch")
    yield made
    made.close()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_ends_it_cleanly(watching: Watching, folder: Path, number: int, status: int) -> None:
    watching.asleep()
    assert watching.end(number) == (
        status,
        f"watching {folder}: conversations that are idle, and by night all of them; Ctrl-C ends it\n",
    )
    assert (folder / ".git" / "gitmem" / "watch.json").exists()


def test_each_look_writes_what_is_idle_by_then(watching: Watching, folder: Path) -> None:
    watching.asleep()
    talk(folder, "I moved to Basel in March 2024.")
    watching.wake()
    assert watching.asleep() == []
    status, out = watching.end(signal.SIGTERM)
    assert (status, out.splitlines()[1][5:]) == (0, " team/chat: 1 turn written, 1 new claim")


def test_settings_are_followed_while_it_runs(watching: Watching, folder: Path, git: Git) -> None:
    watching.asleep()
    git(folder, "config", "gitmem.backend", "none")
    talk(folder, "I moved to Basel in March 2024.")
    watching.wake()
    (said,) = watching.asleep()
    assert "switched off" in said
    watching.wake()
    assert watching.asleep() == []
    git(folder, "config", "gitmem.backend", "local")
    watching.wake()
    assert watching.asleep() == []
    assert watching.end(signal.SIGTERM)[1].count("1 turn written") == 1


def test_what_passes_does_not_end_it(watching: Watching, folder: Path, git: Git) -> None:
    watching.asleep()
    git(folder, "switch", "-q", "--detach")
    talk(folder, "I moved to Basel in March 2024.")
    watching.wake()
    assert watching.asleep() == []
    git(folder, "switch", "-q", "main")
    watching.wake()
    assert watching.asleep() == []
    status, out = watching.end(signal.SIGTERM)
    assert status == 0
    first, second = out.splitlines()[1:]
    assert "[REPOSITORY_BUSY]" in first
    assert "1 turn written" in second


def test_what_does_not_pass_ends_it(watching: Watching, folder: Path) -> None:
    watching.asleep()
    (folder / ".git" / "gitmem" / "watch.json").write_text("{")
    watching.wake()
    said = watching.asleep()  # to the end of what it says
    assert watching.end(0)[0] == 7
    assert "STORAGE_UNAVAILABLE" in said[-1]


_SLOW = """
import os, signal, sys
from gitmem_cli.main import main
from gitmem.writer.embedded import EmbeddedWriter

distill = EmbeddedWriter.distill
numbers = [getattr(signal, name) for name in sys.argv.pop(1).split(",")]

def slow(self, batch, memory, refusal=None):
    for number in numbers:
        os.kill(os.getpid(), number)
    return distill(self, batch, memory, refusal)

EmbeddedWriter.distill = slow
main()
"""


@pytest.mark.parametrize(
    ("signals", "status", "written"),
    [("SIGTERM", 0, 1), ("SIGINT", 130, 1), ("SIGTERM,SIGTERM", 0, 1), ("SIGINT,SIGINT", 130, 0)],
)
def test_what_is_being_written_is_finished_unless_somebody_insists(
    folder: Path, home: Path, signals: str, status: int, written: int
) -> None:
    assert home.is_dir()
    for name in "ab":
        talk(folder, f"I am {name} and I moved to Basel in March 2024.", session=f"team/{name}")
    command = [sys.executable, "-c", _SLOW, signals, "watch", "--jsonl"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stdout.splitlines())) == (status, written), done.stderr
    assert ("Ctrl-C again" in done.stderr) == signals.startswith("SIGINT")
    with reopened(folder) as workspace:
        assert workspace.pending_turns() == 2 - written
        assert workspace.check().ok


def test_the_module_is_the_command(folder: Path, home: Path) -> None:
    assert home.is_dir()
    command = [sys.executable, "-P", "-m", "gitmem_cli", "-C", str(folder), "watch", "--once", "--json"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
    assert (done.returncode, json.loads(done.stdout)) == (0, {"ok": True, "done": []}), done.stderr
