"""``python -m gitmem_cli`` is ``gitmem``: services name the interpreter that they were installed with."""

from __future__ import annotations

from gitmem_cli.main import main

if __name__ == "__main__":
    main()
