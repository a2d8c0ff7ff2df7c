from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formataddr
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jinja2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from digest.errors import RenderError
from digest.model import (
    Abstracts,
    Arrangement,
    Author,
    BatchState,
    Edition,
    EditionPart,
    Item,
    Mail,
    MissedEdition,
)
from digest.render.branding import Branding
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.headers import clean_header_text
from digest.render.delivery.line_sizes import MAIL_LINES_BUDGET, count_fitting_lines, measure_mail_line
from digest.render.delivery.mail import (
    MAX_HTML_BYTES,
    MailLinks,
    find_mail_limits,
    has_all_papers,
    make_mail,
    render_mail,
)
from digest.render.environment import make_environment
from digest.render.languages.by_name import get_locale
from tests.render.samples import (
    FRIDAY,
    NOW,
    SITE,
    make_batch,
    make_edition,
    make_edition_of_every_kind,
    make_edition_of_three_parts,
    make_item,
    make_reason,
)
from tests.support.cases import for_each_case

HEADERS = [
    *("From", "To", "Subject", "Date", "Message-ID", "Reply-To", "List-Id", "List-Unsubscribe"),
    *("List-Help", "List-Owner", "Content-Language", "Feedback-ID", "Precedence"),
    *("Auto-Submitted", "X-Auto-Response-Suppress"),
    *("MIME-Version", "Content-Type"),
]
ENVIRONMENT = make_environment()


def mailed(
    edition: Edition, site: Branding = SITE, *, environment: jinja2.Environment = ENVIRONMENT, **options: str
) -> Mail:
    usual = {"recipient": "me@example.org", "message_id": "<1@example.org>"}
    return make_mail(environment, edition, site, delivery=7, **usual | options)


def read(message: Mail) -> EmailMessage:
    return message_from_bytes(message.content, policy=policy.default)


def parts(message: EmailMessage) -> tuple[str, str]:
    text, html = (part.get_content().replace("\r\n", "\n") for part in message.iter_parts())
    return text, html


def line_of(text: str) -> str:
    return " ".join(text.split())


class Outline(HTMLParser):
    """What a document is made of, and whether each element is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag not in {"meta", "br"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def close(self) -> None:
        super().close()
        assert self._open == []


def parse_outline(html: str) -> Outline:
    outline = Outline()
    outline.feed(html)
    outline.close()
    return outline


# --- the message ----------------------------------------------------------------------------------


def test_a_mail_has_the_headers_of_a_list() -> None:
    message = mailed(make_edition_of_three_parts())

    head = message.content.partition(b"\r\n\r\n")[0].decode()
    assert head.split("\r\n")[:-1] == [
        "From: Digest <digest@example.org>",
        "To: me@example.org",
        "Subject: =?utf-8?q?llm-systems=2C_12_Jun=3A_1_new=2C_1_maybe=2C_1_new_v?=",
        " =?utf-8?q?ersion_=C2=B7_SplitZip_1=3A_Lossless_KV_Compression?=",
        "Date: Fri, 12 Jun 2026 05:30:04 +0000",
        "Message-ID: <1@example.org>",
        "Reply-To: ops@example.org",
        'List-Id: "llm-systems" <llm-systems.digest.example.org>',
        "List-Unsubscribe: <mailto:ops@example.org?subject=unsubscribe%20llm-systems>",
        "List-Help: <mailto:ops@example.org>",
        "List-Owner: <mailto:ops@example.org>",
        "Content-Language: en",
        "Feedback-ID: llm-systems:edition:papers-digest:2386c86ed7d5",
        "Precedence: bulk",
        "Auto-Submitted: auto-generated",
        "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply",
        "MIME-Version: 1.0",
    ]
    assert (
        read(message)["Subject"]
        == "llm-systems, 12 Jun: 1 new, 1 maybe, 1 new version · SplitZip 1: Lossless KV Compression"
    )
    assert (message.delivery, message.sender, message.recipient, message.message_id) == (
        *(7, "digest@example.org", "me@example.org", "<1@example.org>"),
    )


def test_text_comes_first_and_html_last() -> None:
    types = [part.get_content_type() for part in read(mailed(make_edition_of_three_parts())).walk()]

    assert types == ["multipart/alternative", "text/plain", "text/html"]


def test_without_contact_and_site_nothing_leads_nowhere() -> None:
    alone = Branding(title="", sender="me@home.example")

    message = read(mailed(make_edition_of_three_parts(), alone))
    text, html = parts(message)

    of_contact = {"Reply-To", "List-Unsubscribe", "List-Help", "List-Owner"}
    assert message.keys() == [name for name in HEADERS if name not in of_contact]
    assert message["List-Id"] == '"llm-systems" <llm-systems.home.example>'
    assert all(link.startswith("https://arxiv.org/") for link in parse_outline(html).links)
    assert "mailto:" not in text
    assert "To stop it, remove the address from the digest's configuration." in text
    assert "You receive “llm-systems” at this address. To stop" in " ".join(text.split())


def test_the_same_edition_gives_the_same_bytes_and_another_message_other_boundaries() -> None:
    first, again = mailed(make_edition_of_three_parts()), mailed(make_edition_of_three_parts())
    other = mailed(make_edition_of_three_parts(), message_id="<2@example.org>")

    assert first == again
    assert read(first).get_boundary() != read(other).get_boundary()


def test_a_part_of_one_line_has_no_bare_line_ends(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "edition.html").write_text(f"<p>{'x' * 200}</p>", encoding="utf-8")

    message = mailed(make_edition_of_three_parts(), environment=make_environment(tmp_path)).content

    assert b"\n" not in message.replace(b"\r\n", b"")


def test_long_addresses_in_list_headers_are_never_folded() -> None:
    contact = f"{'c' * 60}@{'sub.' * 30}example.org"

    message = mailed(make_edition_of_three_parts(digest="d" * 60), replace(SITE, contact=contact)).content

    line = next(line for line in message.split(b"\r\n") if line.startswith(b"List-Unsubscribe: "))
    assert line.decode() == f"List-Unsubscribe: <mailto:{contact}?subject=unsubscribe%20{'d' * 60}>"


UNSUBSCRIBE = "https://digest.example.org/unsubscribe/MQ.c2ln"
PAGE = "https://digest.example.org/editions/MQ.c2ln"


def test_with_a_site_a_mail_is_stopped_by_one_click() -> None:
    message = read(mailed(make_edition_of_three_parts(), unsubscribe=UNSUBSCRIBE, page=PAGE))

    by_mail = "mailto:ops@example.org?subject=unsubscribe%20llm-systems"
    assert message["List-Unsubscribe"] == f"<{UNSUBSCRIBE}>, <{by_mail}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_mail_says_where_its_page_is() -> None:
    assert read(mailed(make_edition_of_three_parts(), page=PAGE))["Archived-At"] == f"<{PAGE}>"


def test_complaints_are_counted_by_digest_and_never_by_reader() -> None:
    mails = [
        read(mailed(edition, recipient=f"{number}@example.org", message_id=f"<{number}@example.org>"))
        for number, edition in enumerate((make_edition_of_three_parts(), make_edition_of_every_kind()))
    ]
    alert = read(mailed(make_edition_of_three_parts(period="alert-7")))

    first, second = (message["Feedback-ID"] for message in mails)
    assert first == second
    campaign, kind, program, sender = first.split(":")
    assert (campaign, kind, program) == ("llm-systems", "edition", "papers-digest")
    assert 5 <= len(sender) <= 15
    assert alert["Feedback-ID"] == first.replace("edition", "alert")


def test_both_parts_lead_to_the_page_and_to_the_way_out() -> None:
    text, html = parts(read(mailed(make_edition_of_three_parts(), unsubscribe=UNSUBSCRIBE, page=PAGE)))

    assert {UNSUBSCRIBE, PAGE} <= set(parse_outline(html).links)
    assert {UNSUBSCRIBE, PAGE} <= set(text.split("\n"))


def test_an_edition_after_a_year_without_a_machine_fits_and_says_so_in_a_few_lines() -> None:
    days = [FRIDAY - timedelta(days=back) for back in range(365)]
    missed = [
        make_batch(
            section,
            BatchState.FAILED,
            day=day,
            asked_at=NOW - timedelta(days=FRIDAY.toordinal() - day.toordinal()),
        )
        for day in days
        for section in ("cs.CL", "cs.DC", "cs.LG")
    ]
    late = [make_item(number, late=True, day=day) for number, day in enumerate(days)]
    mail = render_mail(ENVIRONMENT, make_edition(*late[:40], batches=tuple(missed)), SITE)

    assert len(mail.html.encode()) < MAX_HTML_BYTES
    assert mail.html.count("not available") == 1
    assert "40 papers in this edition were announced from Monday 4 May to Friday 12 June" in " ".join(
        mail.text.split()
    )


def test_several_that_did_not_arrive_are_one_sentence_with_a_link_each() -> None:
    lost = MissedEdition(
        edition=1,
        period="2026-06-09T07:30",
        zone="UTC",
        composed_at=make_edition_of_three_parts().composed_at,
    )
    days = (
        replace(lost, page="https://d.example/1"),
        replace(lost, period="2026-06-10T07:30", page="https://d.example/2"),
    )

    text, html = parts(read(mailed(make_edition_of_three_parts(missed=days))))

    assert (
        "! 2 of your editions could not be delivered; read them here:\n"
        "  Tuesday 9 June:\nhttps://d.example/1\n"
        "  Wednesday 10 June:\nhttps://d.example/2\n"
    ) in text.replace("\r\n", "\n")
    (matches,) = re.findall(r"<p[^>]*>(2 of your editions.*?)</p>", html)
    assert re.sub("<[^>]*>", "", matches).endswith("; read them here: Tuesday 9 June, Wednesday 10 June")
    assert re.findall('href="([^"]*)"', matches) == ["https://d.example/1", "https://d.example/2"]


def test_without_contact_there_is_the_link_alone() -> None:
    message = read(mailed(make_edition_of_three_parts(), replace(SITE, contact=""), unsubscribe=UNSUBSCRIBE))

    assert message["List-Unsubscribe"] == f"<{UNSUBSCRIBE}>"


def test_one_click_is_promised_only_where_it_is_encrypted() -> None:
    message = read(mailed(make_edition_of_three_parts(), unsubscribe=UNSUBSCRIBE.replace("https", "http")))

    assert message["List-Unsubscribe"].startswith("<http://digest.example.org/unsubscribe/")
    assert message["List-Unsubscribe-Post"] is None


@pytest.mark.parametrize("address", ["javascript:alert(1)", "https:", "mailto:x@example.org"])
def test_what_is_no_web_address_is_not_linked_to(address: str) -> None:
    assert mailed(make_edition_of_three_parts(), unsubscribe=address, page=address) == mailed(
        make_edition_of_three_parts()
    )


def test_a_test_mail_is_marked() -> None:
    subject = read(mailed(make_edition_of_three_parts(), subject_prefix="[test]"))["Subject"]

    assert subject.startswith("[test] llm-systems, 12 Jun: 1 new, ")


@pytest.mark.parametrize(
    ("abstract", "encoding"), [("plain " * 100, "quoted-printable"), ("圧縮する。" * 100, "base64")]
)
def test_each_part_takes_the_shorter_encoding(abstract: str, encoding: str) -> None:
    message = read(
        mailed(make_edition(*(make_item(n, abstract=abstract) for n in range(9)), abstracts=Abstracts.FULL))
    )

    assert next(message.iter_parts())["Content-Transfer-Encoding"] == encoding
    assert parts(message)[0].count(abstract[:5]) >= 9


@pytest.mark.parametrize("sender", ["", "nobody", "Digest <@>"])
def test_a_sender_without_address_is_an_error(sender: str) -> None:
    with pytest.raises(RenderError, match="is not a valid e-mail address"):
        mailed(make_edition_of_three_parts(), replace(SITE, sender=sender))


# --- what it says ---------------------------------------------------------------------------------


def get_lone_links(text: str) -> set[str]:
    """The addresses that have a line of the text part for themselves."""
    return set(re.findall(r"^(?:https?|mailto):\S+$", text, re.MULTILINE))


def test_both_parts_hold_the_same_papers_and_pages() -> None:
    papers = make_edition_of_three_parts(batches=(make_batch(), make_batch("cs.LG", BatchState.WAITING)))
    text, html = parts(read(mailed(papers)))
    outline = parse_outline(html)

    texts_of_papers = {
        link
        for link in outline.links
        if link.startswith(("https://arxiv.org/pdf/", "https://arxiv.org/html/"))
    }
    assert len(texts_of_papers) == 2 * len(papers.items)  # the text part leads to them by the paper's page
    assert get_lone_links(text) == set(outline.links) - texts_of_papers
    for item in (*papers.items, *papers.overflow):
        assert item.paper.title in text
        assert item.paper.title in outline.text
    for sentence in (
        "MAYBE: INITIALS OR NAMESAKES",
        "NEW VERSIONS",
        "MORE PAPERS IN BRIEF",
        "5 MORE PAPERS MATCH AND COME FIRST IN THE NEXT EDITION.",
        "YOUR EXCLUSIONS REMOVED 1 PAPER.",
        "1 NEW · 1 MAYBE · 1 NEW VERSION",
        "ARXIV CS.LG, FRIDAY 12 JUNE: DUE SINCE 06:00 CEST, NOT QUERIED YET.",
        "WENCONG XIAO (MAYBE; HERE: W. XIAO)",
        "VERSION 3",
    ):
        assert sentence in " ".join(text.split()).upper()
        assert sentence in " ".join(outline.text.split()).upper()
    for part in (text, outline.text):
        assert "New papers" not in part  # they come first, as one expects
        assert "Because you follow" not in part  # what is followed stands alone
        assert "In this edition" not in part


NEWS = (
    "kv cache · cs.dc, cs.lg",
    "announced before, now also in cs.lg and math.co",
    "kv cache · cs.dc, cs.lg · picked",
    "kv cache · cs.dc, cs.lg · picked",
    "kv cache · cs.dc, cs.lg · picked",
    "kv cache · cs.dc, cs.lg · version 3, withdrawn",
    "kv cache · cs.dc, cs.lg · now published: j. made up 1 (2026)",
    "kv cache · cs.dc, cs.lg · code",
    "version 3, withdrawn",
)
"""What stands between the title of each paper of ``every_kind`` and the next one's."""


def test_both_parts_tell_every_kind_of_news_under_its_heading() -> None:
    edition = make_edition_of_every_kind(overflow=(make_item(9, EditionPart.VERSIONS, withdrawn=True),))
    grown = edition.items[1]
    grown = replace(grown, event=replace(grown.event, new_categories=("cs.LG", "math.CO")))
    edition = replace(edition, items=(edition.items[0], grown, *edition.items[2:]))
    text, html = parts(read(mailed(edition)))
    outline = parse_outline(html)

    assert get_lone_links(text) < set(outline.links)
    assert "https://github.com/who/what" in outline.links
    counted = "2 new · 1 maybe · 2 picked · 1 new version · 1 publication · 1 with new code"
    headings = (
        "maybe: initials or namesakes",
        "picked by the community",
        "new versions, publications and new code",
    )
    for shown in (text, outline.text):
        line = line_of(shown)
        assert counted in line
        pieces = re.split(r"splitzip \d: lossless kv compression", line.casefold())[-9:]
        for piece, words in zip(pieces, NEWS, strict=True):
            assert words in piece
        for heading, piece in zip(headings, (pieces[1], pieces[2], pieces[4]), strict=True):
            assert heading in piece
            assert line.casefold().count(heading) == 1


def test_the_first_papers_tell_where_their_authors_are_and_the_others_have_their_authors_in_a_line() -> None:
    authors = tuple(Author(name=f"Ana {n}.", affiliations=(f"Lab {n}",)) for n in range(1, 10))
    text, html = parts(read(mailed(make_edition(*(make_item(n, authors=authors) for n in range(1, 6))))))

    for shown in (line_of(text), line_of(parse_outline(html).text)):
        assert shown.count("Lab 1; Lab 2; Lab 3; Lab 4; 5 more") == 3
        assert shown.count(", ".join(author.name for author in authors)) == 3
        assert shown.count("Ana 1., Ana 2., Ana 3. and 6 more") == 2


def test_a_paper_of_another_day_says_so() -> None:
    day = FRIDAY - timedelta(days=3)
    edition = make_edition(
        make_item(1), make_item(2, day=day), make_item(3, day=day, late=True), make_item(4)
    )

    for part in parts(read(mailed(edition))):
        pieces = re.split(r"SplitZip \d", line_of(re.sub("<[^>]*>", "", part)))[-4:]
        assert [bool(re.search(r"\b9 Jun\b", piece)) for piece in pieces] == [False, True, True, False]
        assert ["announced 9 Jun" in piece for piece in pieces] == [False, False, True, False]
        assert not any("12 Jun" in piece for piece in pieces[:3])


def test_in_the_text_part_matched_words_stand_between_asterisks() -> None:
    why = make_reason("KV", title=["KV"], abstract=["KV cache"], author=["Ana Lee"])
    people = (Author(name="Yipin Guo"), Author(name="Ana Lee"))
    numbers = range(1, 5)
    edition = make_edition(*(make_item(n, reasons=[why], authors=people) for n in numbers), full=3)

    text, html = parts(read(mailed(edition)))

    for n in numbers:
        assert f"SplitZip {n}: Lossless *KV* Compression" in text
        assert f"SplitZip {n}: Lossless <b>KV</b> Compression" in html
    assert text.count("Yipin Guo, *Ana Lee*\n") == html.count("Yipin Guo, <b>Ana Lee</b>") == 3
    assert text.count("We compress the *KV cache* number") == html.count("<b>KV cache</b> number") == 3


def test_what_a_mail_program_shows_next_to_the_subject_are_the_first_titles() -> None:
    edition = make_edition(*(make_item(n, title=f"Title {n} & more") for n in range(1, 6)))
    html = render_mail(ENVIRONMENT, edition, SITE).html

    match = re.search(r"<body[^>]*>\s*<div style=\"([^\"]*)\">([^<]*)</div>", html)
    assert match
    assert "display:none" in match[1]
    assert match[2] == "Title 1 &amp; more · Title 2 &amp; more · Title 3 &amp; more"
    longest = make_edition(make_item(1, title="word " * 99))
    match = re.search(
        r"<div style=\"display:none[^\"]*\">([^<]*)</div>", render_mail(ENVIRONMENT, longest, SITE).html
    )
    assert match
    assert len(match[1]) <= 200
    assert match[1].endswith("word …")
    assert "display:none" not in render_mail(ENVIRONMENT, make_edition(), SITE).html.partition("<body>")[2]


def test_font_and_colours_hold_without_a_sheet() -> None:
    """Gmail drops what the body has, and other programs the sheets."""
    html = render_mail(ENVIRONMENT, make_edition_of_three_parts(), SITE).html
    sheet = re.search(r"body\{([^}]*)\}", html)
    wrapper = re.search(r'<div class=w style="([^"]*)">', html)

    assert sheet
    assert wrapper
    styles = unescape(wrapper[1]).split(";")
    assert {style for style in sheet[1].split(";") if style.startswith(("background:", "color:"))} <= set(
        styles
    )
    assert any(style.startswith("font:16px/1.5 ") and style.endswith(",sans-serif") for style in styles)
    assert all(len(sheet.encode()) < 8_000 for sheet in re.findall("(?s)<style>(.*?)</style>", html))


@pytest.mark.parametrize("arrange", Arrangement)
def test_what_a_reader_says_of_a_paper_is_said_on_its_page(arrange: Arrangement) -> None:
    """The number of a page is the rank of its paper, however papers are arranged."""
    reasons = [make_reason(follow) for follow in ("one", "two", "one", "two", "three")]
    edition = make_edition(
        *(make_item(n, reasons=[why]) for n, why in enumerate(reasons, 1)), arrange=arrange
    )
    text, html = parts(read(mailed(edition, page=PAGE)))

    by_title = re.split(r"SplitZip (\d): ", html[html.index("<main>") :])[1:]
    assert sorted(by_title[::2]) == ["1", "2", "3", "4", "5"]
    assert (by_title[::2] == ["1", "2", "3", "4", "5"]) == (arrange is Arrangement.RANKED)
    for number, shown in zip(by_title[::2], by_title[1::2], strict=True):
        assert re.findall(rf'<a href="{PAGE}/([^"]*)">([^<]*)</a>', shown) == [
            (f"{number}?save", "Save"),
            (f"{number}?more", "More"),
            (f"{number}?less", "Less"),
        ]
    for number, shown in zip(*(re.split(r"SplitZip (\d): ", text)[n::2] for n in (1, 2)), strict=True):
        assert f"\nSave, more, less:\n{PAGE}/{number}\n" in shown
    assert "?save" not in render_mail(ENVIRONMENT, edition, SITE).html
    assert "Save" not in render_mail(ENVIRONMENT, edition, SITE).text


def test_papers_stand_below_what_is_followed_if_the_reader_wants_it() -> None:
    reasons = [make_reason(follow) for follow in ("Follow B", "Follow A", "Follow B", "Follow A", "Follow B")]
    edition = make_edition(
        *(make_item(n, reasons=[why]) for n, why in enumerate(reasons, 1)), arrange=Arrangement.BY_FOLLOW
    )
    text, html = parts(read(mailed(edition)))

    assert re.findall(r"<h2>(.*?)</h2>", html) == re.findall(r"^== (.*)$", text, re.MULTILINE)
    for shown in (html[html.index("<main>") :], text[text.index("==") :]):
        headings = re.findall(r"(?:<h2>|== )(Follow .)|SplitZip (\d):", shown)
        assert ["".join(found) for found in headings] == ["Follow B", "1", "3", "5", "Follow A", "2", "4"]


def test_a_link_stands_on_a_line_of_its_own_and_lines_fit_a_terminal() -> None:
    url = "https://example.org/" + "long/" * 40
    text = render_mail(
        ENVIRONMENT, make_edition(make_item(url=url), make_item(2, abstract=f"See {url} " * 3)), SITE
    ).text

    assert f"\n{url}\n" in text
    assert {line for line in text.split("\n") if len(line) > 72} == {url}


def test_the_html_is_a_document_that_needs_nothing_from_elsewhere() -> None:
    outline = parse_outline(render_mail(ENVIRONMENT, make_edition_of_three_parts(), SITE).html)

    assert not {"img", "script", "link", "iframe", "form"} & set(outline.tags)
    assert outline.attributes <= {"lang", "dir", "charset", "name", "content", "style", "class", "href"}
    assert [tag for tag in outline.tags if tag in {"h1", "h2", "h3"}] == ["h1", *["h2", "h3"] * 3, "h2"]


@for_each_case(
    ("fields", "says"),
    [
        ({}, "None of the 212 listings match what you follow."),
        ({"excluded": 3}, "Your exclusions removed everything that matches what you follow."),
        ({"batches": ()}, "Nothing to report: no new paper matches what you follow."),
        ({"batches": (make_batch(state=BatchState.EMPTY),)}, "Nothing to report: nothing was announced."),
        (
            {"batches": (make_batch(state=BatchState.WAITING),)},
            "Nothing to report yet: the announcements that were due have not arrived.",
        ),
        (
            {"batches": (make_batch(), make_batch("cs.LG", BatchState.FAILED))},
            "None of the 212 listings that arrived match what you follow, and others are missing.",
        ),
    ],
)
def test_an_edition_without_papers_says_why(fields: dict[str, object], says: str) -> None:
    mail = render_mail(ENVIRONMENT, make_edition(**fields), SITE)

    assert mail.subject == "llm-systems, 12 Jun 07:30: nothing new"
    assert says in " ".join(mail.text.split())
    assert says in mail.html


def test_a_period_in_utc_is_told_by_the_readers_clock() -> None:
    late = make_edition(period="2026-06-11T23:30:00Z")

    assert render_mail(ENVIRONMENT, late, SITE).subject == "llm-systems, 12 Jun 01:30: nothing new"


def test_a_subject_is_short_and_cut_at_a_blank() -> None:
    subject = render_mail(ENVIRONMENT, make_edition(make_item(title="On the, " + "word " * 60)), SITE).subject

    assert 100 < len(subject) <= 110
    assert subject.startswith("llm-systems, 12 Jun: 1 new · On the, word")
    assert subject.endswith(" word …")


def test_a_subject_names_the_first_paper() -> None:
    edition = make_edition(make_item(title="On caches"), make_item(2), make_item(3))

    assert render_mail(ENVIRONMENT, edition, SITE).subject == "llm-systems, 12 Jun: 3 new · On caches"


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("a name " * 9, "a name" + " a name" * 6 + " …, 12 Jun: 1 new · " + "word " * 7 + "word …"),
        ("short", "short, 12 Jun: 1 new · " + "word " * 16 + "word …"),
    ],
)
def test_a_long_name_leaves_room_for_the_first_paper(title: str, said: str) -> None:
    edition = make_edition(make_item(title="word " * 60), title=title)

    assert render_mail(ENVIRONMENT, edition, SITE).subject == said


def test_a_title_without_blanks_is_cut_too() -> None:
    subject = render_mail(ENVIRONMENT, make_edition(make_item(title="圧縮" * 90)), SITE).subject

    assert len(subject) == 110
    assert subject.endswith("圧 …")


def test_where_much_is_counted_no_paper_is_named() -> None:
    counted = "2 new, 1 maybe, 2 picked, 1 new version, 1 publication, 1 with new code"

    assert (
        render_mail(ENVIRONMENT, make_edition_of_every_kind(), SITE).subject
        == f"llm-systems, 12 Jun: {counted}"
    )


# --- what fits ------------------------------------------------------------------------------------


def line_count(html: str) -> int:
    return parse_outline(html).tags.count("li")


def test_of_an_edition_of_an_earlier_release_as_many_papers_have_lines_as_fit() -> None:
    many = make_edition(
        *(make_item(n, abstract="A sentence. " * 200) for n in range(25)),
        overflow=tuple(make_item(n, title=f"Paper {n} " + "of some length " * 5) for n in range(100, 600)),
        dropped=10,
    )

    mail = render_mail(ENVIRONMENT, many, SITE)

    assert MAX_HTML_BYTES * 0.9 < len(mail.html.encode()) <= MAX_HTML_BYTES
    lines = line_count(mail.html)
    assert 300 < lines < 525
    for part in (mail.html, " ".join(mail.text.split())):
        assert f"{525 - lines} more matching papers are not shown." in part
        assert "10 more papers match and come first in the next edition." in part


@pytest.mark.parametrize("tag", ["en", "de", "zh"])
def test_what_has_no_room_in_full_stands_as_a_line_with_its_title_and_link(tag: str) -> None:
    environment, masthead = make_environment(locale=get_locale(tag)), replace(SITE, locale=get_locale(tag))
    many = make_edition(*(make_item(n, title=f"Paper {n}: {'of some length ' * 4}") for n in range(253)))

    mail = render_mail(environment, many, masthead)

    assert len(mail.html.encode("ascii", "xmlcharrefreplace")) <= MAX_HTML_BYTES
    full = parse_outline(mail.html).tags.count("h3")
    assert full == many.full == 12
    assert line_count(mail.html) == 253 - full
    for paper in (item.paper for item in many.items):
        for part in (mail.html, mail.text):
            assert paper.url in part
        assert f"{paper.title.split(':')[0]}: of some" in " ".join(mail.html.split())
        assert f"{paper.title.split(':')[0]}: of some" in " ".join(mail.text.split())
    press = MailCache(environment, masthead)
    joined = press.make_mail(many, delivery=1, recipient="reader@example.org", message_id="<1@x>")
    assert press.fast_count == 1
    text = next(
        message
        for message in message_from_bytes(joined.content).walk()
        if message.get_content_type() == "text/plain"
    )
    assert text.get_payload(decode=True).decode().split() == mail.text.split()  # type: ignore[union-attr]


def test_a_template_in_which_papers_have_no_room_for_a_line_gives_way_to_the_shipped_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "mail").mkdir()
    lines = "{% for card in edition.rest %}{{ card.title.html }}{{ 'x' * 500 }}{% endfor %}"
    (tmp_path / "mail" / "edition.html").write_text(lines, encoding="utf-8")
    many = make_edition(make_item(1), overflow=tuple(make_item(n) for n in range(2, 254)))

    told: list[str] = []

    mail = render_mail(make_environment(tmp_path, on_error=lambda _, wrong: told.append(wrong)), many, SITE)

    assert line_count(mail.html) == 252
    assert "xxx" not in mail.html
    assert "no room for a line for each paper" in told[0]


@pytest.mark.parametrize(
    ("lines", "is_own"),
    [
        ("", False),
        ("{% for card in edition.rest[:-1] %}{{ card.title.html }}{% endfor %}", False),
        ("{% for card in edition.rest %}<a href={{ card.url }}>{{ card.short }}</a>{% endfor %}", True),
        ("{% for card in edition.rest %}{{ card.title.text }}{% endfor %}", True),
    ],
)
def test_no_paper_is_lost_by_a_template_that_has_no_place_for_lines(
    tmp_path: Path, lines: str, *, is_own: bool
) -> None:
    (tmp_path / "mail").mkdir()
    papers = (
        "{% for section in edition.sections %}{% for card in section.cards %}"
        "<p>{{ card.title.html }} {{ card.abstract.html }}</p>{% endfor %}{% endfor %}{{ edition.unshown }}"
    )
    (tmp_path / "mail" / "edition.html").write_text(papers + lines, encoding="utf-8")
    titles = [f"Paper {n:03}" for n in range(400)]
    many = make_edition(
        *(make_item(n, title=title, abstract="word " * 150) for n, title in enumerate(titles))
    )
    told: list[str] = []
    environment = make_environment(tmp_path, on_error=lambda _, wrong: told.append(wrong))

    mail = render_mail(environment, many, SITE)

    assert [title for title in titles if title not in mail.html] == []
    assert [title for title in titles if title not in mail.text] == []
    assert ("does not show each paper" in " ".join(told)) != is_own
    assert mail == render_mail(environment if is_own else ENVIRONMENT, many, SITE)
    # Where all papers have room in full, or stand on a page, the template loses none.
    told.clear()
    assert render_mail(environment, make_edition(make_item()), SITE) != render_mail(
        ENVIRONMENT, make_edition(make_item()), SITE
    )
    assert render_mail(environment, many, SITE, MailLinks(page="https://e.org/1")).html.startswith("<p>")
    assert not told


@given(
    st.lists(
        st.builds(
            make_item,
            number=st.integers(1, 10_000),
            title=st.text(min_size=1, max_size=400),
            authors=st.lists(st.builds(Author, name=st.text(min_size=1, max_size=60)), max_size=4).map(tuple),
            part=st.sampled_from(EditionPart),
            late=st.booleans(),
        ),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from(["en", "de", "zh"]),
)
@settings(max_examples=25, deadline=None)
def test_an_edition_that_is_composed_to_have_room_has_it_whatever_its_papers(
    some: list[Item], tag: str
) -> None:
    lines = [measure_mail_line(item.paper) for item in some]
    many = [*some] * (MAIL_LINES_BUDGET // sum(lines) + 1)
    number = count_fitting_lines([*lines] * (MAIL_LINES_BUDGET // sum(lines) + 1), MAIL_LINES_BUDGET)
    masthead = replace(SITE, locale=get_locale(tag))
    edition = make_edition(*many[:5], overflow=tuple(many[5:number]))

    shape = find_mail_limits(make_environment(locale=masthead.locale), edition, masthead)

    assert has_all_papers(shape, edition, MailLinks())


@for_each_case(
    ("title", "authors"),
    [
        ("Lossless Compression of Caches for Distributed Inference now", ("Yipin Guo", "Ana Lee")),
        (
            "Lossless Compression of the Caches of Models for Distributed Inference, Measured in Three Ways",
            ("Yipin Guo", "Ana Lee"),
        ),
        (
            "Δ-learning of operators on manifolds – a ‘spectral’ view of Schrödinger’s équation, measured twice",
            ("Müller, J.-P.", "Nguyễn Văn Đạt"),
        ),
    ],
)
def test_two_or_three_hundred_papers_have_room_in_a_mail_and_its_text_takes_less_than_its_html(
    title: str, authors: tuple[str, ...]
) -> None:
    """As promises.md says."""
    people = tuple(Author(name=name) for name in authors)
    many = [make_item(number, title=title, authors=people) for number in range(1, 600)]
    number = count_fitting_lines((measure_mail_line(item.event.paper) for item in many), MAIL_LINES_BUDGET)
    mail = mailed(make_edition(*many[:number]))

    assert 200 <= number <= 350
    text, html = parts(read(mail))
    assert len(text) < len(html)
    assert len(mail.content) < 165_000


@for_each_case(
    ("rest", "dropped", "says"),
    [
        (1, 0, "1 more on the page"),
        (1200, 0, "1,200 more on the page"),
        (7, 3, "7 more on the page"),
        (7, 3, "3 more papers match and come first in the next edition."),
        (0, 3, "3 more papers match and come first in the next edition."),
    ],
)
def test_where_there_is_a_page_it_shows_the_rest(rest: int, dropped: int, says: str) -> None:
    lines = tuple(make_item(n) for n in range(10, 10 + rest))
    edition = make_edition(make_item(1), overflow=lines, dropped=dropped)

    for part in parts(read(mailed(edition, page=PAGE))):
        assert says in line_of(part)
        assert "SplitZip 10" not in part


def test_papers_that_do_not_fit_in_full_have_a_line() -> None:
    authors = tuple(Author(name="N" * 90) for _ in range(2))
    papers = [make_item(n, authors=authors) for n in range(200)]
    mail = render_mail(ENVIRONMENT, make_edition(*papers, full=200), SITE)

    count = parse_outline(mail.html).tags.count("h3")
    assert MAX_HTML_BYTES * 0.9 < len(mail.html.encode()) <= MAX_HTML_BYTES
    lines = line_count(mail.html)
    assert 0 < count < 200
    assert count + lines == 200
    assert "more papers" not in mail.html


ABSTRACT = (
    "Large language models serve many users at once, and the cache of keys and values that each request needs "
    "takes most of the memory. We present SplitZip, a lossless codec for the KV cache that exploits the skewed "
    "distribution of the exponents of its values, and that decodes at the full speed of the memory of a GPU. It "
    "needs neither training nor calibration. On four models and three traces, it saves 31% of the memory."
)
LONG_PAGE = f"https://digest.example.org/editions/{'x' * 40}"


def make_usual_item(number: int) -> Item:
    names = ("Yipin Guo", "Siddharth Joshi", "Wencong Xiao", "Ana Lee", "Maximilian Mustermann")
    return make_item(
        number,
        reasons=[make_reason("KV cache or inference", title=["KV cache"], abstract=["KV cache"])],
        title=f"SplitZip {number}: Ultra Fast Lossless Compression of the KV Cache for Distributed Inference",
        abstract=ABSTRACT,
        authors=tuple(Author(name=name, affiliations=("University of Examples",)) for name in names),
        code_urls=("https://github.com/someone/splitzip",),
    )


@pytest.mark.parametrize("links", [MailLinks(), MailLinks(page=LONG_PAGE)])
@pytest.mark.parametrize("abstracts", Abstracts)
@pytest.mark.parametrize("arrange", Arrangement)
@pytest.mark.parametrize("full", [0, 12, 200])
def test_a_mail_of_two_hundred_papers_is_not_clipped_and_has_each_of_them(
    abstracts: Abstracts, arrange: Arrangement, full: int, links: MailLinks
) -> None:
    papers = [make_usual_item(n) for n in range(1000, 1200)]

    mail = render_mail(
        ENVIRONMENT, make_edition(*papers, abstracts=abstracts, arrange=arrange, full=full), SITE, links
    )

    assert len(mail.html.encode("ascii", "xmlcharrefreplace")) < 90_000
    tags = parse_outline(mail.html).tags
    assert tags.count("h3") + tags.count("li") == 200
    assert tags.count("h3") == full or full == 200
    for shown in (line_of(mail.html), line_of(mail.text)):
        for paper in (item.paper for item in papers):
            assert paper.url in shown
            assert paper.title.split(":")[0] in shown


@pytest.mark.parametrize(
    "follows",
    [
        ["KV cache"],
        ['author:"Wencong Xiao"', "KV cache"],
        ["KV cache or inference or distributed systems"] * 2,
    ],
)
def test_an_edition_that_is_composed_to_have_room_has_it_for_what_papers_match(follows: list[str]) -> None:
    reasons = tuple(make_reason(follow, title=["KV cache"]) for follow in follows)
    papers = [replace(make_usual_item(n), reasons=reasons) for n in range(1000, 1500)]
    number = count_fitting_lines((measure_mail_line(item.paper) for item in papers), MAIL_LINES_BUDGET)
    edition = make_edition(*papers[:25], overflow=tuple(papers[25:number]))

    assert number > 200
    assert has_all_papers(find_mail_limits(ENVIRONMENT, edition, SITE), edition, MailLinks())


def test_a_paper_takes_little_of_a_mail() -> None:
    def measure(paper_count: int, full: int) -> int:
        edition = make_edition(*(make_usual_item(n) for n in range(1000, 1000 + paper_count)), full=full)
        mail = render_mail(ENVIRONMENT, edition, SITE, MailLinks(page=LONG_PAGE))
        return len(mail.html.encode("ascii", "xmlcharrefreplace"))

    assert (measure(12, 12) - measure(4, 12)) / 8 <= 1_100
    assert (measure(12, 4) - measure(8, 4)) / 4 <= 300


# --- what came from outside -----------------------------------------------------------------------

HOSTILE = (
    "x\r\nBcc: evil@example.com\r\n\r\nbody",
    "=?utf-8?q?a=0d=0aBcc:_evil@x.y?=",
    "=?utf-8?b?DQpCY2M6IGV2aWxAeC55?= =?x?=",
    "\u202eevil\u2066 \u2028Bcc: evil@x.y\u2029\x85Cc: a@b.c\x0bX: y\x0cZ: w\x1cQ: r",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}{% raw %}{# x #}{{ edition.__class__ }}",
    '"><a href="javascript:alert(1)">',
    "</style></title><!-- --><![if mso]><![CDATA[",
    "\x00\ud800\ufffe\x1b[31m",
    "--=_0123456789abcdef\r\nContent-Type: text/html",
    "&lt;b&gt; &amp;",
    ".\r\n.",
)
texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80))


def make_hostile_edition(text: str) -> Edition:
    paper: dict[str, Any] = {
        "title": text,
        "abstract": text,
        "authors": (Author(name=text, affiliations=(text,)),),
        "categories": (text,),
        "comment": text,
        "journal_ref": text,
        "doi": text,
        "url": text,
        "pdf_url": text,
        "code_urls": (text, f"https://x.y/{text}"),
        "project_urls": (text,),
        "organizations": (text,),
    }
    why = make_reason(text, title=[text], abstract=[text], author=[text])
    return make_edition(
        make_item(1, EditionPart.SURELY, [why], **paper),
        digest=text,
        overflow=(make_item(2, EditionPart.SURELY, [why], **paper),),
        batches=(
            make_batch(text, BatchState.WAITING, source=text, error=text, asked_at=None),
            make_batch(error=text),
        ),
    )


@given(texts)
@example("https://x.y/\r\nBcc: evil@x.y")
def test_no_text_adds_or_changes_a_header(text: str) -> None:
    site = replace(SITE, title=text, source_titles={"arxiv": text})

    message = mailed(make_hostile_edition(text), site, subject_prefix=text)

    read_back = read(message)
    assert read_back.keys() == HEADERS
    assert read_back["From"] == "Digest <digest@example.org>"
    assert read_back["To"] == "me@example.org"
    assert [part.get_content_type() for part in read_back.iter_parts()] == ["text/plain", "text/html"]
    assert max(map(len, message.content.split(b"\r\n"))) <= 998
    assert b"\n" not in message.content.replace(b"\r\n", b"")


PLAIN = parse_outline(render_mail(ENVIRONMENT, make_hostile_edition("x"), SITE).html)


@given(texts)
def test_no_text_becomes_markup_or_code(text: str) -> None:
    outline = parse_outline(render_mail(ENVIRONMENT, make_hostile_edition(text), SITE).html)

    assert set(outline.tags) <= set(PLAIN.tags)
    assert outline.attributes <= PLAIN.attributes
    assert all(link.startswith(("https://doi.org/", "mailto:ops@", "http")) for link in outline.links)
    assert "49" not in outline.text or "49" in text


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_name_in_the_sender_never_moves_the_address(name: str, title: str) -> None:
    clean = "".join(sign for sign in name if sign.isprintable())
    message = mailed(
        make_edition(make_item(title=title)), replace(SITE, sender=formataddr((clean, "d@example.org")))
    )

    assert message.sender == "d@example.org"
    sender = read(message)["From"].addresses[0]
    assert sender.addr_spec == "d@example.org"
    # Without blanks: between two encoded words of a name this Python's reader puts one (RFC 2047, 6.2 has none).
    assert "".join(sender.display_name.split()) == "".join(clean_header_text(clean).split())


def test_a_message_that_is_not_what_was_meant_is_not_sent() -> None:
    with pytest.raises(RenderError, match="not sent"):
        make_mail(
            *(ENVIRONMENT, make_edition(make_item()), SITE),
            delivery=1,
            recipient="me@example.org",
            message_id="<1@example.org>\r\nBcc: evil@example.com",
        )
