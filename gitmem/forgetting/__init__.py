"""Erasing messages for good: from the memory, from its whole history, and from everything git keeps beside it.

**Values.** What is erased is named by the SHA-256 of each handle and by nothing else (``Erased``): a frame, a link of
a footnote, a promotion and a turn can all be recognized by it. Whoever has the digests, the moment and the author can
therefore repeat the rewriting and comes to the same object ids; a server needs no more than that (``map_file``).

**What goes.** Frames and promotions of erased messages; footnotes that name nothing else; the prose that only such
footnotes close, clause by clause; blocks of which nothing is left, links to them, headings they leave empty; in derived
views the lines that show them; in commit messages the lines that name them; turns, whose successors follow the turn
before. Everything else keeps its bytes, and a commit of which nothing changes keeps its id. Prose that rests on other
messages too is the person's decision (``Shared``): nothing is decided by default.

**Order.** One lock is held throughout.

1. ``survey``: every file version of every commit that any ref, reflog of the stash, HEAD or index reaches is looked at
   once, by blob id; what is to be searched for at the end is collected.
2. ``objects``: the new blobs, trees, commits and tags are written. Nothing names them yet; a crash up to here leaves
   the old state and objects that are no secret.
3. ``journal``: one file says what moves where. From here on the erasing is finished by whoever comes next: ``gitmem
   doctor``, ``gitmem forget``. Other writers are told to wait.
4. ``refs``: branches, tags, autosaves, rescues, conversations, notes, copies of remotes, the stash, HEADs.
5. ``worktrees``: index and files of every worktree.
6. ``state``: reflogs, catalogue, proposals, events, ``rr-cache`` and whatever else quotes.
7. ``prune``: git repacks what is reachable and deletes the rest.
8. ``views``: the views of the current branch are rendered, in a commit of their own.
9. ``prove``: every object there is, every file of git's and of the worktrees, and every name is searched.
10. ``finish``: the journal goes; the map of old ids to new ones stays.

Doing a step again changes nothing, so an interrupted run is finished by doing every step from ``refs`` on again, or
all of them where a ref has moved meanwhile.
"""
