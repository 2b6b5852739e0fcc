"""Where in a text a secret may stand, told cheaply: what passes here is shown to the detectors.

Nearly no message holds anything that looks like a key, and loading the detectors takes as long as archiving a thousand
messages. A shape is what its detector cannot do without: bytes to look for first, then an expression.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Shape:
    """What the finds of one detector look like.

    ``detector`` is ``module.Class`` below ``detect_secrets.plugins``; without one, the expression itself detects what
    ``kind`` says, its group where it has one. One of ``marks`` stands in the text (no marks: the expression alone
    tells); where ``loose``, in any case, and marks and expression are in lower case. The detector is shown what matched
    and up to ``after`` more bytes of the line.
    """

    kind: str
    detector: str | None
    marks: tuple[bytes, ...]
    pattern: bytes
    after: int = 0
    loose: bool = False


def _shape(detector: str, marks: str, pattern: bytes, *, after: int = 0, loose: bool = False) -> Shape:
    return Shape("", detector, tuple(marks.encode().split()), pattern, after, loose)


def _own(kind: str, mark: str, pattern: bytes, *, loose: bool = False) -> Shape:
    return Shape(kind, None, (mark.encode(),), pattern, loose=loose)


_ASSIGNED = (
    rb"(?:(?:api|auth|service|account|db|database|priv|private|client)_?key|(?:db|database|key)_?pass"
    rb"|password|passwd|pwd|secret|contrase)\w{0,40}[\])'\"]{0,2}[ \t]{0,9}(?:=>|:=|[:=!]=?=?)[ \t]{0,9}@?['\"`]"
)
"""A name that sounds secret, and a quoted value: without the quotes, half of all talk about passwords would match."""

SHAPES: tuple[Shape, ...] = (
    _shape("aws.AWSKeyDetector", "AKIA ASIA ABIA ACCA A3T", rb"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}"),
    _shape(
        "aws.AWSKeyDetector",
        "aws",
        rb"aws[^\n]{0,20}?(?:key|pwd|pw|password|pass|token)[^\n]{0,20}?['\"][0-9a-z/+]{40}['\"]",
        loose=True,
    ),
    _own(
        "AWS Secret Key",
        "aws_secret",
        rb"aws_secret(?:_access)?_?key['\"]?[ \t]{0,9}[:=][ \t]{0,9}([0-9a-z/+]{40})(?![0-9a-z/+=])",
        loose=True,
    ),
    _shape("azure_storage_key.AzureStorageKeyDetector", "AccountKey=", rb"AccountKey=", after=100),
    _shape("discord.DiscordBotTokenDetector", "", rb"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27}", after=10),
    _shape("github_token.GitHubTokenDetector", "ghp_ gho_ ghu_ ghs_ ghr_", rb"gh[pousr]_[A-Za-z0-9_]{36}"),
    _shape(
        "gitlab_token.GitLabTokenDetector",
        "glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt- glagent- gloas- GR1348941",
        rb"(?:gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-|GR1348941)[\w-]{20}",
        after=1024,
    ),
    _shape("jwt.JwtTokenDetector", ".ey", rb"(?<![\w-])eyJ[\w-]{4,1000}\.ey[\w-]{4,8000}"),
    _shape("mailchimp.MailchimpDetector", "-us", rb"[0-9a-z]{32}-us[0-9]{1,2}"),
    _shape("npm.NpmDetector", ":_authToken", rb"//[^\s]{1,200}/:_authToken=", after=200),
    _shape("openai.OpenAIDetector", "T3BlbkFJ", rb"sk-[\w-]{20,200}?T3BlbkFJ", after=200),
    _shape(
        "private_key.PrivateKeyDetector",
        "PRIVATE PuTTY",
        rb"BEGIN [A-Z0-9 ]{0,20}PRIVATE KEY|PuTTY-User-Key-File-2",
        after=10,
    ),
    _shape("pypi_token.PypiTokenDetector", "pypi-Ag", rb"pypi-Ag[\w-]{70}", after=400),
    _shape("sendgrid.SendGridDetector", "SG.", rb"SG\.[\w-]{22}\.[\w-]{43}"),
    _shape(
        "slack.SlackDetector",
        "xox hooks.slack.com",
        rb"xox[abposr]-\d|https://hooks\.slack\.com/services/t",
        after=200,
        loose=True,
    ),
    _shape("square_oauth.SquareOAuthDetector", "sq0csp-", rb"sq0csp-[\w\\-]{43}"),
    _shape("stripe.StripeDetector", "k_live_", rb"[rs]k_live_[0-9a-zA-Z]{24}"),
    _shape("telegram_token.TelegramBotTokenDetector", ":A", rb"\d{8,10}:A[\w-]{34}"),
    _shape("twilio.TwilioKeyDetector", "AC SK", rb"(?:AC|SK)[a-z0-9]{32}"),
    _own("Anthropic API Key", "sk-ant-", rb"sk-ant-[a-z0-9]{2,12}-[\w-]{32,200}"),
    _own("GitHub Token", "github_pat_", rb"github_pat_[A-Za-z0-9_]{36,250}"),
    _own("Google API Key", "AIza", rb"(?<![\w-])AIza[\w-]{35}(?![\w-])"),
    _own("Hugging Face Token", "hf_", rb"(?<!\w)hf_[A-Za-z0-9]{34,40}(?!\w)"),
    _own("OpenAI Token", "sk-", rb"sk-(?:proj|svcacct|admin)-[\w-]{40,250}"),
    _own("OpenRouter API Key", "sk-or-", rb"sk-or-v1-[0-9a-f]{64}"),
    _shape("basic_auth.BasicAuthDetector", "://", rb"://[^\s:/?#@]{1,200}:[^\s:/?#@]{1,200}@"),
    _shape(
        "keyword.KeywordDetector",
        "api_key apikey auth_key authkey service_key servicekey account_key accountkey db_key dbkey database_key "
        "databasekey priv_key privkey private_key privatekey client_key clientkey _pass dbpass databasepass keypass "
        "password passwd pwd secret contrase",
        _ASSIGNED,
        after=300,
        loose=True,
    ),
)
"""What names itself comes first, what goes by the words around it last.

Of what detect-secrets has are left out: whatever goes by entropy alone, public addresses, and detectors that take
words for keys. Formats that it does not know yet are our own."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A part of the text, from ``start`` to ``end``, that a shape fits."""

    shape: Shape
    start: int
    end: int


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    """Compiled when its mark is met: all of them take longer than a hook may."""
    return re.compile(pattern)


def suspects(data: bytes) -> Iterator[Suspect]:
    """The places that the detectors should look at; one search for each mark, and no more where there is none."""
    lowered = data.lower()
    for shape in SHAPES:
        text = lowered if shape.loose else data
        if not shape.marks or any(mark in text for mark in shape.marks):
            for match in _compiled(shape.pattern).finditer(text):
                start, end = match.span(1 if match.re.groups else 0)
                seen = end + shape.after
                line_end = data.find(b"\n", end, seen)
                yield Suspect(shape, start, line_end if line_end >= 0 else min(seen, len(data)))
