"""Every check there is, in the order in which findings are reported (``architecture.md`` section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks import (
    append_only,
    appending,
    authority,
    block_ids,
    block_links,
    citations,
    derived,
    frames,
    limits,
    paths,
    removals,
    secrets,
    text,
    topic_format,
    workspace_file,
)

if TYPE_CHECKING:
    from gitmem.checks.base import Check, RequestCheck

REQUEST_CHECKS: tuple[RequestCheck, ...] = (limits, authority)
"""Rules over the request alone, before anything is staged."""

CHECKS: tuple[Check, ...] = (
    paths,
    workspace_file,
    text,
    derived,
    append_only,
    frames,
    appending,
    removals,
    topic_format,
    block_ids,
    block_links,
    citations,
    secrets,
)
"""Rules over a candidate: cheap and structural ones first, so that the first finding names the root of the trouble."""
