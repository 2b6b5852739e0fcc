"""The ranking is `BM25Okapi`'s own, over the same terms (`performance.md` P3)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from rank_bm25 import BM25Okapi

from archives import ARCHIVE, block, topic
from catalogues import MemoryCommits, built
from gitmem.catalog.corpus import ALL
from gitmem.catalog.postings import Kind
from gitmem.format.frame import HEADER, render_frame
from gitmem.ids import SourceId
from gitmem.search import bm25
from gitmem.search.ranking import Limits, rank
from gitmem.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.corpus import Corpus

WORDS = [f"{first}{second}" for first in "bdfgkl" for second in ("ado", "eri", "umo", "ilo", "ana", "ope")]
TOPICS, BLOCKS, MESSAGES = 20, 12, 200


class Text(NamedTuple):
    """A document as it was written: what it is, where it stands, and its terms."""

    kind: Kind
    path: str
    ordinal: int
    terms: list[str]


class Library(NamedTuple):
    corpus: Corpus
    texts: list[Text]


def sentence(chooser: random.Random) -> str:
    """Words of very different frequency, some in more than half of the texts."""
    return " ".join(chooser.choices(WORDS, [1 / rank for rank in range(1, len(WORDS) + 1)], k=chooser.randint(3, 25)))


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    chooser = random.Random(7)  # noqa: S311 (words, not secrets)
    messages = [sentence(chooser) for _ in range(MESSAGES)]
    frames = [
        render_frame(handle=SourceId(f"chat/t1/m{n}"), timestamp=None, role="user", body=body)
        for n, body in enumerate(messages, 1)
    ]
    files = {ARCHIVE: HEADER + b"".join(frames)}
    texts = [Text(Kind.SOURCE, ARCHIVE, place, terms(body)) for place, body in enumerate(messages)]
    for number in range(TOPICS):
        path, claims = f"topics/t{number:02}.md", [sentence(chooser) for _ in range(BLOCKS)]
        files[path] = topic("T", *(block(said, f"b{number}-{n}") for n, said in enumerate(claims))).encode()
        texts += [Text(Kind.BLOCK, path, place, terms(said)) for place, said in enumerate(claims)]
    commits = MemoryCommits()
    catalog = built(commits, commits.add(files))
    yield Library(catalog.corpus(), texts)
    catalog.close()


def reference(library: Library, query: list[str], kind: Kind, most: int) -> list[tuple[str, int, float]]:
    texts = [text for text in library.texts if kind in {ALL, text.kind}]
    scores = BM25Okapi([text.terms for text in texts]).get_scores(query)
    answers = [
        (-round(float(score), 9), text.path, text.ordinal)
        for text, score in zip(texts, scores, strict=True)
        if set(query) & set(text.terms)
    ]
    return [(path, ordinal, -score) for score, path, ordinal in sorted(answers)[:most]]


def ranked(library: Library, query: list[str], limits: Limits, most: int) -> list[tuple[str, int, float]]:
    columns = library.corpus.columns()
    best = rank(library.corpus, query, limits, most).best
    paths = library.corpus.paths({columns.files[one.document] for one in best})
    return [(paths[columns.files[o.document]], columns.ordinals[o.document], round(o.score, 9)) for o in best]


@pytest.mark.parametrize("kind", list(Kind))
def test_the_best_ten_and_their_scores_are_those_of_rank_bm25(library: Library, kind: Kind) -> None:
    chooser = random.Random(11)  # noqa: S311 (words, not secrets)
    for size in (1, 2, 3, 5, 8) * 6:
        query = terms(" ".join(chooser.choices(WORDS, k=size)))
        assert ranked(library, query, Limits(kind), 10) == reference(library, query, kind, 10)


def test_repeated_words_count_repeatedly_and_unknown_ones_not_at_all(library: Library) -> None:
    query = terms(f"{WORDS[9]} {WORDS[9]} {WORDS[20]} nowhere")
    assert ranked(library, query, Limits(), 10) == reference(library, query, ALL, 10)


def test_every_text_that_holds_a_word_is_counted(library: Library) -> None:
    query = terms(WORDS[30])
    holding = sum(query[0] in text.terms for text in library.texts)
    assert rank(library.corpus, query, Limits(), 3).found == holding
    assert len(rank(library.corpus, query, Limits(), 1000).best) == holding


def test_a_word_of_most_texts_still_finds_them(library: Library) -> None:  # 17.4: never by the sign of a score
    query = terms(WORDS[0])
    assert 2 * sum(query[0] in text.terms for text in library.texts) > len(library.texts)
    assert all(one.score > 0 for one in rank(library.corpus, query, Limits(), 100).best)


def test_limits_choose_answers_and_leave_scores_alone(library: Library) -> None:
    query = terms(f"{WORDS[5]} {WORDS[12]}")
    files = library.corpus.files_below("topics/t03")
    within = ranked(library, query, Limits(files=files), 10)
    everything = reference(library, query, ALL, len(library.texts))
    assert within == [answer for answer in everything if answer[0] == "topics/t03.md"][:10]
    only = frozenset(one.document for one in rank(library.corpus, query, Limits(), 4).best)
    assert ranked(library, query, Limits(documents=(only,)), 10) == everything[:4]
    assert ranked(library, query, Limits(documents=(only, frozenset())), 10) == []


def test_nothing_is_found_in_an_empty_memory() -> None:
    commits = MemoryCommits()
    catalog = built(commits, commits.add({}))
    assert rank(catalog.corpus(), ["tea"], Limits(), 10).best == ()
    catalog.close()


def test_one_text_alone_is_found() -> None:
    commits = MemoryCommits()
    catalog = built(commits, commits.add({"topics/a.md": topic("A", block("tea for two", "a1")).encode()}))
    (only,) = rank(catalog.corpus(), ["tea"], Limits(), 10).best
    assert only.score > 0
    assert only.terms == {"tea": 1}
    catalog.close()


def test_no_documents_have_no_scores() -> None:
    corpus = bm25.Corpus(3, 2.0, {})
    assert bm25.scores(["tea"], corpus, {"tea": 1}, []) == []
    assert corpus.floor() > 0
