"""Whatever a topic holds, splitting it keeps every id, word, footnote, heading and link (behaviours.md 0.6, 0.15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from memory_workspace import defined
from orderly import archived, ids, large, lost_links, other_text, passed, said

if TYPE_CHECKING:
    from memory_tree import MemoryTree

WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty", "knoll", "lagoon")


@dataclass
class Writing:
    """A file being made up: its text, and the ids of its blocks so far."""

    path: str
    text: str
    known: list[str]
    number: int = 0

    def name(self) -> str:
        self.number += 1
        self.known.append(f"{'ab'[self.path.endswith('b.md')]}{self.number:07}")
        return self.known[-1]


def _prose(number: int, path: str) -> str:
    """Words that no other block has."""
    return " ".join(f"{word}{number}{path[-4]}" for word in WORDS)


@st.composite
def files(draw: st.DrawFn, *, only_blocks: bool = False) -> MemoryTree:
    """Two topics, one below a folder, with everything that a file may hold, or with blocks under headings."""
    pieces = (_block, _block, _clauses, _linking, _heading) if only_blocks else PIECES
    made = {}
    known: list[str] = []
    for path, up in (("topics/a.md", ".."), ("topics/deep/b.md", "../..")):
        writing = Writing(path, draw(st.sampled_from(["", "# Title\n\n", "Title\n=====\n\n"])), known)
        for _ in range(draw(st.integers(5, 40))):
            draw(st.sampled_from(pieces))(draw, writing, up)
        made[path] = writing.text
    return archived(made)


def _when(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(["2021", "2022-03", "2022-11", "2023-05-07", "2023-05-08", "2024-01-31", "undated"]))


def _block(draw: st.DrawFn, writing: Writing, up: str) -> None:
    message, when = draw(st.integers(1, 12)), _when(draw)
    name, line = defined(message, when, up)
    block = writing.name()
    lead = draw(st.sampled_from(["", "", "", '<a id="here"></a>\n', "<!-- about what follows -->\n"]))
    prose = _prose(writing.number, writing.path)
    alias = f" ^{writing.name()}" if draw(st.booleans()) and draw(st.booleans()) else ""
    note = line if f"[^{name}]:" not in writing.text else ""
    writing.text += f"{lead}{prose}[^{name}] ^{block}{alias}\n\n{note}\n"


def _clauses(draw: st.DrawFn, writing: Writing, up: str) -> None:
    notes = [defined(draw(st.integers(1, 12)), _when(draw), up) for _ in range(2)]
    prose = _prose(writing.number + 1, writing.path)
    lines = "".join(dict.fromkeys(line for name, line in notes if f"[^{name}]:" not in writing.text))
    first, second = notes[0][0], notes[1][0]
    writing.text += f"{prose}[^{first}] and {prose}[^{second}] ^{writing.name()}\n\n{lines}\n"


def _linking(draw: st.DrawFn, writing: Writing, up: str) -> None:
    name, line = defined(1, "2022", up)
    goal = draw(st.sampled_from(writing.known)) if writing.known else None
    here = goal is not None and goal.startswith("ab"[writing.path.endswith("b.md")])
    place = "" if here else ("../a.md" if writing.path.endswith("b.md") else "deep/b.md")
    link = "" if goal is None else f" [see]({place}#^{goal})"
    note = line if f"[^{name}]:" not in writing.text else ""
    prose = _prose(writing.number + 1, writing.path)
    writing.text += f"{prose}{link}[^{name}] ^{writing.name()}\n\n{note}\n"


def _older(draw: st.DrawFn, writing: Writing, up: str) -> None:
    """One or two units without block ids, and perhaps words behind them that nothing proves."""
    text = lines = ""
    for _ in range(draw(st.integers(1, 2))):
        writing.number += 1
        name = f"mem_{writing.path[-4]}{writing.number}"
        text += f"{_prose(writing.number, writing.path)}[^{name}] "
        lines += defined(3, _when(draw), up)[1].replace(defined(3, "2021", up)[0], name).replace("[^e-", "[^x-")
        lines = "\n".join(f"[^{name}]:{part.partition(':')[2]}" if "x-" in part else part for part in lines.split("\n"))
    tail = draw(st.sampled_from(["", "", "and so they say."]))
    writing.text += f"{text.strip()}{' ' + tail if tail else ''}\n\n{lines}\n"


def _heading(draw: st.DrawFn, writing: Writing, up: str) -> None:  # noqa: ARG001  (as the others)
    level = draw(st.integers(1, 3))
    title = draw(st.sampled_from(["Work", "Family", "2022", "2023-05", "Undated", "*Odd* title #1", "仕事"]))
    writing.text += f"{'#' * level} {title}\n\n"


def _other(draw: st.DrawFn, writing: Writing, up: str) -> None:  # noqa: ARG001  (as the others)
    writing.text += draw(
        st.sampled_from(
            [
                "- a list\n- of two\n\n",
                "| a | b |\n| - | - |\n| 1 | 2 |\n\n",
                "Words that nothing proves.\n\n",
                "```\n# code\n```\n\n",
                "> quoted\n\n",
                "<!-- a note -->\n\n",
                "---\n\n",
                "[ref]: https://example.invalid\n\n",
            ]
        )
    )


PIECES = (_block, _block, _block, _block, _clauses, _linking, _older, _heading, _heading, _other)


@settings(max_examples=20)  # of up to eighty blocks each
@given(files())
def test_everything_is_kept_and_a_second_pass_finds_nothing(tree: MemoryTree) -> None:
    after = passed(tree)
    assert ids(after) == ids(tree)
    assert said(after) == said(tree)
    assert other_text(after) == other_text(tree)
    assert not set(lost_links(after)) - set(lost_links(tree))
    assert passed(after) is after


@settings(max_examples=20)
@given(files(only_blocks=True))
def test_nothing_of_blocks_under_headings_stays_large(tree: MemoryTree) -> None:
    after = passed(tree)
    assert large(after) == []
    assert said(after) == said(tree)
