"""An agent as organizer: what needs no judgement is done before it looks, and installed together with its work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.format.claim import compare
from gitmem.format.topic import claims_of
from gitmem.request import FileDelete, FilesEdit, FileWrite, NoEdit
from gitmem.writer.organize import tidied
from gitmem.writer.organize_core import left_out
from gitmem.writer.organize_hints import alike
from gitmem.writer.organizer_prompt import organizing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Claim
    from gitmem.ids import BlockId, TopicPath
    from gitmem.writer.agent_writer import AgentWriter
    from gitmem.writer.base import Memory, Refusal, WriterResult
    from gitmem.writer.organize_base import Survey
    from gitmem.writer.organize_pages import Pages


@dataclass(frozen=True, slots=True)
class AgentOrganizer:
    """Organizes through an agent."""

    writer: AgentWriter
    costs: bool = True

    @property
    def name(self) -> str:
        """The agent's kind."""
        return self.writer.name

    @property
    def signature(self) -> str:
        """The agent and what it runs on."""
        return self.writer.signature

    def organize(self, survey: Survey, refusal: Refusal | None = None) -> WriterResult:
        """The tidied files as the agent leaves them.

        The agent sees no file that is too large to be read at once, and nothing twice that is the same.
        """
        pages = tidied(survey)
        memory = as_memory(pages)
        claims = (claim for path in memory.paths() for claim in memory.of_topic(path))
        missing = left_out(pages, survey.facts, survey.settings)
        prompt = organizing(memory, alike(claims), missing, survey.settings.core_max_tokens)
        result = self.writer.run(prompt, memory, None if refusal is None else _onto(pages, refusal))
        edit = together(pages, result.edit)
        nothing = result.nothing_to_record and isinstance(edit, NoEdit)
        seen = None if result.seen is None else result.seen | frozenset(_merged(survey, pages))
        return replace(result, edit=edit, nothing_to_record=nothing, seen=seen)


@dataclass(frozen=True, slots=True)
class _Tidied:
    """The memory as it is after tidying; implements ``Memory``."""

    pages: Pages

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        """The topic files directly inside a folder."""
        return tuple(path for path in self.paths() if path.rpartition("/")[0] == folder)

    def paths(self) -> tuple[TopicPath, ...]:
        """Every topic file."""
        return self.pages.paths()

    def text(self, path: TopicPath) -> str | None:
        """A topic file as it stands after tidying."""
        topic = self.pages.topic(path)
        return None if topic is None else topic.text

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        """The claims of one file."""
        topic = self.pages.topic(path)
        return () if topic is None else claims_of(topic)


def as_memory(pages: Pages) -> Memory:
    """What a writer reads of tidied topics."""
    return _Tidied(pages)


def _onto(pages: Pages, refusal: Refusal) -> Refusal:
    """The refusal, its files as a change of the tidied ones: a new file that tidying makes was taken away again."""
    edit = refusal.result.edit
    changes = edit.changes if isinstance(edit, FilesEdit) else ()
    named = {change.path for change in changes}
    gone = tuple(FileDelete(path) for path in pages.paths() if not pages.stood(path) and path not in named)
    whole = FilesEdit((*changes, *gone)) if changes or gone else NoEdit()
    return replace(refusal, result=replace(refusal.result, edit=whole))


def together(pages: Pages, edit: object) -> FilesEdit | NoEdit:
    """What was tidied with what was changed after it, against the memory as it stands."""
    tidy = pages.changes()
    changes = {change.path: change for change in tidy.changes} if isinstance(tidy, FilesEdit) else {}
    for change in edit.changes if isinstance(edit, FilesEdit) else ():
        if isinstance(change, FileWrite | FileDelete):
            changes[change.path] = change
        if isinstance(change, FileDelete) and not pages.stood(change.path):
            del changes[change.path]
    return FilesEdit(tuple(changes[path] for path in sorted(changes))) if changes else NoEdit()


def _merged(survey: Survey, pages: Pages) -> Iterator[BlockId]:
    """The blocks that tidying merged: it has compared their words, so they count as seen."""
    tidy = pages.changes()
    paths = [change.path for change in tidy.changes] if isinstance(tidy, FilesEdit) else []
    before = [claim for path in paths for claim in survey.facts.of_topic(path)]
    after = [claim for path in paths if (topic := pages.topic(path)) is not None for claim in claims_of(topic)]
    for merge in compare(before, after).merged:
        yield from (*merge.before.ids, merge.into)
