"""What a client can read without calling a tool: the core, fenced, and every topic as its reader sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from gitmem.errors import Code, NotFound
from gitmem.format.fence import fence
from gitmem.format.layout import TOPIC_CORE, TOPICS
from gitmem.runtime.injections import given

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

CORE_URI = "gitmem://core"
TEMPLATE = "gitmem://{+path}"
MARKDOWN = "text/markdown"
MOST_LISTED = 500
"""Topics that a client is told of; memory_browse lists all, and any of them can be read."""

_SCHEME = "gitmem://"
_SURFACE = "mcp"


@dataclass(frozen=True, slots=True)
class Listed:
    """One resource: its URI, a name for people, and what it is."""

    uri: str
    name: str
    description: str


def listed(workspace: Workspace) -> list[Listed]:
    """The core and the topics, by path."""
    found = [Listed(CORE_URI, "core", "What the memory always tells a model, fenced.")]
    topics = (one for one in workspace.browse(f"{TOPICS}/", limit=MOST_LISTED).entries if one.path != TOPIC_CORE)
    found += [Listed(uri_of(one.path), one.title, f"{one.path}, {one.blocks} claims") for one in topics]
    return found


def uri_of(path: str) -> str:
    """The URI of a topic."""
    return f"{_SCHEME}{quote(path)}"


def read(workspace: Workspace, uri: str) -> str:
    """The text of a resource. Raises ``NotFound`` for one that is not there, in the words for one that is hidden."""
    if uri == CORE_URI:
        return _core(workspace)
    path = unquote(uri.removeprefix(_SCHEME))
    if not uri.startswith(_SCHEME) or not path.startswith(f"{TOPICS}/"):
        message = f"there is no resource {uri}; the core is {CORE_URI}, a topic gitmem://topics/people/ada.md"
        raise NotFound(Code.PATH_NOT_FOUND, message)
    return fence(workspace.get(path).content)


def _core(workspace: Workspace) -> str:
    answer = workspace.context()
    workspace.events.publish(
        given(
            workspace.options.now(),
            tier=workspace.authority.tier,
            surface=_SURFACE,
            revision=answer.revision,
            blocks=answer.blocks,
        )
    )
    return answer.text
