"""What goes wrong with a model, over the wire of both providers: codes, verdicts, and what is not told (part 10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gitmem.errors import RETRYABLE, Code, GitmemError
from gitmem.writer.agent import Prompt
from gitmem.writer.base import NoMemory
from gitmem.writer.model.agent import MISUSES, ModelAgent
from gitmem.writer.model.endpoint import Endpoint
from gitmem.writer.workbench import Workbench
from model_server import ANTHROPIC, KEY, MODELS, OPENAI, ModelServer, Reply, call, calls, fails, says

TASK = Prompt("the rules", "what Ada said in confidence")
WRITES = call("Write", path="topics/a.md", content="# A\n")


def endpoint(provider: str, url: str, **more: Any) -> Endpoint:
    return Endpoint(provider, MODELS[provider], url, KEY, "MY_KEY", **{"timeout": 20.0, "max_requests": 10, **more})


def failure(provider: str, *replies: Reply, **more: Any) -> tuple[GitmemError, ModelServer]:
    """How a task ends, and the server that was asked; no message tells the key or the conversation."""
    with ModelServer(*replies) as server, pytest.raises(GitmemError) as raised:
        ModelAgent(endpoint(provider, server.url(provider), **more)).work(TASK, Workbench(NoMemory()))
    error = raised.value
    assert KEY not in f"{error.message} {error!r} {error.details}"
    assert "confidence" not in error.message
    assert error.__cause__ is None
    assert error.__suppress_context__
    return error, server


CONTEXT_OPENAI = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
CONTEXT_ANTHROPIC = "prompt is too long: 210000 tokens > 200000 maximum"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (fails(401, f"Incorrect API key provided: {KEY}", kind="authentication_error"), Code.MODEL_AUTHENTICATION),
        (fails(403, kind="permission_error"), Code.MODEL_AUTHORIZATION),
        (fails(404, "the model does not exist", kind="not_found_error"), Code.MODEL_RESOLUTION_FAILED),
        (fails(408), Code.MODEL_TIMEOUT),
        (fails(413, kind="request_too_large"), Code.MODEL_CONTEXT_LENGTH),
        (fails(429, kind="rate_limit_error"), Code.MODEL_RATE_LIMIT),
        (fails(400, f"bad field {KEY}", kind="invalid_request_error"), Code.MODEL_INVALID_REQUEST),
        (fails(422), Code.MODEL_INVALID_REQUEST),
        (fails(400, CONTEXT_OPENAI, code="context_length_exceeded"), Code.MODEL_CONTEXT_LENGTH),
        (fails(400, CONTEXT_ANTHROPIC, kind="invalid_request_error"), Code.MODEL_CONTEXT_LENGTH),
        (fails(400, "the input exceeds the context window"), Code.MODEL_CONTEXT_LENGTH),
        (fails(400, "rejected by our safety system", code="content_policy_violation"), Code.MODEL_CONTENT_POLICY),
        (fails(400, "Output blocked by content filtering policy"), Code.MODEL_CONTENT_POLICY),
        (fails(500), Code.MODEL_PROVIDER_INTERNAL),
        (fails(502), Code.MODEL_PROVIDER_INTERNAL),
        (fails(503), Code.MODEL_PROVIDER_INTERNAL),
        (fails(529, kind="overloaded_error"), Code.MODEL_PROVIDER_INTERNAL),
        (Reply(break_off=True), Code.MODEL_TRANSPORT),
        (Reply(finish="content_filter"), Code.MODEL_CONTENT_POLICY),
        (Reply(text="I cannot", finish="content_filter"), Code.MODEL_CONTENT_POLICY),
        (Reply(status=418, error={}), Code.MODEL_FAILURE_UNKNOWN),
        (Reply(raw=b"<html>a proxy's page</html>"), Code.MODEL_FAILURE_UNKNOWN),
    ],
)
def test_every_failure_has_its_code(provider: str, reply: Reply, code: Code) -> None:  # behaviours.md 10.5, 10.14
    error, server = failure(provider, reply)
    assert (error.code, error.retryable) == (code, code in RETRYABLE)
    assert len(server.asked) == 1
    assert error.message.startswith(f"{provider}:{MODELS[provider]}: ")


def test_a_refused_key_names_the_variable_and_quotes_nothing(provider: str) -> None:
    error, _ = failure(provider, fails(401, "Incorrect API key provided: sk-test-5fda****7a"))
    assert "MY_KEY" in error.message
    assert "5fda" not in error.message


def test_the_key_is_cut_out_of_what_a_provider_says(provider: str) -> None:
    error, _ = failure(provider, fails(400, f"header Authorization: Bearer {KEY} is odd"))
    assert "Bearer *** is odd" in error.message


def test_an_endpoint_that_is_not_there_is_a_failure_of_transport(provider: str) -> None:
    with ModelServer(says()) as server:
        url = server.url(provider)
    with pytest.raises(GitmemError) as raised:
        ModelAgent(endpoint(provider, url)).work(TASK, Workbench(NoMemory()))
    assert (raised.value.code, raised.value.retryable) == (Code.MODEL_TRANSPORT, True)


def test_no_answer_in_time_is_a_time_out(provider: str) -> None:
    error, server = failure(provider, Reply(hang=True), timeout=0.2)
    assert (error.code, error.retryable) == (Code.MODEL_TIMEOUT, True)
    assert len(server.asked) <= 1  # on a slow machine time is up before anything is sent


@pytest.mark.parametrize(
    ("reply", "code", "retryable"),
    [
        (fails(429, x_should_retry="false"), Code.MODEL_RATE_LIMIT, False),
        (fails(500, x_should_retry="false"), Code.MODEL_PROVIDER_INTERNAL, False),
        (fails(400, x_should_retry="true"), Code.MODEL_INVALID_REQUEST, True),
    ],
)
def test_the_providers_own_verdict_wins(  # behaviours.md 10.5, 10.14
    provider: str, reply: Reply, code: Code, *, retryable: bool
) -> None:
    error, _ = failure(provider, reply)
    assert (error.code, error.retryable) == (code, retryable)


@pytest.mark.parametrize(
    ("provider", "reply"),
    [
        (OPENAI, fails(429, "You exceeded your current quota", code="insufficient_quota")),
        (ANTHROPIC, fails(400, "Your credit balance is too low", kind="invalid_request_error")),
    ],
)
def test_an_empty_account_is_not_worth_a_retry(provider: str, reply: Reply) -> None:
    error, _ = failure(provider, reply)
    assert (error.code, error.retryable) == (Code.MODEL_RATE_LIMIT, False)


def test_what_passes_is_tried_again_as_the_provider_says(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.writer.model.clients.RETRIES", 2)
    error, server = failure(provider, fails(429, retry_after_ms="5"))
    assert (error.code, len(server.asked)) == (Code.MODEL_RATE_LIMIT, 3)
    bench = Workbench(NoMemory())
    replies = (fails(429, retry_after_ms="5"), WRITES, fails(503, retry_after_ms="5"), says())
    with ModelServer(*replies) as server:
        ModelAgent(endpoint(provider, server.url(provider))).work(TASK, bench)
    assert bench.paths() == ("topics/a.md",)
    assert len(server.asked) == 4


def test_nobody_is_sent_on_to_another_address(provider: str) -> None:
    with ModelServer(says()) as other:
        elsewhere = Reply(status=307, error={}, headers={"location": other.url(provider)})
        error, _ = failure(provider, elsewhere)
    assert error.code is Code.MODEL_FAILURE_UNKNOWN
    assert other.asked == []


def test_a_model_that_never_stops_calling_is_stopped(provider: str) -> None:
    error, server = failure(provider, call("List"), max_requests=4)
    assert (error.code, error.retryable) == (Code.WRITER_BUDGET_EXCEEDED, False)
    assert len(server.asked) == 4


@pytest.mark.parametrize("reply", [call("Read", nope=1), call("Read", path=7), call("Bash", command="ls")])
def test_nonsense_is_told_the_model_and_bounded(provider: str, reply: Reply) -> None:
    error, server = failure(provider, reply, max_requests=60)
    assert (error.code, error.retryable) == (Code.MODEL_FAILURE_UNKNOWN, False)
    assert len(server.asked) == MISUSES + 1
    (told,) = server.asked[1].results
    assert "nope" in told or "path" in told or "Bash" in told


def test_arguments_that_are_no_json_are_told_the_model() -> None:
    bench = Workbench(NoMemory())
    with ModelServer(calls(("Read", '{"path": ')), WRITES, says()) as server:
        ModelAgent(endpoint(OPENAI, server.url(OPENAI))).work(TASK, bench)
    assert len(server.asked[1].results) == 1
    assert bench.paths() == ("topics/a.md",)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("overloaded_error", Code.MODEL_PROVIDER_INTERNAL),
        ("api_error", Code.MODEL_PROVIDER_INTERNAL),
        ("rate_limit_error", Code.MODEL_RATE_LIMIT),
        ("authentication_error", Code.MODEL_AUTHENTICATION),
    ],
)
def test_an_answer_may_end_in_an_error(kind: str, code: Code) -> None:
    error, _ = failure(ANTHROPIC, Reply(text="So", late_error=kind))
    assert (error.code, error.retryable) == (code, code in RETRYABLE)


def test_text_that_cannot_be_sent_back_ends_the_task() -> None:
    with ModelServer(call("Write", path="topics/a.md", content="\ud800")) as server:
        asked = replace(endpoint(ANTHROPIC, server.url(ANTHROPIC)), model="nobody-knows")
        with pytest.raises(GitmemError) as raised:
            ModelAgent(asked).work(TASK, Workbench(NoMemory()))
    assert (raised.value.code, raised.value.retryable) == (Code.MODEL_FAILURE_UNKNOWN, False)
    assert len(server.asked) == 1
