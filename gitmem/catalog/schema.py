"""The tables of ``index.sqlite``; everything in them can be computed again from the repository (``architecture.md`` 4).

One database serves one HEAD: the main worktree's is ``index.sqlite``, a linked worktree has its own beside it. It holds
the facts of exactly one commit, the *manifest*'s, and the *chain* of its first parents. Moving it to another commit is
always a difference of two trees, so that no document in it is ever hidden by being of another time.

``claim`` and ``record`` share the space of document ids, which search's postings name. Keys that are called ``…_key``
are 64-bit hashes of longer texts; what they lead to is compared with the text before it is believed.
"""

from __future__ import annotations

VERSION = 3
"""Counts up whenever a table, a packed value or the choice of a document's text changes; others are rebuilt."""

DOCUMENTS_PER_CHUNK = 1024
"""Postings and document columns are packed by runs of so many document ids: what one changed document rewrites."""

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- the manifest: one row for each file that contributes facts
CREATE TABLE file (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    blob TEXT NOT NULL,
    kind INTEGER NOT NULL,
    known_length INTEGER NOT NULL DEFAULT 0, -- append-only files: bytes that were read, and their digest
    known_digest BLOB
);

-- topics
CREATE TABLE claim (
    doc INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    line INTEGER NOT NULL,
    data TEXT NOT NULL -- all else that the claim says, as JSON
);
CREATE INDEX claim_place ON claim (file, ordinal);
CREATE TABLE ident (id TEXT, doc INTEGER, own INTEGER NOT NULL, PRIMARY KEY (id, doc)) WITHOUT ROWID;
CREATE TABLE link (
    target TEXT,
    doc INTEGER,
    own TEXT NOT NULL, -- the linking claim's id
    file INTEGER NOT NULL,
    PRIMARY KEY (target, doc)
) WITHOUT ROWID;
CREATE TABLE reach (path TEXT, doc INTEGER, PRIMARY KEY (path, doc)) WITHOUT ROWID;
CREATE TABLE cite (target_key INTEGER, doc INTEGER, PRIMARY KEY (target_key, doc)) WITHOUT ROWID;
CREATE TABLE dated (moment TEXT, doc INTEGER, PRIMARY KEY (moment, doc)) WITHOUT ROWID;
CREATE TABLE meaning (
    id TEXT,
    file INTEGER,
    meaning_key INTEGER,
    uses INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (id, file, meaning_key)
) WITHOUT ROWID;
CREATE INDEX meaning_by_key ON meaning (meaning_key);

-- sources
CREATE TABLE record (
    doc INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    handle_key INTEGER NOT NULL,
    target_key INTEGER NOT NULL,
    speaker INTEGER,
    day TEXT, -- of the timestamp, where it has one
    framed INTEGER NOT NULL,
    pending_frame INTEGER NOT NULL, -- what its own metadata says
    pending INTEGER NOT NULL DEFAULT 0, -- and after promotions
    cited INTEGER NOT NULL DEFAULT 1,
    hidden INTEGER NOT NULL DEFAULT 0, -- a legacy record whose handle a frame has
    data TEXT NOT NULL
);
CREATE INDEX record_place ON record (file, ordinal);
CREATE INDEX record_handle ON record (handle_key);
CREATE INDEX record_target ON record (target_key);
CREATE INDEX record_speaker ON record (speaker) WHERE speaker IS NOT NULL;
CREATE INDEX record_day ON record (day) WHERE day IS NOT NULL;
CREATE INDEX record_uncited ON record (doc) WHERE cited = 0 AND pending = 0 AND hidden = 0;
CREATE INDEX record_legacy ON record (doc) WHERE framed = 0;
CREATE INDEX record_pending ON record (doc) WHERE pending = 1 AND hidden = 0;
CREATE TABLE speaker (
    id INTEGER PRIMARY KEY,
    ident TEXT,
    display TEXT,
    label TEXT NOT NULL,
    trusted INTEGER NOT NULL
);
CREATE INDEX speaker_label ON speaker (label);
CREATE TABLE promoted (handle TEXT PRIMARY KEY, tier TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE forgotten (digest TEXT PRIMARY KEY) WITHOUT ROWID;

-- search
CREATE TABLE term (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE,
    blocks INTEGER NOT NULL, -- how many documents hold it
    sources INTEGER NOT NULL
);
CREATE TABLE posting (term INTEGER, chunk INTEGER, data BLOB NOT NULL, PRIMARY KEY (term, chunk)) WITHOUT ROWID;
CREATE TABLE document (doc INTEGER PRIMARY KEY, terms BLOB NOT NULL); -- what to take out of the postings with it
CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL,
    kinds BLOB NOT NULL,
    files BLOB NOT NULL,
    ordinals BLOB NOT NULL,
    lengths BLOB NOT NULL
);
-- how many terms so many documents hold; kind 0: of both kinds together
CREATE TABLE spread (
    kind INTEGER,
    frequency INTEGER,
    terms INTEGER NOT NULL,
    PRIMARY KEY (kind, frequency)
) WITHOUT ROWID;
CREATE TABLE total (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

-- the chain of first parents
CREATE TABLE chain (
    seq INTEGER PRIMARY KEY,
    oid TEXT NOT NULL UNIQUE,
    derive INTEGER NOT NULL,
    created INTEGER NOT NULL -- how many block ids had ever appeared when it was made
);
CREATE TABLE event (
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL, -- a block's or, for 'archived', a source's handle
    path TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    other TEXT
);
CREATE INDEX event_seq ON event (seq);
CREATE INDEX event_id ON event (id, seq);
CREATE TABLE touched (path TEXT, seq INTEGER, PRIMARY KEY (path, seq)) WITHOUT ROWID;
CREATE INDEX touched_seq ON touched (seq);
CREATE TABLE block (
    created INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    standing INTEGER NOT NULL -- claims of the manifest whose own id it is
);
CREATE INDEX block_standing ON block (created) WHERE standing > 0;
"""
