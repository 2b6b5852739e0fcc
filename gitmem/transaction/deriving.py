"""Which views a commit leaves stale, and the derive commit that renders them (section 3, step 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem import tokens
from gitmem.facts.difference import claims_in
from gitmem.format.layout import GITMEM
from gitmem.format.trailers import render_derive_message
from gitmem.format.workspace_file import DEFAULT_CORE_MAX_TOKENS, DEFAULT_RECENT_LIMIT, parse_workspace_file
from gitmem.ids import ZERO_OID
from gitmem.store.commits import GITMEM as COMMITTER
from gitmem.store.commits import Stamp, create_commit, read_commit
from gitmem.store.revision import is_derive_commit, is_rendered_here
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging
from gitmem.views.base import Affected, ViewSettings
from gitmem.views.derive import affected_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.ids import Oid
    from gitmem.store.quarantine import Quarantine
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Tree
    from gitmem.transaction.options import Options


def view_settings(tree: Tree) -> ViewSettings:
    """The settings that the tree's own ``.gitmem`` gives its views."""
    data = tree.read(GITMEM)
    if data is None:
        return ViewSettings(DEFAULT_CORE_MAX_TOKENS, DEFAULT_RECENT_LIMIT, tokens.fits)
    settings = parse_workspace_file(data)
    return ViewSettings(settings.core_max_tokens, settings.recent_limit, tokens.fits)


def affected_views(repo: Repo, tip: Oid, staged: Tree) -> Affected | None:
    """The views that may differ between those at the tip and the staged memory; ``None``: all of them.

    The views at a derive commit show its parent. Above it, commits made with plain git may have left them behind; a
    merge may have mixed them, and a rebase brought them from elsewhere: both are answered by rendering everything.
    """
    shown = _shown_memory(repo, tip)
    if shown is None:
        return None
    changes = staged.changes(shown)
    sides = claims_in(shown, changes), claims_in(staged, changes)
    return affected_by(*sides, (change.path for change in changes))


def commit_views(  # noqa: PLR0913, PLR0917  (a commit has these parts)
    quarantine: Quarantine,
    shown: Snapshot,
    views: Mapping[str, bytes | None],
    memory: Oid,
    parent: Oid,
    options: Options,
) -> Oid:
    """The derive commit that puts rendered views on a tree: made in the quarantine, on ``parent``, for ``memory``."""
    staging = Staging(quarantine.repo, shown, quarantine)
    for path, data in views.items():
        if data is None:
            staging.delete(path)
        else:
            staging.write(path, data)
    return create_commit(
        quarantine.repo,
        tree=staging.build(),
        parents=(parent,),
        message=render_derive_message(memory),
        author=Stamp.at(COMMITTER, options.now()),
        sign=options.sign,
    )


def _shown_memory(repo: Repo, tip: Oid) -> Snapshot | None:
    at = tip
    while at != ZERO_OID:
        commit = read_commit(repo, at)
        if commit is None or len(commit.parents) != 1:
            return None
        if is_derive_commit(repo, at):
            return Snapshot.at(repo, commit.parents[0]) if is_rendered_here(repo, at) else None
        at = commit.parents[0]
    return None
