"""No answer makes a source or an enricher raise, and a record that cannot be read costs that record alone.

Each recorded answer of each service is changed in one place at a time. ``DIGEST_TEST_EXAMPLES=2000`` tries 20,000
changed answers; the usual run some hundreds.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from digest.enrichers import crossref as crossref_enricher
from digest.enrichers import hf_daily as hf_enricher
from digest.enrichers import openalex as openalex_enricher
from digest.enrichers import orcid as orcid_enricher
from digest.enrichers import semantic_scholar as s2_enricher
from digest.errors import SourceError
from digest.model import Ask, Subject, SubjectKind
from digest.ports import Enricher, EnricherPage, Page, Request, Response, Source
from digest.sources import arxiv, biorxiv, crossref, dblp, feed, hf_daily, openalex, openreview, pubmed
from digest.sources import semantic_scholar as s2
from tests.generators.mutated_answers import list_texts, mutate_bytes, mutate_json, mutate_markup, mutate_text
from tests.sources.recorded_answers import read_recorded_answers
from tests.support.seeds import get_seed

EXAMPLES = 10 * (hypothesis.settings.default.max_examples if hypothesis.settings.default else 40)
NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)
MADE = Path(__file__).parents[2] / "sources" / "data" / "arxiv"
LONGEST = 150_000
"""Bytes of a recorded answer that is tried: longer ones take long, and have more of the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A document and what reads it.

    Attributes:
        name: of the service, and the document.
        read: what reads a document.
        records: the path to its list of records, in JSON; the name of their element in markup; None for neither.
    """

    name: str
    read: Callable[[bytes], Page | EnricherPage]
    body: bytes
    records: tuple[Any, ...] | bytes | None = None

    @property
    def document(self) -> Any:
        """The document as JSON; None if it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


# --- what reads -----------------------------------------------------------------------------------


def by_source(
    source: Source,
    body: bytes,
    *,
    section: int = 0,
    route: int = 0,
    day: date | None = None,
    request: Request | None = None,
) -> Page:
    """What a source reads."""
    ask = Ask(
        source=source.name, section=source.sections[section], route=source.fetch_routes[route].name, day=day
    )
    requested_request = request or source.start(ask, "", NOW)
    return source.read(requested_request, Response(status=200, headers=(), body=body))


def by_enricher(
    enricher: Enricher, subjects: Sequence[Subject], body: bytes, *, second: bool = False
) -> EnricherPage:
    """What an enricher reads; with ``second`` from the second page, the first of which came as it should."""
    request = enricher.make_request(subjects)
    if second:
        request = replace(request, section="works", cursor="Ada Lovelace")
    return enricher.read(request, subjects, Response(status=200, headers=(), body=body), NOW.date())


PERSON = Subject(
    kind=SubjectKind.PERSON,
    key="orcid:0000-0003-1620-1408",
    ids=(("orcid", "0000-0003-1620-1408"), ("openalex", "A5070892021"), ("s2", "1723755")),
)
ARXIV = arxiv.Source(categories=("cs.LG",), routes=("rss", "listing", "catchup", "oai", "api"))
RECORDS = arxiv.Source(categories=("cs.LG",), routes=("oai", "api"))
DBLP = dblp.Source(persons=("65/9612",), venues=("conf/sosp",))
OPENREVIEW = openreview.Source(
    venues=("ICLR.cc/2027/Conference",), username="me@example.org", password="secret"
)
PUBMED = pubmed.Source(searches=("amyloidosis",))
S2 = s2.Source(authors=("1741101",), like=("2312.07559",))


def subjects_of(ids: Sequence[dict[str, str]]) -> list[Subject]:
    """Papers with these ids."""
    return [
        Subject(kind=SubjectKind.PAPER, key=f"doi:10.1000/{place}", ids=tuple(entry.items()))
        for place, entry in enumerate(ids)
    ]


# --- documents ------------------------------------------------------------------------------------


@cache
def documents(data: Path, folder: str) -> tuple[tuple[str, Any], ...]:
    """The recorded answers of a folder that are JSON, by file."""
    results = []
    for recorded_answer in read_recorded_answers(data, folder):
        try:
            results.append((recorded_answer.file, json.loads(recorded_answer.response.body)))
        except ValueError:
            continue
    return tuple(results)


def records_in(data: Path, folder: str, lists: Sequence[tuple[str, ...]], *, title: str) -> list[Any]:
    """The records in the answers of a folder, each once: those in lists, and those that come alone."""
    results: dict[str, Any] = {}
    for _, document in documents(data, folder):
        rows = [document]
        for path in lists:
            inner: Any = document
            for key in path:
                inner = inner.get(key) if isinstance(inner, dict) else None
            rows += inner if isinstance(inner, list) else [inner]
        results |= {json.dumps(row): row for row in rows if isinstance(row, dict) and row.get(title)}
    return [row for text, row in results.items() if len(text) < LONGEST]


def in_pages(rows: Sequence[Any], size: int = 4) -> Iterator[list[Any]]:
    """The rows in pages."""
    for start in range(0, len(rows), size):
        yield list(rows[start : start + size])


def wrapped(path: Sequence[str], rows: Sequence[Any]) -> bytes:
    """An answer that has rows where they belong."""
    document: Any = list(rows)
    for key in reversed(path):
        document = {key: document}
    return json.dumps(document).encode()


def cases(data: Path) -> Iterator[Case]:
    """All recorded answers, with what reads them."""
    yield from openalex_cases(data)
    yield from crossref_cases(data)
    yield from s2_cases(data)
    yield from person_cases(data)
    yield from other_json_cases(data)
    yield from pubmed_and_dblp_cases(data)
    yield from arxiv_cases(data)
    yield from feed_cases(data)


def openalex_cases(data: Path) -> Iterator[Case]:
    source = openalex.Source(authors=("A5023888391",))
    enricher = openalex_enricher.Enricher()
    for rows in in_pages(records_in(data, "openalex", [("results",)], title="title")):
        body = wrapped(["results"], rows)
        papers = subjects_of(
            [{"doi": str(row.get("doi", "")).removeprefix("https://doi.org/").lower()} for row in rows]
        )
        yield Case(name="openalex", read=partial(by_source, source), body=body, records=("results",))
        yield Case(
            name="openalex enricher",
            read=partial(by_enricher, enricher, papers),
            body=body,
            records=("results",),
        )
    for file, document in documents(data, "openalex"):
        body = json.dumps(document).encode()
        yield Case(name=file, read=partial(by_enricher, enricher, [PERSON]), body=body)
        yield Case(
            name=file, read=partial(by_enricher, enricher, [PERSON]), body=wrapped(["results"], [document])
        )


def crossref_cases(data: Path) -> Iterator[Case]:
    path = ("message", "items")
    source = crossref.Source(issns=("2522-5839",))
    enricher = crossref_enricher.Enricher()
    for rows in in_pages(records_in(data, "crossref", [path, ("message",), ("items",)], title="title")):
        papers = subjects_of([{"doi": str(row.get("DOI", "")).lower()} for row in rows])
        body = wrapped(path, rows)
        yield Case(name="crossref", read=partial(by_source, source), body=body, records=path)
        yield Case(
            name="crossref enricher", read=partial(by_enricher, enricher, papers), body=body, records=path
        )
    for file, document in documents(data, "crossref"):
        yield Case(name=file, read=partial(by_source, source), body=json.dumps(document).encode())


def s2_cases(data: Path) -> Iterator[Case]:
    enricher = s2_enricher.Enricher()
    for rows in in_pages(records_in(data, "s2", [("data",), ("recommendedPapers",)], title="title")):
        fresh = [row | {"publicationDate": "2026-09-01"} for row in rows]
        liked = partial(by_source, S2, section=1)
        yield Case(name="s2", read=partial(by_source, S2), body=wrapped(["data"], fresh), records=("data",))
        yield Case(
            name="s2 like",
            read=liked,
            body=wrapped(["recommendedPapers"], fresh),
            records=("recommendedPapers",),
        )
        papers = subjects_of([{"s2": str(row.get("paperId"))} for row in rows])
        yield Case(
            name="s2 enricher",
            read=partial(by_enricher, enricher, papers),
            body=wrapped([], rows),
            records=(),
        )
    for file, document in documents(data, "s2"):
        if len(json.dumps(document)) < LONGEST:
            yield Case(name=file, read=partial(by_enricher, enricher, [PERSON]), body=wrapped([], [document]))
            yield Case(name=file, read=partial(by_source, S2), body=json.dumps(document).encode())


def person_cases(data: Path) -> Iterator[Case]:
    enricher = orcid_enricher.Enricher()
    for file, document in documents(data, "orcid"):
        body = json.dumps(document).encode()
        if len(body) < LONGEST:
            yield Case(name=file, read=partial(by_enricher, enricher, [PERSON]), body=body)
            yield Case(name=file, read=partial(by_enricher, enricher, [PERSON], second=True), body=body)


def other_json_cases(data: Path) -> Iterator[Case]:
    for _, document in documents(data, "biorxiv"):
        source = biorxiv.Source()
        body, path = json.dumps(document).encode(), ("collection",)
        yield Case(
            name="biorxiv", read=partial(by_source, source, day=date(2026, 9, 7)), body=body, records=path
        )
        names = ("doi", "title", "authors", "category", "abstract")
        rows = [
            {f"preprint_{name}": row[name] for name in names}
            | {"published_doi": f"10.1000/{place}", "published_journal": "J", "published_date": "2026-09-07"}
            for place, row in enumerate(document["collection"])
        ]
        body = json.dumps(document | {"collection": rows}).encode()
        yield Case(name="biorxiv pubs", read=partial(by_source, source, route=1), body=body, records=path)
    for _, document in documents(data, "hf"):
        body = json.dumps(document[:6]).encode()
        loaded_partial = partial(by_source, hf_daily.Source(), day=date(2026, 6, 12))
        yield Case(name="hf_daily", read=loaded_partial, body=body, records=())
        paper = subjects_of([{"arxiv": document[0]["paper"]["id"]}])
        one = json.dumps(document[0]["paper"]).encode()
        yield Case(name="hf enricher", read=partial(by_enricher, hf_enricher.Enricher(), paper), body=one)
    for _, document in documents(data, "openreview"):
        ask = Ask(source="openreview", section="ICLR.cc/2027/Conference", route="notes")
        login = OPENREVIEW.start(ask, "", NOW)
        token = b'{"token": "a.b.c"}'
        yield Case(name="openreview login", read=partial(by_source, OPENREVIEW, request=login), body=token)
        notes = OPENREVIEW.read(login, Response(status=200, headers=(), body=token)).next
        loaded_partial = partial(by_source, OPENREVIEW, request=notes)
        yield Case(
            name="openreview", read=loaded_partial, body=json.dumps(document).encode(), records=("notes",)
        )


def pubmed_and_dblp_cases(data: Path) -> Iterator[Case]:
    search = (data / "pubmed" / "esearch.json").read_bytes()
    yield Case(name="pubmed search", read=partial(by_source, PUBMED), body=search)
    ask = Ask(source="pubmed", section="amyloidosis", route="search")
    content = json.dumps({"esearchresult": {"count": "4", "idlist": ["1", "2", "3", "4"]}}).encode()
    fetch = PUBMED.read(PUBMED.start(ask, "", NOW), Response(status=200, headers=(), body=content)).next
    body = (data / "pubmed" / "efetch_part1.xml").read_bytes()
    loaded_partial = partial(by_source, PUBMED, request=fetch)
    yield Case(name="pubmed", read=loaded_partial, body=body, records=b"PubmedArticle")
    hits = (data / "dblp" / "publ_search_part1.json").read_bytes()
    path = ("result", "hits", "hit")
    yield Case(name="dblp", read=partial(by_source, DBLP, section=1), body=hits, records=path)
    yield Case(name="dblp person", read=partial(by_source, DBLP), body=DBLP_PERSON, records=b"r")


DBLP_PERSON = b"""<?xml version="1.0"?><dblpperson name="Ada Lovelace" pid="65/9612" n="3"><person key="homepages/65/9612">
<author pid="65/9612">Ada Lovelace</author></person>
<r><article key="journals/x/L26" mdate="2026-09-01"><author pid="65/9612">Ada Lovelace</author><title>One.</title>
<journal>J</journal><volume>1</volume><year>2026</year><ee>https://doi.org/10.1000/1</ee></article></r>
<r><inproceedings key="conf/x/L26" mdate="2026-09-02"><author>Wei Wang 0001</author><title>Two <i>2</i>.</title>
<booktitle>SOSP</booktitle><pages>1-2</pages><year>2026</year><ee>https://arxiv.org/abs/2601.00001</ee></inproceedings></r>
<r><article key="journals/corr/L26" mdate="2026-09-03"><editor>Ada Lovelace</editor><title>Three.</title>
<journal>CoRR</journal><year>2026</year><ee>https://x.org/3</ee></article></r></dblpperson>"""


def arxiv_cases(data: Path) -> Iterator[Case]:
    for recorded_answer in read_recorded_answers(data, "arxiv/rss"):
        if len(recorded_answer.response.body) < LONGEST:
            request = Request(section="cs", route="rss", url="https://rss.arxiv.org/rss/cs")
            loaded_partial = partial(by_source, ARXIV, request=request)
            records = b"entry" if b"<entry" in recorded_answer.response.body else b"item"
            yield Case(
                name=recorded_answer.file,
                read=loaded_partial,
                body=recorded_answer.response.body,
                records=records,
            )
    for folder, route in (("arxiv/oai", "oai"), ("oai_generic", "oai"), ("arxiv/api", "api")):
        request = Request(section="math", route=route, url="https://arxiv.org/")
        for recorded_answer in read_recorded_answers(data, folder):
            if recorded_answer.response.status == 200 and len(recorded_answer.response.body) < LONGEST:
                for source in (ARXIV, RECORDS):
                    loaded_partial = partial(by_source, source, request=request)
                    records = b"record" if route == "oai" else b"entry"
                    yield Case(
                        name=recorded_answer.file,
                        read=loaded_partial,
                        body=recorded_answer.response.body,
                        records=records,
                    )
    for path in sorted(MADE.glob("*.html")):
        route = path.stem.rpartition(".")[2]
        ask = Ask(
            source="arxiv", section="cs.LG", route=route.replace("list", "listing"), day=date(2026, 6, 12)
        )
        loaded_partial = partial(by_source, ARXIV, request=ARXIV.start(ask, "", NOW))
        yield Case(name=path.name, read=loaded_partial, body=path.read_bytes())
    for path in sorted(MADE.glob("*.xml")):
        request = Request(section="cs.LG", route="rss", url="https://rss.arxiv.org/rss/cs.LG")
        yield Case(name=path.name, read=partial(by_source, ARXIV, request=request), body=path.read_bytes())


def feed_cases(data: Path) -> Iterator[Case]:
    source = feed.Source(url="https://feeds.example.org/feed.xml")
    for recorded_answer in read_recorded_answers(data, "feeds"):
        if 0 < len(recorded_answer.response.body) < 40_000 and not recorded_answer.file.endswith(".csv"):
            yield Case(
                name=recorded_answer.file, read=partial(by_source, source), body=recorded_answer.response.body
            )


@pytest.fixture(scope="module")
def all_cases(data: Path) -> list[list[Case]]:
    """All cases, those of one service together."""
    groups: dict[str, list[Case]] = {}
    for case in cases(data):
        groups.setdefault(case.name.partition("/")[0], []).append(case)
    return list(groups.values())


# --- tests ----------------------------------------------------------------------------------------


def outcome(case: Case, body: bytes) -> Page | EnricherPage | str:
    """What comes of a document: what was read, or why nothing was; anything else fails."""
    result: Page | EnricherPage | str
    try:
        result = case.read(body)
    except SourceError as error:
        result = str(error)
    except Exception as error:
        error.add_note(f"{case.name}: {body[:20_000]!r}")
        raise
    sentences = [result] if isinstance(result, str) else result.unread
    assert all(5 < len(sentence) < 2_000 for sentence in sentences), f"{case.name}: {sentences!r}"
    for text in list_texts(result):
        text.encode()
        assert "\0" not in text
    return result


def test_whatever_stands_in_an_answer_nothing_raises(all_cases: list[list[Case]]) -> None:
    chance = random.Random(get_seed())
    came = Counter[str]()
    for _ in range(EXAMPLES):
        case = chance.choice(chance.choice(all_cases))
        document = case.document
        match chance.randrange(10):
            case 0:
                body = mutate_bytes(case.body, chance)
            case _ if isinstance(document, dict | list) and document:
                body, _ = mutate_json(document, chance)
            case _:
                body = mutate_markup(case.body, chance)
        came[type(outcome(case, body)).__name__] += 1
    assert came["Page"] > EXAMPLES // 10
    assert came["EnricherPage"] > EXAMPLES // 20


def keys(result: Page | EnricherPage | str) -> list[str]:
    """The papers that were read."""
    match result:
        case Page():
            listed = [listing.paper for day in result.announced for listing in day.listings]
            return [paper.key for paper in (*listed, *result.records)]
        case EnricherPage():
            return sorted(result.known_keys)
        case _:
            pytest.fail(f"nothing was read: {result}")


def test_a_record_that_cannot_be_read_costs_that_record_alone(all_cases: list[list[Case]]) -> None:
    chance = random.Random(get_seed())
    groups = [[case for case in group if case.records is not None] for group in all_cases]
    tried = 0
    for _ in range(EXAMPLES):
        case = chance.choice(chance.choice([group for group in groups if group]))
        changed = _in_a_record(case, chance)
        if changed is None:
            continue
        body, lost = changed
        tried += 1
        before, after = keys(case.read(case.body)), outcome(case, body)
        if len(before) > lost:  # where nothing else stands there, the answer may be none at all
            # Papers and not listings: one entry of arXiv's API announces two, its first version and its latest.
            left = Counter(before) - Counter(keys(after))
            assert len(left) <= lost, f"{case.name}: {left} {after} {body[:20_000]!r}"
    assert tried > EXAMPLES // 3


def _in_a_record(case: Case, chance: random.Random) -> tuple[bytes, int] | None:
    """A document with a change in one of its records, and how many papers that may cost."""
    if isinstance(case.records, bytes):
        try:
            case.read(case.body)
        except SourceError:
            return None
        body, place = mutate_text(case.body, chance)
        opened = case.body.rfind(b"<" + case.records, 0, place)
        closed = case.body.rfind(b"</" + case.records, 0, place)
        return (body, 1) if opened > closed else None
    assert case.records is not None
    body, path = mutate_json(case.document, chance)
    inside = path[: len(case.records)] == case.records and len(path) > len(case.records) + 1
    return (body, 1) if inside else None
