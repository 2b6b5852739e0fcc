"""What somebody might try who knows how a memory is kept (behaviours.md part 8, "visibility")."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gitmem.answers import to_json
from gitmem.authority import PAIRED
from gitmem.errors import GitmemError, NotFound
from gitmem.format.layout import PROMOTIONS
from gitmem.workspace import Workspace
from sharing import HIDDEN, KINDS, MIXED_FILE, NAMED, add, block_of, build, link
from workspaces import ME, QUICK, reopened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A workspace of the test's own."""
    return build(tmp_path / "w")


def paired(folder: Path) -> Workspace:
    return Workspace.open(folder, replace(ME, authority=PAIRED), QUICK)


def told(ask: Callable[[], object]) -> str:
    """Every byte that an answer holds, or that a failure says."""
    try:
        return json.dumps(to_json(ask()), ensure_ascii=False)
    except GitmemError as failure:
        return f"{failure.code} {failure.message} {failure.path} {failure.details!r} {failure.findings!r}"


def test_a_second_definition_of_a_footnote_counts_for_nothing_and_shows_nothing(own: Path) -> None:
    note = f"[^e-twice]: Time: `2020`; Sources: {link(NAMED['owner'])}\n"
    add(own, "topics/twice.md", f"# Twice\n\n{block_of(NAMED['paired'], 'seen', 'twice')}\n{note}")
    with paired(own) as memory:
        answer = memory.get("topics/twice.md")
        assert "seen" in answer.content
        assert HIDDEN not in answer.content
        assert memory.grep(HIDDEN).results == ()


def test_uncommitted_and_kept_text_is_the_owners(own: Path) -> None:
    topic = own / "topics/zqpubpaired.md"
    topic.write_text(topic.read_text() + f"\n{block_of(NAMED['paired'], 'typed', 'typed')}")
    with reopened(own) as owner:
        owner.save_autosave()
        assert owner.get("^typed", at="autosave/1").kind == "block"
    with paired(own) as memory:
        for at in (None, "autosave/1", "HEAD"):
            with pytest.raises(NotFound):
                memory.get("^typed", at=at)
        assert "typed" not in told(lambda: memory.diff("HEAD", "autosave/1"))
        status = memory.status()
        assert (status.dirty, status.autosaves) == ((), 0)


def test_the_words_of_subjects_cannot_be_guessed(own: Path) -> None:
    with paired(own) as memory:
        for right, wrong in ((f":/{HIDDEN}", ":/nowhere"), (f"HEAD^{{/{HIDDEN}}}", "HEAD^{/nowhere}")):
            answers = {told(lambda at=at: memory.browse(at=at)).replace(at, "REV") for at in (right, wrong)}
            assert len(answers) == 1


def test_a_promotion_shows_at_once_and_a_hidden_source_hides_at_once(own: Path) -> None:
    kind = NAMED["pending"]
    with paired(own) as memory, reopened(own) as owner:
        assert memory.search(kind.word, k=10).results == ()
        owner.promote([kind.handle], paired=True, writer="embedded")
        assert {kind.block, kind.handle} <= {hit.id for hit in memory.search(kind.word, k=10).results}
        assert memory.get(kind.path).blocks[0].visibility == "paired"
        mixed = NAMED["paired"]
        text = (own / mixed.path).read_text()
        assert mixed.block in {hit.id for hit in memory.search(mixed.word, k=10, topics_only=True).results}
        more = text.replace("; Sources: ", f"; Sources: {link(NAMED['owner'])}, ")
        add(own, mixed.path, more)
        assert mixed.block not in {hit.id for hit in memory.search(mixed.word, k=10, topics_only=True).results}
        with pytest.raises(NotFound):
            memory.get(f"^{mixed.block}")


@pytest.mark.parametrize("at", [None, "HEAD"])
def test_a_promotion_that_was_taken_back_by_hand_hides_at_once(own: Path, at: str | None) -> None:
    # as many promotions as before, and the same documents: neither may be taken for the same state
    kind = NAMED["vouchedpaired"]
    with paired(own) as memory:
        assert {kind.block, kind.handle} <= {hit.id for hit in memory.search(kind.word, k=10, at=at).results}
        ledger = (own / PROMOTIONS).read_text()
        add(own, PROMOTIONS, ledger.replace('"tier":"paired"', '"tier":"owner"'))
        assert memory.search(kind.word, k=10, at=at).results == ()
        add(own, PROMOTIONS, ledger)
        assert {kind.block, kind.handle} <= {hit.id for hit in memory.search(kind.word, k=10, at=at).results}


WORDS = ["budget", "zq", "said", "group", HIDDEN, HIDDEN[:4], *(kind.word for kind in KINDS)]
PATHS = [
    "topics/",
    "sources/",
    "",
    "timeline",
    "core",
    MIXED_FILE,
    "sources/promotions.jsonl",
    "core.shared.md",
    ".gitmem",
]
PATHS += [path for kind in KINDS for path in (kind.path, kind.archive)]
IDS = [one for kind in KINDS for one in (kind.block, f"{kind.word}2", kind.handle)]
REVISIONS = [None, "HEAD", "HEAD~1", "HEAD~2", "HEAD~3", "HEAD~4", "autosave/1", "nope"]


@pytest.mark.parametrize("seed", range(150))
def test_no_answer_holds_a_hidden_word_that_was_not_in_the_question(
    readers: Mapping[str, Workspace], seed: int
) -> None:
    choose = random.Random(seed)  # noqa: S311  (no secret)
    memory = readers["paired"]
    word, path, one, at, other = (choose.choice(list(given)) for given in (WORDS, PATHS, IDS, REVISIONS, REVISIONS))
    questions: list[Callable[[], object]] = [
        lambda: memory.search(word, k=choose.randint(1, 10), explain=True, at=at),
        lambda: memory.search(word, path=path, first="2024", at=at),
        lambda: memory.search("budget", speaker=f"{word}id", at=at),
        lambda: memory.grep(word, path=path, ignore_case=True, at=at),
        lambda: memory.grep(choose.choice([".", r"\S", "[a-z]+", f"{word}.*"]), path=path, is_regex=True, at=at),
        lambda: memory.get(path, at=at),
        lambda: memory.get(one, at=at),
        lambda: memory.get(path, block=one, at=at),
        lambda: memory.get(path, heading=f"The {word} part", at=at),
        lambda: memory.browse(path, limit=choose.randint(1, 40), at=at),
        lambda: memory.history(one, at=at),
        lambda: memory.why(choose.choice([one, path]), at=at),
        lambda: memory.why(text=word, at=at),
        lambda: memory.diff(at or "HEAD", other or "HEAD"),
        memory.status,
        lambda: memory.status(with_path=True),
    ]
    asked = sorted({word, path, one, f"{word}id", f"The {word} part", path.removesuffix("/")} - {""}, key=len)
    for ask in questions:
        answer = told(ask)
        for known in reversed(asked):
            answer = answer.replace(known, "")
        assert re.findall(HIDDEN, answer, re.IGNORECASE) == []
