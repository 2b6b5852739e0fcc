"""How much may be written of an input: blocks per turn, and prose per byte of what was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.writer.base import Batch

LONG_INPUT = 100
"""Turns from which on the rates below are the whole allowance."""
BLOCKS_PER_TURN = 0.35
PROSE_SHARE = 0.4
_BLOCKS_AT_LEAST = 20
"""A short talk may hold little but facts: it is allowed this many blocks, and then fewer per turn up to a long one."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many new blocks, and how many bytes of prose in them, a batch may add."""

    blocks: int
    prose_bytes: int


def allowance(batch: Batch) -> Allowance:
    """What a batch may add, given the size of its whole input and what earlier batches of it came to.

    However an input of at least 100 turns is cut, at most 35 blocks per 100 turns come of it, and prose of at most 0.4
    of the bodies' bytes. Shorter inputs get from 20 blocks and all of their prose down to the same rates.
    """
    size = max(batch.input_turns, batch.written.turns + len(batch.turns))
    bodies = sum(len(turn.content.encode(errors="replace")) for turn in batch.turns)
    turns = batch.written.turns + len(batch.turns)
    short = max(0, LONG_INPUT - size) / LONG_INPUT
    per_turn = BLOCKS_PER_TURN - _BLOCKS_AT_LEAST / LONG_INPUT if short else BLOCKS_PER_TURN
    blocks = int((_BLOCKS_AT_LEAST if short else 0) + per_turn * turns + 1e-9)
    share = PROSE_SHARE + (1 - PROSE_SHARE) * short
    prose = int(share * (batch.written.body_bytes + bodies))
    return Allowance(max(0, blocks - batch.written.blocks), max(0, prose - batch.written.prose_bytes))
