"""The bytes of each derived view, and that deriving what a change reaches gives the same as deriving everything."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from archives import ARCHIVE, PAIRED, PENDING, archive, block, link, topic
from gitmem.facts.scan import scan_facts
from gitmem.format.layout import is_topic
from gitmem.format.model import Tier
from gitmem.format.topic import claims_of
from gitmem.views import core, recent, relations, timeline
from gitmem.views.base import ViewSettings
from gitmem.views.derive import affected_by, derive
from memory_tree import MemoryTree

if TYPE_CHECKING:
    from gitmem.format.model import Claim

A, B, DEEP, CORE = "topics/a.md", "topics/b.md", "topics/people/ada.md", "topics/core.md"
SOURCES = {ARCHIVE: archive("m1", "m2", "m3", m2=PENDING, m3=PAIRED)}


def words(text: str, budget: int) -> bool:
    """Stands for the token count: words are easier to count in a test."""
    return len(text.split()) <= budget


SETTINGS = ViewSettings(core_max_tokens=1000, recent_limit=50, fits=words)


def tree(**files: str) -> MemoryTree:
    names = {"a": A, "b": B, "deep": DEEP, "core": CORE}
    return MemoryTree({**SOURCES, **{names[name]: text for name, text in files.items()}})


# --- timeline -------------------------------------------------------------------------------------------------------


def test_a_day_lists_the_clauses_that_its_evidence_closes() -> None:  # behaviours.md 6.1, 6.4
    memory = tree(deep=topic("Ada", block("Ada likes tea.", "aaaa1111", up=2)))
    expected = f"# 2024-03-15\n\nAda likes tea. [Topic](../../../topics/people/ada.md#^aaaa1111) {link('m1', up=3)}\n"
    assert timeline.render(scan_facts(memory), "2024-03-15") == expected.encode()


def test_each_citation_of_the_day_has_its_own_clause_and_links_are_rebased() -> None:
    text = (
        "# A\n\nAda met [Bob](b.md#^bbbb2222)[^e-1] and left[^e-2] again.[^e-3] ^aaaa1111\n\n"
        f"[^e-1]: Time: `2024-03`; Sources: {link('m1')}\n"
        f"[^e-2]: Time: `2024`; Sources: {link('m1')}\n"
        f"[^e-3]: Time: `2024-03`; Sources: {link('m1')}, {link('m3', 'third')}\n"
    )
    facts = scan_facts(tree(a=text, b=topic("B", block("Bob.", "bbbb2222", when="undated"))))
    month = timeline.render(facts, "2024-03")
    assert month is not None
    first, second = month.decode().split("\n\n")[1:]
    assert first.startswith("Ada met [Bob](../../topics/b.md#^bbbb2222) [Topic](../../topics/a.md#^aaaa1111) [m1](")
    assert second.startswith("again. [Topic]")
    assert second.rstrip("\n").endswith(link("m3", "third", up=2))
    year = timeline.render(facts, "2024")
    assert year is not None
    assert "and left [Topic](../topics/a.md#^aaaa1111)" in year.decode()


def test_entries_stand_in_the_order_of_creation() -> None:  # formats.md, Derived views
    memory = tree(a=topic("A", block("First.", "aaaa1111"), block("Second.", "bbbb2222")))
    facts = scan_facts(memory, {"aaaa1111": 7, "bbbb2222": 3})  # type: ignore[dict-item]
    rendered = timeline.render(facts, "2024-03-15")
    assert rendered is not None
    assert rendered.index(b"Second.") < rendered.index(b"First.")


def test_a_link_inside_the_topic_reaches_it_from_the_timeline() -> None:
    text = topic("A", block("See [it](#^bbbb2222) and [out](https://x.org/#a).", "aaaa1111"), block("It.", "bbbb2222"))
    rendered = timeline.render(scan_facts(tree(a=text)), "2024-03-15")
    assert rendered is not None
    assert b"See [it](../../../topics/a.md#^bbbb2222) and [out](https://x.org/#a)." in rendered


def test_undated_evidence_has_no_timeline() -> None:  # behaviours.md 6.5
    facts = scan_facts(tree(a=topic("A", block("Ada.", "aaaa1111", when="undated"))))
    assert list(facts.whens()) == []
    assert timeline.render(facts, "2024-03-15") is None


# --- recent ---------------------------------------------------------------------------------------------------------


def test_a_recent_row_has_the_documented_keys() -> None:  # behaviours.md 6.2
    facts = scan_facts(tree(a=topic("A", block("Ada likes tea.", "aaaa1111"))))
    assert json.loads(recent.render(facts, 50)) == {
        "memory_id": "aaaa1111",
        "when": "2024-03-15",
        "whens": ["2024-03-15"],
        "content": "Ada likes tea.",
        "refs": ["chat/t1/m1"],
        "source_refs": ["chat/t1/m1"],
        "topic_path": A,
        "headings": ["A"],
        "created_order": 0,
    }


def test_recent_holds_the_last_rows_oldest_first_and_nothing_for_nothing() -> None:
    blocks = [block(f"Fact {n}.", f"aaaa000{n}", when="undated") for n in range(5)]
    facts = scan_facts(tree(a=topic("A", *blocks)))
    rows = [json.loads(line) for line in recent.render(facts, 2).splitlines()]
    assert [row["memory_id"] for row in rows] == ["aaaa0003", "aaaa0004"]
    assert (rows[0]["when"], rows[0]["whens"]) == (None, [])  # behaviours.md 6.5
    assert recent.render(scan_facts(tree()), 50) == b""


# --- relations ------------------------------------------------------------------------------------------------------


def test_relations_hold_linked_blocks_only_sorted_one_a_line() -> None:  # behaviours.md 0.5
    text = topic(
        "A",
        block("Ada knows [Bob](b.md#^bbbb2222) and [Cy](#^cccc3333).", "aaaa1111"),
        block("Cy knows [Bob](b.md#^bbbb2222).", "cccc3333"),
    )
    facts = scan_facts(tree(a=text, b=topic("B", block("Bob.", "bbbb2222"), block("Loner.", "dddd4444"))))
    assert relations.render(facts) == (
        b'{\n"backlinks": {\n"bbbb2222": ["aaaa1111", "cccc3333"],\n"cccc3333": ["aaaa1111"]\n},\n'
        b'"outbound": {\n"aaaa1111": ["bbbb2222", "cccc3333"],\n"cccc3333": ["bbbb2222"]\n}\n}\n'
    )


def test_relations_of_nothing_are_two_empty_objects() -> None:
    rendered = relations.render(scan_facts(tree()))
    assert json.loads(rendered) == {"backlinks": {}, "outbound": {}}


# --- core -----------------------------------------------------------------------------------------------------------


def render_core(text: str, budget: int = 1000, tier: Tier = Tier.OWNER) -> core.CoreView:
    memory = tree(core=text, b=topic("B", block("Bob.", "bbbb2222")))
    settings = ViewSettings(budget, 50, words)
    return core.render(memory.topic(CORE), scan_facts(memory), settings, tier)


def test_core_is_the_topic_with_links_that_work_from_the_root() -> None:  # behaviours.md 13.2
    text = topic("Core", block("Ada knows [Bob](b.md#^bbbb2222).", "aaaa1111"))
    assert render_core(text).text == (
        "# Core\n\nAda knows [Bob](topics/b.md#^bbbb2222).[^e-aaaa1111] ^aaaa1111\n\n"
        f"[^e-aaaa1111]: Time: `2024-03-15`; Sources: {link('m1', up=0)}\n"
    )


def test_core_stops_at_the_first_block_that_does_not_fit() -> None:  # behaviours.md 13.1
    text = topic("Core", block("One.", "aaaa1111"), block("Two.", "bbbb1111"), block("Three.", "cccc1111"))
    whole = len(render_core(text).text.split())
    view = render_core(text, whole - 1)
    assert view.left_out == ("cccc1111",)
    assert "Two." in view.text
    assert "Three." not in view.text
    assert render_core(text, 3) == core.CoreView("", ("aaaa1111", "bbbb1111", "cccc1111"), ())


def test_core_withholds_what_cites_an_untrusted_source() -> None:  # behaviours.md 8.17
    text = topic("Core", block("One.", "aaaa1111", "m2"), block("Two.", "bbbb1111"), block("Lost.", "cccc1111", "m9"))
    view = render_core(text)
    assert view.withheld == ("aaaa1111", "cccc1111")
    assert "One." not in view.text
    assert "Two." in view.text


def test_a_paired_reader_sees_paired_blocks_only() -> None:  # behaviours.md part 8, visibility
    text = topic("Core", block("Private.", "aaaa1111"), "## Shared\n", block("Shared.", "bbbb1111", "m3"))
    view = render_core(text, tier=Tier.PAIRED)
    assert "Private." not in view.text
    assert view.text.startswith("# Core\n\n## Shared\n\nShared.")
    assert render_core(text).text.count("# Core") == 1


def test_a_shared_definition_comes_once_with_the_first_block_that_needs_it() -> None:  # formats.md, Derived views
    text = f"# Core\n\nOne.[^e-1] ^aaaa1111\n\nTwo.[^e-1] ^bbbb1111\n\n[^e-1]: Time: `2024`; Sources: {link('m1')}\n"
    rendered = render_core(text).text
    assert rendered.count("[^e-1]:") == 1
    assert rendered.index("[^e-1]:") < rendered.index("Two.")


def test_there_is_no_core_without_its_topic() -> None:  # behaviours.md 6.6
    assert core.render(None, scan_facts(tree()), SETTINGS, Tier.OWNER) == core.CoreView("", (), ())


# --- what a change reaches ------------------------------------------------------------------------------------------


def with_views(memory: MemoryTree) -> MemoryTree:
    derived = memory.copy()
    for path, data in derive(memory, scan_facts(memory), SETTINGS, None).items():
        if data is None:
            derived.delete(path)
        else:
            derived.write(path, data)
    return derived


def test_deriving_again_changes_nothing() -> None:
    memory = with_views(tree(a=topic("A", block("Ada.", "aaaa1111")), core=topic("C", block("Core.", "cccc1111"))))
    assert {"core.md", "recent_events.jsonl", "relations.json", "timeline/2024/03/15.md"} <= memory.files.keys()
    assert "core.shared.md" not in memory.files
    assert derive(memory, scan_facts(memory), SETTINGS, None) == {}


def test_views_that_nothing_supports_go() -> None:  # behaviours.md 6.6
    memory = with_views(tree(core=topic("C", block("Core.", "cccc1111"))))
    memory.delete(CORE)
    gone = derive(memory, scan_facts(memory), SETTINGS, None)
    assert {path for path, data in gone.items() if data is None} == {"core.md", "timeline/2024/03/15.md"}


def claims(memory: MemoryTree) -> list[Claim]:
    return [claim for entry in memory.entries("topics") for claim in claims_of(memory.topic(entry.path))]  # type: ignore[arg-type]


BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(["aaaa1111", "bbbb2222", "cccc3333", "dddd4444", "eeee5555"]),
        st.sampled_from(["One.", "See [it](#^aaaa1111).", "See [it](a.md#^aaaa1111).", "See [it](b.md#^aaaa1111)."]),
        st.sampled_from(["2024", "2024-03", "2024-03-15", "undated"]),
        st.sampled_from(["m1", "m2", "m3"]),
        st.sampled_from(["one label", "another"]),
    ),
    max_size=4,
    unique_by=lambda row: row[0],
)


def labelled(block_id: str, text: str, when: str, message: str, label: str) -> str:
    return block(text, block_id, message, when=when).replace(f"[{message}](", f"[{label}](")


def memory_of(files: dict[str, list[tuple[str, ...]]]) -> MemoryTree:
    taken: set[str] = set()
    texts: dict[str, str] = {}
    for name, rows in files.items():
        own = [row for row in rows if row[0] not in taken]
        taken.update(row[0] for row in own)
        if own:
            texts[name] = topic(name, *(labelled(*row) for row in own))
    return tree(**texts)


@given(st.lists(st.fixed_dictionaries({"a": BLOCKS, "b": BLOCKS, "core": BLOCKS}), min_size=2, max_size=5))
def test_what_a_change_reaches_gives_the_bytes_of_a_rebuild(
    states: list[dict[str, list[tuple[str, ...]]]],
) -> None:  # architecture.md section 3, step 6
    created: dict[str, int] = {}
    held = with_views(MemoryTree(SOURCES))
    for state in states:
        memory = memory_of(state)
        for claim in claims(memory):
            created.setdefault(claim.id, len(created))
        derived = {path: data for path, data in held.files.items() if not is_topic(path)}
        staged = MemoryTree({**derived, **memory.files})
        facts = scan_facts(staged, created)  # type: ignore[arg-type]
        changed = [change.path for change in staged.changes(held)]
        reached = affected_by(claims(held), claims(staged), changed)
        for path, data in derive(staged, facts, SETTINGS, reached).items():
            if data is None:
                staged.delete(path)
            else:
                staged.write(path, data)
        assert derive(staged, facts, SETTINGS, None) == {}
        held = staged


def test_promoting_a_source_brings_its_claims_back_to_the_core() -> None:  # behaviours.md 8.17, 0.4
    memory = with_views(tree(core=topic("C", block("Said by a stranger.", "aaaa1111", "m2"))))
    assert "core.md" not in memory.files
    line = (
        '{"at":"2026-08-10T12:00:00+00:00","principal_id":"owner","source_id":"chat/t1/m2",'
        '"speaker_id":null,"tier":"owner"}\n'
    )
    memory.write("sources/promotions.jsonl", line.encode())
    reached = affected_by([], [], ["sources/promotions.jsonl"])
    assert b"Said by a stranger." in (derive(memory, scan_facts(memory), SETTINGS, reached)["core.md"] or b"")
