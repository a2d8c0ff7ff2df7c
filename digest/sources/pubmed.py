"""PubMed: articles that were added and match a search.

    [[source]]
    use = "pubmed"
    searches = ["amyloidosis AND scintigraphy"]

https://www.ncbi.nlm.nih.gov/books/NBK25499/: ``esearch`` returns the IDs of a search, ``efetch`` the articles
of some IDs.
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
from digest.core.fetching.formats.json_fields import parse_answer, to_line, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.formats.xml_tree import extract_text, read_tree
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.identity.ids import choose_key, parse_arxiv_id, parse_doi
from digest.core.papers.identity.person_ids import parse_person_id
from digest.core.papers.journals import format_journal_reference
from digest.core.text.cleaning import normalize_line
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, Route, Scope
from digest.ports import AnnouncedDay, Page, Request, Response

MAX_IDS = 9_999
"""Maximum number of IDs that a search returns; if there are more, the span of days is halved."""
PAGE_SIZE = 200
"""Number of articles on a page, the maximum of one request."""
_FIRST_LOOKBACK = timedelta(days=7)
_OVERLAP = timedelta(days=1)
_ROOTS = frozenset({"PubmedArticleSet"})
_COUNT = re.compile(r"\d{1,12}", re.ASCII)
_PMID = re.compile(r"\d{1,9}", re.ASCII)
_RETRACTED_TYPE = "Retracted Publication"
_NON_PAPER_TYPES = frozenset({"Retraction of Publication", "Published Erratum", "Expression of Concern"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """Searches in PubMed; an article belongs to the day on which it is first seen.

    Attributes:
        searches: searches in PubMed's query language; each is a section, and requested separately.
        title: the name for readers.
        key: the API key of an account at NCBI, which allows ten requests a second instead of three.
        mailto: your mail address, which NCBI asks for.
        url: the address of the E-utilities.
    """

    searches: tuple[str, ...]
    title: str = "PubMed"
    key: str = field(default="", repr=False)
    mailto: str = ""
    url: str = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
    name: str = "pubmed"
    pace: float = 0.4
    max_bytes: int = 30_000_000

    def check_options(self) -> None:
        """Validate the options."""
        for index, search in enumerate(self.searches):
            if not search.strip():
                raise OptionError("write what to search for", f"searches[{index}]")
        if not self.searches:
            raise OptionError("nothing to list; write a search", "searches")

    @property
    def sections(self) -> tuple[str, ...]:
        """The searches."""
        return tuple(dict.fromkeys(self.searches))

    @property
    def calendar(self) -> None:
        """None, because articles are added every day."""

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """A single route: the recently added articles."""
        return (Route(name="search", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """Return the search for articles that were added since the last request."""
        today = now.astimezone(UTC).date()
        try:
            since = date.fromisoformat(cursor) - _OVERLAP
        except ValueError:
            since = today - _FIRST_LOOKBACK
        request = Request(section=ask.section, route=ask.route, url=self.url)
        return self._build_request(
            request, _SearchProgress(begun=str(since), until=str(today), spans=[(str(since), str(today))])
        )

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response: IDs, or articles.

        Raises:
            SourceError: the request was refused, or the response is something else.
        """
        progress = _SearchProgress(**json.loads(request.cursor))
        return (
            self._read_articles(request, response, progress)
            if progress.ids
            else self._read_search(request, response, progress)
        )

    # --- searches

    def _read_search(self, request: Request, response: Response, progress: _SearchProgress) -> Page:
        subject = f"{self.title}'s answer to {request.section!r}"
        answer = to_table(to_table(parse_answer(response, subject)).get("esearchresult"))
        if message := to_line(answer.get("ERROR")):
            raise SourceError(f"{subject} is an error: {message}.")
        missing_phrase = next(iter(to_rows(to_table(answer.get("errorlist")).get("phrasesnotfound"))), "")
        if answer.get("count") == "0" and (message := to_line(missing_phrase)):
            raise SourceError(f"{subject} says that it has no {message!r}.")
        raw_ids, count = list(map(to_line, to_rows(answer.get("idlist")))), to_line(answer.get("count"))
        if not _COUNT.fullmatch(count):
            raise SourceError(f"{subject} was expected, but something else arrived.")
        ids = list(filter(_PMID.fullmatch, raw_ids))
        unread = tuple(
            f"{subject} has an invalid id: {raw_id[:20]!r}." for raw_id in raw_ids if raw_id not in ids
        )
        (first, last), *later_spans = progress.spans
        if int(count) > MAX_IDS and first != last:
            return self._make_page(
                request, replace(progress, spans=[*_split_span(first, last), *later_spans])
            )
        over_full = int(count) > MAX_IDS
        return self._make_page(
            request, replace(progress, spans=later_spans, ids=ids), unread=unread, over_full=over_full
        )

    # --- articles

    def _read_articles(self, request: Request, response: Response, progress: _SearchProgress) -> Page:
        subject = f"{self.title}'s articles for {request.section!r}"
        if response.status != 200:
            raise SourceError(f"{subject} were refused (HTTP {response.status}).")
        tree = read_tree(response.body, _ROOTS, subject=subject)
        parsed_articles, unread = read_each(
            tree.iter("PubmedArticle"), _read_article, title=self.title, describe=self._describe_unread
        )
        listings = tuple(listing for listing, is_paper in parsed_articles if is_paper)
        next_progress = replace(progress, ids=progress.ids[PAGE_SIZE:])
        return self._make_page(request, next_progress, listings=listings, unread=tuple(unread))

    def _describe_unread(self, article: ET.Element) -> str:
        pmid = normalize_line(article.findtext("MedlineCitation/PMID") or "")[:20]
        return f"An article of {self.title} has no title: {pmid!r}."

    # --- requests

    def _make_page(
        self,
        request: Request,
        progress: _SearchProgress,
        *,
        listings: tuple[Listing, ...] = (),
        unread: tuple[str, ...] = (),
        over_full: bool = False,
    ) -> Page:
        """Return a page with the request that follows it."""
        has_more = bool(progress.ids or progress.spans)
        return Page(
            announced=(AnnouncedDay(day=None, listings=listings, over_full=over_full),),
            next=self._build_request(request, progress) if has_more else None,
            cursor=str(date.fromisoformat(progress.begun) + _OVERLAP) if has_more else progress.until,
            unread=unread,
        )

    def _build_request(self, request: Request, progress: _SearchProgress) -> Request:
        parameters: dict[str, object] = {"db": "pubmed", "tool": "papers-digest"}
        if progress.ids:
            name, parameters = (
                "efetch.fcgi",
                parameters | {"retmode": "xml", "id": ",".join(progress.ids[:PAGE_SIZE])},
            )
        else:
            first, last = (day.replace("-", "/") for day in progress.spans[0])
            span = {"datetype": "edat", "mindate": first, "maxdate": last, "retmax": MAX_IDS}
            name, parameters = (
                "esearch.fcgi",
                parameters | {"retmode": "json", "term": request.section} | span,
            )
        parameters |= {key: value for key, value in (("api_key", self.key), ("email", self.mailto)) if value}
        return replace(
            request,
            # The parameters are posted, because 200 IDs or a long search make a long address, and addresses are logged.
            url=f"{self.url.rstrip('/')}/{name}",
            method="POST",
            headers=(("Content-Type", "application/x-www-form-urlencoded"),),
            content=urlencode(parameters).encode(),
            accept="application/json" if name.startswith("esearch") else "application/xml",
            cursor=json.dumps(asdict(progress)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _SearchProgress:
    """The progress of a series of requests.

    Attributes:
        begun: the first requested day.
        until: the last requested day.
        spans: first and last day of each span that is still to be searched.
        ids: IDs of the last search that are still to be fetched.
    """

    begun: str
    until: str
    spans: list[tuple[str, str]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)


def _split_span(first: str, last: str) -> tuple[tuple[str, str], tuple[str, str]]:
    begin, end = date.fromisoformat(first), date.fromisoformat(last)
    middle = begin + (end - begin) // 2
    return (first, str(middle)), (str(middle + timedelta(days=1)), last)


# --- articles -------------------------------------------------------------------------------------


def _read_article(article: ET.Element) -> tuple[Listing, bool] | None:
    """Return the listing of an article, and whether it is a paper of its own; None if it cannot be read."""
    paper = _read_paper(article)
    if paper is None:
        return None
    is_paper = not _read_publication_types(article) & _NON_PAPER_TYPES
    return Listing(kind=ListingKind.NEW, paper=paper, published_at=_read_added_date(article)), is_paper


def _read_paper(article: ET.Element) -> Paper | None:
    citation, ids = article.find("MedlineCitation/Article"), _read_ids(article)
    pmid = ids.get("pubmed", "")
    if citation is None or not _PMID.fullmatch(pmid):
        return None
    title = normalize_line(extract_text(citation.find("ArticleTitle"))) or normalize_line(
        extract_text(citation.find("VernacularTitle"))
    )
    if not title.strip("[]. "):
        return None
    published = parse_doi(ids.get("doi", "")) or ""
    preprint = arxiv_match[0] if (arxiv_match := parse_arxiv_id(ids.get("doi", ""))) else ""
    page = f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
    pmc = ids.get("pmc", "")
    return Paper(
        key=choose_key(arxiv=preprint, doi_value=published, page=page),
        title=title.removesuffix(".") if not title.endswith("...") else title,
        abstract=_read_abstract(citation),
        authors=tuple(_read_authors(citation)),
        version=0,
        url=page,
        pdf_url=f"https://pmc.ncbi.nlm.nih.gov/articles/{quote(pmc, safe='')}/pdf/" if pmc else "",
        doi=published,
        journal_ref=_read_journal(citation),
        ids=(("pmid", pmid), *((("doi", published),) if published else ())),
        withdrawn=_RETRACTED_TYPE in _read_publication_types(article),
    )


def _read_ids(article: ET.Element) -> dict[str, str]:
    """Return the IDs of the article itself, by type; its references also contain IDs."""
    ids = {
        element.get("IdType", ""): normalize_line(element.text or "")
        for element in article.iterfind("PubmedData/ArticleIdList/ArticleId")
    }
    ids.setdefault("pubmed", normalize_line(article.findtext("MedlineCitation/PMID") or ""))
    return ids


def _read_publication_types(article: ET.Element) -> frozenset[str]:
    path = "MedlineCitation/Article/PublicationTypeList/PublicationType"
    return frozenset(element.text or "" for element in article.iterfind(path))


def _read_abstract(citation: ET.Element) -> str:
    """Return the parts of the abstract, each with its label."""
    parts = []
    for part in citation.iterfind("Abstract/AbstractText"):
        text, label = normalize_line(extract_text(part)), normalize_line(part.get("Label", ""))
        parts.append(f"{label.capitalize()}: {text}" if label and text else text)
    return " ".join(filter(None, parts))


def _read_authors(citation: ET.Element) -> Iterator[Author]:
    for author in citation.iterfind("AuthorList/Author"):
        given_name = normalize_line(author.findtext("ForeName") or author.findtext("Initials") or "")
        family_name = normalize_line(author.findtext("LastName") or "")
        name = " ".join(
            filter(None, (given_name, family_name, normalize_line(author.findtext("Suffix") or "")))
        )
        name = name or normalize_line(extract_text(author.find("CollectiveName")))
        if not name:
            continue
        affiliations = (
            normalize_line(extract_text(affiliation)).rstrip(".")
            for affiliation in author.iterfind("AffiliationInfo/Affiliation")
        )
        orcid_texts = (
            normalize_line(identifier.text or "")
            for identifier in author.iterfind("Identifier")
            if identifier.get("Source") == "ORCID"
        )
        orcid = next(
            (
                valid_orcid
                for identifier in orcid_texts
                if (valid_orcid := parse_person_id("orcid", identifier))
            ),
            "",
        )
        yield Author(
            name, tuple(dict.fromkeys(filter(None, affiliations))), (("orcid", orcid),) if orcid else ()
        )


def _read_journal(citation: ET.Element) -> str:
    name = normalize_line(
        citation.findtext("Journal/Title") or citation.findtext("Journal/ISOAbbreviation") or ""
    )
    volume, issue = (
        normalize_line(citation.findtext(f"Journal/JournalIssue/{part}") or "")
        for part in ("Volume", "Issue")
    )
    pages = normalize_line(citation.findtext("Pagination/MedlinePgn") or "")
    year = normalize_line(citation.findtext("Journal/JournalIssue/PubDate/Year") or "")
    return format_journal_reference(name, volume=volume, issue=issue, pages=pages, year=year)


def _read_added_date(article: ET.Element) -> datetime | None:
    """Return when the article was added to PubMed; None if it is not stated."""
    path = "PubmedData/History/PubMedPubDate[@PubStatus='entrez']"
    element = article.find(path)
    try:
        parts = (
            [int(element.findtext(part) or "") for part in ("Year", "Month", "Day")]
            if element is not None
            else []
        )
        return datetime.combine(date(*parts), time.max, UTC) if parts else None
    except (ValueError, OverflowError):
        return None
