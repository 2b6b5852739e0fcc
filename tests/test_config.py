"""Local settings (`architecture.md` section 2, `behaviours.md` 0.14, 0.25, 16.9)."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.config import (
    DEFAULTS,
    SETTINGS,
    Config,
    Kind,
    Setting,
    check_value,
    setting,
    spelled,
    value_of,
)
from gitmem.errors import Code, InvalidRequest

BY_KEY = {known.key: known for known in SETTINGS}


def refusal(key: str, value: str) -> InvalidRequest:
    with pytest.raises(InvalidRequest) as caught:
        check_value(key, value)
    return caught.value


def test_every_field_has_a_setting_and_every_setting_a_field() -> None:
    fields = [field.name for field in dataclasses.fields(Config) if field.name != "warnings"]
    assert fields == [known.field for known in SETTINGS]


def test_nothing_set_gives_the_defaults_without_a_warning() -> None:
    assert Config.from_mapping({}) == DEFAULTS == Config()


@pytest.mark.parametrize("known", SETTINGS, ids=lambda known: known.key)
def test_a_default_is_a_value_that_the_setting_allows(known: Setting) -> None:
    assert check_value(known.key, spelled(known.default)) == spelled(known.default)
    assert known.parse(spelled(known.default)) == known.default


def test_values_are_read_into_their_types() -> None:
    config = Config.from_mapping(
        {
            "gitmem.backend": "NONE",
            "gitmem.fsync": "off",
            "gitmem.lock.timeout": "1.5",
            "gitmem.search.topK": "7",
            "gitmem.writer.maxRemovedShare": ".25",
        }
    )
    assert config == Config(
        backend="none", fsync=False, lock_timeout=1.5, search_top_k=7, writer_max_removed_share=0.25
    )


def test_section_and_name_match_in_any_case_as_git_prints_them() -> None:
    config = Config.from_mapping({"GitMem.writer.triggertokens": "2000", "GITMEM.FSYNC": "false"})
    assert (config.writer_trigger_tokens, config.fsync, config.warnings) == (2000, False, ())


def test_the_part_between_section_and_name_matches_exactly_as_in_git() -> None:
    config = Config.from_mapping({"gitmem.Lock.timeout": "1"})
    assert config.lock_timeout == DEFAULTS.lock_timeout
    assert "gitmem.lock.timeout" in config.warnings[0]


def test_keys_of_other_programs_are_none_of_its_business() -> None:
    assert Config.from_mapping({"user.name": "Ada", "gitmemory.backend": "none"}) == DEFAULTS


# behaviours.md 16.9: defaulted by the loader, rejected by the setter; 0.25: 1,000 to 200,000
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gitmem.backend", "no name"),
        ("gitmem.fsync", "maybe"),
        ("gitmem.fsync", "2"),
        ("gitmem.lock.timeout", "-1"),
        ("gitmem.lock.timeout", "nan"),
        ("gitmem.lock.timeout", "1e3"),
        ("gitmem.lock.timeout", "601"),
        ("gitmem.search.topK", "0"),
        ("gitmem.search.topK", "11"),
        ("gitmem.search.topK", "true"),
        ("gitmem.search.topK", "5.0"),
        ("gitmem.search.topK", ""),
        ("gitmem.writer.triggerTokens", "999"),
        ("gitmem.writer.triggerTokens", "200001"),
        ("gitmem.writer.triggerTokens", "16_000"),
        ("gitmem.writer.triggerTokens", "١٦٠٠٠"),
        ("gitmem.writer.maxRemovedShare", "1.01"),
        ("gitmem.writer.maxRemovedShare", "."),
    ],
)
def test_a_bad_value_is_defaulted_by_the_loader_and_rejected_by_the_setter(key: str, value: str) -> None:
    config = Config.from_mapping({key: value})
    assert dataclasses.replace(config, warnings=()) == DEFAULTS
    assert len(config.warnings) == 1
    assert key in config.warnings[0]
    error = refusal(key, value)
    assert error.code is Code.INVALID_ARGUMENT
    assert error.details == {"key": key, "value": value}
    assert BY_KEY[key].allowed in error.message


@pytest.mark.parametrize("value", ["1000", "8000", "12345", "200000"])
def test_any_threshold_from_1000_to_200000_is_taken(value: str) -> None:  # behaviours.md 0.25
    assert check_value("gitmem.writer.triggerTokens", value) == value


@pytest.mark.parametrize(
    ("key", "value", "stored"),
    [
        ("gitmem.fsync", "Yes", "true"),
        ("gitmem.fsync", "0", "false"),
        ("gitmem.lock.timeout", " 5.0 ", "5"),
        ("gitmem.search.topk", "+3", "3"),
        ("gitmem.search.method", "BM25", "bm25"),
    ],
)
def test_a_good_value_is_stored_in_one_spelling(key: str, value: str, stored: str) -> None:
    assert check_value(key, value) == stored


def test_an_unknown_key_is_rejected_with_the_nearest_one() -> None:
    with pytest.raises(InvalidRequest, match=r"gitmem\.search\.topK") as caught:
        setting("gitmem.search.topN")
    assert caught.value.details == {"key": "gitmem.search.topN"}
    assert "Did you mean" not in refusal("gitmem.zzz", "1").message


def test_a_budget_in_money_that_nothing_could_keep_is_refused() -> None:  # behaviours.md 10.14
    with pytest.raises(InvalidRequest):
        setting("gitmem.writer.maxBudgetUsd")


def test_an_unknown_key_is_a_warning_for_the_loader() -> None:
    assert len(Config.from_mapping({"gitmem.zzz": "1"}).warnings) == 1


def test_what_is_allowed_is_said_in_words() -> None:
    assert BY_KEY["gitmem.fsync"].allowed == "true or false"
    assert BY_KEY["gitmem.backend"].allowed == "a name of letters, digits, dashes and underscores"
    assert BY_KEY["gitmem.search.topK"].allowed == "an integer from 1 to 10"
    assert BY_KEY["gitmem.writer.maxRemovedShare"].allowed == "a number from 0 to 1"


@given(st.dictionaries(st.sampled_from([*BY_KEY, "gitmem.x", "other.y"]), st.text(max_size=12)))
def test_loading_never_raises_and_only_ever_yields_allowed_values(mapping: dict[str, str]) -> None:
    config = Config.from_mapping(mapping)
    for known in SETTINGS:
        value = value_of(config, known)
        assert isinstance(value, bool) == (known.kind is Kind.SWITCH)
        assert known.parse(spelled(value)) == value
