"""Writing claims: each method composes one request and commits it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict
from gitmem.ids import TopicPath
from gitmem.workspace.base import OpenWorkspace
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers import Result
    from gitmem.request import Edit, NewSource


class Writing(OpenWorkspace):
    """The editing commands of ``cli.md``."""

    @needs(Capability.APPEND)
    def remember(  # noqa: PLR0913  (a claim with its evidence has these parts)
        self,
        text: str,
        topic: str,
        *,
        heading: str | None = None,
        time: str | None = None,
        quote: str | None = None,
        source: str | None = None,
        subject: str | None = None,
    ) -> Result:
        """Write one claim with its evidence; ``time`` is its event time, today when ``None``."""
        from gitmem.edit.compose import remembered  # noqa: PLC0415

        now = self.options.now()
        edit, sources = remembered(
            self.memory().snapshot,
            text,
            topic=topic,
            heading=heading,
            time=time or now.date().isoformat(),
            quote=quote,
            source=source,
            said_at=now.isoformat(timespec="seconds"),
        )
        return self.commit(self.request(edit, sources, subject=subject))

    @needs(Capability.APPEND)
    def update(self, payload: object, *, speakers: bool = True) -> Result:
        """Carry out a ``memory_update`` payload (part 3): base revision, one edit, sources, message.

        Without ``speakers`` the payload does not say who spoke: the sources are the caller's own (8.11).
        """
        from gitmem.edit.parse_request import parse_update  # noqa: PLC0415

        update = parse_update(payload, speakers=speakers)
        self._refuse_older_text(update.edit)
        sources = update.sources if speakers else tuple(map(self._own_words, update.sources))
        request = self.request(update.edit, sources, base=update.base_revision, subject=update.subject)
        result = self.commit(request)
        return replace(result, warnings=(*update.warnings, *result.warnings))

    def _own_words(self, source: NewSource) -> NewSource:
        """A message of the caller, where that is somebody with a name of their own."""
        who = self.authority
        if source.role != "user":
            return source
        return replace(source, speaker_id=who.speaker_id, speaker_display=who.speaker_display)

    def _refuse_older_text(self, edit: Edit) -> None:
        """Refuse a person's patch of a file that was being edited while memory moved on under it.

        `git diff` of such a file takes back what came since, whatever base revision is named with it.
        """
        from gitmem.edit.older_text import is_older  # noqa: PLC0415
        from gitmem.edit.unified_diff import parse_patch  # noqa: PLC0415
        from gitmem.request import PatchEdit, Surface  # noqa: PLC0415
        from gitmem.store.left_alone import read_bases  # noqa: PLC0415
        from gitmem.store.snapshot import blob  # noqa: PLC0415

        folder, bases = self.repo.workdir, read_bases(self.repo)
        if folder is None or self.caller.surface is not Surface.CLI or not isinstance(edit, PatchEdit) or not bases:
            return
        snapshot = self.memory().snapshot
        for path in (patched.path for patched in parse_patch(edit.text)):
            disk, committed = folder / path, snapshot.read(path)
            if path not in bases or committed is None or not disk.is_file():
                continue
            base = blob(self.repo, bases[path])
            if is_older(TopicPath(path), base=base, committed=committed, typed=disk.read_bytes()):
                message = (
                    f"{path} in the working directory is based on an older version; "
                    f"`git diff {bases[path][:12]} {path}` shows what was typed: "
                    f"check the file out anew, put that in, and try again"
                )
                raise Conflict(Code.CONCURRENT_UPDATE, message, path=path)

    @needs(Capability.CHANGE)
    def remove(self, arguments: Sequence[str], subject: str | None = None) -> Result:
        """Delete blocks and topic files, leaving an autosave first."""
        from gitmem.edit.compose import removed  # noqa: PLC0415

        memory = self.memory()
        edit = removed(memory.facts, memory.snapshot, arguments)
        return self.commit(self.request(edit, base=memory.revision, subject=subject, destructive=True))

    @needs(Capability.CHANGE)
    def move(
        self, arguments: Sequence[str], to: str, *, heading: str | None = None, subject: str | None = None
    ) -> Result:
        """Move blocks under a heading of another topic, or rename topic files; links follow."""
        from gitmem.edit.compose import moved  # noqa: PLC0415

        memory = self.memory()
        edit = moved(memory.facts, memory.snapshot, arguments, to, heading)
        return self.commit(self.request(edit, base=memory.revision, subject=subject))

    @needs(Capability.CHANGE)
    def merge_blocks(self, keep: str, absorbed: Sequence[str], subject: str | None = None) -> Result:
        """Fold blocks into the one that is kept, leaving an autosave first."""
        from gitmem.edit.compose import merged  # noqa: PLC0415

        memory = self.memory()
        edit = merged(memory.facts, keep, absorbed)
        return self.commit(self.request(edit, base=memory.revision, subject=subject, destructive=True))
