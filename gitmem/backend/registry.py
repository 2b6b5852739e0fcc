"""Which backends there are: gitmem's own, those that packages bring (entry points), and those that a host registers."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from gitmem.backend.base import MemoryBackend
from gitmem.errors import Code, InvalidRequest, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.backend.base import Host

    Factory = Callable[[Host], MemoryBackend]

ENTRY_POINTS = "gitmem.backends"
"""The group in which a package names a function that makes its backend for a host."""

_OWN = {"local": "gitmem.backend.local", "none": "gitmem.backend.none"}
_registered: dict[str, Factory] = {}
_chosen: list[MemoryBackend] = []


def backend_names() -> tuple[str, ...]:
    """The names that ``gitmem.backend`` may have here, sorted."""
    return tuple(sorted({*_OWN, *_registered, *(point.name for point in entry_points(group=ENTRY_POINTS))}))


def register_backend(name: str, factory: Factory) -> None:
    """Give a backend a name. Raises ``InvalidRequest`` for one of gitmem's own."""
    if name in _OWN:
        message = f"the backend {name} is gitmem's own; give yours another name"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    _registered[name] = factory


def set_backend(backend: MemoryBackend | None) -> None:
    """Have ``get_backend`` give this one from now on, whatever the settings say; ``None`` ends that."""
    _chosen[:] = [] if backend is None else [backend]


def get_backend(host: Host) -> MemoryBackend:
    """The backend that the host's settings name, or that was set.

    Raises ``InvalidRequest`` for a name that nobody has, with those that there are, and ``Unavailable``
    (``STORAGE_UNAVAILABLE``) for one whose package cannot be loaded or gives something else.
    """
    if _chosen:
        return _chosen[0]
    name = host.config.backend
    made: object = _factory(name)(host)
    if not isinstance(made, MemoryBackend):
        message = f"the backend {name} gave a {type(made).__name__}, which is no MemoryBackend"
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message)
    return made


def _factory(name: str) -> Factory:
    if name in _OWN:
        own: Factory = import_module(_OWN[name]).make
        return own
    if name in _registered:
        return _registered[name]
    point = next(iter(entry_points(group=ENTRY_POINTS, name=name)), None)
    if point is None:
        message = f"there is no memory backend {name!r}; there are {', '.join(backend_names())}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message, details={"backends": list(backend_names())})
    try:
        found: Factory = point.load()
    except Exception as error:
        message = f"the backend {name} cannot be loaded: {type(error).__name__}"
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message) from error
    return found
