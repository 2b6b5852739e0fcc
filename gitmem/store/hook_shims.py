"""The small scripts that git runs: each runs the user's own hook, then gitmem's with the interpreter of the install."""

from __future__ import annotations

import shlex

COMMIT_HOOKS = (
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "post-merge",
    "post-rewrite",
)
"""What ``hooks install`` puts where commits are made."""

SERVER_HOOKS = ("pre-receive",)
"""What ``hooks install --server`` puts where commits are pushed to."""

KEPT_SUFFIX = ".before-gitmem"
"""What a user's own hook is called while gitmem's stands in its place."""

_LOUD = frozenset({"pre-commit", "pre-merge-commit", "pre-receive"})
"""Hooks without which a commit would go unchecked: they fail where gitmem is gone. The others say so and go on."""

_AFTER = frozenset({"post-commit", "post-merge", "post-rewrite"})
"""Hooks that come too late to stop anything: the user's own is run, and gitmem's whatever that ended with."""

_FED = frozenset({"post-rewrite", "pre-receive"})
"""Hooks that git tells something on standard input, which two programs want to read."""

_MARK = "# gitmem hook: "
_BYPASS = {"pre-receive": "", "pre-merge-commit": ", or merge with --no-verify"}


def is_shim(data: bytes) -> bool:
    """Whether the bytes of a hook are such a script."""
    return f"\n{_MARK}".encode() in data[:200]


def interpreter_of(data: bytes) -> str | None:
    """The interpreter that a shim runs; ``None`` for what is no shim."""
    start = b"\npython="
    line = data.partition(start)[2].partition(b"\n")[0]
    return shlex.split(line.decode("utf-8", "surrogateescape"))[0] if is_shim(data) and line else None


def render_shim(hook: str, interpreter: str, *, shared: bool = False) -> str:
    """The script for one hook; in a ``shared`` folder it looks first whether the repository is a workspace at all."""
    lines = [
        "#!/bin/sh",
        f"{_MARK}{hook}",
        "# Written by `gitmem hooks install`; `gitmem hooks uninstall` puts back what stood here before.",
        f"python={shlex.quote(interpreter)}",
        f'own="${{0%/*}}/{hook}{KEPT_SUFFIX}"',
        *_own(hook),
        *(["git cat-file -e HEAD:.gitmem 2>/dev/null || exit ${status:-0}"] if shared else []),
        *_narrowed(hook),
        *_ours(hook),
    ]
    return "\n".join(lines) + "\n"


def _own(hook: str) -> list[str]:
    """The user's own hook first; what it ends with is what the hook ends with."""
    told = 'printf "%s\\n" "$lines" | ' if hook in _FED else ""
    lines = ["lines=$(cat)"] if hook in _FED else []
    if hook in _AFTER:
        return [*lines, "status=0", f'if [ -x "$own" ]; then {told}"$own" "$@" || status=$?; fi']
    return [*lines, f'if [ -x "$own" ]; then {told}"$own" "$@" || exit $?; fi']


def _narrowed(hook: str) -> list[str]:
    """Only a message that is given may be an amended one: an editor's start costs no start of Python."""
    return ['case "$2" in commit|message) ;; *) exit 0 ;; esac'] if hook == "prepare-commit-msg" else []


def _ours(hook: str) -> list[str]:
    told = 'printf "%s\\n" "$lines" | ' if hook in _FED else ""
    ends = "exit 1" if hook in _LOUD else "exit ${status:-0}"
    run = f'"$python" -P -c \'{_code(hook)}\' {hook} "$@"'
    after = [f"{told}{run}", "exit $status"] if hook in _AFTER else [f"{told}{run}" if told else f"exec {run}"]
    return [
        'if [ ! -x "$python" ]; then',
        f'    echo "gitmem: $python, which runs this hook, is gone; {_mend(hook)}" >&2',
        f"    {ends}",
        "fi",
        *after,
    ]


def _code(hook: str) -> str:
    """Start the hook, or say how to mend an interpreter that has lost gitmem; double quotes only, no backslash."""
    hurried = [] if hook in SERVER_HOOKS else ["import gc", "gc.disable()"]  # a tenth of the time, for so short a life
    lost = f'"gitmem: " + sys.executable + ", which runs this hook, has no gitmem any more; {_mend(hook)}"'
    return "\n".join(
        (
            "import sys",
            *hurried,
            "try:",
            "    from gitmem_hooks.__main__ import main",
            "except ModuleNotFoundError:",
            f"    sys.exit({lost})" if hook in _LOUD else f"    print({lost}, file=sys.stderr)",
            "else:",
            "    sys.exit(main(sys.argv[1:]))",
        )
    )


def _mend(hook: str) -> str:
    bypass = _BYPASS.get(hook, ", or commit with --no-verify") if hook in _LOUD else ""
    return f"run gitmem hooks install with the gitmem you have now{bypass}"
