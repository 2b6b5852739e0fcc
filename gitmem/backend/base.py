"""What a host may ask of a memory, whatever keeps it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.config import Config

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gitmem.format.model import Tier
    from gitmem.request import Person
    from gitmem.writer.write import WriteFailure


@dataclass(frozen=True, slots=True)
class Host:
    """Where a host keeps its memory, and who it is: what a backend is made from.

    ``folder`` is the workspace, for backends that keep one. ``config`` says which backend, among others; ``author`` is
    who causes its commits; ``environment`` is where writers find keys and programs.
    """

    folder: Path
    author: Person
    config: Config = field(default_factory=Config)
    environment: Mapping[str, str] = field(default_factory=dict)


class MemoryBackend(ABC):
    """A memory for conversations. Only the name has to be given; every hook has a default that remembers nothing.

    Hooks never raise: a memory that fails is quiet, logs what failed under ``gitmem.backend`` (and no text of the
    memory), and the conversation goes on. ``tier`` is that of whoever the model speaks with; ``None``, somebody of whom
    nothing is known, is told nothing. ``session_id`` names a conversation, ``provider/thread``.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What ``gitmem.backend`` calls it."""

    def is_available(self) -> bool:
        """Whether it can be used here and now."""
        return True

    def initialize(self, session_id: str) -> None:  # noqa: B027  (a default)
        """A conversation begins."""

    def shutdown(self) -> None:  # noqa: B027  (a default)
        """The host ends; everything is let go of."""

    def system_prompt(self, tier: Tier | None) -> str:  # noqa: ARG002  (a default)
        """What a model is told at the start of a conversation: fenced text, ``""`` for nothing."""
        return ""

    def search(self, query: str, session_id: str, tier: Tier | None) -> str:  # noqa: ARG002  (a default)
        """What the memory says to a turn, before it is answered: fenced text of five results at most, or ``""``."""
        return ""

    def write(
        self,
        messages: Sequence[object] | None = None,  # noqa: ARG002  (a default)
        *,
        session_id: str,  # noqa: ARG002
        force: bool = False,  # noqa: ARG002
    ) -> WriteFailure | None:
        """Remember what was said: after each turn, and with ``force`` when a conversation ends or pauses.

        ``messages`` are for memories that keep no conversations themselves. ``None``: nothing that is due is left.
        """
        return None

    def extract_before_discard(self, messages: Sequence[object]) -> str:  # noqa: ARG002  (a default)
        """What of messages that are about to be cut from a context is worth keeping in it; writes nothing."""
        return ""

    def reorganize(self, **options: object) -> Mapping[str, object]:  # noqa: ARG002  (a default)
        """Put the memory in order, by night: ``{status, topics, changed_files}``, with ``reason_code`` on a failure."""
        return {"status": "ok", "topics": 0, "changed_files": []}
