"""What stands in a text for what is no text: ``[image: loaf.jpg]``."""

from __future__ import annotations

from gitmem.format.text import one_line

_KINDS = {
    "image": frozenset({"jpg", "jpeg", "png", "webp", "gif", "heic"}),
    "video": frozenset({"mp4", "mov", "webm", "3gp"}),
    "audio": frozenset({"opus", "ogg", "oga", "m4a", "mp3", "aac", "amr", "wav"}),
    "contact": frozenset({"vcf"}),
}
_MAX_CHARS = 300
_IN_BRACKETS = str.maketrans({"[": "(", "]": ")"})


def placeholder(kind: str, name: object = None) -> str:
    """Give the placeholder of a kind of thing, with its name where it has one; always one line."""
    told = one_line(name).translate(_IN_BRACKETS)[:_MAX_CHARS] if isinstance(name, str) else ""
    return f"[{kind}: {told}]" if told else f"[{kind}]"


def kind_of_file(name: object, media_type: object = None) -> str:
    """Say what a file is by its media type, else by its ending: ``image``, ``video``, ``audio``, else ``file``."""
    family = media_type.partition("/")[0] if isinstance(media_type, str) else ""
    if family in _KINDS:
        return family
    ending = name.rpartition(".")[2].lower() if isinstance(name, str) else ""
    return next((kind for kind, endings in _KINDS.items() if ending in endings), "file")
