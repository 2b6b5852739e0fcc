"""One run of the command: which workspace it is about, with which settings, on whose behalf (``cli.md``).

This is where the environment and the home directory are read; the library never does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.config import PREFIX, Config, check_value, gathered
from gitmem.errors import Code, Disabled, InvalidRequest, NotAllowed, NotFound, Unavailable
from gitmem_cli.git_program import git_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gitmem.authority import Authority
    from gitmem.request import Person

_WANTED_SETTINGS = r"^(gitmem\.|user\.(name|email)$)"
_IDENTITY = frozenset({"user.name", "user.email"})

_PROFILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_UNFIT_FOR_A_SIGNATURE = re.compile(r"[\x00-\x1f\x7f<>\ud800-\udfff]+")


@dataclass(frozen=True)
class Invocation:
    """What the global options and the environment say.

    ``directory`` is ``-C`` or the current one; ``overrides`` are the ``-c`` values, checked; ``tier`` says on
    whose behalf it is; ``warn`` shows one line.
    """

    directory: Path
    overrides: Mapping[str, str]
    environ: Mapping[str, str]
    profile: str | None = None
    tier: str = "owner"
    warn: Callable[[str], None] = field(default=lambda _line: None)

    @cached_property
    def state(self) -> Path:
        """The folder of what belongs to no workspace: ``~/.gitmem``, or ``~/.gitmem-NAME`` with a profile."""
        if self.profile is not None and not _PROFILE.fullmatch(self.profile):
            message = f"{self.profile!r} is no profile name: use letters, digits, dots, dashes and underscores"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message)
        return _home(self.environ) / (f".gitmem-{self.profile}" if self.profile else ".gitmem")

    @cached_property
    def root(self) -> Path | None:
        """The workspace this run is about: around DIR, else ``$GITMEM_WORKSPACE``, else ``<state>/memory``.

        ``None`` when there is none. Raises ``NotFound`` when the variable names a folder that is no workspace.
        """
        around = workspace_around(self.directory)
        if around is not None:
            return around
        named = self.environ.get("GITMEM_WORKSPACE")
        if named:
            return _workspace_named(Path(named))
        usual = self.state / "memory"
        return usual if workspace_around(usual) == usual else None

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """The ``gitmem.*`` settings and the user's name and address as git has them, ``-c`` on top."""
        try:
            found = git_settings(self.root or self.directory, _WANTED_SETTINGS, self.environ)
        except Unavailable as failure:
            self.warn(f"settings outside of the workspace are not read, defaults hold: {failure.message}")
            return {**_own_settings(self.root), **self.overrides}
        return {**found, **self.overrides}

    @cached_property
    def config(self) -> Config:
        """The settings as the library takes them; values that are not understood are warned about once."""
        config = Config.from_mapping(self.settings)
        for line in config.warnings:
            self.warn(line)
        return config

    @cached_property
    def author(self) -> Person:
        """Who commits by hand here: git's own environment variables, else its settings, else the login's name."""
        from gitmem.request import Person  # noqa: PLC0415 (reading commands never need it)

        name = self.environ.get("GIT_AUTHOR_NAME") or self.settings.get("user.name") or ""
        email = self.environ.get("GIT_AUTHOR_EMAIL") or self.settings.get("user.email") or ""
        return Person(_signable(name) or _login(), _signable(email) or f"{_login()}@localhost")

    def authority(self, *, in_person: bool = False) -> Authority:
        """On whose authority the command acts; ``in_person``: a command is the owner's own act, which it may decide."""
        from gitmem.authority import IN_PERSON, OWNER, PAIRED  # noqa: PLC0415 (git's own commands never need it)

        if self.tier != "owner":
            return PAIRED
        return IN_PERSON if in_person else OWNER

    def require_owner(self, what: str) -> None:
        """Raise ``NotAllowed`` unless it is the owner who does ``what``: for commands that open no workspace."""
        if self.tier != "owner":
            message = f"a {self.tier} caller may not {what}; ask the owner to do it"
            raise NotAllowed(Code.NOT_ALLOWED, message)

    def require_enabled(self) -> None:
        """Raise ``Disabled`` when ``gitmem.backend`` is ``none`` (14.8)."""
        if self.config.backend == "none":
            message = (
                "memory is switched off (gitmem.backend is none); `gitmem config gitmem.backend local` switches it on"
            )
            raise Disabled(Code.MEMORY_DISABLED, message)

    def require_root(self) -> Path:
        """The workspace's folder. Raises ``Disabled``, then ``NotFound`` when there is no workspace."""
        self.require_enabled()
        if self.root is None:
            message = (
                f"there is no workspace around {self.directory.absolute()}, in $GITMEM_WORKSPACE, or at "
                f"{self.state / 'memory'}; `gitmem init` makes one"
            )
            raise NotFound(Code.WORKSPACE_NOT_FOUND, message)
        return self.root


def parse_overrides(arguments: Sequence[str]) -> dict[str, str]:
    """The settings that ``-c KEY=VALUE`` gives; a bare KEY means true, as in git.

    Raises ``InvalidRequest`` for a value that the setting does not take.
    """
    overrides: dict[str, str] = {}
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if key.lower() in _IDENTITY:
            overrides[key.lower()] = value
        elif key.lower().startswith(PREFIX):
            overrides[key] = check_value(key, value if equals else "true")
        else:
            message = f"-c takes settings of gitmem (gitmem.*), user.name and user.email, not {key!r}"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return overrides


def workspace_around(folder: Path) -> Path | None:
    """The root of the workspace a folder is inside of; repositories on the way that hold no memory are passed by."""
    from gitmem.store.repository import is_repository, is_workspace, open_git  # noqa: PLC0415 (loads libgit2)

    absolute = folder.resolve()
    for candidate in (absolute, *absolute.parents):
        if is_repository(candidate) and is_workspace(open_git(candidate)):
            return candidate
    return None


def _workspace_named(named: Path) -> Path:
    found = workspace_around(named)
    if found is None:
        message = f"$GITMEM_WORKSPACE names {named}, which is no workspace; `gitmem init {named}` makes one"
        raise NotFound(Code.WORKSPACE_NOT_FOUND, message)
    return found


def _own_settings(root: Path | None) -> dict[str, str]:
    """What the workspace's own configuration says, read without git; nothing where it cannot be read."""
    from gitmem.format.git_config import ConfigSyntaxError, parse_git_config  # noqa: PLC0415 (only without git)
    from gitmem.store.repository import open_git  # noqa: PLC0415 (loads libgit2)

    if root is None:
        return {}
    folder = Path(open_git(root).path)
    try:
        if (shared := folder / "commondir").is_file():  # a linked worktree
            folder /= shared.read_text(encoding="utf-8").strip()
        settings = parse_git_config((folder / "config").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ConfigSyntaxError):
        return {}
    wanted = re.compile(_WANTED_SETTINGS)
    return gathered((key, "true" if value is None else value) for key, value in settings if wanted.match(key))


def _home(environ: Mapping[str, str]) -> Path:
    named = environ.get("HOME")
    if named:
        return Path(named)
    try:
        return Path.home()
    except RuntimeError as unknown:
        message = "nobody knows where your home folder is: set HOME, or name the workspace with -C"
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message) from unknown


def _signable(text: str) -> str:
    """A name or address without the characters that would break a commit's header."""
    return _UNFIT_FOR_A_SIGNATURE.sub("", text).strip()


def _login() -> str:
    try:
        import getpass  # noqa: PLC0415 (only without a name of one's own)

        return _signable(getpass.getuser()) or "gitmem"
    except (KeyError, OSError):
        return "gitmem"
