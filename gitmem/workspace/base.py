"""An open workspace: its repository, its catalogue, on whose behalf it is used, and the one way to write."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.authority import NOBODY
from gitmem.config import Config
from gitmem.errors import Code, Disabled
from gitmem.memory import read_memory
from gitmem.store.head import current_tip
from gitmem.store.leftovers import needs_recovery
from gitmem.store.repository import discover, open_repository
from gitmem.transaction.options import Options
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from gitmem.answers import Result
    from gitmem.authority import Authority
    from gitmem.catalog.catalog import Catalog
    from gitmem.conversations.store import ConversationStore
    from gitmem.ids import Oid, Revision
    from gitmem.memory import Memory
    from gitmem.policy.secrets import SecretPolicy
    from gitmem.request import Edit, NewSource, Request
    from gitmem.store.recovery import Action
    from gitmem.store.repository import Repo
    from gitmem.transaction.create import InitAnswer
    from gitmem.workspace.caller import Caller

    AskedCaller = Caller | Callable[[], Caller]


class OpenWorkspace:
    """One memory. Not for several threads at once; any number of processes may have it open."""

    def __init__(  # noqa: PLR0913  (what it is made of)
        self,
        repo: Repo,
        config: Config,
        caller: AskedCaller,
        options: Options | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        authority: Authority | None = None,
    ) -> None:
        """Use an open repository; ``options`` are for tests and hosts with a clock of their own.

        ``caller`` may be a function, which is asked when something is written: readers need not know what they are
        called. What they may do has to be known at once: ``authority``, else the caller's; nobody may do anything.
        ``environment`` is where writers find keys and programs. ``hosted`` is the store of a host that keeps
        conversations itself. ``recovered`` is what opening finished of an interrupted write. ``wrote`` says whether a
        transaction was published since.
        """
        self.repo = repo
        self.config = config
        self.environment = environment or {}
        self.hosted: ConversationStore | None = None
        self._caller = caller
        self.authority = authority or (NOBODY if callable(caller) else caller.authority)
        self.recovered: tuple[Action, ...] = ()
        self.wrote = False
        self.options = options or replace(_options(repo, config, self.environment), on_step=self._step)

    @classmethod
    def open(  # noqa: PLR0913  (the ways to open one)
        cls,
        path: Path,
        caller: AskedCaller,
        config: Config | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        authority: Authority | None = None,
        conversations: ConversationStore | None = None,
        recovering: bool = True,
    ) -> Self:
        """Open the workspace whose root is ``path``, finishing first what an interrupted process left.

        Without ``recovering`` that is left to whoever calls ``doctor``, which says what it cannot finish.

        A host that keeps conversations itself passes its store as ``conversations``; the workspace then reads, marks
        and adds to that one, and closes it not.

        Raises ``NotFound`` (``WORKSPACE_NOT_FOUND``), ``Disabled`` when the settings switch memory off, and
        ``Conflict`` when a recovery is due while somebody writes.
        """
        known = config or Config()
        _require_enabled(known)
        repo = open_repository(path, fsync=known.fsync)
        workspace = cls(repo, known, caller, environment=environment, authority=authority)
        workspace.hosted = conversations
        if recovering and needs_recovery(repo):
            from gitmem.store.recovery import recover  # noqa: PLC0415  (only after an interruption)

            workspace.recovered = recover(repo, timeout=known.lock_timeout)
        return workspace

    @classmethod
    def discover(cls, path: Path, caller: AskedCaller, config: Config | None = None) -> Self:
        """Open the workspace that ``path`` is inside of; raises as ``open`` does."""
        known = config or Config()
        _require_enabled(known)
        return cls.open(discover(path, fsync=known.fsync).path, caller, known)

    @classmethod
    def create(  # noqa: PLR0913  (what a workspace is made of)
        cls,
        path: Path,
        caller: Caller,
        config: Config | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        bare: bool = False,
        adopt: Path | None = None,
    ) -> InitAnswer:
        """Make a workspace, or answer ``created=False`` for one that stands there (``cli.md``, ``init``)."""
        from gitmem.request import NoEdit, Request  # noqa: PLC0415  (with the rest of this method)
        from gitmem.transaction.create import create_workspace  # noqa: PLC0415

        known = config or Config()
        _require_enabled(known)
        request = Request(
            edit=NoEdit(),
            authority=caller.authority,
            surface=caller.surface,
            author=caller.author,
            subject="memory: create the workspace",
        )
        around = environment or {}
        return create_workspace(
            path, request, lambda repo: _options(repo, known, around), bare=bare, adopt=adopt, fsync=known.fsync
        )

    @cached_property
    def caller(self) -> Caller:
        """On whose behalf it is used."""
        return self._caller() if callable(self._caller) else self._caller

    def _step(self, name: str) -> None:
        """Note that a transaction of this process was published; for whoever looks after the repository."""
        self.wrote = self.wrote or name == "after-ref-move"

    def __enter__(self) -> Self:
        """Use it in a ``with`` statement, which closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it, whatever happened."""
        self.close()

    def close(self) -> None:
        """Let go of the catalogue."""
        if "catalog" in self.__dict__:
            self.catalog.close()

    @cached_property
    def catalog(self) -> Catalog:
        """The catalogue of this worktree; opened when first needed."""
        from gitmem.catalog.catalog import Catalog  # noqa: PLC0415

        return Catalog.open(self.repo)

    # --- reading

    @needs(Capability.READ)
    def memory(self, at: str | None = None) -> Memory:
        """The memory as the caller may see it, current or at a REV, answerable until the next read or write.

        Raises ``NotFound`` (``REVISION_NOT_FOUND``), also on a branch without a commit.
        """
        tip = current_tip(self.repo)
        commit = tip if at is None else self.resolve(at)
        return read_memory(self.repo, self.catalog, commit, tip, self.authority.tier)

    @needs(Capability.READ)
    def resolve(self, revision: str) -> Oid:
        """The commit that a REV names (``cli.md``). Raises ``NotFound`` (``REVISION_NOT_FOUND``)."""
        from gitmem.history.revisions import resolve_revision  # noqa: PLC0415

        return resolve_revision(self.repo, revision, now=self.options.now(), reader=self.authority.tier)

    # --- writing

    @needs(Capability.APPEND)
    def commit(self, request: Request) -> Result:
        """Carry out any request (``behaviours.md`` part 3)."""
        from gitmem.transaction.commit import commit  # noqa: PLC0415

        return commit(self.repo, self.catalog, request, self.options)

    @needs(Capability.APPEND)
    def request(
        self,
        edit: Edit,
        sources: Sequence[NewSource] = (),
        *,
        base: Revision | None = None,
        subject: str | None = None,
        destructive: bool = False,
    ) -> Request:
        """A request on behalf of this workspace's caller; sources get the surface and month as their thread (0.22)."""
        from gitmem.request import Request  # noqa: PLC0415  (readers make none)

        month = self.options.now().strftime("%Y-%m")
        return Request(
            edit=edit,
            authority=self.authority,
            surface=self.caller.surface,
            author=self.caller.author,
            base_revision=base,
            sources=tuple(sources),
            subject=subject,
            destructive=destructive,
            provenance=f"{self.caller.surface}-{month}",
        )


def _options(repo: Repo, config: Config, environment: Mapping[str, str]) -> Options:
    """How transactions are made by these settings."""

    def secrets() -> SecretPolicy:
        from gitmem.policy.secrets import SecretPolicy  # noqa: PLC0415  (few texts hold one)

        return SecretPolicy.of(config)

    if not config.sign:
        return Options(lock_timeout=config.lock_timeout, secrets=secrets)
    from gitmem.store.signing import Signer  # noqa: PLC0415  (few sign)

    return Options(lock_timeout=config.lock_timeout, secrets=secrets, sign=Signer(repo, environment))


def _require_enabled(config: Config) -> None:
    """Refuse before anything is opened or made (14.8)."""
    if config.backend == "none":
        message = "memory is switched off: gitmem.backend is none; `gitmem config gitmem.backend local` switches it on"
        raise Disabled(Code.MEMORY_DISABLED, message)
