"""Public pages of 60,000 papers: a cached page beside nginx, pages rendered anew beside Jinja2 alone, and 16 readers.

The peer of a page is the same template with the same strings, which are ready; ours makes the strings from what is loaded,
and once more with all that is loaded from the store. Readers ask over a connection each, as fast as they are answered, for
pages of which some are far more popular than others, as on real sites (a power law with exponent 1): half of them days, a
quarter papers, an eighth each persons and searches. They read as many pages when nothing is in the cache, and then, which
is judged, as many others.
"""

from __future__ import annotations

import http.client
import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import accumulate
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import quote

import jinja2
import pytest

from benchmarks.http_load import CONNECTIONS, Server, measure_beside_nginx, serve_digest
from benchmarks.measure import DATA, Result, Row, cpu_seconds
from benchmarks.search import draw_queries, open_filled_store
from digest.app import App, open_app
from digest.core.publishing.addresses import DayAddress
from digest.core.publishing.public_person import PublicPerson
from digest.jobs.people.public_person import load_public_person
from digest.jobs.publishing.daily_papers import DailyPaperLoader, list_newest_days
from digest.jobs.publishing.request_limiter import RequestLimiter
from digest.render.environment import remove_unprintable
from digest.render.publishing.public_pages import daily as daily_pages
from digest.render.publishing.public_pages.people import person as person_pages
from digest.web.answers import Responder
from digest.web.protocol.response_cache import ResponseCache
from digest.web.publishing.daily import make_daily_page
from digest.web.publishing.public_responder import PublicView, make_public_responder
from digest.web.publishing.request_limits import RequestLimits

PAPERS = int(os.environ.get("DIGEST_BENCHMARK_PAPERS", "60000"))
FOLDER = os.environ.get("DIGEST_BENCHMARK_STORE")
ANEW = 0.5
"""Jinja2's share of the CPU of a page that is made anew, at least."""
SLOWEST = 0.1
"""Seconds in which 99 of 100 requests are answered."""
PAGES = {"days": 200, "papers": 1_000, "persons": 300, "searches": 300}
"""How many pages of each kind there are to read."""
SHARES = {"days": 0.5, "papers": 0.25, "persons": 0.125, "searches": 0.125}
READS = 8_000
CONFIG = """
[store]
url = "sqlite:///{database}"

[site]
url = "http://127.0.0.1"
page_rate = "none"
search_rate = "none"
all_searches_rate = "none"

[[source]]
use = "arxiv"
routes = ["rss"]
categories = ["cs.LG"]
url = "http://127.0.0.1:9/rss/"
pace = 0
"""


def run(*, small: bool) -> Result:
    """Measure a cached page, pages made anew, and readers."""
    size = 600 if small else PAPERS
    title = f"public pages of {size:,} papers, over {CONNECTIONS} connections that stay"
    if not (DATA / "corpus").is_dir():
        return Result(title=f"{title}: not run, the recorded papers are not here")
    if shutil.which("nginx") is None:
        return Result(title=f"{title}: not run, nginx is not here (apt-get install nginx-light)")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store, database = open_filled_store(Path(FOLDER) if FOLDER else folder, size)
        store.close()
        config = folder / "digest.toml"
        config.write_text(CONFIG.format(database=database), encoding="utf-8")
        app = stack.enter_context(open_app(config, None, {}))
        days = list_newest_days(app.store)
        repeats = 1 if small else 9
        rows = measure_day(app, days[1 if len(days) > 1 else 0], repeats)
        rows += measure_person(app, database, repeats)
        pages = list_pages(database, days, small=small)
        process, port = stack.enter_context(serve_digest(config))
        ours = Server(process=process, port=port, path=f"/papers/{days[0]}")
        rows += measure_beside_nginx(ours, folder, small=small)
        rows += measure_readers(port, pages, 100 if small else READS)
    return Result(title=title, rows=tuple(rows))


# --- pages made anew ------------------------------------------------------------------------------


def measure_day(app: App, day: date, repeats: int) -> list[Row]:
    """The first page of a day: rendered from what is loaded, and with a day of which nothing is in memory."""
    view = make_view(app)

    def load() -> daily_pages.DailyPage:
        loader = DailyPaperLoader(store=app.store, clock=app.clock)
        version = loader.read_version(day)
        assert version is not None
        page = make_daily_page(DayAddress(day=day), loader.load_day(day, version))
        assert page is not None
        return replace(page, events=loader.load_events([entry.seq for entry in page.entry_page.entries]))

    def render(page: daily_pages.DailyPage) -> bytes:
        return daily_pages.render_daily_page(view.bundle.environment, view.bundle.branding, view.site, page)

    loaded = load()
    return compare("a day", daily_pages, lambda: render(loaded), lambda: render(load()), repeats)


def measure_person(app: App, database: Path, repeats: int) -> list[Row]:
    """The page of the author with the most papers among some."""
    view = make_view(app)
    reference = list_persons(database, 1)[0]

    def load() -> PublicPerson:
        person = load_public_person(app.store, reference, 1)
        assert person is not None
        return person

    def render(person: PublicPerson) -> bytes:
        return person_pages.render_person(view.bundle.environment, view.bundle.branding, view.site, person)

    loaded = load()
    return compare("a person", person_pages, lambda: render(loaded), lambda: render(load()), repeats)


def make_view(app: App) -> PublicView:
    """The site in its language."""
    assert app.pages is not None
    responder = Responder(app=app, pages=app.pages, response_cache=ResponseCache(), notify=print)
    limiter = RequestLimiter(app.store, app.settings.site.request_rates, app.clock)
    return make_public_responder(responder, RequestLimits(limiter=limiter)).find_view("")


def compare(
    work: str, module: Any, render: Callable[[], bytes], load_and_render: Callable[[], bytes], repeats: int
) -> list[Row]:
    """Compare rendering a page with filling its template with the strings that were made for it."""
    filled: list[tuple[jinja2.Environment, str, dict[str, object]]] = []
    fill = module.fill

    def record(environment: jinja2.Environment, name: str, variables: dict[str, object]) -> str:
        filled.append((environment, name, variables))
        return str(fill(environment, name, variables))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "fill", record)
        expected = render()
    environment, name, variables = filled[0]
    template = environment.get_template(name)
    assert len(expected) < 100_000
    assert load_and_render() == expected == remove_unprintable(template.render(variables)).encode()
    candidates = {
        "Jinja2, with the strings": lambda: template.render(variables).encode(),
        f"digest, {len(expected) // 1000} kB": render,
        "digest, with all that is loaded": load_and_render,
    }
    taken = cpu_seconds(candidates, repeats=repeats)
    peer, ours, whole = candidates
    return [
        Row(
            work=work,
            candidate=candidate,
            seconds=taken[candidate],
            times=taken[peer] / max(taken[candidate], 1e-9),
            wanted=wanted,
        )
        for candidate, wanted in ((peer, None), (ours, ANEW), (whole, None))
    ]


# --- readers --------------------------------------------------------------------------------------


def list_pages(database: Path, days: Sequence[date], *, small: bool) -> dict[str, list[str]]:
    """The addresses of each kind, the most popular ones first."""
    with sqlite3.connect(database) as connection:
        keys = [
            key
            for (key,) in connection.execute(
                "SELECT key FROM papers WHERE merged_into IS NULL ORDER BY id DESC LIMIT ?",
                (PAGES["papers"],),
            )
        ]
        queries = draw_queries(connection, count=5 if small else 1)
    chance = random.Random(1)
    chance.shuffle(queries)
    return {
        "days": [
            f"/papers/{day}{query}"
            for day in days
            for query in ("", "?category=cs.CL", "?category=cs.CV", "?page=2")
        ][: PAGES["days"]],
        "papers": [f"/paper/{quote(key)}" for key in keys],
        "persons": [f"/person/{quote(key)}/1" for key in keys[: PAGES["persons"]]],
        "searches": [f"/search?q={quote(query.text)}" for query in queries],
    }


def list_persons(database: Path, count: int) -> list[str]:
    """The first authors of the newest papers, those with the most bylines first."""
    sql = """
        SELECT papers.key, (SELECT count(*) FROM authorships other WHERE other.name = authorships.name) AS bylines
        FROM authorships JOIN papers ON papers.id = paper_id
        WHERE position = 0 AND paper_id > (SELECT max(id) - 200 FROM papers) ORDER BY bylines DESC LIMIT ?
    """
    with sqlite3.connect(database) as connection:
        return [f"{key}#1" for key, _ in connection.execute(sql, (count,))]


def measure_readers(port: int, pages: dict[str, list[str]], reads: int) -> list[Row]:
    """How long readers wait, first while nothing is in the cache, and then by kind of page and together."""
    chance = random.Random(2)
    first, later = (draw_reads(chance, pages, reads) for _ in range(2))
    rows = [describe_waits("nothing in the cache", [seconds for _, seconds in read_all(port, first)], None)]
    waits = read_all(port, later)
    rows.append(describe_waits("all pages", [seconds for _, seconds in waits], SLOWEST))
    by_kind = {kind: [seconds for other, seconds in waits if other == kind] for kind in pages}
    rows.extend(describe_waits(kind, seconds, None) for kind, seconds in by_kind.items() if seconds)
    return rows


def draw_reads(chance: random.Random, pages: dict[str, list[str]], reads: int) -> list[tuple[str, str]]:
    """Draw pages to read, with their kinds."""
    weights = {kind: list(accumulate(1 / (rank + 1) for rank in range(len(pages[kind])))) for kind in pages}
    kinds = chance.choices(list(SHARES), list(SHARES.values()), k=reads)
    return [(kind, chance.choices(pages[kind], cum_weights=weights[kind])[0]) for kind in kinds]


def read_all(port: int, reads: Sequence[tuple[str, str]]) -> list[tuple[str, float]]:
    """Read pages over all connections."""
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        parts = pool.map(
            partial(read_pages, port), [reads[number::CONNECTIONS] for number in range(CONNECTIONS)]
        )
        return [wait for part in parts for wait in part]


def read_pages(port: int, pages: Sequence[tuple[str, str]]) -> list[tuple[str, float]]:
    """Read pages one after another, following redirects; gives the kind and the seconds of each."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    waits = []
    for kind, address in pages:
        begun = perf_counter()
        status, location = ask(connection, address)
        while status in {301, 302}:
            status, location = ask(connection, location)
        assert status == 200, f"{address}: {status}"
        waits.append((kind, perf_counter() - begun))
    connection.close()
    return waits


def ask(connection: http.client.HTTPConnection, address: str) -> tuple[int, str]:
    """Status, and where a redirect leads."""
    connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
    response = connection.getresponse()
    response.read()
    return response.status, (response.getheader("location") or "").removeprefix("http://127.0.0.1")


def describe_waits(work: str, waits: Sequence[float], most: float | None) -> Row:
    """Half of the requests, and 99 of 100."""
    ordered = sorted(waits)
    median, slow = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return Row(
        work=f"readers: {work}",
        candidate=f"{len(waits):,} requests, median {median * 1000:.1f} ms; 99 of 100",
        seconds=slow,
        times=(most or SLOWEST) / slow,
        wanted=None if most is None else 1.0,
        clock="wall",
    )
