"""The last memory commit made anew with what was typed since, and its views with it (``commit --amend``)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.format.layout import is_derived
from gitmem.format.trailers import WRITER, parse_trailers
from gitmem.ids import Oid
from gitmem.request import NoEdit, Surface
from gitmem.store.commits import read_commit
from gitmem.store.head import Branch
from gitmem.store.quarantine import Quarantine
from gitmem.store.refs import is_ancestor, list_refs
from gitmem.store.revision import revision_of
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging
from gitmem.store.steps import step
from gitmem.transaction.base import Base
from gitmem.transaction.commit import Attempt, vouched
from gitmem.transaction.hand import begun, combine, follow, unchanged
from gitmem.transaction.stage import as_staged, stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.answers import Result
    from gitmem.catalog.catalog import Catalog
    from gitmem.facts.base import Facts
    from gitmem.request import Request
    from gitmem.store.commits import Commit
    from gitmem.store.repository import Repo
    from gitmem.transaction.hand import Combined, Taken
    from gitmem.transaction.options import Options
    from gitmem.transaction.stage import Staged

BY_HAND = frozenset({Surface.HAND.value, Surface.CLI.value})
"""Whose commits a person may make anew; marks and events name those of the others."""

REMOTES = "refs/remotes/"


def amend_by_hand(
    repo: Repo, catalog: Catalog, request: Request, options: Options, take: Callable[[Repo, Base], Taken]
) -> Result:
    """Replace the last memory commit and its views, adding what ``take`` finds typed; the old ones stay as an autosave.

    The author and, unless the request names one, the subject stay. All of the new commit is checked against what stood
    before the old one. Raises ``InvalidRequest`` when the last commit is not a person's, is the first one or a merge,
    was pushed, or would come to change nothing; and what ``commit_by_hand`` raises.
    """
    with begun(repo, catalog, options) as (fresh, base):
        old = _amendable(fresh, base)
        taken = take(fresh, base)
        combined = combine(taken.texts, base.snapshot)
        if not combined.changes and request.subject is None:
            return follow(fresh, base, combined, unchanged(base, taken.warnings))
        subject = request.subject or old.message.partition("\n")[0]
        asked = vouched(replace(combined.request(request), subject=subject, destructive=True))
        with Quarantine(fresh) as quarantine:
            now = Attempt(fresh, catalog.facts(), asked, options, base, quarantine)
            with step(options.on_step, "stage"):
                whole, facts = _on_parent(now, old, combined, catalog)
            anew = replace(
                now, facts=facts, base=_below(fresh, base, old), absorbed=combined.absorbed, replaced=base.branch.tip
            )
            result = replace(anew, author=old.author).carry_out(whole).result
        return follow(fresh, base, combined, replace(result, warnings=(*taken.warnings, *result.warnings)))


def _amendable(repo: Repo, base: Base) -> Commit:
    """The last memory commit. Raises ``InvalidRequest`` for one that has to stay."""
    commit = None if base.revision is None else read_commit(repo, Oid(base.revision))
    if commit is None or not commit.parents:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "there is no commit yet that could be amended")
    problem = _problem(repo, commit)
    if problem is not None:
        message = f"{commit.oid[:12]} {problem}; commit on top of it"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message, details={"revision": commit.oid})
    return commit


def _problem(repo: Repo, commit: Commit) -> str | None:
    if len(commit.parents) > 1:
        return "is a merge, which is not amended"
    writers = set(parse_trailers(commit.message).get(WRITER, ()))
    if not writers <= BY_HAND:
        return f"was not made by hand ({', '.join(sorted(writers))})"
    pushed = next((ref.name for ref in list_refs(repo, REMOTES) if is_ancestor(repo, commit.oid, ref.oid)), None)
    return None if pushed is None else f"is in {pushed.removeprefix(REMOTES)} already"


def _below(repo: Repo, base: Base, old: Commit) -> Base:
    """What stood before the old commit."""
    parent = old.parents[0]
    return Base(Branch(base.branch.name, parent), revision_of(repo, parent), Snapshot.at(repo, parent))


def _on_parent(now: Attempt, old: Commit, combined: Combined, catalog: Catalog) -> tuple[Staged, Facts]:
    """The old commit and the new edit as one change of what stood before, and the facts of that."""
    asked = now.request if combined.changes else replace(now.request, edit=NoEdit())
    staged = stage(now.staging(), now.facts, asked)
    before = Snapshot.at(now.repo, old.parents[0])
    whole = Staging(now.repo, before, now.quarantine)
    for change in staged.staging.changes(before):
        data = staged.staging.read(change.path)
        if is_derived(change.path):
            continue
        if data is None:
            whole.delete(change.path)
        else:
            whole.write(change.path, data)
    facts = catalog.at(old.parents[0]).facts
    found = as_staged(whole, facts, staged.outcome, staged.source_ids)
    if not found.changes:
        message = "nothing would be left of the commit; `gitmem undo` takes it back"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return found, facts
