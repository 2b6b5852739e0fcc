"""What went wrong with a model, as a code of the closed list (``behaviours.md``, "failure codes")."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    OutputTokenLimitExceeded,
    RunTimedOut,
    UsageLimitExceeded,
    UserError,
)

from gitmem.errors import Code, GitmemError, Refused, Unavailable
from gitmem.format.text import excerpt, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.writer.model.endpoint import Endpoint

_STATUS = {403: Code.MODEL_AUTHORIZATION, 408: Code.MODEL_TIMEOUT, 413: Code.MODEL_CONTEXT_LENGTH}
"""Statuses that say more than their category does."""

_KINDS: tuple[tuple[type[Exception], Code], ...] = (
    (RunTimedOut, Code.MODEL_TIMEOUT),
    (ModelRequestTimeout, Code.MODEL_TIMEOUT),
    (ModelTimeoutError, Code.MODEL_TIMEOUT),
    (ModelConnectionError, Code.MODEL_TRANSPORT),
    (ModelAuthenticationError, Code.MODEL_AUTHENTICATION),
    (ModelNotFoundError, Code.MODEL_RESOLUTION_FAILED),
    (ModelContextWindowExceededError, Code.MODEL_CONTEXT_LENGTH),
    (ModelQuotaExceededError, Code.MODEL_RATE_LIMIT),
    (ModelRateLimitError, Code.MODEL_RATE_LIMIT),
    (ModelUnavailableError, Code.MODEL_PROVIDER_INTERNAL),
    (ModelServerError, Code.MODEL_PROVIDER_INTERNAL),
    (ModelRequestRejectedError, Code.MODEL_INVALID_REQUEST),
    (ContentFilterError, Code.MODEL_CONTENT_POLICY),
    (OutputTokenLimitExceeded, Code.MODEL_CONTEXT_LENGTH),
)
"""The first kind that an error is of decides."""

_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size)|prompt is too long|too many (input )?tokens|maximum.{0,40}tokens", re.IGNORECASE
)
_POLICY = re.compile(
    r"content[ _-]?(policy|filter|management)|safety (policy|system)|flagged|moderation", re.IGNORECASE
)
"""What providers, and those who imitate them, say instead of a code."""


class ModelFailure(Unavailable):
    """A failure with the provider's own verdict on whether trying again is worth while; it wins (part 10)."""

    def __init__(self, code: Code, message: str, verdict: bool | None = None) -> None:  # noqa: FBT001  (a verdict)
        """``verdict`` is what the provider said, ``None`` when it said nothing."""
        super().__init__(code, message)
        self._verdict = verdict

    @property
    def retryable(self) -> bool:
        """As the provider said, else as the code says."""
        return super().retryable if self._verdict is None else self._verdict


@contextmanager
def translated(endpoint: Endpoint) -> Iterator[None]:
    """Raise ``GitmemError`` in place of what the libraries raise; no message holds the key or what was sent."""
    try:
        yield
    except UsageLimitExceeded:
        message = f"{endpoint.name} was not done after {endpoint.max_requests} requests (gitmem.writer.maxRequests)"
        raise Refused(Code.WRITER_BUDGET_EXCEEDED, message) from None
    except (AgentRunError, UserError) as error:
        raise failure_of(error, endpoint) from None
    except UnicodeEncodeError:  # half a surrogate pair in what the model said cannot be sent back to it
        raise ModelFailure(Code.MODEL_FAILURE_UNKNOWN, f"{endpoint.name}: the model wrote broken text") from None


def failure_of(error: AgentRunError | UserError, endpoint: Endpoint) -> GitmemError:
    """The failure that a library's error means."""
    code = _code(error)
    return ModelFailure(code, f"{endpoint.name}: {_words(code, error, endpoint)}", _verdict(error))


def _code(error: AgentRunError | UserError) -> Code:
    code = next((code for kind, code in _KINDS if isinstance(error, kind)), Code.MODEL_FAILURE_UNKNOWN)
    if isinstance(error, ModelHTTPError):
        code = _STATUS.get(error.status_code, code)
    if code is Code.MODEL_INVALID_REQUEST:
        said = f"{_said(error)} {getattr(error, 'provider_error_code', '')}"
        if _CONTEXT.search(said):
            return Code.MODEL_CONTEXT_LENGTH
        if _POLICY.search(said):
            return Code.MODEL_CONTENT_POLICY
    return code


def _verdict(error: AgentRunError | UserError) -> bool | None:
    if isinstance(error, ModelHTTPError) and (hint := error.provider_retry_hint) is not None:
        return hint
    return False if isinstance(error, ModelQuotaExceededError) else None


def _words(code: Code, error: AgentRunError | UserError, endpoint: Endpoint) -> str:
    """What a person is told: what to do where that is known, and what the provider said where it tells more."""
    if code in {Code.MODEL_AUTHENTICATION, Code.MODEL_AUTHORIZATION}:
        # providers quote parts of a wrong key
        return f"the provider does not accept the key in {endpoint.key_variable} for this"
    if code is Code.MODEL_TIMEOUT:
        return f"no answer within {endpoint.timeout:g} seconds (gitmem.writer.timeout)"
    if code is Code.MODEL_TRANSPORT:
        return f"cannot reach {endpoint.place}, or the connection broke"
    said = _said(error).replace(endpoint.key, "***")
    return f"{_PLAIN[code]}: {excerpt(one_line(said), 300)}" if said else _PLAIN[code]


_PLAIN = {
    Code.MODEL_RESOLUTION_FAILED: "the provider has no such model",
    Code.MODEL_CONTEXT_LENGTH: "the task is too long for the model (gitmem.writer.triggerTokens makes batches smaller)",
    Code.MODEL_RATE_LIMIT: "the provider takes no more requests for now",
    Code.MODEL_PROVIDER_INTERNAL: "the provider failed",
    Code.MODEL_INVALID_REQUEST: "the provider refused the request",
    Code.MODEL_CONTENT_POLICY: "the provider's content policy stopped the answer",
    Code.MODEL_FAILURE_UNKNOWN: "its answers cannot be used",
}


def _said(error: AgentRunError | UserError) -> str:
    """The provider's own sentence; of other errors only the kind, because their text may quote the conversation."""
    if isinstance(error, ModelAPIError) and isinstance(error.body, dict):
        inner = error.body.get("error", error.body)
        message = inner.get("message") if isinstance(inner, dict) else None
        return message if isinstance(message, str) else ""
    return "" if isinstance(error, ModelAPIError | ContentFilterError) else type(error).__name__
