"""Trial of the templates of the pages about one digest of a reader, with sample contents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.own_records import GivenAnswer, GivenOpinion, OwnEdition, ZoteroFailure
from digest.model import Paper
from digest.render.editions.sample import make_sample_edition
from digest.render.locale_bundle import LocaleBundle
from digest.render.papers.links import Link
from digest.render.publishing.account_pages.own_editions import OwnEditionsPage, render_own_editions
from digest.render.publishing.account_pages.own_feedback import OwnFeedbackPage, render_own_feedback
from digest.render.publishing.account_pages.own_feeds import OwnFeedsPage, render_own_feeds
from digest.render.publishing.account_pages.own_saved import OwnSavedPage, render_own_saved
from digest.render.publishing.account_pages.sections import Section, SectionFrame
from digest.render.publishing.public_pages.links import PublicSite


def try_own_sections(locale_bundle: LocaleBundle, site: PublicSite, now: datetime) -> None:
    """Try these pages: with entries on the middle one of three pages, and without any."""
    papers = [item.paper for item in make_sample_edition(now).items[:2]]
    for count, number in ((len(papers), 2), (0, 1)):
        _try_editions(locale_bundle, site, now, count, number)
        _try_saved(locale_bundle, site, now, papers[:count], number)
        _try_feedback(locale_bundle, site, now, papers[:count], number)
        _try_feeds(locale_bundle, site, count)


def _make_frame(section: Section, number: int = 1) -> SectionFrame:
    return SectionFrame(
        section=section,
        digest=1,
        title="A sample",
        number=number,
        pages=2 * number - 1,
        form_token="sample",  # noqa: S106 - not a password
    )


def _try_editions(
    locale_bundle: LocaleBundle, site: PublicSite, now: datetime, count: int, number: int
) -> None:
    sample_editions = [
        (
            OwnEdition(id=index, composed_at=now, papers=12, is_alert=index == 1),
            f"https://digest.example.org/editions/{index}.sample",
        )
        for index in range(count)
    ]
    page = OwnEditionsPage(frame=_make_frame(Section.EDITIONS, number), editions=sample_editions, zone="UTC")
    render_own_editions(locale_bundle.environment, locale_bundle.branding, site, page)


def _try_saved(
    locale_bundle: LocaleBundle, site: PublicSite, now: datetime, papers: Sequence[Paper], number: int
) -> None:
    for failure in (None, *ZoteroFailure):
        page = OwnSavedPage(
            frame=_make_frame(Section.SAVED, number),
            papers=[(paper, now) for paper in papers],
            zone="UTC",
            zotero_user="4711" if failure else "",
            zotero_failure=failure,
            is_sent=failure is None,
        )
        render_own_saved(locale_bundle.environment, locale_bundle.branding, site, page)


def _try_feedback(
    locale_bundle: LocaleBundle, site: PublicSite, now: datetime, papers: Sequence[Paper], number: int
) -> None:
    given: list[GivenOpinion | GivenAnswer] = []
    for paper in papers:
        given += [
            GivenOpinion(paper=paper, opinion=opinion, at=now) for opinion in (Opinion.MORE, Opinion.LESS)
        ]
        given += [
            GivenAnswer(paper=paper, position=2, name="Wei Wang", yes=yes, at=now) for yes in (True, False)
        ]
    page = OwnFeedbackPage(frame=_make_frame(Section.FEEDBACK, number), given=given, zone="UTC")
    render_own_feedback(locale_bundle.environment, locale_bundle.branding, site, page)


def _try_feeds(locale_bundle: LocaleBundle, site: PublicSite, count: int) -> None:
    link = Link(label="Sample", href="https://example.org/sample", type="application/atom+xml")
    page = OwnFeedsPage(frame=_make_frame(Section.FEEDS), feeds=[link] if count else [], version=1)
    render_own_feeds(locale_bundle.environment, locale_bundle.branding, site, page)
