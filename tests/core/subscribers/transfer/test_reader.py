"""What readers import: each format is recognized, what cannot be followed is said, and hostile files do no harm."""

from __future__ import annotations

import base64
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.core.subscribers.own_digest import OwnFollow
from digest.core.subscribers.transfer.imported import (
    ImportContentError,
    ImportedContent,
    ImportMistake,
    ProblemKind,
    make_library_follow,
)
from digest.core.subscribers.transfer.plan import read_plan, write_plan
from digest.core.subscribers.transfer.reader import read_import
from digest.model import PaperKey

PAPER = make_library_follow(PaperKey("arxiv:2401.00001"), "A title")


def read_text(text: str) -> ImportedContent:
    return read_import(text.encode())


def list_queries(text: str) -> list[str]:
    return [follow.query for follow in read_text(text).follows]


def list_problems(text: str) -> list[ProblemKind]:
    return [problem.kind for problem in read_text(text).problems]


def find_mistake(content: bytes) -> ImportMistake:
    with pytest.raises(ImportContentError) as caught:
        read_import(content)
    return caught.value.mistake


def make_mail(subject: str, html: str = "") -> bytes:
    mail = EmailMessage()
    mail["From"] = "Google Scholar Alerts <scholaralerts-noreply@google.com>"
    mail["To"] = "ada@example.org"
    mail["Subject"] = subject
    mail.set_content("See the other part.")
    mail.add_alternative(html or "<p>Some papers</p>", subtype="html")
    return mail.as_bytes()


# --- formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "format_name"),
    [
        ("@article{a, title={A title}, eprint={2401.00001}, archiveprefix={arXiv}}", "BibTeX"),
        ("TY  - JOUR\nTI  - A title\nUR  - https://arxiv.org/abs/2401.00001\nER  - \n", "RIS"),
        ('[{"title": "A title", "URL": "https://arxiv.org/abs/2401.00001"}]', "CSL JSON"),
        (
            '[{"itemType": "preprint", "title": "A title", "url": "https://arxiv.org/abs/2401.00001"}]',
            "Zotero JSON",
        ),
        ("Item Type,Title,Url\npreprint,A title,https://arxiv.org/abs/2401.00001\n", "Zotero CSV"),
        ("2401.00001 A title", ""),
    ],
)
def test_libraries_are_recognized(text: str, format_name: str) -> None:
    assert read_text(text) == ImportedContent(format_name=format_name, follows=(PAPER,))


def test_encodings_of_old_programs_are_read() -> None:
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        (follow,) = read_import('"Schrödinger bridge"'.encode(encoding)).follows
        assert follow.query == '"schrodinger bridge"' or "schr" in follow.query


@pytest.mark.parametrize(
    ("address", "queries"),
    [
        ("https://rss.arxiv.org/rss/cs.LG", ["category:cs.LG"]),
        ("http://arxiv.org/rss/cs.LG+stat.ML", ["category:cs.LG", "category:stat.ML"]),
        ("https://export.arxiv.org/rss/math", ["category:math"]),
        ("https://arxiv.org/list/cs.DC/recent", ["category:cs.DC"]),
        (
            "http://export.arxiv.org/api/query?search_query=ti:%22kv+cache%22+AND+cat:cs.LG&amp;start=0",
            ['category:cs.LG AND title:"kv cache"'],
        ),
        ("https://arxiv.org/search/?query=Hinton%2C+G&amp;searchtype=author", ['author:"Hinton, G"']),
        ("https://arxiv.org/a/warner_s_1.atom2", ["author:arxiv:warner_s_1"]),
    ],
)
def test_feeds_of_categories_searches_and_persons_are_followed(address: str, queries: list[str]) -> None:
    opml = f"""<?xml version="1.0"?><opml version="2.0"><body><outline text="folder">
        <outline type="rss" text="The feed" xmlUrl="{address}"/></outline>
        <outline text="A blog" xmlUrl="https://example.org/feed"/></body></opml>"""
    content = read_text(opml)
    assert content.format_name == "OPML"
    assert [follow.query for follow in content.follows] == queries
    assert [(problem.kind, problem.text) for problem in content.problems] == [
        (ProblemKind.NO_SEARCH, "A blog")
    ]


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("Kaiming He", 'author:"Kaiming He"'),
        ("- Yoshua Bengio", 'author:"Yoshua Bengio"'),
        ("3. G. E. Hinton", 'author:"G. E. Hinton"'),
        ("Hinton, Geoffrey", 'author:"Hinton, Geoffrey"'),
        ("Ludwig van Beethoven", 'author:"Ludwig van Beethoven"'),
        ("0000-0002-1825-0097", "author:orcid:0000-0002-1825-0097"),
        ("https://orcid.org/0000-0002-1825-0097", "author:orcid:0000-0002-1825-0097"),
        ("arxiv:warner_s_1", "author:arxiv:warner_s_1"),
        ("https://openalex.org/A5023888391", "author:openalex:A5023888391"),
        ("Diffusion Models", "diffusion AND models"),
        ("LLM Serving", "llm AND serving"),
        ('"Kaiming He"', '"kaiming he"'),
        ("cs.LG", "category:cs.LG"),
        ('author:"X Y" OR graph', 'author:"X Y" OR graph'),
        ("kv cache - new results", "cache AND kv"),
        ("Geoffrey Hinton - new articles", 'author:"Geoffrey Hinton"'),
        ("Geoffrey Hinton - neue Artikel", 'author:"Geoffrey Hinton"'),
        ('New results for "kv cache"', '"kv cache"'),
        ("allintitle: kv cache - new results", "title:cache AND title:kv"),
        ('intitle:"kv cache" source:nature - new results', 'journal:nature AND title:"kv cache"'),
    ],
)
def test_a_line_is_a_name_an_id_a_query_or_the_subject_of_an_alert(line: str, query: str) -> None:
    assert list_queries(line) == [query]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("0000-0002-1825-0098", ProblemKind.NO_PERSON),
        ("https://orcid.org/0000-0002-1825-0098", ProblemKind.NO_PERSON),
        ("https://scholar.google.com/citations?user=abc", ProblemKind.SCHOLAR_PAGE),
        ("Geoffrey Hinton - new citations", ProblemKind.CITATIONS),
        ("12 new citations to your articles", ProblemKind.CITATIONS),
        ("title:(", ProblemKind.NO_QUERY),
        ("x" * 501, ProblemKind.NO_QUERY),
        ("-only", ProblemKind.NO_QUERY),
    ],
)
def test_what_cannot_be_followed_says_why(line: str, kind: ProblemKind) -> None:
    assert list_problems(line) == [kind]


def test_papers_without_an_id_and_broken_entries_say_so() -> None:
    text = "@article{a, title={Without an id}}\n@article{b, title={Broken\n@article{c, eprint={2401.00001}, archiveprefix={arXiv}}"
    content = read_text(text)
    assert {problem.kind for problem in content.problems} >= {ProblemKind.NO_ID, ProblemKind.BROKEN}
    assert len(content.follows) == 1


def test_lines_beyond_what_a_digest_can_have_are_counted_and_not_read() -> None:
    content = read_text("\n".join(f"w{number}" for number in range(1_010)))
    assert (len(content.follows), content.unread) == (1_000, 10)


# --- alerts ---------------------------------------------------------------------------------------

WRITTEN_BY = "This message was sent by Google Scholar because you&#39;re following new articles written by"


@pytest.mark.parametrize(
    ("mail", "query"),
    [
        (make_mail("Matt S. Stöck - new articles"), 'author:"Matt S. Stöck"'),
        (make_mail("[kv cache] - new results"), "cache AND kv"),
        (
            make_mail("12 things", f'<p>{WRITTEN_BY} <a href="https://x.y">Matt S. Stock</a>.</p>'),
            'author:"Matt S. Stock"',
        ),
        (
            b"From ada@example.org Mon Jun 1 00:00:00 2026\n" + make_mail("kv cache - new results"),
            "cache AND kv",
        ),
        (
            f"<html><body>{WRITTEN_BY} <a>Yong Zhu</a>.<br>LIST ALERTS</body></html>".encode(),
            'author:"Yong Zhu"',
        ),
        (
            b"A paper\nA Foo\nThis message was sent by Google Scholar because\nyou're following new results for [kv cache].\nLIST ALERTS",
            "cache AND kv",
        ),
    ],
)
def test_an_alert_is_what_it_searches(mail: bytes, query: str) -> None:
    content = read_import(mail)
    assert content.format_name == "Google Scholar"
    assert [follow.query for follow in content.follows] == [query]


def test_a_mail_that_is_no_alert_is_refused() -> None:
    assert find_mistake(make_mail("Lunch")) is ImportMistake.UNREADABLE


@pytest.mark.parametrize(
    "mail",
    [
        b"Subject: x\nMIME-Version: 1.0\nFrom: a\n"
        + b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number)
            for number in range(2_000)
        ),
        b"Subject: " + b"=?utf-8?q?a?= " * 50_000 + b"\nMIME-Version: 1.0\nFrom: a\n\n",
        b"Subject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=none\n\nwords",
        b"Subject: =?nonsense?q?a?=\nMIME-Version: 1.0\nFrom: a\n\nwords",
        b"Subject: x\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\n"
        + base64.b64encode(b"\xff" * 500),
    ],
    ids=["nested", "words", "charset", "header", "bytes"],
)
def test_a_hostile_mail_is_refused(mail: bytes) -> None:
    assert find_mistake(mail) is ImportMistake.UNREADABLE


# --- hostile files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "mistake"),
    [
        (b"", ImportMistake.EMPTY),
        (b" \n\t ", ImportMistake.EMPTY),
        (b"PK\x03\x04", ImportMistake.ARCHIVE),
        (b"\x00\x01", ImportMistake.UNREADABLE),
        (b"[" * 1_500_000, ImportMistake.UNREADABLE),
        (b"[" * 10_000_000, ImportMistake.TOO_MUCH),
        (b"[" + b'{"a":[]},' * 1_000_000 + b"{}]", ImportMistake.TOO_MUCH),
        (b'{"a":' * 100_000, ImportMistake.UNREADABLE),
        (b"[" + b"9" * 100_000 + b"]", ImportMistake.UNREADABLE),
        (
            b"<!DOCTYPE opml [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><opml>&b;</opml>",
            ImportMistake.UNREADABLE,
        ),
        (
            "<!DOCTYPE opml [<!ENTITY a 'aaaa'>]><opml>&a;</opml>".encode("utf-16"),
            ImportMistake.UNREADABLE,
        ),
        (b"<opml>" + b"<outline>" * 200_000, ImportMistake.UNREADABLE),
        (b"<opml>" + b"<outline xmlUrl='a'/>" * 6_000 + b"</opml>", ImportMistake.TOO_MUCH),
        (b"<rss><channel/></rss>", ImportMistake.UNREADABLE),
        (b"<" * 1_000_000, ImportMistake.UNREADABLE),
        (b"a\n" * 60_000, ImportMistake.TOO_MUCH),
        (b"TY  - X\n" * 60_000, ImportMistake.UNREADABLE),
        (b"@a{b,\n" * 60_000, ImportMistake.UNREADABLE),
        (b"title,doi\n" + b"a,b\n" * 60_000, ImportMistake.UNREADABLE),
    ],
    ids=lambda value: str(value[:12]),
)
def test_a_hostile_file_is_refused(content: bytes, mistake: ImportMistake) -> None:
    assert find_mistake(content) is mistake


def test_deep_opml_is_read() -> None:
    opml = "<opml>" + "<outline>" * 50_000 + "</outline>" * 50_000 + "</opml>"
    assert read_text(opml) == ImportedContent(format_name="OPML")


@pytest.mark.parametrize(
    "line",
    [
        "https://[::1",
        "https://arxiv.org/rss/" + "+" * 190,
        "https://arxiv.org/list/<b>/new",
        "https://arxiv.org/search/?" + "&".join(["a=b"] * 100),
        "https://arxiv.org/api/query?search_query=%00%ff",
        "<".join("x" * 10),
        "\u202eKaiming He",
        "Kaiming\x07 He",
        "\ud7ff" * 100,
        "-" * 499,
        "(" * 499,
        '"' * 499,
        "a" + " " * 2_400 + "- b",
        "a -  -" * 400,
    ],
)
def test_hostile_lines_are_read_or_say_why(line: str) -> None:
    content = read_text(line)
    for follow in content.follows:
        assert (follow.text + follow.query).isprintable()
    for problem in content.problems:
        assert problem.kind


@settings(max_examples=300)
@given(
    st.one_of(
        st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
    )
)
def test_any_file_is_read_or_refused(content: bytes) -> None:
    for start in (b"", b"<opml>", b"[", b"@a{", b"TY  - ", b"Subject: a\nFrom: b\nTo: c\n", b"title,doi\n"):
        try:
            read_content = read_import(start + content)
        except ImportContentError:
            continue
        assert read_plan(write_plan(read_content.follows[:500])) == read_content.follows[:500]


# --- between the steps ----------------------------------------------------------------------------


def test_what_the_first_step_shows_comes_back_as_it_was() -> None:
    content = read_text(
        "Kaiming He\n2401.00001 A <b>title</b> & more\n10.1000/a(b)c\nhttps://example.org/paper?a=1\n"
        + "word " * 90
    )
    assert len(content.follows) == 5
    plan = write_plan(content.follows)
    assert plan.isascii()
    assert "\n" not in plan
    assert read_plan(plan) == content.follows


def test_a_canonical_query_that_is_longer_than_what_was_typed_comes_back() -> None:
    (follow,) = read_text(" ".join(f"a{number}" for number in range(120))).follows
    assert len(follow.query) > 500
    assert read_plan(write_plan([follow])) == (follow,)
    assert isinstance(follow, OwnFollow)
