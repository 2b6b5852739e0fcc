"""Reading the memory: search, exact lines, files, listings, and its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.format.model import Tier
from gitmem.ids import ZERO_OID
from gitmem.workspace.conversing import Conversing
from gitmem.workspace.erasing import Erasing
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from gitmem.audit.base import CheckAnswer
    from gitmem.recall.context import ContextAnswer
    from gitmem.recall.recall import RecallAnswer
    from gitmem.runtime.doctor import DoctorAnswer
    from gitmem.runtime.status import StatusAnswer
    from gitmem.search.browse import BrowseAnswer
    from gitmem.search.grep import GrepAnswer
    from gitmem.search.query import SearchAnswer
    from gitmem.search.reading import GetAnswer


class Reading(Conversing, Erasing):
    """The reading commands of ``cli.md``; ``at`` is a REV, ``None`` the present."""

    @needs(Capability.READ)
    def search(  # noqa: PLR0913  (the filters of a search)
        self,
        text: str,
        *,
        k: int = 10,
        method: str | None = None,
        path: str | None = None,
        first: str | None = None,
        last: str | None = None,
        speaker: str | None = None,
        topics_only: bool = False,
        max_tokens: int | None = None,
        explain: bool = False,
        at: str | None = None,
    ) -> SearchAnswer:
        """Rank the blocks and archived messages that answer a text; ``first`` and ``last`` are dates."""
        from gitmem.search.query import SearchQuery, search  # noqa: PLC0415  (numpy; as below: only what is asked for)

        query = SearchQuery(
            text=text,
            k=k,
            method=method or self.config.search_method,
            path=path,
            first=first,
            last=last,
            speaker=speaker,
            topics_only=topics_only,
            max_tokens=max_tokens,
            explain=explain,
        )
        return search(self.memory(at), query)

    @needs(Capability.READ)
    def recall(
        self, query: str, *, k: int | None = None, max_tokens: int | None = None, at: str | None = None
    ) -> RecallAnswer:
        """What the memory says to a turn, as a model is given it: trusted, fenced, ``gitmem.search.topK`` at most."""
        from gitmem.recall.recall import MAX_TOKENS, recall  # noqa: PLC0415

        budget = MAX_TOKENS if max_tokens is None else max_tokens
        return recall(
            self.memory(at),
            query,
            k=self.config.search_top_k if k is None else k,
            method=self.config.search_method,
            max_tokens=budget,
        )

    @needs(Capability.READ)
    def context(
        self,
        query: str | None = None,
        *,
        k: int | None = None,
        max_tokens: int | None = None,
        at: str | None = None,
    ) -> ContextAnswer:
        """Exactly what a model would be given: the core and, with a query, what answers it; fenced once."""
        from gitmem.recall.context import context  # noqa: PLC0415
        from gitmem.recall.recall import MAX_TOKENS  # noqa: PLC0415

        return context(
            self.memory(at),
            query,
            k=self.config.search_top_k if k is None else k,
            method=self.config.search_method,
            max_tokens=MAX_TOKENS if max_tokens is None else max_tokens,
        )

    @needs(Capability.READ)
    def grep(
        self,
        text: str,
        *,
        path: str | None = None,
        ignore_case: bool = False,
        is_regex: bool = False,
        at: str | None = None,
    ) -> GrepAnswer:
        """Find the lines of topics and archived messages that hold a text, or that an expression matches."""
        from gitmem.search.grep import GrepQuery, grep  # noqa: PLC0415

        return grep(self.memory(at), GrepQuery(text, path, ignore_case=ignore_case, is_regex=is_regex))

    @needs(Capability.READ)
    def get(
        self, what: str, *, heading: str | None = None, block: str | None = None, at: str | None = None
    ) -> GetAnswer:
        """Read a file, a section, a block or an archived message, by path, id or handle."""
        from gitmem.search.reading import get  # noqa: PLC0415

        return get(self.memory(at), what, heading=heading, block=block)

    @needs(Capability.READ)
    def browse(self, prefix: str = "", *, limit: int | None = None, at: str | None = None) -> BrowseAnswer:
        """List the files below a prefix, with how much each holds."""
        from gitmem.search.browse import MOST_ENTRIES, browse  # noqa: PLC0415

        return browse(self.memory(at), prefix, limit=MOST_ENTRIES if limit is None else limit)

    @needs(Capability.READ)
    def status(self, *, with_path: bool = False) -> StatusAnswer:
        """The state of the memory at a glance; the folder on this machine only when its owner asks for it (12.8)."""
        from gitmem.format.layout import SESSIONS_PREFIX  # noqa: PLC0415
        from gitmem.runtime.status import status  # noqa: PLC0415
        from gitmem.store.refs import list_refs  # noqa: PLC0415

        if self.authority.tier is not Tier.OWNER:
            from gitmem.runtime.shared_status import shared_status  # noqa: PLC0415

            return shared_status(self.memory())
        # Without conversations their code need not be loaded.
        talked = self.hosted is not None or bool(list_refs(self.repo, SESSIONS_PREFIX))
        found = status(self.repo, self.catalog, self.pending_turns() if talked else 0)
        if not with_path:
            return found
        from gitmem.runtime.placed_status import placed  # noqa: PLC0415

        return placed(found, self.repo.path)

    @needs(Capability.AUDIT)
    def check(
        self, revision: str | None = None, *, staged: bool = False, all_history: bool = False, fix: bool = False
    ) -> CheckAnswer:
        """Run the checks over the working directory, what is staged, a REV, a range ``A..B``, or all of history.

        ``fix`` first mends in the working directory what can be mended without changing what it says.
        """
        from gitmem.audit import check  # noqa: PLC0415

        if sum((revision is not None, staged, all_history, fix)) > 1:
            message = "check one thing: a revision or range, what is staged, or all of history; only files can be fixed"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message)
        secrets = self.options.secrets
        if revision is not None and "..." in revision:
            message = f"{revision} is no range: write A..B for every change that leads to B and not to A"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message)
        if staged:
            return check.check_staged(self.memory(), secrets=secrets)
        if all_history:
            return check.check_history(self.memory(), secrets=secrets)
        if revision is None:
            return check.check_working_directory(self.memory(), fix=fix, secrets=secrets)
        start, dots, end = revision.partition("..")
        if not dots:
            return check.check_revision(self.memory(revision), secrets=secrets)
        # Hosts name a branch that did not exist before by zeros.
        begin = ZERO_OID if start == ZERO_OID else self.resolve(start or "HEAD")
        return check.check_range(self.memory(end or None), begin, secrets=secrets)

    @needs(Capability.MAINTAIN)
    def doctor(self) -> DoctorAnswer:
        """Finish what was interrupted, verify and mend what can be, and say what was done and what is still wrong."""
        from gitmem.forgetting.proof import still_standing  # noqa: PLC0415
        from gitmem.runtime.doctor import doctor  # noqa: PLC0415

        finished = self.finish_forgetting()
        told = (*self.recovered, *finished.actions)
        return doctor(self.repo, self.catalog, self.options, told, map(still_standing, finished.traces))
