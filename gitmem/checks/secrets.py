"""``secrets``: keys and tokens in what a change adds to topics and sources (``architecture.md`` section 5).

Names of new files count, and so does what a commit is going to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.checks.secret_shapes import suspects
from gitmem.errors import Code, Finding
from gitmem.format.layout import is_source, is_topic
from gitmem.policy.secrets import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate
    from gitmem.checks.secret_detectors import Secret
    from gitmem.errors import Severity
    from gitmem.store.tree import Change

NAME = "secrets"
CODE = Code.SECRET_FOUND


@dataclass(frozen=True, slots=True)
class _Added:
    """What a change adds to a file: text from the line ``first`` on, or single lines with their numbers."""

    data: bytes
    numbers: tuple[int, ...] = ()
    first: int = 1

    def line(self, at: int) -> int:
        """The line of the file in which a byte stands."""
        passed = self.data.count(b"\n", 0, at)
        return self.numbers[passed] if self.numbers else self.first + passed


def run(candidate: Candidate) -> Iterator[Finding]:
    """What looks like a secret and stood in none of the changed files before; the finding does not repeat it."""
    before = _Before(candidate)
    for what, text in _names(candidate):
        yield from _named(candidate, what, text)
    for change in candidate.changes:
        if change.new is None or not (is_topic(change.path) or is_source(change.path)):
            continue
        added = before.added(change)
        if next(suspects(added.data), None) is not None:
            yield from _found(candidate, before, change, added)


def _names(candidate: Candidate) -> Iterator[tuple[str, str]]:
    """The texts of a change that stand in no file."""
    for change in candidate.changes:
        if change.old is None and (is_topic(change.path) or is_source(change.path)):
            yield "the name of a file", change.path
    request = candidate.request
    for text in () if request is None else filter(None, (request.subject, request.body)):
        yield "the message of the commit", text


def _named(candidate: Candidate, what: str, text: str) -> Iterator[Finding]:
    data = text.encode("utf-8", "surrogatepass")
    policy = candidate.secrets() if next(suspects(data), None) is not None else None
    if policy is None or policy.severity is None:
        return
    from gitmem.checks.secret_detectors import secrets_in  # noqa: PLC0415  (the detectors load slowly)

    for secret in secrets_in(data):
        if not policy.allows(secret.value):
            yield _finding(policy.severity, secret, f"what looks like a secret is in {what}")


def _found(candidate: Candidate, before: _Before, change: Change, added: _Added) -> Iterator[Finding]:
    policy = candidate.secrets()
    if policy.severity is None:
        return
    from gitmem.checks.secret_detectors import secrets_in  # noqa: PLC0415  (the detectors load slowly)

    for secret in secrets_in(added.data):
        if not policy.allows(secret.value) and not before.had(secret.value):
            what = "what looks like a secret stands here"
            yield _finding(policy.severity, secret, what, change.path, added.line(secret.at))


def _finding(
    severity: Severity, secret: Secret, what: str, path: str | None = None, line: int | None = None
) -> Finding:
    digest = shown(secret.value)
    message = f"{what}: {secret.kind} (SHA-256 {digest}...)"
    fix = (
        "take it out, and change it wherever it is used; if it is none, "
        f"`git config --add gitmem.secretsAllow {digest}` lets it pass"
    )
    return Finding(NAME, severity, "secret-found", message, path, line, None, fix)


class _Before:
    """What stood in the changed files."""

    def __init__(self, candidate: Candidate) -> None:
        self._parent, self._child = candidate.parent, candidate.child
        self._paths = [change.path for change in candidate.changes if change.old is not None]

    def had(self, value: str) -> bool:
        """Whether a value stood in one of them: text that was moved or edited brings nothing new."""
        return value.encode() in self._text

    @cached_property
    def _text(self) -> bytes:
        wanted = (path for path in self._paths if is_topic(path) or is_source(path))
        return b"\n".join(self._parent.read(path) or b"" for path in wanted)

    def added(self, change: Change) -> _Added:
        """What is new in a file: what follows the old text, or the lines that no changed topic had."""
        after = self._child.read(change.path) or b""
        old = (self._parent.read(change.path) or b"") if change.old is not None else b""
        if after.startswith(old):
            return _Added(after[len(old) :], first=1 + old.count(b"\n"))
        new = [(number, line) for number, line in enumerate(after.split(b"\n"), 1) if line not in self._lines]
        return _Added(b"\n".join(line for _, line in new), tuple(number for number, _ in new))

    @cached_property
    def _lines(self) -> frozenset[bytes]:
        topics = (self._parent.read(path) or b"" for path in self._paths if is_topic(path))
        return frozenset(line for data in topics for line in data.split(b"\n"))
