"""What each tool does on the bench, and the words in which it tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.edit.topic_path import topic_path
from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.ids import BlockId
from gitmem.writer.workbench import MOST_ROWS, READ_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.ids import TopicPath
    from gitmem.writer.workbench import Rows, Workbench


@dataclass(slots=True)
class Desk:
    """A bench, and what was said besides changing it."""

    bench: Workbench
    nothing_to_record: bool = False


def _list(desk: Desk, folder: str = "topics") -> str:
    return _told(desk.bench.list(folder), "no files yet")


def _glob(desk: Desk, pattern: str) -> str:
    return _told(desk.bench.glob(pattern), "no file has such a path")


def _grep(desk: Desk, pattern: str, path: str = "topics", *, ignore_case: bool = False, literal: bool = False) -> str:
    return _told(desk.bench.grep(pattern, path, ignore_case=ignore_case, literal=literal), "no line matches")


def _read(desk: Desk, path: str, first_line: int = 1, lines: int | None = None) -> str:
    excerpt = desk.bench.read(path, first_line, lines)
    if excerpt.whole:
        return excerpt.text
    end = excerpt.first + excerpt.text.count("\n")
    if lines is None:
        return f"{excerpt.text}\n[cut at {READ_CHARACTERS:,} characters; go on with first_line {end}]"
    return f"{excerpt.text}\n[there are more lines; go on with first_line {end + 1}]"


def _write(desk: Desk, path: str, content: str) -> str:
    name = topic_path(path)
    _must_have_read(desk, name)
    desk.bench.write(name, content)
    return f"Wrote {len(content.encode())} bytes to {name}"


def _edit(desk: Desk, path: str, old_string: str, new_string: str, *, replace_all: bool = False) -> str:
    count = desk.bench.edit(path, old_string, new_string, replace_all=replace_all)
    return f"Replaced it in {topic_path(path)}" if count == 1 else f"Replaced it {count} times in {topic_path(path)}"


def _move(desk: Desk, path: str, to: str) -> str:
    return f"Moved {topic_path(path)} to {desk.bench.move(path, to)}"


def _remove(desk: Desk, what: str, reason: str) -> str:
    if not reason.strip():
        raise InvalidRequest(Code.INVALID_ARGUMENT, "say why it is removed")
    if what.endswith(".md"):
        name = topic_path(what)
        _must_have_read(desk, name)
        gone = desk.bench.remove(name)
    else:
        gone = _remove_block(desk, BlockId(what.strip().removeprefix("^")))
    desk.bench.reasons.update(dict.fromkeys(gone, reason.strip()))
    return f"Removed {', '.join(f'^{block}' for block in gone) or what}"


def _remove_block(desk: Desk, block: BlockId) -> tuple[BlockId, ...]:
    if block in desk.bench.removed():
        return (block,)
    if block not in desk.bench.seen:
        raise Refused(Code.WRITER_PRECONDITION_FAILED, f"read the file with ^{block} before you remove it")
    return desk.bench.remove_block(block)


def _nothing(desk: Desk, reason: str) -> str:  # noqa: ARG001  (saying why makes a model think twice)
    desk.nothing_to_record = True
    return "Noted. Finish now, without changing anything."


def _must_have_read(desk: Desk, path: TopicPath) -> None:
    """What was never read is neither written over nor removed: whoever does so cannot know what is lost."""
    if not desk.bench.of_memory(path) <= desk.bench.seen:
        message = f"{path} has blocks that you have not read; read it first"
        raise Refused(Code.WRITER_PRECONDITION_FAILED, message, path=path)


def _told(found: Rows, nothing: str) -> str:
    more = f"\n[there is more than these {len(found.rows)} of at most {MOST_ROWS} rows; look closer]"
    return "\n".join(found.rows or (nothing,)) + (more if found.truncated else "")


CALLS: Mapping[str, Callable[..., str]] = {
    "List": _list,
    "Glob": _glob,
    "Grep": _grep,
    "Read": _read,
    "Write": _write,
    "Edit": _edit,
    "Move": _move,
    "Remove": _remove,
    "NothingToRecord": _nothing,
}
"""The tools of the table."""
