"""The Python snippet of a document and what it prints, in the fence after it."""
# ruff: noqa: INP001  (docs is a folder of documents, not a package)

from __future__ import annotations

import re
import subprocess
import sys
import tempfile

_SNIPPET = re.compile(
    r"^```python\n(.*?)^```$(?P<between>[^`]*)^```text\n(?P<shown>.*?)^```$", re.DOTALL | re.MULTILINE
)


def with_snippet_output(document: str) -> str:
    """The document with what its snippet prints now."""
    return _SNIPPET.sub(lambda found: f"```python\n{found[1]}```{found[2]}```text\n{_printed(found[1])}```", document)


def _printed(code: str) -> str:
    with tempfile.TemporaryDirectory(prefix="gitmem-docs-") as folder:
        done = subprocess.run(  # noqa: S603  (the document's own code)
            [sys.executable, "-c", code], cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
        return done.stdout + done.stderr
