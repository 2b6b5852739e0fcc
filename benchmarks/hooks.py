"""H1: what each git hook adds to a commit of one edited topic, against the start of Python with libgit2 alone."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from benchmarks.bench import Measure, timed
from gitmem.store.hook_files import install_hooks, uninstall_hooks
from gitmem.store.hook_shims import COMMIT_HOOKS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from benchmarks.writing import Bench

ROUNDS = 25
LIMIT = 1.5
_FLOOR = (sys.executable, "-c", "import pygit2")


def measure_hooks(bench: Bench) -> list[Measure]:
    """Each hook as git runs it, script included; the least of many rounds, since nothing but noise makes one slower.

    An edited topic is staged. ``post-*`` hooks find views that are fresh: rendering is the work of another process.
    """
    folder = bench.folder
    hooks = bench.workspace.repo.common_dir / "hooks"
    install_hooks(bench.workspace.repo, hooks, sys.executable)
    bench.workspace.memory()
    _stage_an_edit(bench)
    try:
        calls = {name: _call(folder, hooks / name) for name in COMMIT_HOOKS}
        found: dict[str, list[float]] = {name: [] for name in (*calls, "")}
        for _ in range(ROUNDS):
            found[""].append(timed(lambda: _run(_FLOOR, folder)))
            for name, call in calls.items():
                found[name].append(timed(call))
    finally:
        _git(folder, "reset", "-q", "--hard")
        uninstall_hooks(bench.workspace.repo, hooks)
    where = f", {bench.workload.blocks:,} blocks"
    floor = min(found.pop(""))
    return [
        Measure("H1", f"{name}{where}", min(times), "python -c 'import pygit2'", floor, LIMIT)
        for name, times in found.items()
    ]


def _stage_an_edit(bench: Bench) -> None:
    path = bench.folder / bench.workload.topic_path(bench.workload.blocks // 2)
    text = path.read_text("utf-8")
    path.write_text(text.replace(".[^", ", they say.[^", 1), "utf-8")
    _git(bench.folder, "add", "--", str(path))


def _call(folder: Path, hook: Path) -> Callable[[], None]:
    """The hook with the arguments and the input that git gives it in ``git commit -m``."""
    message = folder / ".git" / "COMMIT_EDITMSG"
    arguments = {
        "prepare-commit-msg": (str(message), "message"),
        "commit-msg": (str(message),),
        "post-merge": ("0",),
        "post-rewrite": ("amend",),
    }.get(hook.name, ())
    head = _git(folder, "rev-parse", "HEAD", "HEAD~1").split()
    told = f"{head[1]} {head[0]}\n" if hook.name == "post-rewrite" else ""

    def run() -> None:
        message.write_text("A subject\n", "utf-8")
        _run((str(hook), *arguments), folder, told)

    return run


def _run(command: Sequence[str], folder: Path, told: str = "") -> None:
    subprocess.run(
        command, cwd=folder, check=True, input=told, encoding="utf-8", stdout=subprocess.DEVNULL, env=_environment()
    )


def _environment() -> Mapping[str, str]:
    """As where gitmem is installed: with its bytecode."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, encoding="utf-8", env=_environment()
    ).stdout
