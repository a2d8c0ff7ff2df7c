"""Digests that readers subscribe to, and who may: what the file can say, and which mistakes it is told of."""

from __future__ import annotations

from pathlib import Path

import pytest

from digest.config import PublicDigestSettings, Settings, SignupSettings, read_settings
from digest.errors import ConfigError
from digest.model import Frequency
from tests.support.cases import for_each_case

FILE = """\
[site]
url = "https://digest.example.org"
language = "de"

[[source]]
use = "arxiv"
categories = ["cs.DC"]

[smtp]
host = "smtp.example.org"
from = "Digest <digest@example.org>"
"""
PUBLIC = """
[[public_digest]]
name = "kv-caches"
title = "KV caches"
description = "New papers on KV caches."
schedule = "weekly mon 08:00"
timezone = "Europe/Berlin"
latest = "10:00"
limit = 10
keywords = ["KV cache", { keyword = "paging", weight = 2, exclude = ["medicine"] }]
exclude = ["survey"]
feed = true
"""
SIGNUP = "\n[signup]\n"


def read(folder: Path, text: str) -> Settings:
    path = folder / "digest.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return read_settings(path, {})


def read_public(folder: Path, text: str = FILE + PUBLIC) -> PublicDigestSettings:
    (public_digest,) = read(folder, text).public_digests
    return public_digest


def get_mistakes(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read(folder, text)
    return str(caught.value)


# --- public digests -------------------------------------------------------------------------------


def test_a_public_digest_is_read_as_a_digest_is(tmp_path: Path) -> None:
    public_digest = read_public(tmp_path)
    digest = public_digest.digest

    assert (public_digest.name, public_digest.title) == ("kv-caches", "KV caches")
    assert public_digest.description == "New papers on KV caches."
    assert (digest.schedule.frequency, digest.schedule.zone) == (Frequency.WEEKLY, "Europe/Berlin")
    assert (digest.options.limit, digest.options.feed) == (10, True)
    assert [(follow.text, follow.weight, follow.exclude) for follow in digest.follows] == [
        ("KV cache", 1.0, False),
        ("paging", 2.0, False),
        ("medicine", 1.0, True),
        ("survey", 1.0, True),
    ]
    assert digest.destinations == ()


def test_its_language_is_that_of_the_site_until_a_reader_has_another(tmp_path: Path) -> None:
    assert read_public(tmp_path).digest.options.language == "de"


@for_each_case(
    "line, mistake",
    [
        ('to = ["files:mail"]', "public_digest[0].to: there is no such key"),
        ('language = "de"', "public_digest[0].language: there is no such key"),
        ("limt = 3", "public_digest[0].limt: there is no such key; did you mean `limit`?"),
        ('queries = ["("]', "public_digest[0].queries[0]"),
        ('wait_for = ""', "public_digest[0].wait_for"),
    ],
)
def test_mistakes_are_told_with_their_place(line: str, mistake: str, tmp_path: Path) -> None:
    assert mistake in get_mistakes(tmp_path, f"{FILE}{PUBLIC}{line}\n")


@for_each_case("key", ["name", "description", "schedule"])
def test_what_it_cannot_do_without_is_named(key: str, tmp_path: Path) -> None:
    lines = [line for line in PUBLIC.splitlines() if not line.startswith(f"{key} =")]

    assert f"`{key}` is missing" in get_mistakes(tmp_path, FILE + "\n".join(lines))


def test_one_without_follows_is_a_mistake(tmp_path: Path) -> None:
    lines = [line for line in PUBLIC.splitlines() if not line.startswith("keywords")]

    assert "it follows nothing" in get_mistakes(tmp_path, FILE + "\n".join(lines))


def test_two_of_a_name_are_a_mistake_in_any_case(tmp_path: Path) -> None:
    both = FILE + PUBLIC + PUBLIC.replace("kv-caches", "KV-Caches")

    assert "several public digests are called 'KV-Caches'" in get_mistakes(tmp_path, both)


def test_one_may_have_the_name_of_a_digest_of_the_file(tmp_path: Path) -> None:
    own = '\n[[digest]]\nname = "kv-caches"\nto = ["files:a"]\nschedule = "daily 7:00"\nkeywords = ["a"]\n'
    settings = read(tmp_path, FILE + own + PUBLIC)

    assert [digest.name for digest in settings.declared_digests] == ["kv-caches", "kv-caches"]


# --- signing up -----------------------------------------------------------------------------------


def test_without_the_table_nobody_signs_up_and_with_it_anyone(tmp_path: Path) -> None:
    assert read(tmp_path, FILE).signup is None
    assert read(tmp_path, FILE + SIGNUP).signup == SignupSettings(who="anyone")


@for_each_case(
    "line, url",
    [
        ("", "https://api.zotero.org"),
        ('zotero_url = "http://127.0.0.1:8090/"', "http://127.0.0.1:8090"),
    ],
)
def test_saved_papers_go_to_zotero_or_where_the_file_says(line: str, url: str, tmp_path: Path) -> None:
    signup = read(tmp_path, f"{FILE}{SIGNUP}{line}\n").signup

    assert signup is not None
    assert signup.zotero_url == url


@for_each_case(
    "who, address, is_open",
    [
        ('who = "anyone"', "a@anywhere.example", True),
        ('who = "invited"', "a@example.org", False),
        ('who = "domains"\ndomains = ["Example.org", "bücher.example"]', "a@EXAMPLE.org", True),
        ('who = "domains"\ndomains = ["Example.org", "bücher.example"]', "a@xn--bcher-kva.example", True),
        ('who = "domains"\ndomains = ["Example.org", "bücher.example"]', "a@lab.example.org", False),
        ('who = "domains"\ndomains = ["Example.org", "bücher.example"]', "a@notexample.org", False),
    ],
)
def test_who_may_sign_up_is_what_the_file_says(
    who: str, address: str, tmp_path: Path, *, is_open: bool
) -> None:
    signup = read(tmp_path, f"{FILE}{SIGNUP}{who}\n").signup

    assert signup is not None
    assert signup.is_open_to(address) is is_open


@for_each_case(
    "lines, mistake",
    [
        ('who = "domains"', 'who = "domains" needs them'),
        ('domains = ["example.org"]', "`domains` has no effect"),
        ('who = "domains"\ndomains = ["a@example.org"]', "signup.domains[0]"),
        ('who = "domains"\ndomains = ["example"]', "signup.domains[0]"),
        ('who = "members"', "write one of: 'anyone', 'domains', 'invited'"),
        ('zotero_url = "api.zotero.org"', "signup.zotero_url"),
    ],
)
def test_what_contradicts_itself_is_a_mistake(lines: str, mistake: str, tmp_path: Path) -> None:
    assert mistake in get_mistakes(tmp_path, f"{FILE}{SIGNUP}{lines}\n")


@for_each_case("name, key", [("Daily-Papers", "daily_papers"), ("Trending", "trending")])
def test_the_name_of_a_shipped_digest_is_taken_where_it_is_switched_on(
    name: str, key: str, tmp_path: Path
) -> None:
    own = FILE + PUBLIC.replace("kv-caches", name)

    assert read_public(tmp_path, own).name == name
    assert "several public digests are called" in get_mistakes(tmp_path, f"{own}{SIGNUP}{key} = true\n")


# --- warnings -------------------------------------------------------------------------------------


@for_each_case("offer, subject", [(PUBLIC, "[[public_digest]]"), (SIGNUP, "[signup]")])
def test_what_needs_pages_and_mail_warns_without_them(offer: str, subject: str, tmp_path: Path) -> None:
    source = FILE[FILE.index("[[source]]") : FILE.index("[smtp]")]

    assert read(tmp_path, FILE + offer).warnings == ()
    assert read(tmp_path, FILE).warnings == ()
    site, mail = read(tmp_path, source + offer).warnings
    assert site.startswith(f"{subject} needs a site")
    assert mail.startswith(f"{subject} needs a server that sends mail")


def test_operators_who_cannot_sign_in_are_a_warning(tmp_path: Path) -> None:
    source = FILE[FILE.index("[[source]]") : FILE.index("[smtp]")]
    people = '[operator]\npeople = ["Ops@Example.org", "ops@example.org"]\n'

    settings = read(tmp_path, source + people)
    assert settings.operator.people == ("ops@example.org",)
    site, mail = settings.warnings
    assert site.startswith("[operator] people needs a site with public pages")
    assert mail.startswith("[operator] people needs a server that sends mail")
    assert "is not an e-mail address" in get_mistakes(tmp_path, FILE + people.replace("@", " "))
