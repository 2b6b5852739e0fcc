"""Asking a writer, who may be anybody's code: what comes back is a usable result or a failure with a code (10.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.errors import Code, GitmemError, Refused, Unavailable
from gitmem.request import FilesEdit, FileWrite, NoEdit, RecordsEdit
from gitmem.writer.base import WriterResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gitmem.ids import BlockId
    from gitmem.store.tree import Tree


def ask(propose: Callable[[], object], tree: Tree) -> WriterResult:
    """Give a writer's proposal for the memory of ``tree``.

    Raises the ``GitmemError`` that the writer raised. Another exception, or a result that is none, is ``Refused``
    (``WRITER_FAILURE_UNKNOWN``), or ``Unavailable`` (``WRITER_UNAVAILABLE``) when the exception says that trying again
    is worth it; a result that says nothing is ``Refused`` (``WRITER_NO_PROGRESS``, 10.4).
    """
    try:
        result = propose()
    except GitmemError:
        raise
    except Exception as error:
        raise _failure(error) from error
    if not isinstance(result, WriterResult) or not _usable(result.edit, result.reasons):
        raise Refused(Code.WRITER_FAILURE_UNKNOWN, "the writer gave back something that is no result")
    if not _says_nothing(result.edit, tree):
        return result
    if not result.nothing_to_record:
        message = "the writer changed nothing and did not say that there is nothing to record"
        raise Refused(Code.WRITER_NO_PROGRESS, message)
    return replace(result, edit=NoEdit())


def _failure(error: Exception) -> GitmemError:
    """Only the kind of an exception is told: its text may hold anything (12.3)."""
    message = f"the writer failed: {type(error).__name__}"
    if getattr(error, "retryable", False) is True:
        return Unavailable(Code.WRITER_UNAVAILABLE, message)
    return Refused(Code.WRITER_FAILURE_UNKNOWN, message)


def _usable(edit: object, reasons: Mapping[BlockId, str]) -> bool:
    """Whether it is of the kinds that a writer may propose, and every text of it can be written down."""
    if not isinstance(edit, RecordsEdit | FilesEdit | NoEdit):
        return False
    return all(_is_text(text) for text in (*_texts(edit), *reasons, *reasons.values()))


def _texts(edit: RecordsEdit | FilesEdit | NoEdit) -> Iterator[object]:
    for change in edit.changes if isinstance(edit, FilesEdit) else ():
        yield change.path
        yield change.content if isinstance(change, FileWrite) else ""


def _is_text(text: object) -> bool:
    try:
        return isinstance(text, str) and text.encode() is not None
    except UnicodeEncodeError:
        return False


def _says_nothing(edit: RecordsEdit | FilesEdit | NoEdit, tree: Tree) -> bool:
    """Whether an edit leaves every file as it is."""
    if isinstance(edit, FilesEdit):
        return all(isinstance(change, FileWrite) and _stands(change, tree) for change in edit.changes)
    return isinstance(edit, NoEdit) or not edit.operations


def _stands(change: FileWrite, tree: Tree) -> bool:
    """Whether a file holds the text already; how many line ends it ends with says nothing.

    A new file with nothing but headings is none: the transaction would prune it.
    """
    held = tree.read(change.path)
    if held is None:
        return not any(line.strip() and not line.lstrip().startswith("#") for line in change.content.split("\n"))
    return held.rstrip(b"\n") == change.content.encode().rstrip(b"\n")
