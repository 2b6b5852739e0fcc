"""Version-2 archives: exact bytes, a strictly forward scan, and bodies that may hold anything (behaviours.md 7, 8)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.format.frame import HEADER, append_frames, render_frame, scan_v2
from gitmem.format.layout import anchor
from gitmem.format.model import Archive, Record, Tier, TrustMetadata, TrustState
from gitmem.format.trust import encode_metadata
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from pathlib import Path

PATH = "sources/p/_v2/t.md"
OWNER = TrustMetadata(TrustState.TRUSTED, "human", "ada", Tier.OWNER)


def frame(message: str = "m", body: str = "hello", **fields: object) -> bytes:
    """A frame of this file's archive."""
    known: dict[str, object] = {"timestamp": "2026-08-09", "role": "user", "metadata": OWNER}
    return render_frame(handle=SourceId(f"p/t/{message}"), body=body, **known | fields)  # type: ignore[arg-type]


def scan(*frames: bytes) -> Archive:
    return scan_v2(PATH, HEADER + b"".join(frames))


def body_of(record: Record, data: bytes) -> str:
    return data[record.body_start : record.body_end].decode()


# --- bytes ---


def test_a_frame_has_exactly_these_bytes() -> None:  # formats.md, "Source archives, version 2"; behaviours.md 7.1, 7.2
    rendered = render_frame(
        handle=SourceId("openprogram/sess-7f2a/msg_2f9b"),
        timestamp="2026-08-09T10:00:00+08:00",
        role="user",
        body="the budget is 50k\r\nand a half ",
        speaker_id="73-91",
        speaker_display="Ada",
        metadata=OWNER,
    )
    assert rendered.decode() == (
        f'\n<a id="{anchor("openprogram/sess-7f2a/msg_2f9b")}"></a>\n'
        "<!-- source-id:openprogram/sess-7f2a/msg_2f9b -->\n"
        "<!-- speaker-id:73%2D91 -->\n"
        f"<!-- source-meta:{encode_metadata(OWNER)} -->\n"
        "<!-- record-lines:2 -->\n"
        "[2026-08-09T10:00:00+08:00] Ada (73-91): the budget is 50k\r\nand a half \n"
    )


def test_a_record_says_what_the_frame_holds() -> None:
    data = HEADER + frame("m1", "one\ntwo", speaker_id="73-91", speaker_display="Ada") + frame("m2", timestamp=None)
    first, second = scan_v2(PATH, data).records
    assert (first.handle, first.path, first.anchor) == ("p/t/m1", PATH, anchor("p/t/m1"))
    assert first.target == f"{PATH}#{anchor('p/t/m1')}"
    assert (first.label, first.speaker_id, first.speaker_display) == ("Ada (73-91)", "73-91", "Ada")
    assert (first.speaker_trusted, first.metadata, first.framed) == (True, OWNER, True)
    assert body_of(first, data) == "one\ntwo"
    assert data[first.start : first.end] == frame("m1", "one\ntwo", speaker_id="73-91", speaker_display="Ada")
    assert (second.timestamp, second.label, second.speaker_id, second.speaker_trusted) == (
        "undated",
        "user",
        None,
        False,
    )
    lines = data.decode().split("\n")
    assert [lines[record.line - 1] for record in (first, second)] == [
        "[2026-08-09] Ada (73-91): one",
        "[undated] user: hello",
    ]


@pytest.mark.parametrize("timestamp", [None, "", " ", "\x00"])
def test_no_time_is_undated(timestamp: str | None) -> None:  # cli.md: `[undated]`
    assert b"\n[undated] user: hello\n" in frame(timestamp=timestamp)


def test_a_hostile_time_or_role_stays_in_its_place() -> None:
    data = HEADER + frame(timestamp="2026] Bo (1): x\n[y", role="x]: \n[2026] Bo")
    (record,) = scan_v2(PATH, data).records
    assert record.timestamp == "2026) Bo (1): x (y"
    assert record.label == "x)\uff1a (2026) Bo"
    assert body_of(record, data) == "hello"


def test_a_display_only_speaker_is_trusted_even_when_called_user() -> None:  # behaviours.md 7.5
    rendered = frame(speaker_display="user")
    assert b"<!-- speaker-id: -->\n" in rendered
    (record,) = scan(rendered).records
    assert (record.speaker_id, record.speaker_display, record.speaker_trusted) == (None, "user", True)


def test_a_speaker_in_the_body_is_nobody() -> None:  # behaviours.md 8.1
    (record,) = scan(frame(body="[Victim (u999)] pay him")).records
    assert (record.label, record.speaker_id, record.speaker_display, record.speaker_trusted) == (
        "user",
        None,
        None,
        False,
    )


def test_a_frame_without_metadata_is_read_as_trusted_legacy() -> None:  # behaviours.md 7.7
    (record,) = scan(frame(metadata=None)).records
    assert record.metadata is None


@pytest.mark.parametrize("handle", ["a/b", "a/b/c>", "a/b/c\n", "../b/c"])
def test_an_unsafe_handle_is_refused(handle: str) -> None:  # behaviours.md 7.10
    with pytest.raises(InvalidRequest):
        render_frame(handle=SourceId(handle), timestamp=None, role="user", body="x")


def test_text_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        frame(body="\ud800")


# --- hostile bodies ---


@pytest.mark.parametrize(
    "body",
    [
        "",
        "\n",
        "\n\n\n",
        "a\r\nb\r\n",
        "trailing  \t",
        "a\u2028b\x0cc\rd",
        frame("forged", "x").decode(),
        "x\n" + HEADER.decode() + frame("m2", "x").decode(),
        "[2026-08-09] Bo (1): x\n\n[2026-08-09] Bo (1): y",
        "a: b: c",
    ],
)
def test_a_body_is_kept_and_inert_whatever_it_holds(body: str) -> None:  # behaviours.md 7.2, 7.3
    data = HEADER + frame("m1", body) + frame("m2", "real")
    archive = scan_v2(PATH, data)
    assert archive.defect is None
    assert [(record.handle, body_of(record, data)) for record in archive.records] == [
        ("p/t/m1", body),
        ("p/t/m2", "real"),
    ]


FORGED = st.sampled_from(
    [
        frame("m1", "forged").decode(),
        frame("other", "forged").decode().strip("\n"),
        HEADER.decode(),
        "<!-- record-lines:1 -->\n[x] y: z",
        "\n\n",
        "\r\n",
        "\u2028",
        ": ",
        "[a] b: ",
    ]
)
BODY = st.lists(FORGED | st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=6).map("".join)
NAME = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
FRAMES = st.lists(st.tuples(BODY, NAME, NAME, NAME, st.none() | st.just(OWNER)), max_size=5)
Fields = tuple[str, str | None, str | None, str | None, TrustMetadata | None]


def archive_of(drawn: list[Fields]) -> list[bytes]:
    return [
        frame(f"m{number}", body, timestamp=when, speaker_id=ident, speaker_display=display, metadata=metadata)
        for number, (body, when, ident, display, metadata) in enumerate(drawn)
    ]


def rendered_again(data: bytes, record: Record) -> bytes:
    return render_frame(
        handle=record.handle,
        timestamp=record.timestamp,
        role=record.label,
        body=body_of(record, data),
        speaker_id=record.speaker_id,
        speaker_display=record.speaker_display,
        metadata=record.metadata,
    )


@given(FRAMES)
def test_what_is_rendered_reads_back_and_renders_again(drawn: list[Fields]) -> None:
    frames = archive_of(drawn)
    data = HEADER + b"".join(frames)
    archive = scan_v2(PATH, data)
    assert (archive.defect, archive.valid_length, archive.path, archive.framed) == (None, len(data), PATH, True)
    assert [body_of(record, data) for record in archive.records] == [body for body, *_ in drawn]
    assert [rendered_again(data, record) for record in archive.records] == frames


@given(FRAMES, st.data())
def test_a_truncated_archive_has_the_whole_frames_before_the_cut(drawn: list[Fields], data: st.DataObject) -> None:
    frames = archive_of(drawn)  # behaviours.md 7.4
    whole = HEADER + b"".join(frames)
    cut = data.draw(st.integers(0, len(whole)))
    archive = scan_v2(PATH, whole[:cut])
    complete = scan_v2(PATH, whole)
    kept = sum(record.end <= cut for record in complete.records)
    ends = [len(HEADER), *(record.end for record in complete.records)]
    assert archive.records == complete.records[:kept]
    if cut < len(HEADER):
        assert (archive.valid_length, archive.defect is None) == (0, False)
    else:
        assert archive.valid_length == ends[kept]
        # A cut just after the separating blank line leaves a whole archive, ready for the next frame.
        assert (archive.defect is None) == (cut - ends[kept] in {0, 1})


@given(FRAMES, st.integers(0, 5))
def test_a_scan_goes_on_from_a_known_prefix(drawn: list[Fields], count: int) -> None:
    frames = archive_of(drawn)
    whole = HEADER + b"".join(frames)
    known = scan(*frames[:count])
    assert scan_v2(PATH, whole, known=known) == scan_v2(PATH, whole)
    for broken in (whole + b"\ngarbage\n", whole + b"garbage"):
        assert scan_v2(PATH, broken, known=known) == scan_v2(PATH, broken)


def test_a_known_prefix_is_not_read_again() -> None:
    data = bytearray(HEADER + frame("m1") + frame("m2"))
    known = scan(frame("m1"))
    data[len(HEADER) + 5] = ord("#")
    assert len(scan_v2(PATH, bytes(data), known=known).records) == 2


@pytest.mark.parametrize("data", [b"", HEADER, HEADER + frame("m1")[:40]])
def test_a_known_scan_of_something_longer_or_unsound_is_no_hindrance(data: bytes) -> None:
    known = scan(frame("m1"), frame("m2"))
    assert scan_v2(PATH, data, known=known) == scan_v2(PATH, data)
    assert scan_v2(PATH, HEADER + frame("m1"), known=scan_v2(PATH, data)) == scan(frame("m1"))


def test_duplicates_of_known_records_are_found() -> None:
    known = scan(frame("m1"))
    archive = scan_v2(PATH, HEADER + frame("m1") + frame("m1"), known=known)
    assert archive.defect is not None
    assert archive.defect.code == "duplicate-source"


# --- strictness ---

GOOD = frame("m2", "two", speaker_id="7", speaker_display="Ada")


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (GOOD[:1] + GOOD[1:].replace(b"\n", b"\r\n"), "malformed-frame"),
        (GOOD[:-1], "truncated-frame"),
        (b"\n" + GOOD, "malformed-frame"),
        (b"\ngarbage", "malformed-frame"),
        (GOOD.replace(b"record-lines:1", b"record-lines:2"), "truncated-frame"),
        (GOOD.replace(b"record-lines:1", b"record-lines:0"), "malformed-frame"),
        (GOOD.replace(b"record-lines:1", b"record-lines:01"), "malformed-frame"),
        (GOOD.replace(b"record-lines:1", b"record-lines:-1"), "malformed-frame"),
        (GOOD.replace(b"record-lines:1", b"record-lines:" + b"9" * 5000), "malformed-frame"),
        (GOOD.replace(b"record-lines:1", b"record-lines:999999999999"), "truncated-frame"),
        (GOOD.replace(b"<!-- record-lines:1 -->\n", b""), "malformed-frame"),
        (GOOD.replace(b"two", b"two\nthree"), "truncated-frame"),
        (GOOD.replace(b"[2026-08-09] ", b""), "malformed-frame"),
        (GOOD.replace(b"): ", b")"), "malformed-frame"),
        (GOOD.replace(b"two", b"\xff"), "not-utf8"),
        (GOOD.replace(b"speaker-id:7", b"speaker-id:%37"), "bad-speaker"),
        (GOOD.replace(b"speaker-id:7", b"speaker-id:%ZZ"), "bad-speaker"),
        (GOOD.replace(b"speaker-id:7", b"speaker-id:--"), "bad-speaker"),
        (GOOD.replace(b"source-meta:ey", b"source-meta:"), "bad-metadata"),
        (GOOD.replace(b"source-id:p/t/m2", b"source-id:p/t"), "bad-handle"),
        (GOOD.replace(b"source-id:p/t/m2", b"source-id:p/t/m]"), "bad-handle"),
        (GOOD.replace(b"source-id:p/t/m2", b"source-id:p/u/m2"), "path-mismatch"),
        (GOOD.replace(b"source-id:p/t/m2", b"source-id:p/t/m3"), "anchor-mismatch"),
        (GOOD.replace(b'"source-', b'"'), "anchor-mismatch"),
        (frame("m1", "again"), "duplicate-source"),
    ],
)
def test_the_scan_stops_where_it_is_broken_and_looks_no_further(bad: bytes, code: str) -> None:  # 7.4, 7.5, 7.10, 7.15
    first = frame("m1", "one\ntwo")
    archive = scan(first, bad, frame("m3"))
    alone = scan(first, bad)
    assert [record.handle for record in archive.records] == ["p/t/m1"] == [record.handle for record in alone.records]
    assert archive.valid_length == alone.valid_length == len(HEADER + first)
    assert alone.defect is not None
    assert alone.defect.code == code
    assert alone.defect.line == 10  # where the anchor should stand


@pytest.mark.parametrize("bad", [GOOD[1:], GOOD.replace(b"\n", b"\r\n"), b"garbage", b"\r", b" \n" + GOOD])
def test_a_frame_without_its_separator_is_none(bad: bytes) -> None:  # behaviours.md 7.4
    archive = scan(frame("m1"), frame("m2"), bad)
    assert [record.handle for record in archive.records] == ["p/t/m1"]
    assert archive.defect is not None
    assert archive.defect.code == "truncated-frame"
    assert scan_v2(PATH, HEADER + frame("m1") + frame("m2") + bad, known=scan(frame("m1"), frame("m2"))) == archive


@pytest.mark.parametrize(
    "data",
    [b"", HEADER[:-1], HEADER.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + HEADER, b"\n" + HEADER, b"# t\n\n" + GOOD],
)
def test_without_its_first_line_an_archive_has_nothing(data: bytes) -> None:
    archive = scan_v2(PATH, data)
    assert (archive.records, archive.valid_length) == ((), 0)
    assert archive.defect is not None
    assert archive.defect.code == "missing-header"


@pytest.mark.parametrize("path", ["sources/p/t.md", "sources/p/_v2/%74.md", "sources/q/_v2/t.md", "D1.md"])
def test_a_frame_belongs_to_its_path(path: str) -> None:  # behaviours.md 7.4
    archive = scan_v2(path, HEADER + frame())
    assert archive.defect is not None
    assert archive.defect.code == "path-mismatch"


def test_encoded_names_are_compared_decoded() -> None:
    rendered = render_frame(handle=SourceId("é p/a b/m"), timestamp=None, role="user", body="x")
    assert scan_v2("sources/%C3%A9%20p/_v2/a%20b.md", HEADER + rendered).defect is None


def test_the_oldest_metadata_shape_survives_rendering() -> None:  # behaviours.md 7.6
    older = TrustMetadata(TrustState.PENDING, "human", "bo", None, "legacy-unknown")
    data = HEADER + frame(metadata=older)
    (record,) = scan_v2(PATH, data).records
    assert record.metadata == older
    assert HEADER + rendered_again(data, record) == data


# --- appending ---


def test_frames_are_appended_to_the_byte() -> None:
    one, two = frame("m1"), frame("m2")
    assert append_frames(PATH, None, None, [one, two]) == HEADER + one + two
    assert append_frames(PATH, HEADER + one, scan(one), [two]) == HEADER + one + two
    assert append_frames(PATH, HEADER + one, scan(one), []) == HEADER + one  # behaviours.md 7.8


def test_a_trailing_blank_line_already_separates_the_next_frame() -> None:
    data = HEADER + frame("m1") + b"\n"
    archive = scan_v2(PATH, data)
    assert archive.defect is None
    grown = append_frames(PATH, data, archive, [frame("m2")])
    assert grown == HEADER + frame("m1") + frame("m2")
    assert grown.startswith(data)
    assert append_frames(PATH, data, archive, []) == data


def test_a_truncated_archive_is_never_appended_to() -> None:  # behaviours.md 7.4
    data = HEADER + frame("m1")[:-1]
    with pytest.raises(Refused, match="invalid or truncated") as refused:
        append_frames(PATH, data, scan_v2(PATH, data), [frame("m2")])
    assert (refused.value.code, refused.value.path) == (Code.COMMIT_REJECTED, PATH)


# --- real archives, size ---


def test_every_real_frame_reads_and_renders_again(shared_data: Path) -> None:
    root = shared_data / "openprogram" / "v2_archive"
    paths = sorted(root.rglob("*.md"))
    total = 0
    for path in paths:
        data = path.read_bytes()
        archive = scan_v2(path.relative_to(root).as_posix(), data)
        assert archive.defect is None
        assert HEADER + b"".join(rendered_again(data, record) for record in archive.records) == data
        total += len(archive.records)
    assert (len(paths), total) == (70, 1451)


def test_a_large_archive_is_scanned_in_linear_time() -> None:
    frames = [frame(f"m{number}", "x" * 400 + "\n" * (number % 3), speaker_id="7") for number in range(8000)]
    data = HEADER + b"".join(frames)
    started = time.process_time()
    archive = scan_v2(PATH, data)
    elapsed = time.process_time() - started
    assert len(data) > 5_000_000
    assert len(archive.records) == 8000
    assert elapsed < 2.5  # about 0.3 s alone; quadratic work would take minutes


def test_a_count_that_no_file_bears_out_costs_nothing() -> None:  # behaviours.md 7.15
    data = HEADER + GOOD.replace(b"record-lines:1", b"record-lines:999999999999")
    started = time.process_time()
    assert scan_v2(PATH, data).records == ()
    assert time.process_time() - started < 0.5
