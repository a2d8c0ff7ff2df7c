"""The mail that brings a book: the headers of any mail of ours, a short text, and one attachment."""

from __future__ import annotations

import io
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from zipfile import ZipFile

from hypothesis import given, settings

from digest.model import Edition, Mail, MissedEdition
from digest.render.branding import Branding
from digest.render.delivery.epub import make_epub_name, render_epub
from digest.render.delivery.epub_mail import make_epub_mail
from digest.render.delivery.mail import MailLinks, make_mail
from digest.render.environment import make_environment
from tests.render.delivery.test_hostile_texts import EVIL, NAMES, ONE_CLICK, PAGE, told
from tests.render.samples import NOW, SITE, make_edition_of_three_parts

ENVIRONMENT = make_environment()
LINKS = MailLinks(unsubscribe=ONE_CLICK, page=PAGE)


def make(edition: Edition, site: Branding = SITE, links: MailLinks = LINKS) -> Mail:
    return make_epub_mail(
        ENVIRONMENT,
        edition,
        site,
        delivery=1,
        recipient="me_123@kindle.com",
        message_id="<1@example.org>",
        mail_links=links,
    )


def read(mail: Mail) -> tuple[EmailMessage, str, EmailMessage]:
    message = message_from_bytes(mail.content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert message.defects == []
    text, book = message.iter_parts()
    assert isinstance(text, EmailMessage)
    assert isinstance(book, EmailMessage)
    return message, text.get_content(), book


def test_a_mail_brings_the_book_under_its_name() -> None:
    edition = make_edition_of_three_parts()
    message, text, book = read(make(edition))

    assert message.get_content_type() == "multipart/mixed"
    assert book.get_content_type() == "application/epub+zip"
    assert book.get_content_disposition() == "attachment"
    assert book.get_filename() == make_epub_name(edition) == "llm-systems-2026-06-12T0730.epub"
    assert book.get_content() == render_epub(ENVIRONMENT, edition, SITE, LINKS)
    assert "The edition is attached as an EPUB, for an e-reader." in text
    assert "1 new · 1 maybe · 1 new version" in text
    assert "SplitZip" not in text


def test_its_headers_are_those_of_the_mail_without_a_book() -> None:
    edition = make_edition_of_three_parts()
    usual = make_mail(
        ENVIRONMENT,
        edition,
        SITE,
        delivery=1,
        recipient="me_123@kindle.com",
        message_id="<1@example.org>",
        unsubscribe=ONE_CLICK,
        page=PAGE,
    )

    headers = message_from_bytes(make(edition).content).items()

    assert headers[:-1] == message_from_bytes(usual.content).items()[:-1]


def test_the_same_edition_is_the_same_mail() -> None:
    assert make(make_edition_of_three_parts()) == make(make_edition_of_three_parts())


def test_the_text_tells_of_what_did_not_arrive() -> None:
    missed = MissedEdition(
        edition=1, period="2026-06-11T07:30", zone="Europe/Berlin", composed_at=NOW, page=f"{PAGE}/earlier"
    )
    _, text, _ = read(make(replace(make_edition_of_three_parts(), missed=(missed,))))

    assert "! Your edition of Thursday 11 June could not be delivered." in text
    assert f"{PAGE}/earlier" in text


@given(EVIL, EVIL.map(lambda text: text[:64]))
@settings(deadline=None)
def test_no_text_adds_a_header_or_loses_a_book(text: str, name: str) -> None:
    mail = make(*told(text, name))

    message, _, book = read(mail)
    assert message.keys() == NAMES
    assert (book.get_filename() or "").endswith(".epub")
    with ZipFile(io.BytesIO(book.get_content())) as archive:
        assert archive.testzip() is None
    assert max(map(len, mail.content.split(b"\r\n"))) <= 998
