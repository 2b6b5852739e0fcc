"""What else depends on a repository's history, or lends it objects: reasons not to rewrite it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.store.refs import list_refs

if TYPE_CHECKING:
    from gitmem.store.repository import Repo


def remotes(repo: Repo) -> tuple[str, ...]:
    """The names of the repositories that this one exchanges commits with."""
    return tuple(name for name in repo.git.remotes.names() if name is not None)


def borrows_objects(repo: Repo) -> bool:
    """Whether objects are also read from other repositories' folders (alternates)."""
    path = repo.common_dir / "objects" / "info" / "alternates"
    return path.is_file() and bool(path.read_bytes().strip())


def has_grafts(repo: Repo) -> bool:
    """Whether commits are shown with other parents or contents than they have."""
    grafts = repo.common_dir / "info" / "grafts"
    return (grafts.is_file() and bool(grafts.read_bytes().strip())) or bool(list_refs(repo, "refs/replace/"))


def kept_packs(repo: Repo) -> tuple[str, ...]:
    """Packs that are marked never to be repacked."""
    packs = repo.common_dir / "objects" / "pack"
    return tuple(sorted(path.name for path in packs.glob("*.keep"))) if packs.is_dir() else ()
