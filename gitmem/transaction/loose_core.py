"""A ``core.md`` that stands in the root of an adopted folder and is no view (``behaviours.md`` 0.23, 11.2, 13.4).

Older memories were written there by hand or by a model. What is a topic becomes ``topics/core.md``; anything else is
evidence, which ``gitmem backfill`` gives to a writer like any other message that no topic cites.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.edit.rebase import rebased
from gitmem.errors import Severity
from gitmem.facts.overlay import EMPTY
from gitmem.format.frame import append_frames, render_frame
from gitmem.format.layout import CORE, LEGACY_CORE, TOPIC_CORE, archive_path, split_handle
from gitmem.format.model import TrustMetadata, TrustState
from gitmem.format.rebase import rebase
from gitmem.format.topic import parse_topic
from gitmem.ids import SourceId, TopicPath
from gitmem.store.left_alone import save_rescue
from gitmem.transaction.stage import stage_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gitmem.authority import Authority
    from gitmem.store.repository import Repo
    from gitmem.store.snapshot import Snapshot
    from gitmem.transaction.commit import Attempt, Carried
    from gitmem.transaction.stage import Staged

_ROLE = "user"


def read_loose_core(folder: Path) -> bytes | None:
    """The bytes of a folder's own ``core.md``; ``None`` when there is none, and for a link, which is not followed."""
    file = folder / CORE
    return file.read_bytes() if file.is_file() and not file.is_symlink() else None


def legacy_handle(loose: bytes) -> SourceId:
    """The handle of a core that is archived as evidence: the same bytes have the same one everywhere (11.2)."""
    return SourceId(f"{LEGACY_CORE}{hashlib.sha256(loose).hexdigest()}")


def stage_with_core(
    attempt: Attempt, files: Mapping[str, bytes], loose: bytes | None
) -> tuple[Staged, TopicPath | SourceId | None]:
    """Stage the files of a first commit, and the core where it belongs: its path, its handle, or that it is nowhere.

    With ``topics/core.md`` among the files that one wins. Otherwise the loose one becomes it, links re-based, if the
    memory as a whole is valid with it; if not, it is archived as the owner's, once. Raises ``Refused`` for an archive
    of that name which is truncated.
    """
    if loose is None or TOPIC_CORE in files or not loose.strip():
        return stage_files(attempt.staging(), EMPTY, files), None
    moved = _moved(loose)
    if moved is not None:
        staged = stage_files(attempt.staging(), EMPTY, {**files, TOPIC_CORE: moved})
        findings = gate.check(staged.candidate(EMPTY, attempt.request, is_root=True))
        if all(finding.severity is not Severity.ERROR for finding in findings):
            return staged, TopicPath(TOPIC_CORE)
    return _archived(attempt, files, loose)


def keep_loose_core(folder: Path, repo: Repo, memory: Snapshot, loose: bytes | None, carried: Carried) -> list[str]:
    """Keep under rescue what would be lost of a loose core, and let the working directory follow; all rescues.

    Nothing is lost of one that only repeats lines of ``topics/core.md``, as a rendering does. Raises ``OSError``.
    """
    kept = [] if carried.rescue is None else [carried.rescue]
    if loose is None or memory.read(CORE) == loose:
        return kept
    in_place = repo.workdir is not None and folder.samefile(repo.workdir)
    if in_place and memory.entry(CORE) is not None:
        return kept  # the view was written over it, and the projection has kept it
    if not _repeats(loose, memory.read(TOPIC_CORE)):
        rescue = save_rescue(repo, {CORE: loose}, "the core.md of an adopted folder")
        kept += [] if rescue is None else [rescue]
    if in_place and read_loose_core(folder) == loose:  # there is no view that could be written over it
        (folder / CORE).unlink()
    return kept


def _moved(loose: bytes) -> bytes | None:
    """The text as it stands in ``topics/``; ``None`` when it is not even text."""
    with suppress(UnicodeDecodeError):
        return rebased(parse_topic(TopicPath(CORE), loose.decode()), TopicPath(TOPIC_CORE)).encode()
    return None


def _archived(attempt: Attempt, files: Mapping[str, bytes], loose: bytes) -> tuple[Staged, SourceId]:
    handle = legacy_handle(loose)
    parts = split_handle(handle)
    path = archive_path(parts.provider, parts.thread)
    known = stage_files(attempt.staging(), EMPTY, files)
    if known.facts.source(handle) is not None:
        return known, handle
    frame = render_frame(
        handle=handle,
        timestamp=None,
        role=_ROLE,
        body=loose.decode("utf-8", "replace"),
        metadata=_vouched(attempt.request.authority),
    )
    data = append_frames(path, files.get(path), known.staging.archive(path), [frame])
    return stage_files(attempt.staging(), EMPTY, {**files, path: data}), handle


def _vouched(authority: Authority) -> TrustMetadata:
    """The word of whoever makes the workspace, who is its owner; anybody else vouches for as much as ever (8.13)."""
    state = TrustState.PENDING if authority.tier is None else TrustState.TRUSTED
    return TrustMetadata(state, authority.speaker_kind, authority.principal_id, authority.tier)


def _repeats(loose: bytes, master: bytes | None) -> bool:
    if master is None:
        return not loose.strip()
    lines = rebase(loose.decode("utf-8", "replace"), CORE, TOPIC_CORE).split("\n")
    known = set(master.decode("utf-8", "replace").split("\n"))
    return all(line in known for line in lines if line.strip())
