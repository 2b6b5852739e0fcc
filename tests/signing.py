"""Keys of their own for tests that sign; each is skipped, with the reason, where its program is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True)
class Keys:
    """What git is to be told (``settings``), and the surroundings in which it finds the keys."""

    settings: Mapping[str, str]
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def ssh_key(folder: Path, passphrase: str = "") -> Path:
    """A private key; the public one stands beside it."""
    key = folder / "key"
    command = [program("ssh-keygen"), "-q", "-t", "ed25519", "-N", passphrase, "-C", "test", "-f", str(key)]
    subprocess.run(command, check=True, capture_output=True)
    return key


def ssh_keys(folder: Path, passphrase: str = "") -> Keys:
    key = ssh_key(folder, passphrase)
    allowed = folder / "allowed"
    allowed.write_text(f"test@example.invalid {key.with_suffix('.pub').read_text()}")
    return Keys({"gpg.format": "ssh", "user.signingKey": str(key), "gpg.ssh.allowedSignersFile": str(allowed)})


def gpg_keys(folder: Path, passphrase: str = "") -> Keys:
    """A keyring of the test's own; sockets of its agent need a short path."""
    home = folder / "g"
    home.mkdir(mode=0o700)
    environment = {**os.environ, "GNUPGHOME": str(home)}
    arguments = ["--batch", "--pinentry-mode", "loopback", "--passphrase", passphrase]
    arguments += ["--quick-gen-key", "Test <test@example.invalid>", "ed25519", "sign", "never"]
    subprocess.run([program("gpg"), *arguments], check=True, capture_output=True, env=environment)
    return Keys({"user.signingKey": "test@example.invalid"}, environment)
