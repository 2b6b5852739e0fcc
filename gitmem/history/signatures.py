"""Whether commits are signed, and by whom: asked of the git program, all of them at once (``cli.md``, ``log``)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from gitmem.history.log import LogAnswer, ShowAnswer
from gitmem.history.transactions import TransactionAnswer
from gitmem.ids import Oid
from gitmem.store.commits import is_signed
from gitmem.store.git_program import QUIET, run_git

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.store.repository import Repo

_FORMAT = "%H%x00%G?%x00%GS%x00%GK"
_PARTS = 4


class Verdict(StrEnum):
    """What became of checking a signature."""

    GOOD = "good"
    BAD = "bad"  # the commit is not what was signed
    EXPIRED = "expired"  # good, but the signature or its key is out of date
    REVOKED = "revoked"  # made by a key that was revoked
    UNKNOWN = "unknown"  # nobody here vouches for the key, or it is not here
    NONE = "none"  # there is no signature


_VERDICTS = {
    "G": Verdict.GOOD,
    "B": Verdict.BAD,
    "X": Verdict.EXPIRED,
    "Y": Verdict.EXPIRED,
    "R": Verdict.REVOKED,
}


@dataclass(frozen=True, slots=True)
class SignatureAnswer:
    """One commit's signature: ``signer`` and ``key`` are as git knows them, ``None`` where it does not."""

    verdict: Verdict
    signer: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class SignedTransactionAnswer(TransactionAnswer):
    """A transaction and its signature."""

    signature: SignatureAnswer = SignatureAnswer(Verdict.NONE)


@dataclass(frozen=True, slots=True)
class SignedShowAnswer(ShowAnswer):
    """A transaction, its files and its signature."""

    signature: SignatureAnswer = SignatureAnswer(Verdict.NONE)


def with_signatures(repo: Repo, answer: LogAnswer, environment: Mapping[str, str]) -> LogAnswer:
    """The answer with every transaction's signature. Raises ``Unavailable`` (``GIT_UNAVAILABLE``) without git."""
    found = verify(repo, [told.revision for told in answer.transactions], environment)
    told = tuple(SignedTransactionAnswer(**_held(told), signature=found[told.revision]) for told in answer.transactions)
    return LogAnswer(answer.revision, answer.truncated, told)


def with_signature(repo: Repo, told: ShowAnswer, environment: Mapping[str, str]) -> SignedShowAnswer:
    """One transaction with its signature. Raises as ``with_signatures`` does."""
    return SignedShowAnswer(**_held(told), signature=verify(repo, [told.revision], environment)[told.revision])


def verify(repo: Repo, commits: Sequence[str], environment: Mapping[str, str]) -> dict[str, SignatureAnswer]:
    """The signatures of these commits, by one run of git, with the keys that its settings trust.

    ``gpg.ssh.allowedSignersFile`` for SSH, the keyring for OpenPGP. Raises ``Unavailable`` (``GIT_UNAVAILABLE``).
    """
    signed = [commit for commit in commits if is_signed(repo, Oid(commit))]
    found = dict.fromkeys(commits, SignatureAnswer(Verdict.NONE))
    if not signed:
        return found
    arguments = (*QUIET, "log", "--no-walk=unsorted", "--stdin", f"--format={_FORMAT}")
    printed = run_git(repo.path, arguments, environment, given="".join(f"{commit}\n" for commit in signed))
    for line in printed.splitlines():
        parts = line.split("\0")
        if len(parts) == _PARTS:
            commit, letter, signer, key = parts
            found[commit] = SignatureAnswer(_VERDICTS.get(letter, Verdict.UNKNOWN), signer or None, key or None)
    return found


def _held(told: TransactionAnswer) -> dict[str, Any]:
    return {field.name: getattr(told, field.name) for field in fields(told)}
