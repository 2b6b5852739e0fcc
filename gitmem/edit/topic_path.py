"""Which paths a caller may write: Markdown files below ``topics/`` (``behaviours.md`` 4.3, 4.4, 5.2, 5.3)."""

from __future__ import annotations

from gitmem.errors import Code, Refused
from gitmem.format.layout import CORE, TOPICS, is_derived, is_source, is_topic
from gitmem.format.pathname import name_problem
from gitmem.ids import TopicPath


def topic_path(written: str, *, implied: bool = False) -> TopicPath:
    """The path without ``.`` steps and doubled slashes; with ``implied`` the leading ``topics/`` may be missing.

    Raises ``Refused``: ``PATH_OUTSIDE_WORKSPACE`` for absolute paths and ``..``, ``READ_ONLY_PATH`` for everything
    that is not a Markdown file below ``topics/``.
    """
    if written.startswith("/") or written[1:2] == ":" or ".." in written.replace("\\", "/").split("/"):
        raise Refused(
            Code.PATH_OUTSIDE_WORKSPACE,
            f"{written!r} leaves the workspace; give a path below {TOPICS}/",
            path=written,
        )
    steps = [step for step in written.split("/") if step not in {"", "."}]
    if implied and steps[:1] != [TOPICS] and not _elsewhere(steps):
        steps.insert(0, TOPICS)
    path = "/".join(steps)
    if not is_topic(path) or written.endswith(("/", "/.")) or any(name_problem(step) for step in steps):
        raise Refused(
            Code.READ_ONLY_PATH,
            f"{written!r} cannot be written; only Markdown files below {TOPICS}/ can (portable names ending in .md)",
            path=written,
        )
    return TopicPath(path)


def _elsewhere(steps: list[str]) -> bool:
    """Whether the path names another part of the workspace, so that no leading ``topics/`` can be meant."""
    path = "/".join(steps)
    return is_source(path) or (is_derived(path) and path != CORE)  # core.md has a topic of that name
