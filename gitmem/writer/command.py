"""An agent of somebody else's, run as a command on a private copy of the topics (``behaviours.md`` 0.7, 10.15).

It gets the task on its standard input and an environment with what a login needs and no more; what it changed is taken
back as files, which the transaction then checks like anybody's.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from gitmem.errors import Code, Refused, Unavailable
from gitmem.format.topic import parse_topic
from gitmem.ids import TopicPath
from gitmem.writer.command_files import read_text, read_topics
from gitmem.writer.command_guard import NOT_STARTED, NOT_THERE
from gitmem.writer.command_room import fill, private_folder
from gitmem.writer.command_run import run
from gitmem.writer.command_words import OUTCOME, OUTCOME_BYTES, last_line, outcome_of, told
from gitmem.writer.workbench_stage import ids_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gitmem.config import Config
    from gitmem.errors import GitmemError
    from gitmem.writer.agent import Outcome, Prompt
    from gitmem.writer.command_run import Ran
    from gitmem.writer.workbench import Workbench

PASSED = frozenset(
    {
        *("HOME", "USER", "LOGNAME", "SHELL", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR"),
        *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"),
        *("DBUS_SESSION_BUS_ADDRESS", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    }
)
"""Variables that a command is given where they are set, besides ``LC_*``: what finds a login and reaches the network.

Keys are not among them; who wants to hand one on names it (``gitmem.writer.commandVariables``).
"""

TRY_LATER = 75
"""The exit status (``EX_TEMPFAIL``) by which a command says that trying again later is worth it."""


@dataclass(frozen=True, slots=True)
class CommandAgent:
    """Runs ``command`` for each task. ``secrets`` are the variables that were named; ``timeout`` is in seconds.

    ``runtime`` is ``.git/gitmem``, below which it works.
    """

    command: tuple[str, ...]
    runtime: Path
    environment: Mapping[str, str] = field(repr=False)
    secrets: Mapping[str, str] = field(repr=False, default_factory=dict)
    timeout: float = 600.0
    name: str = "command"

    @property
    def signature(self) -> str:
        """``command claude``: the program without its arguments, which may hold anything."""
        return f"{self.name} {PurePath(self.command[0]).name}"

    def work(self, task: Prompt, bench: Workbench) -> Outcome:
        """Let the command change a copy of the topics, and take back what it changed.

        Raises ``Unavailable``: ``WRITER_UNAVAILABLE`` when it cannot be started or says that it will do later,
        ``MODEL_TIMEOUT`` when it is out of time, ``STORAGE_UNAVAILABLE`` when there is no room for the copy; and
        ``Refused`` (``WRITER_FAILURE_UNKNOWN``, ``INVALID_TOPIC_FORMAT``) for any other failure and for files that
        cannot be taken.
        """
        try:
            with private_folder(self.runtime) as folder:
                fill(folder, {path: (bench.text(path) or "").encode() for path in bench.paths()})
                ran = self._ran(task, folder)
                if ran.status != 0:
                    raise self._failure(ran)
                _take(folder, bench)
                return outcome_of(read_text(folder, OUTCOME, OUTCOME_BYTES), ran.out)
        except OSError as error:
            message = f"the folder for the writer's command fails: {error.strerror}"
            raise Unavailable(Code.STORAGE_UNAVAILABLE, message) from error

    def _ran(self, task: Prompt, folder: Path) -> Ran:
        program = self._program()
        around = {**self.environment, **self.secrets, "GIT_CEILING_DIRECTORIES": str(folder.parent)}
        try:
            return run((program, *self.command[1:]), folder, around, told(task), self.timeout)
        except OSError as error:
            message = f"the writer's command {self.command[0]} cannot be started: {error.strerror}"
            raise Unavailable(Code.WRITER_UNAVAILABLE, message) from error

    def _program(self) -> str:
        """Where the program stands; a path is taken as it is, ``~/`` for the home."""
        written = self.command[0]
        if written.startswith("~/") and "HOME" in self.environment:
            written = os.path.join(self.environment["HOME"], written[2:])  # noqa: PTH118  (a text goes on)
        if "/" in written and not PurePath(written).is_absolute():
            message = f"the writer's command {written} is a relative path; give gitmem.writer.command the whole one"
            raise Refused(Code.WRITER_PRECONDITION_FAILED, message)
        found = shutil.which(written, path=self.environment.get("PATH", os.defpath))
        if found is None:
            message = f"the writer's command {written} is not there, or may not be executed"
            raise Unavailable(Code.WRITER_UNAVAILABLE, message)
        return found

    def _failure(self, ran: Ran) -> GitmemError:
        what = f"the writer's command {PurePath(self.command[0]).name}"
        if ran.status is None:
            message = f"{what} was stopped after {self.timeout:g} s (gitmem.writer.timeout)"
            return Unavailable(Code.MODEL_TIMEOUT, message)
        line = last_line(ran.err, self.secrets) or last_line(ran.out, self.secrets)
        message = f"{what} ended with status {ran.status}" + (f": {line}" if line else "")
        if ran.status in {TRY_LATER, NOT_THERE, NOT_STARTED}:
            return Unavailable(Code.WRITER_UNAVAILABLE, message)
        return Refused(Code.WRITER_FAILURE_UNKNOWN, message)


def command_agent(config: Config, environment: Mapping[str, str], runtime: Path) -> CommandAgent:
    """The agent that the settings describe. Raises ``Refused`` (``WRITER_PRECONDITION_FAILED``) when they do not."""
    try:
        command = tuple(shlex.split(config.writer_command))
    except ValueError as error:
        message = f"gitmem.writer.command cannot be taken apart: {error}"
        raise Refused(Code.WRITER_PRECONDITION_FAILED, message) from error
    if not command:
        message = "no command is set; `gitmem config gitmem.writer.command 'AGENT ARGUMENTS'` sets it"
        raise Refused(Code.WRITER_PRECONDITION_FAILED, message)
    named = re.split(r"[\s,]+", config.writer_command_variables.strip())
    passed = {name: value for name, value in environment.items() if name in PASSED or name.startswith("LC_")}
    secrets = {name: environment[name] for name in named if name in environment}
    return CommandAgent(command, runtime, passed, secrets, config.writer_timeout)


def _take(folder: Path, bench: Workbench) -> None:
    """Stage what differs. Whatever stood in the folder was there to be read, so all of what changes counts as seen."""
    known = set(bench.paths())
    left = set()
    for place, text in read_topics(folder):
        path = TopicPath(place)  # whether it may be one, the transaction says
        if path in known or "/." not in place:
            left.add(path)
            _stage(bench, path, text)
    for path in sorted(known - left):
        _stage(bench, path, None)


def _stage(bench: Workbench, path: TopicPath, text: str | None) -> None:
    before = bench.text(path)
    if text != before:
        bench.show(ids_of(parse_topic(path, before or "").blocks))
        bench.put(path, text)
