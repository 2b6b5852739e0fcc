"""Writing while git removes empty folders (architecture.md section 7)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gitmem.store.housekeeping import TRIES, firmly
from gitmem.store.quarantine import Quarantine
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging

if TYPE_CHECKING:
    from pathlib import Path

    from stores import Store


def test_a_write_whose_folder_went_is_tried_again() -> None:
    failures = [
        OSError("failed to rename lockfile to 'objects/07/ea': No such file or directory"),
        FileNotFoundError(2, "gone"),
    ]

    def write() -> str:
        if failures:
            raise failures.pop()
        return "written"

    assert firmly(write) == "written"


def test_what_never_works_and_what_is_something_else_is_raised() -> None:
    tried: list[int] = []

    def gone() -> None:
        tried.append(1)
        raise FileNotFoundError

    def full() -> None:
        tried.append(1)
        raise OSError(28, "No space left on device")

    with pytest.raises(FileNotFoundError):
        firmly(gone)
    assert len(tried) == TRIES + 1
    with pytest.raises(OSError, match="space"):
        firmly(full)
    assert len(tried) == TRIES + 2


def test_objects_are_published_into_folders_that_went_meanwhile(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = store.repo.common_dir / "objects"
    with Quarantine(store.repo) as quarantine:
        staging = Staging(store.repo, Snapshot(store.repo), quarantine)
        for number in range(40):
            staging.write(f"topics/{number}.md", b"%d" % number)
        tree = staging.build()

        listed = os.listdir
        for number in range(256):
            (objects / f"{number:02x}").mkdir(exist_ok=True)

        def list_and_tidy(path: Path) -> list[str]:
            """As git's housekeeping between the listing and the writing."""
            names = listed(path)
            for name in names:
                if len(name) == len("17") and not listed(path / name):
                    (path / name).rmdir()
            return names

        monkeypatch.setattr(os, "listdir", list_and_tidy)
        quarantine.promote()
        monkeypatch.undo()
    assert len(list(Snapshot(store.repo.fresh(), tree).entries())) == 40
