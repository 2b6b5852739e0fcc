"""Where a conversation goes on, and which of its branches are still live (``cli.md``: ``turn branches``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.conversations.branching import Shape, leaf_digest, plan_branches
from gitmem.conversations.model import ARCHIVED_PREFIX
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.format.layout import session_ref

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.conversations.model import Branch, NodeId, Session, SessionId
    from gitmem.conversations.store import ConversationStore


def choose_head(store: ConversationStore, session: SessionId, title: str) -> Session:
    """Let the conversation go on from another branch: that one is ``main`` from now on, live if it was archived.

    What was ``main`` keeps a branch named after its leaf. Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for a conversation
    or branch that is not there, and ``Conflict`` when the conversation moved meanwhile.
    """
    standing = find_session(store, session)
    chosen = find_branch(standing, title)
    heads = {branch.name: branch.head for branch in standing.every_branch}
    live = {name: head for name, head in heads.items() if name != chosen.name or not chosen.is_archived}
    shape = Shape(
        session, live, live, (chosen.head,), chosen.head, lambda node: next(store.outline(node)).id, store.lineage
    )
    return _move(store, standing, heads, plan_branches(shape))


def archive_branch(store: ConversationStore, session: SessionId, title: str) -> Session:
    """Keep a branch without its being live any more: what stands on it alone is not pending, and is not written.

    Twice is once. Raises as ``choose_head`` does, and ``InvalidRequest`` for the branch that the conversation goes on
    from.
    """
    standing = find_session(store, session)
    chosen = find_branch(standing, title)
    if chosen == standing.head:
        message = f"{session} goes on from {chosen.title}: choose another head before it is archived"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    if chosen.is_archived:
        return standing
    heads = {branch.name: branch.head for branch in standing.every_branch}
    after = {name: head for name, head in heads.items() if name != chosen.name}
    after[_archived_name(session, chosen, after)] = chosen.head
    return _move(store, standing, heads, after)


def find_session(store: ConversationStore, session: SessionId) -> Session:
    """The conversation of that name. Raises ``NotFound`` (``SOURCE_NOT_FOUND``)."""
    found = store.session(session)
    if found is None:
        message = f"there is no conversation {session}; `gitmem turn list` lists them"
        raise NotFound(Code.SOURCE_NOT_FOUND, message, details={"sessions": [str(session)]})
    return found


def find_branch(session: Session, title: str) -> Branch:
    """The branch that people call so. Raises ``NotFound`` (``SOURCE_NOT_FOUND``)."""
    found = session.branch(title)
    if found is None:
        message = f"{session.id} has no branch {title}; `gitmem turn branches {session.id}` lists them"
        raise NotFound(Code.SOURCE_NOT_FOUND, message, details={"branch": title})
    return found


def _archived_name(session: SessionId, branch: Branch, taken: Mapping[str, NodeId]) -> str:
    """The branch's own name, unless it is too long then, or another branch was archived under it."""
    name = ARCHIVED_PREFIX + branch.title
    try:
        session_ref(session.provider, session.thread, name)
    except InvalidRequest:
        return ARCHIVED_PREFIX + leaf_digest(branch.head)
    return ARCHIVED_PREFIX + leaf_digest(branch.head) if name in taken else name


def _move(
    store: ConversationStore, standing: Session, before: Mapping[str, NodeId], after: Mapping[str, NodeId]
) -> Session:
    with store.batch() as batch:
        for name in sorted({*before, *after}):
            if before.get(name) != after.get(name):
                batch.point(standing.id, name, after.get(name), expected=before.get(name))
    return find_session(store, standing.id)
