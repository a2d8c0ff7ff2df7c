"""A paper that arrived too late for its edition is marked wherever it is shown, in full or as a line."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from html import unescape

import pytest

from digest.model import Edition
from digest.render.branding import Branding
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.chat import make_chat
from digest.render.delivery.document import make_document
from digest.render.delivery.mail import make_mail
from digest.render.delivery.markdown import render_markdown
from digest.render.environment import make_environment
from digest.render.languages.by_name import get_locale
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
from digest.render.publishing.feeds import FEED_FORMATS
from digest.render.publishing.web_pages import render_edition_page
from tests.render.samples import FRIDAY, SITE, make_edition, make_item

THURSDAY = FRIDAY - timedelta(days=1)
IN_FULL = {"en": "announced 12 Jun", "de": "angekündigt am 12. Juni", "zh": "6月12日公布"}
IN_A_LINE = {"en": "late", "de": "verspätet", "zh": "延迟"}
ON_TIME = make_edition(
    make_item(1, title="First"), make_item(2, title="Second"), overflow=(make_item(3, title="Third"),)
)
LATE = replace(
    ON_TIME,
    items=(replace(ON_TIME.items[0], late=True), ON_TIME.items[1]),
    overflow=(replace(ON_TIME.overflow[0], late=True),),
)


def head(tag: str) -> Branding:
    return replace(SITE, locale=get_locale(tag))


def mail_parts(edition: Edition, tag: str) -> dict[str, str]:
    masthead = head(tag)
    mail = make_mail(
        make_environment(locale=masthead.locale),
        edition,
        masthead,
        delivery=1,
        recipient="reader@example.org",
        message_id="<1@x>",
    )
    parts = message_from_bytes(mail.content, policy=default).walk()
    return {part.get_content_type(): part.get_content() for part in parts if not part.is_multipart()}


def shown(edition: Edition, tag: str) -> dict[str, str]:
    """An edition in all forms that readers see."""
    masthead, parts = head(tag), mail_parts(edition, tag)
    environment = make_environment(locale=masthead.locale)
    results = {
        "mail": parts["text/html"],
        "text": parts["text/plain"],
        "page": render_edition_page(environment, edition, masthead, ()).decode(),
        "markdown": render_markdown(environment, edition, masthead),
        "chat": str(make_chat(edition, masthead, delivery=1, address="slack://…")),
    }
    for by_edition in (False, True):
        feed = DigestFeed(
            branding=masthead,
            digest="d",
            title="D",
            editions=(edition,),
            by_edition=by_edition,
            accepts_feedback=False,
        )
        atom = FEED_FORMATS["atom"].render(environment, make_digest_feed(environment, feed))
        results[f"feed, {by_edition=}"] = atom.decode()
    return results


def joined(text: str) -> str:
    """A text without blanks, as lines are broken in other places in each form."""
    return "".join(unescape(unescape(text)).split())


@pytest.mark.parametrize("tag", ["en", "de", "zh"])
def test_each_paper_that_came_late_is_marked_where_it_stands(tag: str) -> None:
    on_time = shown(ON_TIME, tag)
    for form, text in shown(LATE, tag).items():
        flat, before = joined(text), joined(on_time[form])
        mark = joined(IN_FULL[tag])
        assert mark in flat, form
        assert mark not in before, form
        # A line has the short mark behind its title.
        assert joined(IN_A_LINE[tag]) in flat[flat.rindex("Third") :][:90], form


def test_programs_are_told_which_papers_came_late() -> None:
    document = make_document(LATE, SITE, delivery=1, address="https://hook", message_id="<1@x>")
    data = json.loads(document.content)["data"]

    assert [item["late"] for item in data["items"]] == [True, False]
    assert [entry["late"] for entry in data["rest"]] == [True]


def test_mails_that_are_joined_from_pieces_mark_a_paper_only_where_it_is_late() -> None:
    masthead = head("en")
    press = MailCache(make_environment(locale=masthead.locale), masthead)
    for edition in (ON_TIME, LATE, ON_TIME, LATE):
        mail = press.make_mail(edition, delivery=1, recipient="reader@example.org", message_id="<1@x>")
        joined = message_from_bytes(mail.content, policy=default)
        html = next(part for part in joined.walk() if part.get_content_type() == "text/html")
        assert ("announced 12 Jun" in html.get_content()) is (edition is LATE)
    assert press.fast_count == 4
