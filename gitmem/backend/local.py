"""The memory that gitmem itself keeps: a workspace on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.authority import OWNER, PAIRED
from gitmem.backend.base import MemoryBackend
from gitmem.backend.quiet import quiet
from gitmem.errors import Code, GitmemError
from gitmem.format.model import Tier
from gitmem.request import Surface
from gitmem.runtime.injections import given
from gitmem.search.hits import BLOCK
from gitmem.workspace import Workspace
from gitmem.workspace.caller import Caller
from gitmem.writer.write import WriteFailure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.backend.base import Host

MOST_RESULTS = 5
"""What recall puts before a turn at most (16.3)."""

_AUTHORITIES = {Tier.OWNER: OWNER, Tier.PAIRED: PAIRED}
_SURFACE = "recall"


def _failed(error: Exception) -> WriteFailure | None:
    if isinstance(error, GitmemError):
        return WriteFailure(error.code, f"nothing was written: {error.code}", error.retryable)
    return WriteFailure(Code.WRITER_FAILURE_UNKNOWN, f"nothing was written: {type(error).__name__}", retryable=False)


def _not_in_order(error: Exception) -> Mapping[str, object]:
    code = error.code if isinstance(error, GitmemError) else Code.WRITER_FAILURE_UNKNOWN
    return {"status": "failed", "topics": 0, "changed_files": [], "reason_code": code}


class LocalBackend(MemoryBackend):
    """Hooks over one workspace, which is opened once for each tier; not for several threads at once."""

    def __init__(self, host: Host) -> None:
        """Nothing is opened before the first hook."""
        self._host = host
        self._opened: dict[Tier, Workspace] = {}

    @property
    def name(self) -> str:
        """``local``."""
        return "local"

    @quiet(lambda _error: False)
    def is_available(self) -> bool:
        """Whether there is a workspace that can be read."""
        return self._workspace(Tier.OWNER).memory().revision is not None

    @quiet(lambda _error: None)
    def initialize(self, session_id: str) -> None:  # noqa: ARG002  (a conversation costs nothing before it is used)
        """Open the workspace, so that the first turn need not wait for it."""
        self._workspace(Tier.OWNER).memory()

    @quiet(lambda _error: None)
    def shutdown(self) -> None:
        """Close everything."""
        for workspace in self._opened.values():
            workspace.close()
        self._opened.clear()

    @quiet(lambda _error: "")
    def system_prompt(self, tier: Tier | None) -> str:
        """The core of this tier, fenced."""
        if tier is None:
            return ""
        answer = self._workspace(tier).context()
        self._note(tier, None, answer.revision, answer.blocks, None)
        return answer.text

    @quiet(lambda _error: "")
    def search(self, query: str, session_id: str, tier: Tier | None) -> str:
        """What answers a turn: trusted, of this tier, five results at most."""
        if tier is None:
            return ""
        workspace = self._workspace(tier)
        answer = workspace.recall(query, k=min(MOST_RESULTS, workspace.config.search_top_k))
        blocks = tuple(hit.id for hit in answer.results if hit.kind == BLOCK)
        self._note(tier, session_id, answer.revision, blocks, query)
        return answer.text

    @quiet(_failed)
    def write(
        self,
        messages: Sequence[object] | None = None,
        *,
        session_id: str,
        force: bool = False,
    ) -> WriteFailure | None:
        """Fold what has gathered in a conversation, all of it with ``force`` (10.1 to 10.3)."""
        if not session_id:
            message = "a conversation has to be named: provider/thread"
            return WriteFailure(Code.MISSING_SESSION_ID, message, retryable=False)
        workspace = self._workspace(Tier.OWNER)
        return workspace.boundary(session_id) if force else workspace.after_turn(session_id, messages)

    @quiet(lambda _error: "")
    def extract_before_discard(self, messages: Sequence[object]) -> str:
        """What the messages state that is worth keeping."""
        return self._workspace(Tier.OWNER).extract_before_discard(messages)

    @quiet(_not_in_order)
    def reorganize(self, **options: object) -> Mapping[str, object]:
        """The nightly pass; ``dry_run`` says what it would do."""
        workspace = self._workspace(Tier.OWNER)
        answer = workspace.reorganize(dry_run=bool(options.get("dry_run")))
        failed = answer.failure
        return {
            "status": "ok" if failed is None else "failed",
            "topics": workspace.status().topics.files,
            "changed_files": list(answer.changed_files),
            **({} if failed is None else {"reason_code": failed.reason_code}),
        }

    def _workspace(self, tier: Tier) -> Workspace:
        if tier not in self._opened:
            host = self._host
            caller = Caller(host.author, Surface.BACKGROUND, _AUTHORITIES[tier])
            self._opened[tier] = Workspace.open(host.folder, caller, host.config, host.environment)
        return self._opened[tier]

    def _note(
        self, tier: Tier, session: str | None, revision: str | None, blocks: tuple[str, ...], query: str | None
    ) -> None:
        """Record what a model is given, so that somebody can ask later (``log --injected``)."""
        if not blocks:
            return
        workspace = self._workspace(tier)
        now = workspace.options.now()
        event = given(now, tier=tier, surface=_SURFACE, revision=revision, blocks=blocks, session=session, query=query)
        workspace.events.publish(event)


def make(host: Host) -> LocalBackend:
    """The backend for a host."""
    return LocalBackend(host)
