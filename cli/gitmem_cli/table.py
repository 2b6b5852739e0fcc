"""Every command, where it lives and its one line of help, so that start-up imports only the one that runs.

The order is that of ``gitmem --help``; a test holds each line against the command's own docstring.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: ``module`` is imported when it runs, and binds the command to the name ``command``."""

    module: str
    summary: str


SECTIONS: dict[str, dict[str, Entry]] = {
    "Workspace": {
        "init": Entry("gitmem_cli.commands.init", "Create a workspace."),
        "status": Entry(
            "gitmem_cli.commands.status", "Say how the memory stands: what it holds, what is being edited, what waits."
        ),
        "check": Entry(
            "gitmem_cli.commands.check",
            "Run the checks over the working directory, what is staged, a revision, a range, or all history.",
        ),
        "doctor": Entry(
            "gitmem_cli.commands.doctor",
            "Recover what an interrupted process left, verify objects, refs, index and views, and say what was done.",
        ),
        "hooks": Entry(
            "gitmem_cli.commands.hooks", "Have plain git keep the rules: install, remove or look at the git hooks."
        ),
        "maintain": Entry("gitmem_cli.commands.maintain", "Pack the repository, and let go of what is no longer kept."),
        "config": Entry("gitmem_cli.commands.config", "List, read or set the local settings."),
        "version": Entry("gitmem_cli.commands.version", "Say which gitmem this is and what it stands on."),
    },
    "Conversations": {
        "ingest": Entry("gitmem_cli.commands.ingest", "Read conversations or exports; again, nothing new comes in."),
        "turn": Entry(
            "gitmem_cli.commands.turn", "Add turns to conversations, list them, and choose where they go on."
        ),
        "write": Entry(
            "gitmem_cli.commands.write",
            "Fold the turns that wait into topics, each claim citing the message it came from.",
        ),
        "reorganize": Entry(
            "gitmem_cli.commands.reorganize",
            "Put the topics in order: split, merge, move, repair links, and drop what is obsolete.",
        ),
        "backfill": Entry("gitmem_cli.commands.backfill", "Write up every trusted message that no topic cites."),
        "promote": Entry("gitmem_cli.commands.promote", "Vouch for what others said, or list what waits for that."),
        "watch": Entry("gitmem_cli.commands.watch", "Write idle conversations, and have the nightly pass."),
    },
    "Editing": {
        "remember": Entry("gitmem_cli.commands.remember", "Write one claim with its evidence, in one transaction."),
        "update": Entry("gitmem_cli.commands.update", "Change topics by a patch, whole files or operations on blocks."),
        "edit": Entry("gitmem_cli.commands.edit", "Edit a topic with your editor, and commit what comes back."),
        "commit": Entry(
            "gitmem_cli.commands.commit", "Take what was typed into the files of the topics, in one transaction."
        ),
        "rm": Entry("gitmem_cli.commands.rm", "Delete blocks and whole topics."),
        "mv": Entry("gitmem_cli.commands.mv", "Move blocks under a heading of a topic, or rename topics."),
        "merge-blocks": Entry("gitmem_cli.commands.merge_blocks", "Fold blocks into one that says the same."),
        "forget": Entry(
            "gitmem_cli.commands.forget", "Erase messages for good, with everything that rests on them alone."
        ),
    },
    "Reading": {
        "search": Entry(
            "gitmem_cli.commands.search", "Find blocks and archived messages by what they say, best first."
        ),
        "grep": Entry("gitmem_cli.commands.grep", "Find exact lines of topics and archived messages."),
        "get": Entry("gitmem_cli.commands.get", "Read a file, a section, a block, or an archived message."),
        "browse": Entry("gitmem_cli.commands.browse", "List topics and archives with how much each holds."),
        "context": Entry(
            "gitmem_cli.commands.context",
            "Print exactly what a model would be given: the core and, with QUERY, what answers it.",
        ),
    },
    "History": {
        "log": Entry("gitmem_cli.commands.log", "List transactions, each with the claims it changed."),
        "show": Entry("gitmem_cli.commands.show", "Show one transaction with the claims it changed."),
        "diff": Entry("gitmem_cli.commands.diff", "Compare what two revisions say, claim by claim."),
        "why": Entry("gitmem_cli.commands.why", "Say what a claim rests on, word for word."),
        "history": Entry("gitmem_cli.commands.history", "Tell every version of a claim, oldest first."),
        "blame": Entry("gitmem_cli.commands.blame", "Say which commit made each claim what it is."),
        "restore": Entry("gitmem_cli.commands.restore", "Bring back the topics of an earlier revision."),
        "undo": Entry("gitmem_cli.commands.undo", "Take back one transaction, the last unless REV names another."),
        "autosave": Entry(
            "gitmem_cli.commands.autosave",
            "List and bring back the states that were kept, or keep what is not committed.",
        ),
    },
    "Serving": {
        "mcp": Entry(
            "gitmem_cli.commands.mcp", "Serve the memory over standard input and output, until the client goes."
        ),
    },
}

COMMANDS: dict[str, Entry] = {name: entry for entries in SECTIONS.values() for name, entry in entries.items()}

ALIASES: dict[str, str] = {"sleep": "reorganize"}
"""Other names of commands; they are not listed."""
