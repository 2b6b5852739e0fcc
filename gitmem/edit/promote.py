"""Vouching for pending sources: lines appended to ``sources/promotions.jsonl`` (``behaviours.md`` 0.4, 8.20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.base import EditOutcome
from gitmem.errors import Code, NotFound, Refused
from gitmem.facts.trust import record_trust
from gitmem.format.layout import PROMOTIONS
from gitmem.format.model import TrustState
from gitmem.format.promotions import Promotion, parse_promotions, render_promotion

if TYPE_CHECKING:
    from gitmem.authority import Authority
    from gitmem.edit.base import StagingArea
    from gitmem.facts.base import Facts
    from gitmem.request import PromoteEdit


def promote(edit: PromoteEdit, authority: Authority, staging: StagingArea, facts: Facts) -> EditOutcome:
    """Append a line for each source that is pending; frames never change, and nothing is said twice.

    Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for a handle that no archive holds, and ``Refused`` (``COMMIT_REJECTED``)
    when the ledger is damaged.
    """
    lines = []
    for handle in dict.fromkeys(edit.sources):
        record = facts.source(handle)
        if record is None:
            raise NotFound(Code.SOURCE_NOT_FOUND, f"no archive holds {handle}", details={"source_ids": [handle]})
        if record_trust(facts, record) is TrustState.PENDING:
            promotion = Promotion(edit.at, authority.principal_id, handle, record.speaker_id, edit.tier)
            lines.append(render_promotion(promotion))
    if not lines:
        return EditOutcome()
    ledger = staging.read(PROMOTIONS) or b""
    defect = parse_promotions(ledger)[1]
    if defect is not None:
        message = f"{PROMOTIONS}:{defect.line}: {defect.message}; nothing is appended to a damaged ledger"
        raise Refused(Code.COMMIT_REJECTED, message, path=PROMOTIONS)
    staging.write(PROMOTIONS, ledger + b"".join(lines))
    return EditOutcome(touched=(PROMOTIONS,))
