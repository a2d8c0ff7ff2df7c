"""What the tests of pulling share: days, a configuration, the command, and a look into the database."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from hashlib import blake2b
from typing import Any

from click.testing import CliRunner
from sqlalchemy import create_engine, text

from digest.cli import cli
from tests.arxiv_service.server import ArxivService
from tests.support.feed_worker import share_parse_process
from tests.support.seeds import get_seed
from tests.support.workspace import Workspace

share_parse_process()

SECTIONS = ("cs.DC", "cs.LG", "hep-th")
SERVICE = ("listing", "oai", "rss", "catchup")
LAPTOP = ("rss", "catchup")
FIRST, LAST = date(2026, 3, 5), date(2026, 3, 19)
"""On 8 March the clocks of New York change."""
HOLIDAY = date(2026, 3, 12)
WEEKDAYS = [day for n in range((LAST - FIRST).days + 1) if (day := FIRST + timedelta(days=n)).weekday() < 5]
DAYS = [day for day in WEEKDAYS if day != HOLIDAY]
_CONFIG = """
    [store]
    url = "{store}"

    [[source]]
    use = "arxiv"
    categories = {sections}
    routes = {routes}
    url = "{url}/rss/"
    pages_url = "{url}/"
    oai_url = "{url}/oai"
    api_url = "{url}/api/query"
    pace = {pace}

    [[digest]]
    name = "all"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    timezone = "America/New_York"
    categories = {sections}
"""


def make_arxiv_config(
    service: ArxivService,
    store: str,
    routes: Sequence[str],
    *,
    sections: Sequence[str] = SECTIONS,
    pace: float = 0,
) -> str:
    """The configuration of somebody who reads arXiv."""
    return _CONFIG.format(
        store=store, url=service.url, routes=json.dumps(routes), sections=json.dumps(sections), pace=pace
    )


def make_random() -> random.Random:
    """Chance by the seed of this run, which is shown where a test fails."""
    return random.Random(get_seed())


def run_pull(workspace: Workspace, now: datetime) -> None:
    """Pull; that something failed is a status of 1 and no more."""
    arguments = ["pull", "--config", str(workspace.folder / "digest.toml"), "--now", now.isoformat()]
    result = CliRunner().invoke(cli, arguments, prog_name="digest")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in {0, 1}, result.output


# --- a look into the database ---------------------------------------------------------------------

_TABLES = {
    "papers": """
        select p.key, root.key as merged_into from papers p left join papers root on root.id = p.merged_into""",
    "statements": """
        select p.key, s.source, s.version, s.title, s.abstract, s.url, s.pdf_url, s.doi, s.journal_ref,
               s.comment, s.license_url, s.withdrawn, s.lists
        from statements s join papers p on p.id = s.paper_id""",
    "claims": "select p.key, c.scheme, c.value, c.apart from claims c join papers p on p.id = c.paper_id",
    "batches": "select section, day, state, source, due_at, expected, received, late from batches",
    "listings": """
        select b.section, b.day, p.key, l.kind, l.version
        from listings l join batches b on b.id = l.batch_id join papers p on p.id = l.paper_id""",
    "events": """
        select p.key, e.kind, e.day, e.number, e.source, e.first from events e join papers p on p.id = e.paper_id""",
    "sections": "select source, section, since, accounted from sections",
    "source_state": "select source, route, section, url, cursor, unfinished, gone from source_state",
}

_TABLES_ABOUT_PAPERS = {
    "authorships": """
        select p.key, a.position, a.block, a.name, a.affiliations, a.ids
        from authorships a join papers p on p.id = a.paper_id""",
    "indexed_papers": """
        select p.key, i.document, i.withdrawn, t.title, t.body
        from indexed_papers i join papers p on p.id = i.paper_id left join indexed_texts t on t.document = i.document""",
    "term_forms": "select form, term from term_forms",
    "index_counters": "select name, value from index_counters",
    "paper_imports": """
        select file_hash, categories, since, position, added, grown, known, unselected, broken, broken_records,
               first_day, last_day from paper_imports""",
}
PAPER_TABLES = ("papers", "statements", "claims", "listings", "events", *_TABLES_ABOUT_PAPERS)
"""Tables with papers and what is made of them."""


def load_contents(store: str, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of the tables that sources fill, by the names of things, sorted, without the times of our doing."""
    queries = _TABLES | _TABLES_ABOUT_PAPERS
    return {name: sorted(_load_rows(store, queries[name]), key=repr) for name in tables or _TABLES}


def compute_checksums(store: str, *tables: str) -> dict[str, tuple[int, int]]:
    """The number of rows of tables, as ``load_contents`` has them, and a sum of their hashes, for millions of rows."""
    queries = _TABLES | _TABLES_ABOUT_PAPERS
    checksums: dict[str, tuple[int, int]] = {}
    for name in tables:
        count = total = 0
        for row in _iter_rows(store, queries[name]):
            count += 1
            total += int.from_bytes(blake2b(repr(row).encode(), digest_size=8).digest())
        checksums[name] = count, total
    return checksums


def load_batch_states(store: str) -> dict[tuple[str, date], str]:
    """The state of each batch, by section and day."""
    return {
        (section, date.fromisoformat(day)): state
        for section, day, state, *_ in _load_rows(store, _TABLES["batches"])
    }


def _load_rows(store: str, query: str) -> list[tuple[Any, ...]]:
    return list(_iter_rows(store, query))


def _iter_rows(store: str, query: str) -> Iterator[tuple[Any, ...]]:
    engine = create_engine(store)
    try:
        with engine.connect() as connection:
            for row in connection.execution_options(yield_per=1000).execute(text(query)):
                yield tuple(map(_to_comparable, row))
    finally:
        engine.dispose()


def _to_comparable(value: Any) -> Any:
    """A value that can be compared and sorted."""
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True)
    return value if isinstance(value, str | int | None) else str(value)
