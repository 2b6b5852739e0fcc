"""Git's configuration syntax, against git itself."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.format.git_config import ConfigSyntaxError, parse_git_config

if TYPE_CHECKING:
    from pathlib import Path

PIECES = ["[a]", '[a "b"]', "[A.B]", '[a "B\\"c\\\\"]', "[", "]", "\n", "\n", " ", "\t", "key", "K-2", "=", "=", "v"]
PIECES += ['"', "\\", "\\\n", "\\n", "\\t", '\\"', "#c", ";", "\r\n", "é", "x = 1\n", '[a"b"]', "\f"]


def by_git(path: Path) -> list[tuple[str, str | None]] | None:
    """What git reads, blanks in values made one kind (git's releases differ in what they keep of them)."""
    command = ["git", "config", "--no-includes", "-z", "--list", "--file", str(path)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        return None
    entries = (entry.partition("\n") for entry in done.stdout.decode().split("\0")[:-1])
    return [(key, re.sub(r"\s", " ", value) if separator else None) for key, separator, value in entries]


def by_us(text: str) -> list[tuple[str, str | None]] | None:
    try:
        settings = parse_git_config(text)
    except ConfigSyntaxError:
        return None
    return [(item.key, None if item.value is None else re.sub(r"\s", " ", item.value)) for item in settings]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n; at all\n",
        "\ufeff[a]\nb=c",
        '[a]b=c # comment\n\td = " x # y " ; z\n',
        "[a]\nb = one\\\n two\n",
        '[a]\nb = one \\\\ \\"two\\" \\n\\t\\b\n',
        '[a "Sub.Section"]\nb\n[A "sub"]\nB = 1\nb = 2\n',
        "[a.SUB]\nkey = value\n",
        "[a]\r\nb = c\r\nd = e\r\n",
        "[a]b=c\\",
        "[a]b",
        "b = 1",
        '[a]b = "open\n',
        '[a]b = "open',
        "[a]b = \\x\n",
        "[a]b c\n",
        "[a]b # comment\n",
        "[a]1b = c\n",
        "[a",
        "[a_b]\nc = d\n",
        '[a  \t"b"]c=d',
        '[a "b" ]c=d',
        "[a]\f\nb=c",
    ],
)
def test_a_file_is_read_as_git_reads_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config"
    path.write_bytes(text.encode())
    assert by_us(text) == by_git(path)


@settings(max_examples=60)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=10))
def test_any_mixture_is_read_as_git_reads_it(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    text = "".join(["[s]", *pieces])
    path = tmp_path_factory.getbasetemp() / "mixture"
    path.write_bytes(text.encode())
    assert by_us(text) == by_git(path)


@pytest.mark.parametrize(
    ("text", "line"), [("[a]\nb = 1\n[c\n", 3), ('[a]\nb = "x\n', 2), ("[a]\nb = x\n\tc d\n", 3), ("[a]\n\nb=\\q", 3)]
)
def test_a_fault_is_named_by_its_line(text: str, line: int) -> None:
    with pytest.raises(ConfigSyntaxError) as fault:
        parse_git_config(text)
    assert fault.value.line == line
