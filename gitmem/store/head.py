"""Which branch is current, and whether it may be written (``architecture.md`` section 3, step 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import RepositoryState

from gitmem.errors import Code, Conflict, NotFound
from gitmem.ids import ZERO_OID, Oid
from gitmem.store.damage import lost

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.store.repository import Repo

_SYMBOLIC = "ref: "
_BRANCHES = "refs/heads/"


@dataclass(frozen=True, slots=True)
class Head:
    """Where HEAD stands: ``branch`` is a full ref name, ``None`` when detached; ``tip`` is zero on an unborn branch."""

    branch: str | None
    tip: Oid


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch that may be written now, by its full ref name; ``tip`` is zero when it is unborn."""

    name: str
    tip: Oid


def read_head(repo: Repo) -> Head:
    """Read HEAD of this worktree from the disk. Raises ``Unavailable`` when what it names cannot be read."""
    text = (repo.gitdir / "HEAD").read_text("utf-8", "surrogateescape").strip()
    if not text.startswith(_SYMBOLIC):
        return Head(None, Oid(text))
    branch = text.removeprefix(_SYMBOLIC).strip()
    try:
        reference = repo.git.references.get(branch)
        return Head(branch, ZERO_OID if reference is None else Oid(str(reference.peel(pygit2.Commit).id)))
    except (pygit2.GitError, KeyError, ValueError) as error:
        raise lost(branch, "commit of") from error


def current_tip(repo: Repo) -> Oid:
    """The commit that HEAD stands at, for readers.

    Raises ``NotFound`` (``REVISION_NOT_FOUND``) on a branch without a commit, which is no empty memory but none.
    """
    head = read_head(repo)
    if head.tip == ZERO_OID:
        raise NotFound(Code.REVISION_NOT_FOUND, unborn(head.branch))
    return head.tip


def unborn(branch: str | None) -> str:
    """What is wrong with a branch that has no commit yet, and what to do."""
    short = (branch or "HEAD").removeprefix(_BRANCHES)
    return (
        f"the branch {short} has no commit, and so no memory; `git switch` to the memory's, or `gitmem init` begins one"
    )


def writable_branch(repo: Repo, *, beginning: bool = False) -> Branch:
    """The current branch, if memory may be written to it; one without a commit only where memory is ``beginning``.

    Raises ``Conflict`` (``REPOSITORY_BUSY``) when HEAD is detached or names no branch, when a merge, rebase,
    cherry-pick, revert, bisect or mailbox is in progress, and when another worktree has the branch checked out.
    """
    head = read_head(repo)
    doing = in_progress(repo, head)
    if doing is not None:
        reason = f"git has something in progress ({doing}); finish or abort it, then try again"
        raise _busy(reason)
    if head.branch is None:
        reason = "HEAD is detached; `git switch` to a branch, then try again"
        raise _busy(reason)
    if not head.branch.startswith(_BRANCHES):
        reason = f"HEAD names {head.branch}, which is no branch; `git switch` to one, then try again"
        raise _busy(reason)
    elsewhere = next((place for place, branch in _other_worktrees(repo) if branch == head.branch), None)
    if elsewhere is not None:
        reason = f"the branch {head.branch} is checked out in another worktree too ({elsewhere})"
        raise _busy(reason)
    if head.tip == ZERO_OID and not beginning:
        raise _busy(unborn(head.branch))
    return Branch(head.branch, head.tip)


def in_progress(repo: Repo, head: Head) -> str | None:
    """What git has begun and not finished here, in words; ``None`` for nothing.

    Git runs ``post-merge`` and ``post-rewrite`` when the branch has moved, and only then forgets what it was doing.
    """
    state = repo.git.state()
    if state is RepositoryState.NONE or _is_over(repo, head, state):
        return None
    return state.name.lower().replace("_", " ")


def _is_over(repo: Repo, head: Head, state: RepositoryState) -> bool:
    if head.branch is None:
        return False
    if state is RepositoryState.MERGE:
        merged = (repo.gitdir / "MERGE_HEAD").read_text("utf-8", "replace").split()
        return head.tip != ZERO_OID and all(_is_behind(repo, parent, head) for parent in merged)
    if state in {RepositoryState.REBASE_MERGE, RepositoryState.REBASE_INTERACTIVE}:
        steps = repo.gitdir / "rebase-merge"
        return (steps / "done").exists() and not _has_steps(steps / "git-rebase-todo")
    return False


def _is_behind(repo: Repo, commit: str, head: Head) -> bool:
    """Whether the branch has the commit already; what is no commit it has not."""
    try:
        return repo.git.descendant_of(head.tip, commit)
    except (pygit2.GitError, ValueError):
        return False


def _has_steps(todo: Path) -> bool:
    lines = todo.read_text("utf-8", "replace").splitlines() if todo.exists() else []
    return any(line.strip() and not line.startswith("#") for line in lines)


def _busy(reason: str) -> Conflict:
    return Conflict(Code.REPOSITORY_BUSY, f"the repository is busy: {reason}")


def _other_worktrees(repo: Repo) -> Iterator[tuple[str, str]]:
    """The other worktrees' names and branches; a bare repository has no worktree of its own."""
    linked = repo.common_dir / "worktrees"
    gitdirs: list[tuple[str, Path]] = [(path.name, path) for path in linked.iterdir()] if linked.is_dir() else []
    if gitdirs and not _is_bare_root(repo):
        gitdirs.append(("main", repo.common_dir))
    for name, gitdir in gitdirs:
        if gitdir == repo.gitdir or not (gitdir / "HEAD").is_file():
            continue
        text = (gitdir / "HEAD").read_text("utf-8", "surrogateescape").strip()
        if text.startswith(_SYMBOLIC):
            yield name, text.removeprefix(_SYMBOLIC).strip()


def _is_bare_root(repo: Repo) -> bool:
    return repo.git.config["core.bare"] in {"true", True} if "core.bare" in repo.git.config else False
