"""The user's editor on a file of gitmem's own, which stays until its text is safe."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from gitmem.errors import Code, GitmemError, Refused
from gitmem_cli import render
from gitmem_cli.git_program import run_git

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.transaction.editor_copy import StagedCopy
    from gitmem.workspace import Workspace

FOLDER = "edit"
"""Where copies stand while they are edited, in the workspace's runtime folder."""

_ERRORS = "surrogateescape"


@contextmanager
def edited(workspace: Workspace, copy: StagedCopy) -> Iterator[str]:
    """What the user makes of a copy, for the block that takes it.

    The file goes when the block ends well, or with a failure that names the rescue; else its path is printed. Raises
    ``Refused`` (``COMMIT_REJECTED``) when the editor fails; what was typed until then is kept.
    """
    file = _file(workspace, copy)
    safe = False
    try:
        problem = _open(workspace, file)
        text = _read(file, copy)
        if problem is not None:
            raise workspace.keep_copy(copy, text, Refused(Code.COMMIT_REJECTED, problem, path=copy.path))
        yield text
        safe = True
    except GitmemError as error:
        safe = "rescue" in error.details or not file.is_file() or file.read_bytes() == _bytes(copy)
        raise
    finally:
        if safe:
            with suppress(OSError):
                file.unlink()
            with suppress(OSError):
                file.parent.rmdir()
        else:
            render.warning(f"your text is in {file}")


def _read(file: Path, copy: StagedCopy) -> str:
    """What stands in the copy. Raises ``Refused`` where the editor took it away: nothing is known of what was typed."""
    try:
        return file.read_bytes().decode("utf-8", _ERRORS)
    except (FileNotFoundError, IsADirectoryError) as gone:
        message = f"nothing is committed: the editor left no file at {file}; have it save to the file that it is given"
        raise Refused(Code.COMMIT_REJECTED, message, path=copy.path) from gone


def _file(workspace: Workspace, copy: StagedCopy) -> Path:
    folder = workspace.repo.gitmem_dir / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor, name = tempfile.mkstemp(".md", f"{PurePosixPath(copy.path).stem}-", folder)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(_bytes(copy))
    return Path(name)


def _bytes(copy: StagedCopy) -> bytes:
    return copy.shown.encode("utf-8", _ERRORS)


def _open(workspace: Workspace, file: Path) -> str | None:
    """Run the editor; what went wrong, if anything did."""
    editor = None
    if shutil.which("git") is not None:  # else click finds one, which knows no git settings
        editor = run_git(workspace.repo.path, ["var", "GIT_EDITOR"], os.environ).strip()
    try:
        click.edit(filename=str(file), editor=editor)
    except click.ClickException as failed:
        reason = failed.format_message().removeprefix(": ")
        return f"nothing is committed: {reason} (the editor is what EDITOR, or git's core.editor, says)"
    return None
