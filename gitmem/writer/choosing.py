"""The writer that a caller names (``cli.md``, ``write --writer``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.config import Config
    from gitmem.writer.base import Writer

WRITERS = ("embedded", "model")
"""The kinds there are."""


def choose_writer(kind: str, config: Config, environment: Mapping[str, str], model: str | None = None) -> Writer:
    """Give the writer of a kind; ``model`` stands in for the configured one.

    Raises ``InvalidRequest`` for a kind that is not, and ``Unavailable`` for one that is not set up.
    """
    if kind not in WRITERS:
        message = f"there is no writer {kind!r}; there are: {', '.join(WRITERS)}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    if kind == "model":
        return _model_writer(config, environment, model)
    if model is not None:
        message = f"the {kind} writer asks no model; name the model writer too, with --writer model"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    from gitmem.writer.embedded import EmbeddedWriter  # noqa: PLC0415  (each loads what it alone needs)

    return EmbeddedWriter()


def _model_writer(config: Config, environment: Mapping[str, str], model: str | None) -> Writer:
    from gitmem.writer.agent_writer import AgentWriter  # noqa: PLC0415  (as above)
    from gitmem.writer.model.endpoint import endpoint_of  # noqa: PLC0415  (as above)

    endpoint = endpoint_of(config, environment, model)
    try:
        from gitmem.writer.model.agent import ModelAgent  # noqa: PLC0415  (an optional extra, slow to load)
    except ModuleNotFoundError as error:
        message = f"the model writer needs {error.name}: pip install 'gitmem-workspace[model]'"
        raise Unavailable(Code.MODEL_RESOLUTION_FAILED, message) from error
    return AgentWriter(ModelAgent(endpoint))
