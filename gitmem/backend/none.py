"""No memory: every hook says so, and nothing is opened or created (14.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.backend.base import MemoryBackend
from gitmem.errors import Code
from gitmem.writer.write import WriteFailure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.backend.base import Host

_MESSAGE = "memory is switched off: gitmem.backend is none"


class NoBackend(MemoryBackend):
    """What a host talks to whose memory is switched off."""

    @property
    def name(self) -> str:
        """``none``."""
        return "none"

    def is_available(self) -> bool:
        """Never."""
        return False

    def write(
        self,
        messages: Sequence[object] | None = None,  # noqa: ARG002  (nothing is kept)
        *,
        session_id: str,  # noqa: ARG002
        force: bool = False,  # noqa: ARG002
    ) -> WriteFailure | None:
        """``MEMORY_DISABLED``."""
        return WriteFailure(Code.MEMORY_DISABLED, _MESSAGE, retryable=False)

    def reorganize(self, **options: object) -> Mapping[str, object]:  # noqa: ARG002  (there is nothing)
        """``MEMORY_DISABLED``."""
        return {"status": "disabled", "topics": 0, "changed_files": [], "reason_code": Code.MEMORY_DISABLED}


def make(host: Host) -> NoBackend:  # noqa: ARG001  (a factory)
    """The backend for a host."""
    return NoBackend()
