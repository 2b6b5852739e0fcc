"""What is done about a secret that a change brings: ``gitmem.secrets`` and ``gitmem.secretsAllow``."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.config import Config

SHOWN_DIGITS = 16
"""So many digits of a hash stand for a secret in a finding, and so many at least allow one."""


@dataclass(frozen=True, slots=True)
class SecretPolicy:
    """``severity`` of a finding, ``None``: secrets are not looked for. ``allowed`` are beginnings of hashes."""

    severity: Severity | None = Severity.WARNING
    allowed: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: Config) -> SecretPolicy:
        """The policy that the settings ask for."""
        severity = None if config.secrets == "off" else Severity(config.secrets)
        return cls(severity, tuple(config.secrets_allow.split()))

    def allows(self, value: str) -> bool:
        """Whether the SHA-256 of a value is on the list, or its SHA-1, which baselines of detect-secrets hold."""
        if not self.allowed:
            return False
        data = value.encode()
        return hashlib.sha256(data).hexdigest().startswith(self.allowed) or (
            hashlib.sha1(data, usedforsecurity=False).hexdigest().startswith(self.allowed)
        )


if TYPE_CHECKING:
    AskedPolicy = Callable[[], SecretPolicy]
    """Asked only when there is a secret, since settings may have to be read for it."""


def shown(value: str) -> str:
    """What stands for a secret where it must not be printed: the beginning of its SHA-256."""
    return hashlib.sha256(value.encode()).hexdigest()[:SHOWN_DIGITS]
