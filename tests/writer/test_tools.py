"""The tools of an agent: what they take, what they do, what they say (behaviours.md part 15, 0.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.ids import BlockId, TopicPath
from gitmem.request import FileDelete, FilesEdit, FileWrite, NoEdit
from gitmem.writer.agent import Outcome
from gitmem.writer.tools import Toolbox
from gitmem.writer.tools_calls import CALLS
from gitmem.writer.tools_table import TOOLS
from gitmem.writer.workbench import MOST_ROWS, READ_CHARACTERS, Workbench

if TYPE_CHECKING:
    from gitmem.format.model import Claim

ADA = TopicPath("topics/people/ada.md")
TEXT = """# Ada

Ada likes tea.[^e-1] ^aaaa0001

Ada lives in Basel.[^e-1] ^aaaa0002

[^e-1]: Time: `2024`; Sources: [talk](../../sources/p/_v2/t.md#source-0000000000000000)
"""


class OneFile:
    """A memory of one topic."""

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        return (ADA,) if folder == "topics/people" else ()

    def paths(self) -> tuple[TopicPath, ...]:
        return (ADA,)

    def text(self, path: TopicPath) -> str | None:
        return TEXT if path == ADA else None

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        raise NotImplementedError(path)


@pytest.fixture
def tools() -> Toolbox:
    return Toolbox(Workbench(OneFile()))


def told(tools: Toolbox, name: str, **arguments: Any) -> str:
    """What a call that works says."""
    result = tools.call(name, arguments)
    assert not result.is_error, result.text
    return result.text


def refused(tools: Toolbox, name: str, **arguments: Any) -> str:
    """What a call says that does not work, and changes nothing."""
    before = tools.bench.changes()
    result = tools.call(name, arguments)
    assert result.is_error
    assert tools.bench.changes() == before
    return result.text


def test_there_is_no_shell_and_no_other_tool() -> None:  # behaviours.md 0.7, 10.13, 15.1
    names = ["List", "Glob", "Grep", "Read", "Write", "Edit", "Move", "Remove", "NothingToRecord"]
    assert [tool.name for tool in TOOLS] == names
    assert sorted(CALLS) == sorted(names)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_schema_is_one_that_strict_providers_take(tool: Any) -> None:  # behaviours.md 3.15
    schema = tool.schema
    assert set(schema) - {"required"} == {"type", "properties", "additionalProperties"}
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert schema.get("required") != []
    assert set(schema.get("required", [])) <= set(schema["properties"])
    for parameter in schema["properties"].values():
        assert set(parameter) == {"type", "description"}
        assert parameter["type"] in {"string", "integer", "boolean"}
        assert parameter["description"]
    assert tool.description


def test_a_result_has_the_form_of_mcp(tools: Toolbox) -> None:  # behaviours.md 15.1
    result = tools.call("Write", {"path": "topics/new/deep/b.md", "content": "# Grüße\n"})
    text = "Wrote 10 bytes to topics/new/deep/b.md"
    assert result.as_content() == {"content": [{"type": "text", "text": text}], "is_error": False}
    result = tools.call("Read", {"path": "topics/none.md"})
    assert result.as_content()["is_error"] is True
    assert result.text.startswith("PATH_NOT_FOUND: ")


@pytest.mark.parametrize("path", ["sources/x.md", "SOURCES/x.md", "Sources/p/_v2/t.md", "../x.md", "/etc/x.md", "a.md"])
def test_nothing_outside_of_topics_is_written_or_read(tools: Toolbox, path: str) -> None:  # behaviours.md 15.2
    refused(tools, "Write", path=path, content="x")
    refused(tools, "Read", path=path)
    refused(tools, "Edit", path=path, old_string="a", new_string="b")
    refused(tools, "Move", path=ADA, to=path)
    refused(tools, "Remove", what=path, reason="wrong")
    assert tools.bench.changes() == NoEdit()


def test_topics_are_looked_at(tools: Toolbox) -> None:
    assert told(tools, "List") == "topics/people/"
    assert told(tools, "List", folder="topics/people") == ADA
    assert told(tools, "Glob", pattern="*.md") == ADA
    assert told(tools, "Glob", pattern="*.txt") == "no file has such a path"
    assert told(tools, "Grep", pattern="TEA", ignore_case=True) == f"{ADA}:3:Ada likes tea.[^e-1] ^aaaa0001"
    assert told(tools, "Grep", pattern="t.a", literal=True) == "no line matches"
    assert told(tools, "Grep", pattern="Basel", path="topics/people") == f"{ADA}:5:Ada lives in Basel.[^e-1] ^aaaa0002"
    assert told(tools, "Read", path=ADA) == TEXT
    assert told(tools, "Read", path=ADA, first_line=3, lines=1) == (
        "Ada likes tea.[^e-1] ^aaaa0001\n[there are more lines; go on with first_line 4]"
    )


def test_an_empty_memory_is_told_as_such() -> None:
    from gitmem.writer.base import NoMemory  # noqa: PLC0415

    assert told(Toolbox(Workbench(NoMemory())), "List") == "no files yet"


def test_long_answers_are_cut_and_say_so(tools: Toolbox) -> None:  # behaviours.md 15.4
    told(tools, "Write", path="topics/long.md", content="x" * READ_CHARACTERS + "\nend\n")
    assert told(tools, "Read", path="topics/long.md").endswith(
        "x\n[cut at 200,000 characters; go on with first_line 1]"
    )
    told(tools, "Write", path="topics/many.md", content="row\n" * 600)
    rows = told(tools, "Grep", pattern="^row$").split("\n")
    assert len(rows) == MOST_ROWS + 1
    assert rows[-1].startswith("[there is more")


def test_topics_are_edited(tools: Toolbox) -> None:  # behaviours.md 15.4
    assert told(tools, "Edit", path=ADA, old_string="tea", new_string="coffee") == f"Replaced it in {ADA}"
    assert "3 times" in refused(tools, "Edit", path=ADA, old_string="[^e-1]", new_string="[^e-2]")
    assert "not in the file" in refused(tools, "Edit", path=ADA, old_string="tea", new_string="x")
    text = told(tools, "Edit", path=ADA, old_string="Ada", new_string="Bea", replace_all=True)
    assert text == f"Replaced it 3 times in {ADA}"
    assert told(tools, "Move", path=ADA, to="topics/people/bea.md") == f"Moved {ADA} to topics/people/bea.md"
    assert tools.bench.changes() == FilesEdit(
        (
            FileDelete(ADA),
            FileWrite(TopicPath("topics/people/bea.md"), TEXT.replace("tea", "coffee").replace("Ada", "Bea")),
        )
    )


def test_what_was_not_read_is_neither_written_over_nor_removed(tools: Toolbox) -> None:
    for _ in range(2):
        assert "read it first" in refused(tools, "Write", path=ADA, content="# Ada\n")
        assert "read it first" in refused(tools, "Remove", what=ADA, reason="wrong")
        assert "before you remove it" in refused(tools, "Remove", what="^aaaa0001", reason="wrong")
        assert told(tools, "Read", path=ADA, lines=4).startswith("# Ada")  # the first block alone
        told(tools, "Remove", what="^aaaa0001", reason="wrong")
        tools = Toolbox(Workbench(OneFile()))
    told(tools, "Read", path=ADA)
    told(tools, "Write", path=ADA, content="# Ada\n")
    assert tools.bench.removed() == {"aaaa0001", "aaaa0002"}


def test_a_file_of_ones_own_may_be_written_over(tools: Toolbox) -> None:
    told(tools, "Write", path="topics/new.md", content="# New\n\nA.[^e1] ^cccc0001\n")
    told(tools, "Write", path="topics/new.md", content="# New\n\nB.[^e1]\n")
    told(tools, "Remove", what="topics/new.md", reason="a mistake")
    assert tools.bench.changes() == NoEdit()


def test_removals_have_reasons(tools: Toolbox) -> None:  # behaviours.md 0.19
    told(tools, "Read", path=ADA)
    assert "say why" in refused(tools, "Remove", what="^aaaa0001", reason=" ")
    assert told(tools, "Remove", what="^aaaa0001", reason=" superseded ") == "Removed ^aaaa0001"
    told(tools, "Edit", path=ADA, old_string="Ada lives in Basel.[^e-1] ^aaaa0002\n\n", new_string="")
    assert tools.unexplained == ("aaaa0002",)
    assert told(tools, "Remove", what="aaaa0002", reason="transient") == "Removed ^aaaa0002"
    assert tools.unexplained == ()
    assert tools.outcome == Outcome(reasons={BlockId("aaaa0001"): "superseded", BlockId("aaaa0002"): "transient"})
    assert "there is no block" not in refused(tools, "Remove", what="^ffffffff", reason="x")


def test_the_reason_for_a_file_is_that_of_its_blocks(tools: Toolbox) -> None:
    told(tools, "Read", path=ADA)
    assert told(tools, "Remove", what=ADA, reason="merged") == "Removed ^aaaa0001, ^aaaa0002"
    assert tools.outcome.reasons == {"aaaa0001": "merged", "aaaa0002": "merged"}


def test_that_there_is_nothing_to_record_is_said_by_a_tool(tools: Toolbox) -> None:  # behaviours.md 0.16
    assert tools.outcome == Outcome()
    told(tools, "NothingToRecord", reason="only greetings")
    assert tools.outcome == Outcome(nothing_to_record=True)
    assert tools.bench.changes() == NoEdit()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Bash", {"command": "ls"}),
        ("Read", {}),
        ("Read", {"path": 1}),
        ("Read", {"path": ADA, "lines": True}),
        ("Read", {"path": ADA, "lines": 1.5}),
        ("Read", {"path": ADA, "lines": None}),
        ("Read", {"path": ADA, "offset": 1}),
        ("Edit", {"path": ADA, "old_string": "a"}),
        ("Write", {"path": "topics/x.md", "content": ["a"]}),
        ("Write", {"path": "topics/x.md", "content": "\ud800"}),
    ],
)
def test_arguments_that_are_not_the_tools_are_told_and_nothing_is_done(
    tools: Toolbox, name: str, arguments: dict[str, Any]
) -> None:
    result = tools.call(name, arguments)
    assert (result.is_error, result.misused) == (True, True)
    assert tools.bench.changes() == NoEdit()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
NAMES = sorted({name for tool in TOOLS for name in tool.parameters})


@given(st.sampled_from(sorted(CALLS)), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=4))
def test_no_call_whatever_takes_anything_down(name: str, arguments: dict[str, Any]) -> None:
    Toolbox(Workbench(OneFile())).call(name, arguments)


@given(st.sampled_from(TOOLS), st.data())
def test_no_text_takes_anything_down(tool: Any, data: st.DataObject) -> None:
    kinds = {"string": st.text() | st.just(str(ADA)), "integer": st.integers(), "boolean": st.booleans()}
    arguments = {name: data.draw(kinds[parameter["type"]]) for name, parameter in tool.parameters.items()}
    assert not Toolbox(Workbench(OneFile())).call(tool.name, arguments).misused
