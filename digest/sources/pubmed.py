"""PubMed: what was added to it and fits a search.

    [[source]]
    use = "pubmed"
    searches = ["amyloidosis AND scintigraphy"]

https://www.ncbi.nlm.nih.gov/books/NBK25499/: ``esearch`` gives the ids of a search, ``efetch`` the articles of some ids.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import quote, urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import answered, as_line, as_rows, as_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.formats.xml_tree import read_tree, text_of
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.identity.ids import arxiv_id, best_key, doi
from digest.core.papers.identity.person_ids import person_id
from digest.core.papers.journals import journal_reference
from digest.core.text.cleaning import plain_line
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, Route, Scope
from digest.ports import Announced, Page, Request, Response

MOST_FOUND = 9_999
"""Ids that a search gives; of more the later ones are not to be had, so the days are halved."""
FETCHED = 200
"""Articles a page: what may be asked for at once."""
_BEFORE = timedelta(days=7)
_OVERLAP = timedelta(days=1)
_ROOTS = frozenset({"PubmedArticleSet"})
_COUNT = re.compile(r"\d{1,12}", re.ASCII)
_PMID = re.compile(r"\d{1,9}", re.ASCII)
_RETRACTED = "Retracted Publication"
_NO_PAPERS = frozenset({"Retraction of Publication", "Published Erratum", "Expression of Concern"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """Searches in PubMed; an article counts for the day on which it is first seen.

    Attributes:
        searches: in PubMed's own language; each is a section, and asked by itself.
        title: the name that readers know.
        key: of an account at NCBI, which may ask ten times a second instead of three.
        mailto: an address of yours, which NCBI wants to know.
        url: where the E-utilities are.
        name: of this source in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    searches: tuple[str, ...]
    title: str = "PubMed"
    key: str = field(default="", repr=False)
    mailto: str = ""
    url: str = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
    name: str = "pubmed"
    pace: float = 0.4
    max_bytes: int = 30_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        if not self.searches:
            raise OptionError("nothing is to be listed: write a search", "searches")
        for number, search in enumerate(self.searches):
            if not search.strip():
                raise OptionError("write what to search for", f"searches[{number}]")

    @property
    def sections(self) -> tuple[str, ...]:
        """The searches."""
        return tuple(dict.fromkeys(self.searches))

    @property
    def calendar(self) -> None:
        """None: articles are added on every day."""

    @property
    def ways(self) -> tuple[Route, ...]:
        """One: what was added lately."""
        return (Route(name="search", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """Search for what was added since we last asked."""
        today = now.astimezone(UTC).date()
        try:
            since = date.fromisoformat(cursor) - _OVERLAP
        except ValueError:
            since = today - _BEFORE
        asked = Request(section=ask.section, route=ask.route, url=self.url)
        return self._request(
            asked, _Place(begun=str(since), until=str(today), spans=[(str(since), str(today))])
        )

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer: ids, or the articles of some.

        Raises:
            SourceError: the answer says no, or is something else.
        """
        place = _Place(**json.loads(request.cursor))
        return (
            self._articles(request, response, place) if place.ids else self._found(request, response, place)
        )

    # --- searching

    def _found(self, request: Request, response: Response, place: _Place) -> Page:
        subject = f"{self.title}'s answer to {request.section!r}"
        answer = as_table(as_table(answered(response, subject)).get("esearchresult"))
        if said := as_line(answer.get("ERROR")):
            raise SourceError(f"{subject} is an error: {said}.")
        nowhere = next(iter(as_rows(as_table(answer.get("errorlist")).get("phrasesnotfound"))), "")
        if answer.get("count") == "0" and (said := as_line(nowhere)):
            raise SourceError(f"{subject} is that it has {said!r} nowhere.")
        written, count = list(map(as_line, as_rows(answer.get("idlist")))), as_line(answer.get("count"))
        if not _COUNT.fullmatch(count):
            raise SourceError(f"{subject} was expected, and something else came.")
        ids = list(filter(_PMID.fullmatch, written))
        unread = tuple(
            f"{subject} has an id that is none: {one[:20]!r}." for one in written if one not in ids
        )
        (first, last), *later = place.spans
        if int(count) > MOST_FOUND and first != last:
            return self._page(request, replace(place, spans=[*_halves(first, last), *later]))
        cut = int(count) > MOST_FOUND
        return self._page(request, replace(place, spans=later, ids=ids), unread=unread, over_full=cut)

    # --- articles

    def _articles(self, request: Request, response: Response, place: _Place) -> Page:
        subject = f"{self.title}'s articles for {request.section!r}"
        if response.status != 200:
            raise SourceError(f"{subject} were refused (HTTP {response.status}).")
        found = read_tree(response.body, _ROOTS, subject=subject)
        read, unread = read_each(
            found.iter("PubmedArticle"), _read_article, title=self.title, describe=self._describe
        )
        listings = tuple(listing for listing, is_paper in read if is_paper)
        after = replace(place, ids=place.ids[FETCHED:])
        return self._page(request, after, listings=listings, unread=tuple(unread))

    def _describe(self, article: ET.Element) -> str:
        named = plain_line(article.findtext("MedlineCitation/PMID") or "")[:20]
        return f"An article of {self.title} has no title: {named!r}."

    # --- asking

    def _page(
        self,
        request: Request,
        place: _Place,
        *,
        listings: tuple[Listing, ...] = (),
        unread: tuple[str, ...] = (),
        over_full: bool = False,
    ) -> Page:
        """What a page brought, and what is asked next."""
        more = bool(place.ids or place.spans)
        return Page(
            announced=(Announced(day=None, listings=listings, over_full=over_full),),
            next=self._request(request, place) if more else None,
            cursor=str(date.fromisoformat(place.begun) + _OVERLAP) if more else place.until,
            unread=unread,
        )

    def _request(self, asked: Request, place: _Place) -> Request:
        told: dict[str, object] = {"db": "pubmed", "tool": "papers-digest"}
        if place.ids:
            name, told = "efetch.fcgi", told | {"retmode": "xml", "id": ",".join(place.ids[:FETCHED])}
        else:
            first, last = (day.replace("-", "/") for day in place.spans[0])
            span = {"datetype": "edat", "mindate": first, "maxdate": last, "retmax": MOST_FOUND}
            name, told = "esearch.fcgi", told | {"retmode": "json", "term": asked.section} | span
        told |= {key: value for key, value in (("api_key", self.key), ("email", self.mailto)) if value}
        return replace(
            asked,
            # Posted: 200 ids, or a long search, make a long address; and nobody keeps a log of what is posted.
            url=f"{self.url.rstrip('/')}/{name}",
            method="POST",
            headers=(("Content-Type", "application/x-www-form-urlencoded"),),
            content=urlencode(told).encode(),
            accept="application/json" if name.startswith("esearch") else "application/xml",
            cursor=json.dumps(asdict(place)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """How far a series is.

    Attributes:
        begun: the first day wanted, ``until`` the last one.
        spans: first and last day of what is still to be searched.
        ids: those of the last search that are still to be fetched.
    """

    begun: str
    until: str
    spans: list[tuple[str, str]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)


def _halves(first: str, last: str) -> tuple[tuple[str, str], tuple[str, str]]:
    begin, end = date.fromisoformat(first), date.fromisoformat(last)
    middle = begin + (end - begin) // 2
    return (first, str(middle)), (str(middle + timedelta(days=1)), last)


# --- articles -------------------------------------------------------------------------------------


def _read_article(article: ET.Element) -> tuple[Listing, bool] | None:
    """The listing of an article, and whether the article is a paper of its own."""
    paper = _paper(article)
    if paper is None:
        return None
    is_paper = not _kinds(article) & _NO_PAPERS
    return Listing(kind=ListingKind.NEW, paper=paper, dated=_added(article)), is_paper


def _paper(article: ET.Element) -> Paper | None:
    told, ids = article.find("MedlineCitation/Article"), _ids(article)
    number = ids.get("pubmed", "")
    if told is None or not _PMID.fullmatch(number):
        return None
    title = plain_line(text_of(told.find("ArticleTitle"))) or plain_line(
        text_of(told.find("VernacularTitle"))
    )
    if not title.strip("[]. "):
        return None
    published = doi(ids.get("doi", "")) or ""
    preprint = found[0] if (found := arxiv_id(ids.get("doi", ""))) else ""
    page = f"https://pubmed.ncbi.nlm.nih.gov/{number}/"
    pmc = ids.get("pmc", "")
    return Paper(
        key=best_key(arxiv=preprint, published=published, page=page),
        title=title.removesuffix(".") if not title.endswith("...") else title,
        abstract=_abstract(told),
        authors=tuple(_authors(told)),
        version=0,
        url=page,
        pdf_url=f"https://pmc.ncbi.nlm.nih.gov/articles/{quote(pmc, safe='')}/pdf/" if pmc else "",
        doi=published,
        journal_ref=_journal(told),
        ids=(("pmid", number), *((("doi", published),) if published else ())),
        withdrawn=_RETRACTED in _kinds(article),
    )


def _ids(article: ET.Element) -> dict[str, str]:
    """The ids of the article itself: what it refers to has such, too."""
    found = {
        one.get("IdType", ""): plain_line(one.text or "")
        for one in article.iterfind("PubmedData/ArticleIdList/ArticleId")
    }
    found.setdefault("pubmed", plain_line(article.findtext("MedlineCitation/PMID") or ""))
    return found


def _kinds(article: ET.Element) -> frozenset[str]:
    path = "MedlineCitation/Article/PublicationTypeList/PublicationType"
    return frozenset(one.text or "" for one in article.iterfind(path))


def _abstract(told: ET.Element) -> str:
    """Its parts, each with its heading."""
    parts = []
    for part in told.iterfind("Abstract/AbstractText"):
        text, label = plain_line(text_of(part)), plain_line(part.get("Label", ""))
        parts.append(f"{label.capitalize()}: {text}" if label and text else text)
    return " ".join(filter(None, parts))


def _authors(told: ET.Element) -> Iterator[Author]:
    for one in told.iterfind("AuthorList/Author"):
        given = plain_line(one.findtext("ForeName") or one.findtext("Initials") or "")
        family = plain_line(one.findtext("LastName") or "")
        name = " ".join(filter(None, (given, family, plain_line(one.findtext("Suffix") or ""))))
        name = name or plain_line(text_of(one.find("CollectiveName")))
        if not name:
            continue
        places = (
            plain_line(text_of(place)).rstrip(".") for place in one.iterfind("AffiliationInfo/Affiliation")
        )
        marks = (
            plain_line(mark.text or "")
            for mark in one.iterfind("Identifier")
            if mark.get("Source") == "ORCID"
        )
        orcid = next((found for mark in marks if (found := person_id("orcid", mark))), "")
        yield Author(name, tuple(dict.fromkeys(filter(None, places))), (("orcid", orcid),) if orcid else ())


def _journal(told: ET.Element) -> str:
    name = plain_line(told.findtext("Journal/Title") or told.findtext("Journal/ISOAbbreviation") or "")
    volume, issue = (
        plain_line(told.findtext(f"Journal/JournalIssue/{part}") or "") for part in ("Volume", "Issue")
    )
    pages = plain_line(told.findtext("Pagination/MedlinePgn") or "")
    year = plain_line(told.findtext("Journal/JournalIssue/PubDate/Year") or "")
    return journal_reference(name, volume=volume, issue=issue, pages=pages, year=year)


def _added(article: ET.Element) -> datetime | None:
    """When it was added to PubMed; None if it is not said."""
    path = "PubmedData/History/PubMedPubDate[@PubStatus='entrez']"
    told = article.find(path)
    try:
        parts = (
            [int(told.findtext(part) or "") for part in ("Year", "Month", "Day")] if told is not None else []
        )
        return datetime.combine(date(*parts), time.max, UTC) if parts else None
    except (ValueError, OverflowError):
        return None
