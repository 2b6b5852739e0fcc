"""Large JSON documents, value by value."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.interop import json_stream
from gitmem.interop.json_stream import BadJson, Cut, JsonStream
from gitmem.interop.reading import Fault

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


class Dripping(io.BytesIO):
    """Gives a few bytes at a time, whatever is asked for."""

    def read(self, _size: int | None = -1, /) -> bytes:
        return super().read(3)


def elements(data: bytes) -> list[Any]:
    """Every element, a code with its line for a broken one, ``Cut`` with its line at the end of what can be read."""
    found: list[Any] = []
    stream = JsonStream(Dripping(data))
    try:
        for _ in stream.elements():
            try:
                found.append(stream.value())
            except Cut:
                raise
            except BadJson as error:
                found.append((error.code.value, error.line))
    except Cut as error:
        found.append(("cut", error.line))
    return found


@given(st.lists(VALUES), st.sampled_from([None, 2]), st.booleans())
def test_every_list_comes_back_element_by_element(values: list[Any], indent: int | None, ascii_only: bool) -> None:
    try:
        data = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode()
    except UnicodeEncodeError:
        data = json.dumps(values, indent=indent).encode()
    assert elements(data) == values


@given(st.lists(VALUES, min_size=1), st.data())
def test_of_a_document_that_ends_early_every_whole_element_is_read(values: list[Any], data: st.DataObject) -> None:
    whole = json.dumps(values).encode()
    found = elements(whole[: data.draw(st.integers(1, len(whole) - 1))])
    assert found[-1] == ("cut", 1)
    # A number without its end may be cut short itself: "12" of "123" is a number too.
    assert found[:-2] == values[: max(len(found) - 2, 0)]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'["\\ud83d", "a"]', ["\ud83d", "a"]),
        (b'["\\u0000"]', ["\0"]),
        (b"[123456789012345678901234567890]", [123456789012345678901234567890]),
        (b"[1,]", [1]),
        (b"[ ]", []),
        (b'["]", "\\"}", "\\\\"]', ["]", '"}', "\\"]),
        (b'["\xff", 1]', [("not-utf8", 1), 1]),
        (b'[{"a":\n\n},\n[1\n,,], nul, 5]', [("invalid-json", 3), ("invalid-json", 5), ("invalid-json", 5), 5]),
        (b"[" + b"9" * 5000 + b", 1]", [("invalid-json", 1), 1]),
        (b"[" + b"[" * 3000 + b"]" * 3000 + b", 1]", [("invalid-json", 1), 1]),
        (b"", [("cut", 1)]),
        (b"{}", [("cut", 1)]),
        (b"[1,\n2", [1, 2, ("cut", 2)]),
        (b'[1,\n{"a": [', [1, ("cut", 2)]),
        (b'[1, "a', [1, ("cut", 1)]),
        (b"[1\n}, 2]", [1, ("cut", 2)]),
        (b'["a": 1]', ["a", ("cut", 1)]),
    ],
)
def test_a_broken_value_costs_only_itself(data: bytes, found: list[Any]) -> None:
    assert elements(data) == found


def test_an_object_is_gone_through_by_its_names() -> None:
    stream = JsonStream(Dripping(b'{"name": "x", "rest": {"a": [1]}, "messages": [{"id": 1}, 7, {"id": 2}], "z": 0}'))
    found: list[Any] = []
    for key in stream.keys():  # noqa: SIM118 - no mapping
        if key == "messages":
            found += [stream.value() for number in stream.elements() if number != 2]
        elif key == "name":
            found.append(stream.value())
    assert found == ["x", {"id": 1}, {"id": 2}]
    assert stream.peek() == ""


@pytest.mark.parametrize("data", [b"{1: 2}", b'{"a" 1}', b'{"a', b'{"a": 1', b'{"\\x": 1}', b"[", b""])
def test_an_object_without_names_is_cut(data: bytes) -> None:
    stream = JsonStream(Dripping(data))
    with pytest.raises(Cut) as caught:
        list(stream.keys())
    assert (caught.value.code, caught.value.line) == (Fault.INVALID_JSON, 1)


def test_a_value_that_is_too_large_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MAX_VALUE_BYTES", 50)
    monkeypatch.setattr(json_stream, "_CHUNK", 16)
    large = json.dumps([[["x" * 10]] * 10]).encode()
    assert elements(b"[" + large + b', {"a": 1}]') == [("invalid-json", 1), {"a": 1}]
    assert elements(b'["' + b"x" * 500 + b'", 1]') == [("cut", 1)]
