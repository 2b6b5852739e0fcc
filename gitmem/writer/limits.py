"""How much may be written of an input: blocks per turn, and prose per byte of what was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.writer.base import Batch

SHORT_INPUT, LONG_INPUT = 20, 100
"""Turns up to which a talk may be written down whole, and from which on the rates below are the whole allowance."""
BLOCKS_PER_TURN = 0.35
PROSE_SHARE = 0.4
QUOTING = 12
"""Bytes for each turn of a short talk, besides all that was said: signs that set questions off from answers."""
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
    written = batch.written
    turns = written.turns + len(batch.turns)
    bodies = written.body_bytes + sum(len(turn.content.encode(errors="replace")) for turn in batch.turns)
    size = max(batch.input_turns, turns)
    blocks = int(_blocks(size, turns))
    short = min(1.0, max(0.0, (LONG_INPUT - size) / (LONG_INPUT - SHORT_INPUT)))
    prose = int((PROSE_SHARE + (1 - PROSE_SHARE) * short) * bodies + QUOTING * short * turns)
    return Allowance(max(0, blocks - written.blocks), max(0, prose - written.prose_bytes))


def _blocks(size: int, turns: int) -> float:
    """Blocks allowed for the first ``turns`` of an input of ``size``."""
    if size >= LONG_INPUT:
        return BLOCKS_PER_TURN * turns
    return _BLOCKS_AT_LEAST + (BLOCKS_PER_TURN - _BLOCKS_AT_LEAST / LONG_INPUT) * turns
