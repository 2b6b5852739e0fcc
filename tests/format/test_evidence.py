from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.evidence import (
    WHEN_UNDATED,
    ParsedDefinition,
    escape_label,
    evidence_id,
    parse_definition,
    render_definition,
    valid_when,
)
from gitmem.format.model import SourceLink
from gitmem.ids import EvidenceId, Target

if TYPE_CHECKING:
    import datetime as dt

TOPIC = "topics/people/craig.md"
LINK = "[plan](../../sources/op/_v2/s.md#source-1)"


def parse(line: str) -> ParsedDefinition:
    return parse_definition(TOPIC, line)


def codes(line: str) -> list[str]:
    return [defect.code for defect in parse(line).defects]


# --- times (behaviours.md 1.2) --------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["2024", "2024-02", "2024-02-29", "0001-01-01", "9999-12-31", "undated"])
def test_calendar_times_are_valid(when: str) -> None:
    assert valid_when(when)


@pytest.mark.parametrize(
    "when",
    [
        "",
        "24",
        "2024-2",
        "2024-13",
        "2023-02-29",
        "0000",
        "2024-00",
        "2024-01-32",
        "2024-01-01T00:00",
        " 2024",
        "2024\n",
        "\u0662\u0660\u0662\u0664",
        "Undated",
        "2024-1-1",
        "-2024",
        "20240101",
    ],
)
def test_other_times_are_not(when: str) -> None:
    assert not valid_when(when)


@given(st.dates())
def test_every_day_of_the_calendar_is_valid(day: dt.date) -> None:
    assert valid_when(day.isoformat())
    assert valid_when(day.isoformat()[:7])
    assert valid_when(day.isoformat()[:4])


# --- ids (0.11, 0.30) -----------------------------------------------------------------------------------------------


def test_an_evidence_id_is_the_hash_of_time_and_handles() -> None:
    digest = hashlib.sha256(b"2024-03-15\nop/s/m1\nop/s/m2").hexdigest()
    assert evidence_id("2024-03-15", ["op/s/m1", "op/s/m2"]) == f"e-{digest[:10]}"


def test_undated_evidence_hashes_the_word() -> None:
    digest = hashlib.sha256(b"undated\nop/s/m1").hexdigest()
    assert evidence_id(None, ["op/s/m1"]) == evidence_id(WHEN_UNDATED, ["op/s/m1"]) == f"e-{digest[:10]}"


def test_the_order_of_the_handles_is_part_of_the_meaning() -> None:
    assert evidence_id(None, ["a/b/c", "a/b/d"]) != evidence_id(None, ["a/b/d", "a/b/c"])


def test_an_id_that_is_taken_grows_by_two_digits() -> None:
    digest = hashlib.sha256("2024\nop/\u7ebf/m".encode()).hexdigest()
    taken = {f"e-{digest[:length]}" for length in (10, 12)}
    assert evidence_id("2024", ["op/\u7ebf/m"], taken=taken) == f"e-{digest[:14]}"
    everything = {f"e-{digest[:length]}" for length in range(10, 64)}
    assert evidence_id("2024", ["op/\u7ebf/m"], taken=everything) == f"e-{digest}"


# --- definitions (1.3, 1.10, 1.11) ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        f"[^e-1]: Time: `2024-03-15`; Sources: {LINK}",
        f"[^e-1]: Time: 2024-03-15; Sources: {LINK}",
        f"[^e-1]: 2024-03-15 \u00b7 Sources: {LINK}",
        f"[^e-1]: `2024-03-15` \u00b7 Sources: {LINK}",
        f"  [^e-1]:Time:`2024-03-15`;Sources:{LINK}  ",
    ],
)
def test_all_forms_of_a_definition_mean_the_same(line: str) -> None:
    parsed = parse(line)
    assert parsed.defects == ()
    definition = parsed.definition
    assert (definition.id, definition.when, definition.start, definition.end) == ("e-1", "2024-03-15", 0, len(line))
    assert definition.sources == (
        SourceLink("plan", "../../sources/op/_v2/s.md#source-1", Target("sources/op/_v2/s.md#source-1")),
    )


def test_undated_is_no_time() -> None:
    assert parse(f"[^e-1]: Time: `undated`; Sources: {LINK}").definition.when is None


def test_a_link_may_lead_to_a_handle_with_blanks() -> None:  # formats.md: printable, and none of [ ] < >
    line = "[^e1]: Time: `2024`; Sources: [a](whatsapp/Chat with Ada (2), Bob/m 1), [b](op/t/m)"
    parsed = parse_definition("topics/x.md", line)
    assert parsed.defects == ()
    assert [(link.label, link.target, link.resolved) for link in parsed.definition.sources] == [
        ("a", "whatsapp/Chat with Ada (2), Bob/m 1", None),
        ("b", "op/t/m", None),
    ]


def test_a_definition_knows_where_it_stands() -> None:
    definition = parse_definition(TOPIC, f"[^e-1]: Time: `2024`; Sources: {LINK}", line=7, start=100).definition
    assert (definition.line, definition.start, definition.end) == (7, 100, 100 + 31 + len(LINK))


def test_plain_handles_and_local_labels_stand_in_for_links() -> None:
    parsed = parse(f"[^e1]: Time: `2024`; Sources: op/my thread/m,1, D18:11, new-source-x, {LINK},{LINK}")
    assert parsed.defects == ()
    assert [(s.label, s.target, s.resolved) for s in parsed.definition.sources[:3]] == [
        ("op/my thread/m,1", "op/my thread/m,1", None),
        ("D18:11", "D18:11", None),
        ("new-source-x", "new-source-x", None),
    ]
    assert len(parsed.definition.sources) == 5


@pytest.mark.parametrize(
    "label",
    [
        "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d",
        "one two three four five six seven",
        "op/s/m1",
        "2024-01-01",
        "S1",
        "https://x.org/a,b",
        "a, b",
        "a [b] c",
        r"a \] b",
        "  spaced ",
        "a; Sources: b",
        "`x`",
    ],
)
def test_labels_are_kept_as_written(label: str) -> None:  # 1.11
    line = f"[^e-1]: Time: `2024`; Sources: [{label}](../../sources/D1.md#d1-3), {LINK}"
    parsed = parse(line)
    assert parsed.defects == ()
    assert [s.label for s in parsed.definition.sources] == [label, "plan"]
    assert render_definition(EvidenceId("e-1"), "2024", parsed.definition.sources) == line


def test_the_target_is_the_identity_and_a_label_never_rescues_it() -> None:  # 1.10
    (source,) = parse("[^e-1]: Time: `2024`; Sources: [op/s/m1](../../../sources/x.md#y)").definition.sources
    assert (source.label, source.resolved) == ("op/s/m1", None)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"[^e-1]: Time: `2023-02-29`; Sources: {LINK}", ["bad-time"]),
        (f"[^e-1]: Time: ``; Sources: {LINK}", ["bad-time"]),
        (f"[^e-1]: Time: yesterday; Sources: {LINK}", ["bad-time"]),
        (f"[^e-1]: Sources: {LINK}", ["bad-time"]),
        (f"[^e-1]: last week \u00b7 Sources: {LINK}", ["bad-time"]),
        ("[^e-1]: Time: `2024`", ["missing-source"]),
        ("[^e-1]: Time: `2024`; Sources:", ["missing-source"]),
        ("[^e-1]: Time: `2024`; Source: D1:1", ["missing-source"]),
        ("[^e-1]: Time: `2024`; Sources: [a]()", ["missing-source", "missing-source"]),
        ("[^e-1]: Time: `2024`; Sources: [](../../sources/D1.md#d1-3)", ["missing-label"]),
        ("[^e-1]: Time: `2024`; Sources: [ \u3000](../../sources/D1.md#d1-3)", ["missing-label"]),
        ("[^e-1]: Time: `2024`; Sources: [a](b c)", ["malformed-definition"]),
        ("[^e-1]: Time: `2024`; Sources: [a](../sources/a b.md#c)", ["malformed-definition"]),
        ("[^e-1]: Time: `2024`; Sources: [a]( op/t/m)", ["malformed-definition"]),
        ("[^e-1]: Time: `2024`; Sources: [a](op/t/m )", ["malformed-definition"]),
        ("[^e-1]: Time: `2024`; Sources: [a](op/t/\tm)", ["malformed-definition"]),
        ("[^e-1]: Time: `2024`; Sources: [a](b) [c](d)", ["malformed-definition"]),
        ("[^e-1]: Time: `2024`; Sources: D1:1, , D1:2", ["malformed-definition"]),
        ("[^e-1]: Time: `2024`; Sources: op/<t>/m", ["malformed-definition"]),
        ("[^e-1]: https://example.org", ["malformed-definition"]),
        ("[^e-1]: 2024", ["malformed-definition"]),
        ("[^e-1]:", ["malformed-definition"]),
        ("[^]: Time: `2024`; Sources: D1:1", ["malformed-definition"]),
        ("[^a b]: Time: `2024`; Sources: D1:1", ["malformed-definition"]),
        ("[^a[b]: Time: `2024`; Sources: D1:1", ["malformed-definition"]),
        ("no definition at all", ["malformed-definition"]),
        ("[^e-1]: Time: `2024-13`; Sources: [](x)", ["bad-time", "missing-label"]),
    ],
)
def test_defects_of_a_definition(line: str, expected: list[str]) -> None:
    assert codes(line) == expected


def test_a_defective_definition_keeps_its_id() -> None:
    assert parse("[^e-1]: nonsense").definition.id == "e-1"


# --- rendering ------------------------------------------------------------------------------------------------------


def test_a_definition_is_written_in_the_back_ticked_form() -> None:  # 1.3, formats.md
    links = (
        SourceLink("budget plan", "../../sources/op/_v2/s.md#source-1", Target("sources/op/_v2/s.md#source-1")),
        SourceLink("D18:11", "D18:11", None),
    )
    assert render_definition(EvidenceId("e-1175dea39c"), "2024-03-15", links) == (
        "[^e-1175dea39c]: Time: `2024-03-15`; Sources: [budget plan](../../sources/op/_v2/s.md#source-1), D18:11"
    )
    assert render_definition(EvidenceId("e-1"), None, links[1:]) == "[^e-1]: Time: `undated`; Sources: D18:11"


labels = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).map(escape_label).filter(str.strip)
handles = st.from_regex(r"[a-z0-9]+/[a-z0-9 ,.]*[a-z0-9]/[a-z0-9]+", fullmatch=True).filter(lambda h: ", " not in h)
targets = st.from_regex(
    r"\.\./\.\./sources/[A-Za-z0-9%._~-]+/_v2/[A-Za-z0-9%_~-]+\.md#source-[0-9a-f]{16}", fullmatch=True
)
links = st.one_of(
    handles.map(lambda handle: SourceLink(handle, handle, None)),
    st.builds(lambda label, target: SourceLink(label, target, Target(target.removeprefix("../../"))), labels, targets),
)
whens = st.one_of(st.none(), st.dates().map(lambda day: day.isoformat()))


@given(whens, st.lists(links, min_size=1, max_size=4))
def test_what_is_written_is_read_back(when: str | None, sources: list[SourceLink]) -> None:
    parsed = parse(render_definition(EvidenceId("e-1"), when, sources))
    assert parsed.defects == ()
    assert (parsed.definition.when, list(parsed.definition.sources)) == (when, sources)


@given(st.text())
def test_a_label_from_outside_fits_between_brackets(text: str) -> None:
    line = f"[^e-1]: Time: `2024`; Sources: [{escape_label(text)}](../../sources/D1.md#d1-3)"
    (source,) = parse(line).definition.sources
    assert source.label == escape_label(text)
    assert "\n" not in source.label


def test_brackets_and_line_ends_of_a_label_are_escaped() -> None:
    assert escape_label("a]\r\nb\\[c") == r"a\] b\\\[c"
