"""Signing commits as git itself would, by the user's own settings, and without ever asking anybody anything.

Git's settings say how: ``gpg.format``, ``user.signingKey``, ``gpg.ssh.defaultKeyCommand`` and the ``program`` of each
format (``git help config``). A key that nobody unlocked is a failure: the memory is locked while a commit is signed,
and nobody may be there.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Code, GitmemError, Refused, Unavailable
from gitmem.store.git_program import WHICH_REPOSITORY, git_settings
from gitmem.store.leftovers import SIGNING_PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.store.repository import Repo

SECONDS = 30.0
"""How long a program may take; a token that waits to be touched is waited for no longer."""

_WANTED = r"^(user\.(signingkey|name|email)|gpg\..*)$"
_PROGRAMS = {"openpgp": "gpg", "x509": "gpgsm", "ssh": "ssh-keygen"}
_LINE_END = b"\n"
_CREATED = b"[GNUPG:] SIG_CREATED "
_LITERAL = ("key::", "ssh-")
_UNASKED = ("--batch", "--no-tty", "--pinentry-mode", "error")
_ASKING = frozenset({"DISPLAY", "WAYLAND_DISPLAY", "GPG_TTY", "SSH_ASKPASS"})


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs the bytes of a commit; settings are read anew each time. ``environment`` is where keys are found."""

    repo: Repo
    environment: Mapping[str, str]

    def __call__(self, commit: bytes) -> str:
        """The signature, as it stands in a commit's ``gpgsig``.

        Raises ``Unavailable`` (``GIT_UNAVAILABLE``) when git or the program that signs is missing, and ``Refused``
        (``GIT_COMMIT_FAILED``) when there is no key, or one that cannot be used without asking for its passphrase.
        """
        settings = git_settings(self.repo.path, _WANTED, self.environment)
        form = settings.get("gpg.format", "openpgp").lower()
        if form not in _PROGRAMS:
            why = f"gpg.format is {form!r}; git knows {', '.join(_PROGRAMS)}"
            raise _unsigned(why)
        program = settings.get(f"gpg.{form}.program") or (form == "openpgp" and settings.get("gpg.program"))
        run = _Run(self.repo.path, self.environment, self._expanded(program or _PROGRAMS[form]))
        if form == "ssh":
            return self._ssh(run, settings, commit)
        return _pgp(run, form, settings, commit)

    def _ssh(self, run: _Run, settings: Mapping[str, str], commit: bytes) -> str:
        key = settings.get("user.signingkey") or self._default_key(settings.get("gpg.ssh.defaultkeycommand"))
        with tempfile.TemporaryDirectory(prefix=SIGNING_PREFIX, dir=self.repo.gitmem_dir) as folder:
            file, agent = Path(self._expanded(key)), list[str]()
            if key.startswith(_LITERAL):
                file, agent = Path(folder) / "key", ["-U"]
                file.write_text(key.removeprefix("key::") + "\n", "utf-8")
            buffer = Path(folder) / "commit"
            buffer.write_bytes(commit)
            done = run(("-Y", "sign", "-n", "git", "-f", str(file), *agent, str(buffer)), b"")
            signature = buffer.with_name("commit.sig")
            if done.returncode != 0 or not signature.exists():
                raise _unsigned(_why_not(done.stderr, file))
            return _text(signature.read_bytes())

    def _default_key(self, command: str | None) -> str:
        """The first line that the command prints, which is a key itself."""
        if not command:
            message = "user.signingKey is not set (and gpg.ssh.defaultKeyCommand neither)"
            raise _unsigned(message)
        program, *arguments = shlex.split(command)
        printed = _Run(self.repo.path, self.environment, self._expanded(program))(arguments, b"").stdout
        line = printed.decode("utf-8", "replace").partition("\n")[0].strip()
        if not line.startswith(_LITERAL):
            message = "gpg.ssh.defaultKeyCommand prints no key"
            raise _unsigned(message)
        return line

    def _expanded(self, path: str) -> str:
        home = self.environment.get("HOME")
        return f"{home}/{path[2:]}" if home and path.startswith("~/") else path


@dataclass(frozen=True, slots=True)
class _Run:
    """Runs one program without a terminal, and with nothing that would open a window."""

    folder: Path
    environment: Mapping[str, str]
    program: str

    def __call__(self, arguments: Sequence[str], given: bytes) -> subprocess.CompletedProcess[bytes]:
        found = shutil.which(self.program, path=self.environment.get("PATH", os.defpath))
        if found is None:
            message = f"the commit cannot be signed: the program {self.program} is not installed or not on PATH"
            raise Unavailable(Code.GIT_UNAVAILABLE, message)
        left_out = WHICH_REPOSITORY | _ASKING
        around = {name: value for name, value in self.environment.items() if name not in left_out}
        around |= {"SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C"}
        try:
            return subprocess.run(  # noqa: S603  (the program that git's settings name, without a shell)
                [found, *arguments],
                cwd=self.folder,
                env=around,
                input=given,
                capture_output=True,
                check=False,
                start_new_session=True,  # which has no terminal to ask on
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            message = f"{self.program} took more than {SECONDS:g} s"
            raise _unsigned(message) from error
        except OSError as error:
            message = f"the commit cannot be signed: {self.program} cannot be started: {error.strerror}"
            raise Unavailable(Code.GIT_UNAVAILABLE, message) from error


def _pgp(run: _Run, form: str, settings: Mapping[str, str], commit: bytes) -> str:
    key = settings.get("user.signingkey") or _identity(settings)
    unasked = _UNASKED if form == "openpgp" else _UNASKED[:2]
    done = run(("--status-fd=2", *unasked, "-bsau", key), commit)
    if done.returncode != 0 or _CREATED not in done.stderr:
        said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith(b"[GNUPG:]")]
        why = f"{_last(_LINE_END.join(said))}; a passphrase must be known to gpg-agent, `git commit -S` asks for it"
        raise _unsigned(why)
    return _text(done.stdout)


def _why_not(said: bytes, key: Path) -> str:
    """Why ssh-keygen does not sign, and what to do about it."""
    if not key.exists():
        return f"the key {key} that user.signingKey names is not there"
    if b"passphrase" in said or b"agent" in said or key.suffix == ".pub":
        return f"{_last(said)}; `ssh-add` unlocks a key that has a passphrase"
    return _last(said)


def _identity(settings: Mapping[str, str]) -> str:
    """Whose key it is when none is named: whoever commits with git here."""
    if "user.email" not in settings:
        message = "user.signingKey is not set, and user.email neither"
        raise _unsigned(message)
    return f"{settings.get('user.name', '')} <{settings['user.email']}>".strip()


def _text(signature: bytes) -> str:
    return signature.replace(b"\r\n", b"\n").decode("ascii").rstrip("\n")


def _last(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else "the program that signs says nothing"


def _unsigned(why: str) -> GitmemError:
    message = f"the commit could not be signed, so nothing was written: {why}"
    return Refused(Code.GIT_COMMIT_FAILED, message)
