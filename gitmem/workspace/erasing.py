"""Erasing messages for good, and finishing what was interrupted of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from gitmem.store.repository import open_repository
from gitmem.workspace.keeping import Keeping
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from gitmem.forgetting.answers import ForgetAnswer
    from gitmem.forgetting.carrying_out import Tools
    from gitmem.forgetting.forget import Finished


class Erasing(Keeping):
    """``forget`` of ``cli.md``."""

    @needs(Capability.FORGET)
    def forget(  # noqa: PLR0913  (the options of the command)
        self,
        sources: Sequence[str] = (),
        *,
        speaker: str | None = None,
        keep_shared: bool | None = None,
        force: bool = False,
        dry_run: bool = False,
        progress: Callable[[str, int], None] | None = None,
    ) -> ForgetAnswer:
        """Erase messages for good, by their handles or everything of a speaker, with all that rests on them alone.

        ``keep_shared`` decides about claims that rest on other messages too: keep their words or remove them; ``None``
        refuses when there are any. ``force`` erases although others have copies. ``progress`` is told what is done and
        how much of it. Conversations of a host's own store are not touched.

        Raises ``InvalidRequest``, ``NotFound`` (``SOURCE_NOT_FOUND``), ``Conflict``, ``Refused``
        (``COMMIT_REJECTED``) and ``Unavailable``; nothing has changed then, unless git or the disk fails after refs
        began to move. Then, and after an interruption, ``finish_forgetting`` goes on.
        """
        from gitmem.forgetting.erased import Shared  # noqa: PLC0415
        from gitmem.forgetting.forget import Wish, forget  # noqa: PLC0415

        shared = None if keep_shared is None else Shared.KEEP if keep_shared else Shared.REMOVE
        wish = Wish(sources, speaker, shared, force, dry_run)
        with self._let_go():
            return forget(self.repo, wish, self.caller.author, self._tools(progress))

    @needs(Capability.FORGET)
    def forget_by_map(
        self, path: Path, *, force: bool = False, progress: Callable[[str, int], None] | None = None
    ) -> ForgetAnswer:
        """Erase here what a map says was erased in another clone; raises as ``forget`` does."""
        from gitmem.forgetting.forget import apply_map  # noqa: PLC0415
        from gitmem.forgetting.map_file import parse_map  # noqa: PLC0415

        with self._let_go():
            return apply_map(self.repo, parse_map(path.read_bytes()), self._tools(progress), force=force)

    @needs(Capability.MAINTAIN)
    def finish_forgetting(self) -> Finished:
        """Finish an erasing that was interrupted; what was done and where it still stands, nothing where none was."""
        from gitmem.forgetting.forget import Finished, finish_forgetting  # noqa: PLC0415
        from gitmem.store.leftovers import forget_journal_path  # noqa: PLC0415

        if not forget_journal_path(self.repo).exists():
            return Finished()

        with self._let_go():
            return finish_forgetting(self.repo, self._tools(None))

    @contextmanager
    def _let_go(self) -> Iterator[None]:
        """Hold nothing that is deleted meanwhile; afterwards read a repository of which nothing is remembered."""
        self.close()
        for name in ("catalog", "conversations", "_archived_threads", "_writers_commits"):
            self.__dict__.pop(name, None)
        try:
            yield
        finally:
            self.repo = open_repository(self.repo.path, fsync=self.repo.fsync)

    def _tools(self, progress: Callable[[str, int], None] | None) -> Tools:
        from gitmem.forgetting.carrying_out import Tools  # noqa: PLC0415
        from gitmem.forgetting.planning import no_progress  # noqa: PLC0415
        from gitmem.forgetting.program import Git  # noqa: PLC0415

        return Tools(Git(self.environment), self.options, lambda: self.catalog, progress or no_progress)
