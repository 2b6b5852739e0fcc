"""Text that was refused, kept until it is mended: under a rescue ref, with why and what it was made from (0.8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Severity, failure
from gitmem.format.text import one_line
from gitmem.format.trailers import parse_trailers
from gitmem.ids import Oid
from gitmem.store.commits import read_commit
from gitmem.store.left_alone import save_rescue
from gitmem.store.refs import rescues
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.errors import GitmemError
    from gitmem.store.repository import Repo

EDIT = "refused edit of"
"""How the subject of a rescue begins that ``gitmem edit --retry`` opens again."""

COMMIT = "refused commit of"

_BASE, _STOOD, _ABSENT = "Gitmem-Base", "Gitmem-Stood", "none"
_REASON = "- "


@dataclass(frozen=True, slots=True)
class RefusedText:
    """A refused text; ``base`` is the commit that it was made from, ``stood`` what the working directory held."""

    ref: str
    text: bytes
    base: Oid
    stood: tuple[Oid | None, ...] | None
    reasons: tuple[str, ...]


def keep_refused(  # noqa: PLR0913 (a refused text has these parts)
    repo: Repo,
    files: Mapping[str, bytes],
    error: GitmemError,
    *,
    how: str,
    base: Oid,
    stood: tuple[Oid | None, ...] | None = None,
) -> GitmemError:
    """Keep texts with the reasons why they were refused; the same failure, which now says how to get them back."""
    trailers = [f"{_BASE}: {base}"]
    if stood is not None:
        trailers.append(f"{_STOOD}: {' '.join(oid or _ABSENT for oid in stood)}")
    paths = ", ".join(map(one_line, sorted(files)))
    message = f"{how} {paths}\n\n" + "\n".join([*reasons_of(error), "", *trailers])
    ref = save_rescue(repo, files, message)
    if ref is None:
        return error
    first = min(files)
    again = f"`gitmem edit --retry {first}` opens it again" if how == EDIT else f"it stays in {paths}"
    said = f"{error.message}; your text is kept: {again}, `git show {ref}:{first}` shows it"
    return failure(error.code, said, path=error.path, details={**error.details, "rescue": ref}, findings=error.findings)


def newest_refused(repo: Repo, path: str) -> RefusedText | None:
    """The newest refused edit of a topic; ``None`` when there is none."""
    for ref in rescues(repo):
        commit = read_commit(repo, ref.oid)
        if commit is None or not commit.message.startswith(EDIT):
            continue
        text, trailers = Snapshot.at(repo, ref.oid).read(path), parse_trailers(commit.message)
        if text is None or _BASE not in trailers:
            continue
        stood = trailers.get(_STOOD)
        blobs = None if stood is None else tuple(None if oid == _ABSENT else Oid(oid) for oid in stood[0].split())
        lines = (line for line in commit.message.split("\n") if line.startswith(_REASON))
        reasons = tuple(line.removeprefix(_REASON) for line in lines)
        return RefusedText(ref.name, text, Oid(trailers[_BASE][0]), blobs, reasons)
    return None


def reasons_of(error: GitmemError) -> Iterator[str]:
    """Why a text was refused, a line each."""
    findings = [finding for finding in error.findings if finding.severity is Severity.ERROR]
    for finding in findings:
        place = ":".join(str(part) for part in (finding.path, finding.line) if part is not None)
        fix = f" ({finding.fix})" if finding.fix else ""
        yield _REASON + one_line(f"{place}: {finding.message}{fix}" if place else f"{finding.message}{fix}")
    if not findings:
        yield _REASON + one_line(error.message)


_REMARKS = re.compile(r"\A<!-- gitmem: [^\n]*\n(?:(?!-->)[^\n]*\n)*-->\n+")


def with_remarks(text: str, reasons: tuple[str, ...]) -> str:
    """The text with the reasons above it as a comment."""
    if not reasons:
        return text
    lines = [f"{_REASON}{reason.replace('-->', '->')}" for reason in reasons]
    return "\n".join(["<!-- gitmem: this is to be mended; the comment goes when you save", *lines, "-->", "", text])


def without_remarks(text: str) -> str:
    """The text without such a comment."""
    return _REMARKS.sub("", text.replace("\r\n", "\n") if text.startswith("<!-- gitmem: ") else text, count=1)
