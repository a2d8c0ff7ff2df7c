"""Whatever stands in papers, names and queries, a public page has the elements that it was meant to have."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from digest.core.matching.search.filters import SimilarOrder
from digest.core.matching.search.totals import CountKind, Total
from digest.core.people.profile import PersonProfile
from digest.core.publishing.addresses import DayAddress, Order, Tab
from digest.core.publishing.day_entries import EntryPage
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.related_papers import RelatedPapers, SimilarPaperEntry
from digest.model import Author, Event, EventKind, ListingKind, Paper, PaperKey, Signal, Statement
from digest.render.environment import make_environment
from digest.render.publishing.public_pages.daily import DailyPage, render_daily_page
from digest.render.publishing.public_pages.links import PublicSite, SiteLanguage
from digest.render.publishing.public_pages.papers.paper import PaperListing, PublicPaper, render_public_paper
from digest.render.publishing.public_pages.people.names import NamePage, render_name_page
from tests.render.samples import SITE
from tests.system.samples import harm

DAY = date(2026, 6, 12)
ENGLISH = SiteLanguage("en", "en", "English")
PUBLIC_SITE = PublicSite(
    url="https://digest.example.org",
    languages=(ENGLISH,),
    language=ENGLISH,
    style_path="/style/x.css",
    script_path="/script/x.js",
    zone_script_path="/script/zone.js",
)
ENVIRONMENT = make_environment()
# Half a character is in no address that is accepted, and no database stores it.
TEXTS = [text for text in harm.TEXTS if "\ud800" not in text]
EVIL = st.one_of(
    st.sampled_from(TEXTS),
    st.lists(st.sampled_from((*TEXTS, *harm.URLS, "<", '"', "'", ">", "&", "\\", "\n")), max_size=4).map(
        "".join
    ),
    st.text(),
)
URLS = st.one_of(st.sampled_from(harm.URLS), st.text(max_size=60).map("https://example.org/{}".format))


class _ElementParser(HTMLParser):
    """Collects elements with the names of their attributes, and what is in scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[tuple[str, ...]] = set()
        self.scripts: list[str] = []
        self._is_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add((tag, *(name for name, _ in attrs)))
        self._is_script = tag == "script"

    def handle_data(self, data: str) -> None:
        if self._is_script:
            self.scripts.append(data)
            self._is_script = False


def make_paper(text: str, url: str) -> Paper:
    """A paper with a text in all places that come from outside."""
    return Paper(
        key=PaperKey("arxiv:2606.00001"),
        title=f"Title {text}",
        abstract=f"We present {text}. It is {text}",
        authors=(Author(f"Ada {text}", (text, "Sample University")), Author("Ada Lovelace")),
        categories=("cs.DC", text),
        url=url,
        pdf_url=url,
        doi=f"10.1000/{text}",
        journal_ref=f"Journal {text}",
        comment=f"Comment {text}",
        license_url=url,
        code_urls=(url, "https://github.com/sample/x"),
        project_urls=(url,),
        organizations=(f"Lab {text}",),
        ids=(("other", f"id {text}"),),
    )


def render_pages(text: str, url: str) -> list[bytes]:
    """The pages of a day, of a paper and of a name, with a text in all of them."""
    paper = make_paper(text, url)
    signals = (Signal(subject=paper.key, kind="votes", source=f"source {text}", day=DAY, value=3),)
    event = Event(
        seq=1, kind=EventKind.NEW, number=1, day=DAY, source="arxiv", first=True, paper=paper, signals=signals
    )
    listed = ListedPaper(paper=paper, day=DAY, signals=signals)
    content = PublicPaper(
        paper=paper,
        statements=(
            Statement(source="arxiv", paper=paper),
            Statement(source=f"source {text}", paper=replace(paper, title="Other")),
        ),
        claims=((paper.key, "other", f"id {text}", True),),
        listings=(PaperListing(DAY, "arxiv", f"section {text}", ListingKind.PICKED, f"Bob {text}"),),
        events=(event,),
        signals=signals,
        related=RelatedPapers(
            similar=(SimilarPaperEntry(listed, (f"word {text}",)),),
            cited=(listed,),
            cited_count=7,
            citing=(listed,),
            citing_total=Total(9, CountKind.EXACT),
        ),
        similar_order=SimilarOrder.NEARNESS,
    )
    day = DailyPage(
        address=DayAddress(day=DAY, category="cs.DC"),
        entry_page=EntryPage(entries=(), number=1, pages=1, total=1),
        events=(event,),
        gains={},
        tabs={Tab.NEW: 1},
        categories=(("cs.DC", 1), (text, 1)),
        orders=tuple(Order),
        batches=(),
        steps=((None, None),) * 3,
    )
    person = PersonProfile(
        reference="arxiv:2606.00001#1",
        names=(f"Ada {text}", f"A. {text}"),
        papers=3,
        years=(2024, 2026),
        categories=("cs.DC", f"x {text}"),
        coauthors=(f"Bob {text}",),
        affiliations=(f"Lab {text}",),
        ids=(),
    )
    names = NamePage(
        name=f"Ada {text}",
        is_family_name=False,
        persons=(person,),
        remaining=2,
        similar_names=(f"Ida {text}",),
    )
    return [
        render_public_paper(ENVIRONMENT, SITE, PUBLIC_SITE, content),
        render_daily_page(ENVIRONMENT, SITE, PUBLIC_SITE, day),
        render_name_page(ENVIRONMENT, SITE, PUBLIC_SITE, names),
    ]


def parse(page: bytes) -> _ElementParser:
    parser = _ElementParser()
    parser.feed(page.decode())
    return parser


HARMLESS = [
    parse(page).elements
    | parse(other).elements
    | {("option", "value"), ("a", "href"), ("a", "rel", "href"), ("small",), ("br",)}
    for page, other in zip(
        render_pages("harmless", "https://good.example/x"),
        render_pages("harmless", "https://creativecommons.org/licenses/by/4.0/"),
        strict=True,
    )
]


@given(EVIL, URLS)
@settings(deadline=None)
def test_a_page_has_no_element_or_attribute_that_was_not_meant(text: str, url: str) -> None:
    for known_elements, page in zip(HARMLESS, render_pages(text, url), strict=True):
        parser = parse(page)

        assert parser.elements - known_elements == set()
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", page.decode())
        for script in parser.scripts:
            assert isinstance(json.loads(script), dict)
        for address in re.findall(rb'href="([^"]*)"', page):
            assert re.match(rb"https?://|mailto:|#|/", address), address
