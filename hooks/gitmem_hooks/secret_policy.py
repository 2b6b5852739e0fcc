"""What the repository's settings say about secrets, read only when a text seems to hold one: that runs git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gitmem_hooks.surroundings import without_git

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.policy.secrets import AskedPolicy, SecretPolicy

_WANTED = r"^gitmem\.secrets"


def policy_of(folder: Path) -> AskedPolicy:
    """Gives the policy when it is asked. That raises ``Unavailable`` where git cannot be run."""

    def asked() -> SecretPolicy:
        from gitmem.config import Config  # noqa: PLC0415  (seldom)
        from gitmem.policy.secrets import SecretPolicy  # noqa: PLC0415
        from gitmem.store.git_program import git_settings  # noqa: PLC0415

        return SecretPolicy.of(Config.from_mapping(git_settings(folder, _WANTED, without_git(os.environ))))

    return asked
