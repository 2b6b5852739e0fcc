"""``gitmem turn``: conversations turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import group, json_option
from gitmem_cli.inputs import STDIN, read_text
from gitmem_cli.opening import open_workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.conversations.added import AddedAnswer
    from gitmem.conversations.listing import BranchesAnswer, SessionsAnswer, TurnAnswer
    from gitmem_cli.invocation import Invocation

EXITS = (1, 3, 4, 5, 7)


@group(
    "turn",
    examples=[
        "gitmem turn add chat/today 'I moved to Basel.'",
        "gitmem turn list",
        "gitmem turn branches chat/today",
    ],
    exits=EXITS,
)
def command() -> None:
    """Add turns to conversations, list them, and choose where they go on.

    SESSION is provider/thread. `gitmem ingest` reads whole conversations in; `gitmem write` folds the turns that wait
    into topics.
    """


@declare(
    "add",
    examples=[
        "gitmem turn add chat/today 'I moved to Basel.'",
        "gitmem turn add chat/today --role assistant --id a2 - < answer.txt",
        "gitmem turn add chat/today --parent a2 --speaker-id 7391 --speaker Ada 'Zurich, I mean.'",
    ],
    exits=EXITS,
)
@click.argument("session")
@click.argument("text", metavar="TEXT|-")
@click.option("--id", "turn_id", metavar="I", help="The turn's id.  [default: a hash of content and place]")
@click.option("--parent", metavar="I", help="The turn it follows; '' begins anew.  [default: the current head]")
@click.option(
    "--role",
    metavar="R",
    type=click.Choice(("user", "assistant", "tool", "system")),
    default="user",
    show_default=True,
    help="user, assistant, tool or system.",
)
@click.option("--speaker-id", metavar="X", help="Who says it, by the id on their platform.")
@click.option("--speaker", metavar="D", help="Who says it, by name.")
@click.option("--at", metavar="T", help="When, as an ISO date or time.  [default: now]")
@click.option("--pending", is_flag=True, help="Nobody vouches for it: it is kept, and no topic cites it.")
@json_option
def add(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    session: str,
    text: str,
    *,
    turn_id: str | None,
    parent: str | None,
    role: str,
    speaker_id: str | None,
    speaker: str | None,
    at: str | None,
    pending: bool,
    as_json: bool,
) -> None:
    """Keep one turn as it was said, and go on from it.

    - reads it from standard input, byte for byte. A parent that is not the head forks the conversation there: a retry,
    or an earlier message in other words. The same id with the same content again changes nothing.

    You vouch for what you add and what answers it. The first person who is named in a conversation counts as you;
    another is pending, unless an earlier turn says who vouches for them. An answer counts as what it answers.
    """
    content = read_text(invocation, text, "TEXT") if text == STDIN else text
    if not content.strip():
        message = "there is no text; a turn is what somebody said"
        raise click.UsageError(message)
    answer = open_workspace(invocation).add_turn(
        session,
        content,
        id=turn_id,
        parent=parent,
        role=role,
        speaker_id=speaker_id,
        speaker_display=speaker,
        timestamp=at,
        pending=pending,
    )
    if as_json:
        render.document(answer)
    else:
        _show_added(answer)


@declare(
    "list",
    examples=[
        "gitmem turn list",
        "gitmem turn list chat/today --unwritten",
        "gitmem turn list chat/today --branch a2 --json",
    ],
    exits=EXITS,
)
@click.argument("session", required=False)
@click.option("--branch", metavar="B", help="One of its branches.  [default: the current head's]")
@click.option("--unwritten", is_flag=True, help="Only what is still to be written.")
@json_option
def list_turns(
    invocation: Invocation, session: str | None, *, branch: str | None, unwritten: bool, as_json: bool
) -> None:
    """List conversations with their live branches, or the turns of a branch, oldest first."""
    if session is None and branch is not None:
        message = "--branch is a branch of a conversation: name its SESSION"
        raise click.UsageError(message)
    workspace = open_workspace(invocation)
    if session is None:
        sessions = workspace.turn_sessions(unwritten=unwritten)
        if as_json:
            render.document(sessions)
        else:
            render.table(("session", "branch", "head", "turns", "pending"), _session_rows(sessions))
        return
    answer = workspace.turns(session, branch=branch, unwritten=unwritten)
    if as_json:
        render.document(answer)
    else:
        render.table(("id", "who", "at", "state", "content"), map(_turn_row, answer.turns))


@declare(
    "branches",
    examples=[
        "gitmem turn branches chat/today",
        "gitmem turn branches chat/today --head a2",
        "gitmem turn branches chat/today --archive a2 --json",
    ],
    exits=EXITS,
)
@click.argument("session")
@click.option("--head", metavar="B", help="Go on from this branch, which is main then.")
@click.option("--archive", metavar="B", help="Keep this branch and write nothing of it; --head makes it live again.")
@json_option
def branches(invocation: Invocation, session: str, *, head: str | None, archive: str | None, as_json: bool) -> None:
    """List the branches of a conversation, the current head first, or choose among them."""
    workspace = open_workspace(invocation)
    if head is not None:
        workspace.choose_head(session, head)
    if archive is not None:
        workspace.archive_branch(session, archive)
    answer = workspace.branches(session)
    if as_json:
        render.document(answer)
    else:
        render.table(("branch", "head", "turns", "pending", "state"), _branch_rows(answer))


for _subcommand in (add, list_turns, branches):
    command.add_command(_subcommand)


def _show_added(answer: AddedAnswer) -> None:
    verb = "added" if answer.new else "unchanged:"
    place = answer.session if answer.branch in (None, "main") else f"{answer.session} ({answer.branch})"
    render.line(render.one_line(f"{verb} {answer.id} of {place}"))
    if answer.trust_state == "pending":
        render.note("it is pending: nobody vouches for it, so it is kept, and no topic cites it")


def _session_rows(answer: SessionsAnswer) -> Iterator[tuple[str, ...]]:
    for session in answer.sessions:
        for branch in session.branches:
            yield session.session, branch.name, branch.head, f"{branch.turns:,}", f"{branch.pending:,}"


def _turn_row(turn: TurnAnswer) -> tuple[str, ...]:
    from gitmem.format.speaker import speaker_label  # noqa: PLC0415 (only for people)
    from gitmem.format.text import excerpt  # noqa: PLC0415

    who = speaker_label(turn.speaker_display, turn.speaker_id, turn.role)
    state = "written" if turn.written else "waits" if turn.eligible else "kept"
    return turn.id, who, turn.timestamp or "undated", state, excerpt(turn.content)


def _branch_rows(answer: BranchesAnswer) -> Iterator[tuple[str, ...]]:
    for place, branch in enumerate(answer.branches):
        state = "archived" if branch.archived else "current" if place == 0 else "live"
        yield branch.name, branch.head, f"{branch.turns:,}", f"{branch.pending:,}", state
