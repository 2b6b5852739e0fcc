"""A language model that works on the topics with tools (``behaviours.md`` 10.13, part 15)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic_ai import Agent, ModelRetry, ModelSettings, RunContext, Tool, ToolFailed, UsageLimits
from pydantic_ai.exceptions import ContentFilterError

from gitmem.request import NoEdit
from gitmem.writer.model.clients import opened
from gitmem.writer.model.failures import translated
from gitmem.writer.prompts_rules import WITH_TOOLS
from gitmem.writer.tools import Toolbox
from gitmem.writer.tools_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from gitmem.writer.agent import Outcome, Prompt
    from gitmem.writer.model.endpoint import Endpoint
    from gitmem.writer.tools_table import ToolSpec
    from gitmem.writer.workbench import Workbench

MISUSES = 5
"""How often in a row a model may call one tool with arguments that are not its own."""

REMINDERS = 2
"""How often a model that finishes too early is told what is missing; then its word stands."""


@dataclass(frozen=True, slots=True)
class ModelAgent:
    """Asks one model, whose conversation begins anew with every task."""

    endpoint: Endpoint
    name: str = "model"

    @property
    def signature(self) -> str:
        """``model openai:gpt``."""
        return f"{self.name} {self.endpoint.name}"

    def work(self, task: Prompt, bench: Workbench) -> Outcome:
        """Let the model call tools until it says that it is done.

        Raises ``Unavailable`` with a ``MODEL_`` code, ``Refused`` (``WRITER_BUDGET_EXCEEDED``) for too many requests.
        """
        toolbox = Toolbox(bench)
        with translated(self.endpoint):
            _to_the_end(_talk(self.endpoint, task, toolbox))
        return toolbox.outcome


async def _talk(endpoint: Endpoint, task: Prompt, toolbox: Toolbox) -> None:
    async with opened(endpoint) as model:
        agent: Agent[Toolbox, str | None] = Agent(
            model,
            instructions=f"{task.rules}\n\n{WITH_TOOLS}",
            deps_type=Toolbox,
            tools=[_tool(spec, toolbox) for spec in TOOLS],
            output_type=[str, type(None)],
            model_settings=ModelSettings(cache=True),  # each request repeats all that was said
            retries={"tools": MISUSES, "output": REMINDERS + 1},
        )
        agent.output_validator(_finished)
        limits = UsageLimits(request_limit=endpoint.max_requests)
        await agent.run(task.material, deps=toolbox, usage_limits=limits, timeout=endpoint.timeout, infer_name=False)


def _tool(spec: ToolSpec, toolbox: Toolbox) -> Tool[Toolbox]:
    async def call(**arguments: Any) -> str:  # noqa: ANN401  (whatever the model sent)
        result = toolbox.call(spec.name, arguments)
        if result.misused:
            raise ModelRetry(result.text)
        if result.is_error:
            raise ToolFailed(result.text)
        return result.text

    # one after the other: each call sees what the one before it did
    return Tool.from_schema(call, spec.name, spec.description, spec.schema, sequential=True)


def _finished(context: RunContext[Toolbox], said: str | None) -> str | None:
    """Remind a model that stops without what it must say; a stubborn one is believed."""
    missing = _missing(context)
    if missing is not None and context.retry < REMINDERS:
        raise ModelRetry(missing)
    return said


def _missing(context: RunContext[Toolbox]) -> str | None:
    toolbox = context.deps
    last = context.messages[-1]
    ended = last.finish_reason if last.kind == "response" else None
    if ended == "content_filter":
        stopped = "the answer was stopped"
        raise ContentFilterError(stopped)
    if ended == "length":
        return "your answer was cut off; go on with what is left to do, in smaller steps"
    if isinstance(toolbox.bench.changes(), NoEdit) and not toolbox.outcome.nothing_to_record:
        return "nothing was changed; record what is worth it, or call NothingToRecord"
    if toolbox.unexplained:
        names = ", ".join(f"^{block}" for block in toolbox.unexplained)
        return f"{names}: removed without a reason; put them back, or call Remove with each id and the reason"
    return None


def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Run it here, or beside the event loop of a host that calls from one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
    else:
        with ThreadPoolExecutor(1) as beside:
            beside.submit(asyncio.run, work).result()
