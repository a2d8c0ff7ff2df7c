"""A paper that came too late for its edition is marked wherever it is shown, in full or as a line."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from html import unescape

import pytest

from digest.model import Edition
from digest.render.branding import Masthead
from digest.render.bulk.mail_cache import Press
from digest.render.delivery.chat import chat
from digest.render.delivery.document import document
from digest.render.delivery.mail import mail
from digest.render.delivery.markdown import markdown
from digest.render.environment import make_environment
from digest.render.languages.by_name import locale_of
from digest.render.publishing.digest_feed import Feed, digest_channel
from digest.render.publishing.feeds import FORMS
from digest.render.publishing.web_pages import edition_page
from tests.render.samples import FRIDAY, SITE, edition, item

THURSDAY = FRIDAY - timedelta(days=1)
IN_FULL = {"en": "came late", "de": "verspätet eingetroffen", "zh": "延迟到达"}
IN_A_LINE = {"en": "late", "de": "verspätet", "zh": "延迟"}
ON_TIME = edition(item(1, title="First"), item(2, title="Second"), rest=(item(3, title="Third"),))
LATE = replace(
    ON_TIME,
    items=(replace(ON_TIME.items[0], late=True), ON_TIME.items[1]),
    rest=(replace(ON_TIME.rest[0], late=True),),
)


def head(tag: str) -> Masthead:
    return replace(SITE, locale=locale_of(tag))


def mail_parts(told: Edition, tag: str) -> dict[str, str]:
    masthead = head(tag)
    made = mail(
        make_environment(locale=masthead.locale),
        told,
        masthead,
        delivery=1,
        recipient="reader@example.org",
        message_id="<1@x>",
    )
    parts = message_from_bytes(made.content, policy=default).walk()
    return {part.get_content_type(): part.get_content() for part in parts if not part.is_multipart()}


def shown(told: Edition, tag: str) -> dict[str, str]:
    """An edition in all forms that readers see."""
    masthead, parts = head(tag), mail_parts(told, tag)
    environment = make_environment(locale=masthead.locale)
    made = {
        "mail": parts["text/html"],
        "text": parts["text/plain"],
        "page": edition_page(environment, told, masthead, ()).decode(),
        "markdown": markdown(environment, told, masthead),
        "chat": str(chat(told, masthead, delivery=1, address="slack://…")),
    }
    for by_edition in (False, True):
        feed = Feed(
            masthead=masthead, digest="d", title="D", editions=(told,), by_edition=by_edition, listens=False
        )
        atom = FORMS["atom"].render(environment, digest_channel(environment, feed))
        made[f"feed, {by_edition=}"] = atom.decode()
    return made


def joined(text: str) -> str:
    """A text without blanks, as lines are broken in other places in each form."""
    return "".join(unescape(unescape(text)).split())


@pytest.mark.parametrize("tag", ["en", "de", "zh"])
def test_each_paper_that_came_late_is_marked_where_it_stands(tag: str) -> None:
    on_time = shown(ON_TIME, tag)
    for form, text in shown(LATE, tag).items():
        flat, before = joined(text), joined(on_time[form])
        assert joined(IN_FULL[tag]) in flat, form
        assert joined(IN_FULL[tag]) not in before, form
        # A line has the short mark behind its title.
        assert joined(IN_A_LINE[tag]) in flat[flat.rindex("Third") :][:90], form


def test_programs_are_told_which_papers_came_late() -> None:
    made = document(LATE, SITE, delivery=1, address="https://hook", message_id="<1@x>")
    data = json.loads(made.content)["data"]

    assert [one["late"] for one in data["items"]] == [True, False]
    assert [one["late"] for one in data["rest"]] == [True]


def test_mails_that_are_joined_from_pieces_mark_a_paper_only_where_it_is_late() -> None:
    masthead = head("en")
    press = Press(make_environment(locale=masthead.locale), masthead, few=0)
    for told in (ON_TIME, LATE, ON_TIME, LATE):
        made = press.mail(told, delivery=1, recipient="reader@example.org", message_id="<1@x>")
        joined = message_from_bytes(made.content, policy=default)
        html = next(part for part in joined.walk() if part.get_content_type() == "text/html")
        assert ("came late" in html.get_content()) is (told is LATE)
    assert press.joined == 4
