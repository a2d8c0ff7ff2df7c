from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from digest.config import Settings, read_settings
from digest.errors import ConfigError
from tests.support.rsa_keys import encode_pem, make_rsa_key

MINIMAL = """
[[source]]
use = "arxiv"
categories = ["cs.LG"]
[smtp]
host = "smtp.example.org"
from = "Digest <digest@Example.org>"
[[digest]]
name = "llm"
to = ["me@example.org"]
schedule = "daily 7:00"
timezone = "UTC"
keywords = ["KV cache"]
"""


ED25519 = encode_pem(Ed25519PrivateKey.generate())


def settings(folder: Path, dkim: str, **environ: str) -> Settings:
    for name, key in (("rsa.pem", encode_pem(make_rsa_key())), ("ed.pem", ED25519)):
        (folder / name).write_text(key)
        (folder / name).chmod(0o600)
    file = folder / "digest.toml"
    file.write_text(f"[dkim]\n{dkim}\n{MINIMAL}")
    return read_settings(file, environ)


def test_mails_are_signed_for_the_domain_that_they_are_from(tmp_path: Path) -> None:
    loaded_settings = settings(tmp_path, 'selector = "Digest"\nkey_file = "rsa.pem"')

    assert loaded_settings.dkim is not None
    assert loaded_settings.dkim.domain == "example.org"
    assert [(key.selector, key.kind, key.bits) for key in loaded_settings.dkim.keys] == [
        ("digest", "rsa", 2048)
    ]
    assert loaded_settings.warnings == ()


def test_there_can_be_a_key_of_each_kind(tmp_path: Path) -> None:
    loaded_settings = settings(
        tmp_path,
        'domain = "Bücher.example"\nselector = "a"\nkey = "${KEY}"\n'
        '[dkim.second]\nselector = "b"\nkey_file = "ed.pem"',
        KEY=encode_pem(make_rsa_key()),
    )

    assert loaded_settings.dkim is not None
    assert loaded_settings.dkim.domain == "xn--bcher-kva.example"
    assert [(key.selector, key.kind) for key in loaded_settings.dkim.keys] == [("a", "rsa"), ("b", "ed25519")]


def test_no_key_shows(tmp_path: Path) -> None:
    loaded_settings = settings(tmp_path, 'selector = "a"\nkey = "${KEY}"', KEY=ED25519)

    assert ED25519.split("\n")[1] not in repr(loaded_settings)


@pytest.mark.parametrize(
    ("dkim", "text"),
    [
        (
            'selector = "a"',
            'exactly one key is needed; write either key_file = "dkim-digest.pem" or key = "${NAME}"',
        ),
        ('selector = "a"\nkey = "x"\nkey_file = "rsa.pem"', "exactly one key is needed"),
        (
            'selector = "a"\nkey_file = "none.pem"',
            "there is no such file; create a key with `digest dkim-key DOMAIN`",
        ),
        ('selector = "a"\nkey_file = "digest.toml"', "this is not a private key in PEM"),
        ('selector = "a"\nkey_file = "."', "it cannot be read"),
        ('selector = "a"\nkey = "hello"', "`key`: this is not a private key in PEM"),
        ('selector = "a b"\nkey_file = "rsa.pem"', "dkim.selector: 'a b' is not a selector"),
        ('key_file = "rsa.pem"', "dkim.selector: "),
        ('selector = "a"\nkey_file = "rsa.pem"\ndomain = "org"', "dkim.domain: 'org' is not a domain"),
        (
            'selector = "a"\nkey_file = "rsa.pem"\ndomain = "a@b.org"',
            "dkim.domain: 'a@b.org' is not a domain",
        ),
        (
            'selector = "a"\nkey_file = "rsa.pem"\n[dkim.second]\nselector = "a"\nkey_file = "ed.pem"',
            "both keys have the same `selector`",
        ),
        (
            'selector = "a"\nkey_file = "rsa.pem"\n[dkim.second]\nselector = "b"\nkey_file = "rsa.pem"',
            "both keys are rsa keys; the second one must be of the other kind",
        ),
    ],
)
def test_mistakes_are_told_at_their_place(tmp_path: Path, dkim: str, text: str) -> None:
    with pytest.raises(
        ConfigError, match=rf"digest.toml:\d+:\d+: dkim[^\n]*{re.escape(text.removeprefix('dkim'))}"
    ):
        settings(tmp_path, dkim)


def test_a_key_that_others_may_read_is_told_of(tmp_path: Path) -> None:
    settings(tmp_path, 'selector = "a"\nkey_file = "rsa.pem"')
    (tmp_path / "rsa.pem").chmod(0o644)

    (warning,) = read_settings(tmp_path / "digest.toml", {}).warnings

    assert warning.endswith(f"run `chmod 600 {tmp_path / 'rsa.pem'}`")


def test_who_does_not_sign_does_not_load_what_signs(tmp_path: Path) -> None:
    (tmp_path / "digest.toml").write_text(MINIMAL)
    code = (
        "import sys; from pathlib import Path; from digest.config import read_settings\n"
        "read_settings(Path(sys.argv[1]), {}); import digest.app\n"
        "assert not {'cryptography', 'dkim', 'dns'} & set(sys.modules), sorted(sys.modules)"
    )

    subprocess.run(
        [sys.executable, "-c", code, tmp_path / "digest.toml"], check=True, cwd=Path(__file__).parents[3]
    )
