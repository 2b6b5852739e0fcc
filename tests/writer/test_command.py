"""Somebody else's agent, run as a command on a private copy of the topics (behaviours.md 0.7, 0.16, 0.19, 10.15)."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Refused
from gitmem.ids import TopicPath
from gitmem.workspace import Workspace
from gitmem.writer.command import PASSED
from gitmem.writer.command_room import FOLDER
from untouched import byte_identical
from workspaces import ME, reopened
from writing import NOTES, PEOPLE, SESSION, workspace_with, written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.writer.write import WriteAnswer

TALK = ("Ada likes tea.", "Bob likes coffee.")
NOTE = f"""cat > topics/notes.md <<'END'
# Notes

Ada likes tea.[^e1]

[^e1]: Time: `2024-03-15`; Sources: [tea]({SESSION}/m1)
END
"""
UNCITED = "printf '# Notes\\n\\nNobody said this.\\n' > topics/notes.md\n"
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "MY_KEY": "s3cret-value", "CLAUDECODE": "1"}


@dataclass
class Bench:
    """A workspace with two turns to write, and a place for scripts and what they leave outside."""

    workspace: Workspace
    outside: Path

    def write(self, script: str, *, dry_run: bool = False, **settings: float | str) -> WriteAnswer:
        """Write with a shell script for an agent; ``$OUT`` in it is a folder outside of the workspace."""
        program = self.outside / "agent"
        program.write_text(f"#!/bin/sh\nset -e\nOUT={shlex.quote(str(self.outside))}\n{script}")
        program.chmod(0o700)
        return self.run(shlex.quote(str(program)), dry_run=dry_run, **settings)

    def run(self, command: str, *, dry_run: bool = False, **settings: float | str) -> WriteAnswer:
        config = replace(self.workspace.config, writer_command=command, **settings)  # type: ignore[arg-type]
        with Workspace.open(self.workspace.repo.path, ME, config, ENVIRONMENT) as workspace:
            return workspace.write(force=True, writer="command", dry_run=dry_run)

    def left(self, name: str) -> str:
        return (self.outside / name).read_text()

    @property
    def rooms(self) -> list[str]:
        folder = self.workspace.repo.gitmem_dir / FOLDER
        return [path.name for path in folder.iterdir()] if folder.is_dir() else []


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    outside = tmp_path / "outside"
    outside.mkdir()
    made = workspace_with(tmp_path / "w", *TALK)
    made.remember("Ada was born.", "people/ada.md", time="1815")
    return Bench(made, outside)


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(bench: Bench) -> Iterator[None]:
    yield
    assert bench.rooms == []


def code(answer: WriteAnswer) -> str | None:
    return None if answer.failure is None else answer.failure.reason_code


def refused(bench: Bench, script: str, **settings: float | str) -> WriteAnswer:
    """Write, see that nothing changed, and that no turn is lost."""
    with byte_identical(bench.workspace.repo.path):
        answer = bench.write(script, **settings)
    assert answer.pending_turns == len(TALK)
    return answer


# --- what it sees, and what comes back


def test_what_it_changes_comes_back_as_one_transaction(bench: Bench) -> None:
    answer = bench.write(NOTE)
    assert (code(answer), answer.writer, answer.pending_turns) == (None, "command", 0)
    assert [claim.content for claim in answer.claims.added] == ["Ada likes tea."]
    assert written(bench.workspace) == ["Ada likes tea."]
    assert bench.workspace.log().transactions[0].author.name == "gitmem command agent writer"


def test_a_dry_run_shows_the_same_and_changes_nothing(bench: Bench) -> None:
    answer = bench.write(NOTE, dry_run=True)
    assert [claim.content for claim in answer.claims.added] == ["Ada likes tea."]
    assert written(bench.workspace) == []


def test_it_sees_the_topics_and_no_archive(bench: Bench) -> None:  # behaviours.md 0.7, 8.9
    bench.write(
        f"find . | sort > $OUT/found; cp topics/people/ada.md $OUT/ada; git status > $OUT/git 2>&1 || :\n{NOTE}"
    )
    assert bench.left("found").split() == [".", "./topics", "./topics/people", "./topics/people/ada.md"]
    assert bench.left("ada") == bench.workspace.memory().snapshot.read(PEOPLE).decode()  # type: ignore[union-attr]
    assert "not a git repository" in bench.left("git")


def test_it_reads_the_task_on_its_standard_input(bench: Bench) -> None:  # behaviours.md 8.5, 10.11
    bench.write(f"cat > $OUT/task\n{NOTE}")
    task = bench.left("task")
    assert f'{{"ref":"{SESSION}/m1","speaker":"user","content":"Ada likes tea."}}' in task.split("\n")
    for told in (
        "Review every supplied record",
        "NOTHING TO RECORD: ",
        "REMOVED ^f888f60e: ",
        '"topics/people/ada.md"',
    ):
        assert told in task


def test_what_nobody_vouches_for_is_not_among_it(tmp_path: Path, bench: Bench) -> None:  # behaviours.md 8.18
    file = tmp_path / "group.jsonl"
    lines = ({"id": f"g{n}", "content": f"Stranger {n} speaks.", "speaker_id": str(n)} for n in (1, 2))
    file.write_text("\n".join(json.dumps(line) for line in lines))
    bench.workspace.ingest([file])
    bench.write(f"cat > $OUT/task\n{NOTE}")
    assert "Stranger" not in bench.left("task")


def test_its_folder_is_its_owners_alone_and_not_the_systems(bench: Bench) -> None:  # behaviours.md 0.7, 17.2, 17.3
    bench.write(f"pwd > $OUT/pwd; stat -c %a . .. topics topics/people topics/people/ada.md > $OUT/modes\n{NOTE}")
    assert bench.left("pwd").startswith(str(bench.workspace.repo.gitmem_dir / FOLDER))
    assert bench.left("modes").split() == ["700", "700", "700", "700", "600"]


def test_a_file_that_moves_keeps_its_blocks_and_links(bench: Bench) -> None:  # behaviours.md 2.4
    (ada,) = bench.workspace.memory().facts.of_topic(PEOPLE)
    other = reopened(bench.workspace.repo.path)
    other.remember(f"See [her](people/ada.md#^{ada.id}).", "links.md", time="2024")
    answer = bench.write("mkdir -p topics/a/b && mv topics/people/ada.md topics/a/b/ada.md")
    assert (code(answer), answer.claims.removed) == (None, ())
    (moved,) = bench.workspace.memory().facts.of_topic(TopicPath("topics/a/b/ada.md"))
    assert (moved.id, moved.content, moved.evidence[0].sources[0].resolved) == (
        ada.id,
        ada.content,
        ada.evidence[0].sources[0].resolved,
    )
    assert written(bench.workspace, TopicPath("topics/links.md")) == [f"See [her](a/b/ada.md#^{ada.id})."]
    assert bench.workspace.check(all_history=True).ok


# --- what it says


@pytest.mark.parametrize(
    "saying",
    [
        "echo 'NOTHING TO RECORD: small talk' > outcome.txt",
        "echo 'Looked at everything.'; echo; echo '**NOTHING TO RECORD**'; echo",
        "printf 'thinking...\\nNOTHING TO RECORD: small talk'",
    ],
)
def test_it_may_say_that_nothing_is_worth_recording(bench: Bench, saying: str) -> None:  # behaviours.md 0.16
    answer = bench.write(saying)
    assert (code(answer), answer.pending_turns, answer.claims.added) == (None, 0, ())


@pytest.mark.parametrize(
    "saying",
    ["true", "cat", "cat >&2", "echo 'NOTHING TO RECORD: x'; echo 'no, wait'", "echo 'I found nothing to record.'"],
)
def test_saying_nothing_is_no_progress_and_so_is_an_echo_of_the_task(bench: Bench, saying: str) -> None:  # 10.4
    assert code(refused(bench, saying)) == Code.WRITER_NO_PROGRESS


def test_a_removal_has_its_reason(bench: Bench) -> None:  # behaviours.md 0.19
    (ada,) = bench.workspace.memory().facts.of_topic(PEOPLE)
    for number, say in enumerate(
        (f"echo 'REMOVED ^{ada.id}: superseded' > outcome.txt", f"echo 'REMOVED {ada.id}: over'")
    ):
        answer = bench.write(f"rm topics/people/ada.md\n{say}", dry_run=not number)
        assert [claim.id for claim in answer.claims.removed] == [ada.id]
    head = bench.workspace.log().transactions[0].revision
    assert f"removed ^{ada.id}: superseded" in bench.workspace.repo.git[head].message


def test_a_removal_without_a_reason_is_asked_for_it_in_a_second_run(bench: Bench) -> None:  # behaviours.md 0.19, 10.6
    (ada,) = bench.workspace.memory().facts.of_topic(PEOPLE)
    answer = bench.write(
        f"""cat > $OUT/task
rm -f topics/people/ada.md
if grep -q '^# Refused' $OUT/task; then echo 'REMOVED ^{ada.id}: wrong' > outcome.txt; fi
"""
    )
    assert [claim.id for claim in answer.claims.removed] == [ada.id]
    assert '"code":"removal-without-reason"' in bench.left("task")
    assert "REMOVED ^f888f60e: " in bench.left("task")


@pytest.mark.parametrize("saying", ["true", "echo 'REMOVED ^ffffffff: wrong' > outcome.txt", "echo 'It was wrong.'"])
def test_topics_do_not_go_without_a_reason(bench: Bench, saying: str) -> None:  # behaviours.md 0.19
    answer = refused(bench, f"echo >> $OUT/runs\nrm -f topics/people/ada.md\n{NOTE}{saying}")
    assert code(answer) == Code.WRITER_BUDGET_EXCEEDED
    assert bench.left("runs") == "\n\n"


# --- repair


def test_a_refusal_is_told_in_a_second_run_that_goes_on_from_the_first(bench: Bench) -> None:  # behaviours.md 10.6
    answer = bench.write(
        f"""cat > $OUT/task
if grep -q '^# Refused' $OUT/task; then cat topics/notes.md > $OUT/notes; {NOTE}
else {UNCITED} fi
"""
    )
    assert (code(answer), written(bench.workspace)) == (None, ["Ada likes tea."])
    assert "Nobody said this." in bench.left("notes")
    assert '"code":"uncited-text"' in bench.left("task")


def test_what_is_refused_twice_is_rejected(bench: Bench) -> None:
    assert code(refused(bench, f"echo >> $OUT/runs\n{UNCITED}")) == Code.COMMIT_REJECTED
    assert bench.left("runs") == "\n\n"


# --- how it ends


def test_a_failing_command_is_a_failure_with_its_last_words(bench: Bench) -> None:
    answer = refused(bench, f"{NOTE}\necho started >&2; echo 'no such model' >&2; exit 3")
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.failure.retryable) == (Code.WRITER_FAILURE_UNKNOWN, False)
    assert answer.failure.message == "the writer's command agent ended with status 3: no such model"


def test_a_command_may_ask_to_be_tried_later(bench: Bench) -> None:
    answer = refused(bench, "echo overloaded; exit 75")
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.failure.retryable) == (Code.WRITER_UNAVAILABLE, True)


def test_a_command_that_is_killed_is_a_failure(bench: Bench) -> None:
    answer = refused(bench, "kill -9 $$")
    assert answer.failure is not None
    assert answer.failure.message == "the writer's command agent ended with status 137"


def test_what_it_says_is_short_and_without_secrets(bench: Bench) -> None:  # behaviours.md 12.3
    long = "$(head -c 9000 /dev/zero | tr '\\0' x)"
    said = f"""'key %s, sk-live0123456789abcdefgh at https://me:pass@host/ %s\\033[0m\\n' "$MY_KEY" "{long}" """
    answer = refused(bench, f"printf {said} >&2; exit 1", writer_command_variables="MY_KEY")
    assert answer.failure is not None
    message = answer.failure.message
    assert "key [...], [...] at https://[...]@host/" in message
    assert len(message) < 300
    assert "\033" not in message


def until_gone(processes: list[int]) -> None:
    """Wait for processes to end: the kernel takes a moment between the death of one and of the others."""
    deadline = time.monotonic() + 30
    while any(is_running(process) for process in processes):
        assert time.monotonic() < deadline


def is_running(process: int) -> bool:
    """Whether it still does anything; one that ended may wait for whoever takes orphans in."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(done.stdout) and not done.stdout.startswith("Z")


def test_a_command_that_takes_too_long_is_stopped_with_all_that_it_started(bench: Bench) -> None:
    began = time.monotonic()
    answer = refused(bench, "(sleep 600; echo) & echo $! > $OUT/child; echo $$ > $OUT/parent; wait", writer_timeout=0.5)
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.failure.retryable) == (Code.MODEL_TIMEOUT, True)
    assert time.monotonic() - began < 60
    until_gone([int(bench.left("child")), int(bench.left("parent"))])


def test_a_command_that_does_not_want_to_end_is_killed(bench: Bench) -> None:
    script = "trap '' TERM; echo $$ > $OUT/parent; while :; do sleep 600 & wait; done"
    assert code(refused(bench, script, writer_timeout=0.5)) == Code.MODEL_TIMEOUT
    until_gone([int(bench.left("parent"))])


def test_what_it_leaves_running_is_ended_and_changes_nothing_any_more(bench: Bench) -> None:
    answer = bench.write(f"(sleep 600; echo) & echo $! > $OUT/child\n{NOTE}")
    assert code(answer) is None
    until_gone([int(bench.left("child"))])


def test_what_fled_from_its_group_holds_nobody_up(bench: Bench) -> None:
    began = time.monotonic()
    answer = bench.write(
        """setsid sh -c 'echo $$ > '$OUT'/child; while :; do echo noise; echo x > topics/notes.md || exit; done' &
while [ ! -s $OUT/child ]; do :; done
echo 'NOTHING TO RECORD' > outcome.txt"""
    )
    os.kill(int(bench.left("child")), signal.SIGKILL)
    assert time.monotonic() - began < 60
    # Whatever stood in the file at the moment it was read: nothing, half of it, or what was there before.
    assert code(answer) in {None, Code.COMMIT_REJECTED, Code.INVALID_TOPIC_FORMAT, Code.WRITER_NO_PROGRESS}
    bench.write(NOTE)  # clears away what could not be


def test_a_talkative_command_and_one_that_reads_nothing_are_no_trouble(bench: Bench) -> None:
    zeros = "head -c 30000000 /dev/zero"
    answer = bench.write(f"exec 0<&-; {zeros} | tr '\\0' x; {zeros} >&2; echo; echo 'NOTHING TO RECORD'")
    assert code(answer) is None


# --- files that nobody asked for


def test_only_markdown_below_topics_is_taken(bench: Bench) -> None:
    answer = bench.write(
        f"""{NOTE}
mkdir -p .git/hooks sources topics/.git topics/.obsidian
echo '#!/bin/sh' > .git/hooks/pre-commit; echo x > sources/a.md; echo x > core.md; echo x > .gitmem
echo x > topics/notes.txt; echo x > topics/.obsidian/x.md; echo x > topics/.git/config; echo x > topics/.git/x.md
ln -s /etc/passwd passwd; ln -s /etc topics/etc; ln -s /etc/passwd topics/passwd; mkfifo topics/pipe
chmod 777 topics/notes.md
"""
    )
    assert (code(answer), written(bench.workspace)) == (None, ["Ada likes tea."])
    tree = bench.workspace.memory().snapshot
    assert [entry.path for entry in tree.entries("topics")] == [NOTES, PEOPLE]
    entry = tree.entry(NOTES)
    assert entry is not None
    assert entry.mode == 0o100644


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("ln -s /etc/passwd topics/x.md", Code.INVALID_TOPIC_FORMAT),
        ("ln -sf ada.md topics/people/ada.md", Code.INVALID_TOPIC_FORMAT),
        ("ln -s nowhere topics/x.md", Code.INVALID_TOPIC_FORMAT),
        ("mkfifo topics/x.md", Code.INVALID_TOPIC_FORMAT),
        ("printf 'caf\\351' > topics/x.md", Code.INVALID_TOPIC_FORMAT),
        ("printf x > \"$(printf 'topics/caf\\351.md')\"", Code.INVALID_TOPIC_FORMAT),
        ("head -c 5000000 /dev/zero > topics/x.md", Code.INVALID_TOPIC_FORMAT),
        ("truncate -s 90G topics/x.md", Code.INVALID_TOPIC_FORMAT),
        ("rm -rf topics", Code.WRITER_FAILURE_UNKNOWN),
        ("rm -rf topics; ln -s /etc topics", Code.WRITER_FAILURE_UNKNOWN),
        ('rm -rf "$PWD"', Code.WRITER_FAILURE_UNKNOWN),
        ("d=topics; for n in $(seq 40); do d=$d/d; done; mkdir -p $d", Code.WRITER_FAILURE_UNKNOWN),
        ("printf 'a\\0b' > topics/x.md", Code.COMMIT_REJECTED),
        ("echo x > topics/CON.md", Code.COMMIT_REJECTED),
        ("echo x > topics/people/ADA.md", Code.COMMIT_REJECTED),
    ],
)
def test_what_cannot_be_taken_refuses_all_of_it(bench: Bench, script: str, expected: Code) -> None:
    assert code(refused(bench, f"{NOTE}{script}")) == expected


def test_a_folder_that_is_locked_against_everybody_is_removed_all_the_same(bench: Bench) -> None:
    assert code(bench.write(f"{NOTE}mkdir -p a/b/c; chmod 000 a/b; chmod 500 a topics")) is None


def test_an_emptied_memory_is_refused_by_the_budget(bench: Bench) -> None:  # gitmem.writer.maxRemovedShare
    other = reopened(bench.workspace.repo.path)
    for number in range(4):
        other.remember(f"Fact number {number} is told.", f"facts/f{number}.md", time="2024")
    assert code(refused(bench, "find topics -name '*.md' -delete")) == Code.WRITER_BUDGET_EXCEEDED
    assert len(written(bench.workspace, PEOPLE)) == 1


# --- how it is started


def test_it_gets_what_a_login_needs_and_what_is_named(bench: Bench) -> None:  # behaviours.md 10.15
    bench.write(f"env > $OUT/env\n{NOTE}", writer_command_variables="MY_KEY, MISSING")
    names = {line.partition("=")[0] for line in bench.left("env").split("\n") if "=" in line}
    assert names - {"PWD", "SHLVL", "_", "OLDPWD", "LC_CTYPE"} == {"PATH", "HOME", "MY_KEY", "GIT_CEILING_DIRECTORIES"}
    assert "MY_KEY" not in PASSED


def test_no_shell_reads_the_command(bench: Bench) -> None:
    script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(repr(sys.argv[2:])); print('NOTHING TO RECORD')"
    arguments = ("-c", script, str(bench.outside / "arguments"), "$HOME", "a b; rm -rf *", "*")
    assert code(bench.run(shlex.join([sys.executable, *arguments]))) is None
    assert bench.left("arguments") == "['$HOME', 'a b; rm -rf *', '*']"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("no-such-agent --now", Code.WRITER_UNAVAILABLE),
        ("/no/such/agent", Code.WRITER_UNAVAILABLE),
        ("/etc/passwd", Code.WRITER_UNAVAILABLE),
        ("~/agent", Code.WRITER_UNAVAILABLE),
        ("env no-such-agent", Code.WRITER_UNAVAILABLE),
        ("bin/agent", Code.WRITER_PRECONDITION_FAILED),
    ],
)
def test_what_cannot_be_started_is_said(bench: Bench, command: str, expected: Code) -> None:
    assert code(bench.run(command)) == expected


def test_a_program_that_is_none_cannot_be_started(bench: Bench) -> None:
    program = bench.outside / "agent"
    program.write_bytes(b"\x7fELF no program")
    program.chmod(0o700)
    assert code(bench.run(str(program))) == Code.WRITER_UNAVAILABLE


@pytest.mark.parametrize("command", ["", "  ", "agent 'half a quotation"])
def test_a_setting_that_names_no_command_is_refused(bench: Bench, command: str) -> None:
    with pytest.raises(Refused) as caught:
        bench.run(command)
    assert caught.value.code is Code.WRITER_PRECONDITION_FAILED


# --- gitmem dies

DIE = """
import sys
from pathlib import Path
from gitmem.config import Config
from gitmem.request import Person
from gitmem.workspace import Caller, Workspace

folder, command, path = sys.argv[1:]
caller = Caller(Person("Test", "test@example.invalid"))
config = Config(fsync=False, writer_command=command)
Workspace.open(Path(folder), caller, config, {"PATH": path}).write(force=True, writer="command")
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_gitmem_takes_its_agent_along_and_the_next_run_clears_up(bench: Bench, how: signal.Signals) -> None:
    fifo = bench.outside / "started"
    os.mkfifo(fifo)
    program = bench.outside / "slow"
    program.write_text(f"#!/bin/sh\n{NOTE}sleep 600 &\necho $$ $! > {shlex.quote(str(fifo))}\nwait\n")
    program.chmod(0o700)
    command = [sys.executable, "-c", DIE, str(bench.workspace.repo.path), str(program), ENVIRONMENT["PATH"]]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as gitmem:
        agents = [int(text) for text in fifo.read_text().split()]
        gitmem.send_signal(how)
        gitmem.wait()
    until_gone(agents)
    assert (len(bench.rooms) > 0) == (how is not signal.SIGINT)  # an interruption is cleared up at once
    assert bench.workspace.pending_turns() == len(TALK)
    assert code(bench.write(NOTE)) is None
    assert written(bench.workspace) == ["Ada likes tea."]


def test_a_folder_that_another_run_works_in_is_left_alone(bench: Bench) -> None:
    other = [sys.executable, "-c", DIE, str(bench.workspace.repo.path), str(bench.outside / "agent")]
    answer = bench.write(
        f"""if [ -e $OUT/inner ]; then {NOTE} else touch $OUT/inner
{shlex.join([*other, ENVIRONMENT["PATH"]])}
ls topics > $OUT/still; echo 'NOTHING TO RECORD'; fi"""
    )
    assert code(answer) is None
    assert bench.left("still") == "people\n"
