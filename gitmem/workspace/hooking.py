"""Git's hooks, and the views of what plain git committed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Unavailable
from gitmem.workspace.base import OpenWorkspace
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.store.hook_files import HooksAnswer


@dataclass(frozen=True, slots=True)
class FollowedAnswer:
    """The derive commit that was made (``None``: there is nothing newer than the views), and the files it changed."""

    ok: bool
    derived_commit: str | None
    changed_files: tuple[str, ...] = ()


class Hooking(OpenWorkspace):
    """``hooks`` of ``cli.md``; ``folder`` is where git looks for hooks, which only git's settings tell."""

    @needs(Capability.MAINTAIN)
    def install_hooks(self, folder: Path, interpreter: str, *, server: bool = False) -> HooksAnswer:
        """Install the hooks and drivers, run by this Python; raises as ``store.hook_files.install_hooks`` does."""
        from gitmem.store.hook_files import install_hooks  # noqa: PLC0415

        return install_hooks(self.repo, folder, interpreter, server=server)

    @needs(Capability.MAINTAIN)
    def uninstall_hooks(self, folder: Path) -> HooksAnswer:
        """Take them away; a user's own are back as they were."""
        from gitmem.store.hook_files import uninstall_hooks  # noqa: PLC0415

        return uninstall_hooks(self.repo, folder)

    @needs(Capability.MAINTAIN)
    def hooks(self, folder: Path) -> HooksAnswer:
        """What is installed."""
        from gitmem.store.hook_files import hooks_status  # noqa: PLC0415

        return hooks_status(self.repo, folder)

    @needs(Capability.MAINTAIN)
    def follow(self) -> FollowedAnswer:
        """Render the views of what plain git committed since the last derive commit.

        Raises ``Conflict`` as a transaction does, and ``GitmemError`` when a view cannot be rendered.
        """
        from gitmem.transaction.rederive import rederive  # noqa: PLC0415

        made = rederive(self.repo, self.catalog, self.options, everything=False)
        if made is None:
            return FollowedAnswer(ok=True, derived_commit=None)
        with suppress(Unavailable):  # the next hook finds the catalogue where it needs it
            self.catalog.refresh(made.commit)
        return FollowedAnswer(ok=True, derived_commit=made.commit, changed_files=made.paths)
