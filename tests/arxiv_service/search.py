"""The search API, as far as listings need it (https://info.arxiv.org/help/api/user-manual.html)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from xml.sax.saxutils import escape

from tests.arxiv_service.answers import Answer
from tests.arxiv_service.history import Announcement, History

PAGE, MOST = 2000, 10_000
"""The most that one request, and that all requests of one search can bring."""
_TYPE = {"Content-Type": "application/atom+xml; charset=utf-8"}
_TOKEN = re.compile(r'\s*(\(|\)|[\w-]+:\[[^\]]*\]|[\w-]+:"[^"]*"|[^\s()]+)')
_ID = re.compile(r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")

Test = Callable[["SearchResult"], bool]


class SearchResult:
    """A paper as the search knows it: its newest version, and when its first came in."""

    def __init__(self, paper: Announcement, published: datetime) -> None:
        self.paper = paper
        self.published = published


def search(history: History, arguments: Mapping[str, str], now: datetime) -> Answer:
    """Answer a request."""
    start, most = arguments.get("start", "0"), arguments.get("max_results", "10")
    if not (start.isdigit() and most.isdigit()):
        return _make_error("start and max_results must be non-negative integers", now)
    if int(most) > PAGE or int(start) + int(most) > MOST:
        return _make_error(f"max_results is at most {PAGE}, and start with it at most {MOST}", now)
    results = [_make_result(history, announcement, now) for announcement in history.list_records(now)]
    query, ids = arguments.get("search_query", ""), [*filter(None, arguments.get("id_list", "").split(","))]
    for name in ids:
        if not _ID.fullmatch(name):
            return _make_error(f"incorrect id format for {name}", now)
    try:
        test = _parse(query) if query else None
    except ValueError as error:
        return _make_error(str(error), now)
    expected = {match["id"] for name in ids if (match := _ID.fullmatch(name))}
    results = [
        result
        for result in results
        if (not ids or result.paper.id in expected) and (test is None or test(result))
    ]
    if test is None and not ids:
        results = []
    by_update = arguments.get("sortBy") == "lastUpdatedDate"
    results.sort(
        key=lambda result: (result.paper.came_in if by_update else result.published, result.paper.id),
        reverse=arguments.get("sortOrder", "descending") == "descending",
    )
    page = results[int(start) : int(start) + int(most)]
    title = f"arXiv Query: search_query={query}&id_list={','.join(ids)}&start={start}&max_results={most}"
    body = _format_feed(title, now, len(results), int(start), int(most), "".join(map(_format_entry, page)))
    return Answer(
        headers=_TYPE, body=body, rows=tuple((result.paper.id, "") for result in page), total=len(results)
    )


def _make_result(history: History, paper: Announcement, now: datetime) -> SearchResult:
    versions = history.find_versions(paper.id, now)
    return SearchResult(paper, versions[min(versions)].came_in if versions else paper.came_in)


# --- queries --------------------------------------------------------------------------------------


def _parse(query: str) -> Test:
    tokens = _TOKEN.findall(query)
    test = _parse_or(tokens)
    if tokens:
        raise ValueError(f"cannot read the query at {tokens[0]}")
    return test


def _parse_or(tokens: list[str]) -> Test:
    """Terms from the left to the right; where no operator stands between them it is OR."""
    test = _parse_term(tokens)
    while tokens and tokens[0] != ")":
        operator = tokens.pop(0) if tokens[0] in {"AND", "OR", "ANDNOT"} else "OR"
        test = _combine(operator, test, _parse_term(tokens))
    return test


def _combine(operator: str, left: Test, right: Test) -> Test:
    if operator == "AND":
        return lambda result: left(result) and right(result)
    if operator == "ANDNOT":
        return lambda result: left(result) and not right(result)
    return lambda result: left(result) or right(result)


def _parse_term(tokens: list[str]) -> Test:
    if not tokens:
        raise ValueError("the query ends too early")
    token = tokens.pop(0)
    if token == "(":
        test = _parse_or(tokens)
        if not tokens or tokens.pop(0) != ")":
            raise ValueError("a bracket is not closed")
        return test
    name, colon, value = token.partition(":")
    if not colon:
        name, value = "all", token
    if name in {"submittedDate", "lastUpdatedDate"}:  # the new server rewrites the second to the first
        return _parse_range(value)
    if name == "cat":
        return lambda result: any(fnmatchcase(category, value) for category in result.paper.categories)
    if name not in {"ti", "au", "abs", "co", "jr", "all"}:
        raise ValueError(f"unknown field {name}")
    return lambda result: value.strip('"').lower() in _get_text(name, result.paper).lower()


def _parse_range(value: str) -> Test:
    match = re.fullmatch(r"\[(\d{8}|\d{12})\d{0,2} TO (\d{8}|\d{12})\d{0,2}\]", value)
    if not match:
        raise ValueError(f"cannot read the dates {value}")
    first, last = (
        datetime.strptime(text.ljust(12, "0"), "%Y%m%d%H%M").replace(tzinfo=UTC) for text in match.groups()
    )
    return lambda result: first <= result.published <= last


def _get_text(name: str, paper: Announcement) -> str:
    texts = {
        "ti": paper.title,
        "au": ", ".join(paper.authors),
        "abs": paper.abstract,
        "co": paper.comment,
        "jr": paper.journal,
    }
    return texts.get(name) or " ".join(texts.values())


# --- answers --------------------------------------------------------------------------------------


def _format_feed(title: str, now: datetime, total: int, start: int, most: int, entries: str) -> bytes:  # noqa: PLR0917 - a template's
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" \
xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/query</id>
  <title>{escape(title)}</title>
  <updated>{now:%Y-%m-%dT%H:%M:%SZ}</updated>
  <opensearch:itemsPerPage>{most}</opensearch:itemsPerPage>
  <opensearch:totalResults>{total}</opensearch:totalResults>
  <opensearch:startIndex>{start}</opensearch:startIndex>
{entries}</feed>
""".encode()


def _format_entry(result: SearchResult) -> str:
    paper = result.paper
    named = {"comment": paper.comment, "journal_ref": paper.journal, "doi": paper.doi}
    return f"""  <entry>
    <id>http://arxiv.org/abs/{paper.id}v{paper.version}</id>
    <title>{escape(paper.title)}</title>
    <updated>{paper.came_in:%Y-%m-%dT%H:%M:%SZ}</updated>
    <link href="https://arxiv.org/abs/{paper.id}v{paper.version}" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/{paper.id}v{paper.version}" rel="related" type="application/pdf" title="pdf"/>
    <summary>{escape(paper.abstract)}</summary>
{"".join(map(_category, paper.categories))}    <published>{result.published:%Y-%m-%dT%H:%M:%SZ}</published>
{"".join(map(_named, named.items()))}    <arxiv:primary_category term="{paper.categories[0]}"/>
{"".join(map(_author, paper.authors))}  </entry>
"""


def _category(name: str) -> str:
    return f'    <category term="{name}" scheme="http://arxiv.org/schemas/atom"/>\n'


def _named(pair: tuple[str, str]) -> str:
    name, text = pair
    return f"    <arxiv:{name}>{escape(text)}</arxiv:{name}>\n" if text else ""


def _author(name: str) -> str:
    return f"    <author>\n      <name>{escape(name)}</name>\n    </author>\n"


def _make_error(reason: str, now: datetime) -> Answer:
    """One entry titled Error."""
    address = f"https://arxiv.org/api/errors#{reason.replace(' ', '_')}"
    entry = f"""  <entry>
    <id>{escape(address)}</id>
    <title>Error</title>
    <updated>{now:%Y-%m-%dT%H:%M:%SZ}</updated>
    <link href="{escape(address)}" rel="alternate" type="text/html"/>
    <summary>{escape(reason)}</summary>
    <author>
      <name>arXiv api core</name>
    </author>
  </entry>
"""
    return Answer(status=400, headers=_TYPE, body=_format_feed("arXiv Search Results", now, 1, 0, 1, entry))
