"""`gitmem.secrets` and `gitmem.secretsAllow` at the command line (`architecture.md` section 5, `secrets`)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from workspaces import make, state

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git, Gitmem

TOKEN = "ghp" + "_" + "A1b2C3d4E5f6" * 3
DIGEST = hashlib.sha256(TOKEN.encode()).hexdigest()
SAYING = ("remember", f"The token is {TOKEN}.", "--topic", "people/ada", "--time", "2024")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


def test_a_secret_is_told_and_kept_by_default(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem(*SAYING, cwd=folder)
    assert answer.status == 0
    assert answer.err.count(DIGEST[:16]) == 2  # the message and the claim
    assert TOKEN not in answer.err
    answer = gitmem("check", "--all", "--json", cwd=folder)
    assert (answer.status, {finding["code"] for finding in answer.json["findings"]}) == (0, {"secret-found"})
    assert TOKEN not in answer.out


def test_a_secret_is_refused_before_anything_is_written(gitmem: Gitmem, folder: Path, git: Git) -> None:
    git(folder, "config", "gitmem.secrets", "error")
    before = state(folder)
    answer = gitmem(*SAYING, "--json", cwd=folder)
    assert (answer.status, answer.code) == (1, "SECRET_FOUND")
    assert [finding["code"] for finding in answer.json["error"]["findings"]] == ["secret-found", "secret-found"]
    assert TOKEN not in f"{answer.out}{answer.err}"
    assert state(folder) == before


REFUSED = [
    ("remember", f"- {TOKEN}", "--topic", "people/ada"),
    ("remember", "Ada likes tea.", "--topic", "people/ada", "--time", TOKEN),
    ("remember", "Ada likes tea.", "--topic", f"../{TOKEN}"),
    ("remember", "Ada likes tea.", "--topic", "people/ada", "--source", f"chat/room/{TOKEN}"),
    ("remember", f"Ada has [a token](other.md#^{TOKEN}).", "--topic", "people/ada"),
    ("remember", "Ada likes tea.", "--topic", f"places/{TOKEN}"),
    ("remember", "Ada likes tea.", "--topic", "people/ada", "--heading", TOKEN),
    ("get", f"topics/{TOKEN}.md"),
    ("get", TOKEN),
    ("log", TOKEN),
    ("diff", TOKEN),
    ("rm", TOKEN),
    ("turn", "add", TOKEN, "hello"),
    (TOKEN,),
    ("status", f"--{TOKEN}"),
    ("search", TOKEN, "-k", TOKEN),
]


@pytest.mark.parametrize("arguments", REFUSED)
def test_whatever_refuses_a_text_does_not_repeat_a_secret(
    gitmem: Gitmem, folder: Path, git: Git, arguments: tuple[str, ...]
) -> None:
    git(folder, "config", "gitmem.secrets", "error")
    before = state(folder)
    for more in ((), ("--json",)):
        answer = gitmem(*arguments, *more, cwd=folder)
        assert answer.status in {1, 2, 4}
        assert TOKEN[:12] not in f"{answer.out}{answer.err}"
    assert state(folder) == before


@pytest.mark.parametrize("place", [0, 30, 60, 75, 90])
def test_a_text_that_is_cut_does_not_show_half_a_secret(gitmem: Gitmem, folder: Path, git: Git, place: int) -> None:
    git(folder, "config", "gitmem.secrets", "error")
    path = folder / "topics" / "people" / "ada.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"# Ada\n\n{'x' * place} {TOKEN} and so on, for quite a while, until nobody reads any more.\n")
    answer = gitmem("commit", cwd=folder)
    assert (answer.status, TOKEN[:12] in answer.err) == (1, False)


def test_a_commit_message_holds_none(gitmem: Gitmem, folder: Path, git: Git) -> None:
    git(folder, "config", "gitmem.secrets", "error")
    assert gitmem("remember", "Ada likes tea.", "--topic", "people/ada", cwd=folder).status == 0
    changes = folder.parent / "changes.json"
    changes.write_text('[{"path": "topics/people/ada.md", "action": "delete"}]')
    base = git(folder, "rev-parse", "HEAD")
    answer = gitmem("update", "--base", base, "--changes", str(changes), "-m", TOKEN, "--json", cwd=folder)
    assert (answer.status, answer.code) == (1, "SECRET_FOUND")
    assert TOKEN not in answer.out


def test_a_writer_is_refused_too(gitmem: Gitmem, folder: Path, git: Git) -> None:
    git(folder, "config", "gitmem.secrets", "error")
    assert (
        gitmem("turn", "add", "team/chat", f"I moved to Basel in 2024, the token is {TOKEN}.", cwd=folder).status == 0
    )
    tip = git(folder, "rev-parse", "HEAD")
    assert gitmem("write", "--force", "--json", cwd=folder).status != 0
    assert git(folder, "rev-parse", "HEAD") == tip
    git(folder, "config", "gitmem.secrets", "off")
    assert gitmem("write", "--force", "--json", cwd=folder).status == 0


def test_what_is_allowed_is_kept_quietly(gitmem: Gitmem, folder: Path, git: Git) -> None:
    git(folder, "config", "gitmem.secrets", "error")
    git(folder, "config", "--add", "gitmem.secretsAllow", DIGEST[:16])
    git(folder, "config", "--add", "gitmem.secretsAllow", "0" * 40)
    answer = gitmem(*SAYING, cwd=folder)
    assert (answer.status, answer.err) == (0, "")
    assert gitmem("check", "--all", cwd=folder).status == 0
    shown = gitmem("config", "gitmem.secretsAllow", cwd=folder).out
    assert shown == f"{DIGEST[:16]} {'0' * 40}\n"


def test_a_list_that_was_set_several_times_is_set_anew(gitmem: Gitmem, folder: Path, git: Git) -> None:
    for digest in ("0" * 40, "1" * 40):
        git(folder, "config", "--add", "gitmem.secretsAllow", digest)
    assert gitmem("config", "gitmem.secretsAllow", DIGEST, cwd=folder).status == 0
    assert git(folder, "config", "--get-all", "gitmem.secretsAllow") == DIGEST
    assert gitmem("config", "gitmem.secretsAllow", TOKEN, cwd=folder).status == 2


def test_a_tracked_list_is_taken_in_by_gits_own_include(gitmem: Gitmem, folder: Path, git: Git) -> None:
    (folder / "allowed.gitconfig").write_text(f"[gitmem]\n\tsecrets = error\n\tsecretsAllow = {DIGEST}\n")
    git(folder, "add", "allowed.gitconfig")
    git(folder, "commit", "-q", "--no-verify", "-m", "allow")
    git(folder, "config", "include.path", "../allowed.gitconfig")
    assert gitmem("config", "gitmem.secrets", cwd=folder).out == "error\n"
    assert gitmem(*SAYING, cwd=folder).status == 0
    assert gitmem("check", "--all", cwd=folder).status == 0
