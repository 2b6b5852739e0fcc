"""Histories in memory, memories as hypothesis draws them, and everything that a catalogue can be asked."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from gitmem.catalog.catalog import Catalog, View
from gitmem.catalog.postings import Kind
from gitmem.errors import Code, NotFound
from gitmem.format.frame import HEADER, render_frame
from gitmem.format.layout import FORGOTTEN, PROMOTIONS, anchor
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.format.promotions import Forgotten, Promotion, handle_sha256, render_forgotten, render_promotion
from gitmem.ids import ZERO_OID, Oid
from gitmem.terms import terms
from gitmem.testing.facts import answers
from gitmem.testing.tree import MemoryTree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.catalog.corpus import Corpus
    from gitmem.catalog.history import CatalogHistory

# few names, so that everything collides
IDS = ("a1", "b2", "c3", "d4", "e5")
TOPICS = ("topics/a.md", "topics/core.md", "topics/deep/b.md")
ARCHIVES = {"sources/chat/_v2/t.md": "t", "sources/chat/_v2/u.md": "u"}
LEGACY = "sources/chat/t.md"
HANDLES = tuple(f"chat/{thread}/m{n}" for thread in ("t", "u") for n in (1, 2, 3))
TARGETS = tuple(
    f"{path}#{anchor(h)}" for path, t in [*ARCHIVES.items(), (LEGACY, "t")] for h in HANDLES if f"/{t}/" in h
)
EVIDENCE = ("e-1", "e-2", "e-3")
WHENS = ("2024", "2024-05", "2024-05-06")
NAMES = {
    "ids": IDS, "evidence": EVIDENCE, "targets": TARGETS, "handles": HANDLES, "topics": TOPICS, "whens": WHENS,
}  # fmt: skip
WORDS = ("running", "tea", "Köln", "記憶", "the")


class MemoryCommits:
    """Commits in memory."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[tuple[Oid, ...], MemoryTree]] = {}

    def add(self, files: Mapping[str, bytes], *parents: Oid) -> Oid:
        oid = Oid(hashlib.sha256(f"{len(self.known)}".encode()).hexdigest()[:40])
        self.known[oid] = (parents, MemoryTree(files))
        return oid

    def parents(self, commit: Oid) -> tuple[Oid, ...] | None:
        return self.known[commit][0] if commit in self.known else None

    def tree(self, commit: Oid) -> MemoryTree:
        if commit == ZERO_OID:
            return MemoryTree({})
        if commit not in self.known:
            raise NotFound(Code.REVISION_NOT_FOUND, commit)
        return self.known[commit][1]


# --- memories


@st.composite
def _topic(draw: st.DrawFn, path: str) -> bytes:
    up = "../" * path.count("/")
    lines, used = ["# Title", ""], set()
    for _ in range(draw(st.integers(0, 3))):
        prose = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)))
        if draw(st.booleans()):
            prose += f" [see]({draw(st.sampled_from(('a.md', '../a.md', 'core.md')))}#^{draw(st.sampled_from(IDS))})"
        cited = draw(st.lists(st.sampled_from(EVIDENCE), min_size=1, max_size=2))
        ids = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=2, unique=True))
        used |= set(cited)
        lines += [f"{prose}{''.join(f'[^{name}]' for name in cited)} {' '.join(f'^{name}' for name in ids)}", ""]
        if draw(st.booleans()):
            lines += ["## Part", ""]
    for name in sorted(used):
        when, target = draw(st.sampled_from((*WHENS, "undated"))), draw(st.sampled_from(TARGETS))
        lines += [f"[^{name}]: Time: `{when}`; Sources: [one]({up}{target})"]
    return "\n".join([*lines, ""]).encode()


def frame(handle: str, body: str, *, pending: bool = False) -> bytes:
    state = TrustState.PENDING if pending else TrustState.TRUSTED
    trust = TrustMetadata(state, "human", "p", None if pending else Tier.OWNER)
    time = "2024-05-06T10:00:00+00:00"
    return render_frame(handle=handle, timestamp=time, role="user", body=body, speaker_display="Ada", metadata=trust)


@st.composite
def _archive(draw: st.DrawFn, thread: str) -> bytes:
    numbers = draw(st.sampled_from(((1,), (1, 2), (1, 2, 3), (2, 3), (1, 2, 1))))
    bodies = {n: f"{draw(st.sampled_from(WORDS))} {n}" if draw(st.booleans()) else f"tea {n}" for n in numbers}
    frames = [frame(f"chat/{thread}/m{n}", bodies[n], pending=n == 2) for n in numbers]
    return HEADER + b"".join(frames) + draw(st.sampled_from((b"", b"", b"\n<!-- cut", b"\n")))


def legacy(*handles: str) -> bytes:
    records = (f'<a id="{anchor(h)}"></a>\n[2023-01-01] Grace: old {h[-1]} tea [{h}]\n\n' for h in handles)
    return "".join(records).encode()


def promotions(*handles: str) -> bytes:
    at = "2026-08-10T12:00:00+00:00"
    return b"".join(render_promotion(Promotion(at, "p", handle, None, Tier.OWNER)) for handle in handles)


def forgotten(*handles: str) -> bytes:
    return b"".join(render_forgotten(Forgotten("2026-08-10T12:00:00+00:00", handle_sha256(h))) for h in handles)


_some = st.lists(st.sampled_from(HANDLES), max_size=3, unique=True)
FILES = {
    **{path: _topic(path) for path in TOPICS},
    **{path: _archive(thread) for path, thread in ARCHIVES.items()},
    LEGACY: st.lists(st.sampled_from(HANDLES[:3]), min_size=1, unique=True).map(lambda found: legacy(*found)),
    PROMOTIONS: _some.map(lambda found: promotions(*found)),
    FORGOTTEN: _some.map(lambda found: forgotten(*found)),
    "core.md": st.just(b"# derived\n"),
    "timeline/2024.md": st.sampled_from((b"# 2024\n", b"# again\n")),
}


@st.composite
def edits(draw: st.DrawFn) -> dict[str, bytes | None]:
    """Some files' new bytes, ``None`` for a file that is deleted."""
    paths = draw(st.lists(st.sampled_from(sorted(FILES)), max_size=4, unique=True))
    return {path: draw(st.none() | FILES[path]) for path in paths}


# --- everything that can be asked


def told(view: View) -> dict[str, object]:
    """Everything that a view answers about the drawn names, free of the catalogue's own numbers."""
    return {
        "facts": answers(view.facts, **NAMES),
        "corpus": _told_of_documents(view.corpus),
        "history": _told_of_history(view.history),
    }


def _told_of_documents(corpus: Corpus) -> dict[str, object]:
    columns = corpus.columns()
    used = [number for number, kind in enumerate(columns.kinds) if kind]
    found = corpus.documents(used)
    assert [document.id for document in found] == used
    places = {
        d.id: (d.claim or d.record, columns.kinds[d.id], columns.ordinals[d.id], columns.lengths[d.id]) for d in found
    }
    assert all(corpus.paths([columns.files[d.id]]) == {columns.files[d.id]: (d.claim or d.record).path} for d in found)
    vocabulary = {term for word in (*WORDS, "1 2 3 old Ada Grace see") for term in terms(word)}
    held = {term: corpus.postings(term) for term in vocabulary}
    return {
        "documents": sorted(map(repr, places.values())),
        "totals": [corpus.totals(kind) for kind in Kind],
        "spread": [dict(corpus.spread(kind)) for kind in Kind],
        "frequency": {(term, kind): corpus.frequency(term, kind) for term in vocabulary for kind in Kind},
        "postings": {
            term: sorted((repr(places[d]), n) for d, n in zip(p.documents, p.frequencies, strict=True))
            for term, p in held.items()
        },
        "ascending": all(list(p.documents) == sorted(set(p.documents)) for p in held.values()),
        "below": {
            prefix: sorted(corpus.paths(corpus.files_below(prefix)).values())
            for prefix in ("topics/", "sources/chat/t", "sources/chat/_v2/", "sources", "nowhere")
        },
        "holdings": [corpus.holdings(path) for path in FILES],
        "dated": {
            bounds: sorted(repr(places[d]) for d in corpus.dated(*bounds))
            for bounds in ((None, None), ("2024-05-07", None), (None, "2023-12-31"), ("2024-05-01", "2024-05-31"))
        },
        "said": {
            (who.display, who.label): sorted(repr(places[d]) for d in corpus.said_by([who]))
            for who in corpus.speakers()
            if corpus.said_by([who])
        },
    }


def _told_of_history(history: CatalogHistory) -> dict[str, object]:
    line = history.commits(1000)
    return {
        "commits": line,
        "revision": history.revision(),
        "derived": [history.derived(link) for link in line],
        "found": [history.find(link.commit) for link in line],
        "earlier": [history.revision(link.commit) for link in line],
        "events": [history.events(link.commit) for link in line],
        "blocks": {name: sorted(map(repr, history.block(name))) for name in IDS},
        "archived": {handle: history.archived(handle) for handle in HANDLES},
        "touching": {path: history.touching(path, 1000) for path in (*FILES, "topics", "sources/chat")},
        "some": history.touching("topics", 1),
    }


def built(commits: MemoryCommits, commit: Oid) -> Catalog:
    """A catalogue made from nothing for one commit."""
    catalog = Catalog(commits, None)
    catalog.refresh(commit)
    return catalog


def now(catalog: Catalog) -> View:
    return catalog.at(catalog.commit)
