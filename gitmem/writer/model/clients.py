"""The providers' own clients: they wait, retry and keep time (``Retry-After`` included), for one task at a time."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pydantic_ai.models import Model

    from gitmem.writer.model.endpoint import Endpoint


@asynccontextmanager
async def opened(endpoint: Endpoint) -> AsyncIterator[Model]:
    """The model, with a connection of its own that ends with the task."""
    if endpoint.provider == "anthropic":
        async with AsyncAnthropic(api_key=endpoint.key, base_url=endpoint.url, timeout=endpoint.timeout) as claude:
            yield AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=claude))
    else:
        async with AsyncOpenAI(api_key=endpoint.key, base_url=endpoint.url, timeout=endpoint.timeout) as client:
            yield OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client))
