"""Which model is asked, where, and with which key (``behaviours.md`` 10.14, ``cli.md``, ``gitmem.writer.*``)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gitmem.errors import Code, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.config import Config


@dataclass(frozen=True, slots=True)
class Provider:
    """A kind of API: the name before the colon, where it is served, and the variables that are usual for it."""

    name: str
    url: str
    key_variable: str
    url_variable: str


PROVIDERS = {
    provider.name: provider
    for provider in (
        Provider("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
        Provider("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    )
}

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

NO_KEY = "none"
"""What is sent to an endpoint of one's own for which no key is set; such servers often want none."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model at one address. ``timeout`` is in seconds for a whole task, ``max_requests`` for one too."""

    provider: str
    model: str
    url: str
    key: str = field(repr=False)
    key_variable: str
    timeout: float = 600.0
    max_requests: int = 60

    @property
    def name(self) -> str:
        """``provider:model``, as it is configured."""
        return f"{self.provider}:{self.model}"

    @property
    def place(self) -> str:
        """The host and port that are asked."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def endpoint_of(config: Config, environment: Mapping[str, str], model: str | None = None) -> Endpoint:
    """The endpoint that the settings name; ``model`` stands in for the configured model only.

    Raises ``Unavailable`` (``MODEL_RESOLUTION_FAILED``) for a model, an address or a key that is missing or none.
    """
    provider, name = _provider(model or config.writer_model)
    own_url = config.writer_base_url or environment.get(provider.url_variable, "")
    variable = _variable(config.writer_key_variable) or provider.key_variable
    key = environment.get(variable, "").strip()
    if not key and (config.writer_key_variable or not own_url):
        message = f"the environment variable {variable} holds no key for {provider.name}:{name}; set it"
        raise Unavailable(Code.MODEL_RESOLUTION_FAILED, message)
    return Endpoint(
        provider.name,
        name,
        _url(own_url or provider.url),
        key or NO_KEY,
        variable,
        config.writer_timeout,
        config.writer_max_requests,
    )


def _variable(name: str) -> str:
    """The name as it is set. What is none may be the key itself, by mistake, and is never repeated."""
    if name and not _NAME.fullmatch(name):
        message = "gitmem.writer.keyVariable is no name of an environment variable; it takes the name, never the key"
        raise Unavailable(Code.MODEL_RESOLUTION_FAILED, message)
    return name


def _provider(model: str) -> tuple[Provider, str]:
    kind, _, name = model.strip().partition(":")
    provider = PROVIDERS.get(kind)
    if provider is None or not name:
        given = f"{model!r} names no model" if model else "no model is set"
        hint = "give openai:NAME or anthropic:NAME, with --model or `gitmem config gitmem.writer.model openai:NAME`"
        raise Unavailable(Code.MODEL_RESOLUTION_FAILED, f"{given}; {hint}")
    return provider, name


def _url(url: str) -> str:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # a port or an IPv6 address that is none
        sound = False
    if not sound:
        message = "gitmem.writer.baseUrl is no address; it begins with https:// or http://"
        raise Unavailable(Code.MODEL_RESOLUTION_FAILED, message)
    return url
