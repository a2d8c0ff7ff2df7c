"""The services that are searched, in one host: each by its documented limits, pages, tokens and errors.

What a service would refuse is refused, and noted in ``wrong``: a client that keeps to the documentation makes no such
request. What is written of each limit is in ``docs/reference/sources.md`` and ``enrichers.md``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from urllib.parse import parse_qsl, unquote

from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost

KEY, PASSWORD = "k3y", "passw0rd"
ADA, ADA_S2, ADA_DBLP, ORCID = "A5023888391", "1741101", "65/9612", "0000-0002-1825-0097"
ISSN, VENUE = "2522-5839", "ICLR.cc/2027/Conference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Something published, as all services tell it.

    Attributes:
        number: all its ids are made of it.
        day: on which every service has it.
        services: the names of the services that have it.
    """

    number: int
    day: date
    services: frozenset[str]

    @property
    def doi(self) -> str:
        return f"10.1000/j.{self.number}"

    @property
    def arxiv(self) -> str:
        return f"2606.{self.number:05}"

    @property
    def title(self) -> str:
        return f"The paper {self.number}"


@dataclass(slots=True, kw_only=True)
class SearchServices:
    """All of them on one host; paths begin with the service's name.

    Attributes:
        works: what was published.
        today: the day that it is.
        openalex_credits: credits that OpenAlex gives for a day.
        request_counts: requests by service and day.
        violations: what no client should ask.
    """

    works: list[Work] = field(default_factory=list)
    today: date = date(2026, 6, 1)
    openalex_credits: int = 1000
    request_counts: Counter[tuple[str, date]] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    def make_host(self) -> ScriptedHost:
        """A host that answers for all."""
        return _Host(self)

    def list_works(self, service: str, first: date = date.min, last: date = date.max) -> list[Work]:
        """What a service has by today of some days."""
        return [
            work
            for work in self.works
            if service in work.services and first <= work.day <= min(last, self.today)
        ]

    def refuse(self, why: str, status: int = 400) -> CannedResponse:
        """Say no, and note that it had to be said."""
        self.violations.append(why)
        return CannedResponse(json.dumps({"error": why}).encode(), status)

    def answer(self, request: HostRequest) -> CannedResponse:
        """By the service that is asked."""
        service = request.path.split("/")[1]
        self.request_counts[service, self.today] += 1
        answers: Mapping[str, Callable[[HostRequest], CannedResponse]] = {
            "biorxiv": self._biorxiv,
            "crossref": self._crossref,
            "openalex": self._openalex,
            "s2": self._s2,
            "pubmed": self._pubmed,
            "dblp": self._dblp,
            "openreview": self._openreview,
            "orcid": self._orcid,
            "hf": self._hf,
        }
        return answers[service](request)

    # --- each ---------------------------------------------------------------------------------------

    def _biorxiv(self, request: HostRequest) -> CannedResponse:
        """Thirty rows a page, whatever its help says; pages begin at a number of rows."""
        *_, route, server, first, last, cursor = request.path.removesuffix("/json").split("/")
        if server != "biorxiv" or not cursor.isdecimal():
            return self.refuse(f"biorxiv: {request.path}", 404)
        works = self.list_works("biorxiv", date.fromisoformat(first), date.fromisoformat(last))
        if route == "pubs":
            works = []
        rows = [
            {
                "doi": f"10.64898/2026.{work.number:06}",
                "title": work.title,
                "authors": "Lovelace, A.",
                "date": str(work.day),
                "version": "1",
                "category": "neuroscience",
                "published": "NA",
            }
            for work in works[int(cursor) : int(cursor) + 30]
        ]
        return _make_json({"messages": [{"status": "ok" if rows else "no posts found"}], "collection": rows})

    def _crossref(self, request: HostRequest) -> CannedResponse:
        """At most a thousand rows; a cursor that it gave."""
        fields = dict(part.split(":", 1) for part in request.query["filter"].split(","))
        rows = int(request.query["rows"])
        if not 0 < rows <= 1000 or fields.keys() - {"issn", "prefix", "from-created-date", "doi"}:
            return self.refuse(f"crossref: {request.query}")
        if "doi" in fields:
            expected = {part.removeprefix("doi:") for part in request.query["filter"].split(",")}
            return _make_json(
                {
                    "message": {
                        "items": [_make_crossref_work(work) for work in self.works if work.doi in expected]
                    }
                }
            )
        works = self.list_works("crossref", date.fromisoformat(fields["from-created-date"]))
        start, following = _compute_page(request.query["cursor"], rows, len(works))
        message = {
            "items": list(map(_make_crossref_work, works[start : start + rows])),
            "next-cursor": following,
        }
        return _make_json({"message": message})

    def _openalex(self, request: HostRequest) -> CannedResponse:
        """A hundred a page, fifty values in a filter, and credits that are used up until midnight."""
        if request.query.get("api_key") != KEY:
            return self.refuse("openalex: no key", 401)
        used = self.request_counts["openalex", self.today]
        left = {
            "X-RateLimit-Limit": "1000",
            "X-RateLimit-Remaining": str(max(self.openalex_credits - used, 0)),
        }
        if used > self.openalex_credits:
            return CannedResponse(b"{}", 429, left | {"X-RateLimit-Reset": "40000", "Retry-After": "40000"})
        per_page, (name, _, values) = int(request.query["per_page"]), request.query["filter"].partition(":")
        if not 0 < per_page <= 100 or values.count("|") >= 50:
            return self.refuse(f"openalex: {request.query}")
        if request.path.endswith("/authors"):
            return _make_json({"results": [_make_openalex_author()]})
        if name == "doi":
            expected = set(values.split("|"))
            works = [
                work
                for work in self.list_works("openalex")
                if {work.doi, f"10.48550/arxiv.{work.arxiv}"} & expected
            ]
            return _make_json({"meta": {}, "results": list(map(_make_openalex_work, works))})
        since = date.fromisoformat(request.query["filter"].rpartition(":")[2])
        works = self.list_works("openalex", since)
        start, following = _compute_page(request.query["cursor"], per_page, len(works))
        return _make_json(
            {
                "meta": {"next_cursor": following},
                "results": list(map(_make_openalex_work, works[start : start + per_page])),
            }
        )

    def _s2(self, request: HostRequest) -> CannedResponse:
        """Five hundred ids a batch of papers, a thousand of authors; a thousand papers a page."""
        if request.headers.get("x-api-key") != KEY:
            return self.refuse("s2: no key", 403)
        if request.path.endswith("/batch"):
            ids, is_paper = json.loads(request.body)["ids"], request.path.endswith("/paper/batch")
            if len(ids) > (500 if is_paper else 1000):
                return self.refuse(f"s2: {len(ids)} ids")
            works = {f"ARXIV:{work.arxiv}": work for work in self.list_works("s2")}
            works |= {f"DOI:{work.doi}": work for work in self.list_works("s2")}
            results = [_make_s2_record(works[id_]) if id_ in works else None for id_ in ids]
            return _make_json(results if is_paper else [{"paperCount": 3, "hIndex": 2} for _ in ids])
        offset, limit = int(request.query["offset"]), int(request.query["limit"])
        if not 0 < limit <= 1000:
            return self.refuse(f"s2: {limit} papers")
        all_values = list(map(_make_s2_record, self.list_works("s2")))
        fields: dict[str, Any] = {"offset": offset, "data": all_values[offset : offset + limit]}
        return _make_json(fields | ({"next": offset + limit} if offset + limit < len(all_values) else {}))

    def _pubmed(self, request: HostRequest) -> CannedResponse:
        """At most 9,999 ids of a search, and 200 articles at once."""
        qsl = dict(parse_qsl(request.body.decode()))
        if request.path.endswith("esearch.fcgi"):
            if int(qsl["retmax"]) > 9_999:
                return self.refuse(f"pubmed: {qsl['retmax']} ids")
            first, last = (date.fromisoformat(qsl[key].replace("/", "-")) for key in ("mindate", "maxdate"))
            works = self.list_works("pubmed", first, last)
            ids = [str(work.number) for work in works[: int(qsl["retmax"])]]
            return _make_json({"esearchresult": {"count": str(len(works)), "idlist": ids}})
        expected = qsl["id"].split(",")
        if len(expected) > 200:
            return self.refuse(f"pubmed: {len(expected)} articles")
        by_number = {str(work.number): work for work in self.works}
        body = "".join(_make_pubmed_article(by_number[text]) for text in expected)
        return CannedResponse(f"<PubmedArticleSet>{body}</PubmedArticleSet>".encode())

    def _dblp(self, request: HostRequest) -> CannedResponse:
        """Pages of persons; its search lets in only browsers."""
        if not request.path.startswith("/dblp/pid/"):
            return CannedResponse(b"<!doctype html><html>Are you a robot?</html>")
        records = "".join(map(_make_dblp_record, self.list_works("dblp")))
        return CannedResponse(f'<dblpperson pid="{ADA_DBLP}">{records}</dblpperson>'.encode())

    def _openreview(self, request: HostRequest) -> CannedResponse:
        """A login first; its token with all else."""
        token = f"Bearer t-{self.today}"
        if request.path.endswith("/login"):
            right = json.loads(request.body) == {"id": "me@example.org", "password": PASSWORD}
            return (
                _make_json({"token": token.removeprefix("Bearer ")})
                if right
                else self.refuse("openreview: login", 401)
            )
        if request.headers.get("authorization") != token:
            return self.refuse("openreview: no token", 403)
        offset, limit = int(request.query["offset"]), int(request.query["limit"])
        if not 0 < limit <= 1000 or request.query["content.venueid"] != VENUE:
            return self.refuse(f"openreview: {request.query}")
        if request.query["sort"] != "tmdate:desc":
            return self.refuse(f"openreview: {request.query}")
        works = self.list_works("openreview")[::-1]
        return _make_json({"notes": list(map(_make_openreview_note, works[offset : offset + limit]))})

    def _orcid(self, request: HostRequest) -> CannedResponse:
        if request.path.endswith("/person"):
            name = {"given-names": {"value": "Ada"}, "family-name": {"value": "Lovelace"}}
            return _make_json({"name": name})
        ids = [
            {"external-id-type": "doi", "external-id-value": work.doi} for work in self.list_works("crossref")
        ]
        return _make_json({"group": [{"external-ids": {"external-id": [id_]}} for id_ in ids]})

    def _hf(self, request: HostRequest) -> CannedResponse:
        number = unquote(request.path.rpartition("/")[2])
        if not any(work.arxiv == number for work in self.list_works("hf")):
            return CannedResponse(b'{"error": "Paper not found"}', 404)
        return _make_json({"id": number, "title": "T", "upvotes": 7})


class _Host(ScriptedHost):
    def __init__(self, services: SearchServices) -> None:
        super().__init__()
        self._services = services

    def answer(self, asked: HostRequest) -> CannedResponse:
        """Note a request, and pass it on."""
        if asked.path in self.answers:
            return super().answer(asked)
        self.requests.append(asked)
        return self._services.answer(asked)


def _make_json(document: object) -> CannedResponse:
    return CannedResponse(json.dumps(document).encode(), 200, {"Content-Type": "application/json"})


def _compute_page(cursor: str, size: int, count: int) -> tuple[int, str | None]:
    start = 0 if cursor == "*" else int(cursor.removeprefix("at-"))
    return start, f"at-{start + size}" if start < count else None


# --- records --------------------------------------------------------------------------------------


def _make_crossref_work(work: Work) -> dict[str, Any]:
    preprint = {"has-preprint": [{"id-type": "doi", "id": f"10.48550/arXiv.{work.arxiv}"}]}
    return {
        "DOI": work.doi,
        "type": "journal-article",
        "title": [work.title],
        "author": [{"given": "Ada", "family": "Lovelace", "ORCID": f"https://orcid.org/{ORCID}"}],
        "container-title": ["The Journal"],
        "created": {"date-time": f"{work.day}T10:00:00Z"},
        "relation": preprint if "arxiv" in work.services else {},
        "is-referenced-by-count": 3,
    }


def _make_openalex_work(work: Work) -> dict[str, Any]:
    source = {"display_name": "The Journal", "type": "journal"}
    journal = {
        "landing_page_url": f"https://doi.org/{work.doi}",
        "version": "publishedVersion",
        "source": source,
    }
    preprint = {"landing_page_url": f"https://arxiv.org/abs/{work.arxiv}", "version": "submittedVersion"}
    return {
        "id": f"https://openalex.org/W{100_000 + work.number}",
        "doi": f"https://doi.org/{work.doi}",
        "title": work.title,
        "created_date": str(work.day),
        "publication_date": str(work.day),
        "primary_location": journal,
        "locations": [journal, preprint] if "arxiv" in work.services else [journal],
        "authorships": [{"raw_author_name": "Ada Lovelace", "author": {"id": f"https://openalex.org/{ADA}"}}],
        "cited_by_count": 4,
    }


def _make_openalex_author() -> dict[str, Any]:
    return {
        "id": f"https://openalex.org/{ADA}",
        "orcid": f"https://orcid.org/{ORCID}",
        "works_count": 9,
        "cited_by_count": 90,
        "summary_stats": {"h_index": 5},
    }


def _make_s2_record(work: Work) -> dict[str, Any]:
    ids = {"DOI": work.doi} | ({"ArXiv": work.arxiv} if "arxiv" in work.services else {})
    return {
        "paperId": f"{work.number:040x}",
        "externalIds": ids,
        "title": work.title,
        "journal": {"name": "The Journal"},
        "publicationDate": str(work.day),
        "authors": [{"authorId": ADA_S2, "name": "Ada Lovelace"}],
        "citationCount": 5,
    }


def _make_pubmed_article(work: Work) -> str:
    day = f"<Year>{work.day.year}</Year><Month>{work.day.month}</Month><Day>{work.day.day}</Day>"
    return f"""<PubmedArticle><MedlineCitation><PMID>{work.number}</PMID><Article><Journal><Title>The Journal</Title>
</Journal><ArticleTitle>{work.title}.</ArticleTitle><AuthorList><Author><LastName>Lovelace</LastName>
<ForeName>Ada</ForeName></Author></AuthorList></Article></MedlineCitation><PubmedData><History>
<PubMedPubDate PubStatus="entrez">{day}</PubMedPubDate></History><ArticleIdList>
<ArticleId IdType="doi">{work.doi}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>"""


def _make_dblp_record(work: Work) -> str:
    return f"""<r><article key="journals/j/L{work.number}" mdate="{work.day}"><author pid="{ADA_DBLP}">Ada Lovelace</author>
<title>{work.title}.</title><journal>The Journal</journal><year>{work.day.year}</year>
<ee>https://doi.org/{work.doi}</ee></article></r>"""


def _make_openreview_note(work: Work) -> dict[str, Any]:
    content = {
        "title": work.title,
        "authors": ["Ada Lovelace"],
        "venue": "ICLR 2027 Poster",
        "venueid": VENUE,
    }
    count = int(datetime.combine(work.day, time(12), UTC).timestamp() * 1000)
    wrapped = {name: {"value": value} for name, value in content.items()}
    fields = {"id": f"note{work.number}", "forum": f"note{work.number}", "content": wrapped}
    return fields | {"tcdate": count - 10**10, "pdate": count, "tmdate": count}


def make_works(first: date, days: int, services: Iterable[str], a_day: int) -> list[Work]:
    """So many works a day that only one service has, for each."""
    results, number = [], 0
    for place in range(days):
        for service in services:
            for _ in range(a_day):
                number += 1
                results.append(
                    Work(number=number, day=first + timedelta(days=place), services=frozenset([service]))
                )
    return results
