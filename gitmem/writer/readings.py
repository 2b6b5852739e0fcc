"""How a sentence that opens or ends like a request is to be read.

"Change of plan: we moved" opens with a noun, "I am allergic to nuts, so none please" states something, and "no nuts
please, I am allergic" does both.
"""

from __future__ import annotations

import re

from gitmem.writer import lexicon

_NOUN = rf"(?:{'|'.join(sorted(lexicon.NOUNS_LIKE_REQUESTS))})"
_FINITE = (
    r"(?:is|are|was|were|has|had|will|would|can|cannot|can't|could|should|must|won't|isn't|wasn't|aren't|did|does"
    r"|doesn't|didn't|went|came|took|got|cost|costs|starts|ends|opens|closes|moves|begins|live|lives|works|said"
    r"|(?!called|named|located|based|used|sorted|ordered|listed|related|needed|required|attached|mentioned|discussed"
    r"|generated|created)\w{3,}ed)"
)
_VERBAL = (
    r"(?:the|an?|my|your|our|his|her|its|their|this|that|these|those|all|each|every|both|any|some|me|it|him|them|us|you"
    r"|to|if|whether|how|what|when|where|why|which|who|up|out|on|in|at|by|for|over|back|down|again|as|into|through)"
)
"""What follows a verb that orders, and no noun: an object's article, a pronoun, a particle."""
_LINK = r"(?:that|which|who|if|so|because|when|where|what|how|and|until|unless|while|whether|as)"
_NOUN_PHRASE = re.compile(
    rf"(?:{_NOUN}\s+of\b|{_NOUN}\s+(?!{_VERBAL}\b)(?:(?!{_LINK}\b)[\w'-]+\s+){{1,5}}{_FINITE}(?![\w']))", re.IGNORECASE
)
_GOES_ON = re.compile(r"-(?=\w)|\s+(?:is|are|was|were|has|had|will|went|isn't|wasn't)(?![\w'])", re.IGNORECASE)
"""What makes a noun of any word before it: a compound's hyphen, the verb of its sentence."""
_LABEL = re.compile(
    rf"(?:{_NOUN}(?:\s+of(?:\s+[\w'-]+){{1,3}})?|(?:[\w'-]+\s+){{0,3}}(?:update|change|note|plan|news|reminder|decision)"
    r"(?:\s+[A-Z0-9])?)\s*(?::(?!\S)|\s[-\u2013\u2014](?=\s))\s*",
    re.IGNORECASE,
)

_ASKS_FOR = (
    r"(?:(?:'d|\s+would)\s+(?!rather\b|prefer\b)|(?:'ll|\s+will|\s+can)\s+(?:have|take)\b|\s+(?:(?:just|really|only|also"
    r"|do)\s+)*(?:need|want|wish|ask|beg|wonder|hope|expect|request|was wondering|were wondering|have an? (?:question"
    r"|request|favou?r))\b)"
)
_REASON = r"(?:(?:because|since|as|and|so|but|while|when|if|also|sorry|then|actually)[, ]+)*"
_OWN = re.compile(
    rf"{_REASON}(?:(?:i|we)\b(?!{_ASKS_FOR})|(?:my|our)\s+(?:[\w'-]+\s+){{1,4}}(?:is|are|was|were|has|have|had|can|can't|will)\b)",
    re.IGNORECASE,
)
_OWN_REASON = re.compile(
    r"(?:[,;.!\u2013\u2014]\s*|\s-\s|\b(?:because|since|as)\s+)(?:(?:and|so|but|because|since|as)\s+)*"
    r"(?:(?:i|we)(?:'m|\s+am|'re|\s+are)\s+(?:an?|allergic|vegan|vegetarian|afraid of|away|in|from|pregnant"
    r"|colou?r-?blind|deaf|blind|diabetic|intolerant)\b"
    r"|(?:i|we)\s+(?:really\s+|also\s+|only\s+|always\s+)*(?:prefer|love|hate|dislike|live|work|teach|study|moved"
    r"|decided|can only|can't stand|can't eat|cannot eat|can't drink|don't (?:like|eat|drink)|do not (?:like|eat|drink)"
    r"|never (?:eat|drink))\b"
    rf"|(?:my|our)\s+(?:{'|'.join(sorted(lexicon.RELATIVES))})\b)",
    re.IGNORECASE,
)
_NOT_SO = re.compile(rf"(?:{'|'.join(lexicon.HYPOTHETICAL)})\b", re.IGNORECASE)


def is_noun_phrase(text: str, end: int) -> bool:
    """Whether a text opens with a noun although its first ``end`` characters are how requests open."""
    return _GOES_ON.match(text, end) is not None or _NOUN_PHRASE.match(text) is not None


def label_length(text: str) -> int:
    """The length of a label such as "Update:" or "Change of plan:" before what a sentence says; 0 without one."""
    match = _LABEL.match(text)
    return match.end() if match and match.end() < len(text) else 0


def states_own_fact(text: str, *, asks: bool) -> bool:
    """Whether a polite sentence states something of its speaker besides.

    ``asks``: it opens as a request, so that only a reason given after it counts: "No nuts please, I am allergic."
    """
    if _NOT_SO.match(text):
        return False
    return (not asks and _OWN.match(text) is not None) or _OWN_REASON.search(text) is not None
