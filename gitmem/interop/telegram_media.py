"""What of a Telegram message is no text, as placeholders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitmem.interop.placeholders import kind_of_file, placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_KINDS = {
    "sticker": "sticker",
    "animation": "video",
    "video_file": "video",
    "video_message": "video",
    "voice_message": "audio",
    "audio_file": "audio",
}


def media_of(fields: Mapping[str, Any]) -> Iterator[str]:
    """Give a placeholder for everything that a message holds beside its text."""
    if "photo" in fields:
        yield placeholder("image")
    if "file" in fields:
        yield _file(fields)
    if isinstance(contact := fields.get("contact_information"), dict):
        yield placeholder("contact", _joined(contact, "first_name", "last_name", "phone_number"))
    if isinstance(place := fields.get("location_information"), dict):
        named = _joined(fields, "place_name", "address")
        yield placeholder("location", named or f"{place.get('latitude')}, {place.get('longitude')}")
    if isinstance(poll := fields.get("poll"), dict):
        yield placeholder("poll", " / ".join(_choices(poll)))
    if isinstance(fields.get("game_title"), str):
        yield placeholder("game", fields["game_title"])
    if isinstance(invoice := fields.get("invoice_information"), dict):
        yield placeholder("invoice", invoice.get("title"))


def _file(fields: Mapping[str, Any]) -> str:
    """A file by the name that its sender gave it; where it was saved to differs from export to export."""
    kind = _KINDS.get(str(fields.get("media_type")))
    if kind == "sticker":
        return placeholder(kind, fields.get("sticker_emoji"))
    name = fields.get("file_name")
    if kind == "audio" and not isinstance(name, str):
        name = _joined(fields, "performer", "title")
    return placeholder(kind or kind_of_file(name, fields.get("mime_type")), name)


def _choices(poll: Mapping[str, Any]) -> Iterator[str]:
    yield str(poll.get("question"))
    answers = poll.get("answers")
    for answer in answers if isinstance(answers, list) else ():
        if isinstance(answer, dict):
            yield str(answer.get("text"))


def _joined(fields: Mapping[str, Any], *keys: str) -> str:
    return " ".join(fields[key] for key in keys if isinstance(fields.get(key), str) and fields[key])
