from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING

import pytest

from stores import Store, make_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import ForkServerContext
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A repository with a working directory and one commit."""
    return make_store(tmp_path / "memory")


@pytest.fixture
def bare(tmp_path: Path) -> Store:
    """A bare repository with one commit."""
    return make_store(tmp_path / "memory.git", bare=True)


@pytest.fixture(scope="session")
def processes() -> ForkServerContext:
    """Processes that start in milliseconds: forked from a server that has imported the store already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["gitmem.store.initialize", "gitmem.store.publish"])  # slow ones
    return context


@pytest.fixture
def in_process(processes: ForkServerContext) -> Callable[..., int | None]:
    """Runs a function of a shared module in another process; its exit status, negative for a signal."""

    def run(function: Callable[..., None], *arguments: object) -> int | None:
        process = processes.Process(target=function, args=arguments)
        process.start()
        process.join(60)
        return process.exitcode

    return run
