"""One file per person: whose words a turn holds, and where they are kept.

Identity is what the message's metadata says (8.1): the stable id when there is one, else the display name; a user
without either is "user". Paths are one-to-one with identities: a hyphen before the last part of a name always
introduces an id with a digit in it; an underscore an id without one, or a part of a name that looks like an id.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

from gitmem.format.pathname import name_problem
from gitmem.format.speaker import normalize_display, speaker_label
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from gitmem.writer.base import BatchTurn, Memory

FOLDER = "topics/people"
_NOT_IN_A_SLUG = re.compile(r"[^\w]+|_+")
_ASSISTANTS = re.compile(
    r"(?:ai|assistant|bot|chatgpt|claude|gpt|codex|copilot|gemini|llama|mistral|model|system|agent)\b", re.IGNORECASE
)
_UNFIT_FOR_A_HEADING = re.compile(r"\s*#+\s*$|[`*_<>\\\\|~]|^[\s#]+")
_LONGEST = 48
"""Characters of a name in a path; ids and hashes come on top."""
USER = "User"


def slug(text: str) -> str:
    """Letters and digits of any script in lower case, joined by hyphens; ``""`` when there are none.

    What no file may be called on some platform gets an underscore.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    found = _NOT_IN_A_SLUG.sub("-", folded)[:_LONGEST].strip("-")
    return f"{found}_" if found and name_problem(f"{found}.md") else found


def is_person(turn: BatchTurn) -> bool:
    """Whether a turn's words are somebody's own: every user turn, and turns in an assistant's role that are signed.

    A talk of two people is often exported with one of them in the assistant's role; an assistant signs with nothing or
    with its kind.
    """
    if turn.role != "assistant":
        return True
    display = normalize_display(turn.speaker_display)
    return bool(display) and not _ASSISTANTS.match(display)


def title_of(turn: BatchTurn) -> str:
    """What a turn's speaker is called in a topic: the label of their records, as a heading can hold it."""
    nobody = USER if turn.role == "user" else turn.role.capitalize()
    label = speaker_label(turn.speaker_display, turn.speaker_id, nobody)
    return _UNFIT_FOR_A_HEADING.sub("", label).strip() or nobody


class People:
    """The files of the people who speak in a batch, over those that exist."""

    def __init__(self, memory: Memory) -> None:
        """Know the files that stand in ``memory``."""
        self._memory = memory
        self._known = memory.topics(FOLDER)
        self._titles: dict[TopicPath, str] = {}

    def file_of(self, turn: BatchTurn) -> tuple[TopicPath, str]:
        """Path and title of the file of a turn's speaker.

        A file that carries the same id under an earlier name is kept to, with its title.
        """
        title = title_of(turn)
        path = self._of_id(turn) if _id(turn) else self._of_name(_name(turn), title)
        return path, self._title(path) or self._titles.setdefault(path, title)

    def _title(self, path: TopicPath) -> str | None:
        """The first heading of a file, planned or there."""
        if path not in self._titles:
            claims = self._memory.of_topic(path) if path in self._known else ()
            if not claims or not claims[0].headings:
                return None
            self._titles[path] = claims[0].headings[0]
        return self._titles[path]

    def _of_id(self, turn: BatchTurn) -> TopicPath:
        ident, name = _id(turn), slug(_name(turn))
        ending = _ending(ident)
        plain = _path(name)
        if name == ident and self._title(plain) in {None, title_of(turn)}:
            return plain
        for known in self._known:
            if known.removesuffix(".md").endswith(ending) and known != plain:
                return known
        return _path(f"{name or 'speaker'}{ending}")

    def _of_name(self, display: str, title: str) -> TopicPath:
        path = _path(_only_named(display, slug(display)))
        return path if self._title(path) in {None, title} else _path(f"{path[len(FOLDER) + 1 : -3]}_")


def _path(stem: str) -> TopicPath:
    return TopicPath(f"{FOLDER}/{stem}.md")


def _name(turn: BatchTurn) -> str:
    return normalize_display(turn.speaker_display)


def _id(turn: BatchTurn) -> str:
    return normalize_display(turn.speaker_id) and (turn.speaker_id or "").strip()


def _ending(ident: str) -> str:
    """The id's part of a path, with the sign before it."""
    plain = slug(ident).replace("-", "_")
    if plain != ident:  # letters, case or signs were lost: two ids must not meet
        plain = f"{plain}_{_hash(ident)}".lstrip("_")
    return f"-{plain}" if any(character.isdigit() for character in plain) else f"_{plain}"


def _only_named(display: str, name: str) -> str:
    """The part of a path for a speaker who has only a name, or nothing."""
    if not display:
        return "user"
    if not name:
        return f"name_{_hash(display)}"
    head, hyphen, last = name.rpartition("-")
    if hyphen and any(character.isdigit() for character in last):
        return f"{head}_{last}"
    return f"{name}_" if name in {"user", "speaker"} else name


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:4]
