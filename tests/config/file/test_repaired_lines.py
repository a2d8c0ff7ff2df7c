"""Whatever line a message tells to write in place of a broken one mends the file."""

from __future__ import annotations

import re
import tomllib
from random import Random

from tests.config.file.test_everyday_mistakes import (
    MISTAKES,
    RIGHT,
    SIGNS,
    get_error_message,
    get_parser_error,
)
from tests.support.cases import for_each_case

REPAIRS = [
    ("limit = 25", 'title = My papers"', 'title = "My papers"'),
    ("limit = 25", "title = \"My papers'", 'title = "My papers"'),
    ("limit = 25", "title = 'My papers\"", 'title = "My papers"'),
    ("limit = 25\nfeed", "limit = 25 feed", ""),
    ("limit = 25", "limit = 25%", "limit = 25"),
    ("limit = 25", "title = 'Ann's papers'", 'title = "Ann\'s papers"'),
    ('"KV cache",', '"KV cache",,', 'keywords = ["KV cache", "mixture of experts"]'),
    ('["cs.DC", "cs.LG"]', '{"cs.LG"}', 'categories = ["cs.LG"]'),
    ('["cs.DC", "cs.LG"]', '("cs.LG")', 'categories = ["cs.LG"]'),
    ('["cs.DC", "cs.LG"]', '("cs.LG", "cs.DC")', 'categories = ["cs.LG", "cs.DC"]'),
    ('["cs.DC", "cs.LG"]', '{"cs.LG", "cs.DC"}', 'categories = ["cs.LG", "cs.DC"]'),
    ("[[digest]]\n", "[[digest]] ", ""),
    ("limit = 25", "límit = 25", "limit = 25"),
    ("limit = 25", "- limit = 25", "limit = 25"),
    ("limit = 25", 'when empty = "skip"', 'when_empty = "skip"'),
    ("limit = 25", 'title = "My papers" and more', ""),
    ("limit = 25", 'title = "My" papers"', "title = 'My\" papers'"),
    ("limit = 25", "limit = 25 papers", "limit = 25"),
    ("limit = 25", 'limit = "25', "limit = 25"),
    ("limit = 25", 'limit = 25"', "limit = 25"),
    ("limit = 25", "title = My papers", 'title = "My papers"'),
    ("limit = 25", "title = “My papers”", 'title = "My papers"'),
    ("limit = 25", 'title = “My papers"', 'title = "My papers"'),
    ("limit = 25", 'title = "My papers”', 'title = "My papers"'),
    ("limit = 25", "feed.true", ""),
    ("limit = 25", "limit == 25", "limit = 25"),
    ("limit = 25", "limit := 25", "limit = 25"),
    ("limit = 25", "limit => 25", "limit = 25"),
    ("limit = 25", "limit -> 25", "limit = 25"),
    ("limit = 25", "= 25", ""),
    ("limit = 25", "limit =", ""),
    ("limit = 25", "limit", ""),
    ("limit = 25", "limit = 1,000", "limit = 1000"),
    ("limit = 25", "limit = 25.", "limit = 25"),
    ("limit = 25", "limit = .5", ""),
    ("limit = 25", "limit = 25 000", "limit = 25000"),
    ("limit = 25", "limit = +", ""),
    ("limit = 25", '"limit = 25"', "limit = 25"),
    ("limit = 25", "<limit>25</limit>", ""),
    ("limit = 25", "set limit = 25", "limit = 25"),
    ("limit = 25", "export limit = 25", "limit = 25"),
    ("limit = 25", "let limit = 25", "limit = 25"),
    ("limit = 25", "* limit = 25", "limit = 25"),
    ("limit = 25", "limit = (25)", "limit = 25"),
    ("limit = 25", "limit = [25", ""),
    ("limit = 25", "limit = {25}", "limit = 25"),
    ("limit = 25", "! a remark", ""),
    ("limit = 25", "<!-- remark -->", ""),
    ("limit = 25", "REM remark", ""),
    ("limit = 25", "% remark", ""),
    ("limit = 25", 'title = "a\\"', "title = 'a\\'"),
    ("limit = 25", 'title = "He said "hi""', "title = 'He said \"hi\"'"),
    ("limit = 25", 'title = """My papers""', 'title = "My papers"'),
    ("limit = 25", 'title = """My papers"', 'title = "My papers"'),
    ("limit = 25", "title = '''My papers'", 'title = "My papers"'),
    ("limit = 25", 'title = ""My papers""', 'title = "My papers"'),
    ("limit = 25", "title = `My papers`", 'title = "My papers"'),
    ("limit = 25", "title = «My papers»", 'title = "My papers"'),
    ("limit = 25", "title = \"Ann's papers'", 'title = "Ann\'s papers"'),
    ("limit = 25", 'title = My "papers"', "title = 'My \"papers\"'"),
    ("limit = 25", "title = Ann's papers", 'title = "Ann\'s papers"'),
    ("limit = 25", 'title = "x", # c', 'title = "x"'),
    ("limit = 25", "limit = 25 --remark", "limit = 25"),
    ("limit = 25", "limit = 25 (at most)", "limit = 25"),
    ("limit = 25", "limit = 25;", "limit = 25"),
    ("limit = 25", "limit = 25.", "limit = 25"),
    ("limit = 25", "limit = 25,5", ""),
    ("limit = 25", "limit = 0x", ""),
    ("limit = 25", "limit = ten", ""),
    ("limit = 25", "limit = None", ""),
    ("limit = 25", "wait_for = arxiv", 'wait_for = ["arxiv"]'),
    ("limit = 25", "wait_for = [arxiv]", 'wait_for = ["arxiv"]'),
    ("limit = 25", "wait_for = [arxiv, dblp]", 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = ["arxiv" "dblp"]', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = ["arxiv"; "dblp"]', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = ["arxiv". "dblp"]', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = ["arxiv", "dblp"', ""),
    ("limit = 25", 'wait_for = ["arxiv", "dblp")', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = ["arxiv", "dblp"}', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = "arxiv", "dblp"', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = ["arxiv, "dblp"]', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = ["arxiv", dblp"]', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = [\'arxiv", "dblp"]', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = [, "arxiv"]', 'wait_for = ["arxiv"]'),
    ("limit = 25", 'wait_for = ["arxiv", "dblp"]]', 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = [["arxiv", "dblp"]', ""),
    ("limit = 25", "wait_for = [“arxiv”, “dblp”]", 'wait_for = ["arxiv", "dblp"]'),
    ("limit = 25", 'wait_for = ["arxiv" # first\n "dblp"]', ""),
    ("limit = 25", 'wait_for [ "arxiv" ]', 'wait_for = ["arxiv"]'),
    ("limit = 25", 'wait_for: ["arxiv"]', 'wait_for = ["arxiv"]'),
    ("limit = 25", "wait_for:\n  - arxiv", ""),
    ("[smtp]", "[smtp", "[smtp]"),
    ("[smtp]", "smtp]", "[smtp]"),
    ("[smtp]", "[smtp)", "[smtp]"),
    ("[smtp]", "(smtp)", "[smtp]"),
    ("[smtp]", "{smtp}", "[smtp]"),
    ("[smtp]", "[[smtp]", "[smtp]"),
    ("[smtp]", "[smtp]]", "[smtp]"),
    ("[smtp]", "smtp:", "[smtp]"),
    ("[smtp]", "smtp", "[smtp]"),
    ("[smtp]", "[my smtp]", ""),
    ("[smtp]", "[smtp]:", "[smtp]"),
    ("[smtp]", "[smtp] mail", ""),
    ("[smtp]", "[smtp] // mail", "[smtp]"),
    ("[smtp]", "[smtp] =", "[smtp]"),
    ("[smtp]", "<smtp>", "[smtp]"),
    ("[smtp]", "[smtp]\n[smtp]", ""),
    ("[[digest]]\n", "[[digest]]: ", ""),
    ("[[digest]]\n", "[[digest]],\n", "[[digest]]"),
    ('schedule = "weekdays 07:30"', "schedule = weekdays 07:30", 'schedule = "weekdays 07:30"'),
    ('schedule = "weekdays 07:30"', "schedule = 07:30 # mornings", 'schedule = "07:30"'),
    ('schedule = "weekdays 07:30"', "schedule = 7:30", 'schedule = "7:30"'),
    ('schedule = "weekdays 07:30"', "schedule = 7.30am", 'schedule = "7.30am"'),
    ('schedule = "weekdays 07:30"', "schedule = * * * * *", 'schedule = "* * * * *"'),
    ('schedule = "weekdays 07:30"', "schedule = 30 7 * * *", 'schedule = "30 7 * * *"'),
    ('timezone = "Europe/Berlin"', "timezone = Europe/Berlin", 'timezone = "Europe/Berlin"'),
    ('to = ["files:mail"]', "to = ada@example.org", 'to = ["ada@example.org"]'),
    ('to = ["files:mail"]', "to = <ada@example.org>", 'to = ["<ada@example.org>"]'),
    ('to = ["files:mail"]', 'to = "Ada" <ada@example.org>', "to = ['\"Ada\" <ada@example.org>']"),
    ('to = ["files:mail"]', 'to = ["Ada" <ada@example.org>]', "to = ['\"Ada\" <ada@example.org>']"),
    (
        'to = ["files:mail"]',
        "to = [ada@example.org, bob@example.org]",
        'to = ["ada@example.org", "bob@example.org"]',
    ),
    ('to = ["files:mail"]', "to = [files:mail]", 'to = ["files:mail"]'),
    ('to = ["files:mail"]', "to = files:mail", 'to = ["files:mail"]'),
    ('use = "arxiv"', "use = arxiv", 'use = "arxiv"'),
    ('use = "arxiv"', "use: arxiv", 'use = "arxiv"'),
    ('use = "arxiv"', 'use: "arxiv"', 'use = "arxiv"'),
    ('use = "arxiv"', 'use "arxiv"', 'use = "arxiv"'),
    ('use = "arxiv"', "use arxiv", 'use = "arxiv"'),
    ('use = "arxiv"', 'use="arxiv" categories=["cs.LG"]', ""),
    ('use = "arxiv"', 'use = "arxiv", ', 'use = "arxiv"'),
    ('use = "arxiv"', '"use" : "arxiv"', 'use = "arxiv"'),
    ('use = "arxiv"', '"use": "arxiv",', 'use = "arxiv"'),
    ('use = "arxiv"', 'use = \\"arxiv\\"', 'use = "arxiv"'),
    ("host = ", "<<<<<<< HEAD\nhost = ", ""),
    ("host = ", "=======\nhost = ", ""),
    ("host = ", ">>>>>>> x\nhost = ", ""),
    ('"${SMTP_PW}"', "${SMTP_PW}", 'password = "${SMTP_PW}"'),
    ('"${SMTP_PW}"', "$SMTP_PW", 'password = "${SMTP_PW}"'),
    ('host = "smtp.example.org"', "host = smtp.example.org", 'host = "smtp.example.org"'),
    ('host = "smtp.example.org"', 'host = "smtp.example.org', 'host = "smtp.example.org"'),
    ('host = "smtp.example.org"', "host = smtp.example.org:587", 'host = "smtp.example.org:587"'),
    ('host = "smtp.example.org"', "host = 192.168.1.1", 'host = "192.168.1.1"'),
    ('keywords = ["KV cache", "mixture of experts"]', 'keywords = ["KV cache", "mixture of experts"', ""),
    (
        'keywords = ["KV cache", "mixture of experts"]',
        'keywords = [\n"KV cache",\n"mixture of experts",\n',
        "",
    ),
    (
        'keywords = ["KV cache", "mixture of experts"]',
        "keywords = [KV cache, mixture of experts]",
        'keywords = ["KV cache", "mixture of experts"]',
    ),
    (
        'keywords = ["KV cache", "mixture of experts"]',
        "keywords = KV cache, mixture of experts",
        'keywords = ["KV cache", "mixture of experts"]',
    ),
    ('keywords = ["KV cache", "mixture of experts"]', 'keywords = [{ keyword = "KV cache" weight = 2 }]', ""),
    ('keywords = ["KV cache", "mixture of experts"]', 'keywords = [{ keyword: "KV cache", weight: 2 }]', ""),
    ('keywords = ["KV cache", "mixture of experts"]', 'keywords = [{ "KV cache", weight = 2 }]', ""),
    ('keywords = ["KV cache", "mixture of experts"]', 'keywords = [{ keyword = "KV cache", weight = 2 ]', ""),
    ('keywords = ["KV cache", "mixture of experts"]', 'keywords = [ keyword = "KV cache", weight = 2 ]', ""),
    ('keywords = ["KV cache", "mixture of experts"]', 'keywords += ["KV cache"]', 'keywords = ["KV cache"]'),
]
"""What somebody writes in place of something in the file, and the line that the message tells to write; "" for none."""


def apply_fix(text: str, message: str) -> str:
    """A file in which the line that a message names stands as it tells to write it; "" where it tells no line."""
    line_fix = re.fullmatch(r"(?P<line>\d+):\d+: [^;]*; write (?P<fix>.*)", message)
    header_fix = re.fullmatch(
        r"(?P<line>\d+):.*; write (?P<fix>.*) in double brackets, here and in line (?P<other>\d+)", message
    )
    fix = header_fix or line_fix
    if not fix:
        return ""
    lines = text.split("\n")
    for number in (fix["line"], *([header_fix["other"]] if header_fix else [])):
        lines[int(number) - 1] = fix["fix"]
    return "\n".join(lines)


@for_each_case(("right", "wrong", "line"), REPAIRS)
def test_the_line_that_is_told_is_what_was_meant_and_mends_the_file(
    right: str, wrong: str, line: str
) -> None:
    broken = RIGHT.replace(right, wrong, 1)
    message = get_error_message(broken, SMTP_PW="geheim99")

    assert message.partition("; write ")[2] == line
    assert bool(line) or "write" not in message
    assert not line or not get_parser_error(apply_fix(broken, message))


def test_there_are_a_hundred_lines_that_are_told() -> None:
    assert sum(bool(line) for _, _, line in REPAIRS) >= 100


@for_each_case(("right", "wrong", "says"), [case for case in MISTAKES if "; write " in case[2]])
def test_what_is_told_to_write_where_a_file_is_not_toml_mends_it(right: str, wrong: str, says: str) -> None:
    broken = RIGHT.replace(right, wrong, 1)

    assert not get_parser_error(broken) or not get_parser_error(apply_fix(broken, says))


def test_tables_that_stand_twice_in_single_brackets_are_mended_by_double_ones() -> None:
    for name in ("source", "digest"):
        twice = RIGHT.replace(f"[[{name}]]", f"[{name}]\n[{name}]")

        message = get_error_message(twice, SMTP_PW="geheim99")
        assert f"write [[{name}]] in double brackets, here and in line" in message
        assert not get_parser_error(apply_fix(twice, message))


def test_whatever_sign_is_wrong_the_line_that_is_told_mends_it_and_nearly_always_as_it_was() -> None:
    """Each of 2,000 changes deletes, inserts or replaces one sign."""
    random, offered, restored = Random(20), 0, 0
    for _ in range(2000):
        at, sign = random.randrange(len(RIGHT)), random.choice(SIGNS)
        changed = RIGHT[:at] + random.choice(["", sign, sign + RIGHT[at]]) + RIGHT[at + 1 :]
        if not get_parser_error(changed) or not (
            mended := apply_fix(changed, get_error_message(changed, SMTP_PW="x"))
        ):
            continue
        assert not get_parser_error(mended)
        offered += 1
        restored += tomllib.loads(mended).keys() == tomllib.loads(RIGHT).keys()
    assert offered > 300
    assert restored / offered > 0.95


@for_each_case(
    "line",
    [
        'password = "geheim99',
        "password = geheim99",
        "password = “geheim99”",
        'password: "geheim99"',
        'url = "postgresql+psycopg://me:geheim99@db/x',
        "to = [https://hooks.example.org/geheim99]",
        "key = geheim99",
    ],
)
def test_no_message_repeats_a_secret(line: str) -> None:
    message = get_error_message(f"{RIGHT}{line}\n", SMTP_PW="x")

    assert message
    assert "geheim99" not in message
