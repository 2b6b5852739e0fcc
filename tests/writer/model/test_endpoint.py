"""Which model is asked, where, with which key (behaviours.md 10.14)."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gitmem.config import Config
from gitmem.errors import Code, InvalidRequest, Unavailable
from gitmem.writer.choosing import choose_writer
from gitmem.writer.model.endpoint import NO_KEY, endpoint_of
from model_server import KEY

KEYS = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": "sk-ant", "OWN": "sk-own"}
GPT = Config(writer_model="openai:gpt")
RUNTIME = Path("runtime")


def test_the_settings_name_the_endpoint() -> None:
    found = endpoint_of(replace(GPT, writer_timeout=30.0, writer_max_requests=7), KEYS)
    assert (found.name, found.url, found.key, found.key_variable) == (
        "openai:gpt",
        "https://api.openai.com/v1",
        KEY,
        "OPENAI_API_KEY",
    )
    assert (found.timeout, found.max_requests, found.place) == (30.0, 7, "api.openai.com")
    claude = endpoint_of(Config(writer_model="anthropic:claude:latest"), KEYS)
    assert (claude.name, claude.url, claude.key) == ("anthropic:claude:latest", "https://api.anthropic.com", "sk-ant")


def test_a_model_of_the_call_stands_in_for_the_model_only() -> None:  # behaviours.md 10.14
    config = replace(GPT, writer_base_url="http://127.0.0.1:1/v1", writer_key_variable="OWN")
    found = endpoint_of(config, KEYS, "openai:other")
    assert (found.model, found.url, found.key) == ("other", "http://127.0.0.1:1/v1", "sk-own")


def test_the_usual_variable_may_say_where() -> None:
    assert endpoint_of(GPT, {**KEYS, "OPENAI_BASE_URL": "http://proxy:9/v1"}).url == "http://proxy:9/v1"
    config = replace(GPT, writer_base_url="http://own:1/v1")
    assert endpoint_of(config, {**KEYS, "OPENAI_BASE_URL": "http://proxy:9/v1"}).url == "http://own:1/v1"


def test_an_endpoint_of_ones_own_needs_no_key() -> None:
    assert endpoint_of(replace(GPT, writer_base_url="http://own:1/v1"), {}).key == NO_KEY


def test_no_text_of_an_endpoint_shows_the_key() -> None:
    assert KEY not in repr(endpoint_of(GPT, KEYS))
    assert KEY not in repr(choose_writer("model", GPT, KEYS, RUNTIME))
    assert endpoint_of(replace(GPT, writer_base_url="http://me:secret@own:1/v1"), KEYS).place == "own:1"


@pytest.mark.parametrize(
    ("config", "environment", "said"),
    [
        (Config(), KEYS, "openai:NAME"),
        (Config(writer_model="gpt"), KEYS, "'gpt'"),
        (Config(writer_model="openai:"), KEYS, "'openai:'"),
        (Config(writer_model="google:gemini"), KEYS, "'google:gemini'"),
        (GPT, {}, "OPENAI_API_KEY"),
        (GPT, {"OPENAI_API_KEY": " "}, "OPENAI_API_KEY"),
        (replace(GPT, writer_key_variable="MISSING"), KEYS, "MISSING"),
        (replace(GPT, writer_key_variable="MISSING", writer_base_url="http://own:1"), KEYS, "MISSING"),
        (replace(GPT, writer_key_variable=KEY), KEYS, "never the key"),
        (replace(GPT, writer_base_url="ftp://own"), KEYS, "gitmem.writer.baseUrl"),
        (replace(GPT, writer_base_url="own:8080"), KEYS, "gitmem.writer.baseUrl"),
        (replace(GPT, writer_base_url="http://[own"), KEYS, "gitmem.writer.baseUrl"),
        (replace(GPT, writer_base_url="http://own:port/v1"), KEYS, "gitmem.writer.baseUrl"),
    ],
)
def test_what_is_not_set_up_is_said_and_final(config: Config, environment: dict[str, str], said: str) -> None:
    with pytest.raises(Unavailable) as missing:
        choose_writer("model", config, environment, RUNTIME)
    assert (missing.value.code, missing.value.retryable) == (Code.MODEL_RESOLUTION_FAILED, False)
    assert said in missing.value.message
    assert KEY not in missing.value.message


def test_a_model_is_named_for_the_model_writer_only() -> None:
    with pytest.raises(InvalidRequest) as refused:
        choose_writer("embedded", GPT, KEYS, RUNTIME, "openai:gpt")
    assert refused.value.code is Code.INVALID_ARGUMENT
    assert choose_writer("model", GPT, KEYS, RUNTIME).signature == "model openai:gpt"


@pytest.mark.parametrize("missing", ["pydantic_ai", "openai"])
def test_without_the_extra_the_line_to_run_is_said(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(Unavailable) as raised:
        choose_writer("model", GPT, KEYS, RUNTIME)
    assert raised.value.code is Code.MODEL_RESOLUTION_FAILED
    assert f"needs {missing}: pip install 'gitmem-workspace[model]'" in raised.value.message
