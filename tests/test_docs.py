"""The documents say what is so: commands, output, examples, links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gitmem.format.evidence import evidence_id
from gitmem.format.frame import scan_v2
from gitmem.format.topic import claims_of, parse_topic
from gitmem.format.trailers import parse_trailers
from gitmem.format.turn import parse_turn, render_turn
from gitmem.ids import TopicPath
from gitmem_cli.table import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "fixtures").rglob("*.md")])
SCRIPTS = sorted(path for path in (ROOT / "docs").iterdir() if path.suffix in {".py", ".sh"})
FORMAT = (ROOT / "docs" / "format.md").read_text("utf-8")
FENCES = re.compile(r"^```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def example(start: str) -> str:
    """The example of docs/format.md that begins like this."""
    (found,) = (text for text in FENCES.findall(FORMAT) if text.startswith(start))
    return str(found)


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    settings = {**os.environ, "PATH": programs, **environment}
    return subprocess.run(arguments, cwd=ROOT, env=settings, capture_output=True, encoding="utf-8", check=False)


# --- commands and what they print


def test_the_readme_shows_what_its_commands_and_its_snippet_print() -> None:
    done = run(sys.executable, "docs/render.py", "--check")
    assert done.returncode == 0, done.stderr


def test_the_demo_runs_without_settings_and_without_an_identity() -> None:
    done = run("bash", "docs/demo.sh")
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr}"
    assert "\x1b" not in done.stdout
    assert done.stdout.count("is the same as before.") == 3


def test_the_readme_names_every_command_and_no_other() -> None:
    table = (ROOT / "README.md").read_text("utf-8").split("<!-- commands:")[1].split("<!-- end -->")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == list(COMMANDS)


def test_the_reference_explains_every_command_and_no_other() -> None:
    headings = re.findall(r"^### gitmem ([a-z-]+)$", (ROOT / "docs" / "commands.md").read_text("utf-8"), re.MULTILINE)
    assert headings == list(COMMANDS)


def test_every_command_that_a_document_runs_exists() -> None:
    for document in [*DOCUMENTS, *SCRIPTS]:
        for name in re.findall(r"^(?:\$|run) gitmem (?!-)([a-z-]+)", document.read_text("utf-8"), re.MULTILINE):
            assert name in COMMANDS, f"{document.name} runs {name}"


def test_the_map_shows_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["id"] == "layers")
    built = {name.strip() for row in layers for name in row.split("|") if "(" not in name}
    rows = re.findall(r"^\| (.*?) \|", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), re.MULTILINE)
    assert built <= {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}


# --- examples of the format


def test_the_topic_of_the_format_is_one() -> None:
    topic = parse_topic(TopicPath("topics/projects/budget.md"), example("# Budget tracker"))
    (claim,) = claims_of(topic)
    assert not topic.defects
    assert claim.content == "The budget is 50k, and the tracker is due in December."
    first, second = "openprogram/sess-7f2a/msg_2f9b", "openprogram/sess-7f2a/msg_31c0"
    assert [cited.id for cited in claim.evidence] == [
        evidence_id("2026-08-09", [first]),
        evidence_id("2026-12", [first, second]),
    ]


def test_the_archive_of_the_format_is_one() -> None:
    archive = scan_v2("sources/openprogram/_v2/sess-7f2a.md", example("<!-- openprogram").encode())
    (record,) = archive.records
    assert archive.defect is None
    assert (record.speaker_id, record.speaker_trusted, record.handle) == (
        "7391",
        True,
        "openprogram/sess-7f2a/msg_2f9b",
    )
    assert f"#{record.anchor}" in example("# Budget tracker")


def test_the_turn_of_the_format_is_one() -> None:
    message = example("user Ada")
    assert render_turn(parse_turn(message)).message == message


def test_the_message_of_the_format_has_trailers() -> None:
    assert parse_trailers(example("memory: "))["Block-Added"] == ("01a1d075 topics/projects/budget.md",)


# --- the documents themselves


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(document: Path) -> None:
    text = document.read_text("utf-8")
    prose = re.sub(r"`[^`\n]*`", "", FENCES.sub("", text))
    for path, mark in re.findall(r"\]\((?![a-z]+:)([^)#\s]*)#?([^)\s]*)\)", prose):
        target = document.parent / path if path else document
        assert target.exists(), f"{document.name} links to {path}"
        if mark:
            headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
            assert mark in {heading.lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", [*DOCUMENTS, *SCRIPTS], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_document_knows_this_machine(document: Path) -> None:
    text = document.read_text("utf-8")
    assert str(ROOT) not in text
    assert not re.search(r"(?<![\w.])/(?:root|work|home/(?!mara\b)|tmp/(?!gitmem-demo))", text)


def test_every_conversation_of_the_fixtures_is_explained() -> None:
    folder = ROOT / "fixtures" / "conversations"
    explained = (folder / "README.md").read_text("utf-8")
    assert all(f"`{path.name}`" in explained for path in folder.iterdir() if path.suffix != ".md")
