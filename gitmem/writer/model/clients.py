"""The providers' own clients: they wait, retry and keep time (``Retry-After`` included), for one task at a time."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anthropic
import openai
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pydantic_ai.models import Model

    from gitmem.writer.model.endpoint import Endpoint


RETRIES = 2
"""How often a client repeats a request that failed for a reason that passes, waiting as the provider says."""


@asynccontextmanager
async def opened(endpoint: Endpoint) -> AsyncIterator[Model]:
    """The model, with a connection of its own that ends with the task.

    Nobody is sent on to another address: the conversation goes where the settings say, or nowhere.
    """
    if endpoint.provider == "anthropic":
        async with anthropic.AsyncAnthropic(
            api_key=endpoint.key,
            base_url=endpoint.url,
            timeout=endpoint.timeout,
            max_retries=RETRIES,
            http_client=anthropic.DefaultAsyncHttpxClient(timeout=endpoint.timeout, follow_redirects=False),
        ) as claude:
            yield AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=claude))
    else:
        async with openai.AsyncOpenAI(
            api_key=endpoint.key,
            base_url=endpoint.url,
            timeout=endpoint.timeout,
            max_retries=RETRIES,
            http_client=openai.DefaultAsyncHttpxClient(timeout=endpoint.timeout, follow_redirects=False),
        ) as client:
            yield OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client))
