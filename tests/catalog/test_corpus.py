"""What search may ask of the documents (``behaviours.md`` part 16)."""

from __future__ import annotations

import pytest

from catalogues import HANDLES, MemoryCommits, built, frame, legacy, promotions
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.corpus import CatalogCorpus, prefixes
from gitmem.catalog.postings import Kind
from gitmem.format.frame import HEADER
from gitmem.format.layout import PROMOTIONS, anchor

ARCHIVE, LEGACY, TOPIC = "sources/chat/_v2/t.md", "sources/chat/t.md", "topics/a.md"


def cited(*handles: str, archive: str = ARCHIVE) -> bytes:
    links = ", ".join(f"[m](../{archive}#{anchor(handle)})" for handle in handles)
    return f"# A\n\nGreen tea.[^e-1] ^a1\n\n[^e-1]: Time: `2024-05`; Sources: {links}\n".encode()


def sources(corpus: CatalogCorpus, term: str) -> list[str]:
    found = corpus.documents(corpus.postings(term).documents)
    return [document.record.path for document in found if document.record is not None]


def test_a_frame_hides_the_legacy_copy(commits: MemoryCommits) -> None:  # behaviours.md 7.14
    both = commits.add({ARCHIVE: HEADER + frame(HANDLES[0], "tea"), LEGACY: legacy(*HANDLES[:2])})
    alone = commits.add({LEGACY: legacy(*HANDLES[:2])}, both)
    catalog = built(commits, both)
    assert sources(catalog.corpus(), "tea") == [ARCHIVE, LEGACY]
    assert catalog.statistics().records == 2
    catalog.refresh(alone)
    assert sources(catalog.corpus(), "tea") == [LEGACY, LEGACY]
    catalog.refresh(both)
    assert sorted(sources(catalog.corpus(), "tea")) == [ARCHIVE, LEGACY]
    assert sorted(sources(catalog.at(alone).corpus, "tea")) == [LEGACY, LEGACY]


def test_an_archive_that_grew_keeps_its_documents(commits: MemoryCommits) -> None:
    first = HEADER + b"".join(frame(handle, "tea") for handle in HANDLES[:2])
    one = commits.add({ARCHIVE: first})
    two = commits.add({ARCHIVE: first + frame(HANDLES[2], "tea")}, one)
    catalog = built(commits, one)
    before = list(catalog.corpus().postings("tea").documents)
    catalog.refresh(two)
    after = list(catalog.corpus().postings("tea").documents)
    assert after[:2] == before
    columns = catalog.corpus().columns()
    assert [columns.ordinals[number] for number in after] == [0, 1, 2]


def test_a_handle_that_comes_twice_ends_an_archive_that_grew(commits: MemoryCommits) -> None:  # behaviours.md 7.4
    first = HEADER + frame(HANDLES[0], "tea") + frame(HANDLES[1], "tea")
    one = commits.add({ARCHIVE: first})
    two = commits.add({ARCHIVE: first + frame(HANDLES[2], "tea") + frame(HANDLES[0], "tea")}, one)
    catalog = built(commits, one)
    catalog.refresh(two)
    assert catalog.statistics().records == 3


def test_an_archive_without_a_message_may_grow(commits: MemoryCommits) -> None:
    one = commits.add({ARCHIVE: HEADER})
    catalog = built(commits, one)
    catalog.refresh(commits.add({ARCHIVE: HEADER + frame(HANDLES[0], "tea")}, one))
    assert sources(catalog.corpus(), "tea") == [ARCHIVE]


def test_an_edited_block_leaves_its_neighbours_documents(commits: MemoryCommits) -> None:
    def text(*words: str) -> bytes:
        blocks = "".join(f"{word}.[^e-1] ^b{n}\n\n" for n, word in enumerate(words))
        return f"# A\n\n{blocks}[^e-1]: Time: `2024`; Sources: chat/t/m1\n".encode()

    one = commits.add({TOPIC: text("tea", "milk", "sugar")})
    two = commits.add({TOPIC: text("tea", "coffee", "sugar")}, one)
    catalog = built(commits, one)
    before = {term: list(catalog.corpus().postings(term).documents) for term in ("tea", "sugar")}
    catalog.refresh(two)
    assert {term: list(catalog.corpus().postings(term).documents) for term in ("tea", "sugar")} == before
    assert len(catalog.corpus().postings("milk")) == 0


def test_archives_are_found_by_both_of_their_paths() -> None:  # behaviours.md 16.2
    assert prefixes("sources/chat/t") == ("sources/chat/t", "sources/chat/_v2/t")
    assert prefixes("sources/chat/_v2/t") == ("sources/chat/_v2/t",)
    assert prefixes("sources/chat") == ("sources/chat",)
    assert prefixes("topics/a/b") == ("topics/a/b",)


@pytest.mark.parametrize(
    ("first", "last", "met"),
    [
        (None, None, {"2024-05", "2024-05-06"}),
        ("2024-05-06", "2024-05-06", {"2024-05", "2024-05-06"}),
        ("2024-05-07", "2024-05-31", {"2024-05"}),
        ("2024-06-01", None, set()),
        (None, "2024-04-30", set()),
    ],
)
def test_a_coarse_time_is_met_by_each_of_its_days(
    commits: MemoryCommits, first: str | None, last: str | None, met: set[str]
) -> None:
    tip = commits.add({TOPIC: cited(HANDLES[0]), ARCHIVE: HEADER + frame(HANDLES[0], "tea")})
    corpus = built(commits, tip).corpus()
    found = corpus.documents(corpus.dated(first, last))
    assert {d.claim.whens[0] if d.claim else d.record.timestamp[:10] for d in found} == met


def test_speakers_are_those_whom_archives_name(commits: MemoryCommits) -> None:
    one = commits.add({ARCHIVE: HEADER + frame(HANDLES[0], "tea"), LEGACY: legacy(HANDLES[1])})
    two = commits.add({ARCHIVE: HEADER + frame(HANDLES[0], "tea")}, one)
    catalog = built(commits, one)
    assert {who.label for who in catalog.corpus().speakers()} == {"Ada", "Grace"}
    catalog.refresh(two)
    assert [(who.label, who.display, who.trusted) for who in catalog.corpus().speakers()] == [("Ada", "Ada", True)]
    past = catalog.at(one).corpus
    grace = [who for who in past.speakers() if who.label == "Grace"]
    assert [document.record.path for document in past.documents(past.said_by(grace))] == [LEGACY]


def test_counters_follow_citations_and_promotions(commits: MemoryCommits) -> None:  # behaviours.md 0.4, 11.1
    archive = HEADER + frame(HANDLES[0], "tea") + frame(HANDLES[1], "tea", pending=True)
    states = [
        {ARCHIVE: archive},
        {ARCHIVE: archive, TOPIC: cited(HANDLES[0])},
        {ARCHIVE: archive, TOPIC: cited(HANDLES[0]), PROMOTIONS: promotions(HANDLES[1])},
        {ARCHIVE: archive, TOPIC: cited(*HANDLES[:2]), PROMOTIONS: promotions(HANDLES[1], HANDLES[0])},
        {ARCHIVE: archive},
        {},
    ]
    catalog, seen, parents = Catalog(commits, None), [], ()
    for state in states:
        parents = (commits.add(state, *parents),)
        catalog.refresh(parents[0])
        found = catalog.statistics()
        seen.append((found.records, found.pending, found.uncited))
    assert seen == [(2, 1, 1), (2, 1, 0), (2, 0, 1), (2, 0, 0), (2, 1, 1), (0, 0, 0)]


def test_citing_the_legacy_copy_cites_the_message(commits: MemoryCommits) -> None:
    files = {ARCHIVE: HEADER + frame(HANDLES[0], "tea"), LEGACY: legacy(HANDLES[0])}
    tip = commits.add({**files, TOPIC: cited(HANDLES[0], archive=LEGACY)})
    assert built(commits, tip).statistics().uncited == 0


def test_names_that_are_no_text_are_nobodys(commits: MemoryCommits) -> None:
    tip = commits.add({TOPIC: cited(HANDLES[0])})
    catalog = built(commits, tip)
    assert catalog.facts().claims("\udc80") == ()
    assert catalog.corpus().frequency("\udc80", Kind.BLOCK) == 0
