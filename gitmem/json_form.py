"""Answers as JSON values: what every value that a command or tool answers has in common."""

from __future__ import annotations

from dataclasses import fields, is_dataclass


def to_json(value: object) -> object:
    """The JSON values of an answer: objects for dataclasses, named tuples and mappings, arrays for other tuples.

    A field named ``from_`` becomes the key ``from``.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name.rstrip("_"): to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: to_json(item) for name, item in value._asdict().items()}
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    return value
