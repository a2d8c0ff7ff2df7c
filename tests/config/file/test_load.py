"""What a user can rely on when the configuration file is read."""

from __future__ import annotations

import os
import re
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digest.config import Destination, RelaySettings, Settings, find_config, read_settings
from digest.config.file.locations import Locator, Problem
from digest.core.language.parser import parse
from digest.errors import ConfigError
from digest.model import AddressKind, EventKind, Frequency

SMALL = """\
[[source]]
use = "arxiv"
categories = ["cs.DC"]

[[digest]]
name = "llm"
to = ["files:mail"]
schedule = "weekdays 07:30"
timezone = "Europe/Berlin"
keywords = ["KV cache"]
"""

SMTP = """
[smtp]
host = "smtp.example.org"
from = "Digest <digest@example.org>"
"""


def read(folder: Path, text: str, **environ: str) -> Settings:
    path = folder / "digest.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings(path, environ)


def mistakes(folder: Path, text: str, **environ: str) -> list[str]:
    """The lines of the error, without the folder."""
    with pytest.raises(ConfigError) as caught:
        read(folder, text, **environ)
    return [line.removeprefix(f"{folder}{os.sep}") for line in str(caught.value).splitlines()]


# --- what is read ---------------------------------------------------------------------------------


def test_any_follow_may_tell_at_once(tmp_path: Path) -> None:
    more = """
queries = [{ query = "serving", alert = true, exclude = ["survey"] }, "graphs"]
authors = [{ name = "Wencong Xiao", alert = true }]
alerts_a_day = 2
repeat_alerts = true
"""

    (digest,) = read(tmp_path, SMALL + more).digests

    assert [follow.text for follow in digest.follows if follow.alert] == ["serving", "Wencong Xiao"]
    assert (digest.options.alerts_a_day, digest.options.repeat_alerts) == (2, True)


def test_a_digest_waits_for_the_sources_that_it_names_and_says_where_it_names_them(tmp_path: Path) -> None:
    plain, named = (
        read(tmp_path, SMALL + more).digests[0] for more in ("", 'wait_for = ["arxiv", "hf_daily", "arxiv"]')
    )

    assert plain.wait_for == ()
    assert named.wait_for == ("arxiv", "hf_daily")
    assert named.locate_key("wait_for[1]").endswith("digest.toml:11:22: digest[0].wait_for[1]")
    assert mistakes(tmp_path, SMALL + "wait_for = []") == [
        "digest.toml:11:12: digest[0].wait_for: it needs at least one entry"
    ]


def test_a_small_file_is_enough(tmp_path: Path) -> None:
    settings = read(tmp_path, SMALL)

    assert settings.path == tmp_path / "digest.toml"
    assert settings.store == f"sqlite:///{tmp_path}/digest.db"
    assert settings.output == tmp_path / "out"
    assert settings.smtp is None
    assert settings.templates is None
    [source] = settings.sources
    assert (source.use, source.options) == ("arxiv", {"categories": ["cs.DC"]})
    [digest] = settings.digests
    assert (digest.name, digest.title, digest.options.timezone) == ("llm", "llm", "Europe/Berlin")
    assert digest.destinations == (
        Destination(channel="files", kind=AddressKind.FOLDER, address=str(tmp_path / "out" / "mail")),
    )
    assert (digest.schedule.frequency, digest.schedule.at) == (Frequency.DAILY, "07:30")
    assert (digest.schedule.zone, digest.schedule.latest) == ("Europe/Berlin", "")
    assert digest.options.kinds == (EventKind.NEW, EventKind.PICKED)
    assert (digest.options.limit, digest.options.minimum, digest.options.feed) == (25, 0, False)
    assert (digest.options.when_empty, digest.catch_up) == ("skip", "once")


def test_all_that_can_be_told_of_a_paper_can_be_asked_for_once(tmp_path: Path) -> None:
    request = 'kinds = ["code", "published", "picked", "version", "new", "code"]'
    [digest] = read(tmp_path, f"{SMALL}{request}\n").digests

    assert digest.options.kinds == (
        *(EventKind.CODE, EventKind.PUBLISHED, EventKind.PICKED, EventKind.VERSION, EventKind.NEW),
    )


def test_every_way_of_following_becomes_a_query_and_keeps_its_text(tmp_path: Path) -> None:
    text = (
        SMALL
        + """\
queries = ["serving latency", { query = '"language model"', weight = 2 }]
authors = ["Wencong Xiao", { name = "Wei Wang", weight = 0.5 }]
categories = ["cs.DC"]
exclude = ["medical imaging"]
"""
    )
    [digest] = read(tmp_path, text).digests

    assert [(follow.text, follow.weight, follow.exclude) for follow in digest.follows] == [
        ("KV cache", 1.0, False),
        ("serving latency", 1.0, False),
        ('"language model"', 2.0, False),
        ("Wencong Xiao", 1.0, False),
        ("Wei Wang", 0.5, False),
        ("cs.DC", 1.0, False),
        ("medical imaging", 1.0, True),
    ]
    fields = {follow.text: follow.query for follow in digest.follows}
    assert fields["KV cache"].startswith('"')
    assert fields["Wencong Xiao"] == 'author:"Wencong Xiao"'
    assert fields["cs.DC"] == "category:cs.DC"


def test_destinations_are_addresses_and_folders_of_the_output(tmp_path: Path) -> None:
    text = SMALL.replace('"files:mail"', '"me@example.org", "maildir:in/box", "files:/srv/mail"') + SMTP
    text = text.replace("[[source]]", '[output]\nfolder = "web"\n[[source]]')
    [digest] = read(tmp_path, text).digests

    assert digest.destinations == (
        Destination(channel="smtp", kind=AddressKind.MAILBOX, address="me@example.org"),
        Destination(channel="maildir", kind=AddressKind.FOLDER, address=str(tmp_path / "web" / "in" / "box")),
        Destination(channel="files", kind=AddressKind.FOLDER, address="/srv/mail"),
    )


@pytest.mark.parametrize(
    ("text", "asked_for"),
    [
        ("x@bücher.example", "x@xn--bcher-kva.example"),
        ("x@BÜCHER.example", "x@xn--bcher-kva.example"),
        ("x@例え.jp", "x@xn--r8jz45g.jp"),
        ("x@Example.org", "x@Example.org"),
    ],
)
def test_a_domain_may_be_written_as_people_read_it(tmp_path: Path, text: str, asked_for: str) -> None:
    [digest] = read(tmp_path, SMALL.replace("files:mail", text) + SMTP).digests

    assert digest.destinations == (Destination(channel="smtp", kind=AddressKind.MAILBOX, address=asked_for),)


@pytest.mark.parametrize(("security", "port"), [("starttls", 587), ("tls", 465), ("none", 25)])
def test_the_port_follows_from_the_security(tmp_path: Path, security: str, port: int) -> None:
    smtp = read(tmp_path, SMALL + SMTP + f'security = "{security}"\n').smtp

    assert smtp is not None
    [relay] = smtp.relays
    assert (relay.port, relay.security) == (port, security)
    assert (smtp.from_name, smtp.from_address) == ("Digest", "digest@example.org")


def test_without_a_timezone_the_machines_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    tzlocal = pytest.importorskip("tzlocal")
    tzlocal.reload_localzone()
    try:
        [digest] = read(tmp_path, SMALL.replace('timezone = "Europe/Berlin"\n', "")).digests
    finally:
        monkeypatch.undo()
        tzlocal.reload_localzone()

    assert digest.options.timezone == digest.schedule.zone == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("url", "becomes"),
    [
        ("sqlite:///my digest.db", "sqlite:///{folder}/my digest.db"),
        ("sqlite:////var/lib/digest.db", "sqlite:////var/lib/digest.db"),
        ("sqlite:///a.db?timeout=3", "sqlite:///{folder}/a.db?timeout=3"),
        ("postgresql+psycopg://me@host/name", "postgresql+psycopg://me@host/name"),
    ],
)
def test_a_database_file_lies_beside_the_configuration(tmp_path: Path, url: str, becomes: str) -> None:
    settings = read(tmp_path, f'[store]\nurl = "{url}"\n' + SMALL)

    assert settings.store == becomes.format(folder=tmp_path)


def test_a_byte_order_mark_and_line_ends_of_windows_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "digest.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())

    assert read_settings(path, {}).digests[0].name == "llm"


# --- secrets and the environment ------------------------------------------------------------------


def test_a_variable_is_put_in_anywhere(tmp_path: Path) -> None:
    text = SMALL.replace("cs.DC", "${SECTION}").replace("KV cache", "costs $$5 or $6")
    settings = read(tmp_path, text, SECTION="cs.LG")

    assert settings.sources[0].options == {"categories": ["cs.LG"]}
    assert settings.digests[0].follows[0].text == "costs $5 or $6"


def test_what_a_variable_holds_is_not_searched_for_variables(tmp_path: Path) -> None:
    smtp = read(tmp_path, SMALL + SMTP + 'username = "me"\npassword = "${PW}"\n', PW="a${HOME}$$").smtp

    assert smtp is not None
    assert smtp.relays[0].password == "a${HOME}$$"


def test_the_environment_overrules_the_file_for_secrets(tmp_path: Path) -> None:
    text = SMALL + SMTP + 'username = "me"\npassword = "${OLD}"\n'
    settings = read(tmp_path, text, DIGEST_SMTP_PASSWORD="new", DIGEST_STORE_URL="postgresql://u:secret@h/n")

    assert settings.smtp is not None
    assert settings.smtp.relays[0].password == "new"
    assert settings.store == "postgresql://u:secret@h/n"


def test_a_replica_is_a_postgresql_of_a_postgresql_and_its_address_can_come_from_the_environment(
    tmp_path: Path,
) -> None:
    url, replica = "postgresql+psycopg://u@h/n", "postgresql+psycopg://u:secret@r/n"
    text = f'[store]\nurl = "{url}"\n' + SMALL

    assert read(tmp_path, text).read_url == ""
    assert read(tmp_path, text, DIGEST_STORE_READ_URL=replica).read_url == replica
    with_key = text.replace("[store]", '[store]\nread_url = "${REPLICA}"')
    assert read(tmp_path, with_key, REPLICA=replica).read_url == replica
    with pytest.raises(ConfigError, match="only PostgreSQL has replicas"):
        read(tmp_path, with_key, REPLICA="sqlite:///copy.db")
    with pytest.raises(ConfigError, match="SQLite has no replicas; remove `read_url`"):
        read(tmp_path, with_key.replace(url, "sqlite:///digest.db"), REPLICA=replica)


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    text = '[store]\nurl = "postgresql://u:pa55word@h/n"\n' + SMALL + SMTP
    shown = repr(read(tmp_path, text + 'username = "me"\npassword = "pa55word"\n'))

    assert "pa55" not in shown


@pytest.mark.parametrize(
    "wrong", ['password = ["pa55word"]', 'password = "pa55word"\nusername = 3', 'password = "pa55word"']
)
def test_mistakes_do_not_show_secrets(tmp_path: Path, wrong: str) -> None:
    text = '[store]\nurl = "mysql://u:pa55word@h/n"\n' + SMALL + SMTP + wrong + "\n"

    assert len(mistakes(tmp_path, text)) >= 1
    assert not any("pa55" in line for line in mistakes(tmp_path, text))


@pytest.mark.skipif(os.name != "posix", reason="file modes mean nothing here")
@pytest.mark.parametrize("where", ["", '[[smtp.relay]]\nhost = "relay.example.net"\n'])
def test_a_password_that_others_may_read_is_told(tmp_path: Path, where: str) -> None:
    text = SMALL + SMTP + where + 'username = "me"\npassword = "secret"\n'
    path = tmp_path / "digest.toml"
    path.write_text(text)

    path.chmod(0o644)
    assert "chmod 600" in read_settings(path, {}).warnings[0]
    path.chmod(0o600)
    assert read_settings(path, {}).warnings == ()
    path.chmod(0o644)
    path.write_text(text.replace("secret", "${PW}"))
    assert read_settings(path, {"PW": "secret"}).warnings == ()


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"])),
    st.text(st.characters(exclude_categories=["Cs", "Cc"])),
)
def test_any_text_can_be_written_with_doubled_dollars(
    tmp_path_factory: pytest.TempPathFactory, title: str, value: str
) -> None:
    written = title.replace("$", "$$").replace("\\", "\\\\").replace('"', '\\"')
    text = f'[site]\ntitle = "{written}${{VALUE}}"\n' + SMALL
    settings = read(tmp_path_factory.getbasetemp(), text, VALUE=value)

    assert settings.site.title == title + value


@pytest.mark.parametrize(
    ("site", "answers"),
    [
        ("", False),
        ('listen = "127.0.0.1:8080"', False),
        ('url = "https://digest.example.org"', True),
        ('url = "https://digest.example.org"\nlisten = "[::1]:8080"', True),
        ('url = "https://digest.example.org"\nlisten = ""', False),
    ],
)
def test_we_answer_where_the_file_says_where_that_is_on_the_web(
    tmp_path: Path,
    site: str,
    answers: bool,  # noqa: FBT001 - a table
) -> None:
    assert read(tmp_path, f"[site]\n{site}\n{SMALL}").site.is_served is answers


@pytest.mark.parametrize(
    ("url", "ascii_url"),
    [
        ("https://bücher.example:8443/über/", "https://xn--bcher-kva.example:8443/%C3%BCber"),
        ("https://digest.example.org/~lab/a%20b/", "https://digest.example.org/~lab/a%20b"),
    ],
)
def test_a_sites_address_can_stand_in_a_mail_header(tmp_path: Path, url: str, ascii_url: str) -> None:
    assert read(tmp_path, f'[site]\nurl = "{url}"\n{SMALL}').site.url == ascii_url


# --- mistakes -------------------------------------------------------------------------------------


def test_all_mistakes_are_told_at_once_each_with_its_place(tmp_path: Path) -> None:
    text = """\
[site]
titel = "x"

[[source]]
use = "arxiv"

[[digest]]
name = "a b"
schedule = "dayly 7:00"
limit = 0
keywords = ["x", { keyword = "y", wieght = 2 }, 3]
when_empty = "never"
feed = "yes"
"""
    assert [line.partition(": ")[0] + ": " + line.split(": ")[1] for line in mistakes(tmp_path, text)] == [
        "digest.toml:2:1: site.titel",
        "digest.toml:8:8: digest[0].name",
        "digest.toml:9:12: digest[0].schedule",
        "digest.toml:10:9: digest[0].limit",
        "digest.toml:11:35: digest[0].keywords[1].wieght",
        "digest.toml:11:49: digest[0].keywords[2]",
        "digest.toml:12:14: digest[0].when_empty",
        "digest.toml:13:8: digest[0].feed",
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("[[source]]", "[[sorce]]"), "digest.toml:1:3: sorce: there is no such key; did you mean `source`?"),
        (('name = "llm"', 'nme = "llm"'), "digest.toml:6:1: digest[0].nme: there is no such key; did you mean `name`?"),
        (('name = "llm"', ""), 'digest.toml:5:1: digest[0].name: `name` is missing; write, for example, name = "llm-systems"'),
        (('use = "arxiv"', ""), 'digest.toml:1:1: source[0].use: `use` is missing; write, for example, use = "arxiv"'),
        (("[[digest]]", "[digest]"), "digest.toml:5:1: digest: write [[digest]] in double brackets, because there can be several"),
        (('["KV cache"]', '"KV cache"'), 'digest.toml:10:12: digest[0].keywords: write a list: ["…", "…"]'),
        (('"KV cache"', '"KV cache", " "'), "digest.toml:10:25: digest[0].keywords[1]: this entry is empty; write what to follow, or remove it"),
        (("Europe/Berlin", "Europe/Berln"), "digest.toml:9:12: digest[0].timezone: there is no time zone 'Europe/Berln'"),
        (('"files:mail"', '"me@example.org"'), "digest.toml:7:7: digest[0].to[0]: mail needs a server or a program that sends it"),
        (('"files:mail"', '"slack://"'), "digest.toml:7:7: digest[0].to[0]: there is nothing after slack://"),
        (('"files:mail"', '"https://example.org/"'), "digest.toml:7:7: digest[0].to[0]: for a webhook, write { webhook"),
        (('"files:mail"', '"files:"'), "digest.toml:7:7: digest[0].to[0]: the folder is missing; write it as files:inbox"),
        (('"files:mail"', '"me"'), "digest.toml:7:7: digest[0].to[0]: 'me' is not a destination; write an e-mail address"),
        (('["files:mail"]', "[]"), "digest.toml:5:1: digest[0]: it has no destination; add `to`, or feed = true"),
        (('"files:mail"', '"x@-bücher.org"'), "digest.toml:7:7: digest[0].to[0]: 'x@-bücher.org' is not a destination"),
        (('"files:mail"', '"x@a_b.org"'), "digest.toml:7:7: digest[0].to[0]: 'x@a_b.org' is not a destination"),
        (('"files:mail"', '"jörg@example.org"'), "digest.toml:7:7: digest[0].to[0]: 'jörg@example.org' has non-ASCII letters before the @"),
        (('["KV cache"]', "[]"), "digest.toml:5:1: digest[0]: it follows nothing; add `keywords`"),
        (('["KV cache"]', '[]\nexclude = ["x"]'), "digest.toml:5:1: digest[0]: it follows nothing; add `keywords`"),
        (('["KV cache"]', '["KV cache", "x", "KV cache"]'), "digest.toml:5:1: digest[0]: keywords[2] is the same as keywords[0]; remove one of the two"),
        (('["KV cache"]', '["KV cache"]\nexclude = ["KV cache"]'), "digest.toml:5:1: digest[0]: exclude[0] is the same as keywords[0]"),
        (('["KV cache"]', '["KV cache"]\nalert = true'), 'digest.toml:11:1: digest[0].alert: there is no such key here: it belongs in the table of a follow, for example { query = "…", alert = true }'),
        (('["KV cache"]', '["KV cache"]\nkinds = ["grown"]'), "digest.toml:11:10: digest[0].kinds[0]: write one of: 'new', 'version', 'picked', 'published', 'code'"),
        (('["KV cache"]', '["KV cache"]\nkinds = []'), "digest.toml:11:9: digest[0].kinds: it needs at least one entry"),
        (('["KV cache"]', '["KV cache"]\nlatest = "25:00"'), "digest.toml:11:10: digest[0].latest: '25:00'"),
        (('["KV cache"]', '[{ keyword = "x", weight = 0 }]'), "digest.toml:10:39: digest[0].keywords[0].weight: it must be more than 0"),
        (('["KV cache"]', '[{ keyword = "x", weight = nan }]'), "digest.toml:10:39: digest[0].keywords[0].weight: write a finite number"),
        (('["KV cache"]', '["${NOPE}"]'), "digest.toml:10:13: digest[0].keywords[0]: the environment variable NOPE is not set; set it"),
        (('["KV cache"]', '["${1x}"]'), "digest.toml:10:13: digest[0].keywords[0]: a ${ is not followed by the name of a variable"),
        (("[[source]]", '[store]\nurl = "mysql://x"\n[[source]]'), "digest.toml:2:7: store.url: the database must be SQLite or PostgreSQL"),
        (("[[source]]", '[store]\nurl = "sqlite://"\n[[source]]'), "digest.toml:2:7: store.url: the database needs a file; write sqlite:///digest.db"),
        (("[[source]]", '[output]\ntemplates = "nix"\n[[source]]'), "digest.toml:2:13: output.templates: there is no "),
        (("[[source]]", '[site]\nurl = "example.org"\n[[source]]'), "digest.toml:2:7: site.url: 'example.org' is not the address of a site"),
        (("[[source]]", '[site]\nurl = "https://a.org/?b=c"\n[[source]]'), "digest.toml:2:7: site.url: 'https://a.org/?b=c' is not the address of a site"),
        (("[[source]]", '[site]\nlisten = "8080"\n[[source]]'), "digest.toml:2:10: site.listen: '8080' is not an address to listen on"),
        (("[[source]]", '[site]\nlisten = "127.0.0.1:99999"\n[[source]]'), "digest.toml:2:10: site.listen: '127.0.0.1:99999' is not an address to listen on"),
        (("[[source]]", '[site]\ncontact = "me"\n[[source]]'), "digest.toml:2:11: site.contact: 'me' is not an e-mail address"),
        (
            ("[[source]]", '[site]\ncontact = "jürgen@example.org"\n[[source]]'),
            "digest.toml:2:11: site.contact: 'jürgen@example.org' has non-ASCII letters",
        ),
        (("[[source]]", '[operator]\nsummary = "daily 8:00"\n[[source]]'), "digest.toml:1:1: operator: a summary needs a destination; add `notify`"),
        (("[[source]]", '[operator]\nnotify = [{ webhook = "https://a.org/" }]\n[[source]]'), "digest.toml:2:11: operator.notify[0]: webhooks are signed"),
        (("[[source]]", '[operator]\nnotify = [{ webhook = "http://a.org/", secret = "x" }]\n[[source]]'), "digest.toml:2:23: operator.notify[0].webhook: requests would be sent unencrypted"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_what_would_be_right(
    tmp_path: Path, change: tuple[str, str], told: str
) -> None:
    assert change[0] in SMALL
    lines = mistakes(tmp_path, SMALL.replace(*change, 1))

    assert any(line.startswith(told) for line in lines), lines


@pytest.mark.parametrize(
    ("added", "text"),
    [
        ('username = "me"', "the password of 'me' is missing; write it as ${NAME}"),
        ('password = "pw"', "a login needs both `username` and `password`"),
        (
            'username = "me"\npassword = "pw"\nsecurity = "none"',
            "the password would be sent unencrypted",
        ),
        ('security = "ssl"', "write one of: 'starttls', 'tls', 'none'"),
        ('port = "25"', "write a whole number, without quotes"),
        ("port = 70000", "it must be at most 65535"),
        ("timeout = 0", "it must be more than 0"),
        ('ca_file = "nix.pem"', "there is no "),
    ],
)
def test_a_mail_server_that_cannot_work_is_told(tmp_path: Path, added: str, text: str) -> None:
    [line] = mistakes(tmp_path, SMALL + SMTP + added + "\n")

    assert re.match(rf"digest\.toml:\d+:\d+: smtp[.\w]*: {re.escape(text)}", line)


def test_further_servers_with_their_own_secrets(tmp_path: Path) -> None:
    text = (
        SMALL
        + SMTP
        + """
connections = 8
weight = 3
[[smtp.relay]]
host = "relay.example.net"
security = "tls"
username = "me"
password = "${PW}"
timeout = 5
[[smtp.relay]]
host = "spare.example.net"
connections = 1
weight = 0
"""
    )
    smtp = read(tmp_path, text, PW="secret").smtp

    assert smtp is not None
    assert smtp.relays == (
        RelaySettings(host="smtp.example.org", port=587, security="starttls", connections=8, weight=3),
        RelaySettings(
            host="relay.example.net", port=465, security="tls", username="me", password="secret", timeout=5
        ),
        RelaySettings(host="spare.example.net", port=587, security="starttls", connections=1, weight=0),
    )
    assert "secret" not in repr(smtp)


@pytest.mark.parametrize(
    ("added", "place", "text"),
    [
        ("connections = 0", "smtp.connections", "it must be at least 1"),
        ("weight = -1", "smtp.weight", "it must be at least 0"),
        ("weight = 0", "smtp", "all servers are stand-bys"),
        ('[[smtp.relay]]\nhost = ""', "smtp.relay[0].host", ""),
        ('[[smtp.relay]]\nhost = "x"\nusername = "me"', "smtp.relay[0]", "the password of 'me' is missing"),
        ('[[smtp.relay]]\nhost = "x"\nfrom = "a@b.org"', "smtp.relay[0].from", "there is no such key"),
        (
            '[[smtp.relay]]\nhost = "SMTP.example.org"\nport = 587',
            "smtp",
            "relay[0] is the same server as another one",
        ),
    ],
)
def test_servers_that_cannot_share_are_told(tmp_path: Path, added: str, place: str, text: str) -> None:
    [line] = mistakes(tmp_path, SMALL + SMTP + added + "\n")

    assert f": {place}: {text}" in line


def test_two_digests_of_one_name_are_told_at_both(tmp_path: Path) -> None:
    second = SMALL[SMALL.index("[[digest]]") :].replace('"llm"', '"LLM"')

    assert [line.split(" ")[0] for line in mistakes(tmp_path, SMALL + second)] == [
        "digest.toml:6:8:",
        "digest.toml:12:8:",
    ]


def test_a_query_that_cannot_be_read_is_told_with_its_column(tmp_path: Path) -> None:
    [line] = mistakes(tmp_path, SMALL + "queries = ['fine', 'serving \"open']\n")

    assert line.startswith("digest.toml:11:29: digest[0].queries[1]: ")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a = ", "digest.toml:1:5: a has no value; add one, or remove the line"),
        (b"a = 1\nb = = 2\n", "digest.toml:2:5: there is an extra =; write b = "),
        (b"a = 1\na = 2\n", "digest.toml:2:6: `a` exists already, in line 1; remove one of the two"),
        (b"a = 1\nb = '\xff'\n", "digest.toml:2: the file is not in UTF-8; save it as UTF-8"),
        (b"a = " + b"[" * 5000, "digest.toml: brackets are nested too deeply"),
        (b"a = " + b"1" * 5000, "digest.toml: this is not valid TOML: "),
    ],
)
def test_a_file_that_is_no_toml_is_told_with_its_place(tmp_path: Path, content: bytes, text: str) -> None:
    path = tmp_path / "digest.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        read_settings(path, {})

    assert str(caught.value).removeprefix(f"{tmp_path}{os.sep}").startswith(text)


KEYS = st.sampled_from(
    [
        *("site", "source", "digest", "smtp", "name", "to", "use", "x", "from", "schedule"),
        *("queries", "keywords", "authors", "institutions", "categories", "papers", "cites", "library"),
        *("exclude", "query", "author", "orcid", "ror", "paper", "file", "category", "primary", "weight"),
    ]
)
VALUES = st.recursive(
    st.sampled_from(
        ["true", "3", "-1.5", "nan", '"x"', '"${X"', "'$$'", "2026-01-01", '"""a\nb"""', "[]", "{}"]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda values: "[" + ", ".join(values) + "]"),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda entry: "{ " + ", ".join(f"{key} = {value}" for key, value in entry.items()) + " }"
        ),
    ),
    max_leaves=6,
)
LINES = st.one_of(
    KEYS.map(lambda key: f"[{key}]"),
    KEYS.map(lambda key: f"[[{key}]]"),
    st.tuples(KEYS, KEYS).map(lambda keys: f"[{keys[0]}.{keys[1]}]"),
    st.tuples(KEYS, VALUES).map(" = ".join),
    st.tuples(KEYS, KEYS, VALUES).map(lambda parts: f"{parts[0]}.{parts[1]} = {parts[2]}"),
)


@given(st.lists(LINES, max_size=8).map("\n".join))
@example("[[digest]]\nto = [[]]\n[smtp]\nsmtp = [[source]]")
def test_no_file_makes_anything_but_settings_or_mistakes(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    try:
        settings = read(tmp_path_factory.getbasetemp(), text)
    except ConfigError as error:
        assert str(error)  # noqa: PT017 - both ends are fine, a third one is not
    else:
        assert settings.path.name == "digest.toml"


@given(st.text(max_size=200))
def test_no_text_makes_anything_but_settings_or_mistakes(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "digest.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(ConfigError):
        assert read_settings(path, {}).path == path


@given(st.lists(LINES, max_size=8).map("\n".join))
def test_each_key_is_found_where_it_stands(text: str) -> None:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    lines = text.split("\n")
    for key in document:
        match = re.match(
            r"f:(\d+):(\d+): ", Locator("f", text).locate(Problem(path=(key,), message="", on_key=True))
        )
        assert match is not None
        assert lines[int(match[1]) - 1][int(match[2]) - 1 :].startswith(key)


# --- places in messages of others -----------------------------------------------------------------


def test_a_source_can_tell_where_its_options_stand(tmp_path: Path) -> None:
    [source] = read(tmp_path, SMALL).sources
    file = tmp_path / "digest.toml"

    assert source.locate_key("categories") == f"{file}:3:14: source[0].categories"
    assert source.locate_key("categories[0]") == f"{file}:3:15: source[0].categories[0]"
    assert source.locate_key("pace") == f"{file}:1:1: source[0].pace"
    assert source.locate_key("") == f"{file}:1:1: source[0]"


# --- finding the file -----------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, with a user's configuration folder below it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_file_given_comes_first_then_the_variable_then_the_folder_then_the_user(home: Path) -> None:
    from platformdirs import user_config_path

    users = user_config_path("digest", appauthor=False) / "digest.toml"
    users.parent.mkdir(parents=True)
    for path in (users, home / "digest.toml", home / "variable.toml", home / "given.toml"):
        path.touch()
    environ = {"DIGEST_CONFIG": str(home / "variable.toml")}

    assert find_config(home / "given.toml", environ) == home / "given.toml"
    assert find_config(None, environ) == home / "variable.toml"
    assert find_config(None, {}) == Path("digest.toml")
    (home / "digest.toml").unlink()
    assert find_config(None, {}) == users


def test_where_no_file_is_found_it_is_told_where_it_was_looked_for(home: Path) -> None:
    with pytest.raises(ConfigError, match="digest init") as caught:
        find_config(None, {})

    assert str(home / "digest.toml") in str(caught.value)
    assert str(home / "config") in str(caught.value)
    with pytest.raises(ConfigError, match=r"named by \$DIGEST_CONFIG; create one with `digest init`"):
        find_config(None, {"DIGEST_CONFIG": "nix.toml"})
    with pytest.raises(ConfigError, match=r"there is no file nix.toml"):
        find_config(Path("nix.toml"), {})


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_settings(tmp_path, {})


def test_settings_of_one_file_are_equal(tmp_path: Path) -> None:
    assert read(tmp_path, SMALL) == read(tmp_path, SMALL)


def test_queries_for_everybody_are_read_as_follows_are(tmp_path: Path) -> None:
    feeds = '[[public_feed]]\nname = "kv"\nquery = "KV caches"\n'

    (feed,) = read(tmp_path, SMALL + feeds).public_feeds
    assert (feed.name, feed.title, feed.text) == ("kv", "kv", "KV caches")
    assert feed.query == str(parse("KV caches"))
    assert not read(tmp_path, SMALL).site.public_feeds
    assert any(
        "several public feeds are called" in text for text in mistakes(tmp_path, SMALL + feeds + feeds)
    )
    assert any(
        "public_feed[0].query" in text for text in mistakes(tmp_path, SMALL + feeds.replace("KV", "("))
    )
