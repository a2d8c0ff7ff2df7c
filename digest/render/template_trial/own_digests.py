"""Trial of the templates of readers' digests with sample contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from digest.core.people.profile import PersonProfile
from digest.core.subscribers.follow_preview import FollowPreview, QuerySuggestion
from digest.core.subscribers.own_digest import (
    DestinationState,
    EditMistake,
    OwnDestination,
    OwnDigest,
    OwnDigestDetails,
    OwnDigestState,
    OwnFollow,
    ReaderService,
)
from digest.model import DigestOptions, Edition, Frequency, Schedule
from digest.render.locale_bundle import LocaleBundle
from digest.render.papers.links import Link
from digest.render.publishing.account_pages.own_digest import (
    OwnDigestPage,
    Saved,
    render_own_digest,
    render_preview,
)
from digest.render.publishing.public_pages.links import PublicSite
from digest.render.publishing.public_pages.search import QueryMistake

_ACTION, _TOKEN = "https://example.org/account/digests/1", "sample"
_LINKS = (Link(label="Sample", href="https://example.org/sample"),)


def try_own_digests(locale_bundle: LocaleBundle, site: PublicSite, edition: Edition, now: datetime) -> None:
    """Try the page of a reader's digest in all its states, and the preview of an edition."""
    environment, branding = locale_bundle.environment, locale_bundle.branding
    for language in site.languages:
        for page in _iter_pages(edition, now):
            render_own_digest(environment, branding, replace(site, language=language), page)
    render_preview(environment, branding, edition, _ACTION, _TOKEN)


def _iter_pages(edition: Edition, now: datetime) -> Iterator[OwnDigestPage]:
    details = make_sample_details()
    plain = OwnDigestPage(details=details, form_token=_TOKEN, now=now)
    preview = FollowPreview(
        read_as="sample",
        hints=("This is a sample.",),
        papers_a_day=12.0,
        recent_count=9,
        recent=tuple(item.event for item in edition.items[:3]),
        narrower=(QuerySuggestion(query="title:sample", papers_a_day=0.5),),
    )
    nothing = replace(
        preview,
        papers_a_day=0.0,
        recent_count=0,
        recent=(),
        narrower=(),
        wider=(QuerySuggestion(query="sample", papers_a_day=0.01, removed="other"),),
    )
    yield replace(plain, links=_LINKS, typed="sample", preview=preview, name="Ada Lovelace", persons=_PERSONS)
    yield replace(plain, typed="sample other", preview=nothing, persons=())
    yield replace(plain, preview=replace(nothing, papers_a_day=None), saved=Saved.FOLLOWS)
    yield replace(plain, typed="(", preview=QueryMistake("A bracket is open.", "(", 1))
    yield replace(
        plain, mistake=EditMistake.NO_DAYS, details=replace(details, follows=(), is_customized=False)
    )
    yield replace(plain, services=[service.value for service in ReaderService], saved=Saved.REMOVED)
    with_chats = replace(details, destinations=_DESTINATIONS)
    yield replace(plain, details=with_chats, services=("slack",), saved=Saved.DESTINATION, new_secret=_TOKEN)
    monthly = Schedule(frequency=Frequency.MONTHLY, at="07:30", zone="UTC", days=(1,), latest="09:00")
    paused = replace(
        details.summary,
        schedule=monthly,
        state=OwnDigestState.PAUSED,
        paused_until=now + timedelta(days=7),
    )
    yield replace(plain, details=replace(details, summary=paused, public_digest=""), saved=Saved.PAUSE)


_DESTINATIONS = tuple(
    OwnDestination(
        id=number, service=service, address="https://example.org/…/00ff00ff", state=state, answer="HTTP 500"
    )
    for number, (service, state) in enumerate(
        (service, state) for service in ReaderService for state in DestinationState
    )
)
_PERSONS = (
    PersonProfile(
        reference="arxiv:2606.00001#1",
        names=("Ada Lovelace", "A. Lovelace"),
        papers=3,
        years=(2020, 2026),
        categories=("cs.DC",),
        coauthors=("Charles Babbage",),
        affiliations=("Sample University",),
        ids=(("orcid", "0000-0002-1825-0097", ""),),
    ),
    PersonProfile(
        reference="arxiv:2606.00002#1",
        names=("Ada Lovelace",),
        papers=1,
        years=None,
        categories=(),
        coauthors=(),
        affiliations=(),
        ids=(),
    ),
)


def make_sample_details() -> OwnDigestDetails:
    """Return a digest that a reader could have made."""
    follows = (
        OwnFollow(text="sample", query="sample", weight=2.0, alert=True),
        OwnFollow(text="cs.DC", query="category:cs.DC", weight=0.5),
        OwnFollow(text="serving", query="serving", weight=3.0),
        OwnFollow(text="other", query="other", exclude=True),
        OwnFollow(text="another", query="another", exclude=True, only="sample"),
    )
    summary = OwnDigest(
        id=1,
        destination=1,
        title="A sample",
        zone="Europe/Berlin",
        schedule=Schedule(frequency=Frequency.DAILY, at="07:30", zone="Europe/Berlin", days=(0, 1, 2, 3, 4)),
        state=OwnDigestState.ACTIVE,
        paused_until=None,
        is_new=False,
    )
    return OwnDigestDetails(
        summary=summary,
        name="sample",
        options=DigestOptions(timezone="Europe/Berlin"),
        follows=follows,
        sent_seq=0,
        public_digest="sample",
        is_customized=True,
        is_mailed=True,
        feed_version=0,
    )
