"""What is left out: questions, greetings, thanks, acknowledgements, requests (behaviours.md 10.11)."""

from __future__ import annotations

import pytest

from gitmem.writer.chatter import Chatter, opened, opener_length, reason_to_leave_out

NAMES = frozenset({"ada", "mel", "melanie"})


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Hello!", Chatter.GREETING),
        ("Hey Mel!", Chatter.GREETING),
        ("Good morning, Ada.", Chatter.GREETING),
        ("Good to see you!", Chatter.GREETING),
        ("Long time no see!", Chatter.GREETING),
        ("Talk to you soon!", Chatter.GREETING),
        ("你好！", Chatter.GREETING),
        ("おはようございます。", Chatter.GREETING),
        ("안녕하세요!", Chatter.GREETING),
        ("Hola!", Chatter.GREETING),
        ("Привет!", Chatter.GREETING),
        ("Thanks!", Chatter.THANKS),
        ("Thanks, Melanie!", Chatter.THANKS),
        ("Thank you so much for your help.", Chatter.THANKS),
        ("Sorry about the hike.", Chatter.THANKS),
        ("谢谢！", Chatter.THANKS),
        ("ありがとうございます。", Chatter.THANKS),
        ("Danke!", Chatter.THANKS),
        ("ok", Chatter.ACKNOWLEDGEMENT),
        ("Yeah, that sounds really great!", Chatter.ACKNOWLEDGEMENT),
        ("Wow, Mel!", Chatter.ACKNOWLEDGEMENT),
        ("Got it.", Chatter.ACKNOWLEDGEMENT),
        ("Congrats, Ada!", Chatter.ACKNOWLEDGEMENT),
        ("I know!", Chatter.ACKNOWLEDGEMENT),
        ("I know :)", Chatter.ACKNOWLEDGEMENT),
        ("Fine with me.", Chatter.ACKNOWLEDGEMENT),
        ("Noted.", Chatter.ACKNOWLEDGEMENT),
        ("好的", Chatter.ACKNOWLEDGEMENT),
        ("How are you?", Chatter.QUESTION),
        ("You did what?! 😮", Chatter.QUESTION),
        ("how do I install postgres", Chatter.QUESTION),
        ("do you know her", Chatter.QUESTION),
        ("你喜欢茶吗？", Chatter.QUESTION),
        ("你在哪里呢。", Chatter.QUESTION),
        ("元気ですか。", Chatter.QUESTION),
        ("هل أنت هنا؟", Chatter.QUESTION),
        ("run it again please", Chatter.REQUEST),
        ("Please write a poem.", Chatter.REQUEST),
        ("now, lets do the same simulation.", Chatter.REQUEST),
        ("Show me the graph.", Chatter.REQUEST),
        ("Don't worry about it.", Chatter.REQUEST),
        ("请帮我写一封信。", Chatter.REQUEST),
        ("Change the plan to blue.", Chatter.REQUEST),
        ("Update: rerun the tests.", Chatter.REQUEST),
        ("List countries located in Europe.", Chatter.REQUEST),
        ("Check that the server is up.", Chatter.REQUEST),
        ("Search for hotels that are near the lake.", Chatter.REQUEST),
        ("I need the graph in blue please.", Chatter.REQUEST),
        ("I'd like two tickets, please.", Chatter.REQUEST),
        ("run the code I gave you again please", Chatter.REQUEST),
        ("Rewrite this: I moved to Rome.", Chatter.REQUEST),
        ("Imagine a garden, my sister is in it.", Chatter.REQUEST),
        ("It can be computed as follows:", Chatter.LEAD_IN),
        ("Berlin!", Chatter.FRAGMENT),
        ("👍", Chatter.FRAGMENT),
    ],
)
def test_talk_that_states_nothing_is_named(sentence: str, reason: Chatter) -> None:
    assert reason_to_leave_out(sentence, NAMES) is reason


@pytest.mark.parametrize(
    "sentence",
    [
        "Yeah, I painted that lake sunrise last year!",
        "Thanks for asking, they're good - we got another cat named Bailey.",
        "Hey Mel, I moved to Berlin.",
        "No meat for me.",
        "I'm vegetarian.",
        "When I was young I lived in Rome",
        "Is what it is: Berlin won.",
        "Let's go with PostgreSQL.",
        "ok let's book the Granvia from 3 to 7 April.",
        "Please remember that I'm allergic to nuts.",
        "Don't forget: the deadline is 3 June.",
        "Don't like mushrooms.",
        "我对花生过敏。",
        "我今天请假三天。",
        "请记住我的生日是五月三日。",
        "私は東京に住んでいます。",
        "Ich wohne in Köln.",
        "My sister runs a bakery in Lyon.",
        # a noun phrase that opens like a request
        "I know Ada from school.",
        "Change of plan: I moved the planting to 23 May 2026, frost is forecast.",
        "Update: the boat costs 400 euros.",
        "Update - the boat costs 400 euros.",
        "Note: the deadline is 3 June.",
        "Plan B: we go by train.",
        "Call with Ada went well.",
        "Book club moved to Friday.",
        "Search results were poor.",
        "Use of peat is banned in our garden.",
        "Check-in is at 3 pm.",
        "Go is my favourite language.",
        "Close friends of mine live in Rome, they are vegan.",
        "Show times moved to 8 pm.",
        # a fact that is put politely
        "And I am allergic to wasp stings, so no fruit trees near the bench please.",
        "I would rather sit by the window, please.",
        "We only eat vegan food, so no cheese, please!",
        "Because I teach on weekdays, only Saturdays please.",
        "My brother is in a wheelchair, so no stairs please.",
        "Please no nuts, I'm allergic to them.",
        "Please use larch, because I prefer it to spruce.",
        "Don't plan anything for Monday, we are away until Tuesday.",
        "No stairs please, my father has a bad knee.",
    ],
)
def test_talk_that_states_something_is_kept(sentence: str) -> None:
    assert reason_to_leave_out(sentence, NAMES) is None


@pytest.mark.parametrize(
    "sentence", ["I'd be happy to help with that.", "Let me correct that.", "I hope this helps!", "Here is the graph."]
)
def test_an_assistants_talk_about_its_answer_is_left_out(sentence: str) -> None:
    assert reason_to_leave_out(sentence, NAMES, assistant=True) in {Chatter.ACKNOWLEDGEMENT, Chatter.REQUEST}


def test_a_sentence_is_read_after_its_opening() -> None:
    start = opened("Oh wow, thanks Mel! Note that I moved.", NAMES)
    assert start.rest == "I moved."
    assert start.kind is Chatter.ACKNOWLEDGEMENT
    assert start.reminder


def test_a_name_is_an_address_only_after_an_opening() -> None:
    assert opened("Mel lives in Bern.", NAMES).rest == "Mel lives in Bern."


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("I know :) so far we have spent 410 euros.", "so far we have spent 410 euros."),
        ("I know, so far we have spent 410 euros.", "so far we have spent 410 euros."),
        ("Yeah, I painted that lake.", "I painted that lake."),
        ("Yes \u2014 we moved to Bern.", "we moved to Bern."),
        ("Oh wow, thanks Mel! I moved to Bern.", "I moved to Bern."),
        (":) I moved to Bern.", "I moved to Bern."),
        ("Ok 👍 I moved to Bern.", "I moved to Bern."),
        ("Hey Mel, I moved to Bern.", "I moved to Bern."),
        ("Noted: a boat for six.", "a boat for six."),
        ("No meat for me.", "No meat for me."),
        ("I know Ada from school.", "I know Ada from school."),
        ("Thanks for asking, they are good.", "Thanks for asking, they are good."),
        ("Nice is a town.", "Nice is a town."),
    ],
)
def test_what_is_set_off_in_front_is_no_part_of_the_fact(sentence: str, fact: str) -> None:
    assert sentence[opener_length(sentence, NAMES) :] == fact
