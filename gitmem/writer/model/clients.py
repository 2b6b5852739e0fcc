"""The providers' own clients: they wait, retry and keep time (``Retry-After`` included), for one task at a time.

A client is loaded when its provider is asked: each takes seconds. Nobody is sent on to another address: a conversation
goes where the settings say, or nowhere.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pydantic_ai.models import Model

    from gitmem.writer.model.endpoint import Endpoint

RETRIES = 2
"""How often a client repeats a request that failed for a reason that passes, waiting as the provider says."""


@asynccontextmanager
async def opened(endpoint: Endpoint) -> AsyncIterator[Model]:
    """The model, with a connection of its own that ends with the task."""
    of_provider = _anthropic if endpoint.provider == "anthropic" else _openai
    async with of_provider(endpoint) as model:
        yield model


@asynccontextmanager
async def _anthropic(endpoint: Endpoint) -> AsyncIterator[Model]:
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient  # noqa: PLC0415  (slow to load)
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415  (loads the client)
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415  (loads the client)

    async with AsyncAnthropic(
        api_key=endpoint.key,
        base_url=endpoint.url,
        timeout=endpoint.timeout,
        max_retries=RETRIES,
        http_client=DefaultAsyncHttpxClient(timeout=endpoint.timeout, follow_redirects=False),
    ) as client:
        yield AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=client))


@asynccontextmanager
async def _openai(endpoint: Endpoint) -> AsyncIterator[Model]:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient  # noqa: PLC0415  (slow to load)
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415  (loads the client)
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415  (loads the client)

    async with AsyncOpenAI(
        api_key=endpoint.key,
        base_url=endpoint.url,
        timeout=endpoint.timeout,
        max_retries=RETRIES,
        http_client=DefaultAsyncHttpxClient(timeout=endpoint.timeout, follow_redirects=False),
    ) as client:
        yield OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client))
