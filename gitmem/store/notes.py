"""Git notes with two-hex folders: 1 ms each at any number, one commit a batch (``architecture.md`` section 7).

Git reads them as its own; notes that git wrote, flat or in deeper folders, are read too and move to the two-hex folder
when they change.
"""

from __future__ import annotations

import time
from collections import defaultdict
from typing import TYPE_CHECKING

from pygit2.enums import ObjectType

from gitmem.errors import NotFound
from gitmem.format.layout import NOTES_REF
from gitmem.store import durability
from gitmem.store.commits import GITMEM, Stamp, create_commit
from gitmem.store.damage import lost
from gitmem.store.overlay import REGULAR
from gitmem.store.refs import RefMove, move_ref, read_ref
from gitmem.store.snapshot import FOLDER, Snapshot, blob, children, write_object, write_tree
from gitmem.store.staging import Staging

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from gitmem.ids import Oid
    from gitmem.store.repository import Repo
    from gitmem.store.snapshot import Node

_DEEPEST = 3


def _own_place(target: Oid) -> str:
    return f"{target[:2]}/{target[2:]}"


class Notes:
    """The notes of one ref as they are now; every look-up answers for that one state.

    Folders and texts are read once each: thousands of look-ups cost the folders they fall into, and a batch of marks
    has one text.
    """

    def __init__(self, repo: Repo, ref: str = NOTES_REF) -> None:
        """Read the ref once. Raises ``Unavailable`` when what it names cannot be read."""
        self._repo, self._ref = repo, ref
        self._folders: dict[str, dict[str, Node]] = {}
        self._texts: dict[Oid, str] = {}
        self._tip = read_ref(repo, ref)
        try:
            self._tree = Snapshot(repo) if self._tip is None else Snapshot.at(repo, self._tip)
        except NotFound as error:
            raise lost(ref, "commit of") from error

    def read(self, target: Oid) -> str:
        """The note on an object; empty when there is none."""
        return self._find(target)[1]

    def change(self, targets: Iterable[Oid], edit: Callable[[Oid, str], str], message: str = "gitmem: notes") -> bool:
        """Give every target the note that ``edit`` makes of its present one (empty: none), in one commit.

        ``False`` when nothing changed. Raises ``Conflict`` (``CONCURRENT_UPDATE``) when somebody else changed notes
        meanwhile.
        """
        changed: dict[Oid, str] = {}
        gone: set[str] = set()
        for target in targets:
            place, old = self._find(target)
            new = edit(target, old)
            if new != old:
                changed[target] = new
                if place is not None and place != _own_place(target):
                    gone.add(place)
        if not changed:
            return False
        self._publish(self._moved(changed, gone) if gone else self._rewritten(changed), message)
        return True

    def _moved(self, changed: Mapping[Oid, str], gone: Iterable[str]) -> Oid:
        """The tree where some notes leave the places that git gave them."""
        staging = Staging(self._repo, self._tree)
        for place in (*gone, *(_own_place(target) for target, text in changed.items() if not text)):
            staging.delete(place)
        for target, text in changed.items():
            if text:
                staging.write(_own_place(target), text.encode())
        return staging.build()

    def _rewritten(self, changed: Mapping[Oid, str]) -> Oid:
        """The tree where notes change in their own places: each folder is written once, as a whole."""
        texts = {text: write_object(self._repo, ObjectType.BLOB, text.encode()) for text in {*changed.values()} - {""}}
        by_folder: defaultdict[str, dict[str, Oid | None]] = defaultdict(dict)
        for target, text in changed.items():
            by_folder[target[:2]][target[2:]] = texts.get(text)
        root = dict(self._listing(""))
        for folder, notes in by_folder.items():
            listing = {**self._listing(folder), **{name: (oid, REGULAR) for name, oid in notes.items() if oid}}
            for name in (name for name, oid in notes.items() if not oid):
                del listing[name]
            root[folder] = (write_tree(self._repo, listing), FOLDER)
            if not listing:
                del root[folder]
        return write_tree(self._repo, root)

    def _publish(self, tree: Oid, message: str) -> None:
        stamp = Stamp(GITMEM, int(time.time()))
        parents = () if self._tip is None else (self._tip,)
        commit = create_commit(self._repo, tree=tree, parents=parents, message=f"{message}\n", author=stamp)
        if self._repo.fsync:
            durability.flush_filesystem(self._repo.common_dir / "objects")
        move_ref(self._repo, RefMove(self._ref, self._tip, commit), message)
        self._tip, self._tree = commit, Snapshot(self._repo, tree, commit)
        self._folders.clear()

    def _find(self, target: Oid) -> tuple[str | None, str]:
        """Where the note on an object stands, and what it says; ``None`` and an empty text when there is none."""
        for path in self._places(target):
            folder, _, name = path.rpartition("/")
            node = self._listing(folder).get(name)
            if node is not None and node[1] != FOLDER:
                return path, self._text(node[0])
        return None, ""

    def _places(self, target: Oid) -> Iterator[str]:
        """Where git may keep a note: in two-hex folders first, then flat, then as deep as there are folders."""
        yield _own_place(target)
        yield target
        folder = target[:2]
        for depth in range(2, _DEEPEST + 1):
            step = target[2 * depth - 2 : 2 * depth]
            if step not in self._listing(folder):
                return
            folder = f"{folder}/{step}"
            yield f"{folder}/{target[2 * depth :]}"

    def _listing(self, folder: str) -> dict[str, Node]:
        if folder not in self._folders:
            above, _, name = folder.rpartition("/")
            node = (self._tree.tree, FOLDER) if not folder else self._listing(above).get(name)
            here = {} if node is None or node[1] != FOLDER else children(self._repo, node[0])
            self._folders[folder] = here
        return self._folders[folder]

    def _text(self, oid: Oid) -> str:
        if oid not in self._texts:
            self._texts[oid] = blob(self._repo, oid).decode("utf-8", "replace")
        return self._texts[oid]


def read_note(repo: Repo, target: Oid, ref: str = NOTES_REF) -> str:
    """The note on one object; empty when there is none. For many objects read them from one ``Notes``."""
    return Notes(repo, ref).read(target)
