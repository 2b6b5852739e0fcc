"""The writer that a caller names (``cli.md``, ``write --writer``)."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gitmem.config import Config
    from gitmem.writer.base import Writer

WRITERS = ("embedded", "model", "command")
"""The kinds there are."""


def choose_writer(
    kind: str, config: Config, environment: Mapping[str, str], runtime: Path, model: str | None = None
) -> Writer:
    """Give the writer of a kind; ``model`` stands in for the configured one, ``runtime`` is ``.git/gitmem``.

    Raises ``InvalidRequest`` for a kind that is not, and ``Unavailable`` or ``Refused`` for one that is not set up.
    """
    if kind not in WRITERS:
        message = f"there is no writer {kind!r}; there are: {', '.join(WRITERS)}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    if kind == "model":
        return _model_writer(config, environment, model)
    if model is not None:
        message = f"the {kind} writer asks no model; name the model writer too, with --writer model"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    if kind == "command":
        return _command_writer(config, environment, runtime)
    from gitmem.writer.embedded import EmbeddedWriter  # noqa: PLC0415  (each loads what it alone needs)

    return EmbeddedWriter()


def _command_writer(config: Config, environment: Mapping[str, str], runtime: Path) -> Writer:
    from gitmem.writer.agent_writer import AgentWriter  # noqa: PLC0415  (as above)
    from gitmem.writer.command import command_agent  # noqa: PLC0415  (as above)

    return AgentWriter(command_agent(config, environment, runtime))


def _model_writer(config: Config, environment: Mapping[str, str], model: str | None) -> Writer:
    from gitmem.writer.agent_writer import AgentWriter  # noqa: PLC0415  (as above)
    from gitmem.writer.model.endpoint import endpoint_of  # noqa: PLC0415  (as above)

    endpoint = endpoint_of(config, environment, model)
    for needed in ("pydantic_ai", endpoint.provider):
        if find_spec(needed) is None:
            message = f"the model writer needs {needed}: pip install 'gitmem-workspace[model]'"
            raise Unavailable(Code.MODEL_RESOLUTION_FAILED, message)
    from gitmem.writer.model.agent import ModelAgent  # noqa: PLC0415  (an optional extra, slow to load)

    return AgentWriter(ModelAgent(endpoint))
