"""What can go wrong, as values that the edge can render without reading prose.

::

    GitmemError
    |-- InvalidRequest   the call itself is wrong; nothing was looked at
    |-- Conflict         the workspace is in somebody else's hands, or moved; try again
    |-- NotFound         no such workspace, revision, path, block or source
    |-- Refused          the change breaks a rule; carries the findings
    |-- Disabled         memory is switched off
    |-- NotAllowed       not for this tier
    `-- Unavailable      the environment: a program, an endpoint or the disk

Every error has a code of the closed list (``behaviours.md``, "failure codes"), and every code belongs to one
class, so that a caller may catch by kind and a script may switch on the code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping


class Code(StrEnum):
    """The closed list of failure codes; the value is the code's name."""

    # used wrongly
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    # conflicts
    CONCURRENT_UPDATE = "CONCURRENT_UPDATE"
    REPOSITORY_BUSY = "REPOSITORY_BUSY"
    # nothing there
    WORKSPACE_NOT_FOUND = "WORKSPACE_NOT_FOUND"
    REVISION_NOT_FOUND = "REVISION_NOT_FOUND"
    PATH_NOT_FOUND = "PATH_NOT_FOUND"
    SOURCE_NOT_FOUND = "SOURCE_NOT_FOUND"
    MEMORY_NOT_FOUND = "MEMORY_NOT_FOUND"
    # refused
    INVALID_TOPIC_FORMAT = "INVALID_TOPIC_FORMAT"
    MISSING_SOURCE = "MISSING_SOURCE"
    PATCH_CONFLICT = "PATCH_CONFLICT"
    PATH_OUTSIDE_WORKSPACE = "PATH_OUTSIDE_WORKSPACE"
    READ_ONLY_PATH = "READ_ONLY_PATH"
    APPEND_ONLY_REQUIRED = "APPEND_ONLY_REQUIRED"
    COMMIT_REJECTED = "COMMIT_REJECTED"
    GIT_COMMIT_FAILED = "GIT_COMMIT_FAILED"
    NESTED_REPOSITORY = "NESTED_REPOSITORY"
    UNDO_CONFLICT = "UNDO_CONFLICT"
    FORGOTTEN_SOURCE = "FORGOTTEN_SOURCE"
    SECRET_FOUND = "SECRET_FOUND"  # noqa: S105  (a code, not a secret)
    WRITER_NO_PROGRESS = "WRITER_NO_PROGRESS"
    WRITER_PRECONDITION_FAILED = "WRITER_PRECONDITION_FAILED"
    WRITER_BUDGET_EXCEEDED = "WRITER_BUDGET_EXCEEDED"
    MISSING_SESSION_ID = "MISSING_SESSION_ID"
    SESSION_NODES_UNAVAILABLE = "SESSION_NODES_UNAVAILABLE"
    TRANSACTION_FAILURE_UNKNOWN = "TRANSACTION_FAILURE_UNKNOWN"
    WRITER_FAILURE_UNKNOWN = "WRITER_FAILURE_UNKNOWN"
    # switched off, not for this tier
    MEMORY_DISABLED = "MEMORY_DISABLED"
    NOT_ALLOWED = "NOT_ALLOWED"
    # the environment
    GIT_UNAVAILABLE = "GIT_UNAVAILABLE"
    STORAGE_UNAVAILABLE = "STORAGE_UNAVAILABLE"
    EMBEDDING_UNAVAILABLE = "EMBEDDING_UNAVAILABLE"
    WRITER_UNAVAILABLE = "WRITER_UNAVAILABLE"
    MODEL_TRANSPORT = "MODEL_TRANSPORT"
    MODEL_RATE_LIMIT = "MODEL_RATE_LIMIT"
    MODEL_PROVIDER_INTERNAL = "MODEL_PROVIDER_INTERNAL"
    MODEL_TIMEOUT = "MODEL_TIMEOUT"
    MODEL_RESOLUTION_FAILED = "MODEL_RESOLUTION_FAILED"
    MODEL_AUTHENTICATION = "MODEL_AUTHENTICATION"
    MODEL_AUTHORIZATION = "MODEL_AUTHORIZATION"
    MODEL_INVALID_REQUEST = "MODEL_INVALID_REQUEST"
    MODEL_CONTEXT_LENGTH = "MODEL_CONTEXT_LENGTH"
    MODEL_CONTENT_POLICY = "MODEL_CONTENT_POLICY"
    MODEL_FAILURE_UNKNOWN = "MODEL_FAILURE_UNKNOWN"


RETRYABLE = frozenset(
    {
        Code.CONCURRENT_UPDATE,
        Code.REPOSITORY_BUSY,
        Code.MODEL_TRANSPORT,
        Code.MODEL_RATE_LIMIT,
        Code.MODEL_PROVIDER_INTERNAL,
        Code.MODEL_TIMEOUT,
        Code.WRITER_UNAVAILABLE,
    }
)
"""Codes after which the same call may succeed (``behaviours.md``, "failure codes")."""


class Severity(StrEnum):
    """How much a finding weighs: one ``ERROR`` refuses the whole transaction."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check found (``cli.md``, the error envelope).

    ``check`` is the check's name in the registry, ``code`` one of the kebab-case finding codes in
    ``docs/codes.md``, ``path`` a workspace path, ``line`` 1-based in that file, ``block`` a bare block id,
    and ``fix`` a sentence that says how to mend it.
    """

    check: str
    severity: Severity
    code: str
    message: str
    path: str | None = None
    line: int | None = None
    block: str | None = None
    fix: str | None = None


class GitmemError(Exception):
    """A failure with a code of the closed list; never raised itself, only its subclasses are.

    ``path`` is a workspace path; ``details`` holds JSON values only.
    """

    codes: ClassVar[frozenset[Code]] = frozenset()

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        path: str | None = None,
        details: Mapping[str, object] | None = None,
        findings: tuple[Finding, ...] = (),
    ) -> None:
        """Raise ``ValueError`` when the code belongs to another class: that is a bug in gitmem."""
        if code not in self.codes:
            misuse = f"{code} is not a code of {type(self).__name__}"
            raise ValueError(misuse)
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.details = dict(details or {})
        self.findings = findings

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self.code in RETRYABLE


class InvalidRequest(GitmemError):
    """The call is malformed; nothing was looked at (exit 2)."""

    codes = frozenset({Code.INVALID_ARGUMENT})


class Conflict(GitmemError):
    """The workspace moved or is busy; the same call may succeed later (exit 3)."""

    codes = frozenset({Code.CONCURRENT_UPDATE, Code.REPOSITORY_BUSY})


class NotFound(GitmemError):
    """No such thing (exit 4)."""

    codes = frozenset(
        {
            Code.WORKSPACE_NOT_FOUND,
            Code.REVISION_NOT_FOUND,
            Code.PATH_NOT_FOUND,
            Code.SOURCE_NOT_FOUND,
            Code.MEMORY_NOT_FOUND,
        }
    )


class Disabled(GitmemError):
    """Memory is switched off by ``gitmem.backend=none`` (exit 5)."""

    codes = frozenset({Code.MEMORY_DISABLED})


class NotAllowed(GitmemError):
    """The caller's tier does not have this capability (exit 6)."""

    codes = frozenset({Code.NOT_ALLOWED})


class Unavailable(GitmemError):
    """Something outside gitmem is missing or failing (exit 7)."""

    codes = frozenset(
        code
        for code in Code
        if code.startswith("MODEL_")
        or code in {Code.GIT_UNAVAILABLE, Code.STORAGE_UNAVAILABLE, Code.EMBEDDING_UNAVAILABLE, Code.WRITER_UNAVAILABLE}
    )


class Refused(GitmemError):
    """A rule refuses the change; memory did not change (exit 1)."""

    codes = frozenset(Code) - frozenset().union(
        InvalidRequest.codes, Conflict.codes, NotFound.codes, Disabled.codes, NotAllowed.codes, Unavailable.codes
    )


def failure(
    code: Code,
    message: str,
    *,
    path: str | None = None,
    details: Mapping[str, object] | None = None,
    findings: tuple[Finding, ...] = (),
) -> GitmemError:
    """The error of the class that the code belongs to, for callers that have the code from a table."""
    for kind in (InvalidRequest, Conflict, NotFound, Disabled, NotAllowed, Unavailable):
        if code in kind.codes:
            return kind(code, message, path=path, details=details, findings=findings)
    return Refused(code, message, path=path, details=details, findings=findings)
