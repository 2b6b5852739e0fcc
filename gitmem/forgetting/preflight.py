"""What must be true before anything is erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict, Refused
from gitmem.store.surroundings import borrows_objects, has_grafts, kept_packs, remotes
from gitmem.store.walk import is_shallow
from gitmem.store.worktrees import is_busy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.forgetting.program import Git
    from gitmem.forgetting.tips import Tips
    from gitmem.store.repository import Repo


def require_possible(repo: Repo, tips: Tips, git: Git, *, force: bool) -> tuple[str, ...]:
    """What the person should know although it can be done (by ``force``).

    Raises ``Unavailable`` without the git program, ``Conflict`` (``REPOSITORY_BUSY``) while git has something in
    progress in a worktree, and ``Refused`` (``COMMIT_REJECTED``) where the history cannot be rewritten, or others have
    copies of it and ``force`` is not given.
    """
    git.run("version")
    for worktree in tips.worktrees:
        doing = is_busy(worktree)
        if doing is not None:
            message = (
                f"git has something in progress in {worktree.workdir} ({doing}); finish or abort it, then try again"
            )
            raise Conflict(Code.REPOSITORY_BUSY, message)
    if is_shallow(repo):
        message = "the history is cut off (shallow), and what lies beyond cannot be erased; fetch it first"
        raise Refused(Code.COMMIT_REJECTED, message)
    if has_grafts(repo):
        message = "grafts or replace refs show commits as they are not; make them real or delete them first"
        raise Refused(Code.COMMIT_REJECTED, message)
    reasons = tuple(_reasons(repo))
    if reasons and not force:
        message = f"{'; '.join(reasons)}. --force erases here all the same"
        raise Refused(Code.COMMIT_REJECTED, message)
    return reasons


def _reasons(repo: Repo) -> Iterator[str]:
    names = remotes(repo)
    if names:
        yield (
            f"others have copies of this memory ({', '.join(names)}): push what they lack, erase here, run "
            "`gitmem forget --apply` with the map there, and only then fetch again"
        )
    if borrows_objects(repo):
        yield "objects are borrowed from another repository (alternates), where nothing is erased"
    if kept_packs(repo):
        yield "packs are marked to be kept for ever (*.keep); they are repacked all the same, and the marks go"
