"""Identifiers as distinct types, so that one kind is never passed for another (``formats.md``)."""

from __future__ import annotations

import re
from typing import NewType

Oid = NewType("Oid", str)
"""A git object id: 40 lower-case hex digits."""

Revision = NewType("Revision", str)
"""The commit id of a memory commit: the newest non-derive commit on the first-parent line."""

BlockId = NewType("BlockId", str)
"""A block's id without the caret: ``[A-Za-z0-9-]+``; for a legacy unit, its citation id (``mem_...``)."""

EvidenceId = NewType("EvidenceId", str)
"""A footnote's id without bracket and caret: ``e-`` and hex digits, or whatever an older file holds."""

SourceId = NewType("SourceId", str)
"""A source's handle: ``provider/thread/message``, or ``Dn:m`` for the oldest archives."""

Target = NewType("Target", str)
"""Where a source record stands, from the workspace root: ``sources/.../x.md#anchor``; the identity of a source link."""

TopicPath = NewType("TopicPath", str)
"""A workspace path below ``topics/`` that ends in ``.md``."""

WorkspaceId = NewType("WorkspaceId", str)
"""``w-`` and 8 hex digits, from the tracked ``.gitmem``."""

ZERO_OID = Oid("0" * 40)
"""The base of a transaction on an unborn branch."""

WHOLE_OID = re.compile(r"[0-9a-f]{40}", re.ASCII)
"""The whole of an object id; use with ``fullmatch``."""

BLOCK_ID = re.compile(r"[A-Za-z0-9-]+", re.ASCII)
"""The whole of a block id; use with ``fullmatch``."""
