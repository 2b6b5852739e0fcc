"""Everything that a model is given of the memory before it answers: the core, and what answers the turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.format.fence import fence
from gitmem.format.layout import CORE, CORE_SHARED, TOPIC_CORE
from gitmem.format.topic import parse_topic
from gitmem.ids import TopicPath
from gitmem.recall.recall import line_of, recall
from gitmem.search.hits import BLOCK

if TYPE_CHECKING:
    from gitmem.memory import Memory
    from gitmem.search.hits import Hit


@dataclass(frozen=True, slots=True)
class ContextAnswer:
    """``text`` is what a model is given, fenced once: ``core``, then the ``results``. ``""`` when both are empty.

    ``blocks`` are the ids of all claims in it.
    """

    revision: str | None
    fresh: bool
    core: str
    results: tuple[Hit, ...]
    text: str
    blocks: tuple[str, ...]


def core_of(memory: Memory) -> str:
    """The core as it is rendered for this reader; ``""`` where there is none."""
    path = CORE if memory.narrowing is None else CORE_SHARED
    return (memory.snapshot.read(path) or b"").decode("utf-8", "replace").strip()


def context(memory: Memory, query: str | None, *, k: int, method: str, max_tokens: int) -> ContextAnswer:
    """The core and, with a query, what answers it."""
    core = core_of(memory)
    results = () if query is None else recall(memory, query, k=k, method=method, max_tokens=max_tokens).results
    shown = [block.id for block in parse_topic(TopicPath(TOPIC_CORE), core).blocks]
    blocks = tuple(dict.fromkeys((*shown, *(hit.id for hit in results if hit.kind == BLOCK))))
    parts = (core, "\n".join(map(line_of, results)))
    return ContextAnswer(memory.revision, memory.fresh, core, results, fence("\n\n".join(filter(None, parts))), blocks)
