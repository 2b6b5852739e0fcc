"""A model at work: what it is sent, what its calls do, when it is done (behaviours.md 10.13, part 15)."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys

import pytest

from gitmem.ids import TopicPath
from gitmem.request import FilesEdit, FileWrite, NoEdit
from gitmem.writer.agent import Outcome, Prompt
from gitmem.writer.base import NoMemory
from gitmem.writer.model.agent import REMINDERS, ModelAgent
from gitmem.writer.model.endpoint import Endpoint
from gitmem.writer.prompts_rules import WITH_TOOLS
from gitmem.writer.tools_table import TOOLS
from gitmem.writer.workbench import Workbench
from model_server import ANTHROPIC, KEY, MODELS, ModelServer, Reply, call, calls, fails, says

TASK = Prompt("the rules", "the records")
A = TopicPath("topics/a.md")
TEXT = "# A\n\nOne.[^e-1] ^aaaa0001\n\n[^e-1]: Time: `2024`; Sources: [x](../sources/p/_v2/t.md#source-0)\n"
WRITES = call("Write", path=A, content="# A\n")


class OneFile(NoMemory):
    """A memory of one topic with one block."""

    def paths(self) -> tuple[TopicPath, ...]:
        return (A,)

    def text(self, path: TopicPath) -> str | None:
        return TEXT if path == A else None


def agent(provider: str, server: ModelServer) -> ModelAgent:
    return ModelAgent(Endpoint(provider, MODELS[provider], server.url(provider), KEY, "KEY", 20.0, 10))


def work(provider: str, *replies: Reply, bench: Workbench | None = None) -> tuple[Outcome, Workbench, ModelServer]:
    """Let a scripted model do a task."""
    bench = bench or Workbench(NoMemory())
    with ModelServer(*replies) as server:
        outcome = agent(provider, server).work(TASK, bench)
    return outcome, bench, server


def test_the_model_is_sent_the_rules_the_task_and_the_tools(provider: str) -> None:
    _, _, server = work(provider, WRITES, says())
    first = server.asked[0]
    assert first.rules == f"the rules\n\n{WITH_TOOLS}"
    assert first.task == "the records"
    assert first.body["model"] == MODELS[provider]
    tools = [tool.get("function", tool) for tool in first.body["tools"]]
    assert [tool["name"] for tool in tools] == [tool.name for tool in TOOLS]
    assert [tool.get("parameters") or tool["input_schema"] for tool in tools] == [tool.schema for tool in TOOLS]
    assert any(KEY in text for text in first.headers.values())
    assert KEY not in first.text


def test_a_model_that_nobody_knows_is_asked_too(provider: str) -> None:
    bench = Workbench(NoMemory())
    with ModelServer(WRITES, says()) as server:
        ModelAgent(Endpoint(provider, "own/model:7b", server.url(provider), KEY, "KEY")).work(TASK, bench)
    assert server.asked[0].body["model"] == "own/model:7b"
    assert isinstance(bench.changes(), FilesEdit)


def test_calls_of_one_answer_are_carried_out_in_their_order(provider: str) -> None:
    made = calls(
        ("Write", {"path": A, "content": "one\n"}),
        ("Edit", {"path": A, "old_string": "one", "new_string": "two"}),
        ("Read", {"path": A}),
        ("Read", {"path": "sources/x.md"}),
    )
    outcome, bench, server = work(provider, made, says())
    assert bench.changes() == FilesEdit((FileWrite(A, "two\n"),))
    assert outcome == Outcome()
    written, edited, read, refused = server.asked[1].results
    assert (written, edited, read) == (f"Wrote 4 bytes to {A}", f"Replaced it in {A}", "two\n")
    assert "READ_ONLY_PATH" in refused


def test_a_failed_call_is_marked_as_one() -> None:  # behaviours.md 15.1
    _, _, server = work(ANTHROPIC, call("Read", path="topics/none.md"), WRITES, says())
    results = [part for part in server.asked[1].body["messages"][-1]["content"] if part["type"] == "tool_result"]
    assert [part["is_error"] for part in results] == [True]


def test_a_model_may_end_without_a_word(provider: str) -> None:
    _, bench, server = work(provider, WRITES, Reply(text=""))
    assert isinstance(bench.changes(), FilesEdit)
    assert len(server.asked) == 2


def test_a_model_that_stops_without_saying_anything_is_reminded(provider: str) -> None:  # behaviours.md 0.16
    outcome, _, server = work(provider, says("Hello!"), call("NothingToRecord", reason="greetings"), says())
    assert outcome == Outcome(nothing_to_record=True)
    assert "NothingToRecord" in json.dumps(server.asked[1].body["messages"][-2:])


def test_a_stubborn_model_is_believed(provider: str) -> None:
    outcome, bench, server = work(provider, says("Hello!"))
    assert (outcome, bench.changes()) == (Outcome(), NoEdit())
    assert len(server.asked) == 1 + REMINDERS


def test_an_answer_that_was_cut_off_goes_on(provider: str) -> None:
    _, bench, server = work(provider, WRITES, Reply(text="And now", finish="length"), says())
    assert isinstance(bench.changes(), FilesEdit)
    assert len(server.asked) == 3


def test_a_removal_without_a_reason_is_asked_about(provider: str) -> None:  # behaviours.md 0.19
    outcome, bench, server = work(
        provider,
        call("Read", path=A),
        call("Write", path=A, content="# A\n"),
        says(),
        call("Remove", what="^aaaa0001", reason="superseded"),
        says(),
        bench=Workbench(OneFile()),
    )
    assert outcome.reasons == {"aaaa0001": "superseded"}
    assert bench.removed() == {"aaaa0001"}
    assert "^aaaa0001" in json.dumps(server.asked[3].body["messages"][-2:])


def test_a_host_with_an_event_loop_may_call(provider: str) -> None:
    bench = Workbench(NoMemory())

    async def host() -> Outcome:
        return agent(provider, server).work(TASK, bench)

    with ModelServer(WRITES, says()) as server:
        assert asyncio.run(host()) == Outcome()
    assert isinstance(bench.changes(), FilesEdit)


def test_no_log_holds_the_key_or_the_conversation(provider: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        work(provider, WRITES, says())
        with ModelServer(fails(401, f"bad key {KEY}")) as server, pytest.raises(Exception, match="KEY"):
            agent(provider, server).work(TASK, Workbench(NoMemory()))
    assert KEY not in caplog.text
    assert "the records" not in caplog.text


def test_the_libraries_are_loaded_only_when_a_model_is_asked() -> None:
    program = (
        "import sys, gitmem.workspace, gitmem.writer.choosing, gitmem.writer.agent_writer, gitmem.writer.write\n"
        "import gitmem_cli.commands.write, gitmem.writer.model.endpoint\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'pydantic_ai', 'openai', 'anthropic'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
