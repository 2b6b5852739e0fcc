"""Local settings: a mapping of git-config keys in, one frozen ``Config`` out (``architecture.md`` section 2).

Pure: who reads the mapping (the command line, the hooks, a host) decides where it comes from. What decides the bytes
of a view is not here but in the tracked ``.gitmem``, because it is part of the memory (``behaviours.md`` 0.14).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PREFIX = "gitmem."

_LONGEST_TEXT = 2_000
_MOST_HASHES = 10_000
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}", re.ASCII)

Value = bool | int | float | str


class Kind(StrEnum):
    """The type of a setting's value, as ``gitmem config`` names it."""

    SWITCH = "true or false"
    INTEGER = "integer"
    NUMBER = "number"
    CHOICE = "choice"
    TEXT = "text"
    HASHES = "hashes"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Config:
    """Every local setting with its default. ``warnings`` says which values were not understood and defaulted.

    ``lock_timeout`` is in seconds, ``autosave_keep_days`` in days, ``writer_trigger_tokens`` in o200k_base tokens,
    ``writer_max_removed_share`` a share of all blocks, ``writer_timeout`` in seconds. No key is a setting: the
    environment variable ``writer_key_variable`` holds it.
    """

    backend: str = "local"
    fsync: bool = True
    lock_timeout: float = 5.0
    search_method: str = "bm25"
    search_top_k: int = 5
    autosave_keep_days: int = 30
    autosave_keep_count: int = 200
    sign: bool = False
    secrets: str = "warning"
    secrets_allow: str = ""
    maintain_auto: bool = True
    writer_kind: str = "embedded"
    writer_model: str = ""
    writer_base_url: str = ""
    writer_key_variable: str = ""
    writer_command: str = ""
    writer_command_variables: str = ""
    writer_timeout: float = 600.0
    writer_max_requests: int = 60
    writer_trigger_tokens: int = 16_000
    writer_max_removed_share: float = 0.05
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, str]) -> Config:
        """The configuration that ``{"gitmem.lock.timeout": "3", ...}`` describes; keys outside ``gitmem.`` are skipped.

        Keys match as in git: section and name in any case, the part between them exactly. Never raises: a bad value
        or an unknown key becomes a warning, and the default stands (16.9).
        """
        values: dict[str, Any] = {}
        warnings: list[str] = []
        for key, text in mapping.items():
            if not key.lower().startswith(PREFIX):
                continue
            try:
                known = setting(key)
                values[known.field] = known.parse(text)
            except InvalidRequest as refused:
                warnings.append(f"{refused.message}; it is ignored")
        return replace(cls(), **values, warnings=tuple(warnings))


@dataclass(frozen=True, slots=True)
class Setting:
    """One local setting: its key as documented, the ``Config`` field it fills, its type, limits and meaning."""

    key: str
    field: str
    kind: Kind
    meaning: str
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()

    @property
    def default(self) -> Value:
        """The value that holds where nothing is set."""
        return value_of(DEFAULTS, self)

    @property
    def allowed(self) -> str:
        """The values it takes, in words: ``one of a, b``, ``an integer from 1 to 10``."""
        if self.kind is Kind.SWITCH:
            return str(Kind.SWITCH)
        if self.kind is Kind.TEXT:
            return f"a line of at most {_LONGEST_TEXT} characters"
        if self.kind is Kind.NAME:
            return "a name of letters, digits, dashes and underscores"
        if self.kind is Kind.HASHES:
            return "SHA-256 or SHA-1 hashes, at least 16 digits of each, with blanks between"
        if self.kind is Kind.CHOICE:
            return f"one of {', '.join(self.choices)}"
        article = "an" if self.kind is Kind.INTEGER else "a"
        return f"{article} {self.kind} from {self.low:g} to {self.high:g}"

    def parse(self, text: str) -> Value:
        """The value a text stands for. Raises ``InvalidRequest`` with what is allowed."""
        value = _PARSERS[self.kind](text.strip())
        if value is None or not self._permits(value):
            message = f"{self.key} must be {self.allowed}, not {text!r}"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message, details={"key": self.key, "value": text})
        return value

    def _permits(self, value: Value) -> bool:
        if isinstance(value, bool):
            return True
        if isinstance(value, str):
            return value in self.choices if self.kind is Kind.CHOICE else True
        return self.low <= value <= self.high


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "gitmem.backend",
        "backend",
        Kind.NAME,
        "Where agents' memory is kept: local, one that a package brings, or none, which switches it off.",
    ),
    Setting(
        "gitmem.fsync",
        "fsync",
        Kind.SWITCH,
        "Flush a transaction to the disk before it is acknowledged.",
    ),
    Setting(
        "gitmem.lock.timeout",
        "lock_timeout",
        Kind.NUMBER,
        "Seconds that a person's command waits while another process writes.",
        low=0,
        high=600,
    ),
    Setting(
        "gitmem.search.method",
        "search_method",
        Kind.CHOICE,
        "How search ranks when no method is asked for.",
        choices=("bm25", "embedding", "hybrid"),
    ),
    Setting(
        "gitmem.search.topK",
        "search_top_k",
        Kind.INTEGER,
        "Most results that recall puts before a model.",
        low=1,
        high=10,
    ),
    Setting(
        "gitmem.autosave.keepDays",
        "autosave_keep_days",
        Kind.INTEGER,
        "Days an autosave is kept at least.",
        low=0,
        high=36_500,
    ),
    Setting(
        "gitmem.autosave.keepCount",
        "autosave_keep_count",
        Kind.INTEGER,
        "Newest autosaves that are kept whatever their age.",
        low=0,
        high=100_000,
    ),
    Setting(
        "gitmem.sign",
        "sign",
        Kind.SWITCH,
        "Sign commits with the key that git's own settings name (user.signingKey, gpg.format).",
    ),
    Setting(
        "gitmem.secrets",
        "secrets",
        Kind.CHOICE,
        "What is done about keys and tokens in new text: told, refused, or nothing.",
        choices=("warning", "error", "off"),
    ),
    Setting(
        "gitmem.secretsAllow",
        "secrets_allow",
        Kind.HASHES,
        "Hashes of what only looks like a secret, as findings show them; may be set several times.",
    ),
    Setting(
        "gitmem.maintain.auto",
        "maintain_auto",
        Kind.SWITCH,
        "Pack the repository in the background when a write leaves many loose objects.",
    ),
    Setting(
        "gitmem.writer.kind",
        "writer_kind",
        Kind.CHOICE,
        "Who folds conversations into topics.",
        choices=("embedded", "model", "command"),
    ),
    Setting(
        "gitmem.writer.model",
        "writer_model",
        Kind.TEXT,
        "The model that the model writer asks: openai:NAME or anthropic:NAME.",
    ),
    Setting(
        "gitmem.writer.baseUrl",
        "writer_base_url",
        Kind.TEXT,
        "Where that model is served, when not by its provider.",
    ),
    Setting(
        "gitmem.writer.keyVariable",
        "writer_key_variable",
        Kind.TEXT,
        "The environment variable that holds its key; unset: OPENAI_API_KEY or ANTHROPIC_API_KEY.",
    ),
    Setting(
        "gitmem.writer.command",
        "writer_command",
        Kind.TEXT,
        "The agent that the command writer runs, with its arguments; no shell reads it.",
    ),
    Setting(
        "gitmem.writer.commandVariables",
        "writer_command_variables",
        Kind.TEXT,
        "Environment variables, such as keys, that it is given besides those of a login; names with blanks between.",
    ),
    Setting(
        "gitmem.writer.timeout",
        "writer_timeout",
        Kind.NUMBER,
        "Seconds that a model or command may take for one batch.",
        low=1,
        high=86_400,
    ),
    Setting(
        "gitmem.writer.maxRequests",
        "writer_max_requests",
        Kind.INTEGER,
        "Most requests that the model writer makes for one batch.",
        low=1,
        high=1_000,
    ),
    Setting(
        "gitmem.writer.triggerTokens",
        "writer_trigger_tokens",
        Kind.INTEGER,
        "Tokens of pending conversation after which the writer runs without being forced.",
        low=1_000,
        high=200_000,
    ),
    Setting(
        "gitmem.writer.maxRemovedShare",
        "writer_max_removed_share",
        Kind.NUMBER,
        "Largest share of all blocks that one pass of a writer may remove.",
        low=0,
        high=1,
    ),
)

DEFAULTS = Config()


def value_of(config: Config, setting: Setting) -> Value:
    """What a configuration holds for a setting."""
    value: Value = getattr(config, setting.field)
    return value


def setting(key: str) -> Setting:
    """The setting with this key, spelled as git allows.

    Raises ``InvalidRequest`` that names the nearest key there is.
    """
    found = _BY_KEY.get(_canonical(key))
    if found is None:
        import difflib  # noqa: PLC0415 (only after a slip of the pen)

        names = [known.key.removeprefix(PREFIX) for known in SETTINGS]
        near = difflib.get_close_matches(key.removeprefix(PREFIX), names, n=1)
        hint = f"; did you mean {PREFIX}{near[0]}?" if near else ""
        message = f"there is no setting {key}{hint}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message, details={"key": key})
    return found


def check_value(key: str, value: str) -> str:
    """The text to store for a setting, in one spelling. Raises ``InvalidRequest`` for a key or value that is none."""
    return spelled(setting(key).parse(value))


def spelled(value: Value) -> str:
    """A value as git config writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.15f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def gathered(entries: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Settings as git gives them, by key: of several values the last holds, of lists all of them."""
    found: dict[str, str] = {}
    for key, value in entries:
        known = _BY_KEY.get(_canonical(key))
        is_list = known is not None and known.kind is Kind.HASHES
        found[key] = f"{found[key]} {value}" if is_list and key in found else value
    return found


def _canonical(key: str) -> str:
    """Git's own comparison: ``section.subsection.name`` with only the subsection in exact case."""
    section, _, rest = key.partition(".")
    subsection, dot, name = rest.rpartition(".")
    return f"{section.lower()}.{subsection}{dot}{name.lower()}"


def _switch(text: str) -> bool | None:
    if text.lower() in {"true", "yes", "on", "1"}:
        return True
    return False if text.lower() in {"false", "no", "off", "0", ""} else None


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,15}", text) else None


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})", text) else None


def _text(text: str) -> str | None:
    return text if len(text) <= _LONGEST_TEXT and text.isprintable() else None


def _hashes(text: str) -> str | None:
    known = list(dict.fromkeys(text.lower().split()))
    is_right = len(known) <= _MOST_HASHES and all(re.fullmatch("[0-9a-f]{16,64}", one) for one in known)
    return " ".join(known) if is_right else None


def _name(text: str) -> str | None:
    name = text.lower()
    return name if _NAME.fullmatch(name) else None


_PARSERS = {
    Kind.SWITCH: _switch,
    Kind.INTEGER: _integer,
    Kind.NUMBER: _number,
    Kind.CHOICE: str.lower,
    Kind.TEXT: _text,
    Kind.HASHES: _hashes,
    Kind.NAME: _name,
}
_BY_KEY = {_canonical(known.key): known for known in SETTINGS}
