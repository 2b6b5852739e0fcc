"""Putting git's hooks and drivers in place, and taking them away as if they had never been (``cli.md``, ``hooks``)."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.format.workspace_file import ARCHIVE_DRIVER, TOPIC_DRIVER, VIEW_DRIVER
from gitmem.store.hook_shims import COMMIT_HOOKS, KEPT_SUFFIX, SERVER_HOOKS, interpreter_of, is_shim, render_shim
from gitmem.store.local_config import HEADINGS, put_sections, remove_sections, section_names
from gitmem.store.repository import Repo, is_repository, open_git

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gitmem.store.local_config import Section

_EXECUTABLE = 0o755

_DRIVERS: tuple[Section, ...] = (
    ("merge", TOPIC_DRIVER),
    ("merge", ARCHIVE_DRIVER),
    ("merge", VIEW_DRIVER),
)


class HookState(StrEnum):
    """What stands in a hook's place: gitmem's, nothing, somebody else's, or gitmem's that cannot run any more."""

    INSTALLED = "installed"
    ABSENT = "absent"
    FOREIGN = "foreign"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """One hook; ``own``: the user had one there, which is kept and run first."""

    name: str
    state: str
    own: bool


@dataclass(frozen=True, slots=True)
class HooksAnswer:
    """The hooks of a workspace (``cli.md``); ``ok``: all that should be there are, and can run.

    ``folder`` is where git looks for hooks, ``interpreter`` the Python that runs them (``None``: none is installed),
    ``drivers`` says whether merges go through gitmem.
    """

    ok: bool
    installed: bool
    server: bool
    folder: str
    interpreter: str | None
    drivers: bool
    hooks: tuple[HookAnswer, ...]


def install_hooks(repo: Repo, folder: Path, interpreter: str, *, server: bool = False) -> HooksAnswer:
    """Put the hooks into the folder where git looks for them, and set up merging and hunk headers; again: the same.

    A user's own hook is renamed, and run first. Raises ``InvalidRequest`` for the hooks of commits in a bare
    repository, and ``Refused`` (``COMMIT_REJECTED``) where a kept hook would be written over; then nothing changed.
    """
    if repo.is_bare and not server:
        message = "nobody commits in a bare repository; `gitmem hooks install --server` checks what is pushed to it"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    names = SERVER_HOOKS if server else COMMIT_HOOKS
    _require_room(folder, names)
    folder.mkdir(parents=True, exist_ok=True)
    shared = not _is_own(repo, folder)
    for name in names:
        _install(folder / name, render_shim(name, interpreter, shared=shared))
    put_sections(repo.common_dir / "config", {**HEADINGS, **({} if server else _drivers(interpreter))})
    return hooks_status(repo, folder)


def uninstall_hooks(repo: Repo, folder: Path) -> HooksAnswer:
    """Take gitmem's hooks and drivers away, and put the user's own back, byte for byte."""
    for name in (*COMMIT_HOOKS, *SERVER_HOOKS):
        _uninstall(folder / name)
    remove_sections(repo.common_dir / "config", [*HEADINGS, *_DRIVERS])
    return hooks_status(repo, folder)


def hooks_status(repo: Repo, folder: Path) -> HooksAnswer:
    """What stands there now."""
    states = {name: _state(folder / name) for name in (*COMMIT_HOOKS, *SERVER_HOOKS)}
    server = states[SERVER_HOOKS[0]] in {HookState.INSTALLED, HookState.BROKEN}
    ours = [name for name, state in states.items() if state in {HookState.INSTALLED, HookState.BROKEN}]
    commits = [name for name in ours if name in COMMIT_HOOKS]
    wanted = (*(COMMIT_HOOKS if commits or not ours else ()), *(SERVER_HOOKS if server else ()))
    drivers = set(_DRIVERS) <= set(section_names(repo.common_dir / "config"))
    return HooksAnswer(
        ok=all(states[name] is HookState.INSTALLED for name in wanted) and (drivers or not commits),
        installed=bool(ours),
        server=server,
        folder=os.fspath(folder),
        interpreter=next((interpreter_of((folder / name).read_bytes()) for name in ours), None),
        drivers=drivers,
        hooks=tuple(HookAnswer(name, states[name].value, own=os.path.lexists(_kept(folder / name))) for name in wanted),
    )


def _drivers(interpreter: str) -> Mapping[Section, Mapping[str, str]]:
    """How git merges what both sides changed; ``true`` leaves our side as it is: views are rendered anew."""
    run = f"{shlex.quote(interpreter)} -P -m gitmem_hooks"
    return {
        ("merge", TOPIC_DRIVER): {
            "name": "gitmem: claims, block by block",
            "driver": f"{run} merge-topic %O %A %B %P",
        },
        ("merge", ARCHIVE_DRIVER): {
            "name": "gitmem: the messages of both sides",
            "driver": f"{run} merge-archive %O %A %B %P",
        },
        ("merge", VIEW_DRIVER): {"name": "gitmem: views are rendered anew", "driver": "true"},
    }


def _require_room(folder: Path, names: tuple[str, ...]) -> None:
    for name in names:
        hook, kept = folder / name, _kept(folder / name)
        if os.path.lexists(hook) and os.path.lexists(kept) and _state(hook) is HookState.FOREIGN:
            message = f"{hook} is not gitmem's, and {kept} is kept from before; make one of the two, then install again"
            raise Refused(Code.COMMIT_REJECTED, message)


def _install(hook: Path, script: str) -> None:
    """Keep what stands there, and put the script in its place."""
    temporary = hook.with_name(f"{hook.name}.gitmem-{os.getpid()}")
    temporary.write_bytes(script.encode("utf-8", "surrogateescape"))
    temporary.chmod(_EXECUTABLE)
    if _state(hook) is HookState.FOREIGN:
        hook.rename(_kept(hook))
    temporary.replace(hook)


def _uninstall(hook: Path) -> None:
    if _state(hook) not in {HookState.INSTALLED, HookState.BROKEN}:
        return
    if os.path.lexists(_kept(hook)):
        _kept(hook).replace(hook)
    else:
        hook.unlink()


def _state(hook: Path) -> HookState:
    if not os.path.lexists(hook):
        return HookState.ABSENT
    try:
        data = hook.read_bytes()
    except OSError:  # a link that leads nowhere, a folder: not gitmem's
        return HookState.FOREIGN
    if not is_shim(data):
        return HookState.FOREIGN
    interpreter = interpreter_of(data)
    works = interpreter is not None and os.access(interpreter, os.X_OK) and os.access(hook, os.X_OK)
    return HookState.INSTALLED if works else HookState.BROKEN


def _kept(hook: Path) -> Path:
    return hook.with_name(f"{hook.name}{KEPT_SUFFIX}")


def _is_own(repo: Repo, folder: Path) -> bool:
    """Whether the folder belongs to this repository alone."""
    places = [place.resolve() for place in (repo.workdir, repo.common_dir) if place is not None]
    return any(folder.resolve().is_relative_to(place) for place in places)


def begin_server(path: Path) -> None:
    """Mark an empty repository as one that memory will be pushed to; nothing happens to any other."""
    if not is_repository(path):
        return
    git = open_git(path)
    if git.is_bare and git.head_is_unborn:
        Repo(git, fsync=False).make_private()
