"""The index of a pack larger than two gigabytes has places of eight bytes; such a pack is not written here."""

from __future__ import annotations

import struct

from gitmem.store.pack import _LARGE, _Entry, _index


def test_offsets_beyond_two_gigabytes_stand_in_a_table_of_their_own() -> None:
    entries = {"a" * 40: _Entry(12, 7), "b" * 40: _Entry(_LARGE + 5, 8), "c" * 40: _Entry(_LARGE, 9)}
    index = _index(entries, b"\1" * 20)
    offsets = 8 + 256 * 4 + 3 * 20 + 3 * 4
    assert struct.unpack(">3I", index[offsets : offsets + 12]) == (12, _LARGE, _LARGE | 1)
    assert struct.unpack(">2Q", index[offsets + 12 : offsets + 28]) == (_LARGE + 5, _LARGE)
    assert len(index) == offsets + 28 + 40
