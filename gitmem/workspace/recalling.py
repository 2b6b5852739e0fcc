"""History: what the memory believed, who made it so, and going back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.workspace.base import OpenWorkspace
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.history.autosave_text import KeptAnswer
    from gitmem.history.autosaves import AutosavesAnswer, SavedAnswer
    from gitmem.history.back import BackAnswer, Going
    from gitmem.history.blame import BlameAnswer
    from gitmem.history.diff import DiffAnswer
    from gitmem.history.log import LogAnswer, ShowAnswer
    from gitmem.history.put_back import PutBackAnswer
    from gitmem.history.retention import PrunedAnswer
    from gitmem.history.transactions import Origin
    from gitmem.history.versions import HistoryAnswer
    from gitmem.history.why import WhyAnswer
    from gitmem.ids import Oid
    from gitmem.runtime.injections import InjectedAnswer


class Recalling(OpenWorkspace):
    """The history commands of ``cli.md``. A ``revision`` or ``at`` is any REV; each raises ``NotFound`` for none."""

    @needs(Capability.AUDIT)
    def log(  # noqa: PLR0913  (the filters of the command)
        self,
        target: str | None = None,
        *,
        writer: str | None = None,
        author: str | None = None,
        authority: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int = 20,
        signatures: bool = False,
    ) -> LogAnswer:
        """The transactions of the branch, newest first; ``target`` is a PATH or a BLOCK, times may be words.

        With ``signatures`` each says whether it is signed, and by whom: ``SignedTransactionAnswer``.
        """
        from gitmem.history.log import LogQuery, log  # noqa: PLC0415  (here and below: a light start-up)
        from gitmem.history.revisions import since_moment, until_moment  # noqa: PLC0415

        now = self.options.now()
        query = LogQuery(
            limit=limit,
            target=target,
            writer=writer,
            author=author,
            authority=authority,
            since=None if since is None else since_moment(since, now),
            until=None if until is None else until_moment(until, now),
        )
        answer = log(self.memory(), query)
        if not signatures:
            return answer
        from gitmem.history.signatures import with_signatures  # noqa: PLC0415

        return with_signatures(self.repo, answer, self.environment)

    @needs(Capability.AUDIT)
    def show(self, revision: str, *, signature: bool = False) -> ShowAnswer:
        """One transaction; for a commit with derived views, the one they were derived from."""
        from gitmem.history.log import show  # noqa: PLC0415

        answer = show(self.memory(), self._memory_commit(revision))
        if not signature:
            return answer
        from gitmem.history.signatures import with_signature  # noqa: PLC0415

        return with_signature(self.repo, answer, self.environment)

    @needs(Capability.READ)
    def diff(self, before: str | None = None, after: str | None = None) -> DiffAnswer:
        """What two revisions say differently; the one that is not given is the current revision.

        Without both, that is compared with the working directory: ``InvalidRequest`` in a bare workspace.
        """
        from gitmem.history.diff import compare_revisions, compare_workdir  # noqa: PLC0415

        memory = self.memory()
        if before is None and after is None:
            return compare_workdir(memory)
        earlier, later = (memory.commit if one is None else self._memory_commit(one) for one in (before, after))
        return compare_revisions(memory, earlier, later)

    @needs(Capability.READ)
    def why(self, block: str | None = None, *, text: str | None = None, at: str | None = None) -> WhyAnswer:
        """From a BLOCK, or from every claim that says ``text``, to the words it rests on."""
        from gitmem.errors import Code, InvalidRequest  # noqa: PLC0415
        from gitmem.history.why import why, why_text  # noqa: PLC0415

        if (block is None) == (text is None):
            raise InvalidRequest(Code.INVALID_ARGUMENT, "give a block or a text to look for, one of them")
        memory = self.memory(at)
        return why(memory, block) if block is not None else why_text(memory, text or "")

    @needs(Capability.READ)
    def history(self, block: str, *, at: str | None = None) -> HistoryAnswer:
        """Every version of a BLOCK, also of one that is gone."""
        from gitmem.history.versions import block_history  # noqa: PLC0415

        return block_history(self.memory(at), block)

    @needs(Capability.AUDIT)
    def blame(self, argument: str, *, at: str | None = None) -> BlameAnswer:
        """Who made the claims of a PATH, or a BLOCK, what they are."""
        from gitmem.history.blame import blame  # noqa: PLC0415

        return blame(self.memory(at), argument)

    @needs(Capability.AUDIT)
    def injected(self, block: str) -> InjectedAnswer:
        """When a claim was put before a model, as far as that is recorded; also one that is gone.

        Raises ``InvalidRequest`` for a path, and ``NotFound`` (``MEMORY_NOT_FOUND``) for an id that never was one.
        """
        from gitmem.edit.compose import block_id, names_path  # noqa: PLC0415
        from gitmem.errors import Code, InvalidRequest  # noqa: PLC0415
        from gitmem.history.named import never_held  # noqa: PLC0415
        from gitmem.runtime.injections import InjectedAnswer, injections  # noqa: PLC0415

        if names_path(block):
            message = f"{block} is a path: name one claim by its id"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message)
        wanted, facts = block_id(block), self.memory().facts
        claim = next(iter(facts.claims(wanted)), None)
        if claim is None and facts.created(wanted) is None:
            raise never_held(wanted)
        own, aliases = (wanted, ()) if claim is None else (claim.id, claim.aliases)
        since, found = injections(self.repo.gitmem_dir, {wanted, own, *aliases})
        return InjectedAnswer(own, tuple(aliases), since, found)

    @needs(Capability.AUDIT)
    def origin(self, revision: str) -> Origin | None:
        """The short form of a commit that an answer names."""
        from gitmem.history.transactions import origin_of  # noqa: PLC0415

        return origin_of(self.repo, self.resolve(revision))

    @needs(Capability.AUDIT)
    def autosaves(self) -> AutosavesAnswer:
        """Every autosave, newest first."""
        from gitmem.history.autosaves import list_autosaves  # noqa: PLC0415

        return list_autosaves(self.repo)

    @needs(Capability.MAINTAIN)
    def save_autosave(self) -> SavedAnswer:
        """Keep what the working directory holds beyond the memory."""
        from gitmem.history.autosaves import save_autosave  # noqa: PLC0415
        from gitmem.store.commits import Stamp  # noqa: PLC0415

        stamp = Stamp.at(self.caller.author, self.options.now())
        return save_autosave(self.memory(), stamp, lock_timeout=self.options.lock_timeout)

    @needs(Capability.AUDIT)
    def autosave(self, number: int) -> KeptAnswer:
        """What one autosave holds; 1 is the newest."""
        from gitmem.history.autosave_text import show_autosave  # noqa: PLC0415

        return show_autosave(self.memory(), number)

    @needs(Capability.AUDIT)
    def diff_autosave(self, number: int) -> DiffAnswer:
        """How what is there now differs from an autosave."""
        from gitmem.history.autosave_text import diff_autosave  # noqa: PLC0415

        return diff_autosave(self.memory(), number)

    @needs(Capability.GO_BACK)
    def restore_autosave(self, number: int) -> PutBackAnswer | BackAnswer:
        """Go back to an autosave, leaving one first: text comes back uncommitted, a memory by a transaction."""
        from gitmem.history.autosaves import Kept, autosave_numbered  # noqa: PLC0415
        from gitmem.history.put_back import put_back  # noqa: PLC0415
        from gitmem.store.commits import Stamp  # noqa: PLC0415

        if autosave_numbered(self.repo, number).kind is Kept.MEMORY:
            return self.restore(f"autosave/{number}")
        stamp = Stamp.at(self.caller.author, self.options.now())
        return put_back(self.memory(), number, stamp, lock_timeout=self.options.lock_timeout)

    @needs(Capability.MAINTAIN)
    def prune_autosaves(self, *, dry_run: bool = False) -> PrunedAnswer:
        """Remove the autosaves that the settings no longer keep."""
        from gitmem.history.retention import Retention, prune_autosaves  # noqa: PLC0415

        retention = Retention(self.config.autosave_keep_days, self.config.autosave_keep_count)
        timeout = self.options.lock_timeout
        return prune_autosaves(self.repo, retention, self.options.now(), lock_timeout=timeout, dry_run=dry_run)

    @needs(Capability.GO_BACK)
    def restore(
        self, revision: str, paths: Sequence[str] = (), *, block: str | None = None, dry_run: bool = False
    ) -> BackAnswer:
        """Set the topics (at or below ``paths``), or one ``block``, to what they were; an autosave is left first.

        Exact, not additive: what came since goes. Sources stay. Raises as ``gitmem.history.restore.restoring`` does.
        """
        from gitmem.history.restore import restoring  # noqa: PLC0415

        memory = self.memory()
        return self._go(restoring(memory, self._memory_commit(revision), paths, block), dry_run=dry_run)

    @needs(Capability.GO_BACK)
    def undo(self, revision: str | None = None, *, merge: bool = False, dry_run: bool = False) -> BackAnswer:
        """Take back one transaction, the last unless ``revision`` names another; an autosave is left first.

        ``merge`` takes back what later changes of the same blocks left alone. Raises ``Refused`` (``UNDO_CONFLICT``)
        when its blocks were changed since and ``merge`` is not set, or when others came to need them.
        """
        from gitmem.errors import Refused  # noqa: PLC0415
        from gitmem.history.undo import as_conflict, undoing  # noqa: PLC0415

        memory = self.memory()
        going = undoing(memory, self._memory_commit(revision or memory.commit), merge=merge)
        try:
            return self._go(going, dry_run=dry_run)
        except Refused as refusal:
            raise as_conflict(refusal) from refusal

    def _go(self, going: Going, *, dry_run: bool) -> BackAnswer:
        """Carry out a way back, or rehearse it."""
        from gitmem.history.back import done, rehearsed  # noqa: PLC0415
        from gitmem.transaction.rehearsal import Rehearsal  # noqa: PLC0415

        request = self.request(going.edit, base=going.memory.revision, subject=going.subject, destructive=True)
        request = replace(request, surface=going.surface)
        claims = going.claims()
        if dry_run:
            with Rehearsal(self.repo, self.catalog, self.options.secrets) as rehearsal:
                rehearsal.carry_out(request)
            return rehearsed(going, claims)
        return done(going, claims, self.commit(request))

    def _memory_commit(self, revision: str) -> Oid:
        from gitmem.history.revisions import memory_named  # noqa: PLC0415

        return memory_named(self.repo, revision, now=self.options.now(), reader=self.authority.tier)
