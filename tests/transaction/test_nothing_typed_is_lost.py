"""Whatever is typed, written, refused and killed in whatever order: no text that stood in a file is lost.

architecture.md section 3, step 8; behaviours.md 0.8, 2.9. What stands in the working directory when gitmem begins, or
comes there while it works, is afterwards in the working directory, or in a commit that a ref leads to; and stays there.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from gitmem.errors import GitmemError
from gitmem.format.topic import parse_topic
from gitmem.ids import TopicPath
from gitmem.store.overlay import blob_id
from gitmem.transaction.options import STEPS, Options
from workspaces import Undertaker, make, reopened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.workspace import Workspace

ADA, BOB = "topics/people/ada.md", "topics/people/bob.md"
TOPICS = st.sampled_from([ADA, BOB])
FILES = st.sampled_from([ADA, ADA, BOB, "core.md", "timeline/2024.md", "topics/people/new.md"])
DEEDS = st.sampled_from(["word", "word", "loose", "paragraph", "cut", "crlf", "empty", "delete", "head"])
DEATHS = st.sampled_from([step for step in STEPS if "autosave" not in step])
WORDS = st.integers(0, 10_000)


@pytest.fixture(scope="module")
def undertaker() -> Iterator[Undertaker]:
    made = Undertaker()
    yield made
    made.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template") / "w"
    workspace = make(folder)
    for path in (ADA, BOB):
        workspace.remember("One likes tea.", path, time="2024")
        workspace.remember("Two lives in Basel.", path, time="2024")
    workspace.close()
    return folder


class Typing(RuleBasedStateMachine):
    """Somebody types and runs git and gitmem, while others write the memory and die."""

    template: Path
    undertaker: Undertaker

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.folder = self.root / "w"
        self.safe: dict[str, str] = {}
        """Texts that a ref leads to, by blob id, with where each stood: they have to stay."""

    @initialize()
    def begin(self) -> None:
        shutil.copytree(self.template, self.folder, symlinks=True)

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    # --- typing, which only whoever types can undo

    @rule(path=FILES, deed=DEEDS, word=WORDS)
    def types(self, path: str, deed: str, word: int) -> None:
        type_into(self.folder / path, deed, word)

    @rule()
    def stages(self) -> None:
        self.git("add", "-A")

    @rule(path=TOPICS)
    def renames(self, path: str) -> None:
        file = self.folder / path
        if file.is_file():
            file.rename(file.with_name("renamed.md"))

    # --- gitmem, which may lose nothing

    @rule(path=TOPICS, word=WORDS)
    def remembers(self, path: str, word: int) -> None:
        self.run(lambda workspace: workspace.remember(f"Claim {word}.", path, time="2024"))

    @rule(path=TOPICS, word=WORDS, step=DEATHS, deed=DEEDS)
    def remembers_while_somebody_types(self, path: str, word: int, step: str, deed: str) -> None:
        seen: list[Path] = []

        def type_at(name: str) -> None:
            if name == step and not seen:
                seen.append(self.folder / path)
                if seen[0].is_file():  # whoever types over a text has taken it away
                    self.standing.pop(blob_id(seen[0].read_bytes()), None)
                type_into(self.folder / path, deed, word)
                self.standing.update(self.on_disk())

        self.run(lambda workspace: workspace.remember(f"Claim {word}.", path, time="2024"), type_at)

    @rule(path=TOPICS, word=WORDS)
    def changes_a_claim(self, path: str, word: int) -> None:
        def change(workspace: Workspace) -> None:
            memory = workspace.memory()
            text = (memory.snapshot.read(path) or b"").decode().replace(" likes ", f" likes {word} ")
            changes = [{"path": path, "action": "write", "content": text}]
            workspace.update({"base_revision": memory.revision, "changes": changes})

        self.run(change)

    @rule(step=DEATHS, how=st.sampled_from(["kill", "exit"]), word=WORDS)
    def remembers_and_dies(self, step: str, how: str, word: int) -> None:
        self.run(lambda _: self.undertaker.remember_and_die(self.folder, step, how, f"Claim {word}."))

    @rule(step=DEATHS)
    def commits_and_dies(self, step: str) -> None:
        self.run(lambda _: self.undertaker.commit_and_die(self.folder, step, "kill"))

    @rule(amend=st.booleans())
    def commits(self, amend: bool) -> None:
        self.run(lambda workspace: workspace.commit_edits(amend=amend))

    @rule(path=TOPICS, word=WORDS, loose=st.booleans(), meanwhile=st.booleans(), retry=st.booleans())
    def edits(self, path: str, word: int, loose: bool, meanwhile: bool, retry: bool) -> None:
        def edit(workspace: Workspace) -> None:
            copy = workspace.staged_copy(path, retry=retry)
            text = copy.shown.replace(" lives ", f" lives {word} ") + ("\nLoose.\n" if loose else "")
            if meanwhile:
                workspace.remember(f"Claim {word}.", path, time="2024")
            workspace.commit_copy(copy, text)

        self.run(edit)

    @rule()
    def undoes(self) -> None:
        self.run(lambda workspace: workspace.undo())

    @rule()
    def recovers(self) -> None:
        self.run(lambda workspace: workspace.memory())

    # ---

    def run(self, call: Callable[[Workspace], object], on_step: Callable[[str], None] | None = None) -> None:
        self.standing = self.on_disk()
        with suppress(GitmemError):
            workspace = reopened(self.folder)
            if on_step is not None:
                workspace.options = Options(on_step=on_step)
            call(workspace)
            workspace.close()
        reachable = set(self.git("rev-list", "--objects", "--all", "--no-object-names").split())
        lost = {path for oid, path in self.standing.items() if oid not in {*reachable, *self.on_disk()}}
        assert lost == set()
        assert {path for oid, path in self.safe.items() if oid not in reachable} == set()
        self.safe.update({oid: path for oid, path in self.standing.items() if oid in reachable})

    def on_disk(self) -> dict[str, str]:
        files = [path for path in self.folder.rglob("*") if path.is_file() and ".git/" not in str(path)]
        return {blob_id(path.read_bytes()): str(path.relative_to(self.folder)) for path in files}

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=X", "-c", "user.email=x@example.invalid", *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, check=False, text=True).stdout

    @invariant()
    def no_claim_is_committed_twice_or_broken(self) -> None:
        if not self.folder.exists():
            return
        for path in (ADA, BOB):
            text = self.git("show", f"HEAD:{path}")
            assert parse_topic(TopicPath(path), text).defects == ()


def type_into(file: Path, deed: str, word: int) -> None:
    """One thing that people do to a file."""
    text = file.read_text() if file.is_file() else ""
    head, _, rest = text.partition("\n")
    deeds = {
        "word": text.replace(" tea", f" tea {word}", 1),
        "loose": f"{text}\nHalf a thought {word}",
        "paragraph": f"{text}\nClaim {word}.[^e1]\n\n[^e1]: Time: `2024`; Sources: x/y/z\n",
        "cut": "\n\n".join(text.split("\n\n")[:-1]),
        "crlf": text.replace("\n", "\r\n"),
        "empty": "",
        "head": f"{head} {word}\n{rest}",
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    if deed == "delete":
        file.unlink(missing_ok=True)
    else:
        with file.open("w", newline="") as stream:
            stream.write(deeds[deed])


def test_nothing_that_stood_in_a_file_is_lost(template: Path, undertaker: Undertaker) -> None:
    machine = type("Machine", (Typing,), {"template": template, "undertaker": undertaker})
    run_state_machine_as_test(machine, settings=settings(max_examples=6, stateful_step_count=14))


def kept(folder: Path) -> set[str]:
    """Every blob that a ref leads to."""
    command = ["git", "rev-list", "--objects", "--all", "--no-object-names"]
    return set(subprocess.run(command, cwd=folder, capture_output=True, check=True, text=True).stdout.split())


@pytest.mark.parametrize("step", [step for step in STEPS if step.startswith("after") and "autosave" not in step])
def test_a_commit_that_dies_took_the_edit_or_left_it(
    tmp_path: Path, template: Path, undertaker: Undertaker, step: str
) -> None:
    folder = tmp_path / "w"
    shutil.copytree(template, folder, symlinks=True)
    file = folder / ADA
    text = file.read_text()
    source = text.split("](")[1].split(")")[0]
    file.write_text(f"{text}\nThree plays chess.[^e1]\n\n[^e1]: Time: `2024`; Sources: [said]({source})\n")
    typed = file.read_bytes()
    assert undertaker.commit_and_die(folder, step, "kill") == "reached"
    workspace = reopened(folder)
    committed = workspace.memory().snapshot.read(ADA)
    assert (b"chess" in (committed or b"")) == (STEPS.index(step) >= STEPS.index("after-ref-move"))
    if b"chess" in (committed or b""):
        assert file.read_bytes() == committed
        assert blob_id(typed) in kept(folder)
    else:
        assert file.read_bytes() == typed
        assert workspace.commit_edits().memory_committed
    assert not workspace.commit_edits().memory_committed
    assert file.read_bytes() == workspace.memory().snapshot.read(ADA)


@pytest.mark.parametrize("step", [step for step in STEPS if step.startswith("after") and "autosave" not in step])
def test_a_writer_that_dies_while_a_file_is_edited_leaves_the_edit(
    tmp_path: Path, template: Path, undertaker: Undertaker, step: str
) -> None:
    folder = tmp_path / "w"
    shutil.copytree(template, folder, symlinks=True)
    file = folder / ADA
    file.write_text(file.read_text().replace("likes tea", "likes milk"))
    typed = file.read_bytes()
    assert undertaker.remember_and_die(folder, step, "kill", "Three plays chess.") == "reached"
    workspace = reopened(folder)
    assert b"likes milk" in file.read_bytes()
    assert file.read_bytes() == typed or blob_id(typed) in kept(folder)
    workspace.commit_edits()
    committed = workspace.memory().snapshot.read(ADA) or b""
    assert b"likes milk" in committed
    assert (b"chess" in committed) == (STEPS.index(step) >= STEPS.index("after-ref-move"))
    assert file.read_bytes() == committed
