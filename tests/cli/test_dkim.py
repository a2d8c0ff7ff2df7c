from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from digest.cli import cli
from digest.config import read_settings
from digest.core.sending.dkim_keys import public_of, read_key
from tests.config.test_dkim import MINIMAL


def run(*given: str) -> Result:
    return CliRunner().invoke(cli, ["dkim-key", *given])


@pytest.mark.parametrize("kind", ["rsa", "ed25519"])
def test_what_the_command_says_is_all_that_is_needed(tmp_path: Path, kind: str) -> None:
    done = run("Example.org", "--kind", kind, "--file", str(tmp_path / "key.pem"))
    assert done.exit_code == 0, done.output
    table = done.output.partition("   [dkim]\n")[2].partition("\n\n")[0]
    (tmp_path / "digest.toml").write_text(f"[dkim]\n{table}\n{MINIMAL}")

    read = read_settings(tmp_path / "digest.toml", {})

    assert read.dkim is not None
    assert read.warnings == ()
    (key,) = read.dkim.keys
    assert (read.dkim.domain, key.kind, key.name("example.org")) == (
        *("example.org", kind, "digest._domainkey.example.org"),
    )
    assert f"value  {key.record}" in done.output
    zone = next(line for line in done.output.splitlines() if ' TXT "' in line)
    assert public_of("".join(zone.split('"')[1::2])) == key.public


def test_a_key_is_for_its_owner_alone_and_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "a.pem"
    line = ["example.org", "--file", str(file), "--selector", "s1", "--json"]

    first = run(*line)
    key = file.read_text()
    second = run(*line)

    told = json.loads(first.output)
    assert told == {
        "wrote": str(file),
        "name": "s1._domainkey.example.org",
        "type": "TXT",
        "value": read_key("s1", key).record,
    }
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert second.exit_code == 2
    assert "is there already" in second.output
    assert file.read_text() == key


@pytest.mark.parametrize(
    "given", [["exa mple.org"], ["me@example.org"], ["example.org", "--selector", "a b"]]
)
def test_what_is_no_domain_or_selector_is_told(given: list[str], tmp_path: Path) -> None:
    file = tmp_path / "key.pem"

    done = run(*given, "--file", str(file))

    assert done.exit_code == 2
    assert "; write" in done.output
    assert not file.exists()
