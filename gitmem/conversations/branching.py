"""Which branches a conversation has after it grew: ``main``, and others named after their leaf (``cli.md``, Inputs)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.conversations.model import MAIN
from gitmem.errors import InvalidRequest
from gitmem.format.layout import collision_key, session_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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
    """Name every end: ``main`` for the current one, given names kept, the rest after their leaf."""
    ends = list(dict.fromkeys((*_main_first(shape.grown), *shape.leaves)))
    if not ends:
        return {}
    main = _main(shape, ends)
    plan = {MAIN: main}
    plan.update({name: end for name, end in shape.grown.items() if name != MAIN and _keeps_its_name(shape, name, main)})
    named = set(plan.values())
    keys = {collision_key(name) for name in plan}
    for end in ends:
        if end not in named:
            name = _leaf_name(shape, shape.id_of(end), keys)
            plan[name] = end
            keys.add(collision_key(name))
    return plan


def leaf_digest(turn_id: str) -> str:
    """Give the name of a branch whose leaf's id cannot name it: too long, taken, or the twin of another name."""
    return hashlib.sha256(turn_id.encode()).hexdigest()[:16]


def _main_first(grown: Mapping[str, NodeId]) -> Iterator[NodeId]:
    for name in sorted(grown, key=lambda name: (name != MAIN, name)):
        yield grown[name]


def _main(shape: Shape, ends: list[NodeId]) -> NodeId:
    """The end that the current node leads to; an older export, whose current node has been passed, moves nothing."""
    if shape.current is None:
        return shape.grown.get(MAIN, ends[-1])
    if shape.current in ends:
        return shape.current
    return next((end for end in ends if shape.current in shape.lineage(end)), shape.current)


def _keeps_its_name(shape: Shape, name: str, main: NodeId) -> bool:
    """A given name stays; one taken from a leaf stays while the branch ends there and is not the current one."""
    leaf = shape.id_of(shape.heads[name])
    if name not in {leaf, leaf_digest(leaf)}:
        return True
    return shape.grown[name] == shape.heads[name] != main


def _leaf_name(shape: Shape, leaf: str, keys: set[str]) -> str:
    try:
        session_ref(shape.session.provider, shape.session.thread, leaf)
    except InvalidRequest:
        return leaf_digest(leaf)
    return leaf_digest(leaf) if collision_key(leaf) in keys else leaf
