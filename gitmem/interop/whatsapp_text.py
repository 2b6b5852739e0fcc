"""What a WhatsApp message says: placeholders for what is no text, and marks of editing and deleting.

WhatsApp writes these in the phone's language; the common ones are known, and what is not known stays as it is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gitmem.interop.placeholders import kind_of_file, placeholder
from gitmem.interop.whatsapp_line import MARK, MARKS

OMITTED = "[media]"
"""What stands for a picture, recording or file that was left out of the export, where nothing says which it was."""

_OMITTED = frozenset(
    {
        "<Media omitted>",
        "<Medien ausgeschlossen>",
        "<Multimedia omitido>",
        "<Médias omis>",
        "<Media omessi>",
        "<Mídia oculta>",
        "<Arquivo de mídia oculto>",
        "<Media weggelaten>",
        "<Без медиафайлов>",
        "<省略多媒体文件>",
        "<媒體已略去>",
    }
)
_DELETED = frozenset(
    {
        "This message was deleted",
        "You deleted this message",
        "Diese Nachricht wurde gelöscht",
        "Du hast diese Nachricht gelöscht",
        "Se eliminó este mensaje",
        "Eliminaste este mensaje",
        "Ce message a été supprimé",
        "Vous avez supprimé ce message",
        "Questo messaggio è stato eliminato",
        "Hai eliminato questo messaggio",
        "Mensagem apagada",
        "Você apagou esta mensagem",
        "Dit bericht is verwijderd",
        "U hebt dit bericht verwijderd",
    }
)
_EDITED = re.compile(
    rf"\s?[{MARKS}]?<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje"
    r"|Ce message a été modifié|Questo messaggio è stato modificato|Mensagem editada|Dit bericht is bewerkt)\.?>$"
)
_ATTACHED_TO = re.compile(
    rf"^[{MARKS}]?(?P<name>\S[^\n]{{0,250}}\.\w{{2,5}}) \((?:file attached|Datei angehängt|archivo adjunto"
    r"|fichier joint|file allegato|arquivo anexado|bestand bijgevoegd)\)$",
    re.MULTILINE,
)
_ATTACHED = re.compile(rf"{MARK}<[^<>:\n]{{3,30}}: (?P<name>[^<>\n]{{1,250}}\.\w{{2,5}})>")
_LEFT_OUT = re.compile(
    rf"(?:(?P<name>[^\n\u2022]{{1,250}}) \u2022 [^\n]*)?{MARK}"
    r"(?P<kind>image|video|audio|sticker|GIF|document|Contact card) omitted"
)
_POLL = re.compile(
    rf"(?:{MARK}[^\n:]{{2,30}}|POLL):\n(?P<question>[^\n]+(?:\n(?!{MARK}?OPTION:|{MARK})[^\n]*)*)"
    rf"(?P<options>(?:\n(?:{MARK}[^\n:]{{2,30}}|OPTION):[^\n]*)+)"
)
_OPTION = re.compile(rf"\n{MARK}?[^\n:]+: (?P<text>[^\n]*?)(?: \({MARK}?\d[^\n()]*\))?(?=\n|$)")
_SIGNS = re.compile(rf"[<({MARK}]")
"""Without one of these a text is nothing but what somebody typed."""
_LONGEST_NOTE = 400


@dataclass(frozen=True, slots=True)
class Said:
    """A message's text with placeholders in place. ``by_whatsapp``: the application wrote it, in the sender's name."""

    text: str
    edited: bool = False
    by_whatsapp: bool = False


def read_text(text: str) -> Said | None:
    """Read a message's text; ``None`` when it was deleted or says nothing."""
    plain = text.strip().lstrip(MARKS)
    if not plain or plain.removesuffix(".") in _DELETED:
        return None
    if not _SIGNS.search(text):
        return Said(text)
    if plain in _OMITTED:
        return Said(OMITTED)
    if poll := _POLL.fullmatch(text):
        return Said(_poll(poll))
    kept = _EDITED.sub("", text)
    shown = _ATTACHED.sub(_attached, _ATTACHED_TO.sub(_attached, kept))
    if len(shown) < _LONGEST_NOTE and (found := _LEFT_OUT.fullmatch(shown)):
        shown = _left_out(found)
    # The application's own words begin with its mark; places are somebody's all the same, and have an address.
    own = shown.startswith(MARK) and "\n" not in shown and "://" not in shown
    return Said(shown, edited=kept != text, by_whatsapp=own)


def _attached(found: re.Match[str]) -> str:
    return placeholder(kind_of_file(found["name"]), found["name"])


def _poll(found: re.Match[str]) -> str:
    """The question and the choices; how many chose each differs from export to export."""
    return placeholder("poll", " / ".join([found["question"], *_OPTION.findall(found["options"])]))


def _left_out(found: re.Match[str]) -> str:
    kind = {"document": "file", "Contact card": "contact", "GIF": "image"}.get(found["kind"], found["kind"])
    return placeholder(kind, found["name"])
