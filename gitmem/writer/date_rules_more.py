"""Times in other languages, each rendered as the English phrase that the date library reads."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from gitmem.writer.date_rules import DAY_OF_MONTH, YEAR, Grain, Rule, Toward

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAST, _FUTURE, _OPEN = Toward.PAST, Toward.FUTURE, Toward.OPEN


def _plain(text: str, phrase: str, toward: Toward = _OPEN) -> Rule:
    return Rule(re.compile(f"({text})"), phrase, toward)


def _calendar(year: str, month: str, day: str) -> tuple[Rule, ...]:
    """Year, month and day with the signs that follow each."""
    gap = r"\s?"
    return (
        Rule(
            re.compile(rf"({YEAR}){gap}{year}{gap}([0-9]{{1,2}}){gap}{month}{gap}([0-9]{{1,2}}){gap}{day}"),
            r"\1-\2-\3",
            complete=True,
        ),
        Rule(
            re.compile(rf"({YEAR}){gap}{year}{gap}([0-9]{{1,2}}){gap}{month}"),
            r"\1-\2-1",
            grain=Grain.MONTH,
            complete=True,
        ),
        Rule(re.compile(rf"({YEAR}){gap}{year}(?!代)"), r"\1", complete=True),
        Rule(
            re.compile(rf"(?<![0-9])([0-9]{{1,2}}){gap}{month}{gap}([0-9]{{1,2}}){gap}{day}"),
            r"#\1# \2",
            words=_MONTHS_BY_NUMBER,
        ),
    )


_MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTHS_BY_NUMBER: Mapping[str, str] = MappingProxyType(
    {f"#{zero}{number}#": name for number, name in enumerate(_MONTH_NAMES, start=1) for zero in ("", "0")}
)
_HAN_NUMBERS: Mapping[str, str] = MappingProxyType(
    {**{han: str(n) for n, han in enumerate("一二三四五六七八九十", start=1)}, "两": "2", "兩": "2"}
)
_HAN_UNITS: Mapping[str, str] = MappingProxyType(
    {"天": "day", "日": "day", "周": "week", "週": "week", "星期": "week", "月": "month", "年": "year"}
)
_HAN = r"([0-9]{1,3}|[一二两兩三四五六七八九十])"
_HAN_WEEKDAY = r"(?P<day>[一二三四五六日天])"
_ORDER = "一二三四五六日一二三四五六天"
_WEEK = r"个?(?:周|星期|礼拜)"
_KANJI_DAY = r"(?P<day>[月火水木金土日])曜"
_KANJI = "月火水木金土日"


def _counted(unit: str, words: Mapping[str, str], before: str, after: str, number: str = _HAN) -> tuple[Rule, ...]:
    return (
        Rule(re.compile(rf"{number}\s?{unit}\s?{before}"), r"\1 \2 ago", _PAST, words=words),
        Rule(re.compile(rf"{number}\s?{unit}\s?{after}"), r"in \1 \2", _FUTURE, words=words),
    )


def _in_week(prefix: str, day: str, order: str, phrase: str, toward: Toward) -> Rule:
    return Rule(re.compile(prefix + day), phrase, toward, weekdays=order)


_CHINESE = (
    *_counted(r"个?(天|周|星期|月|年)", {**_HAN_NUMBERS, **_HAN_UNITS}, "(?:之|以)?前", "(?:之|以)?[后後]"),
    _plain("前天", "2 days ago", _PAST),
    _plain("昨[天晚日]", "yesterday", _PAST),
    _plain("[后後]天", "in 2 days", _FUTURE),
    _plain("明[天晚日早]", "tomorrow", _FUTURE),
    _plain("今[天晚日早]", "today"),
    _in_week(f"(上{_WEEK})", _HAN_WEEKDAY, _ORDER, "last week", _PAST),
    _in_week(f"(下{_WEEK})", _HAN_WEEKDAY, _ORDER, "next week", _FUTURE),
    _in_week("((?:这|本)?(?:周|星期|礼拜))", _HAN_WEEKDAY, _ORDER, "today", _OPEN),
    _plain(f"上{_WEEK}", "last week", _PAST),
    _plain(f"下{_WEEK}", "next week", _FUTURE),
    _plain("上个?月", "last month", _PAST),
    _plain("下个?月", "next month", _FUTURE),
    _plain("这个?月|本月", "this month"),
    _plain("前年", "2 years ago", _PAST),
    _plain("去年", "last year", _PAST),
    _plain("明年", "next year", _FUTURE),
    _plain("今年", "this year"),
)
_JAPANESE = (
    *_counted(
        r"(日|週|[ヶケか箇カ]?月|年)間?",
        {**{f"{small}月": "month" for small in "ヶケか箇カ"}, **_HAN_NUMBERS, **_HAN_UNITS},
        "前",
        "後",
    ),
    _plain("おととい|一昨日", "2 days ago", _PAST),
    _plain("きのう", "yesterday", _PAST),
    _plain("あさって|明後日", "in 2 days", _FUTURE),
    _plain("あした", "tomorrow", _FUTURE),
    _plain("きょう", "today"),
    _in_week("(先週の?)", _KANJI_DAY, _KANJI, "last week", _PAST),
    _in_week("(来週の?)", _KANJI_DAY, _KANJI, "next week", _FUTURE),
    _in_week("((?:今週の?)?)", _KANJI_DAY, _KANJI, "today", _OPEN),
    _plain("先週", "last week", _PAST),
    _plain("来週", "next week", _FUTURE),
    _plain("先月", "last month", _PAST),
    _plain("来月", "next month", _FUTURE),
    _plain("昨年", "last year", _PAST),
    _plain("来年", "next year", _FUTURE),
)
_KOREAN_UNITS = {"일": "day", "주일": "week", "주": "week", "개월": "month", "달": "month", "년": "year"}
_KOREAN = (
    *_calendar("년", "월", "일"),
    *_counted(
        r"(주일|일|주|개월|달|년)",
        dict(sorted(_KOREAN_UNITS.items(), key=lambda unit: -len(unit[0]))),
        "전",
        "후",
        "([0-9]{1,3})",
    ),
    _plain("그저께|그제", "2 days ago", _PAST),
    _plain("어제", "yesterday", _PAST),
    _plain("모레", "in 2 days", _FUTURE),
    _plain("내일", "tomorrow", _FUTURE),
    _plain("오늘", "today"),
    _plain(r"지난\s?주", "last week", _PAST),
    _plain(r"다음\s?주", "next week", _FUTURE),
    _plain(r"지난\s?달", "last month", _PAST),
    _plain(r"다음\s?달", "next month", _FUTURE),
    _plain("작년", "last year", _PAST),
    _plain("내년", "next year", _FUTURE),
    _plain("올해", "this year"),
)


def _latin(days: str, months: str, *rules: tuple[str, str, Toward]) -> tuple[Rule, ...]:
    """Rules of a language in Latin or Cyrillic letters: its weekdays from Monday, its months, and phrases.

    In a pattern ``DAY`` and ``UNIT`` stand for the language's words, and ``N`` for a number.
    """
    return (
        tuple(
            Rule(re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE), phrase, toward)
            for pattern, phrase, toward in rules
        )
        + tuple(_named(days, _ENGLISH_DAYS, ""))
        + tuple(_named(months, _MONTH_NAMES, YEAR))
    )


_ENGLISH_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def _named(names: str, english: list[str], year: str) -> list[Rule]:
    rules = []
    for spelled, name in zip(names.split(), english, strict=True):
        if year:
            date = rf"(?<!\w)({DAY_OF_MONTH})\.? (?:de )?{spelled}"
            rules.append(
                Rule(re.compile(rf"{date},? (?:de )?({year})", re.IGNORECASE), rf"{name} \1, \2", complete=True)
            )
            rules.append(Rule(re.compile(rf"{date}(?!\w)", re.IGNORECASE), rf"{name} \1"))
            rules.append(
                Rule(re.compile(rf"(?<!\w)({spelled}),? (?:de )?({year})", re.IGNORECASE), rf"{name} \2", complete=True)
            )
        else:
            rules.append(Rule(re.compile(rf"(?<!\w)({spelled})(?!\w)", re.IGNORECASE), name))
    return rules


_GERMAN = (
    _plain("vorgestern", "2 days ago", _PAST),
    _plain(r"\b[Gg]estern\b", "yesterday", _PAST),
    _plain("[Üü]bermorgen", "in 2 days", _FUTURE),
    _plain(r"\bmorgen\b(?! früh)", "tomorrow", _FUTURE),
    _plain(r"\b[Hh]eute\b", "today"),
    *_latin(
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "januar februar märz april mai juni juli august september oktober november dezember",
        (r"(letzten?) woche", "last week", _PAST),
        (r"(nächsten?) woche", "next week", _FUTURE),
        (r"(letzten|vorigen) monat", "last month", _PAST),
        (r"(nächsten) monat", "next month", _FUTURE),
        (r"(letztes|voriges) jahr", "last year", _PAST),
        (r"(nächstes) jahr", "next year", _FUTURE),
        (r"vor ([0-9]{1,3}) tagen", r"\1 days ago", _PAST),
        (r"vor ([0-9]{1,3}) wochen", r"\1 weeks ago", _PAST),
        (r"vor ([0-9]{1,3}) monaten", r"\1 months ago", _PAST),
        (r"vor ([0-9]{1,3}) jahren", r"\1 years ago", _PAST),
    ),
    Rule(re.compile(rf"(?:im jahr|seit|in) ({YEAR})", re.IGNORECASE), r"\1", complete=True),
)
_FRENCH = (
    _plain("avant-hier", "2 days ago", _PAST),
    _plain(r"\b[Hh]ier\b", "yesterday", _PAST),
    _plain("après-demain", "in 2 days", _FUTURE),
    _plain(r"\b[Dd]emain\b", "tomorrow", _FUTURE),
    _plain("aujourd'hui", "today"),
    *_latin(
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        (r"la (semaine dernière)", "last week", _PAST),
        (r"la (semaine prochaine)", "next week", _FUTURE),
        (r"le (mois dernier)", "last month", _PAST),
        (r"le (mois prochain)", "next month", _FUTURE),
        (r"l'(ann?ée? dernière|an dernier)", "last year", _PAST),
        (r"l'(année prochaine|an prochain)", "next year", _FUTURE),
        (r"il y a ([0-9]{1,3}) jours", r"\1 days ago", _PAST),
        (r"il y a ([0-9]{1,3}) semaines", r"\1 weeks ago", _PAST),
        (r"il y a ([0-9]{1,3}) mois", r"\1 months ago", _PAST),
        (r"il y a ([0-9]{1,3}) ans", r"\1 years ago", _PAST),
    ),
    Rule(re.compile(rf"(?:en|depuis) ({YEAR})", re.IGNORECASE), r"\1", complete=True),
)
_SPANISH = (
    _plain("anteayer", "2 days ago", _PAST),
    _plain(r"\b[Aa]yer\b", "yesterday", _PAST),
    _plain("pasado mañana", "in 2 days", _FUTURE),
    _plain(r"(?<!la )(?<!por la )\bmañana\b", "tomorrow", _FUTURE),
    _plain(r"\b[Hh]oy\b", "today"),
    *_latin(
        "lunes martes miércoles jueves viernes sábado domingo",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        (r"la (semana pasada)", "last week", _PAST),
        (r"la (próxima semana|semana que viene)", "next week", _FUTURE),
        (r"el (mes pasado)", "last month", _PAST),
        (r"el (próximo mes|mes que viene)", "next month", _FUTURE),
        (r"el (año pasado)", "last year", _PAST),
        (r"el (próximo año|año que viene)", "next year", _FUTURE),
        (r"hace ([0-9]{1,3}) días", r"\1 days ago", _PAST),
        (r"hace ([0-9]{1,3}) semanas", r"\1 weeks ago", _PAST),
        (r"hace ([0-9]{1,3}) meses", r"\1 months ago", _PAST),
        (r"hace ([0-9]{1,3}) años", r"\1 years ago", _PAST),
    ),
    Rule(re.compile(rf"(?:en|desde) ({YEAR})", re.IGNORECASE), r"\1", complete=True),
)
_RUSSIAN = (
    _plain("(?i:позавчера)", "2 days ago", _PAST),
    _plain("(?i:вчера)", "yesterday", _PAST),
    _plain("(?i:послезавтра)", "in 2 days", _FUTURE),
    _plain("(?i:завтра)", "tomorrow", _FUTURE),
    _plain("(?i:сегодня)", "today"),
    *_latin(
        "понедельник вторник среду четверг пятницу субботу воскресенье",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        (r"(прошлой|на прошлой) неделе", "last week", _PAST),
        (r"(следующей|на следующей) неделе", "next week", _FUTURE),
        (r"(прошлом) месяце", "last month", _PAST),
        (r"(следующем) месяце", "next month", _FUTURE),
        (r"(прошлом) году", "last year", _PAST),
        (r"(следующем) году", "next year", _FUTURE),
    ),
    Rule(re.compile(rf"в ({YEAR}) году", re.IGNORECASE), r"\1", complete=True),
)

LANGUAGES = (
    (re.compile(r"[\u4e00-\u9fff]"), (*_calendar("年", "月", "[日号號]"), *_CHINESE)),
    (re.compile(r"[\u3040-\u30ff]"), _JAPANESE),
    (re.compile(r"[\uac00-\ud7af]"), _KOREAN),
    (re.compile(r"[\u0400-\u04ff]"), _RUSSIAN),
    (
        re.compile(
            r"(?<!\w)(?:ich|wir|und|der|die|das|ist|nicht|habe|mein|meine|am|im|zu|ein|eine|einen|mit|von|gestern|heute)(?!\w)",
            re.IGNORECASE,
        ),
        _GERMAN,
    ),
    (
        re.compile(
            r"(?<!\w)(?:je|j'|nous|est|ai|le|les|mon|ma|et|suis|au|une|des|du|avec|demain)(?!\w)", re.IGNORECASE
        ),
        _FRENCH,
    ),
    (
        re.compile(
            r"(?<!\w)(?:yo|el|mi|es|que|y|en|fui|voy|tengo|estoy|vamos|de|un|una|los|las|con|por|ayer)(?!\w)",
            re.IGNORECASE,
        ),
        _SPANISH,
    ),
)
"""What shows that a sentence may be in a language, and that language's rules."""
