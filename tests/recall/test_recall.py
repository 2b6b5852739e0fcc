"""What a model is given without asking (`behaviours.md` 8.15, 8.17, 16.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem import tokens
from gitmem.format.fence import fence, is_fenced
from tiers import HIDDEN, SEEN, Shared, share
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    return share(tmp_path_factory.mktemp("shared") / "w")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = make(tmp_path / "w")
    made.remember("Ada's tracker is due on Friday.", "core.md", time="2024-03-15")
    made.remember("Ada likes green tea.", "people/ada.md", time="2024-03-15")
    made.remember("Bob likes coffee.", "people/bob.md", time="2024-03-16")
    return made


def test_recall_tells_trusted_claims_with_handles(workspace: Workspace) -> None:
    answer = workspace.recall("who likes tea?")
    (best, *_) = answer.results
    assert best.content == "Ada likes green tea."
    assert is_fenced(answer.text)
    assert f"- 2024-03-15, topics/people/ada.md ^{best.id}: Ada likes green tea." in answer.text
    assert answer.revision == workspace.memory().revision


def test_a_message_that_a_told_claim_cites_is_not_told_again(workspace: Workspace) -> None:
    told = workspace.recall("Ada likes green tea").results
    assert [hit.kind for hit in told] == ["block", "block", "block"]
    assert told[0].content == "Ada likes green tea."


def test_nothing_found_is_nothing_told(workspace: Workspace) -> None:
    for query in ("", "   ", "xylophone"):
        assert (workspace.recall(query).results, workspace.recall(query).text) == ((), "")


def test_pending_is_left_out_and_what_is_hidden_too(shared: Shared) -> None:  # 8.15
    for reader in ("owner", "paired"):
        with shared.opened(reader) as memory:
            told = memory.recall("tea", k=10)
            assert {hit.trust_state for hit in told.results} == {"trusted"}
            blocks = shared.names(hit.id for hit in told.results if hit.kind == "block")
            assert blocks <= SEEN[reader] - {"stranger's"}
            assert (HIDDEN in told.text) is (reader == "owner")
            assert "stranger at" not in told.text


@pytest.mark.parametrize("k", [1, 2, 3])
def test_pending_results_take_no_place(shared: Shared, k: int) -> None:  # 8.15
    with shared.opened("owner") as memory:
        assert len(memory.recall("stranger tea", k=k).results) == k


def test_a_budget_is_kept(workspace: Workspace) -> None:
    assert workspace.recall("likes", max_tokens=1).results == ()
    whole, small = workspace.recall("Ada Bob likes"), workspace.recall("Ada Bob likes", max_tokens=60)
    assert 0 < len(small.results) < len(whole.results)
    assert tokens.count(small.text) <= 60 + tokens.count(fence("."))


def test_context_is_the_core_and_what_answers(workspace: Workspace) -> None:
    assert "due on Friday" in workspace.context().text
    assert "green tea" not in workspace.context().text
    answer = workspace.context("tea")
    assert "due on Friday" in answer.text
    assert "green tea" in answer.text
    assert answer.text.count("<memory-context>") == 1
    assert len(answer.blocks) == len(set(answer.blocks)) >= 2
    assert "tracker" not in workspace.context(at="HEAD~6").text


def test_a_paired_reader_is_given_the_shared_core(tmp_path: Path) -> None:
    from dataclasses import replace  # noqa: PLC0415

    from gitmem.authority import PAIRED  # noqa: PLC0415
    from gitmem.workspace import Workspace  # noqa: PLC0415
    from workspaces import ME, QUICK  # noqa: PLC0415

    made = make(tmp_path / "w")
    made.remember("The safe is behind the clock.", "core.md", time="2024-03-15")
    paired = Workspace.open(tmp_path / "w", replace(ME, authority=PAIRED), QUICK)
    assert paired.context().text == ""
    paired.remember("Eve likes tea.", "core.md", time="2024-03-15")
    assert "Eve likes tea." in paired.context().text
    assert "safe" not in paired.context("the safe behind the clock").text
    assert "safe" in Workspace.open(tmp_path / "w", ME, QUICK).context().text
