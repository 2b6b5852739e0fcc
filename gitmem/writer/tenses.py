"""Whether a sentence tells of what was, or looks ahead to what will be."""

from __future__ import annotations

import re

from gitmem.writer import lexicon

_FUTURE = re.compile(
    r"(?:(?<!\w)(?:will|going to|gonna|plan(?:s|ning)?|want to|hop(?:e|ing)|looking forward|can't wait|upcoming|soon"
    r"|shall|due|deadline|scheduled|about to|needs?|must|should|can|might|(?-i:may)|(?:have|has|ought) to|wish|let's"
    r"|would (?:like|love|rather|prefer)|intend|expect(?:ed)?|supposed|want(?:s|ed) to|reminder|appointment|tickets?"
    r"|(?:decid|agre|promis|offer|arrang|volunteer)ed to|(?:am|are|is)\s+\w+ing|werde|vais|voy a|vamos a|будет|буду)"
    r"|'ll|'d (?:like|love|rather|prefer)|'(?:m|re|s)\s+\w+ing)(?!\w)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"(?<!\w)(?:was|were|had|did|went|got|saw|met|made|took|came|found|won|lost|bought|ran|read|wrote|felt|told|gave|been"
    r"|since|built|sold|spent|grew|drew|heard|held|chose|drove|ate|flew|sang|swam|brought|caught|fell|forgot|knew|paid"
    r"|rode|sent|slept|spoke|stood|woke|wore|broke|began|thought|taught|(?:i|we|he|she|they) (?:left|kept|put|led|set))"
    r"(?!\w)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[\w'-]+|[^\w\s]")
_ENDS_IN_ED = re.compile(r"\w{2,}ed")


def looks_ahead(sentence: str) -> bool:
    """Whether a sentence has a verb of plans, needs or duties, or a future tense."""
    return _FUTURE.search(sentence) is not None


def tells_of_the_past(sentence: str) -> bool:
    """Whether a sentence has a verb in a past tense; a participle before its noun, or of a passive, is none."""
    if _PAST.search(sentence):
        return True
    before = ""
    for word in _WORDS.findall(sentence.casefold()):
        if _ENDS_IN_ED.fullmatch(word) and word not in lexicon.NO_PAST and not _takes_a_participle(before):
            return True
        if word not in lexicon.BEFORE_ANY_VERB:
            before = word
    return False


def _takes_a_participle(word: str) -> bool:
    return word in lexicon.BEFORE_A_PARTICIPLE or word.isdecimal() or word.endswith(("'s", "'re", "'m"))
