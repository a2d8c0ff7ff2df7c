"""The services that are searched, for a month: all that they have comes once, and nobody is asked for more than it gives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from digest.store.database.engine import open_store
from digest.store.database.tables.papers import events, listings, papers
from digest.testing.http_host import CannedResponse, ScriptedHost
from tests.fakes.scripted_host import make_entry, make_rss
from tests.fakes.search_services import (
    ADA,
    ADA_DBLP,
    ADA_S2,
    ISSN,
    KEY,
    ORCID,
    PASSWORD,
    VENUE,
    SearchServices,
    Work,
    make_works,
)
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

FIRST = date(2026, 6, 1)
DAYS = int(os.environ.get("DIGEST_TEST_SERVED", "4"))
"""Simulated; ``.ci/long`` asks for a month."""
SOURCES = ("biorxiv", "crossref", "openalex", "s2", "pubmed", "dblp", "openreview")
CONFIG = """
    [store]
    url = "sqlite:///digest.db"

    [output]
    folder = "out"
    {tables}
    [[digest]]
    name = "systems"
    to = ["files:mail"]
    schedule = "daily 20:00"
    timezone = "UTC"
    limit = 500
    keywords = ["paper"]
    authors = [{{ name = "Ada Lovelace", orcid = "{orcid}" }}]
    kinds = ["new", "published"]
"""
TABLES = {
    "biorxiv": 'use = "biorxiv"\nurl = "{url}/biorxiv/"',
    "crossref": f'use = "crossref"\nissns = ["{ISSN}"]\nurl = "{{url}}/crossref/"',
    "openalex": f'use = "openalex"\nauthors = ["{ADA}"]\nkey = "{KEY}"\nurl = "{{url}}/openalex/"',
    "s2": f'use = "semantic_scholar"\nauthors = ["{ADA_S2}"]\nkey = "{KEY}"\nurl = "{{url}}/s2/"',
    "pubmed": 'use = "pubmed"\nsearches = ["lovelace[author]"]\nurl = "{url}/pubmed/"',
    "dblp": f'use = "dblp"\npersons = ["{ADA_DBLP}"]\nurl = "{{url}}/dblp/"',
    "openreview": (
        f'use = "openreview"\nvenues = ["{VENUE}"]\nusername = "me@example.org"\n'
        f'password = "{PASSWORD}"\nurl = "{{url}}/openreview/"'
    ),
    "feed": 'use = "feed"\nurl = "{url}/blog.xml"\nname = "blog"',
}
ENRICHERS = (
    f'use = "openalex"\nkey = "{KEY}"\nurl = "{{url}}/openalex/"\nquota = 5',
    f'use = "semantic_scholar"\nkey = "{KEY}"\nurl = "{{url}}/s2/"\nquota = 4',
    'use = "crossref"\nurl = "{url}/crossref/"\nquota = 3',
    'use = "orcid"\nurl = "{url}/orcid/"\nquota = 2',
    'use = "hf_daily"\nurl = "{url}/hf/"\nquota = 2',
)


def written(url: str, sources: tuple[str, ...], enrichers: tuple[str, ...] = ()) -> str:
    """A configuration."""
    tables = [f"[[source]]\n{TABLES[source]}\npace = 0\n" for source in sources]
    tables += [f"[[enricher]]\n{enricher}\npace = 0\n" for enricher in enrichers]
    text = "\n".join(tables).format(url=url)
    return CONFIG.format(tables="\n" + "\n".join(f"    {line}" for line in text.splitlines()), orcid=ORCID)


def at(day: date) -> datetime:
    return datetime.combine(day, time(20), UTC)


@pytest.fixture
def services() -> SearchServices:
    return SearchServices(today=FIRST)


@pytest.fixture
def host(services: SearchServices) -> Iterator[ScriptedHost]:
    with services.make_host() as host:
        yield host


def kept(workspace: Workspace, *columns: Any) -> list[tuple[Any, ...]]:
    """Rows of the store."""
    store = open_store(f"sqlite:///{workspace.folder / 'digest.db'}", at(FIRST))
    with store.begin_read() as tx:
        results = [tuple(row) for row in tx.execute(select(*columns))]
    store.close()
    return results


def titles(workspace: Workspace) -> list[str]:
    """The titles that were told, in order."""
    return [item["paper"]["title"] for edition in workspace.read_editions() for item in edition["items"]]


def test_all_that_services_have_comes_once_and_nobody_is_asked_for_more_than_it_gives(
    tmp_path: Path, services: SearchServices, host: ScriptedHost
) -> None:
    services.works = make_works(FIRST, DAYS, SOURCES, a_day=2)
    workspace = Workspace(tmp_path)
    workspace.write(written(host.url, SOURCES, ENRICHERS))
    for place in range(DAYS):
        services.today = FIRST + timedelta(days=place)
        workspace.run("run", now=at(services.today))

    assert services.violations == []
    lines = titles(workspace)
    assert len(lines) == len(set(lines))
    assert sorted(lines) == sorted(work.title for work in services.works)
    quotas = {"orcid": 2, "hf": 2}
    over = [
        (who, day) for (who, day), count in services.request_counts.items() if count > quotas.get(who, 40)
    ]
    assert over == []
    failing = [
        section["error"]
        for section in workspace.run("status", "--json", now=at(services.today)).json["sections"]
    ]
    assert [error for error in failing if error] == []


def test_a_service_whose_share_is_used_up_is_left_alone_until_midnight_and_catches_up(
    tmp_path: Path, services: SearchServices, host: ScriptedHost
) -> None:
    services.works = make_works(FIRST, 3, ["openalex"], a_day=3)
    services.openalex_credits = 0
    workspace = Workspace(tmp_path)
    workspace.write(written(host.url, ("openalex",)))
    workspace.run("run", now=at(FIRST), status=1)
    assert "our quota is used up until" in workspace.run("status", now=at(FIRST)).output
    workspace.run("run", now=at(FIRST) + timedelta(hours=2))
    assert services.request_counts["openalex", FIRST] == 1

    services.openalex_credits = 1000
    services.today = FIRST + timedelta(days=2)
    workspace.run("run", now=at(services.today))
    assert sorted(titles(workspace)) == [f"The paper {number}" for number in range(1, 10)]


def test_status_says_how_often_a_service_is_asked_and_what_is_still_to_come(
    tmp_path: Path, host: ScriptedHost
) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(written(host.url, ("biorxiv", "pubmed")).replace("pace = 0", "pace = 0.01"))
    host.answers["/biorxiv/details/biorxiv/2026-06-01/2026-06-01/0/json"] = CannedResponse(b"no", 500)
    workspace.run("run", now=at(FIRST), status=1)
    output = workspace.run("status", now=at(FIRST)).output

    assert (
        "bioRxiv all: last reached Mon 1 Jun 2026, 20:00 UTC; 1 day outstanding; at most one request in 0.01 s"
        in output
    )
    assert "HTTP 500" in output
    assert "PubMed lovelace[author]: last reached Mon 1 Jun 2026" in output


def test_a_missing_login_is_an_error_that_names_the_key(tmp_path: Path, host: ScriptedHost) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(written(host.url, ("openreview",)).replace(PASSWORD, ""))

    assert "password" in workspace.run("check", status=2).output


def test_a_wrong_key_is_told_and_holds_back_no_other_source(
    tmp_path: Path, services: SearchServices, host: ScriptedHost
) -> None:
    services.works = make_works(FIRST, 1, ["s2", "crossref"], a_day=1)
    workspace = Workspace(tmp_path)
    workspace.write(written(host.url, ("s2", "crossref")).replace(KEY, "expired"))
    ran = workspace.run("run", now=at(FIRST), status=1)

    assert "Semantic Scholar" in ran.output
    assert "denies access" in ran.output
    assert titles(workspace) == ["The paper 2"]


def test_a_key_that_a_service_says_back_is_told_to_nobody(tmp_path: Path, host: ScriptedHost) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(
        written(host.url, ("pubmed",)).replace('use = "pubmed"', 'use = "pubmed"\nkey = "s3cret"')
    )
    host.answers["/pubmed/esearch.fcgi"] = CannedResponse(b'{"error": "API key s3cret invalid"}', 400)
    output = (
        workspace.run("run", now=at(FIRST), status=1).output + workspace.run("status", now=at(FIRST)).output
    )

    assert "API key … invalid" in output
    assert "s3cret" not in output


# --- one paper ------------------------------------------------------------------------------------

FIVE = ("feed", "crossref", "openalex", "s2")
"""And Hugging Face, as an enricher: it tells by arXiv id alone."""


def is_even(order: tuple[str, ...]) -> bool:
    """Whether it comes from ``FIVE`` by swapping two an even number of times.

    In these orders each of them comes next, whichever of the others are there already; in the rest only the order
    among these differs.
    """
    places = [FIVE.index(text) for text in order]
    return sum(before > after for before, after in combinations(places, 2)) % 2 == 0


ORDERS = [
    pytest.param(order, id="-".join(order), marks=() if is_even(order) else pytest.mark.long)
    for order in permutations(FIVE)
]


@pytest.mark.parametrize("order", ORDERS)
def test_a_paper_that_five_know_is_one_in_any_order_of_arrival_and_its_publication_is_told_once(
    tmp_path: Path, services: SearchServices, host: ScriptedHost, order: tuple[str, ...]
) -> None:
    work = Work(number=7, day=FIRST, services=frozenset({"arxiv", "crossref", "openalex", "s2", "hf"}))
    services.works = [work]
    preprint = make_entry(work.title, f"https://arxiv.org/abs/{work.arxiv}", at(FIRST))
    host.answers["/blog.xml"] = CannedResponse(make_rss(preprint))
    workspace = Workspace(tmp_path)
    hugging_face = ENRICHERS[-1]
    for place in range(len(order)):
        workspace.write(written(host.url, order[: place + 1], (hugging_face,)))
        workspace.run("run", now=at(FIRST + timedelta(days=place)))

    roots = {
        merged_into or number for number, merged_into in kept(workspace, papers.c.id, papers.c.merged_into)
    }
    assert len(roots) == 1
    assert len(kept(workspace, listings.c.batch_id)) >= len(FIVE)
    kinds = [kind for (kind,) in kept(workspace, events.c.kind)]
    assert kinds.count("new") == 1
    assert kinds.count("published") <= 1
    output = workspace.run("papers", "show", work.arxiv).output
    for name in ("blog", "crossref", "openalex", "semantic_scholar"):
        assert name in output
    entries = [item["event"]["kind"] for edition in workspace.read_editions() for item in edition["items"]]
    assert entries == (["new", "published"] if order[0] == "feed" else ["new"])
