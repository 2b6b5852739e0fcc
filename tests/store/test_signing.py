"""Commits signed as git would, and nothing written where they cannot be (architecture.md section 3, last paragraph)."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.config import Config
from gitmem.errors import Code, GitmemError, Refused, Unavailable
from gitmem.history.signatures import SignedShowAnswer, SignedTransactionAnswer, Verdict, verify
from gitmem.workspace import Workspace
from signing import Keys, gpg_keys, program, ssh_key, ssh_keys
from untouched import byte_identical
from workspaces import ME, make

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from running import Git

SIGNING = Config(fsync=False, sign=True)


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short name, in which the agent of a test's own keyring can listen."""
    with tempfile.TemporaryDirectory(prefix="gm") as folder:
        yield Path(folder)
        environment = {**os.environ, "GNUPGHOME": f"{folder}/g"}
        subprocess.run(["gpgconf", "--kill", "all"], env=environment, capture_output=True, check=False)


def opened(folder: Path, keys: Keys, git: Git, config: Config = SIGNING) -> Workspace:
    make(folder)
    for key, value in keys.settings.items():
        git(folder, "config", key, value)
    return Workspace.open(folder, ME, config, keys.environment)


def verifies(folder: Path, keys: Keys, commit: str) -> bool:
    done = subprocess.run(
        ["git", "-C", str(folder), "verify-commit", commit], env=keys.environment, capture_output=True, check=False
    )
    return done.returncode == 0


@pytest.mark.parametrize("made", [ssh_keys, gpg_keys])
def test_memory_and_views_are_signed(tmp_path: Path, short: Path, git: Git, made: Callable[[Path], Keys]) -> None:
    keys = made(short)
    folder = tmp_path / "w"
    workspace = opened(folder, keys, git)
    result = workspace.remember(
        "Ada likes tea – and ☕.", "people/ada.md", time="2024-03-15", subject="naïve\n\nsubject"
    )
    assert result.derived_commit is not None
    assert verifies(folder, keys, str(result.revision))
    assert verifies(folder, keys, result.derived_commit)
    assert not verifies(folder, keys, "HEAD~2")
    git(folder, "fsck", "--strict", "--no-dangling")
    header = git(folder, "cat-file", "commit", "HEAD").partition("\n\n")[0].split("\n")
    names = [line.split()[0] for line in header if not line.startswith(" ")]
    assert names == ["tree", "parent", "author", "committer", "gpgsig"]
    assert git(folder, "status", "--porcelain") == ""
    assert workspace.check(all_history=True).ok
    assert not list((folder / ".git/gitmem").glob("signing-*"))


def test_every_commit_says_what_its_signature_is_worth(tmp_path: Path, git: Git) -> None:
    keys = ssh_keys(tmp_path)
    folder = tmp_path / "w"
    workspace = opened(folder, keys, git)
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    Workspace.open(folder, ME, Config(fsync=False)).remember("Ada likes rum.", "people/ada.md", time="2024")
    told = workspace.log(signatures=True).transactions
    assert all(isinstance(one, SignedTransactionAnswer) for one in told)
    found = [one.signature for one in told if isinstance(one, SignedTransactionAnswer)]
    assert [one.verdict for one in found] == [Verdict.NONE, Verdict.GOOD, Verdict.NONE]
    assert found[1].signer == "test@example.invalid"
    assert str(found[1].key).startswith("SHA256:")
    shown = workspace.show(told[1].revision, signature=True)
    assert isinstance(shown, SignedShowAnswer)
    assert shown.signature == found[1]
    assert shown.files
    git(folder, "config", "--unset", "gpg.ssh.allowedSignersFile")
    assert verify(workspace.repo, [told[1].revision], keys.environment)[told[1].revision].verdict is Verdict.UNKNOWN


def test_a_signature_that_was_put_on_another_commit_is_bad(tmp_path: Path, git: Git) -> None:
    keys = ssh_keys(tmp_path)
    folder = tmp_path / "w"
    workspace = opened(folder, keys, git)
    revision = str(workspace.remember("Ada likes tea.", "people/ada.md", time="2024").revision)
    forged = git(folder, "cat-file", "commit", revision).replace("Test <", "Rest <", 1)
    other = git(folder, "hash-object", "-w", "-t", "commit", "--stdin", stdin=f"{forged}\n")
    assert verify(workspace.repo, [other], keys.environment)[other].verdict is Verdict.BAD


def test_a_stranger_is_not_vouched_for(tmp_path: Path, git: Git) -> None:
    keys = ssh_keys(tmp_path)
    (tmp_path / "allowed").write_text("")
    workspace = opened(tmp_path / "w", keys, git)
    revision = str(workspace.remember("Ada likes tea.", "people/ada.md", time="2024").revision)
    assert verify(workspace.repo, [revision], keys.environment)[revision].verdict is Verdict.UNKNOWN


def test_the_first_commit_is_signed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ssh_keys(tmp_path)
    around = {**keys.environment, "GIT_CONFIG_COUNT": str(len(keys.settings))}
    for number, (key, value) in enumerate(keys.settings.items()):
        around |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    made = Workspace.create(tmp_path / "w", ME, SIGNING, around)
    assert verifies(tmp_path / "w", Keys({}, around), str(made.revision))
    monkeypatch.setattr("gitmem.store.signing._PROGRAMS", {"ssh": "no-such-program"})
    with pytest.raises(Unavailable):
        Workspace.create(tmp_path / "other", ME, SIGNING, around)
    assert not (tmp_path / "other").exists()


def test_views_that_are_rendered_anew_are_signed(tmp_path: Path, git: Git) -> None:
    keys = ssh_keys(tmp_path)
    folder = tmp_path / "w"
    workspace = opened(folder, keys, git)
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    git(folder, "rm", "-q", "topics/people/ada.md")
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    assert [action.what for action in workspace.doctor().actions] == ["rendered"]
    assert verifies(folder, keys, "HEAD")


# --- which key


def test_a_public_key_is_signed_with_by_the_agent(tmp_path: Path, short: Path, git: Git) -> None:
    key = ssh_key(tmp_path, "secret")
    public = key.with_suffix(".pub").read_text().strip()
    (tmp_path / "allowed").write_text(f"me {public}\n")
    (tmp_path / "ask").write_text("#!/bin/sh\necho secret\n")
    (tmp_path / "ask").chmod(0o700)
    started = subprocess.run(
        [program("ssh-agent"), "-s", "-a", str(short / "agent")], check=True, capture_output=True, text=True
    )
    agent = started.stdout.partition("SSH_AGENT_PID=")[2].partition(";")[0]
    try:
        around = {**os.environ, "SSH_AUTH_SOCK": str(short / "agent")}
        asking = {**around, "SSH_ASKPASS": str(tmp_path / "ask"), "SSH_ASKPASS_REQUIRE": "force"}
        subprocess.run(["ssh-add", "-q", str(key)], env=asking, check=True, capture_output=True)
        key.unlink()
        settings = {"gpg.format": "ssh", "gpg.ssh.allowedSignersFile": str(tmp_path / "allowed")}
        keys = Keys({**settings, "user.signingKey": f"key::{public}"}, around)
        workspace = opened(tmp_path / "w", keys, git)
        assert verifies(tmp_path / "w", keys, str(workspace.remember("Ada likes tea.", "a.md", time="2024").revision))
        git(tmp_path / "w", "config", "--unset", "user.signingKey")
        git(tmp_path / "w", "config", "gpg.ssh.defaultKeyCommand", f"cat '{key.with_suffix('.pub')}'")
        assert verifies(tmp_path / "w", keys, str(workspace.remember("Ada likes rum.", "a.md", time="2024").revision))
    finally:
        os.kill(int(agent), 15)


def test_a_key_in_the_home_is_found(tmp_path: Path, git: Git) -> None:
    keys = ssh_keys(tmp_path)
    around = {**keys.environment, "HOME": str(tmp_path)}
    workspace = opened(tmp_path / "w", Keys({**keys.settings, "user.signingKey": "~/key"}, around), git)
    assert verifies(tmp_path / "w", keys, str(workspace.remember("Ada likes tea.", "a.md", time="2024").revision))


def test_without_a_named_key_it_is_the_committers(tmp_path: Path, short: Path, git: Git) -> None:
    keys = gpg_keys(short)
    identity = {"user.name": "Test", "user.email": "test@example.invalid"}
    workspace = opened(tmp_path / "w", Keys(identity, keys.environment), git)
    assert verifies(tmp_path / "w", keys, str(workspace.remember("Ada likes tea.", "a.md", time="2024").revision))


# --- nothing is written


def refused(workspace: Workspace) -> GitmemError:
    with byte_identical(workspace.repo.path), pytest.raises(GitmemError) as caught:
        workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    return caught.value


@pytest.mark.parametrize("made", [ssh_keys, gpg_keys])
def test_a_locked_key_asks_nobody_and_writes_nothing(
    tmp_path: Path, short: Path, git: Git, made: Callable[[Path, str], Keys]
) -> None:
    keys = made(short, "secret")
    (tmp_path / "ask").write_text(f"#!/bin/sh\ntouch {tmp_path / 'asked'}\necho secret\n")
    (tmp_path / "ask").chmod(0o700)
    around = {**keys.environment, "SSH_ASKPASS": str(tmp_path / "ask"), "DISPLAY": ":1", "SSH_ASKPASS_REQUIRE": "force"}
    if made is gpg_keys:
        subprocess.run(["gpgconf", "--kill", "all"], env=keys.environment, check=True)  # which knows it from making it
    error = refused(opened(tmp_path / "w", Keys(keys.settings, around), git))
    assert isinstance(error, Refused)
    assert error.code is Code.GIT_COMMIT_FAILED
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"gpg.format": "ssh"}, Code.GIT_COMMIT_FAILED),
        ({"gpg.format": "ssh", "gpg.ssh.defaultKeyCommand": "echo none"}, Code.GIT_COMMIT_FAILED),
        ({"gpg.format": "ssh", "user.signingKey": "/no/such/key"}, Code.GIT_COMMIT_FAILED),
        ({"gpg.format": "ssh", "user.signingKey": "k", "gpg.ssh.program": "/no/such"}, Code.GIT_UNAVAILABLE),
        ({"gpg.format": "wax"}, Code.GIT_COMMIT_FAILED),
        ({"user.signingKey": "nobody"}, Code.GIT_COMMIT_FAILED),
        ({}, Code.GIT_COMMIT_FAILED),
        ({"gpg.program": "no-such-program"}, Code.GIT_UNAVAILABLE),
    ],
)
def test_what_is_not_set_up_is_said(tmp_path: Path, git: Git, settings: dict[str, str], code: Code) -> None:
    program("ssh-keygen"), program("gpg")
    if code is Code.GIT_UNAVAILABLE:
        settings = {"user.signingKey": "k", **settings}
    error = refused(opened(tmp_path / "w", Keys(settings, {**os.environ, "GNUPGHOME": str(tmp_path)}), git))
    assert error.code is code


def test_a_key_that_is_not_there_is_no_locked_one(tmp_path: Path, git: Git) -> None:
    keys = ssh_keys(tmp_path)
    workspace = opened(tmp_path / "w", keys, git)
    git(tmp_path / "w", "config", "user.signingKey", "~/.ssh/lost")
    with byte_identical(tmp_path / "w"), pytest.raises(Refused) as caught:
        workspace.remember("Ada likes tea.", "people/ada.md")
    assert ("lost" in caught.value.message, "ssh-add" in caught.value.message) == (True, False)


def test_a_program_that_hangs_is_not_waited_for(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.store.signing.SECONDS", 0.1)
    (tmp_path / "hang").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "hang").chmod(0o700)
    keys = Keys({"gpg.program": str(tmp_path / "hang"), "user.signingKey": "k"})
    assert refused(opened(tmp_path / "w", keys, git)).code is Code.GIT_COMMIT_FAILED


def test_without_git_nothing_is_signed(tmp_path: Path, git: Git) -> None:
    workspace = opened(tmp_path / "w", Keys({}, {"PATH": str(tmp_path)}), git)
    assert refused(workspace).code is Code.GIT_UNAVAILABLE


def test_by_default_nothing_is_signed(tmp_path: Path, git: Git) -> None:
    workspace = opened(tmp_path / "w", Keys({"commit.gpgsign": "true"}), git, Config(fsync=False))
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    assert "gpgsig" not in git(tmp_path / "w", "cat-file", "commit", "HEAD")
