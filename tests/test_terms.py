"""Cutting text into search terms (`performance.md`, retrieval quality)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem import terms as module
from gitmem.terms import query_terms, terms

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.text(
    st.sampled_from("aAé'’ß _-1٣กำ字カﾞー한ㄱहि\u0301\u200d\ufe0f😀"), max_size=20
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("...", []),
        ("Ada's budgets", ["ada", "budget"]),
        ("Ada’s budgets", ["ada", "budget"]),
        ("'quoted' words", ["quot", "word"]),
        ("budget_tracker budget-tracker", ["budget", "tracker", "budget", "tracker"]),
        ("due 2024-04-15, v2", ["due", "2024", "04", "15", "v2"]),
        ("STRASSE Straße", ["strass", "strass"]),
        ("Ｆｕｌｌ ﬁne", ["full", "fine"]),
        ("co\u00adoperate", ["cooper"]),
        ("хорошие книги", ["хорош", "книг"]),
        ("हिन्दी", ["हिन्द"]),
        ("字", ["字"]),
        ("猫が好き", ["猫", "が", "好", "き", "猫が", "が好", "好き"]),
        ("ｶﾞｰﾄﾞ", ["ガ", "ー", "ド", "ガー", "ード"]),
        ("서울에", ["서", "울", "에", "서울", "울에"]),
        ("iPhone15を買う", ["iphone15", "を", "買", "う", "を買", "買う"]),
        ("ที่", ["ที่"]),
        ("日本 中国", ["日", "本", "日本", "中", "国", "中国"]),
    ],
)
def test_text_is_cut_by_the_rules_of_its_script(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("plan", "She planned the trip"),
        ("CAFÉ", "the cafe\u0301 on the corner"),
        ("天气", "今天天气很好"),
        ("猫", "黒猫を飼っている"),
        ("ラーメン", "昨日はラーメンを食べた"),
        ("서울", "서울에서 만났다"),
        ("집", "집에 간다"),
        ("อาหาร", "เขาชอบอาหารไทย"),
        ("ອາຫານ", "ລາວມັກອາຫານ"),
        ("ភ្នំពេញ", "ខ្ញុំរស់នៅភ្នំពេញ"),
        ("မြန်မာ", "သူသည်မြန်မာစကားပြောသည်"),
        ("книга", "новые книги"),
        ("दिल्ली", "वह दिल्ली में रहता है"),
        ("كتاب", "هذا الكتاب جديد"),
        ("βιβλία", "τα βιβλία μου"),
        ("ספר", "זה ספר חדש"),
    ],
)
def test_a_query_in_any_script_finds_its_text(query: str, text: str) -> None:
    wanted = set(query_terms(query))
    assert wanted
    assert wanted <= set(terms(text))


def test_a_query_leaves_out_function_words_and_single_characters_that_a_pair_holds() -> None:
    assert query_terms("What did Ada say about the budget?") == ["ada", "say", "budget"]
    assert query_terms("猫が好き") == ["猫が", "が好", "好き"]


def test_a_query_of_function_words_alone_keeps_them() -> None:
    assert query_terms("to be or not to be") == ["to", "be", "or", "not", "to", "be"]


@given(TEXTS)
def test_every_term_of_a_query_is_a_term_of_its_own_text(text: str) -> None:
    assert set(query_terms(text)) <= set(terms(text))
    assert bool(query_terms(text)) == bool(terms(text))


@given(TEXTS, TEXTS)
def test_what_stands_beside_a_text_does_not_change_its_terms(left: str, right: str) -> None:
    assert terms(f"{left} . {right}") == terms(left) + terms(right)


@given(TEXTS)
def test_terms_do_not_depend_on_normalization_or_case(text: str) -> None:
    expected = terms(text)
    assert terms(unicodedata.normalize("NFD", text)) == expected
    assert terms(unicodedata.normalize("NFKC", text)) == expected
    assert terms(text.casefold()) == expected


def test_the_stems_that_are_kept_stay_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_STEMS", 3)
    monkeypatch.setattr(module, "_stems", module._Stems())
    assert terms("one two three four five six") == ["one", "two", "three", "four", "five", "six"]
    assert len(module._stems) <= 3
