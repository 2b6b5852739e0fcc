"""The writer that a caller names (``cli.md``, ``write --writer``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.config import Config
    from gitmem.writer.base import Writer

WRITERS = ("embedded",)
"""The kinds there are."""


def choose_writer(kind: str, config: Config, environment: Mapping[str, str], model: str | None = None) -> Writer:  # noqa: ARG001
    """Give the writer of a kind; ``model`` stands in for the configured one.

    Raises ``InvalidRequest`` for a kind that is not, and ``Unavailable`` for one that is not set up.
    """
    if kind == "embedded":
        from gitmem.writer.embedded import EmbeddedWriter  # noqa: PLC0415  (each loads what it alone needs)

        return EmbeddedWriter()
    message = f"there is no writer {kind!r}; there is: {', '.join(WRITERS)}"
    raise InvalidRequest(Code.INVALID_ARGUMENT, message)
