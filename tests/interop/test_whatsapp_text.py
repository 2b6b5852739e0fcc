"""What a WhatsApp message says, in the languages of phones."""

from __future__ import annotations

import time

import pytest

from gitmem.interop.whatsapp_text import Said, read_text

MARK = "\u200e"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("hello", "hello"),
        ("  two\nlines ", "  two\nlines "),
        ("a < b (and c)", "a < b (and c)"),
        ("<Media omitted>", "[media]"),
        ("<Medien ausgeschlossen>", "[media]"),
        ("<Médias omis>", "[media]"),
        ("<hello>", "<hello>"),
        ("I wrote <Media omitted>", "I wrote <Media omitted>"),
        ("IMG-1.jpg (file attached)", "[image: IMG-1.jpg]"),
        (f"{MARK}PTT-1.opus (Datei angehängt)", "[audio: PTT-1.opus]"),
        ("plan [1].pdf (archivo adjunto)\nthe plan", "[file: plan (1).pdf]\nthe plan"),
        ("Ada.vcf (file attached)", "[contact: Ada.vcf]"),
        (f"{MARK}<attached: 1-PHOTO.jpg>", "[image: 1-PHOTO.jpg]"),
        (f"the shed {MARK}<adjunto: 1-VIDEO.mp4>", "the shed [video: 1-VIDEO.mp4]"),
        ("<attached: typed.jpg>", "<attached: typed.jpg>"),
        (f"{MARK}image omitted", "[image]"),
        (f"{MARK}GIF omitted", "[image]"),
        (f"{MARK}Contact card omitted", "[contact]"),
        (f"plan.pdf \u2022 {MARK}2 pages {MARK}document omitted", "[file: plan.pdf]"),
        ("image omitted", "image omitted"),
        (f"{MARK}Location: https://maps.example/?q=1,2", f"{MARK}Location: https://maps.example/?q=1,2"),
        (
            "\n".join(
                (
                    f"{MARK}POLL:",
                    "When?",
                    "really: when?",
                    f"{MARK}OPTION: Friday ({MARK}2 votes)",
                    f"{MARK}OPTION: Sunday",
                )
            ),
            "[poll: When? really: when? / Friday / Sunday]",
        ),
        (f"{MARK}UMFRAGE:\nWann?\n{MARK}OPTION: Freitag (früh) ({MARK}1 Stimme)", "[poll: Wann? / Freitag (früh)]"),
        ("POLL:\nWhen?\nOPTION: Friday (2 votes)\nOPTION: never", "[poll: When? / Friday / never]"),
        ("POLL:\nWhen?", "POLL:\nWhen?"),
    ],
)
def test_what_is_no_text_leaves_a_placeholder_and_text_stays(text: str, shown: str) -> None:
    assert read_text(text) == Said(shown)


@pytest.mark.parametrize(
    "text",
    ["", "  ", MARK, "This message was deleted", f"{MARK}You deleted this message.", "Diese Nachricht wurde gelöscht."],
)
def test_deleted_messages_say_nothing(text: str) -> None:
    assert read_text(text) is None


@pytest.mark.parametrize(
    "mark", [" <This message was edited>", f" {MARK}<This message was edited>", "<Diese Nachricht wurde bearbeitet.>"]
)
def test_an_edited_message_says_what_it_says_now(mark: str) -> None:
    assert read_text(f"two\nlines{mark}") == Said("two\nlines", edited=True)


def test_what_the_application_says_itself_has_its_mark() -> None:
    assert read_text(f"{MARK}Missed voice call") == Said(f"{MARK}Missed voice call", by_whatsapp=True)


@pytest.mark.parametrize(
    "text",
    [
        "x \u2022 " * 20_000 + f"{MARK}document omitted",
        f"{MARK}<" * 40_000,
        "(file attached)\n" * 20_000,
        "a.b " * 20_000 + "(file attached)",
        "POLL:\n" + "a\n" * 20_000,
        f"{MARK}POLL:\na" + f"\n{MARK}OPTION: (" * 20_000,
        " " * 80_000 + "<This message was edited",
    ],
    ids=range(7),
)
def test_a_long_text_is_read_in_a_moment(text: str) -> None:
    begun = time.process_time()
    read_text(text)
    assert time.process_time() - begun < 5
