"""Paths as readers write them: with or without ``topics/``, archives with or without ``_v2/`` (16.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.corpus import prefixes
from gitmem.errors import Code, Refused
from gitmem.format import layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.store.tree import Tree

_PARTS = (layout.TOPICS, layout.SOURCES)
_ROOTS = frozenset(
    {
        *_PARTS,
        layout.TIMELINE,
        layout.CORE,
        layout.CORE_SHARED,
        layout.RECENT,
        layout.RELATIONS,
        layout.GITMEM,
        layout.GITATTRIBUTES,
    }
)
_SUFFIX = ".md"


def path_prefix(written: str) -> str:
    """The start of workspace paths that somebody means; a name that is no folder of the root is below ``topics/``.

    Raises ``Refused`` (``PATH_OUTSIDE_WORKSPACE``) for absolute paths and ``..``.
    """
    steps = _steps(written)
    if steps and steps[0] not in _ROOTS and not _begins_a_part(steps):
        steps.insert(0, layout.TOPICS)
    slash = "/" if steps and written.endswith("/") else ""
    return "/".join(steps) + slash


def below(path: str, prefix: str) -> bool:
    """Whether a path, or an archive's path without ``_v2/``, starts so; ``prefix`` comes from ``path_prefix``."""
    return path.startswith(prefixes(prefix))


def candidates(written: str) -> Iterator[str]:
    """The workspace paths that a written path may mean, likeliest first; raises as ``path_prefix`` does."""
    steps = _steps(written)
    plain = "/".join(steps)
    for path in (plain, f"{layout.TOPICS}/{plain}"):
        yield from prefixes(path)
        if not path.endswith(_SUFFIX):
            yield from prefixes(f"{path}{_SUFFIX}")


def find_file(tree: Tree, written: str) -> str | None:
    """The file that a written path means; ``None`` when there is none. Raises as ``path_prefix`` does."""
    return next((path for path in candidates(written) if path and tree.entry(path) is not None), None)


def _steps(written: str) -> list[str]:
    if written.startswith("/") or ".." in written.replace("\\", "/").split("/"):
        message = f"{written!r} leaves the workspace; give a path from its root, such as topics/ or sources/"
        raise Refused(Code.PATH_OUTSIDE_WORKSPACE, message, path=written)
    return [step for step in written.split("/") if step not in {"", "."}]


def _begins_a_part(steps: list[str]) -> bool:
    return len(steps) == 1 and any(part.startswith(steps[0]) for part in _PARTS)
