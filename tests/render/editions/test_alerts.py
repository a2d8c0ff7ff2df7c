"""An alert says that it is one, wherever it goes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from digest.model import Edition
from digest.render.delivery.files import make_edition_stem
from digest.render.delivery.mail import render_mail
from digest.render.editions.edition_view import describe_edition_completeness
from digest.render.editions.summary import get_local_time, make_subject
from digest.render.languages.locales import ENGLISH
from tests.render.delivery.test_mail import ENVIRONMENT
from tests.render.samples import SITE, make_edition, make_item


def alert(**fields: Any) -> Edition:
    """An alert of a Saturday evening in Berlin."""
    at = datetime(2026, 6, 13, 17, 5, tzinfo=UTC)
    return make_edition(
        make_item(1, title="Serving"), period="alert-4711", composed_at=at, batches=(), **fields
    )


def test_its_mail_says_so_and_nothing_of_days_that_it_did_not_wait_for() -> None:
    mail = render_mail(ENVIRONMENT, alert(), SITE)

    assert mail.subject == "llm-systems, 13 Jun alert: 1 new · Serving"
    for text in (mail.text, mail.html):
        assert "This is an alert." in " ".join(text.split())
        assert "announcement" not in text


def test_it_has_the_time_of_its_making_and_a_name_for_files() -> None:
    assert get_local_time(alert()).isoformat() == "2026-06-13T19:05:00+02:00"
    assert make_edition_stem(alert()) == "llm-systems/alert-4711"
    assert make_subject(alert(), ENGLISH) != make_subject(alert(title="other"), ENGLISH)
    assert describe_edition_completeness(alert(), SITE).missing == ()
