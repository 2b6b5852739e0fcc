"""One message of a ChatGPT export: who said it, what its parts say as text, and whether it says anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitmem.interop.json_list import objects_in
from gitmem.interop.placeholders import placeholder
from gitmem.interop.reading import Draft, Fault, Unreadable, kind_of, sound_handle, sound_text, writable
from gitmem.interop.times import time_or_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.conversations.model import SessionId
    from gitmem.interop.reading import Place, ReadError

_ROLES = frozenset({"user", "assistant", "system", "tool"})
_SPOKEN_TYPES = frozenset({"text", "multimodal_text"})
_TEXT_KEYS = ("text", "result", "user_profile", "user_instructions", "model_set_context")


def read_message(session: SessionId, name: str, node: object, place: Place) -> tuple[Draft | None, ReadError | None]:
    """Read a node's message as a draft without parent; ``None`` when it has nothing to say.

    The error is one that does not cost the message. Raises ``Unreadable`` when the message cannot be taken.
    """
    if not isinstance(node, dict):
        raise Unreadable(Fault.NOT_A_TURN, f"a message is an object, not {kind_of(node)}")
    message = node.get("message")
    if message is None:
        return None, None
    if not isinstance(message, dict):
        raise Unreadable(Fault.NOT_A_TURN, f"a message is an object, not {kind_of(message)}")
    content = sound_text(_text(message), "content")
    if not content.strip():
        return None, None
    timestamp, problem = time_or_problem(message.get("create_time"), place)
    draft = Draft(
        session=session,
        id=sound_handle(session, name),
        parent=None,
        role=_role(message),
        content=content,
        place=place,
        timestamp=timestamp,
        display="runtime" if _is_hidden(message) else None,
        metadata=_metadata(message),
    )
    return draft, problem


def _role(message: Mapping[str, Any]) -> str:
    """The author's role; what an assistant says to a tool, and code, is the machinery of a turn."""
    author = message.get("author")
    role = author.get("role") if isinstance(author, dict) else None
    if not isinstance(role, str) or role not in _ROLES:
        raise Unreadable(Fault.BAD_FIELD, f"{str(role)[:40]!r} is no role of an author")
    spoken = _content_type(message) in _SPOKEN_TYPES and message.get("recipient") in (None, "all")
    return role if spoken or role == "system" else "tool"


def _is_hidden(message: Mapping[str, Any]) -> bool:
    """Whether the person never saw it: custom instructions, for one, are nothing that anybody said here."""
    metadata = message.get("metadata")
    return isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation") is True


def _metadata(message: Mapping[str, Any]) -> dict[str, object]:
    """What tells kinds of turns apart; nothing that a later export of the same message may say differently."""
    kind, recipient = _content_type(message), message.get("recipient")
    kept: dict[str, object] = {}
    if kind != "text":
        kept["content_type"] = writable(kind)
    if isinstance(recipient, str) and recipient != "all":
        kept["recipient"] = writable(recipient)
    return kept


def _content_type(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    kind = content.get("content_type") if isinstance(content, dict) else None
    return kind if isinstance(kind, str) else "unknown"


# --- text ---------------------------------------------------------------------------------------------------------


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if content is None:
        return ""
    if not isinstance(content, dict):
        raise Unreadable(Fault.BAD_FIELD, f"a message's content is an object, not {kind_of(content)}")
    return "\n".join(piece for piece in _pieces(content, _files(message)) if piece)


def _files(message: Mapping[str, Any]) -> dict[str, str]:
    """The names of the attached files by id."""
    metadata = message.get("metadata")
    files = objects_in(metadata.get("attachments")) if isinstance(metadata, dict) else ()
    return {str(file.get("id")): str(file.get("name") or "") for file in files}


def _pieces(content: Mapping[str, Any], files: dict[str, str]) -> Iterator[str]:
    """Everything the message says, then a placeholder for every attached file that no part stands for."""
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else ():
        yield _part(part, files)
    for key in _TEXT_KEYS:
        if isinstance(text := content.get(key), str):
            yield text
    for thought in objects_in(content.get("thoughts")):
        yield from (str(thought[key]) for key in ("summary", "content") if isinstance(thought.get(key), str))
    for name in files.values():
        yield placeholder("attachment", name)


def _part(part: object, files: dict[str, str]) -> str:
    """A text, the words of a recording, or a placeholder for what is no text."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    if isinstance(text := part.get("text"), str):
        return text
    kind = str(part.get("content_type") or "attachment").removesuffix("_asset_pointer")
    return placeholder(kind, files.pop(str(part.get("asset_pointer")).rpartition("/")[2], ""))
