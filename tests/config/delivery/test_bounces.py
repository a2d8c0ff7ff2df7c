"""What a user can rely on when `[bounces]` is read."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from digest.app import open_app
from digest.config import BouncesSettings, Settings, read_settings
from digest.errors import ConfigError
from digest.jobs.services import make_mailbox, make_providers
from digest.mailboxes import imap, maildir
from tests.config.delivery.test_rates import REST
from tests.store.factories import NOW
from tests.support.cases import for_each_case

BEGINNING = REST.replace("[delivery]\n", "")


def written(folder: Path, text: str, *, before: str = "") -> Path:
    path = folder / "digest.toml"
    path.write_text(f"{before}{BEGINNING}{text}", encoding="utf-8")
    return path


def read_all(folder: Path, text: str, **environ: str) -> Settings:
    return read_settings(written(folder, text), environ)


def read(folder: Path, text: str, **environ: str) -> BouncesSettings:
    return read_all(folder, text, **environ).bounces


def test_without_a_word_nothing_is_read_and_mails_come_back_to_their_sender(tmp_path: Path) -> None:
    assert read(tmp_path, "") == BouncesSettings(address="", mailbox="", interval=timedelta(minutes=5))


def test_a_folder_is_seen_from_the_file(tmp_path: Path) -> None:
    text = '[bounces]\naddress = "back@example.org"\nmailbox = "maildir:mail/back"\n'
    settings = read_all(tmp_path, text)

    assert settings.bounces.address == "back@example.org"
    assert make_mailbox(settings) == maildir.Mailbox(folder=tmp_path / "mail" / "back")


def test_a_mailbox_on_a_server_has_a_login_that_no_message_shows(tmp_path: Path) -> None:
    text = """
    [bounces]
    address = "back@example.org"
    mailbox = "imaps://imap.example.org/Bounces%20of%202026"
    username = "back"
    interval = "2 minutes"
    """
    settings = read_all(tmp_path, text, DIGEST_BOUNCES_PASSWORD="secret word")

    assert make_mailbox(settings) == imap.Mailbox(
        host="imap.example.org",
        port=993,
        tls=True,
        folder="Bounces of 2026",
        username="back",
        password="secret word",
    )
    assert settings.bounces.interval == timedelta(minutes=2)
    assert "secret word" not in repr(settings)
    assert "secret word" not in repr(make_mailbox(settings))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('address = "back+x@example.org"', "is too long or contains a plus"),
        ('address = "a-local-part-that-is-long@example.org"', "is too long or contains a plus"),
        ('address = "nobody"', "not an e-mail address"),
        ('address = "a@example.org"', "nobody reads the bounces"),
        ('mailbox = "maildir:back"', "`address` is missing"),
        ('address = "a@example.org"\nmailbox = "imap://imap.example.org"', "write imaps://"),
        (
            'address = "a@example.org"\nmailbox = "imaps://me:pw@imap.example.org"',
            "write `username` and `password`",
        ),
        ('address = "a@example.org"\nmailbox = "pop3://example.org"', "is not a mailbox"),
        ('address = "a@example.org"\nmailbox = "imaps://imap.example.org:x"', "is not a mailbox"),
        ('address = "a@example.org"\nmailbox = "maildir:"', "is not a mailbox"),
        (
            'address = "a@example.org"\nmailbox = "imaps://imap.example.org"',
            "needs both `username` and `password`",
        ),
        ('address = "a@example.org"\nmailbox = "maildir:x"\nusername = "me"', "other mailboxes need neither"),
        ('interval = "10 seconds"', "too short"),
        ('ca_file = "nowhere.pem"', "there is no"),
        (
            '[[bounces.provider]]\nuse = "ses"\n[[bounces.provider]]\nuse = "ses"',
            "there are two providers 'ses'",
        ),
        ('[[bounces.provider]]\nuse = "s e s"', "bounces.provider[0].use"),
        ('adress = "x"', "did you mean `address`?"),
    ],
)
def test_a_mistake_is_told_with_what_would_be_right(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as error:
        read(tmp_path, f"[bounces]\n{text}\n")

    assert told in str(error.value)
    assert "pw" not in str(error.value)


@for_each_case(
    ("options", "text"),
    [
        ('use = "ses"', "digest.toml:10:3: bounces.provider[0].topic: `topic` is missing"),
        ('use = "ses"\ntopic = "bounces"', "write the topic's ARN"),
        ('use = "postmark"\nusername = "me"\npassword = "short"', "who guesses it can suppress every reader"),
        ('use = "postmarkk"', "did you mean `postmark`?"),
        ('use = "ses"\ntopic = 7', "write a string in quotes"),
    ],
)
def test_a_mistake_in_the_options_of_a_provider_is_told_at_its_place(
    tmp_path: Path, options: str, text: str
) -> None:
    path = written(
        tmp_path, f"[[bounces.provider]]\n{options}\n", before='[site]\nurl = "https://digest.example.org"\n'
    )

    with open_app(path, NOW, {}) as app, pytest.raises(ConfigError) as error:
        make_providers(app.settings)
    assert text.partition(": ")[2] in str(error.value) or text in str(error.value)


def test_mistakes_in_all_providers_are_told_at_once(tmp_path: Path) -> None:
    providers = '[[bounces.provider]]\nuse = "ses"\ntopic = "x"\n[[bounces.provider]]\nuse = "postmarkk"\n'
    path = written(tmp_path, providers, before='[site]\nurl = "https://digest.example.org"\n')

    with pytest.raises(ConfigError) as error:
        make_providers(read_settings(path, {}))
    keys = [line.split(": ")[1] for line in str(error.value).splitlines()]
    assert keys == ["bounces.provider[0].topic", "bounces.provider[1].use"]


def test_a_provider_needs_a_site_to_tell(tmp_path: Path) -> None:
    path = written(tmp_path, '[[bounces.provider]]\nuse = "ses"\ntopic = "x"\n')

    with pytest.raises(ConfigError, match=r"write `url` in \[site\]"):
        make_providers(read_settings(path, {}))


def test_a_password_that_others_may_read_is_warned_of(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '[bounces]\naddress = "a@example.org"\nmailbox = "imaps://imap.example.org"\nusername = "a"\npassword = "b"\n',
    )
    path.chmod(0o644)

    (warning,) = read_settings(path, {}).warnings
    assert "chmod 600" in warning
