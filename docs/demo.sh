#!/usr/bin/env bash
# The main job, whole and narrated, in a folder that is thrown away afterwards. Run it with `make demo`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/gitmem-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT

# A home without settings, a git without identity, a plain Python: what works here works for everybody.
for name in $(compgen -e | grep -E '^(GIT|XDG|PYTHON)' || true); do unset "$name"; done
export HOME="$work/home" GIT_CONFIG_NOSYSTEM=1 PAGER=cat GIT_PAGER=cat
mkdir "$HOME"
cp "$here"/fixtures/conversations/garden_project*.jsonl "$work"

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\033[1m' dim=$'\033[2m' plain=$'\033[0m'; else bold='' dim='' plain=''; fi

chapter() { printf '\n%s== %s ==%s\n' "$bold" "$1" "$plain"; }
say() { printf '\n'; printf "$dim# %s$plain\n" "$@"; }

# Arguments as one would type them.
typed() {
    local word
    printf '%s$' "$bold"
    for word in "$@"; do
        if [[ $word =~ ^[A-Za-z0-9_./:=@%+,~^-]+$ ]]; then printf ' %s' "$word"; else printf " '%s'" "$word"; fi
    done
    printf '%s\n' "$plain"
}

run() { typed "$@"; "$@" 2>&1; }

# A command that must end with the exit code $1, and does so in public.
run_exits() {
    local wanted=$1 status=0
    shift
    typed "$@"
    "$@" 2>&1 || status=$?
    printf '%s[exit %s]%s\n' "$dim" "$status" "$plain"
    [ "$status" -eq "$wanted" ] || { printf 'demo: exit %s was expected\n' "$wanted" >&2; exit 1; }
}

same() { [ "$2" = "$3" ] || { printf 'demo: %s changed\n' "$1" >&2; exit 1; }; printf '%s is the same as before.\n' "$1"; }

# The id of the one block of the topics whose line holds a text: the last word of that line.
block() { gitmem grep "$1" --path topics/ | sed -n '1s/.*\^//p'; }

everything() { { git for-each-ref; git status --porcelain; find . -path ./.git -prune -o -type f -exec sha256sum {} + | sort; } | sha256sum; }

chapter 'A conversation becomes memory'
say 'A workspace is a git repository of its own.'
cd "$work"
run gitmem init garden
cd garden
say 'Mara and Jonas plan a garden, with an assistant. The owner of this memory is Mara; she trusts Jonas.'
run gitmem ingest ../garden_project.jsonl --session garden/plot-12 --owner mara --paired jonas
say 'The embedded writer needs no model and no network. It keeps what was stated, in the words it was stated in,' \
    'and leaves out greetings, questions and thanks.'
run gitmem write --force

chapter 'Memory is plain files'
run find topics sources timeline -type f
say 'Each paragraph is a claim with an id; its footnotes say when it was true and which messages it rests on.'
run cat topics/people/jonas.md
say 'The messages themselves stand in archives that only ever grow.'
run sed -n 1,10p sources/garden/_v2/plot-12.md

chapter 'Finding a claim, and asking what it rests on'
run gitmem search 'when do tomatoes go outside' --topics-only -k 2
planting=$(block 'on 16 May')
say 'Why does the memory say that? Down to the message, word for word:'
run gitmem why "$planting"

chapter 'A month later: a plan has changed, and something is said again'
first=$(git rev-parse HEAD~1)
run gitmem ingest ../garden_project_may.jsonl --session garden/plot-12 --owner mara --paired jonas
run gitmem write --force
say 'What did the memory believe then that differs from now?'
run gitmem diff "${first:0:12}" --stat
say 'Both plans stand there. Mara folds the old one into the new one; its id keeps leading there.'
run gitmem merge-blocks "$(block 'to 23 May')" "$planting"
run gitmem history "$planting"

chapter 'Writing by hand'
run gitmem remember 'Tilda keeps the spare key of the shed.' --topic people/tilda --time 2026-05-11 \
    --quote 'Tilda rang: she has the spare key of the shed now.'
say 'An edit that brings text without evidence is refused, and nothing changes.'
before=$(everything)
printf '%s\n' '--- a/topics/people/tilda.md' '+++ b/topics/people/tilda.md' '@@ -1,2 +1,4 @@' \
    ' # Tilda' ' ' '+Tilda loves dahlias.' '+' > ../bad.diff
run cat ../bad.diff
run_exits 1 gitmem update --base HEAD --patch ../bad.diff
same 'Every ref and every file' "$before" "$(everything)"
say 'With its evidence, the same edit goes in.'
printf '%s\n' '--- a/topics/people/tilda.md' '+++ b/topics/people/tilda.md' '@@ -1,2 +1,6 @@' \
    ' # Tilda' ' ' '+Tilda loves dahlias.[^e1]' '+' '+[^e1]: Time: `2026-05-11`; Sources: [on the phone](new-source-1)' '+' \
    > ../good.diff
printf '%s\n' '[{"label": "new-source-1", "role": "user", "content": "Dahlias are her favourites, Tilda said."}]' \
    > ../said.json
run gitmem update --base HEAD --patch ../good.diff --sources ../said.json

chapter 'The history is git history'
run gitmem log -n 3
say 'The same in plain git: each change of memory, then its views.'
run git log --oneline
run git log -n 1 --format=%B HEAD~1

chapter 'Going back, and back again'
topics=$(git rev-parse HEAD:topics)
run gitmem restore "${first:0:12}"
say 'The topics are those of March and April again, every archived message is still there, and undo brings May back.'
run gitmem undo
same 'The tree of topics' "$topics" "$(git rev-parse HEAD:topics)"

chapter 'Everything still holds'
if gitmem check --help > /dev/null 2>&1; then run gitmem check --all; fi
run git fsck --no-dangling
run git status --short --branch
say 'Reading and writing the same conversations again changes nothing.'
before=$(everything)
run gitmem ingest ../garden_project.jsonl ../garden_project_may.jsonl \
    --session garden/plot-12 --owner mara --paired jonas
run gitmem write --force
same 'Every ref and every file' "$before" "$(everything)"
run gitmem status
