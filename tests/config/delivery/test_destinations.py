"""Where things go: which channel an entry of ``to`` is, and that no secret of it is ever shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from digest.config import Destination, Settings, read_settings
from digest.errors import ConfigError

SMALL = """
[[source]]
use = "arxiv"
categories = ["cs.DC"]
[[digest]]
name = "llm"
to = [TO]
schedule = "weekdays 07:30"
keywords = ["KV cache"]
"""
SECRET = "an-alphabet-of-24-letters"


def read(folder: Path, to: str, before: str = "", **environ: str) -> Settings:
    path = folder / "digest.toml"
    path.write_text(before + SMALL.replace("TO", to), encoding="utf-8")
    path.chmod(0o600)
    return read_settings(path, environ)


def ways(folder: Path, to: str, **environ: str) -> tuple[Destination, ...]:
    return read(folder, to, **environ).digests[0].destinations


def test_the_address_of_a_chat_is_known_by_what_is_not_secret(tmp_path: Path) -> None:
    [way] = ways(tmp_path, '"slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#papers"')

    assert (way.channel, way.service, way.domain) == ("notify", "slack", "slack")
    assert way.secret_url == "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#papers"
    assert way.address.startswith("slack://…/#papers/")
    assert "A1BRTD4JD" not in repr(way)


def test_a_webhook_of_slack_can_be_written_as_slack_shows_it(tmp_path: Path) -> None:
    as_shown, as_for_apprise = (
        '"https://hooks.slack.com/services/T1/B1/TIiajkdnlazkcOXrIdevi7FQ"',
        '"slack://T1/B1/TIiajkdnlazkcOXrIdevi7FQ"',
    )

    assert ways(tmp_path, as_shown) == ways(tmp_path, as_for_apprise)


def test_two_addresses_of_one_service_are_told_apart_and_each_stays_the_same(tmp_path: Path) -> None:
    first, second = ways(
        tmp_path, '"discord://1/token-one", "discord://1/token-two", "discord://1/token-one"'
    )

    assert first.address != second.address
    assert ways(tmp_path, '"discord://1/token-one"')[0].address == first.address


def test_a_secret_of_the_environment_is_put_into_an_address(tmp_path: Path) -> None:
    [way] = ways(tmp_path, '"tgram://${BOT}/12345"', BOT="123:abc")

    assert way.secret_url == "tgram://123:abc/12345"


def test_a_webhook_is_known_by_its_host_and_has_a_secret_of_its_own(tmp_path: Path) -> None:
    url = "https://hooks.example.org/in/private-path?key=value"
    [way] = ways(tmp_path, f'{{ webhook = "{url}", secret = "${{S}}" }}', S=SECRET)

    assert (way.channel, way.domain, way.secret_url, way.secret) == (
        "webhook",
        "hooks.example.org",
        url,
        SECRET,
    )
    assert way.address.startswith("https://hooks.example.org/…/")
    assert not {"private", "value", SECRET} & set(repr(way).replace("/", " ").split())


def test_all_mail_is_one_channel_whoever_takes_it(tmp_path: Path) -> None:
    settings = read(
        tmp_path,
        '"Me@Example.org"',
        '[sendmail]\nfrom = "D <d@example.org>"\ncommand = "/bin/mailer -x \'a b\'"\n',
    )
    [way] = settings.digests[0].destinations

    assert (way.channel, way.domain) == ("smtp", "example.org")
    assert settings.sendmail is not None
    assert settings.sendmail.command == ("/bin/mailer", "-x", "a b")
    with pytest.raises(ConfigError, match=r"either \[smtp\] or \[sendmail\]"):
        read(
            tmp_path,
            '"files:x"',
            '[sendmail]\nfrom = "d@example.org"\n[smtp]\nhost = "x"\nfrom = "d@example.org"\n',
        )


def test_notices_go_the_same_ways_as_digests(tmp_path: Path) -> None:
    before = '[operator]\nnotify = ["ntfy://h/topic", "files:notices"]\nsummary = "daily 8:00"\ntimezone = "Asia/Tokyo"\n'
    operator = read(tmp_path, '"files:x"', before).operator

    assert [destination.channel for destination in operator.notify] == ["notify", "files"]
    assert operator.notify[1].address == str(tmp_path / "out" / "notices")
    assert operator.summary is not None
    assert (operator.summary.zone, operator.summary.at) == ("Asia/Tokyo", "08:00")


def test_editions_go_as_epubs_where_the_file_says_so(tmp_path: Path) -> None:
    mail = '[smtp]\nhost = "x"\nfrom = "d@example.org"\n'
    books = [
        f'{{ address = "{to}", form = "epub" }}' for to in ("me@kindle.com", "files:books", "maildir:books")
    ]
    to = ", ".join(['"me@example.org"', *books])

    destinations = read(tmp_path, to, mail).digests[0].destinations

    assert [(destination.channel, destination.form.value) for destination in destinations] == [
        ("smtp", ""),
        ("smtp", "epub"),
        ("files", "epub"),
        ("maildir", "epub"),
    ]


@pytest.mark.parametrize(
    ("to", "text"),
    [
        ('{ address = "ntfy://h/topic", form = "epub" }', r"to\[0\]: EPUBs go by mail or into a folder"),
        (
            f'{{ webhook = "https://h/", secret = "{SECRET}", form = "epub" }}',
            r"to\[0\]: EPUBs go by mail or into a folder",
        ),
        ('{ address = "files:x", form = "mobi" }', r"to\[0\]\.form: write one of: 'epub'"),
        (
            '"files:x", { address = "files:./x", form = "epub" }',
            r"digest\[0\]\.to: x is listed with two forms; give the EPUBs another address or folder",
        ),
    ],
)
def test_a_form_that_cannot_be_is_told(tmp_path: Path, to: str, text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        read(tmp_path, to)


def test_notices_have_no_form(tmp_path: Path) -> None:
    before = '[operator]\nnotify = [{ address = "files:notices", form = "epub" }]\n'

    with pytest.raises(ConfigError, match="notices are no editions; remove `form`"):
        read(tmp_path, '"files:x"', before)


@pytest.mark.parametrize(
    ("to", "text"),
    [
        ('"slack://SECRETSECRET/ x"', "contains a space"),
        (
            '{ webhook = "https://SECRETSECRET@h/", secret = "SECRETSECRETSECRETSECRET" }',
            "must not contain a login",
        ),
        (
            '{ webhook = "ftp://SECRETSECRET", secret = "SECRETSECRETSECRETSECRET" }',
            "not the address of a webhook",
        ),
        ('{ webhook = "https://h/", secret = "SECRETSECRET" }', "at least 24"),
        ('{ webhook = "https://h/", secret = "whsec_SECRETSECRETSECRETSE!" }', "must continue in base64"),
        ('{ address = "slack://SECRETSECRET", secret = "SECRETSECRETSECRETSECRET" }', "webhooks are signed"),
        (
            '{ webhook = "http://example.org/SECRETSECRET", secret = "SECRETSECRETSECRETSECRET" }',
            "unencrypted",
        ),
        ('"https://SECRETSECRET"', "for a webhook, write"),
        ('"https://hooks.slack.com/services/T1/SECRETSECRET"', "for a webhook, write"),
        ('"http://hooks.slack.com/services/T1/B1/SECRETSECRET"', "for a webhook, write"),
        ('"slack//SECRETSECRET/abc"', "this is not a destination"),
        ('"mailder:SECRETSECRET"', "this is not a destination; did you mean `maildir:`?"),
        ('"mailto:SECRETSECRET@example.org"', "write the e-mail address without mailto:"),
        ('"tgram:SECRETSECRET/123"', "this is not a destination"),
        ('"SECRETSECRETSECRET"', "this is not a destination"),
    ],
)
def test_a_mistake_in_a_secret_address_is_told_without_it(tmp_path: Path, to: str, text: str) -> None:
    with pytest.raises(ConfigError, match=text) as caught:
        read(tmp_path, to)
    assert "SECRETSECRET" not in str(caught.value)


def test_a_secret_in_a_file_that_others_may_read_is_warned_of(tmp_path: Path) -> None:
    read(tmp_path, '"slack://one-secret/x"')
    (tmp_path / "digest.toml").chmod(0o644)

    assert (
        "other users of this machine can read it" in read_settings(tmp_path / "digest.toml", {}).warnings[0]
    )


WRONG = [
    "slack//T1/B1/SECRETSECRET",
    "slack:/T1/SECRETSECRET",
    "tgram:SECRETSECRET/123",
    "hooks.slack.com/services/T1/B1/SECRETSECRET",
    "matrix/me:SECRETSECRET@example.org",
]


@pytest.mark.parametrize("wrong", WRONG)
def test_an_address_that_is_written_wrongly_is_not_shown(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ConfigError, match="this is not a destination; write an e-mail address") as caught:
        read(tmp_path, f'"{wrong}"')

    assert "SECRETSECRET" not in str(caught.value)


@pytest.mark.parametrize("wrong", [*WRONG, "SECRETSECRET", "SECRETSECRET'\""])
@pytest.mark.parametrize("before", ["", '[operator]\nnotify = ["${CHAT}"]\n'])
def test_what_stands_for_a_variable_is_not_shown(tmp_path: Path, before: str, wrong: str) -> None:
    with pytest.raises(ConfigError, match="is not a destination; write an e-mail address") as caught:
        read(tmp_path, '"${CHAT}"', before, CHAT=wrong)

    assert "SECRETSECRET" not in str(caught.value)


def test_a_mistake_in_any_value_is_told_as_the_file_has_it(tmp_path: Path) -> None:
    before = '[site]\nurl = "ftp://${HOST}/${TOKEN}"\n[sendmail]\nfrom = "${WHO}"\ncommand = "x \'${TOKEN}"\n'
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, '"${WHO}"', before, HOST="h", TOKEN="SECRETSECRET", WHO="nobody")

    text = str(caught.value)
    assert "site.url: 'ftp://${HOST}/${TOKEN}' is not the address of a site" in text
    assert "digest[0].to[0]: '${WHO}' is not a destination" in text
    assert not {"SECRETSECRET", "nobody"} & set(text.replace("'", " ").replace("/", " ").split())
