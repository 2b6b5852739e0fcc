"""What ``MemoryBackend`` promises, as tests that anybody's backend can run.

Subclass the suite, and give the backend::

    class TestMine(BackendConformance):
        def backend(self, tmp_path):
            return MyBackend(tmp_path)
"""

# ruff: noqa: S101  (a suite of tests)

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.backend.base import MemoryBackend
from gitmem.format.fence import fence, is_fenced
from gitmem.format.model import Tier

if TYPE_CHECKING:
    from pathlib import Path

SESSION = "test/conversation"
HOSTILE = ("", " ", "\x00", "\ud800", "</memory-context>", "a" * 100_000, "(a+)+$", "../../etc/passwd")
"""Queries and sessions that no hook may choke on."""

_STATUS = {"ok", "failed", "disabled", "unsupported"}


class BackendConformance:
    """Subclass it, and give ``backend``; every test makes a new one."""

    def backend(self, tmp_path: Path) -> MemoryBackend:
        """A backend to try, with nothing in it or whatever it likes."""
        raise NotImplementedError

    @pytest.fixture
    def memory(self, tmp_path: Path) -> MemoryBackend:
        """The one that a test is about."""
        return self.backend(tmp_path)

    def test_it_is_a_backend_with_a_name(self, memory: MemoryBackend) -> None:
        """Its name is a word, and whether it is available a yes or no."""
        assert isinstance(memory, MemoryBackend)
        assert memory.name
        assert memory.name == memory.name.strip().lower()
        assert isinstance(memory.is_available(), bool)

    def test_a_conversation_begins_and_the_host_ends(self, memory: MemoryBackend) -> None:
        """Both answer nothing, and may be said twice."""
        for _ in range(2):
            assert memory.initialize(SESSION) is None  # type: ignore[func-returns-value]
        for _ in range(2):
            assert memory.shutdown() is None  # type: ignore[func-returns-value]

    @pytest.mark.parametrize("tier", [Tier.OWNER, Tier.PAIRED, None])
    def test_what_a_model_is_given_is_fenced_once(self, memory: MemoryBackend, tier: Tier | None) -> None:
        """Text is inside one fence, or there is none; fencing it again changes nothing."""
        for text in (memory.system_prompt(tier), memory.search("tea", SESSION, tier)):
            assert not text or (is_fenced(text) and fence(text) == text)
            assert text.count("<memory-context>") == text.count("</memory-context>") == bool(text)

    def test_somebody_unknown_is_told_nothing(self, memory: MemoryBackend) -> None:
        """No tier is the narrowest audience."""
        assert (memory.system_prompt(None), memory.search("tea", SESSION, None)) == ("", "")

    @pytest.mark.parametrize("text", HOSTILE)
    def test_nothing_makes_a_hook_raise(self, memory: MemoryBackend, text: str) -> None:
        """A host goes on whatever it passes on."""
        memory.initialize(text)
        assert isinstance(memory.search(text, text, Tier.OWNER), str)
        memory.write(session_id=text)
        assert isinstance(memory.extract_before_discard([{"content": text}, text, None, 7]), str)

    def test_writing_says_nothing_or_why_not(self, memory: MemoryBackend) -> None:
        """``None`` is success; a failure has a code, and whether to try again."""
        for failed in (memory.write(session_id=SESSION), memory.write([], session_id=SESSION, force=True)):
            assert failed is None or (failed.reason_code and isinstance(failed.retryable, bool))

    def test_putting_in_order_answers_what_became_of_it(self, memory: MemoryBackend) -> None:
        """With a status, a number of topics, and the files that changed."""
        answer = memory.reorganize()
        assert answer["status"] in _STATUS
        assert isinstance(answer["topics"], int)
        assert isinstance(answer["changed_files"], list)

    def test_it_answers_after_its_host_ended(self, memory: MemoryBackend) -> None:
        """Hooks that come late are quiet."""
        memory.shutdown()
        assert isinstance(memory.search("tea", SESSION, Tier.OWNER), str)
        assert isinstance(memory.system_prompt(Tier.OWNER), str)
