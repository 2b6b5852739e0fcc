"""An overlay answers what a scan of the changed state would (``architecture.md`` section 5)."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from gitmem.facts.contribution import Contribution
from gitmem.facts.overlay import EMPTY, OverlayFacts
from gitmem.facts.scan import ScanFacts
from gitmem.format.layout import FORGOTTEN, PROMOTIONS
from gitmem.format.model import CitedEvidence, Claim, Record, SourceLink, Tier
from gitmem.testing.facts import answers

# few names, so that everything collides
IDS = ("aa", "bb", "cc", "dd", "ee", "ff")
TOPICS = ("topics/a.md", "topics/a/b.md", "topics/core.md", "topics/z.md")
ARCHIVES = ("sources/p/_v2/t.md", "sources/p/_v2/u.md", "sources/p/t.md")
HANDLES = ("p/t/1", "p/t/2", "p/u/1", "p/u/2")
TARGETS = tuple(f"{path}#{anchor}" for path in ARCHIVES for anchor in ("s1", "s2"))
EVIDENCE = ("e-1", "e-2", "e-3")
WHENS = (None, "2024", "2024-05", "2024-05-06")


def _link(target: str) -> SourceLink:
    return SourceLink("label", target, target if "#" in target else None)


_evidence = st.builds(
    CitedEvidence,
    id=st.sampled_from(EVIDENCE),
    when=st.sampled_from(WHENS),
    clause=st.just("clause"),
    sources=st.lists(st.sampled_from((*TARGETS, *HANDLES)), max_size=2).map(lambda found: tuple(map(_link, found))),
)


@st.composite
def _topic(draw: st.DrawFn, path: str) -> Contribution:
    claims, reaches = [], []
    for ordinal in range(draw(st.integers(0, 3))):
        *aliases, own = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True))
        links = draw(st.lists(st.sampled_from(IDS), max_size=2, unique=True))
        evidence = tuple(draw(st.lists(_evidence, max_size=2)))
        content = draw(st.sampled_from(("x", "y")))
        claims.append(Claim(own, tuple(aliases), path, ordinal, ordinal + 1, ("H",), content, evidence, tuple(links)))
        reaches.append(tuple(draw(st.lists(st.sampled_from(TOPICS), max_size=2, unique=True))))
    return Contribution(claims=tuple(claims), reaches=tuple(reaches))


@st.composite
def _archive(draw: st.DrawFn, path: str) -> Contribution:
    handles = draw(st.lists(st.sampled_from(HANDLES), max_size=2, unique=True))
    return Contribution(records=tuple(record(path, f"s{n}", handle, n) for n, handle in enumerate(handles, 1)))


def record(path: str, anchor: str, handle: str, place: int) -> Record:
    return Record(
        handle=handle,
        path=path,
        anchor=anchor,
        line=place,
        start=place,
        end=place + 1,
        body_start=place,
        body_end=place,
        timestamp="undated",
        label="user",
        speaker_id=None,
        speaker_display=None,
        speaker_trusted=False,
        metadata=None,
        framed="_v2" in path,
    )


_handles = st.frozensets(st.sampled_from(HANDLES))
_digests = _handles.map(lambda found: frozenset(hashlib.sha256(handle.encode()).hexdigest() for handle in found))

FILES = {
    **{path: _topic(path) for path in TOPICS},
    **{path: _archive(path) for path in ARCHIVES},
    PROMOTIONS: st.builds(Contribution, promoted=st.dictionaries(st.sampled_from(HANDLES), st.sampled_from(Tier))),
    FORGOTTEN: st.builds(Contribution, forgotten=_digests),
}


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Contribution | None]:
    """Some files' contributions, ``None`` for a file that is gone."""
    paths = draw(st.lists(st.sampled_from(sorted(FILES)), unique=True))
    return {path: draw(st.none() | FILES[path]) for path in paths}


def ask(facts: object) -> dict[tuple[str, object], object]:
    return answers(
        facts, ids=IDS, evidence=EVIDENCE, targets=TARGETS, handles=HANDLES, topics=TOPICS, whens=filter(None, WHENS)
    )


def created(facts: ScanFacts | OverlayFacts) -> dict[str, int]:
    return {name: place for name in IDS if (place := facts.created(name)) is not None}


@given(st.lists(changes(), max_size=4))
def test_an_overlay_equals_a_scan_of_the_outcome(steps: list[dict[str, Contribution | None]]) -> None:
    files: dict[str, Contribution | None] = {}
    layered, scanned = EMPTY, ScanFacts({})
    for step in steps:
        files |= step
        layered = OverlayFacts(layered, step)
        scanned = ScanFacts(files, created(scanned))
        assert ask(layered) == ask(scanned)


def test_meaning_survives_in_files_that_did_not_change() -> None:
    evidence = CitedEvidence("e-1", "2024", "", (SourceLink("one", TARGETS[0], TARGETS[0]),))
    shared = {
        path: Contribution((Claim(name, (), path, 0, 1, (), "x", (evidence,), ()),), ((),))
        for name, path in zip(IDS, TOPICS[:2], strict=False)
    }
    facts = OverlayFacts(ScanFacts(shared), {TOPICS[0]: None})
    assert facts.evidence_like(("2024", (TARGETS[0],))) == ("e-1",)
    assert OverlayFacts(facts, {TOPICS[1]: None}).evidence_like(("2024", (TARGETS[0],))) == ()


def test_a_deleted_frame_uncovers_its_legacy_twin() -> None:  # behaviours.md 7.14
    twins = {path: Contribution(records=(record(path, "s1", HANDLES[0], 1),)) for path in (ARCHIVES[0], ARCHIVES[2])}
    base = ScanFacts(twins)
    assert base.source(HANDLES[0]).path == ARCHIVES[0]
    assert OverlayFacts(base, {ARCHIVES[0]: None}).source(HANDLES[0]).path == ARCHIVES[2]
