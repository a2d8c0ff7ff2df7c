"""The mistakes that people make every day in a configuration, and what each is told."""

from __future__ import annotations

import re
import tempfile
import tomllib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.config import read_settings
from digest.errors import ConfigError
from digest.jobs.services import make_sources
from tests.support.cases import for_each_case

RIGHT = """[site]
contact = "ada@example.org"

[[source]]
use = "arxiv"
categories = ["cs.DC", "cs.LG"]

[[digest]]
name = "llm"
to = ["files:mail"]
schedule = "weekdays 07:30"
timezone = "Europe/Berlin"
keywords = ["KV cache", "mixture of experts"]
limit = 25
feed = true

[smtp]
host = "smtp.example.org"
username = "ada"
password = "${SMTP_PW}"
from = "Digest <ada@example.org>"
"""
MISTAKES = [
    (
        '"cs.DC"',
        "“cs.DC”",
        '6:15: these quotation marks are curly, but TOML needs straight ones; write categories = ["cs.DC", "cs.LG"]',
    ),
    (
        'name = "llm"',
        "name = „llm“",
        '9:8: these quotation marks are curly, but TOML needs straight ones; write name = "llm"',
    ),
    (
        'name = "llm"',
        "name = ‘llm’",
        '9:8: these quotation marks are curly, but TOML needs straight ones; write name = "llm"',
    ),
    (
        '"cs.DC", "cs.LG"',
        '"cs.DC" "cs.LG"',
        '6:23: a comma is missing before "; write categories = ["cs.DC", "cs.LG"]',
    ),
    (
        '["KV cache", "mixture of experts"]',
        '[\n    "KV cache"\n    "mixture of experts",\n]',
        '15:5: a comma is missing before "',
    ),
    (
        'name = "llm"',
        'name = "llm',
        '9:12: this string has no end; write name = "llm"',
    ),
    ('name = "llm"', 'name = llm"', '9:8: a quotation mark is missing before it; write name = "llm"'),
    ('name = "llm"', "name = llm", '9:8: a string needs quotation marks; write name = "llm"'),
    (
        '["files:mail"]',
        "[ada@example.org]",
        '10:7: a string needs quotation marks; write to = ["ada@example.org"]',
    ),
    (
        '"cs.LG"]',
        '"cs.LG"',
        "8:1: the list that begins in line 6 has no end; add ] after its last entry",
    ),
    (
        "[smtp]",
        '[site]\ntitle = "x"\n\n[smtp]',
        "17:6: [site] exists already, in line 1; put all its keys below one header",
    ),
    (
        "limit = 25",
        "limit = 25\nlimit = 30",
        "15:11: `limit` exists already, in line 14; remove one of the two",
    ),
    (
        "limit = 25",
        "limit: 25",
        "14:6: a key and its value are separated by =, not by a colon; write limit = 25",
    ),
    (
        "limit = 25",
        "limit 25",
        "14:7: = is missing between a key and its value; write limit = 25",
    ),
    ("feed = true", "feed = True", "15:8: true must be in lower case and without quotes; write feed = true"),
    ("feed = true", "feed = yes", "15:8: true must be in lower case and without quotes; write feed = true"),
    ("feed = true", 'feed = "true"', "15:8: digest[0].feed: write true or false, without quotes"),
    (
        "[[source]]",
        "[source]",
        "4:1: source: write [[source]] in double brackets, because there can be several",
    ),
    (
        "[[digest]]",
        "[digest]",
        "8:1: digest: write [[digest]] in double brackets, because there can be several",
    ),
    ("[smtp]", "[[smtp]]", "17:3: smtp: write [smtp] in single brackets, and only once"),
    ("[smtp]", "[smtp", "17:6: a bracket is missing; write [smtp]"),
    ("[[digest]]", "[[digest]", "8:9: a bracket is missing; write [[digest]]"),
    (
        '"files:mail"',
        '"files:C:\\Users\\ada"',
        "10:18: a backslash has a special meaning in double quotation marks; write to = ['files:C:\\Users\\ada']",
    ),
    ("[smtp]", "[stmp]", "17:2: stmp: there is no such key; did you mean `smtp`?"),
    ("[[source]]", "[[sources]]", "4:3: sources: there is no such key; did you mean `source`?"),
    ("[[digest]]", "[[digests]]", "8:3: digests: there is no such key; did you mean `digest`?"),
    ("[[digest]]", "[[Digest]]", "8:3: Digest: there is no such key; did you mean `digest`?"),
    ("limit = 25", 'limit = "25"', "14:9: digest[0].limit: write a whole number, without quotes"),
    ('["files:mail"]', '"files:mail"', '10:6: digest[0].to: write a list: ["…", "…"]'),
    (
        '["KV cache", "mixture of experts"]',
        '"KV cache, mixture of experts"',
        '13:12: digest[0].keywords: write a list: ["…", "…"]',
    ),
    ("keywords =", "keyword =", "13:1: digest[0].keyword: there is no such key; did you mean `keywords`?"),
    (
        'categories = ["cs.DC", "cs.LG"]',
        'categories = "cs.DC"',
        "6:14: source[0].categories: write a list, each entry a string in quotes",
    ),
    (
        '"cs.DC"',
        '"cs.DCC"',
        "6:15: source[0].categories[0]: arXiv has no category 'cs.DCC'; did you mean \"cs.DC\"?",
    ),
    (
        '"cs.DC"',
        '"cs.ML"',
        "6:15: source[0].categories[0]: arXiv has no category 'cs.ML'; did you mean \"stat.ML\"?",
    ),
    (
        'categories = ["cs.DC", "cs.LG"]',
        'categories = ["cs.DCC", "cs.LGG"]\nroute = ["rss"]\npace = "1"',
        "7:9: source[0].route: there is no such option; did you mean `routes`?\n8:8: source[0].pace: write a number\n6:15: source[0].categories[0]: arXiv has no category 'cs.DCC'; did you mean \"cs.DC\"?\n6:25: source[0].categories[1]: arXiv has no category 'cs.LGG'; did you mean \"cs.LG\"?",
    ),
    (
        "[[digest]]",
        '[[source]]\nuse = "hf"\n\n[[source]]\nuse = "feed"\n\n[[digest]]',
        "9:7: source[1].use: there is no 'hf' among the sources; there are: arxiv, biorxiv, crossref, dblp, feed, hf_daily, openalex, openreview, pubmed, semantic_scholar\n11:1: source[2].url: `url` is missing; write a string in quotes",
    ),
    (
        'use = "arxiv"',
        'use = "arXiv"',
        "5:7: source[0].use: there is no 'arXiv' among the sources; did you mean `arxiv`?",
    ),
    ('use = "arxiv"\n', "", '4:1: source[0].use: `use` is missing; write, for example, use = "arxiv"'),
    (
        '"weekdays 07:30"',
        '"weekdays 7.30"',
        "11:12: digest[0].schedule: '7.30' in 'weekdays 7.30' is not a time of day; write it as 07:30",
    ),
    (
        '"weekdays 07:30"',
        '"weekdays 7:30am"',
        "11:12: digest[0].schedule: '7:30am' in 'weekdays 7:30am' is not a time of day; write it as 07:30",
    ),
    ('"weekdays 07:30"', "07:30", '11:13: a time needs quotation marks around it; write schedule = "07:30"'),
    (
        '"Europe/Berlin"',
        '"Berlin"',
        "12:12: digest[0].timezone: there is no time zone 'Berlin'; write an IANA name such as Europe/Berlin, America/New_York or UTC",
    ),
    (
        '"Europe/Berlin"',
        '"PST"',
        "12:12: digest[0].timezone: there is no time zone 'PST'; write an IANA name such as Europe/Berlin, America/New_York or UTC",
    ),
    (
        'name = "llm"',
        'name = "My papers"',
        "9:8: digest[0].name: 'My papers' cannot be used in file names and list headers; use at most 64 letters, digits, - and _ (the title can be anything)",
    ),
    (
        'name = "llm"\n',
        "",
        '8:1: digest[0].name: `name` is missing; write, for example, name = "llm-systems"',
    ),
    (
        'schedule = "weekdays 07:30"\n',
        "",
        '8:1: digest[0].schedule: `schedule` is missing; write, for example, schedule = "weekdays 07:30"',
    ),
    (
        'keywords = ["KV cache", "mixture of experts"]\n',
        "",
        "8:1: digest[0]: it follows nothing; add `keywords`, `queries`, `authors`, `institutions`, `categories`, `papers`, `cites` or `library`",
    ),
    (
        'from = "Digest <ada@example.org>"\n',
        "",
        '17:1: smtp.from: `from` is missing; write, for example, from = "Digest <digest@example.org>"',
    ),
    (
        "<ada@example.org>",
        "<ada>",
        "21:8: smtp.from: 'ada' is not an e-mail address; write it as name@example.org",
    ),
    (
        '"smtp.example.org"',
        '"smtp.example.org:587"',
        '18:8: smtp.host: write the port separately: host = "smtp.example.org", and port = 587 on another line',
    ),
    (
        '"smtp.example.org"',
        '"smtps://smtp.example.org"',
        "18:8: smtp.host: 'smtps://smtp.example.org' is not the name of a mail server; write it as \"smtp.example.org\"",
    ),
    (
        'username = "ada"',
        'port = "587"\nusername = "ada"',
        "19:8: smtp.port: write a whole number, without quotes",
    ),
    (
        'username = "ada"',
        'security = "ssl"\nusername = "ada"',
        "19:12: smtp.security: write one of: 'starttls', 'tls', 'none'",
    ),
    (
        '"files:mail"',
        '"ada@example.org, bob@example.org"',
        '10:7: digest[0].to[0]: these are several addresses; write them separately: "ada@example.org", "bob@example.org"',
    ),
    (
        "${SMTP_PW}",
        "$SMTP_PW",
        "20:12: smtp.password: write ${SMTP_PW} for the environment variable, or $$SMTP_PW for this text itself",
    ),
    (
        "${SMTP_PW}",
        "${smtp_pw}",
        "20:12: smtp.password: the environment variable smtp_pw is not set; set it, or write $$ for a dollar sign",
    ),
    ("limit = 25", "limit = 25 // the most", "14:12: a comment begins with #; write limit = 25"),
    ("limit = 25", "limit = 25; the most", "14:11: a comment begins with #"),
    (
        'keywords = ["KV cache", "mixture of experts"]',
        'keywords = [{ keyword = "KV cache", weight = 2, }]',
        "13:49: there must be no comma before the } of a table; remove it",
    ),
    (
        'keywords = ["KV cache", "mixture of experts"]',
        'keywords = [{\n keyword = "KV cache",\n weight = 2 }]',
        "13:14: a table in { } must be on one line; join its lines",
    ),
    (
        "limit = 25",
        "limit\xa0= 25",
        "14:6: there is a space here that TOML does not accept (copied from a web page?); write limit = 25",
    ),
    (
        "contact =",
        'url = "digest.example.org"\ncontact =',
        "2:7: site.url: 'digest.example.org' is not the address of a site; write it as https://digest.example.org",
    ),
    (
        "limit = 25",
        'limit = 25\nqueries = ["(serving OR inference) "large language model""]',
        "15:37: this string contains quotation marks of the kind around it; write queries = ['(serving OR inference) \"large language model\"']",
    ),
    (
        '"mixture of experts"',
        '"mixture of\nexperts"',
        '13:36: this string has no end; add " after it, on the same line',
    ),
    (
        "limit = 25",
        "limit = 025",
        "14:10: a number must not begin with 0; write limit = 25",
    ),
    ("limit = 25", "limit = null", "14:9: TOML has no such value; remove the whole line"),
    (
        '["KV cache", "mixture of experts"]',
        '[{ keyword = "KV cache" weight = 2 }]',
        "13:36: a comma is missing before weight",
    ),
    (
        '["KV cache", "mixture of experts"]',
        '"KV cache", "mixture of experts"',
        '13:22: a list needs square brackets; write keywords = ["KV cache", "mixture of experts"]',
    ),
    (
        '["KV cache", "mixture of experts"]',
        '"KV cache", "mixture of experts"]',
        '13:22: a list needs square brackets; write keywords = ["KV cache", "mixture of experts"]',
    ),
    ("limit = 25", "limit = 25,", "14:11: there must be no comma at the end of a line; write limit = 25"),
    (
        '"KV cache", ',
        '"KV cache"，',
        '13:23: ， is a full-width character, as typed with a Chinese or Japanese keyboard; write keywords = ["KV cache", "mixture of experts"]',
    ),
    (
        "limit = 25",
        "limit ＝ 25",
        "14:7: ＝ is a full-width character, as typed with a Chinese or Japanese keyboard; write limit = 25",
    ),
    (
        '"llm"',
        "＂llm＂",
        '9:8: ＂ is a full-width character, as typed with a Chinese or Japanese keyboard; write name = "llm"',
    ),
    (
        "[smtp]",
        "［smtp］",
        "17:1: ［ is a full-width character, as typed with a Chinese or Japanese keyboard; write [smtp]",
    ),
    ("[[digest]]", "[[[digest]]]", "8:3: there is an extra bracket; write [[digest]]"),
    ("[[digest]]", "[[digest]]]", "8:11: there is an extra bracket; write [[digest]]"),
    ("[smtp]", "[]", "17:2: a table needs a name, such as [smtp]"),
    (
        "limit = 25",
        "limit\u200b = 25",
        "14:6: there is an invisible character here (U+200B, copied from a web page?); write limit = 25",
    ),
    ('"llm"', "'llm\"", '9:8: this string begins with \' and ends with "; write name = "llm"'),
]
"""What somebody writes in place of something in the file above, and what is told, line and column first."""


def get_error_message(text: str | bytes, **environ: str) -> str:
    """What reading a file says, without the file's name; "" where it can be used."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "digest.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        try:
            make_sources(read_settings(path, environ))
        except ConfigError as error:
            return str(error).replace(f"{path}:", "")
    return ""


@for_each_case(("right", "wrong", "says"), MISTAKES)
def test_it_is_told_with_its_place_and_what_would_be_right(right: str, wrong: str, says: str) -> None:
    assert RIGHT.count(right) >= 1
    assert get_error_message(RIGHT.replace(right, wrong, 1), SMTP_PW="geheim99") == says


def test_there_are_forty_of_them_and_the_file_above_is_right() -> None:
    assert len(MISTAKES) >= 40
    assert get_error_message(RIGHT, SMTP_PW="geheim99") == ""


def test_a_misspelt_table_is_told_and_nothing_that_follows_from_it() -> None:
    mail = RIGHT.replace('"files:mail"', '"ada@example.org"').replace("[smtp]", "[stmp]")

    assert (
        get_error_message(mail, SMTP_PW="geheim99")
        == "17:2: stmp: there is no such key; did you mean `smtp`?"
    )


def test_a_missing_variable_is_one_mistake() -> None:
    assert get_error_message(RIGHT) == (
        "20:12: smtp.password: the environment variable SMTP_PW is not set; set it, or write $$ for a dollar sign"
    )


def test_a_variable_that_is_missing_in_two_places_is_one_mistake_with_both() -> None:
    twice = RIGHT.replace('"smtp.example.org"', '"${NOPE}"').replace('"files:mail"', '"${NOPE}"')

    assert get_error_message(twice, SMTP_PW="x") == (
        "10:7: digest[0].to[0]: the environment variable NOPE is not set; set it, or write $$ for a dollar sign;"
        " also in line 18, smtp.host"
    )


SIGNS = "\"'[]{}=,#\\: \n.;“”＂，［］＝a1\u3000\u200b("


def get_parser_error(text: str) -> str:
    """What the parser of TOML says of a text, without the place; "" where it is right."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return str(error).partition(" (at")[0]
    return ""


def test_whatever_sign_is_wrong_is_told_in_our_words_and_nearly_always_where_it_is() -> None:
    """Each of 1,000 changes deletes, inserts or replaces one sign."""
    random, broken, near = Random(19), 0, 0
    for _ in range(1000):
        at, sign = random.randrange(len(RIGHT)), random.choice(SIGNS)
        changed = RIGHT[:at] + random.choice(["", sign, sign + RIGHT[at]]) + RIGHT[at + 1 :]
        if not (parser_says := get_parser_error(changed)):
            continue
        broken += 1
        words = get_error_message(changed, SMTP_PW="x")
        assert parser_says not in words
        assert "for an unusual reason" not in words
        line = RIGHT.count("\n", 0, at) + 1
        places = {int(number) for number in re.findall(r"^\d+|(?<=line )\d+", words)}
        near += not places.isdisjoint({line, line + 1})
    assert near / broken > 0.98


def test_a_key_in_another_table_is_told_where_it_belongs() -> None:
    moved = RIGHT.replace("limit = 25\n", "").replace("[site]\n", "[site]\nlimit = 25\n")

    assert (
        get_error_message(moved, SMTP_PW="x")
        == "2:1: site.limit: there is no such key here; it belongs in [[digest]]"
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (RIGHT.encode("utf-16"), "the file is in UTF-16; save it as UTF-8"),
        (b"site:\n  contact: ada@example.org\n", "this is YAML, but the file must be TOML"),
        (b'---\nsource:\n  - use: "arxiv"\n', "this is YAML, but the file must be TOML"),
        (b'{"source": [{"use": "arxiv"}]}', "this is JSON, but the file must be TOML"),
    ],
)
def test_a_file_of_another_kind_is_told_as_such(content: bytes, says: str) -> None:
    assert says in get_error_message(content)


@given(
    st.lists(
        st.sampled_from(
            ["“", "”", '"', "'", "[", "]", "{", "}", "=", ",", "\n", "a", "1", " ", "#", "\\", ":"]
        )
    )
)
def test_whatever_is_written_something_is_told_or_it_is_toml(parts: list[str]) -> None:
    text = "".join(parts)
    message = get_error_message(text)

    assert message or tomllib.loads(text) == {}  # a worker's file may be empty
    assert "Traceback" not in message
