"""Reading JSON values strictly: every shape that does not fit is an ``INVALID_ARGUMENT`` that names its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Iterator


def invalid(message: str) -> NoReturn:
    """Refuse the call."""
    raise InvalidRequest(Code.INVALID_ARGUMENT, message)


def text(value: object, place: str) -> str:
    """A string that UTF-8 can hold."""
    if not isinstance(value, str):
        invalid(f"{place} must be a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        invalid(f"{place} is not valid Unicode text")
    return value


def filled(value: object, place: str) -> str:
    """A string that is not blank."""
    found = text(value, place)
    if not found.strip():
        invalid(f"{place} is required")
    return found


def items(value: object, place: str, *, empty: bool = False) -> list[object]:
    """A list; with ``empty`` it may be empty."""
    if not isinstance(value, list | tuple):
        invalid(f"{place} must be a list")
    if not value and not empty:
        invalid(f"{place} must not be empty")
    return list(value)


@dataclass(frozen=True, slots=True)
class Item:
    """One JSON object with its place in the payload; a key whose value is null counts as absent unless asked for."""

    place: str
    values: Mapping[str, object]

    @classmethod
    def of(cls, value: object, place: str) -> Item:
        """Read an object with string keys."""
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            invalid(f"{place} must be an object")
        return cls(place, value)

    @classmethod
    def each(cls, value: object, place: str) -> Iterator[Item]:
        """Read a list of objects that is not empty."""
        for number, entry in enumerate(items(value, place)):
            yield cls.of(entry, f"{place}[{number}]")

    def closed(self, *allowed: str) -> None:
        """Refuse every key that has a value and is not allowed, naming all of them."""
        unknown = sorted(key for key, value in self.values.items() if value is not None and key not in allowed)
        if unknown:
            invalid(f"{self.place} has unknown keys: {', '.join(unknown)}; it takes {', '.join(allowed)}")

    def need(self, *names: str) -> None:
        """Refuse an object that lacks any of the keys, naming all that are missing."""
        missing = [name for name in names if self.get(name) is None]
        if missing:
            invalid(f"{self.place} needs {', '.join(names)}; missing: {', '.join(missing)}")

    def get(self, name: str) -> object:
        """The value, ``None`` when absent."""
        return self.values.get(name)

    def text(self, name: str) -> str:
        """A string, possibly empty."""
        return text(self.get(name), f"{self.place}.{name}")

    def filled(self, name: str) -> str:
        """A string that is not blank; an absent one is *required*."""
        value = self.get(name)
        return filled("" if value is None else value, f"{self.place}.{name}")

    def optional(self, name: str) -> str | None:
        """A string, or ``None`` when the key is absent or null."""
        return None if self.get(name) is None else self.text(name)
