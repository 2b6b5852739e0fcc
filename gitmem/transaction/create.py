"""The first commit of a workspace, empty or with the topics and archives of a folder (``cli.md``, ``init``)."""

from __future__ import annotations

import secrets
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, GitmemError, InvalidRequest, NotFound
from gitmem.facts.overlay import EMPTY
from gitmem.format.layout import GITATTRIBUTES, GITMEM, SOURCES, TOPICS, is_source, is_topic
from gitmem.format.workspace_file import (
    GITATTRIBUTES_TEXT,
    WorkspaceSettings,
    parse_workspace_file,
    render_workspace_file,
)
from gitmem.ids import ZERO_OID, WorkspaceId
from gitmem.store.head import read_head
from gitmem.store.initialize import held, init_repository
from gitmem.store.lock import write_lock
from gitmem.store.quarantine import Quarantine
from gitmem.store.recovery import recover
from gitmem.store.repository import is_repository
from gitmem.store.revision import revision_of
from gitmem.store.snapshot import Snapshot
from gitmem.transaction.base import read_base
from gitmem.transaction.commit import Attempt
from gitmem.transaction.loose_core import keep_loose_core, read_loose_core, stage_with_core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from gitmem.ids import Oid
    from gitmem.request import Request
    from gitmem.store.repository import Repo
    from gitmem.transaction.base import Base
    from gitmem.transaction.commit import Carried
    from gitmem.transaction.options import Options


@dataclass(frozen=True, slots=True)
class Adopted:
    """How many files of each kind were taken over; ``core`` is where a root ``core.md`` went, a path or a handle."""

    topics: int = 0
    sources: int = 0
    core: str | None = None


@dataclass(frozen=True, slots=True)
class InitAnswer:
    """What ``init`` did; ``created`` is false for a workspace that stood there."""

    ok: bool
    created: bool
    workspace_id: str
    revision: str | None
    derived_commit: str | None
    branch: str
    bare: bool
    adopted: Adopted
    rescues: tuple[str, ...]


def create_workspace(  # noqa: PLR0913  (what a workspace is made of)
    path: Path,
    request: Request,
    options_for: Callable[[Repo], Options],
    *,
    bare: bool = False,
    adopt: Path | None = None,
    fsync: bool = True,
) -> InitAnswer:
    """Make a workspace at ``path``, or open the one that stands there.

    ``adopt`` is a folder whose ``topics/`` and ``sources/`` are taken as they are, and whose ``core.md`` becomes a
    topic or evidence (0.23); a workspace made in place of such a folder adopts it. Raises what the checks find wrong
    with them, and ``Refused`` (``NESTED_REPOSITORY``); then nothing is left behind.
    """
    origin = adopt or path
    if adopt is not None and not adopt.is_dir():
        raise NotFound(Code.PATH_NOT_FOUND, f"there is no folder {adopt} to adopt")
    stood = path.exists()
    _require_room(path)
    repo, made = init_repository(path, bare=bare, fsync=fsync)
    head = read_head(repo)
    if not made and head.tip != ZERO_OID:
        return _standing(repo, head.branch, head.tip)
    options = options_for(repo)
    try:
        with write_lock(repo, options.lock_timeout):
            recover(repo)
            base = read_base(repo, beginning=True)
            if base.revision is not None:  # another process made it while this one waited for the lock (9.1)
                return _standing(repo, base.branch.name, base.branch.tip)
            files, loose = dict(_adoptable(origin)), read_loose_core(origin)
            carried, core = _first_commit(repo, base, files, loose, request, options)
    except GitmemError:
        if made:
            shutil.rmtree(repo.common_dir if stood else path)
        raise
    rescues = keep_loose_core(origin, repo, read_base(repo).snapshot, loose, carried)
    return _new(repo, base.branch.name, carried, core, tuple(rescues))


def _require_room(path: Path) -> None:
    """Refuse a folder of somebody's other files: it would be closed to others, and its files would look like memory."""
    if not path.is_dir():
        return
    with held(path):
        names = [] if is_repository(path) else sorted(item.name for item in path.iterdir())
    if names and not {TOPICS, SOURCES} & set(names):
        few = ", ".join(names[:3]) + (", ..." if len(names) > len(names[:3]) else "")
        message = f"{path} holds other files ({few}); name an empty or missing folder, or one with {TOPICS}/"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)


def _first_commit(  # noqa: PLR0913, PLR0917  (what a first commit is made of)
    repo: Repo, base: Base, files: dict[str, bytes], loose: bytes | None, request: Request, options: Options
) -> tuple[Carried, str | None]:
    settings = WorkspaceSettings(WorkspaceId(f"w-{secrets.token_hex(4)}"))
    whole = {GITMEM: render_workspace_file(settings), GITATTRIBUTES: GITATTRIBUTES_TEXT.encode(), **files}
    with Quarantine(repo) as quarantine:
        attempt = Attempt(repo, EMPTY, request, options, base, quarantine)
        staged, core = stage_with_core(attempt, whole, loose)
        return attempt.carry_out(staged, is_root=True), core


def _adoptable(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The topics and sources of a folder; links are not followed."""
    for part in (TOPICS, SOURCES):
        for file in sorted((folder / part).rglob("*")):
            path = file.relative_to(folder).as_posix()
            if file.is_file() and not file.is_symlink() and (is_topic(path) or is_source(path)):
                yield path, file.read_bytes()


def _standing(repo: Repo, branch: str | None, tip: Oid) -> InitAnswer:
    return _answer(repo, branch or "", Snapshot.at(repo, tip))


def _new(repo: Repo, branch: str, carried: Carried, core: str | None, rescues: tuple[str, ...]) -> InitAnswer:
    paths = carried.result.changed_files
    adopted = Adopted(sum(map(is_topic, paths)), sum(map(is_source, paths)), core)
    return _answer(repo, branch, read_base(repo).snapshot, adopted=adopted, carried=carried, rescues=rescues)


def _answer(  # noqa: PLR0913  (the parts of the answer)
    repo: Repo,
    branch: str,
    memory: Snapshot,
    *,
    adopted: Adopted | None = None,
    carried: Carried | None = None,
    rescues: tuple[str, ...] = (),
) -> InitAnswer:
    settings = parse_workspace_file(memory.read(GITMEM) or b"")
    return InitAnswer(
        ok=True,
        created=carried is not None,
        workspace_id=settings.id,
        revision=None if memory.commit is None else revision_of(repo, memory.commit),
        derived_commit=carried.result.derived_commit if carried is not None else None,
        branch=branch.removeprefix("refs/heads/"),
        bare=repo.is_bare,
        adopted=adopted or Adopted(),
        rescues=rescues,
    )
