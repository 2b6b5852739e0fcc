"""Putting a memory right after an interruption or damage, and saying what was done (``cli.md``, ``doctor``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.audit.base import FindingAnswer, is_ok, tell
from gitmem.audit.check import check_working_directory
from gitmem.checks.derived import NAME as DERIVED
from gitmem.errors import Conflict, Finding, GitmemError, Severity
from gitmem.facts.contribution import contributes
from gitmem.format.layout import is_source, is_topic
from gitmem.ids import ZERO_OID
from gitmem.memory import read_memory
from gitmem.runtime.actions import ActionAnswer
from gitmem.runtime.status import DerivedStatus, IndexStatus, derived_status
from gitmem.store.head import read_head
from gitmem.store.recovery import recover
from gitmem.store.refs import list_refs
from gitmem.store.snapshot import Snapshot
from gitmem.store.verify import unreadable
from gitmem.transaction.rederive import rederive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.catalog.catalog import Catalog
    from gitmem.ids import Oid
    from gitmem.store.recovery import Action
    from gitmem.store.repository import Repo
    from gitmem.transaction.options import Options

OBJECTS = "objects"
_FETCH = "`git fsck` shows all of it; fetch the object from a clone, or restore it from a backup"


@dataclass(frozen=True, slots=True)
class DoctorAnswer:
    """What was done and what is still wrong; ``ok``: no finding is an error."""

    ok: bool
    actions: tuple[ActionAnswer, ...]
    findings: tuple[FindingAnswer, ...]
    derived: DerivedStatus
    index: IndexStatus


def doctor(repo: Repo, catalog: Catalog, options: Options, recovered: Iterable[Action] = ()) -> DoctorAnswer:
    """Finish interrupted writes, verify objects and refs, rebuild a wrong catalogue, render stale views, check.

    ``recovered`` is what opening the workspace did already. Raises ``Conflict`` when somebody writes meanwhile.
    """
    actions = [_told(action) for action in (*recovered, *recover(repo, timeout=options.lock_timeout))]
    damaged = tuple(tell(_damage(repo), None))
    if damaged:
        tip = read_head(repo).tip
        unknown = IndexStatus(None, fresh=False)
        return DoctorAnswer(
            ok=False, actions=tuple(actions), findings=damaged, derived=_derived(repo, tip), index=unknown
        )
    actions += _rebuild_index(repo, catalog)
    failures = list(_render_views(repo, catalog, options, actions))
    memory = read_memory(repo, catalog, read_head(repo).tip)
    findings = (*failures, *check_working_directory(memory).findings)
    return DoctorAnswer(
        ok=is_ok(findings),
        actions=tuple(actions),
        findings=findings,
        derived=derived_status(repo, memory.commit),
        index=IndexStatus(memory.revision, fresh=catalog.commit == memory.commit),
    )


def _told(action: Action) -> ActionAnswer:
    return ActionAnswer(action.what, action.target, action.outcome)


def _damage(repo: Repo) -> Iterator[Finding]:
    tips: dict[Oid, None] = {}
    head = read_head(repo).tip
    if head != ZERO_OID:
        tips[head] = None
    tips.update((ref.oid, None) for ref in list_refs(repo, "refs/"))
    for bad in unreadable(repo, tips):
        code, what = ("missing-object", "is missing") if bad.missing else ("damaged-object", "cannot be read")
        where = f", {bad.path} in {bad.commit[:12]}," if bad.path else ""
        yield Finding(
            OBJECTS, Severity.ERROR, code, f"the object {bad.oid}{where} {what}", bad.path or None, fix=_FETCH
        )


def _derived(repo: Repo, tip: Oid) -> DerivedStatus:
    try:
        return derived_status(repo, tip)
    except KeyError:  # the damage reaches the commits that would tell
        return DerivedStatus(fresh=False, of=None)


def _rebuild_index(repo: Repo, catalog: Catalog) -> Iterator[ActionAnswer]:
    """Build the catalogue anew where it does not count what the files hold."""
    tip = read_head(repo).tip
    catalog.refresh(tip)
    if _held(catalog) != _counted(Snapshot.at(repo, tip)):
        catalog.rebuild(tip)
        yield ActionAnswer("rebuilt", "index.sqlite", "it did not hold what the memory holds")


def _held(catalog: Catalog) -> tuple[int, int, int]:
    held = catalog.statistics()
    return held.topics, held.blocks, held.archives


def _counted(snapshot: Snapshot) -> tuple[int, int, int]:
    topics = blocks = archives = 0
    for entry in snapshot.entries():
        if is_topic(entry.path) and contributes(entry.path):
            topic = snapshot.topic(entry.path)
            topics, blocks = topics + 1, blocks + (len(topic.blocks) if topic is not None else 0)
        elif is_source(entry.path) and entry.path.endswith(".md") and contributes(entry.path):
            archives += 1
    return topics, blocks, archives


def _render_views(
    repo: Repo, catalog: Catalog, options: Options, actions: list[ActionAnswer]
) -> Iterator[FindingAnswer]:
    try:
        made = rederive(repo, catalog, options)
    except GitmemError as error:
        message = f"the views could not be rendered: {error.message}"
        severity = Severity.WARNING if isinstance(error, Conflict) else Severity.ERROR
        yield from tell((Finding(DERIVED, severity, "derived-failed", message, error.path),), None)
        return
    if made is not None:
        files = "1 file" if len(made.paths) == 1 else f"{len(made.paths)} files"
        actions.append(ActionAnswer("rendered", "views", f"{files} differed, committed as {made.commit}"))
