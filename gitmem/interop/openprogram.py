"""OpenProgram's sessions as JSON: graphs of nodes, some of which its memory has written (``behaviours.md`` 0.3, 9.10).

A document is a session with its nodes, a list of such, or JSON Lines of nodes that name their session.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from gitmem.conversations.model import SessionId
from gitmem.interop.format import Format
from gitmem.interop.json_list import conversations_in, message_place
from gitmem.interop.lines import numbered_lines, objects_of, parse_object, too_long
from gitmem.interop.openprogram_node import Graph, first_of
from gitmem.interop.reading import Current, Fault, ReadError, Unreadable, Written, kind_of, sound_handle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Place, Reading

NAME = "openprogram"
PROVIDER = "openprogram"

_NODES = ("nodes", "messages")
_IDS = ("id", "session_id")
_HEADS = ("head", "head_id")
_PARENTS = frozenset({"parent_id", "predecessor", "predecessor_id"})
_RUNTIME = "runtime.json"

_MARKED = re.compile(rb'"memory_written_scriptorium"\s*:')
_SESSION = re.compile(rb'"nodes"\s*:\s*[\[{]')
_NAMES_HEAD = re.compile(rb'"(?:head|head_id|session_id)"\s*:')


def read_openprogram(document: Document, _session: SessionId | None = None) -> Iterator[Reading]:
    """Read sessions: the thread is the session's id, a turn's id its node's.

    A node without parent follows the one before it, ``null`` is a root. A node that OpenProgram's memory has written is
    told of as ``Written``, and so is a session that the memory of earlier versions followed with a cursor, as a
    ``runtime.json`` in the same zip or folder says. Raises ``OSError``.
    """
    cursors = _cursors(document)
    if _is_lines(document):
        yield from _read_lines(document, cursors)
        return
    for found in conversations_in(document):
        if isinstance(found, ReadError):
            yield found
        else:
            yield from _read_session(*found, cursors)


def looks_like_openprogram(sample: Sample) -> bool:
    """Whether nodes are marked as written, or a session holds nodes and names its head."""
    head = sample.head
    if not head.lstrip().startswith((b"[", b"{")):
        return False
    if _MARKED.search(head) or (_SESSION.search(head) and _NAMES_HEAD.search(head)):
        return True
    return any("session_id" in found and not _PARENTS.isdisjoint(found) for found in objects_of(head))


def _is_lines(document: Document) -> bool:
    first = next(objects_of(document.sample().head), None)
    return first is not None and not any(isinstance(first.get(key), (list, dict)) for key in _NODES)


# --- sessions -----------------------------------------------------------------------------------------------------


def _read_session(place: Place, found: object, cursors: frozenset[str]) -> Iterator[Reading]:
    try:
        session, nodes = _open(found)
    except Unreadable as error:
        yield place.error(error.code, str(error))
        return
    graph = Graph(session)
    for name, node in nodes:
        yield from graph.take(node, message_place(place, name))
    yield from graph.turns()
    yield from _said_of(session, graph, first_of(found, _HEADS) if isinstance(found, dict) else None, cursors)


def _open(found: object) -> tuple[SessionId, list[tuple[str, object]]]:
    if not isinstance(found, dict):
        raise Unreadable(Fault.NOT_A_CONVERSATION, f"a session is an object, not {kind_of(found)}")
    name, nodes = first_of(found, _IDS), first_of(found, _NODES)
    if not isinstance(name, str):
        raise Unreadable(Fault.NOT_A_CONVERSATION, "the session has no id")
    session = SessionId(PROVIDER, name)
    sound_handle(session, "x")
    if isinstance(nodes, dict):
        return session, [(key, _named(key, node)) for key, node in nodes.items()]
    if isinstance(nodes, list):
        return session, [(str(number), node) for number, node in enumerate(nodes, start=1)]
    raise Unreadable(Fault.NOT_A_CONVERSATION, "the session has no nodes")


def _named(name: str, node: object) -> object:
    return {"id": name, **node} if isinstance(node, dict) else node


def _said_of(session: SessionId, graph: Graph, head: object, cursors: frozenset[str]) -> Iterator[Reading]:
    """What is said of the whole session, when its nodes are known."""
    yield from graph.written()
    if not cursors.isdisjoint({session.thread, str(session)}):
        yield Written(session, None, None)
    if isinstance(head, str) and (turn := graph.ancestry.kept_turn_at(head)):
        yield Current(session, turn)


# --- nodes, one a line --------------------------------------------------------------------------------------------


def _read_lines(document: Document, cursors: frozenset[str]) -> Iterator[Reading]:
    graphs: dict[str, Graph] = {}
    for number, raw in numbered_lines(document):
        place = document.place(number)
        if raw is None:
            yield too_long(document, number)
        elif raw.strip():
            try:
                node = parse_object(raw)
                graph = _graph_of(node, document, graphs)
            except Unreadable as error:
                yield place.error(error.code, str(error))
                continue
            yield from graph.take(node, place)
            yield from graph.turns()
    for graph in graphs.values():
        yield from _said_of(graph.session, graph, None, cursors)


def _graph_of(node: Mapping[str, Any], document: Document, graphs: dict[str, Graph]) -> Graph:
    name = node.get("session_id")
    name = name if isinstance(name, str) else document.stem
    if name not in graphs:
        session = SessionId(PROVIDER, name)
        sound_handle(session, "x")
        graphs[name] = Graph(session)
    return graphs[name]


def _cursors(document: Document) -> frozenset[str]:
    """The sessions that earlier versions followed with a cursor; a file that says nothing sound says of none (9.11)."""
    found: set[str] = set()
    for name, other in document.beside.items():
        if PurePosixPath(name).name == _RUNTIME:
            for state in objects_of(_start_of(other).replace(b"\n", b" ")):
                cursors = state.get("cursors")
                found |= set(cursors) if isinstance(cursors, dict) else set()
    return frozenset(found)


def _start_of(document: Document) -> bytes:
    try:
        return document.sample().head
    except OSError:
        return b""


FORMAT = Format(NAME, read_openprogram, looks_like_openprogram, people=True)
