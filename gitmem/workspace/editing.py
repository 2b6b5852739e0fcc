"""What a person types: from the working directory and from an editor, through the transaction (0.8, 14.6, 14.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import GitmemError
from gitmem.ids import Oid
from gitmem.workspace.base import OpenWorkspace
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers import Result
    from gitmem.request import Request
    from gitmem.store.repository import Repo
    from gitmem.transaction.base import Base
    from gitmem.transaction.editor_copy import StagedCopy
    from gitmem.transaction.hand import Taken


class Editing(OpenWorkspace):
    """Hand edits."""

    @needs(Capability.CHANGE)
    def commit_edits(self, paths: Sequence[str] = (), *, message: str | None = None, amend: bool = False) -> Result:
        """Take the hand edits at or below the paths (all when there are none) as one transaction.

        ``amend`` makes the last memory commit anew with them. A refusal leaves every file as it is; the texts are kept
        as a rescue too, which the failure names (``details["rescue"]``). Raises ``Refused``: ``PATCH_CONFLICT`` where
        the memory changed the same block, ``INVALID_TOPIC_FORMAT`` for a dropped block id (2.9) among others,
        ``READ_ONLY_PATH``; ``InvalidRequest``, ``NotFound``, and ``Conflict`` as every write.
        """
        from gitmem.transaction.amend import amend_by_hand  # noqa: PLC0415 (with the rest of this method)
        from gitmem.transaction.hand import commit_by_hand  # noqa: PLC0415
        from gitmem.transaction.refused import COMMIT, keep_refused  # noqa: PLC0415
        from gitmem.transaction.working import take_typed  # noqa: PLC0415

        read, typed, tip = take_typed(paths), dict[str, bytes](), list[Oid]()

        def take(repo: Repo, base: Base) -> Taken:
            taken = read(repo, base)
            tip.append(base.branch.tip)
            typed.update({text.path: text.text.encode("utf-8", "surrogateescape") for text in taken.texts if text.text})
            return taken

        run = amend_by_hand if amend else commit_by_hand
        try:
            return run(self.repo, self.catalog, self._by_hand(message), self.options, take)
        except GitmemError as error:
            if not typed:
                raise
            raise keep_refused(self.repo, typed, error, how=COMMIT, base=tip[0]) from error

    @needs(Capability.CHANGE)
    def staged_copy(self, path: str, *, retry: bool = False) -> StagedCopy:
        """A copy of a topic for an editor; with ``retry`` the text of it that was refused last (14.7)."""
        from gitmem.transaction.editor_copy import staged_copy  # noqa: PLC0415 (only editors need it)

        return staged_copy(self.repo.fresh(), path, retry=retry)

    @needs(Capability.CHANGE)
    def commit_copy(self, copy: StagedCopy, edited: str, *, message: str | None = None) -> Result:
        """Take what an editor made of a copy; nothing is committed when that is what it was given.

        What the memory changed meanwhile is merged in, block by block. Whatever refuses it, the text is kept as a
        rescue, which the failure names and ``staged_copy(retry=True)`` opens again. Raises as ``commit_edits`` does.
        """
        from gitmem.transaction.hand import commit_by_hand  # noqa: PLC0415 (only editors need it)

        text = copy.typed(edited)
        if text == copy.text:
            return self._nothing_typed()
        try:
            return commit_by_hand(self.repo, self.catalog, self._by_hand(message), self.options, copy.take(text))
        except GitmemError as error:
            raise self.keep_copy(copy, edited, error) from error

    @needs(Capability.CHANGE)
    def keep_copy(self, copy: StagedCopy, edited: str, error: GitmemError) -> GitmemError:
        """Keep what an editor made of a copy as a rescue; the failure, which names it if anything was typed."""
        from gitmem.transaction.refused import EDIT, keep_refused  # noqa: PLC0415 (only after a failure)

        text = copy.typed(edited)
        if text == copy.text:
            return error
        data = {str(copy.path): text.encode("utf-8", "surrogateescape")}
        return keep_refused(self.repo, data, error, how=EDIT, base=copy.branch.tip, stood=copy.stood)

    def _by_hand(self, message: str | None) -> Request:
        from gitmem.request import NoEdit  # noqa: PLC0415

        return self.request(NoEdit(), subject=message)

    def _nothing_typed(self) -> Result:
        from gitmem.transaction.base import read_base  # noqa: PLC0415
        from gitmem.transaction.hand import unchanged  # noqa: PLC0415

        return unchanged(read_base(self.repo.fresh()))
