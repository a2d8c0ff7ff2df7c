from __future__ import annotations

import json
import stat
import textwrap
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from digest.cli import cli
from digest.config import Settings, read_settings
from digest.core.delivery.dns.dkim_keys import extract_public_key, read_key
from tests.config.delivery.test_dkim import MINIMAL


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["dkim-key", *arguments])


def lines(text: str) -> str:
    """What is to be written into the file."""
    table = text.partition("2. Add this to digest.toml")[2].partition("\n\n")[2].partition("\n\n")[0]
    return textwrap.dedent(table) + "\n"


def pasted(folder: Path, *told: str) -> Settings:
    """A file with the lines that were printed, as they are."""
    (folder / "digest.toml").write_text("".join(map(lines, told)) + MINIMAL)
    return read_settings(folder / "digest.toml", {})


def test_what_the_command_says_is_all_that_is_needed(tmp_path: Path) -> None:
    rsa = run("Example.org.", "--file", str(tmp_path / "rsa.pem"))
    second = run(
        *("example.org", "--kind", "ed25519", "--selector", "d2", "--file", str(tmp_path / "ed.pem"))
    )
    assert (rsa.exit_code, second.exit_code) == (0, 0), rsa.output + second.output

    settings = pasted(tmp_path, rsa.output, second.output)

    assert settings.dkim is not None
    assert settings.warnings == ()
    assert settings.dkim.domain == "example.org"
    assert [(key.kind, key.make_record_name("example.org")) for key in settings.dkim.keys] == [
        ("rsa", "digest._domainkey.example.org"),
        ("ed25519", "d2._domainkey.example.org"),
    ]
    for key, result in zip(settings.dkim.keys, (rsa, second), strict=True):
        assert f"value  {key.record}" in result.output
        zone = next(line for line in result.output.splitlines() if ' TXT "' in line)
        assert extract_public_key("".join(zone.split('"')[1::2])) == key.public


@pytest.mark.parametrize(
    ("cwd", "file", "text"),
    [
        (".", "dkim.pem", "dkim.pem"),
        (".", "keys/a b.pem", "keys/a b.pem"),
        ("keys", "dkim.pem", "{}/keys/dkim.pem"),
        ("keys", "../dkim.pem", "{}/dkim.pem"),
    ],
)
def test_the_lines_lead_to_the_key_wherever_it_is_made(
    tmp_path: Path, cwd: str, file: str, text: str
) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "digest.toml").write_text(MINIMAL)
    with chdir(tmp_path / cwd):
        result = run("example.org", "--file", file)
    assert result.exit_code == 0, result.output

    assert f'key_file = "{text.format(tmp_path.resolve())}"' in result.output
    assert pasted(tmp_path, result.output).dkim is not None


def test_a_key_is_for_its_owner_alone_and_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "a.pem"
    line = ["example.org", "--file", str(file), "--selector", "s1", "--json"]

    first = run(*line)
    key = file.read_text()
    second = run(*line)

    document = json.loads(first.output)
    assert document == {
        "wrote": str(file),
        "name": "s1._domainkey.example.org",
        "type": "TXT",
        "value": read_key("s1", key).record,
    }
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert second.exit_code == 2
    assert "exists already" in second.output
    assert file.read_text() == key


@pytest.mark.parametrize(
    "given", [["exa mple.org"], ["me@example.org"], ["example.org", "--selector", "a b"]]
)
def test_what_is_no_domain_or_selector_is_told(given: list[str], tmp_path: Path) -> None:
    file = tmp_path / "key.pem"

    result = run(*given, "--file", str(file))

    assert result.exit_code == 2
    assert "; write" in result.output
    assert not file.exists()
