"""A memory in which everything that its owner alone may see holds a word that stands nowhere else."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.authority import IN_PERSON, NOBODY, OWNER, PAIRED, Authority
from gitmem.format.layout import anchor
from gitmem.format.model import Tier, TrustState
from gitmem.ids import SourceId, TopicPath
from gitmem.request import CreateRecord, Destination, NewSource, NoEdit, RecordsEdit, SourceRef
from gitmem.workspace import Workspace
from gitmem.writer.base import WriterResult
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gitmem.writer.base import Batch, Memory, Refusal

READERS: dict[str, Authority] = {"owner": OWNER, "paired": PAIRED, "nobody": NOBODY}

HIDDEN = "zanzibar"
"""Stands in whatever a paired reader may not see: words, names, paths, headings, subjects."""

CLAIMS: dict[str, tuple[str, tuple[str, ...], str, tuple[str, ...]]] = {
    "owner's": ("people/ada", ("Ada",), f"Ada hides {HIDDEN} tea.", ("own1",)),
    "shared": ("people/ada", ("Ada",), "Ada likes green tea.", ("pair1",)),
    "mixed": ("people/ada", ("Ada",), f"Ada and {HIDDEN} drink tea.", ("pair1", "own1")),
    "stranger's": ("people/ada", ("Ada", f"The {HIDDEN}"), f"A stranger at {HIDDEN} drinks tea.", ("stranger",)),
    "vouched for, for all": ("places/harbour", ("Harbour",), "The harbour sells tea.", ("vouched-paired",)),
    "vouched for, by the owner": ("places/harbour", ("Harbour",), f"The {HIDDEN} ship has tea.", ("vouched-owner",)),
    "alone": (f"places/{HIDDEN}", (f"{HIDDEN}",), f"The tea grows on {HIDDEN}.", ("own1",)),
    "linking": ("people/ada", ("Ada",), "Ada drinks tea at the harbour.", ("pair2",)),
}
"""Topic, headings, words, and the messages it rests on."""

SEEN = {"owner": frozenset(CLAIMS), "paired": frozenset({"shared", "vouched for, for all", "linking"})}

MESSAGES: dict[str, tuple[str, Tier | None, str, str]] = {
    "own1": ("own", Tier.OWNER, "1", f"I keep {HIDDEN} tea in the cellar"),
    "pair1": ("mixed", Tier.PAIRED, "2", "I like green tea"),
    "own2": ("mixed", Tier.OWNER, HIDDEN, f"Never tell them about {HIDDEN} tea"),
    "pair2": ("mixed", Tier.PAIRED, "2", "We drink tea at the harbour"),
    "stranger": ("mixed", None, "3", f"The {HIDDEN} has tea"),
    "vouched-paired": ("guests", None, "4", "The harbour sells tea"),
    "vouched-owner": ("guests", None, "5", f"The {HIDDEN} ship has tea"),
    "alone": (f"about-{HIDDEN}", Tier.OWNER, "1", f"The tea grows on {HIDDEN}"),
}
"""Thread, tier (``None``: nobody vouches), speaker, words."""

MESSAGES_SEEN = {"owner": frozenset(MESSAGES), "paired": frozenset({"pair1", "pair2", "vouched-paired"})}


@dataclass(frozen=True)
class Shared:
    """The memory: its folder, and the id of each claim."""

    folder: Path
    ids: dict[str, str]

    def opened(self, reader: str) -> Workspace:
        return Workspace.open(self.folder, replace(ME, authority=READERS[reader]), QUICK)

    def names(self, ids: Iterable[str]) -> frozenset[str]:
        """The claims that these ids are of."""
        known = {block: name for name, block in self.ids.items()}
        return frozenset(known[block] for block in ids if block in known)


@dataclass(frozen=True)
class Silent:
    """A writer that finds nothing worth recording."""

    name: str = "silent"
    signature: str = "silent"
    repairs: bool = False

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        return WriterResult(nothing_to_record=True)


def handle(message: str) -> SourceId:
    return SourceId(f"chat/{MESSAGES[message][0]}/{message}")


def share(folder: Path) -> Shared:
    """Make it; the owner's claims have subjects that hold the word, too."""
    make(folder).close()
    workspace = Workspace.open(folder, replace(ME, authority=IN_PERSON), QUICK)
    workspace.commit(workspace.request(NoEdit(), [_said(message) for message in MESSAGES]))
    workspace.promote([handle("vouched-paired")], paired=True, writer=Silent())
    workspace.promote([handle("vouched-owner")], writer=Silent())
    ids = {}
    for name, (topic, headings, words, messages) in CLAIMS.items():
        if name == "stranger's":
            continue
        place = Destination(TopicPath(f"topics/{topic}.md"), headings)
        sources = tuple(SourceRef(handle(message), "said") for message in messages)
        edit = RecordsEdit((CreateRecord(words, "2024-03-15", sources, place),))
        result = workspace.commit(workspace.request(edit, subject=f"memory: {name} of {HIDDEN}"))
        ids[name] = next(iter(result.block_ids.values()))
    workspace.close()
    ids["stranger's"] = _cited_by_hand(folder)
    return Shared(folder, ids)


def _said(message: str) -> NewSource:
    _, tier, speaker, words = MESSAGES[message]
    return NewSource(
        words,
        "user",
        handle=handle(message),
        timestamp="2024-03-15T10:00:00+00:00",
        speaker_id=speaker,
        speaker_display=f"Captain {HIDDEN}" if speaker == HIDDEN else f"Speaker {speaker}",
        trust_state=TrustState.PENDING if tier is None else TrustState.TRUSTED,
        tier=tier,
        principal_id=f"p{speaker}",
        speaker_kind="human",
    )


def _cited_by_hand(folder: Path) -> str:
    """A claim on a pending message, as somebody commits it past the checks."""
    topic, block = folder / "topics/people/ada.md", "0badcafe"
    _, headings, words, (message,) = CLAIMS["stranger's"]
    target = f"../../sources/chat/_v2/{MESSAGES[message][0]}.md#{anchor(handle(message))}"
    text = f"\n## {headings[-1]}\n\n{words}[^e-9] ^{block}\n\n[^e-9]: Time: `2024`; Sources: [said]({target})\n"
    topic.write_text(topic.read_text() + text)
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
    for command in (("add", "-A"), (*who, "commit", "-q", "--no-verify", "-m", f"about {HIDDEN}")):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    return block
