"""Staging: a request laid on the base, and the candidate that the checks look at (section 3, steps 3 to 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.checks.base import Candidate
from gitmem.edit.apply import apply_edit
from gitmem.edit.base import EditOutcome
from gitmem.edit.sources import archive_sources
from gitmem.facts.difference import records_between
from gitmem.facts.overlay import OverlayFacts, contributions_of
from gitmem.policy.secrets import SecretPolicy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.facts.base import Facts
    from gitmem.format.model import Record
    from gitmem.ids import SourceId
    from gitmem.policy.secrets import AskedPolicy
    from gitmem.request import Request
    from gitmem.store.staging import Staging
    from gitmem.store.tree import Change


@dataclass(frozen=True, slots=True)
class Staged:
    """A request as it would stand: what changed, what is known of it, and what its caller is told."""

    staging: Staging
    changes: tuple[Change, ...]
    facts: Facts
    outcome: EditOutcome
    source_ids: Mapping[str, SourceId]
    added: tuple[Record, ...]

    def candidate(
        self, base_facts: Facts, request: Request, *, is_root: bool = False, secrets: AskedPolicy = SecretPolicy
    ) -> Candidate:
        """What the checks are given."""
        return Candidate(
            parent=self.staging.base,
            child=self.staging,
            changes=self.changes,
            parent_facts=base_facts,
            child_facts=self.facts,
            request=request,
            is_root=is_root,
            added_targets=frozenset(record.target for record in self.added),
            secrets=secrets,
        )


def stage(staging: Staging, base_facts: Facts, request: Request) -> Staged:
    """Archive the request's sources, then apply and normalize its edit. Raises what the edit layer raises."""
    source_ids = archive_sources(request, staging, base_facts)
    with_sources = OverlayFacts(base_facts, contributions_of(staging, staging.laid))
    outcome = apply_edit(request, staging, with_sources, source_ids)
    return as_staged(staging, base_facts, outcome, source_ids)


def stage_files(staging: Staging, base_facts: Facts, files: Mapping[str, bytes]) -> Staged:
    """Take whole files as they are: the first commit of a workspace."""
    for path, data in files.items():
        staging.write(path, data)
    return as_staged(staging, base_facts, EditOutcome(), {})


def as_staged(staging: Staging, base_facts: Facts, outcome: EditOutcome, source_ids: Mapping[str, SourceId]) -> Staged:
    """What is laid in a staging area, with what is known of it."""
    changes = staging.changes(staging.base)
    paths = [change.path for change in changes]
    facts = OverlayFacts(base_facts, contributions_of(staging, paths))
    added = tuple(records_between(staging.base, staging, changes))
    return Staged(staging, changes, facts, outcome, source_ids, added)
