"""``digest search``: search all papers of the database."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import (
    config_option,
    is_on_terminal,
    json_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.core.matching.search.totals import Facet, Total
    from digest.jobs.matching.search.explanation import WiderQuery
    from digest.jobs.matching.search.page import SearchResult
    from digest.jobs.matching.search.search_papers import SearchPage
    from digest.store.database.engine import Store

_ORDERS = ("relevance", "date")
_MAX_FACETS = 8
"""Maximum number of values that are shown of a facet."""
_MAX_WIDER = 4


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--order", default=_ORDERS[0], show_default=True, type=click.Choice(_ORDERS), help="What comes first."
)
@click.option(
    "--limit",
    default=10,
    show_default=True,
    type=click.IntRange(1, 1_000),
    help="How many papers to show at most.",
)
@config_option
@json_option
def search(query: Sequence[str], order: str, limit: int, config: Path | None, *, as_json: bool) -> int:
    """Find QUERY among all papers in the database.

    The language is that of follows; `digest try --help` has it at a glance. Unlike `digest try`, this also finds
    papers that were never announced here, because they were imported, and shows them in order of relevance. Put the
    query in single quotes so that the shell leaves it unchanged.

    \b
    Examples:
      digest search '"mixture of experts" serving'
      digest search --order date 'author:"Wencong Xiao"'
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.cli.terminal.progress import show_progress
    from digest.errors import StoreError
    from digest.jobs.matching.indexing import index_papers
    from digest.jobs.matching.match import MatchProgress
    from digest.jobs.matching.search.explanation import find_wider

    with open_configured_app(config) as app, show_progress(is_enabled=is_on_terminal()) as bar:

        def report_progress(label: str, processed: int, total: int) -> None:
            bar.update(MatchProgress(activity=label, done_count=processed, total=total))

        # Without write access or after a long wait, the result says how many papers were not searched.
        with suppress(StoreError):
            index_papers(app.store, report_progress=report_progress)
        first, results = _find(app.store, " ".join(query), order, limit)
        wider = () if results else find_wider(app.store, first.reading.typed_query)
    if as_json:
        print_json(_make_json(first, results, wider))
    else:
        _print(first, results, wider)
    return 0


def _find(store: Store, text: str, order: str, limit: int) -> tuple[SearchPage, list[SearchResult]]:
    """Return the first page, and the results of as many pages as needed."""
    pages = _iter_pages(store, text, order, limit)
    first = next(pages)
    results = [*first.results, *(result for page in pages for result in page.results)]
    return first, results[:limit]


def _iter_pages(store: Store, text: str, order: str, limit: int) -> Iterator[SearchPage]:
    from digest.core.matching.search.filters import SearchOrder
    from digest.jobs.matching.search.request import MAX_PAGE_SIZE, SearchRequest
    from digest.jobs.matching.search.search_papers import search_papers

    cursor, count = "", 0
    while count < limit:
        request = SearchRequest(
            text=text, order=SearchOrder(order), limit=min(limit - count, MAX_PAGE_SIZE), cursor=cursor
        )
        page = search_papers(store, request)
        yield page
        cursor = page.next_cursor
        count += len(page.results)
        if not cursor:
            return


# --- for people -----------------------------------------------------------------------------------


def _print(first: SearchPage, results: Sequence[SearchResult], wider: Sequence[WiderQuery]) -> None:
    from digest.cli.terminal.format_matches import print_match, print_reading
    from digest.render.languages.english import format_count

    print_reading(first.reading)
    if first.missing:
        click.echo(f"{format_count(first.missing, 'paper')} could not be searched; run `digest db upgrade`.")
    if not results:
        click.echo("No match.")
        for entry in wider[:_MAX_WIDER]:
            click.echo(
                f"Without {click.style(entry.relaxed.removed_text, bold=True)} it finds {_format_total(entry.total)}:"
            )
            click.echo(f"  digest search {shlex.quote(str(entry.relaxed.query))}")
        return
    since = (
        f"; only the newest, since {_format_day(first.since)}, are counted and ranked" if first.since else ""
    )
    total = _format_total(first.total)
    click.echo(f"{total[:1].upper()}{total[1:]}{since}.")
    for name, facet in (
        ("Categories", first.facets.categories),
        ("Years", first.facets.years),
        ("Sources", first.facets.sources),
    ):
        if facet:
            click.echo(f"{name}: {_format_facet(facet)}")
    for result in results:
        click.echo()
        print_match(result.paper, _format_day(result.day) if result.day else "", result.match_result)
    shown = len(results)
    if first.total.papers > shown:
        click.echo(f"\n  … and {first.total.papers - shown:,} more")


def _format_total(total: Total) -> str:
    from digest.core.matching.search.totals import CountKind
    from digest.render.languages.english import format_count

    count = format_count(total.papers, "paper")
    return count if total.kind is CountKind.EXACT else f"{total.kind} {count}"


def _format_facet(facet: Sequence[Facet]) -> str:
    shown = ", ".join(f"{value} {papers:,}" for value, papers in islice(facet, _MAX_FACETS))
    return f"{shown} …" if len(facet) > _MAX_FACETS else shown


def _format_day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


# --- for programs ---------------------------------------------------------------------------------


def _make_json(
    first: SearchPage, results: Sequence[SearchResult], wider: Sequence[WiderQuery]
) -> dict[str, Any]:
    from digest.cli.terminal.format_events import make_fit_json

    return {
        "query": str(first.reading.query),
        "read_as": first.reading.display_text,
        "hints": list(first.reading.hints),
        "total": _make_total_json(first.total),
        "since": first.since.isoformat() if first.since else None,
        "missing": first.missing,
        "categories": dict(first.facets.categories),
        "years": dict(first.facets.years),
        "sources": dict(first.facets.sources),
        "with_code": first.facets.with_code,
        "found": [
            {
                "paper": result.paper.key,
                "title": result.paper.title,
                "day": result.day.isoformat() if result.day else None,
                "score": result.score / 1000,
                **make_fit_json(result.match_result),
            }
            for result in results
        ],
        "wider": [
            {
                "without": entry.relaxed.removed_text,
                "query": str(entry.relaxed.query),
                "found": _make_total_json(entry.total),
            }
            for entry in wider
        ],
    }


def _make_total_json(total: Total) -> dict[str, Any]:
    return {"papers": total.papers, "kind": total.kind.value}
