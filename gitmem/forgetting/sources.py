"""Which messages are meant: handles that somebody named, or everything that a speaker said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.forgetting.headers import read_head
from gitmem.forgetting.survey import turn_of
from gitmem.format.frame import scan_v2
from gitmem.format.layout import FORGOTTEN, SOURCES, is_handle, is_legacy_archive, is_v2_archive, targets_of
from gitmem.format.legacy import scan_legacy
from gitmem.format.promotions import handle_sha256, parse_forgotten
from gitmem.ids import SourceId
from gitmem.store.raw import every_commit, read_raw
from gitmem.store.snapshot import EMPTY_TREE, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gitmem.forgetting.tips import Tips
    from gitmem.ids import Oid, Target
    from gitmem.store.repository import Repo


def meant(repo: Repo, tips: Tips, handles: Sequence[str], speaker: str | None) -> frozenset[SourceId]:
    """The handles of the messages that are meant, archived or not.

    ``speaker`` is a stable id, or, where nobody has it, a display name. A handle that was forgotten before may be named
    again. Raises ``InvalidRequest`` for what is no handle, or when nothing is named, and ``NotFound``
    (``SOURCE_NOT_FOUND``) for messages that are nowhere.
    """
    wrong = [handle for handle in handles if not is_handle(handle)]
    if wrong or bool(handles) == (speaker is not None):
        message = (
            f"{wrong[0]!r} is not a source handle (provider/thread/message)" if wrong else "name sources or a speaker"
        )
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    said = list(_said(repo, tips))
    if speaker is not None:
        found = frozenset(message.handle for message in said if message.speaker_id == speaker)
        found = found or frozenset(message.handle for message in said if message.speaker_display == speaker)
        if not found:
            message = (
                f"nobody called {speaker!r} has said anything here; `gitmem search --speaker` takes the same names"
            )
            raise NotFound(Code.SOURCE_NOT_FOUND, message)
        return found
    before = _forgotten(repo, tips)
    missing = [handle for handle in handles if not _is_known(SourceId(handle), said, before)]
    if missing:
        message = f"there is no message {', '.join(missing)}, archived or in a conversation"
        raise NotFound(Code.SOURCE_NOT_FOUND, message, details={"source_ids": missing})
    return frozenset(map(SourceId, handles))


def _is_known(handle: SourceId, said: list[Said], forgotten: frozenset[str]) -> bool:
    """Whether a message is here, was, or stands in a legacy archive that names it by its anchor alone."""
    places = set(targets_of(handle))
    return handle_sha256(handle) in forgotten or any(s.handle == handle or s.target in places for s in said)


class Said(NamedTuple):
    """A message: its handle, who said it, and where it is archived (``None``: it is a turn)."""

    handle: SourceId
    speaker_id: str | None
    speaker_display: str | None
    target: Target | None


def _said(repo: Repo, tips: Tips) -> Iterator[Said]:
    """Every message that some ref leads to, archived or a turn; some come twice."""
    ends = list(tips.commits(repo))
    yield from _turns(repo, ends)
    seen: set[tuple[str, Oid]] = set()
    for end in ends:
        for entry in Snapshot.at(repo, end).entries(SOURCES):
            if (entry.path, entry.oid) not in seen and (is_v2_archive(entry.path) or is_legacy_archive(entry.path)):
                seen.add((entry.path, entry.oid))
                raw = read_raw(repo, entry.oid)
                scan = scan_v2 if is_v2_archive(entry.path) else scan_legacy
                for record in scan(entry.path, raw.data if raw is not None else b"").records:
                    yield Said(record.handle, record.speaker_id, record.speaker_display, record.target)


def _turns(repo: Repo, ends: Iterable[Oid]) -> Iterator[Said]:
    talks = [end for end in ends if (raw := read_raw(repo, end)) and read_head(raw.data).tree == EMPTY_TREE]
    for oid in every_commit(repo, talks):
        raw = read_raw(repo, oid)
        turn = None if raw is None else turn_of(read_head(raw.data).message)
        if turn is not None:
            handle = SourceId(f"{turn.provider}/{turn.thread}/{turn.id}")
            yield Said(handle, turn.speaker_id, turn.speaker_display, None)


def _forgotten(repo: Repo, tips: Tips) -> frozenset[str]:
    ledgers = (Snapshot.at(repo, ref.oid).read(FORGOTTEN) for ref in tips.refs if ref.name.startswith("refs/heads/"))
    return frozenset(entry.handle_sha256 for ledger in ledgers for entry in parse_forgotten(ledger or b"")[0])
