"""What every test stands on: a git that nobody's settings reach, and the real inputs when they are at hand."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pygit2
import pytest
from pygit2.enums import ConfigLevel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from running import Git

ROOT = Path(__file__).resolve().parents[1]

hypothesis.settings.register_profile("quick", deadline=None, derandomize=True, max_examples=40)
hypothesis.settings.register_profile("long", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("quick")  # `pytest --hypothesis-profile=long` looks further

sys.dont_write_bytecode = False  # rewriting the asserts of all modules takes a tenth of a run, and caches cost nothing

FROM_OUTSIDE = (
    "PYTHONDONTWRITEBYTECODE",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "NO_COLOR",
    "CLICOLOR_FORCE",
    "FORCE_COLOR",
    "COLUMNS",
    "EMAIL",
)
"""Variables of whoever runs the tests that would change what a command does; every ``GIT*`` goes too."""

# A shell's background jobs ignore an interruption, and so would every command that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Let no collection of garbage look again and again at thousands of tests that stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _hermetic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An empty home, no settings of the machine or the user, one language, one time zone."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in [*FROM_OUTSIDE, *(name for name in os.environ if name.startswith(("GIT", "XDG_")))]:
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(home))
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GIT_TERMINAL_PROMPT", "0")
        patch.setenv("LC_ALL", "C.UTF-8")
        patch.setenv("TZ", "UTC")
        for level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL, ConfigLevel.PROGRAMDATA):
            pygit2.settings.search_path[level] = str(home)
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, for what is looked up or kept there."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def git() -> Git:
    """Real git, as a user would run it, with a fixed identity."""
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "init.defaultBranch=main")

    def run(cwd: Path, *arguments: str, stdin: str | None = None) -> str:
        command = ["git", *who, *arguments]
        done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, f"git {' '.join(arguments)}: {done.stderr}"
        return done.stdout.removesuffix("\n")

    return run


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real inputs beside the checkout; tests that need it are skipped where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of real inputs (shared/data, beside the checkout) is not here")
    return folder
