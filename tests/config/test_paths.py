"""What a user can rely on who writes a path: `~` works everywhere, and a path that cannot be is told with its key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from digest.config import Settings, read_settings
from digest.config.settings import Destination
from digest.errors import ConfigError
from digest.model import AddressKind
from tests.support.cases import for_each_case

DIGEST = """
[[source]]
use = "arxiv"
categories = ["cs.DC"]

[[digest]]
name = "llm"
schedule = "weekdays 07:30"
keywords = ["KV cache"]
"""
FOLDER = 'to = ["files:mail"]\n'
KEYS = {
    "site.logo": '[site]\nlogo = "{}"\n__',
    "store.url": '[store]\nurl = "sqlite:///{}"\n__',
    "output.folder": '[output]\nfolder = "{}"\n__',
    "output.templates": '[output]\ntemplates = "{}"\n__',
    "smtp.ca_file": '[smtp]\nhost = "smtp.example.org"\nfrom = "me@example.org"\nca_file = "{}"\n__',
    "smtp.relay[0].ca_file": '[smtp]\nhost = "smtp.example.org"\nfrom = "me@example.org"\n'
    '[[smtp.relay]]\nhost = "mx.example.org"\nca_file = "{}"\n__',
    "bounces.ca_file": '[bounces]\naddress = "b@example.org"\nca_file = "{}"\n__',
    "bounces.mailbox": '[bounces]\naddress = "b@example.org"\nmailbox = "maildir:{}"\n__',
    "dkim.key_file": '[dkim]\nselector = "digest"\nkey_file = "{}"\n__',
    "dkim.second.key_file": '[dkim]\nselector = "digest"\nkey_file = "key.pem"\n[dkim.second]\nselector = "b"\nkey_file = "{}"\n__',
    "operator.notify[0]": '[operator]\nnotify = ["files:{}"]\n__',
    "to[0]": '__to = ["maildir:{}"]\n',
    "to[0].address": '__to = [{{ address = "files:{}", form = "epub" }}]\n',
    "library[0]": f'__{FOLDER}library = ["{{}}"]\n',
    "library[0].file": f'__{FOLDER}library = [{{{{ file = "{{}}", weight = 2 }}}}]\n',
}
"""A file by the key of a path in it."""


def read(folder: Path, key: str, path: str) -> Settings:
    before, _, after = KEYS[key].format(path).partition("__")
    file = folder / "digest.toml"
    file.write_text(f"{before}{DIGEST}{after or FOLDER}", encoding="utf-8")
    return read_settings(file, {})


def complain(folder: Path, key: str, path: str) -> str:
    """The only message about the path; one about something else may stand beside it."""
    with pytest.raises(ConfigError) as caught:
        read(folder, key, path)
    name = re.escape(key)
    lines = [line for line in str(caught.value).splitlines() if re.search(rf":\d+:\d+: .*{name}: ", line)]
    assert len(lines) == 1, str(caught.value)
    return lines[0]


@pytest.mark.parametrize("key", KEYS)
def test_the_home_of_a_user_who_does_not_exist_is_told_with_its_key(tmp_path: Path, key: str) -> None:
    assert "this machine knows no home folder for ~nobody-here; write the whole path" in complain(
        tmp_path, key, "~nobody-here/x"
    )


@pytest.mark.parametrize("key", KEYS)
def test_a_nul_in_a_path_is_told_with_its_key(tmp_path: Path, key: str) -> None:
    assert "a path cannot contain the character NUL" in complain(tmp_path, key, "x\\u0000y")


@pytest.mark.parametrize("key", [key for key in KEYS if re.search("logo|templates|ca_file|library", key)])
def test_a_name_that_no_file_can_have_is_told_with_its_key(tmp_path: Path, key: str) -> None:
    assert "File name too long" in complain(tmp_path, key, "x" * 300)


def test_a_path_may_begin_with_the_home_of_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert read(tmp_path, "output.folder", "~/out").output == tmp_path / "out"
    assert read(tmp_path, "store.url", "~/a.db?timeout=5").store == f"sqlite:///{tmp_path}/a.db?timeout=5"
    (destination,) = read(tmp_path, "to[0]", "~/mail").digests[0].destinations
    assert destination == Destination(
        channel="maildir", kind=AddressKind.FOLDER, address=str(tmp_path / "mail")
    )


@for_each_case(("text", "folder"), [("~nobody-here/x", "~nobody-here"), ("~nobody-here", "~nobody-here")])
def test_the_message_tells_how_to_write_a_folder_of_this_name(tmp_path: Path, text: str, folder: str) -> None:
    assert f'or "./{folder}" if it is the name of a folder' in complain(tmp_path, "output.folder", text)
    assert read(tmp_path, "output.folder", f"./{text}").output == tmp_path / text
