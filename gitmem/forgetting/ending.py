"""Which refs a conversation has after it lost turns, and the commit with which a branch remembers what it forgot."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import unquote

from gitmem.conversations.branching import free_name, leaf_digest
from gitmem.conversations.model import ARCHIVED_PREFIX, MAIN, SessionId
from gitmem.forgetting.headers import read_head
from gitmem.forgetting.survey import turn_of
from gitmem.format.claim import ClaimsDiff
from gitmem.format.layout import FORGOTTEN, GITMEM, collision_key, parse_session_ref, session_ref
from gitmem.format.model import Tier
from gitmem.format.promotions import Forgotten, parse_forgotten, render_forgotten
from gitmem.format.trailers import render_message
from gitmem.request import Surface
from gitmem.store.commits import Stamp, create_commit
from gitmem.store.raw import read_raw
from gitmem.store.refs import RefMove, is_ancestor
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from gitmem.forgetting.erased import Erased
    from gitmem.forgetting.survey import Survey
    from gitmem.ids import Oid
    from gitmem.request import Person
    from gitmem.store.repository import Repo


def remembered(repo: Repo, tip: Oid, erased: Erased, author: Person, at: datetime) -> Oid:
    """A commit on a branch whose ``forgotten.jsonl`` names what is erased; the tip itself where it does already.

    A branch without memory keeps its tip. The same tip, digests, author and moment give the same commit.
    """
    snapshot = Snapshot.at(repo, tip)
    ledger = snapshot.read(FORGOTTEN) or b""
    known = {entry.handle_sha256 for entry in parse_forgotten(ledger)[0]}
    new = sorted(erased.digests - known)
    if snapshot.entry(GITMEM) is None or not new:
        return tip
    moment = at.isoformat(timespec="seconds")
    lines = b"".join(render_forgotten(Forgotten(moment, digest)) for digest in new)
    staging = Staging(repo, snapshot)
    staging.write(FORGOTTEN, ledger + lines)
    count = "1 source" if len(new) == 1 else f"{len(new)} sources"
    message = render_message(f"memory: forget {count}", None, ClaimsDiff(), Surface.CLI, Tier.OWNER)
    return create_commit(repo, tree=staging.build(), parents=(tip,), message=message, author=Stamp.at(author, at))


def conversation_moves(
    repo: Repo, refs: Mapping[str, Oid], survey: Survey, new: Mapping[str, Oid | None]
) -> Iterator[RefMove]:
    """The moves of session refs: ``refs`` as they are, ``new`` where they lead now (``None``: no turn is left).

    A branch that was named after an erased turn is named after its last one, or goes where another branch has it.
    """
    alive = {name: end for name, end in new.items() if end is not None}
    taken: defaultdict[str, set[str]] = defaultdict(set)
    for name in alive:
        taken[_folder(name)].add(collision_key(unquote(name.rpartition("/")[2])))
    for name, old in refs.items():
        end, renamed = new[name], _renamed(repo, name, old, survey, taken)
        if renamed == name:
            if end != old:
                yield RefMove(name, old, end)
            continue
        yield RefMove(name, old, None)
        alive.pop(name, None)
        others = (other for where, other in alive.items() if _folder(where) == _folder(name))
        if renamed is not None and end is not None and not any(is_ancestor(repo, end, other) for other in others):
            alive[renamed] = end
            yield RefMove(renamed, None, end)


def _folder(ref: str) -> str:
    return ref.rpartition("/")[0]


def _renamed(repo: Repo, name: str, old: Oid, survey: Survey, taken: defaultdict[str, set[str]]) -> str | None:
    found = parse_session_ref(name)
    if found is None or old not in survey.turns or found.branch == MAIN:
        return name
    prefix = ARCHIVED_PREFIX if found.branch.startswith(ARCHIVED_PREFIX) else ""
    leaf = survey.turns[old].id
    if found.branch.removeprefix(ARCHIVED_PREFIX) not in {leaf, leaf_digest(leaf)}:
        return name
    at = old
    while at in survey.turns:
        raw = read_raw(repo, at)
        parents = read_head(raw.data).parents if raw is not None else ()
        if not parents:
            return None
        at = parents[0]
    raw = read_raw(repo, at)
    turn = turn_of(read_head(raw.data).message) if raw is not None else None
    if turn is None:
        return name
    keys = taken[_folder(name)]
    branch = prefix + free_name(SessionId(found.provider, found.thread), turn.id, keys)
    keys.add(collision_key(branch))
    return session_ref(found.provider, found.thread, branch)
