"""Keys and tokens are found in what a change adds, whatever stands around them (`architecture.md` section 5)."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archives import ARCHIVE, archive
from gitmem.checks import secrets
from gitmem.checks.secret_detectors import secrets_in
from gitmem.checks.secret_shapes import SHAPES, suspects
from gitmem.config import Config
from gitmem.errors import Severity
from gitmem.policy.secrets import SecretPolicy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.errors import Finding

ADA = "topics/people/ada.md"
CHANCE = random.Random(7)  # noqa: S311  (nothing is secret)


def some(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(CHANCE.choice(alphabet) for _ in range(count))


def jwt() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234", "name": "Ada"})
    return ".".join(base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts)


UPPER, LOWER, HEX = string.ascii_uppercase + string.digits, string.ascii_lowercase + string.digits, "0123456789abcdef"
WORD = string.ascii_letters + string.digits + "_"

# Put together here, so that no scanner of repositories takes this file for a leak.
TOKENS = {
    "aws": ("AKIA", some(16, UPPER)),
    "github": ("ghp_", some(36)),
    "github, fine-grained": ("github" + "_pat_", some(82, WORD)),
    "gitlab": ("glpat-", some(20)),
    "jwt": ("", jwt()),
    "mailchimp": ("", some(32, LOWER) + "-us12"),
    "openai": ("sk-", some(20) + "T3Blbk" + "FJ" + some(20)),
    "openai, of a project": ("sk-proj-", some(80, WORD + "-")),
    "pypi": ("pypi-", "AgEIcHlwaS5vcmc" + some(80)),
    "sendgrid": ("SG.", some(22) + "." + some(43)),
    "slack": ("xoxb-", "123456789012-123456789012-" + some(24)),
    "slack, a webhook": ("https://hooks.slack", ".com/services/T0123ABCD/B0123ABCD/" + some(24)),
    "square": ("sq0csp-", some(43)),
    "stripe": ("sk_live_", some(24)),
    "telegram": ("110201543:", "AAH" + some(32)),
    "twilio": ("SK", some(32, LOWER)),
    "discord": ("M", some(23) + "." + some(6) + "." + some(27)),
    "anthropic": ("sk-ant-", "api03-" + some(93, WORD + "-")),
    "google": ("AIza", some(35)),
    "hugging face": ("hf_", some(34, string.ascii_letters)),
    "openrouter": ("sk-or-", "v1-" + some(64, HEX)),
}
SAID = {
    "aws, the other half": ('aws_secret_access_key = "', some(40), '"'),
    "aws, without quotation marks": ("export AWS_SECRET_ACCESS_KEY=", some(40), ""),
    "azure": ("DefaultEndpointsProtocol=https;AccountKey=", some(86) + "==", ";"),
    "basic auth": ("postgres://ada:", "t0ps3cret" + some(4), "@db.example.org/x"),
    "npm": ("//registry.example.org/:_authToken=npm_", some(36), ""),
    "a password": ('my password: "', "hunter2" + some(4), '"'),
    "an api key": ("API_KEY='", some(24), "'"),
    "json": ('{"client_secret": "', some(24), '"}'),
}
KEY = "\n".join(("-----BEGIN RSA PRIVATE" + " KEY-----", some(64), some(64), "-----END RSA PRIVATE KEY-----"))


def values(text: str) -> list[str]:
    return [secret.value for secret in secrets_in(text.encode())]


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_is_found_anywhere(name: str) -> None:
    token = "".join(TOKENS[name])
    for text in (token, f"my key is {token}, keep it", f"a\n\n> key={token}\nb", f"北京 {token} 上海"):
        (found,) = values(text)
        assert found in text
        assert len(found) >= len(token) // 2


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_to_be_one_is_found(name: str) -> None:
    before, value, after = SAID[name]
    for text in (f"{before}{value}{after}", f"Look: {before}{value}{after} and more\nof it"):
        (found,) = values(text)
        assert value in found


def test_a_private_key_is_found_by_its_body() -> None:
    body = KEY.split("\n")[1]
    assert values(f"look\n{KEY}\n") == [body]
    assert values(KEY.replace("\n", " ")) == [body]
    assert values("A file begins with -----BEGIN RSA PRIVATE" + " KEY----- and then comes the key.") == []
    encrypted = KEY.replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011\n\n", 1)
    for text in (encrypted, KEY.replace("\n", "\\n"), KEY.replace("\n", "\n> "), KEY.replace("\n", "\n    ")):
        assert values(text) == [body]


def test_what_follows_later_makes_no_key_of_a_header(findings: Callable[..., list[Finding]]) -> None:
    header = KEY.split("\n")[0].encode()
    one = archive("m1").replace(b"what m1 says", header)
    both = archive("m1", "m2").replace(b"what m1 says", header).replace(b"what m2 says", some(80).encode())
    assert header in one
    assert both.startswith(one)
    for before, after in (({}, {ARCHIVE: one}), ({ARCHIVE: one}, {ARCHIVE: both}), ({}, {ARCHIVE: both})):
        assert findings(secrets, before, after) == []


@given(
    st.sampled_from(sorted(TOKENS)),
    st.text(max_size=30),
    st.text(max_size=30),
    st.sampled_from([" ", "\n", ": ", '"', "(", "`"]),
)
def test_nothing_around_it_hides_a_token(name: str, before: str, after: str, edge: str) -> None:
    token = "".join(TOKENS[name])
    text = f"{before}{edge}{token} {after}".encode("utf-8", "replace")
    assert any(secret.value in token or token in secret.value for secret in secrets_in(text))


@pytest.mark.parametrize(
    "text",
    [
        "5b3f0d5e-8a4f-4d7b-9f0e-3d2a1c4b5e6f and 0f1e2d3c4b5a69788796a5b4c3d2e1f001234567",
        "sha256:" + hashlib.sha256(b"x").hexdigest(),
        f"![](data:image/png;base64,{base64.b64encode(bytes(range(256)) * 8).decode()})",
        "I forgot my password again. The secret of the sauce: butter. My password is 'secret'.",
        'password = "changeme", password: "<your password>", api_key: "${API_KEY}", secret = "xxxxxxxxxx1"[0:0]',
        'password = get_password("production1"), token: "abc"',
        "AKIAIOSFODNN7" + "EXAMPLE is Amazon's own example",
        "https://example.org:8080/a@b and mailto:ada@example.org and ssh://git@example.org:22/x",
        "https://user:password@example.org is how one writes it",
        "The AC was broken; Slovakia, ASIA, SKIING. Dr. Asia Ghp_ said: sk-ip it. hf_hub, xoxo-xoxo.",
    ],
)
def test_ordinary_talk_holds_none(text: str) -> None:
    assert values(text) == []


def test_real_conversations_hold_none(shared_data: Path) -> None:
    files = [path for path in shared_data.rglob("*") if path.is_file() and path.suffix in {".json", ".jsonl", ".md"}]
    assert sum(path.stat().st_size for path in files) > 3_000_000
    for path in files:
        text = path.read_text("utf-8", "replace")
        said = text if path.suffix == ".md" else text.replace("\\n", "\n").replace('\\"', '"')
        assert values(said) == [], path.name


def test_every_shape_has_a_token_that_it_and_its_detector_find() -> None:
    texts = ["".join(parts) for parts in (*TOKENS.values(), *SAID.values())] + [KEY]
    found = {suspect.shape.pattern for text in texts for suspect in suspects(text.encode())}
    assert [shape.pattern for shape in SHAPES if shape.pattern not in found] == []


# --- the check


TOKEN = "".join(TOKENS["github"])
DIGEST = hashlib.sha256(TOKEN.encode()).hexdigest()


def test_a_finding_has_its_place_and_never_the_secret(findings: Callable[..., list[Finding]]) -> None:
    (found,) = findings(secrets, {ADA: "# Ada\n"}, {ADA: f"# Ada\n\nAda says:\n{TOKEN} is it.\n"})
    assert (found.check, found.severity, found.code) == ("secrets", Severity.WARNING, "secret-found")
    assert (found.path, found.line, found.block) == (ADA, 4, None)
    assert DIGEST[:16] in found.message
    assert TOKEN[4:] not in f"{found.message}{found.fix}"


def test_only_what_is_added_is_looked_at(findings: Callable[..., list[Finding]]) -> None:
    before = f"# Ada\n\nAda says {TOKEN}.\n"
    assert findings(secrets, {ADA: before}, {ADA: before}) == []
    assert findings(secrets, {ADA: before}, {ADA: f"{before}\nAnd more.\n"}) == []
    assert findings(secrets, {ADA: before}, {ADA: before.replace("says", "said")}) == []
    assert findings(secrets, {ADA: before}, {"topics/a.md": before}) == []
    assert findings(secrets, {ADA: before}, {ADA: "# Ada\n"}) == []
    (found,) = findings(secrets, {ADA: f"a\n{before}"}, {ADA: f"{before}b\n{''.join(TOKENS['stripe'])}\n"})
    assert found.line == 5


def test_messages_are_looked_at_where_the_archive_grew(findings: Callable[..., list[Finding]]) -> None:
    before = archive("m1").decode()
    after = f"{before}\n{archive('m2').decode()} {TOKEN}\n"
    (found,) = findings(secrets, {ARCHIVE: before}, {ARCHIVE: after})
    assert found.path == ARCHIVE
    assert found.line == after[: after.index(TOKEN)].count("\n") + 1


def test_files_of_other_kinds_are_not_memory(findings: Callable[..., list[Finding]]) -> None:
    assert findings(secrets, {}, {"timeline/2024.md": TOKEN, ".gitmem": TOKEN}) == []


@pytest.mark.parametrize("digest", [DIGEST, DIGEST[:16], hashlib.sha1(TOKEN.encode()).hexdigest()])  # noqa: S324
def test_what_is_allowed_passes(digest: str) -> None:
    config = Config.from_mapping({"gitmem.secretsAllow": f"{'0' * 40} {digest.upper()}"})
    assert config.warnings == ()
    assert SecretPolicy.of(config).allows(TOKEN)
    assert not SecretPolicy.of(config).allows(f"{TOKEN}x")


@pytest.mark.parametrize("value", ["0" * 15, "0" * 65, "x" * 40, TOKEN])
def test_a_list_holds_hashes_and_nothing_else(value: str) -> None:
    config = Config.from_mapping({"gitmem.secretsAllow": value})
    assert config.secrets_allow == ""
    assert len(config.warnings) == 1


def test_the_settings_decide_the_severity() -> None:
    policies = {text: SecretPolicy.of(Config.from_mapping({"gitmem.secrets": text})) for text in ("error", "off")}
    assert policies["error"].severity is Severity.ERROR
    assert policies["off"].severity is None
    assert SecretPolicy.of(Config()).severity is Severity.WARNING


def test_without_a_suspicion_the_detectors_are_not_loaded() -> None:
    code = """
import sys
from gitmem.checks import secrets
from gitmem.checks.secret_shapes import suspects
assert not list(suspects(b"I forgot my password. " * 1000))
assert "detect_secrets" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
