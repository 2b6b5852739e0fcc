"""Text that a person typed, taken through the one way in: from the working directory, or from an editor (0.8, 2.9)."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from gitmem.answers import Result
from gitmem.edit.three_way import merge_topics
from gitmem.errors import Code, Finding, Refused, Severity
from gitmem.request import FileDelete, FilesEdit, FileWrite, Surface
from gitmem.store.head import read_head
from gitmem.store.leftovers import refuse_while_forgetting
from gitmem.store.lock import write_lock
from gitmem.store.quarantine import Quarantine
from gitmem.store.recovery import needs_recovery, recover
from gitmem.store.snapshot import Snapshot
from gitmem.store.steps import step
from gitmem.store.typed_files import settle
from gitmem.transaction.base import read_base
from gitmem.transaction.commit import Attempt, vouched
from gitmem.transaction.stage import stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.catalog.catalog import Catalog
    from gitmem.ids import Oid, TopicPath
    from gitmem.request import FileChange, Request
    from gitmem.store.repository import Repo
    from gitmem.transaction.base import Base
    from gitmem.transaction.options import Options

CHECK = "merge"
"""What findings name as their check."""

YOURS, MEMORY = "yours", "memory"
"""What stands beside the markers of a conflict."""

NAMED = 3
"""How many files a subject names; more are counted."""


@dataclass(frozen=True, slots=True)
class HandText:
    """What one topic is to say (``None``: to be gone), and the text that this was made from.

    ``stood`` are the blobs of the file in the working directory that went into it; ``None``: it was not looked at.
    """

    path: TopicPath
    text: str | None
    base: str
    stood: tuple[Oid | None, ...] | None = None


class Taken(NamedTuple):
    """What a transaction is to take, and what whoever asked should know."""

    texts: tuple[HandText, ...]
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Combined:
    """The texts as they become with what the memory says by now."""

    changes: list[FileChange] = field(default_factory=list)
    absorbed: dict[str, tuple[Oid | None, ...]] = field(default_factory=dict)
    settled: dict[str, tuple[Oid | None, ...]] = field(default_factory=dict)

    def request(self, request: Request) -> Request:
        """The request with these changes, as a person's own."""
        subject = request.subject or subject_of([change.path for change in self.changes])
        edit = FilesEdit(tuple(self.changes))
        return replace(request, edit=edit, subject=subject, surface=Surface.HAND, hand=True, limited=False)


def commit_by_hand(
    repo: Repo, catalog: Catalog, request: Request, options: Options, take: Callable[[Repo, Base], Taken]
) -> Result:
    """Carry out what ``take`` finds typed; ``request`` says on whose behalf, and the subject if it is not computed.

    What the memory changed since the text was begun is merged into it, block by block. Raises ``Refused``
    (``PATCH_CONFLICT``) where both changed the same, and what ``commit`` raises; then nothing changed.
    """
    with begun(repo, catalog, options) as (fresh, base):
        taken = take(fresh, base)
        combined = combine(taken.texts, base.snapshot)
        if not combined.changes:
            return follow(fresh, base, combined, unchanged(base, taken.warnings))
        asked = vouched(combined.request(request))
        with Quarantine(fresh) as quarantine:
            attempt = Attempt(fresh, catalog.facts(), asked, options, base, quarantine, combined.absorbed)
            with step(options.on_step, "stage"):
                staged = stage(attempt.staging(), attempt.facts, asked)
            result = attempt.carry_out(staged).result
        return follow(fresh, base, combined, replace(result, warnings=(*taken.warnings, *result.warnings)))


@contextmanager
def begun(repo: Repo, catalog: Catalog, options: Options) -> Iterator[tuple[Repo, Base]]:
    """Hold the lock, with a fresh handle on the repository and the catalogue at its tip."""
    with write_lock(repo, options.lock_timeout):
        fresh = repo.fresh()
        if needs_recovery(fresh):
            recover(fresh)
        refuse_while_forgetting(fresh)
        with step(options.on_step, "compare"):
            base = read_base(fresh)
            catalog.refresh(base.branch.tip)
        yield fresh, base


def combine(texts: Sequence[HandText], memory: Snapshot) -> Combined:
    """Merge each text with what the memory says by now. Raises ``Refused`` (``PATCH_CONFLICT``), naming each block."""
    combined, conflicts = Combined(), list[Finding]()
    for typed in texts:
        data = memory.read(typed.path)
        now = "" if data is None else decoded(data)
        merged = merge_topics(typed.path, typed.base, typed.text or "", now, (YOURS, MEMORY))
        conflicts += [_conflict(typed.path, clash.name, clash.block) for clash in merged.clashes]
        text = None if typed.text is None and not merged.text.strip() else merged.text
        if (None if text is None else encoded(text)) == data:
            combined.settled.update({typed.path: typed.stood} if typed.stood is not None else {})
            continue
        combined.changes.append(FileDelete(typed.path) if text is None else FileWrite(typed.path, text))
        if typed.stood is not None:
            combined.absorbed[typed.path] = typed.stood
    if conflicts:
        raise _refused(tuple(conflicts))
    return combined


def follow(repo: Repo, base: Base, combined: Combined, result: Result) -> Result:
    """Bring those files in step that the publication did not: what was typed came to what the memory says."""
    written = {*result.changed_files} if result.memory_committed else set()
    left = {path: stood for path, stood in combined.absorbed.items() if path not in written}
    head = read_head(repo)
    if head.branch != base.branch.name:
        return result
    try:
        settle(repo, Snapshot.at(repo, head.tip), {**combined.settled, **left})
    except OSError as error:
        return replace(result, warnings=(*result.warnings, f"a file could not be brought in step: {error}"))
    return result


def unchanged(base: Base, warnings: tuple[str, ...] = ()) -> Result:
    """The answer when there is nothing to do."""
    return Result(
        ok=True,
        revision=base.revision,
        derived_commit=None,
        memory_committed=False,
        source_ids={},
        block_ids={},
        evidence_ids={},
        changed_files=(),
        warnings=warnings,
    )


def subject_of(paths: Sequence[str]) -> str:
    """``memory: edit topics/x.md`` (14.6)."""
    named = ", ".join(paths) if len(paths) <= NAMED else f"{len(paths)} topics"
    return f"memory: edit {named}"


def decoded(data: bytes) -> str:
    """The text of a file; bytes that are no text are found by a check, not lost."""
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes of a text."""
    return text.encode("utf-8", "surrogateescape")


def _conflict(path: TopicPath, name: str, block: str | None) -> Finding:
    message = f"{name} in {path} was changed by you and in the memory since"
    fix = f"`gitmem edit {path}` opens the file with both versions side by side"
    return Finding(CHECK, Severity.ERROR, "changed-on-both-sides", message, path, None, block, fix)


def _refused(findings: tuple[Finding, ...]) -> Refused:
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    message = f"{findings[0].message}{more}"
    return Refused(Code.PATCH_CONFLICT, message, path=findings[0].path, findings=findings)
