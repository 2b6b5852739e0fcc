#!/usr/bin/env bash
# The main job, narrated, in a folder that is thrown away afterwards. Run it with `make demo`.
set -eu

say() { printf '\n\033[1m# %s\033[0m\n' "$*"; }
run() { printf '$ %s\n' "$*"; "$@"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

say "gitmem is installed"
run gitmem --version
