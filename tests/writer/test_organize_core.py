"""An order of the core is proposed when its budget leaves blocks out (behaviours.md part 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.facts.scan import scan_facts
from gitmem.format.model import Tier
from gitmem.request import FilesEdit
from gitmem.views.core import render
from gitmem.writer.organize import tidied
from memory_workspace import defined
from orderly import archived, ids, installed, other_text, said, survey

if TYPE_CHECKING:
    from memory_tree import MemoryTree

CORE = "topics/core.md"
BUDGET = 120
"""Tokens; a block with its footnote takes some forty."""


def core(*parts: str) -> MemoryTree:
    return archived({CORE: "".join(parts)})


def weighty(content: str, block_id: str, *messages: int, when: str = "2024") -> str:
    """A block that several messages say."""
    notes = [defined(message, when) for message in messages]
    cites = "".join(f"[^{name}]" for name, _ in notes)
    return f"{content}{cites} ^{block_id}\n\n" + "".join(line for _, line in notes) + "\n"


def ordered(tree: MemoryTree, budget: int = BUDGET) -> MemoryTree:
    """The memory after a pass that kept everything and leaves nothing to do."""
    edit = tidied(survey(tree, budget)).changes()
    after = installed(tree, edit) if isinstance(edit, FilesEdit) else tree
    assert ids(after) == ids(tree)
    assert said(after) == said(tree)
    assert other_text(after) == other_text(tree)
    assert not isinstance(tidied(survey(after, budget)).changes(), FilesEdit)
    return after


def order(tree: MemoryTree) -> list[str]:
    topic = tree.topic(CORE)
    return [block.id for block in topic.blocks] if topic is not None else []


def shown(tree: MemoryTree, budget: int = BUDGET) -> list[str]:
    topic = tree.topic(CORE)
    view = render(topic, scan_facts(tree), survey(tree, budget).settings, Tier.OWNER)
    return [name for name in order(tree) if name not in view.left_out]


LIGHT, HEAVY = weighty("Ada likes tea.", "light", 1), weighty("Ada leads the garden project.", "heavy", 2, 3)
LATER = weighty("Ben keeps the keys of the house.", "later", 4, when="2025-05")


def test_the_order_of_the_file_stays_while_everything_fits() -> None:
    tree = core("# Core\n\n", LIGHT, HEAVY, LATER)
    assert ordered(tree, 2_000) is tree


def test_what_most_messages_say_comes_first_then_what_is_latest() -> None:
    tree = core("# Core\n\n", LIGHT, LATER, HEAVY)
    assert shown(tree) == ["light"]
    after = ordered(tree)
    assert order(after) == ["heavy", "later", "light"]
    assert shown(after) == ["heavy"]


def test_nothing_is_moved_when_the_same_would_be_left_out() -> None:
    tree = core("# Core\n\n", HEAVY, LATER, LIGHT)
    assert shown(tree, 140) == ["heavy", "later"][: len(shown(tree, 140))]
    assert ordered(tree, 140) is tree


def test_sections_go_by_their_heaviest_block_and_stay_together() -> None:
    tree = core("# Core\n\n", "## Habits\n\n", LIGHT, "## House\n\n", LATER, "## Work\n\n", HEAVY)
    after = ordered(tree)
    text = after.text(CORE)
    assert order(after) == ["heavy", "later", "light"]
    assert text.index("## Work") < text.index("## House") < text.index("## Habits")


def test_a_footnote_travels_with_its_block() -> None:
    text = ordered(core("# Core\n\n", LIGHT, LATER, HEAVY)).text(CORE)
    assert text == f"# Core\n\n{HEAVY}{LATER}{LIGHT}".rstrip("\n") + "\n"


def test_text_without_evidence_and_what_stands_beside_it_keep_their_places() -> None:
    tree = core("# Core\n\n", LIGHT, "- a list\n\n", LATER, weighty("Eve sings.", "eve", 5), HEAVY, "> quoted\n")
    after = ordered(tree)
    assert after is tree or order(after)[:2] == ["light", "later"]


def test_a_core_without_headings_is_ordered_too() -> None:
    assert order(ordered(core(LIGHT, LATER, HEAVY))) == ["heavy", "later", "light"]
