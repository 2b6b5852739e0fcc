"""append-only, frames, paths, text, derived over two states of the memory; limits and authority over a request."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from archives import ARCHIVE, PENDING, archive, block, handle, topic
from gitmem.authority import Authority
from gitmem.checks import append_only, authority, derived, frames, limits, paths, text, workspace_file
from gitmem.format.model import Tier, TrustState
from gitmem.request import (
    FilesEdit,
    FileWrite,
    NewSource,
    NoEdit,
    PatchEdit,
    Person,
    RecordsEdit,
    Request,
    Surface,
)

if TYPE_CHECKING:
    from collections.abc import Callable

TWO = archive("m1", "m2")
SOURCES = {ARCHIVE: archive("m1")}
PROMOTIONS = "sources/promotions.jsonl"
LINE = (
    '{"at":"2026-08-10T12:00:00+00:00","principal_id":"owner","source_id":"chat/t1/m1",'
    '"speaker_id":null,"tier":"owner"}\n'
)
OWNERS = Authority(Tier.OWNER, "owner")


# --- append-only, frames --------------------------------------------------------------------------------------------


def test_appended_frames_and_new_archives_pass(codes: Callable[..., list[object]]) -> None:
    assert codes(append_only, SOURCES, {ARCHIVE: archive("m2", before=archive("m1"))}) == []
    assert codes(append_only, {}, SOURCES) == []
    assert codes(frames, {}, SOURCES) == []


def test_no_byte_of_an_archive_changes(codes: Callable[..., list[object]]) -> None:  # architecture.md section 5
    changed = {ARCHIVE: archive("m1").replace(b"what m1 says", b"what m1 said")}
    assert codes(append_only, SOURCES, changed) == [("source-changed", ARCHIVE, 7)]
    assert codes(append_only, {ARCHIVE: TWO}, SOURCES) == [("source-changed", ARCHIVE, 8)]
    assert codes(append_only, SOURCES, {}) == [("source-removed", ARCHIVE, None)]
    metadata = {ARCHIVE: archive("m1", m1=PENDING)}
    assert [code for code, *_ in codes(append_only, SOURCES, metadata)] == ["source-changed"]


def test_older_archives_enter_only_in_the_root_commit(codes: Callable[..., list[object]]) -> None:
    legacy = {"sources/D1.md": '# D1\n\n<a id="d1-1"></a>\n[2023-05-08] Ada: hi [D1:1]\n'}
    frozen = [("legacy-archive-frozen", "sources/D1.md", None)]
    assert codes(append_only, {}, legacy) == frozen
    assert codes(append_only, {}, legacy, is_root=True) == []
    assert codes(append_only, legacy, {}) == frozen
    assert codes(append_only, legacy, {"sources/D1.md": legacy["sources/D1.md"] + "more\n"}) == frozen


def test_a_promotion_is_a_whole_line_that_names_a_pending_source(codes: Callable[..., list[object]]) -> None:
    pending = {ARCHIVE: archive("m1", m1=PENDING)}
    assert codes(append_only, pending, {**pending, PROMOTIONS: LINE}) == []  # behaviours.md 0.4
    assert codes(append_only, SOURCES, {**SOURCES, PROMOTIONS: LINE}) == [("promotion-of-nothing", PROMOTIONS, 1)]
    torn = codes(append_only, pending, {**pending, PROMOTIONS: LINE[:-1]})
    assert [path for _, path, _ in torn] == [PROMOTIONS]
    rewritten = codes(
        append_only, {**pending, PROMOTIONS: LINE}, {**pending, PROMOTIONS: LINE.replace("owner", "other")}
    )
    assert ("source-changed", PROMOTIONS, 1) in rewritten
    assert codes(append_only, {**pending, PROMOTIONS: LINE}, pending) == [("source-removed", PROMOTIONS, None)]


def test_a_merge_keeps_every_frame_of_the_other_side(codes: Callable[..., list[object]]) -> None:
    ours = {ARCHIVE: archive("m2", before=archive("m1"))}
    theirs = {ARCHIVE: archive("m3", before=archive("m1"))}
    both = {ARCHIVE: archive("m3", before=archive("m2", before=archive("m1")))}
    assert codes(append_only, ours, both, merged=(theirs,)) == []
    assert codes(append_only, ours, ours, merged=(theirs,)) == [("source-lost-in-merge", ARCHIVE, None)]
    lines = ({**ours, PROMOTIONS: LINE}, {**theirs, PROMOTIONS: LINE + LINE.replace("m1", "m2")})
    lost = codes(append_only, lines[0], {**both, PROMOTIONS: LINE}, merged=(lines[1],))
    assert lost == [("source-lost-in-merge", PROMOTIONS, None)]


def test_an_archive_is_framed_to_its_last_byte(codes: Callable[..., list[object]]) -> None:  # behaviours.md 7.4
    found = codes(frames, SOURCES, {ARCHIVE: archive("m1") + b"loose words\n"})
    assert [(path, line) for _, path, line in found] == [(ARCHIVE, 3)]


def test_a_forgotten_message_does_not_come_back(codes: Callable[..., list[object]]) -> None:
    digest = hashlib.sha256(handle("m2").encode()).hexdigest()
    forgotten = f'{{"at":"2026-08-10T12:00:00+00:00","handle_sha256":"{digest}"}}\n'
    before = {**SOURCES, "sources/forgotten.jsonl": forgotten}
    after = {**before, ARCHIVE: archive("m2", before=archive("m1"))}
    assert [code for code, *_ in codes(frames, before, after)] == ["forgotten-source"]
    assert codes(append_only, SOURCES, before) == []


# --- paths, text, derived -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "topics/.git/x.md",
        "topics/.GIT/x.md",
        "topics/.g\u200cit/x.md",
        "topics/git~1/x.md",
        "topics/CON.md",
        "topics/a\\b.md",
        "topics/a\x07.md",
        "topics/a:b.md",
        "topics/x .md/ .md ",
        "topics/dot./x.md",
    ],
)
def test_names_that_some_platform_misreads_are_refused(codes: Callable[..., list[object]], path: str) -> None:
    assert codes(paths, {}, {path: "x"}) == [("unsafe-name", path, None)]


def test_links_submodules_and_executables_are_refused(codes: Callable[..., list[object]]) -> None:
    for mode in (0o120000, 0o160000, 0o100755):
        assert codes(paths, {}, {"topics/x.md": "x"}, modes={"topics/x.md": mode}) == [
            ("special-file", "topics/x.md", None)
        ]


def test_a_nested_gitattributes_is_refused(codes: Callable[..., list[object]]) -> None:
    found = codes(paths, {}, {".gitattributes": "", "topics/.gitattributes": "* text\n"})
    assert found == [("nested-gitattributes", "topics/.gitattributes", None)]


def test_names_equal_under_case_or_composition_collide(
    codes: Callable[..., list[object]],
) -> None:  # behaviours.md 7.11
    before = {"topics/People/a.md": "x"}
    assert codes(paths, before, {**before, "topics/people/b.md": "x"}) == [
        ("colliding-name", "topics/people/b.md", None)
    ]
    composed = codes(paths, {"topics/\u00e9.md": "x"}, {"topics/\u00e9.md": "x", "topics/e\u0301.md": "x"})
    assert composed == [("colliding-name", "topics/e\u0301.md", None)]
    assert codes(paths, before, {**before, "topics/People/b.md": "x"}) == []


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"\xef\xbb\xbf# A\n", "byte-order-mark", 1),
        (b"# A\n\nx\0y\n", "nul-byte", 3),
        (b"# A\n\n\xff\n", "not-utf-8", 3),
        (b"# A\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n", "conflict-marker", 2),
    ],
)
def test_a_topic_is_plain_text(codes: Callable[..., list[object]], data: bytes, code: str, line: int) -> None:
    assert codes(text, {}, {"topics/x.md": data}) == [(code, "topics/x.md", line)]


def test_size_is_bounded_and_only_memory_is_looked_at(
    codes: Callable[..., list[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "MAX_TOPIC_BYTES", 10)
    assert codes(text, {}, {"topics/x.md": "# A\n\n" + "x" * 10}) == [("oversized-file", "topics/x.md", 1)]
    assert codes(text, {}, {"notes.bin": b"\0\xff"}) == []


def test_a_message_may_quote_conflict_markers(codes: Callable[..., list[object]]) -> None:
    quoted = archive("m1").replace(b"what m1 says", b"<<<<<<< a")
    assert codes(text, {}, {ARCHIVE: quoted + b"=======\n>>>>>>> b\n"}) == []
    assert codes(text, {ARCHIVE: b"\xff"}, {ARCHIVE: b"\xff" + TWO}) == []  # what stood there before is not reread


def test_views_are_committed_apart_from_memory(codes: Callable[..., list[object]]) -> None:
    memory = {"topics/a.md": topic("A", block("Ada.", "aaaa1111"))}
    views = {"core.md": "x", "timeline/2024.md": "x"}
    both = [("derived-path", "core.md", None), ("derived-path", "timeline/2024.md", None)]
    assert codes(derived, {}, {**memory, **views}) == both
    assert codes(derived, {}, views) == []
    assert codes(derived, {}, {**memory, **views}, merged=({},)) == []


# --- limits, authority ----------------------------------------------------------------------------------------------


def source(content: str = "x", **fields: object) -> NewSource:
    known = {"trust_state": TrustState.TRUSTED, "principal_id": "owner", "speaker_kind": "human", **fields}
    return NewSource(content, "user", **known)  # type: ignore[arg-type]


def request(**fields: object) -> Request:
    known = {
        "edit": NoEdit(),
        "authority": OWNERS,
        "surface": Surface.TOOL,
        "author": Person("A", "a@example.org"),
        **fields,
    }
    return Request(**known)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"subject": "x" * 501}, "message-too-long"),
        ({"sources": (source(),) * 65}, "too-many-sources"),
        ({"sources": (source("é" * 128_000),)}, "sources-too-large"),
        ({"edit": PatchEdit("x" * 512_001)}, "edit-too-large"),
        ({"edit": FilesEdit((FileWrite("topics/x.md", "x" * 512_001),))}, "edit-too-large"),  # type: ignore[arg-type]
        ({"edit": FilesEdit((FileWrite("topics/x.md", "x"),) * 65)}, "too-many-changes"),  # type: ignore[arg-type]
    ],
)
def test_a_call_past_a_limit_is_refused(fields: dict[str, object], code: str) -> None:  # behaviours.md 3.11
    assert [finding.code for finding in limits.run(request(**fields))] == [code]


def test_a_call_at_the_limits_passes_and_a_batch_has_none() -> None:
    assert list(limits.run(request(subject="x" * 500, sources=(source("x" * 1000),) * 64))) == []
    assert list(limits.run(request(edit=RecordsEdit(())))) == []
    assert list(limits.run(request(sources=(source("x" * 256_001),), limited=False))) == []


def test_nobody_writes_unknown_and_every_source_is_vouched_for() -> None:  # behaviours.md 8.10, 8.12
    assert list(authority.run(request(sources=(source(),)))) == []
    assert list(authority.run(request(authority=Authority(Tier.PAIRED, "ada")))) == []
    for caller in (Authority(None, "stranger"), Authority(Tier.OWNER, ""), Authority(Tier.PAIRED, "")):
        assert [f.code for f in authority.run(request(authority=caller))] == ["not-allowed"]
    for missing in ("trust_state", "principal_id", "speaker_kind"):
        found = list(authority.run(request(sources=(source(**{missing: None}),))))
        assert [f.code for f in found] == ["incomplete-authority"]


# --- workspace-file -------------------------------------------------------------------------------------------------

VALID = "[gitmem]\n\tformatVersion = 1\n\tid = w-0123abcd\n"


@pytest.mark.parametrize(
    ("after", "code"),
    [({".gitmem": "garbage"}, "workspace-file-invalid"), ({}, "workspace-file-removed"), ({".gitmem": VALID}, None)],
)
def test_the_workspace_file_stays_and_can_be_read(
    codes: Callable[..., list[object]], after: dict[str, str], code: str | None
) -> None:
    before = {".gitmem": VALID + "\n"}
    assert codes(workspace_file, before, after) == ([] if code is None else [(code, ".gitmem", None)])
