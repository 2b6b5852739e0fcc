"""The signals by which a sentence shows that it states a fact, a preference, a plan or a decision, and their weights.

Each is something a reader can see in the sentence. The weights were fitted by logistic regression to which turns of
long conversations people's questions turn out to be about, then rounded, and raised by hand for what a record is for -
plans, preferences, decisions - where that data asks little about them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gitmem.writer import lexicon


@dataclass(frozen=True, slots=True)
class Signal:
    """A pattern in a sentence, and what it adds to the sentence's score."""

    name: str
    weight: float
    pattern: re.Pattern[str]


def _signal(name: str, weight: float, *alternatives: str) -> Signal:
    return Signal(name, weight, re.compile("|".join(alternatives), re.IGNORECASE))


_PAST = (
    r"(?:\w+ed|went|got|bought|made|took|saw|met|did|had|found|won|lost|began|came|gave|ran|read|wrote|told|taught|felt"
    r"|thought|kept|left|built|sold|spent|grew|drew|heard|held|led|chose|drove|ate|flew|sang|swam|hit|quit|set|put"
    r"|caught|brought|fell|forgot|knew|paid|rode|sent|shot|slept|spoke|stood|understood|woke|wore|broke)"
)
_ADVERBS = (
    r"(?:\s+(?:just|also|recently|actually|finally|already|even|really|still|always|usually|once|have|had|was|am|been"
    r"|\w+ly))*"
)
_WE = r"\b(?:i|we)(?:'(?:ve|d|m|re|ll))?"
_RELATIVE = rf"(?:{'|'.join(sorted(lexicon.RELATIVES))})"

FIRST_PERSON = _signal(
    "first person",
    0.3,
    r"\b(?:i|we|my|our|i'm|i've|i'd|i'll)\b",
    r"[我俺僕私]",
    r"\b(?:ich|wir|mein|meine|je|j'|nous|mon|ma|yo|mi|io|eu|meu|minha|ik|mijn|jag|я|мы|мой|моя|мне|나는|저는|제)\b",
)

STATED = (
    _signal(
        "own past",
        0.5,
        rf"{_WE}{_ADVERBS}\s+{_PAST}\b",
        r"\bich (?:habe|hatte|war|bin)\b",
        r"\bj'ai\b",
        r"[了过過た]。?$",
    ),
    _signal(
        "what somebody is or has",
        0.4,
        r"\b(?:i'?m|i am|we're|he's|she's|is|are) (?:an?|the|from|in|at|on|called|named|allergic|vegan|vegetarian"
        r"|married|single|divorced|engaged|pregnant)\b",
        r"\b(?:named|called)\b",
        r"\b(?:i|we|she|he)(?:'ve got| have| has| own) (?:an?|two|three|four|five|[0-9]+|some)\b",
        r"\bmy [\w ]{2,30} (?:is|are|was)\b",
        r"\b(?:i|we) (?:work|live|study|teach|run)\b",
        r"我(?:是|叫|住|在|有)",
    ),
    _signal(
        "plan",
        0.25,
        r"\b(?:going to|gonna|plan(?:s|ned|ning)?|will|want to|hope to|hoping|intend|aim to|thinking (?:of|about)"
        r"|looking (?:into|for)|about to|considering|working on|deadline|due|saving (?:up )?for)\b",
        r"'ll\b",
        r"打算|计划|准备|想要|つもり|予定",
    ),
    _signal(
        "preference",
        0.25,
        r"\b(?:love|like|enjoy|prefer|hate|dislike|adore|fav(?:e|ou?rites?)?|fan of|into|keen on|passionate|obsessed"
        r"|allergic|interested|can't stand)\b",
        r"喜欢|最爱|讨厌|不吃|过敏|好き|嫌い",
    ),
    _signal(
        "decision",
        0.4,
        r"\b(?:decid\w+|chose|chosen|picked|sign(?:ed|ing) up|start(?:ed|ing)|quit|join(?:ed|ing)|appl(?:ied|ying)"
        r"|enrol\w+|launch\w+|open(?:ed|ing)|mov(?:ed|ing)|adopt\w*|bought|won|finish\w*|attend\w*|visit\w*|volunteer\w*"
        r"|host\w*|organiz\w*|perform\w*|publish\w*|submit\w*|accept\w*|landed|promot\w*|switch\w*)\b",
        r"\bwe(?:'ll| will) (?:use|go with)\b",
        *lexicon.RESOLUTIONS,
        r"决定|决心|选择|決め",
    ),
    _signal("relative", 0.3, rf"\b{_RELATIVE}\b", r"妈|爸|哥|姐|弟|妹|儿子|女儿|妻|丈夫|母|父|兄|姉|息子|娘"),
    _signal("own relative", 0.25, rf"\b(?:my|our)(?: \w+)? {_RELATIVE}\b"),
    _signal(
        "number",
        0.6,
        r"[0-9]",
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|twice)\b",
    ),
    _signal("title", 0.5, r"[\"“«「『《][^\"”»」』》]{2,60}[\"”»」』》]"),
    _signal("meaning", 0.35, r"\b(?:remind\w*|symbol\w*|represent\w*|stands for)\b"),
    _signal(
        "elided subject", 0.4, r"^(?:just|also|been|got|had|went|made|started|planning|thinking|gonna|took|finishing)\b"
    ),
    _signal("addressed to somebody", -0.45, r"\b(?:you|your|you're|you've|yours|ya)\b", r"[你您]"),
    _signal("about somebody addressed", -0.4, r"^(?:and |but |so )?(?:you|your|you're|you've|you'll|you'd)\b"),
    _signal(
        "kindness to somebody",
        -0.8,
        r"\b(?:proud of|happy for|glad|thanks?|thank you|appreciate|good luck|wish(?:ing)?)\b.*\b(?:you|your)\b",
    ),
    _signal(
        "mere judgement",
        -0.35,
        r"^(?:it|that|this|they)(?:'\w+)?\s+(?:\w+\s+){0,3}"
        r"(?:so|really|such|super|pretty|amazing|awesome|great|cool|fun)\b",
    ),
    _signal("leans on what was said", -0.15, r"^(?:it|that|this|they|these|those|there|he|she)\b"),
    _signal("verb at the start", -0.4, r"^(?!during|king|ring|spring|planning|thinking|finishing)\w{3,}ing\b"),
    _signal("hedged", -0.15, r"\b(?:maybe|probably|might|i guess|i think|sounds|perhaps)\b"),
)
"""What counts whoever speaks."""

ASSISTANT = (
    _signal(
        "states what something is",
        0.6,
        r"\b(?:is|are|was|were|means|refers to|consists|represents?|has|have|returns?|uses?)\b",
        r"是|为|です",
    ),
    _signal("speaks of itself", -0.9, r"\b(?:i|i'm|i've|i'll|i'd|me|my|let's)\b"),
    _signal(
        "points at its answer",
        -0.6,
        r"^(?:here|this|these|above|below|as you can see)\b",
        r"^the (?:following|above|graph|plot|code|output|function|script)\b",
    ),
)
"""What counts besides when an assistant says it."""

DATED, REMINDER, ANSWER, OPENS = 1.0, 2.0, 0.7, 0.25
"""For naming a time, for asking to be remembered, for answering a question, for opening a talk."""
NAME, SPECIFIC, FRESH = 0.7, 0.15, 0.25
"""For each proper name, each word that says what the sentence is about, each such word that is new."""
CALLS, WARMTH, PLACE = -0.2, -0.8, -0.2
"""For calling somebody by name; for the share of kind words; for coming last in a turn."""
