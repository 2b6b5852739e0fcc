"""The embedded writer carries an older memory's core over (behaviours.md 11.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.ids import TopicPath
from workspaces import make, reopened

if TYPE_CHECKING:
    from pathlib import Path

OLD = """# Memory

Ada is the name of my dog.[^e1] ^aaaa1111

## Preferences

- I prefer [short answers](topics/style.md#^bbbb2222).
* Call me Cy
- I prefer [short answers](topics/style.md#^bbbb2222).

[^e1]: nobody knows
```
"""


def test_every_line_comes_back_as_a_claim_of_the_core(tmp_path: Path) -> None:  # behaviours.md 11.2
    (tmp_path / "old" / "topics").mkdir(parents=True)
    (tmp_path / "old" / "core.md").write_text(OLD)
    workspace = make(tmp_path / "w", adopt=tmp_path / "old")
    answer = workspace.backfill()
    assert (answer.status, answer.candidates, answer.processed) == ("ok", 1, 1)
    claims = reopened(tmp_path / "w").memory().facts.of_topic(TopicPath("topics/core.md"))
    assert [(claim.headings, claim.content, claim.whens) for claim in claims] == [
        (("Core",), "Ada is the name of my dog.", ()),
        (("Core", "Preferences"), "I prefer short answers.", ()),
        (("Core", "Preferences"), "Call me Cy", ()),
    ]
    for claim in claims:
        assert claim.content in (tmp_path / "w/core.md").read_text()
    assert workspace.check(all_history=True).ok
    assert workspace.backfill().candidates == 0
