"""What a path holds: a file, the members of a zip, or the files below a folder (``cli.md``, Inputs).

Nothing is ever unpacked to disk: members are read where they lie, and their names are only names.
"""

from __future__ import annotations

import errno
import io
import lzma
import os
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from gitmem.interop.document import Document
from gitmem.interop.meter import UNSEEN
from gitmem.interop.reading import Fault, Place, ReadError, file_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.interop.meter import Meter

MAX_MEMBERS = 100_000
"""The most files of one zip or folder that are looked at."""
MAX_MEMBER_BYTES = 4 * 1024**3
"""The most bytes of one member of a zip that are read, whatever the zip says of its size."""
MAX_RATIO = 200
"""How many bytes a packed byte may stand for, in a member and in a whole zip.

Conversations pack about ten to one, bombs a thousand to one and more.
"""

_SMALL = 64 * 1024**2
_TOO_MUCH = "it unpacks to more than an export can hold"
_INSIDE = "a zip inside is not looked into; unpack it, or name it, to have it read"
_ZIP = ".zip"
_CHUNK = 64 * 1024
_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_ENCRYPTED = 0x1
_NEVER_A_CONVERSATION = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db"})


@contextmanager
def opened(path: Path, meter: Meter = UNSEEN) -> Iterator[list[Document | ReadError]]:
    """Give the documents of a path in the order of their names, and what of it cannot be looked into.

    A zip is known by its first bytes; one that lies directly in a folder is looked into as if it were named, one that
    lies deeper, where chats keep what was sent, is only reported. Members stay readable inside of the ``with``. What is
    read of the documents is counted. Raises ``OSError`` when the path cannot be read.
    """
    with ExitStack() as open_until_done:
        if path.is_dir():
            zips = [found for found in sorted(path.iterdir()) if _is_named_zip(found)]
            parts = [_beside_each_other(list(_of_folder(path, frozenset(zips))), meter)]
            parts += [_opened_zip(found, meter, open_until_done) for found in zips]
            yield [found for part in parts for found in part]
        elif not _is_zip(path):
            yield [_counted(Document.of(path), meter)]
        else:
            yield _opened_zip(path, meter, open_until_done)


def _opened_zip(path: Path, meter: Meter, open_until_done: ExitStack) -> list[Document | ReadError]:
    try:
        archive = open_until_done.enter_context(zipfile.ZipFile(path))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        return [Place(file_name(path)).error(Fault.UNREADABLE_FILE, f"the zip cannot be read: {error}"[:200])]
    except OSError as error:
        return [Place(file_name(path)).error(Fault.UNREADABLE_FILE, f"the zip cannot be read: {error.strerror}")]
    return _beside_each_other(list(_of_zip(path, archive)), meter)


def _is_named_zip(path: Path) -> bool:
    return path.suffix.lower() == _ZIP and path.is_file() and not path.is_symlink() and _may_hold_something(path.name)


def _is_zip(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(4) in _ZIP_MAGICS


def _counted(document: Document, meter: Meter) -> Document:
    return replace(document, opener=lambda: meter.counted(document.opener(), document.label))


def _beside_each_other(found: list[Document | ReadError], meter: Meter) -> list[Document | ReadError]:
    """Let every document of a container know the others."""
    beside: dict[str, Document] = {}
    kept: list[Document | ReadError] = []
    for item in found:
        if isinstance(item, ReadError):
            kept.append(item)
        elif item.name not in beside:
            beside[item.name] = replace(_counted(item, meter), beside=beside, is_member=True)
            kept.append(beside[item.name])
    return kept


# --- folders ------------------------------------------------------------------------------------------------------


def _of_folder(folder: Path, elsewhere: frozenset[Path]) -> Iterator[Document | ReadError]:
    """Every regular file below, but those ``elsewhere``; links lead elsewhere and are not followed."""
    label = file_name(folder)
    closed: list[OSError] = []
    names = sorted(_files_below(folder, closed.append))
    for error in closed:
        name = file_name(Path(str(error.filename)))
        yield Place(name).error(Fault.UNREADABLE_FILE, f"the folder cannot be read: {error.strerror}")
    if len(names) > MAX_MEMBERS:
        yield Place(label).error(Fault.UNREADABLE_FILE, f"only the first {MAX_MEMBERS:,} files of the folder are read")
    for name, path in names[:MAX_MEMBERS]:
        if path in elsewhere:
            continue
        if path.suffix.lower() == _ZIP:
            yield Place(f"{label}/{name}").error(Fault.UNREADABLE_FILE, _INSIDE)
        else:
            yield Document(f"{label}/{name}", name, _file_opener(path), size=path.stat().st_size)


def _files_below(folder: Path, closed: Callable[[OSError], None]) -> Iterator[tuple[str, Path]]:
    for root, folders, files in os.walk(folder, onerror=closed):
        folders[:] = [name for name in folders if _may_hold_something(name)]
        for name in filter(_may_hold_something, files):
            path = Path(root, name)
            if path.is_file() and not path.is_symlink():
                yield PurePosixPath(file_name(path.relative_to(folder))).as_posix(), path


def _file_opener(path: Path) -> Callable[[], BinaryIO]:
    return lambda: path.open("rb")


def _may_hold_something(name: str) -> bool:
    return name not in _NEVER_A_CONVERSATION and not name.startswith("._")


# --- zips ---------------------------------------------------------------------------------------------------------


def _of_zip(path: Path, archive: zipfile.ZipFile) -> Iterator[Document | ReadError]:
    label = file_name(path)
    members = sorted((info for info in archive.infolist() if not info.is_dir()), key=lambda info: info.filename)
    if _is_bomb(sum(info.file_size for info in members), path.stat().st_size):
        yield Place(label).error(Fault.UNREADABLE_FILE, f"the zip cannot be read: {_TOO_MUCH}")
        return
    if len(members) > MAX_MEMBERS:
        yield Place(label).error(Fault.UNREADABLE_FILE, f"only the first {MAX_MEMBERS:,} members of the zip are read")
    for info in members[:MAX_MEMBERS]:
        name = file_name(PurePosixPath(info.filename))
        parts = PurePosixPath(name).parts
        if not all(map(_may_hold_something, parts)):
            continue
        if ".." in parts or name.startswith("/"):
            yield Place(f"{label}/{name}").error(Fault.UNREADABLE_FILE, "the member's name leads out of the zip")
        elif PurePosixPath(name).suffix.lower() == _ZIP:
            yield Place(f"{label}/{name}").error(Fault.UNREADABLE_FILE, _INSIDE)
        else:
            yield Document(f"{label}/{name}", name, _member_opener(archive, info), size=info.file_size)


def _member_opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
    def opener() -> BinaryIO:
        if info.flag_bits & _ENCRYPTED:
            raise OSError(errno.EACCES, "the zip is locked with a password; unpack it first")
        # A member never gives more than the zip says of its size, so that the zip's word can be judged.
        if info.file_size > MAX_MEMBER_BYTES or _is_bomb(info.file_size, info.compress_size):
            raise OSError(errno.EFBIG, _TOO_MUCH)
        with _readably():
            return io.BufferedReader(_Member(archive.open(info)), _CHUNK)

    return opener


def _is_bomb(size: int, packed: int) -> bool:
    return size > max(_SMALL, packed * MAX_RATIO)


class _Member(io.RawIOBase):
    """A member's bytes; damage is ``OSError``."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast("bytearray", buffer)).cast("B")
        with _readably():
            chunk = self._raw.read(len(view))
        view[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._raw.close()
        super().close()


@contextmanager
def _readably() -> Iterator[None]:
    """Say in the words of the operating system what a zip's reader says in many."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError) as error:
        raise OSError(errno.EIO, f"the zip is damaged ({error})"[:200]) from error
    except (NotImplementedError, RuntimeError) as error:
        raise OSError(errno.ENOTSUP, f"the zip is packed in a way that cannot be read ({error})"[:200]) from error
