"""Sections of git's configuration file, as git reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict
from gitmem.store.local_config import put_sections, remove_sections, section_names

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git

OWN = ("merge", "gitmem-test")
TEXT = '[core]\n\tbare = false ; said by hand\n[merge "gitmem-other"]\n\tdriver = false\n# the end'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "config").write_text(TEXT)
    return tmp_path / "config"


@pytest.mark.parametrize("value", ["true", "'/a b/python' -P %O", 'say "#; \\ ü', "^ {0,3}#{1,6} .*$", "two\nlines\t."])
def test_git_reads_what_was_put(config: Path, git: Git, value: str) -> None:
    put_sections(config, {OWN: {"driver": value}})
    assert git(config.parent, "config", "-f", "config", "merge.gitmem-test.driver") == value
    assert git(config.parent, "config", "-f", "config", "merge.gitmem-other.driver") == "false"
    assert config.read_text().startswith(TEXT)


def test_put_twice_it_stands_once_and_taken_out_nothing_is_left(config: Path) -> None:
    for value in ("one", "two"):
        put_sections(config, {OWN: {"driver": value}})
    assert config.read_text() == f'{TEXT}\n[merge "gitmem-test"]\n\tdriver = "two"\n'
    assert section_names(config) == (("merge", "gitmem-other"), OWN)
    remove_sections(config, [OWN, ("merge", "never")])
    assert config.read_text() == f"{TEXT}\n"


def test_a_section_goes_with_all_its_lines_and_no_others(config: Path) -> None:
    config.write_text('[merge "gitmem-test"]\n\tdriver = a\\\n b\n\n[merge "gitmem-testing"]\n\tdriver = c\n')
    remove_sections(config, [OWN])
    assert config.read_text() == '[merge "gitmem-testing"]\n\tdriver = c\n'


def test_a_file_that_somebody_else_writes_is_left_alone(config: Path) -> None:
    lock = config.with_name("config.lock")
    lock.touch()
    with pytest.raises(Conflict) as refused:
        put_sections(config, {OWN: {"driver": "true"}})
    assert refused.value.code is Code.REPOSITORY_BUSY
    assert (config.read_text(), lock.exists()) == (TEXT, True)
    lock.unlink()
    config.chmod(0o640)
    put_sections(config, {OWN: {"driver": "true"}})
    assert config.stat().st_mode & 0o777 == 0o640
    assert not lock.exists()


def test_where_nothing_is_nothing_is_removed(tmp_path: Path) -> None:
    remove_sections(tmp_path / "config", [OWN])
    assert not (tmp_path / "config").exists()
    put_sections(tmp_path / "config", {OWN: {"driver": "true"}})
    assert (tmp_path / "config").read_text() == '[merge "gitmem-test"]\n\tdriver = "true"\n'
