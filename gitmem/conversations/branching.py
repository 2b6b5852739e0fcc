"""Which branches a conversation has after it grew: ``main``, and others named after their leaf (``cli.md``, Inputs)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.conversations.model import ARCHIVED_PREFIX, MAIN
from gitmem.errors import InvalidRequest
from gitmem.format.layout import collision_key, session_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from gitmem.conversations.model import NodeId, SessionId


@dataclass(frozen=True)
class Shape:
    """A conversation's ends before and after growing.

    ``heads``: where the branches ended; ``grown``: where each of them ends now, along the turns added last;
    ``leaves``: new turns that nothing follows; ``current``: the node that the conversation goes on from, if anybody
    said so. ``id_of`` and ``lineage`` read the store.
    """

    session: SessionId
    heads: Mapping[str, NodeId]
    grown: Mapping[str, NodeId]
    leaves: tuple[NodeId, ...]
    current: NodeId | None
    id_of: Callable[[NodeId], str]
    lineage: Callable[[NodeId], Iterator[NodeId]]


def plan_branches(shape: Shape) -> dict[str, NodeId]:
    """Name every end: ``main`` for the current one, given names kept, the rest after their leaf.

    An archived branch stays one until it grows.
    """
    kept = {name: head for name, head in shape.heads.items() if _stays_archived(shape, name)}
    live = {name: end for name, end in shape.grown.items() if name not in kept}
    ends = list(dict.fromkeys((*_main_first(live), *shape.leaves))) or list(kept.values())
    if not ends:
        return {}
    main = _main(shape, ends, live.get(MAIN, ends[-1]))
    plan = {MAIN: main, **{name: end for name, end in kept.items() if end != main}}
    plan.update({name: end for name, end in live.items() if name != MAIN and _keeps_its_name(shape, name, main)})
    named = set(plan.values())
    keys = {collision_key(name) for name in plan}
    for end in ends:
        if end not in named:
            name = free_name(shape.session, shape.id_of(end), keys)
            plan[name] = end
            keys.add(collision_key(name))
    return plan


def leaf_digest(turn_id: str) -> str:
    """Give the name of a branch whose leaf's id cannot name it: too long, taken, or the twin of another name."""
    return hashlib.sha256(turn_id.encode()).hexdigest()[:16]


def free_name(session: SessionId, leaf: str, keys: Container[str]) -> str:
    """Name a branch after its leaf; ``keys`` are the collision keys of the names that are taken."""
    try:
        session_ref(session.provider, session.thread, leaf)
    except InvalidRequest:
        return leaf_digest(leaf)
    taken = collision_key(leaf) in keys or collision_key(leaf).startswith(ARCHIVED_PREFIX)
    return leaf_digest(leaf) if taken else leaf


def _stays_archived(shape: Shape, name: str) -> bool:
    return name.startswith(ARCHIVED_PREFIX) and shape.grown[name] == shape.heads[name]


def _main_first(grown: Mapping[str, NodeId]) -> Iterator[NodeId]:
    for name in sorted(grown, key=lambda name: (name != MAIN, name)):
        yield grown[name]


def _main(shape: Shape, ends: list[NodeId], otherwise: NodeId) -> NodeId:
    """The end that the current node leads to; an older export, whose current node has been passed, moves nothing.

    Nor does one whose current node is on archived branches alone.
    """
    if shape.current is None:
        return otherwise
    if shape.current in ends:
        return shape.current
    return next((end for end in ends if shape.current in shape.lineage(end)), otherwise)


def _keeps_its_name(shape: Shape, name: str, main: NodeId) -> bool:
    """A given name stays; one taken from a leaf stays while the branch ends there and is not the current one.

    The name of an archived branch that is live again says nothing true any more.
    """
    if name.startswith(ARCHIVED_PREFIX):
        return False
    leaf = shape.id_of(shape.heads[name])
    if name not in {leaf, leaf_digest(leaf)}:
        return True
    return shape.grown[name] == shape.heads[name] != main
