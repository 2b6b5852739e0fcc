"""How people are told what would be, or was, erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem_cli.shown import count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.forgetting.answers import ClaimCutAnswer, ForgetAnswer
    from gitmem.forgetting.proof import Proof

_MOST = 50
"""How many of a kind are listed."""


def plan_lines(answer: ForgetAnswer) -> Iterator[str]:
    """What goes, claim by claim, and what somebody has to decide."""
    archived = f"{count(answer.archived, 'archived message')}, {count(answer.turns, 'turn')}"
    yield f"{styled('would erase:', color='yellow')} {archived}, in {count(answer.versions, 'file version')}"
    yield from _few(f"  {styled(source)}" for source in answer.sources)
    yield from _unknown(answer)
    gone = [claim for claim in answer.claims if claim.after is None]
    changed = [claim for claim in answer.claims if claim.after is not None]
    yield from _section("claims that rest on them alone, and go:", gone)
    yield from _section("claims that lose a clause:", changed)
    yield from _section("claims that rest on other messages too, and may quote them:", answer.shared)


def forgetting_lines(answer: ForgetAnswer) -> Iterator[str]:
    """What was erased, and what was searched for what is left of it."""
    what = f"{count(answer.archived, 'archived message')}, {count(answer.turns, 'turn')}"
    claims = count(sum(1 for claim in (*answer.claims, *answer.shared) if claim.current), "claim")
    yield joined((styled("erased", color="yellow"), what, f"{claims} of the current memory changed or gone"))
    yield joined((styled("rewritten", dim=True), count(answer.commits, "commit"), count(len(answer.refs), "ref")))
    if answer.map is not None:
        yield joined((styled("map", dim=True), styled(f"gitmem/forget/{answer.map}"), "in the git directory"))
    if answer.differing:
        message = f"{count(answer.differing, 'commit')} became something else than where the map was made"
        yield styled(message, color="yellow")
    if answer.proof is not None:
        yield from _unknown(answer)
        yield from _proof(answer.proof, whole=not answer.words_unknown)


def _unknown(answer: ForgetAnswer) -> Iterator[str]:
    if answer.words_unknown:
        what = f"what {count(answer.words_unknown, 'message')} said is not known here"
        yield styled(f"{what}: only handle and anchor are searched for, not the words", color="yellow")


def _proof(proof: Proof, *, whole: bool) -> Iterator[str]:
    searched = f"{count(proof.objects, 'object')}, {count(proof.files, 'file')}, {proof.bytes:,} bytes"
    yield joined((styled("searched", dim=True), searched, f"for {count(proof.searched_for, 'text')}"))
    if proof.too_short:
        yield styled(f"{count(proof.too_short, 'message')} had no line long enough to be searched for", dim=True)
    if not proof.traces:
        yield styled("nothing of it was found" if whole else "neither handle nor anchor was found", color="green")
        return
    yield styled(f"still there in {count(len(proof.traces), 'place')}:", color="red")
    yield from _few(f"  {trace.kind}  {styled(trace.where)} ({trace.way_out})" for trace in proof.traces)


def _section(title: str, claims: Iterable[ClaimCutAnswer]) -> Iterator[str]:
    listed = tuple(claims)
    if listed:
        yield styled(title, bold=True)
        yield from _few(line for claim in listed for line in (_claim(claim),))


def _claim(claim: ClaimCutAnswer) -> str:
    when = None if claim.current else styled("(earlier)", dim=True)
    said = styled(claim.before if claim.after in {None, claim.before} else f"{claim.before} -> {claim.after}")
    return f"  {joined((styled(f'^{claim.id}', color='cyan'), styled(claim.path, dim=True), when, said))}"


def _few(lines: Iterable[str]) -> Iterator[str]:
    everything = list(lines)
    yield from everything[:_MOST]
    if len(everything) > _MOST:
        yield styled(f"  and {len(everything) - _MOST:,} more (--json lists all)", dim=True)
