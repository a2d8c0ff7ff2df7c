"""Trial of the templates of public pages with sample contents."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from digest.core.matching.search.filters import SearchOrder, SimilarOrder
from digest.core.matching.search.totals import CountKind, Facet, Facets, Total
from digest.core.people.coauthors import Coauthor, Coauthorship
from digest.core.people.profile import PersonProfile
from digest.core.people.ties import Tie
from digest.core.publishing.addresses import DayAddress, Order, Tab
from digest.core.publishing.collection import Collection, Contributor, PeriodCount
from digest.core.publishing.collection_addresses import CollectionAddress, CollectionKind
from digest.core.publishing.coverage import Coverage
from digest.core.publishing.day_entries import EntryPage
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.public_person import Affiliation, PersonPaper, PublicPerson, StatedId
from digest.core.publishing.related_papers import RelatedPapers, SimilarPaperEntry
from digest.core.publishing.search_address import SearchAddress
from digest.core.subscribers.address_links import Side
from digest.core.subscribers.own_digest import OwnDigest, OwnDigestState
from digest.core.subscribers.sessions import BrowserLabel, Session
from digest.model import Author, Edition, Event, Frequency, ListingKind, Paper, Schedule, Signal, Statement
from digest.render.delivery.account_mails.address_mails import make_change_mail, make_changed_mail
from digest.render.delivery.account_mails.confirmation import (
    Confirmation,
    Invitation,
    LinkMail,
    make_confirmation,
    make_invitation,
    make_signin,
)
from digest.render.editions.sample import make_sample_edition
from digest.render.locale_bundle import LocaleBundle
from digest.render.papers.links import Link
from digest.render.publishing.account_pages.account import AccountPage, render_account
from digest.render.publishing.account_pages.sign_in import render_sign_in
from digest.render.publishing.public_pages.collection import CollectionPage, render_collection
from digest.render.publishing.public_pages.daily import DailyPage, render_daily_page
from digest.render.publishing.public_pages.front import (
    FrontPage,
    render_front_page,
    render_numbers_page,
    render_public_notice,
    render_style,
)
from digest.render.publishing.public_pages.links import PublicSite, SiteLanguage
from digest.render.publishing.public_pages.papers.paper import PaperListing, PublicPaper, render_public_paper
from digest.render.publishing.public_pages.people.names import NamePage, render_name_page
from digest.render.publishing.public_pages.people.person import render_person
from digest.render.publishing.public_pages.public_digest import PublicDigestPage, render_public_digest
from digest.render.publishing.public_pages.search import QueryMistake, SearchResults, render_search
from digest.render.publishing.web_pages import Button, NoticePage
from digest.render.template_trial.api_tokens import make_token_samples, try_new_token
from digest.render.template_trial.import_pages import try_imports
from digest.render.template_trial.operator_pages import try_operator_pages
from digest.render.template_trial.own_digests import try_own_digests
from digest.render.template_trial.own_sections import try_own_sections

_SAMPLE_DAY = date(2026, 6, 12)
_SAMPLE_LINKS = (Link(label="Sample", href="https://example.org/sample", type="application/atom+xml"),)


def try_public_pages(locale_bundle: LocaleBundle, edition: Edition) -> None:
    """Try the public pages of a day and of papers, and the front page."""
    environment, branding, site = locale_bundle.environment, locale_bundle.branding, _make_sample_site()
    day, events = edition.composed_at.date(), tuple(item.event for item in edition.items)
    page = DailyPage(
        address=DayAddress(day=day),
        entry_page=EntryPage(entries=(), number=2, pages=3, total=len(events)),
        events=events,
        gains={},
        tabs={Tab.NEW: len(events), Tab.TRENDING: 1},
        categories=(("cs.DC", 1),),
        orders=tuple(Order),
        batches=edition.batches,
        steps=((day, None), (None, day), (None, None)),
    )
    filtered_address = DayAddress(day=day, tab=Tab.TRENDING, category="cs.DC", has_code=True, language="de")
    bare_page = replace(
        page,
        address=filtered_address,
        entry_page=EntryPage(entries=(), number=1, pages=1, total=0),
        gains={event.seq: signal for event in events for signal in event.signals},
        tabs={},
        categories=(),
        steps=((None, None),) * 3,
    )
    for daily_page in (page, bare_page, replace(bare_page, events=())):
        render_daily_page(environment, branding, site, daily_page)
    for event in (*events[:10], *map(_add_crowd, events[:1])):
        render_public_paper(environment, branding, site, _make_sample_paper(event))
    _try_front_pages(locale_bundle, edition, site)


def _try_front_pages(locale_bundle: LocaleBundle, edition: Edition, site: PublicSite) -> None:
    environment, branding = locale_bundle.environment, locale_bundle.branding
    day, events = edition.composed_at.date(), tuple(item.event for item in edition.items)
    for shown_events, feeds in ((events, _SAMPLE_LINKS), ((), ())):
        front_page = FrontPage(
            day=day if shown_events else None,
            events=shown_events,
            total=len(shown_events) + 1,
            batches=edition.batches,
            categories=(("cs.DC", 1),),
            topics=(("sample", "Sample"),) if feeds else (),
            feeds=feeds,
            digests=(("sample", "Sample", "A sample of a digest."),) if feeds else (),
        )
        german_site = replace(site, language=site.languages[1])
        render_front_page(environment, branding, site if shown_events else german_site, front_page)


def _add_crowd(event: Event) -> Event:
    """Give a paper more authors than its page shows."""
    authors = (Author("Ada Lovelace", ("Sample University",)),) * 300
    return replace(event, paper=replace(event.paper, authors=authors))


def _make_sample_site() -> PublicSite:
    languages = (SiteLanguage("en", "en", "English"), SiteLanguage("de", "de", "Deutsch"))
    return PublicSite(
        url="https://example.org",
        languages=languages,
        language=languages[0],
        style_path="/style/sample.css",
        script_path="/script/sample.js",
        zone_script_path="/script/zone.js",
        has_signup=True,
        has_accounts=True,
    )


def _make_sample_paper(event: Event) -> PublicPaper:
    key, kind = event.paper.key, ListingKind.PICKED
    scheme, _, value = key.partition(":")
    return PublicPaper(
        paper=event.paper,
        statements=(Statement(source=event.source, paper=event.paper),),
        claims=((key, scheme, value, False), (key, "doi", "10.1000/1", True)),
        listings=(PaperListing(event.day, event.source, "sample", kind, "Ada Lovelace"),),
        events=(event,),
        signals=event.signals,
        related=_make_related(event.paper),
        similar_order=SimilarOrder.NEARNESS,
    )


def _make_related(paper: Paper) -> RelatedPapers:
    listed = ListedPaper(paper=paper, day=_SAMPLE_DAY, signals=())
    return RelatedPapers(
        similar=(SimilarPaperEntry(listed, ("sample", "words")),),
        cited=(listed,),
        cited_count=7,
        citing=(replace(listed, day=None),),
        citing_total=Total(9, CountKind.EXACT),
    )


def try_persons(locale_bundle: LocaleBundle, now: datetime) -> None:
    """Try the pages of a well-known person, of an unknown one, and of their names."""
    paper = make_sample_edition(now).items[0].paper
    environment, branding, site = locale_bundle.environment, locale_bundle.branding, _make_sample_site()
    for person in _make_sample_persons(paper):
        render_person(environment, branding, site, person)
    named = PersonProfile(
        reference=f"{paper.key}#1",
        names=("Ada Lovelace", "A. Lovelace"),
        papers=3,
        years=(2024, 2026),
        categories=("cs.DC",),
        coauthors=("Author",),
        affiliations=("Sample University",),
        ids=(),
    )
    bare = replace(named, names=("Ada",), years=None, categories=(), coauthors=(), affiliations=())
    for persons, similar_names in (((named, bare), ()), ((), ("Ada Lovelance",))):
        page = NamePage(
            name="Ada Lovelace",
            is_family_name=not persons,
            persons=persons,
            remaining=len(persons),
            similar_names=similar_names,
        )
        render_name_page(environment, branding, site, page)


def _make_sample_persons(paper: Paper) -> tuple[PublicPerson, ...]:
    """Make a person of whom little is known, one of whom much is known, and one with few co-authors."""
    coauthors = tuple(Coauthor(f"Author {number}", (1, number), 2, 0.5) for number in range(4))
    signals = tuple(
        Signal(subject="orcid:sample", kind=kind, source="sample", day=_SAMPLE_DAY, value=7)
        for kind in ("citations", "h-index", "papers")
    )
    unknown = _make_unknown_person(paper)
    known = replace(
        unknown,
        names=("Ada Lovelace", "A. Lovelace"),
        namesakes=2,
        paper_count=60,
        ties=dict.fromkeys((Tie.STATEMENT, Tie.ID, Tie.COAUTHOR, Tie.WORKPLACE, Tie.FIELD), 12),
        years={2024: 20, 2026: 40},
        affiliations=(Affiliation("Sample University", 2024, 2026, 3, ("sample",)),),
        categories=(("cs.DC", 12),),
        ids=(StatedId("orcid", "0000-0002-1825-0097", ""), StatedId("sample", "1", "sample")),
        coauthorship=Coauthorship(coauthors=coauthors, pairs={(0, 1): 2}, skipped_papers=0),
        coauthor_keys={1: paper.key},
        signals=signals,
        page=2,
        pages=3,
        coverage=Coverage(announced_since={("sample", "sample"): _SAMPLE_DAY}, imports=()),
    )
    few = replace(known, coauthorship=replace(known.coauthorship, coauthors=coauthors[:1], pairs={}))
    return unknown, known, few


def _make_unknown_person(paper: Paper) -> PublicPerson:
    return PublicPerson(
        key=paper.key,
        position=0,
        names=("Ada Lovelace",),
        namesakes=0,
        paper_count=1,
        ties={Tie.NONE: 1},
        years={},
        affiliations=(),
        categories=(),
        ids=(),
        coauthorship=Coauthorship(coauthors=(), pairs={}, skipped_papers=1),
        coauthor_keys={},
        signals=(),
        person_papers=(PersonPaper(paper, 0, None),),
        page=1,
        pages=1,
        coverage=Coverage(announced_since={}, imports=()),
    )


def try_searches(locale_bundle: LocaleBundle, now: datetime) -> None:
    """Try the page of a search that finds papers, finds none, has a mistake, and has no query."""
    environment, branding, site = locale_bundle.environment, locale_bundle.branding, _make_sample_site()
    paper = make_sample_edition(now).items[0].paper
    found = SearchResults(
        read_as="sample",
        hints=("A sample of a hint.",),
        papers=(ListedPaper(paper=paper, day=_SAMPLE_DAY, signals=()),),
        total=Total(2_000, CountKind.MORE_THAN),
        facets=Facets(
            categories=(Facet("cs.DC", 7), Facet("cs.LG", 1)),
            years=(Facet("2026", 7), Facet("2025", 1)),
            sources=(Facet("sample", 8), Facet("other", 1)),
            with_code=3,
        ),
        since=_SAMPLE_DAY,
        next_cursor="sample",
        is_cut=True,
        missing=1,
        parts=(("sample", Total(7, CountKind.EXACT)), ("other", Total(7, CountKind.AT_MOST))),
        wider=(),
        coverage=Coverage(announced_since={("sample", "sample"): _SAMPLE_DAY}, imports=()),
    )
    nothing = replace(
        found,
        hints=(),
        papers=(),
        total=Total(0, CountKind.EXACT),
        facets=Facets((), (), (), 0),
        since=None,
        next_cursor="",
        is_cut=False,
        missing=0,
        parts=(),
        wider=(("other", "sample", Total(7, CountKind.EXACT)),),
    )
    mistake = QueryMistake("A sample of a mistake.", "sample OR", 9)
    address = SearchAddress(text="sample", order=SearchOrder.DATE, language="de")
    for outcome in (found, nothing, mistake, None):
        render_search(environment, branding, site, address, outcome)


def try_collections(locale_bundle: LocaleBundle, now: datetime) -> None:
    """Try the pages of a category, an institution and a topic, with and without papers."""
    environment, branding, site = locale_bundle.environment, locale_bundle.branding, _make_sample_site()
    paper = make_sample_edition(now).items[0].paper
    collection = Collection(
        query="sample",
        total=Total(7, CountKind.EXACT),
        papers=(ListedPaper(paper=paper, day=_SAMPLE_DAY, signals=()),),
        next_cursor="sample",
        is_cut=True,
        weeks=(PeriodCount(_SAMPLE_DAY, 7),),
        months=(),
        contributors=(Contributor("Ada Lovelace", paper.key, 0, 7),),
        coverage=Coverage(announced_since={}, imports=()),
    )
    empty = replace(collection, papers=(), next_cursor="", is_cut=False, weeks=(), contributors=())
    for kind in CollectionKind:
        for content, feeds in ((collection, _SAMPLE_LINKS), (empty, ())):
            address = CollectionAddress(kind=kind, name="sample", cursor="" if feeds else "sample")
            page = CollectionPage(address=address, title="Sample", collection=content, feeds=feeds)
            render_collection(environment, branding, site, page)


def try_public_notices(locale_bundle: LocaleBundle, _now: datetime) -> None:
    """Try the public pages without papers, and their style."""
    environment, branding, site = locale_bundle.environment, locale_bundle.branding, _make_sample_site()
    render_numbers_page(environment, branding, site)
    notice = NoticePage(title="A sample", lines=("One.", "Two."), links=_SAMPLE_LINKS)
    render_public_notice(environment, branding, site, notice)
    render_style(environment)


def try_signups(locale_bundle: LocaleBundle, now: datetime) -> None:
    """Try the page of a digest to which everybody can subscribe, and what a sign-up brings."""
    environment, branding, site = locale_bundle.environment, locale_bundle.branding, _make_sample_site()
    for language in site.languages:
        page = PublicDigestPage(
            name="sample",
            title="A sample",
            description="A sample of a digest.",
            schedule=Schedule(frequency=Frequency.DAILY, at="07:30", zone="UTC"),
            limit=25,
            queries=("sample",),
            exclusions=("other",),
        )
        for has_signup in (True, False):
            own_site = replace(site, language=language, has_signup=has_signup)
            render_public_digest(environment, branding, own_site, page)
        try_own_sections(locale_bundle, replace(site, language=language), now)
    try_operator_pages(locale_bundle, site)
    button = NoticePage(
        title="A sample",
        lines=(),
        button=Button(label="Sample", action="sample", fields=(("token", "sample"),)),
    )
    render_public_notice(environment, branding, site, button)
    _try_link_mails(locale_bundle, now)
    _try_accounts(locale_bundle, site, now)
    try_own_digests(locale_bundle, site, make_sample_edition(now), now)


def _try_link_mails(locale_bundle: LocaleBundle, now: datetime) -> None:
    environment, branding = locale_bundle.environment, locale_bundle.branding
    for sample_branding, signs_in in ((branding, True), (replace(branding, url="", title=""), False)):
        confirmation = Confirmation(
            recipient="ada@example.org",
            digest="A sample",
            signs_in=signs_in,
            link="https://example.org/confirm/sample",
            number="sample",
            created_at=now,
            lifetime=timedelta(hours=48),
        )
        make_confirmation(environment, sample_branding, confirmation)
        make_invitation(environment, sample_branding, _make_sample_invitation(now))
        link_mail = _make_sample_link_mail(now)
        make_signin(environment, sample_branding, link_mail)
        for side in Side:
            make_change_mail(environment, sample_branding, link_mail, side)
        make_changed_mail(environment, sample_branding, replace(link_mail, link=""))


def _make_sample_invitation(now: datetime) -> Invitation:
    return Invitation(
        recipient="ada@example.org",
        digest="A sample",
        description="A sample of a digest.",
        signs_in=True,
        link="https://example.org/confirm/sample",
        number="sample",
        created_at=now,
        lifetime=timedelta(days=14),
    )


def _make_sample_link_mail(now: datetime) -> LinkMail:
    return LinkMail(
        recipient="ada@example.org",
        link="https://example.org/sign-in/sample",
        number="sample",
        created_at=now,
        lifetime=timedelta(hours=48),
    )


def _make_sample_session(now: datetime) -> Session:
    return Session(
        id=1,
        subscriber=1,
        address="ada@example.org",
        label=BrowserLabel("Firefox", "Linux"),
        created_at=now,
        seen_at=now,
        expires_at=now + timedelta(days=30),
    )


def _try_accounts(locale_bundle: LocaleBundle, site: PublicSite, now: datetime) -> None:
    environment, branding = locale_bundle.environment, locale_bundle.branding
    schedule = Schedule(frequency=Frequency.DAILY, at="07:30", zone="UTC", days=tuple(range(7)))
    session = _make_sample_session(now)
    unknown = replace(session, id=2, label=BrowserLabel("", ""))
    own_digests = [
        OwnDigest(
            id=1,
            destination=1,
            title="A sample",
            zone="UTC",
            schedule=schedule,
            state=state,
            paused_until=until,
            is_new=until is None,
            has_feed=True,
        )
        for state in OwnDigestState
        for until in (None, now)
    ]
    token_samples = make_token_samples(now)
    render_sign_in(environment, branding, replace(site, has_signup=False))
    for language in site.languages:
        render_sign_in(environment, branding, replace(site, language=language))
        for digests, tokens in ((own_digests, token_samples[0]), *(([], sample) for sample in token_samples)):
            page = AccountPage(
                session=session,
                digests=[(digest, "https://example.org/manage/1.sample") for digest in digests],
                sessions=(session, unknown),
                form_token="sample",  # noqa: S106 - not a password
                is_operator=bool(digests),
                now=now,
                tokens=tokens,
            )
            render_account(environment, branding, replace(site, language=language), page)
        try_new_token(locale_bundle, replace(site, language=language), now)
        try_imports(locale_bundle, replace(site, language=language), own_digests[0])
