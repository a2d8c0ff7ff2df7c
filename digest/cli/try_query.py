"""``digest try``: show what a query finds."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import (
    config_option,
    is_on_terminal,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.jobs.matching.query_preview import DayCount, Example, PaperMatch, QueryPreview
    from digest.model import MatchResult
    from digest.store.database.engine import Store

CHEAT_SHEET = (
    ("federated learning", "both words, in any inflection"),
    ('"mixture of experts"', "the phrase"),
    ('"expert load balancing"~5', "in this order, up to 5 words between"),
    ("=RAG", "exactly this spelling"),
    ("quantiz*", "words that begin with this"),
    ("serving OR inference", "either, or both"),
    ("agents -survey", "without this word; or: agents NOT survey"),
    ("LLM (serving OR inference)", "AND binds before OR; brackets bind first"),
    ("title:graph", "in the title; abstract: comment: journal:"),
    ("title:(graph OR tree)", "a field for several words"),
    ('author:"Wencong Xiao"', "a person by name"),
    ("author:orcid:0000-0002-1825-0097", "by id; also openalex: s2: dblp: arxiv: hf:"),
    ('institution:"ETH Zurich"', "an affiliation of its authors"),
    ("category:cs.DC", "with cross-lists; primary:cs.DC without"),
    ("category:cs.*", "a whole archive"),
    ("id:2401.00001", "this paper; or: doi:10.1145/3600006"),
    ("cites:2401.00001", "papers that cite it"),
    ("has:code", "papers with known code"),
    ("kind:version", "also: new picked published code grown"),
    ("kind:trending", "it gained many votes lately"),
    ("source:arxiv", "announced by this source"),
)
"""Cheat sheet of the follow language: syntax and meaning."""

_MAX_SURE, _MAX_MAYBE = 8, 4
"""Maximum number of examples: of sure and likely matches, and of possible ones."""
_MAX_WIDER = 4


def _format_cheat_sheet() -> str:
    width = max(len(syntax) for syntax, _ in CHEAT_SHEET) + 2
    lines = (f"  {syntax:<{width}}{meaning}" for syntax, meaning in CHEAT_SHEET)
    return "\n".join(("\b", "The language:", *lines))


@click.command("try", context_settings={"ignore_unknown_options": True}, epilog=_format_cheat_sheet())
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--days", default=30, show_default=True, type=click.IntRange(1, 3650), help="How many days to look back."
)
@click.option("--all", "every", is_flag=True, help="Search all these days, even if there are many matches.")
@click.option(
    "--evidence",
    is_flag=True,
    help="With --json: print the matching words of all papers, not only of the examples.",
)
@config_option
@now_option
@json_option
def try_(
    query: Sequence[str],
    days: int,
    config: Path | None,
    now: datetime | None,
    *,
    every: bool,
    evidence: bool,
    as_json: bool,
) -> int:
    """Show what QUERY finds among the papers in the database.

    Shows how the query was read, how many papers it finds per day, and examples with the matching words. If it
    finds nothing, the command shows which condition to leave out. Put the query in single quotes so that the
    shell leaves it unchanged.

    \b
    Examples:
      digest try '"mixture of experts" serving'
      digest try 'author:"Wencong Xiao"'
      digest try 'category:cs.DC (inference OR serving) NOT survey'
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.cli.terminal.progress import show_progress
    from digest.errors import StoreError
    from digest.jobs.matching.indexing import index_papers
    from digest.jobs.matching.match import MatchProgress
    from digest.jobs.matching.query_preview import MAX_PAPERS, try_query

    with open_configured_app(config, now) as app:
        with show_progress(is_enabled=is_on_terminal()) as bar:

            def report_progress(label: str, processed: int, total: int) -> None:
                bar.update(MatchProgress(activity=label, done_count=processed, total=total))

            since = app.clock().date() - timedelta(days=days)
            # Without write access or after a long wait, the query only takes longer.
            with suppress(StoreError):
                index_papers(app.store, since, report_progress=report_progress)
            enough = sys.maxsize if every else MAX_PAPERS
            preview = try_query(
                app.store,
                " ".join(query),
                days,
                app.clock(),
                max_papers=enough,
                report_progress=report_progress,
            )
            can_tell = any(enricher.has_references for enricher in app.enrichers.values())
        if as_json:
            print_json(_make_json(app.store, preview, evidence=evidence))
        else:
            _print(app.store, preview, days)
            if preview.references:
                click.echo(f"\n{describe_references(*preview.references, can_tell=can_tell)}")
    return 0


def describe_references(with_references: int, papers: int, *, can_tell: bool) -> str:
    """Say for how many papers the references are known, and how to get references.

    Args:
        with_references: number of papers with known references.
        papers: number of all papers.
        can_tell: whether an enricher of the configuration provides references.
    """
    from digest.render.languages.english import format_count

    advice = '; add an [[enricher]] with use = "semantic_scholar" or "openalex"' if not can_tell else ""
    return f"cites: can only find papers whose references are known: {with_references:,} of {format_count(papers, 'paper')}{advice}."


# --- for people -----------------------------------------------------------------------------------


def _print(store: Store, preview: QueryPreview, days: int) -> None:
    from digest.cli.terminal.format_matches import print_reading
    from digest.jobs.matching.query_preview import choose_examples, load_examples
    from digest.render.languages.english import format_count

    print_reading(preview.reading)
    if not preview.checked:
        click.echo(f"The database has no papers of the last {days} days; run `digest pull` first.")
        return
    scope = (
        f"{format_count(preview.checked, 'paper')} of {format_count(len(preview.days), 'announcement day')}"
    )
    if not preview.matches:
        click.echo(f"No match in {scope}.")
        _print_wider(preview)
        return
    sure, maybe = _split_by_confidence(preview)
    more = f" Possible matches: {len(maybe):,} more." if maybe else ""
    if sure:
        click.echo(f"{len(sure):,} of {scope}: {len(sure) / len(preview.days):.1f} per day.{more}")
    else:
        click.echo(
            f"Possible matches: {len(maybe):,} of {scope}: {len(maybe) / len(preview.days):.1f} per day."
        )
    if preview.since:
        click.echo(
            f"There are so many matches that days before {_format_day(preview.since)} were not searched; --all searches them."
        )
    if len(preview.days) > 1:
        click.echo()
        _print_days(preview.days)
    for heading, matches, limit in (("", sure, _MAX_SURE), ("Maybe", maybe, _MAX_MAYBE)):
        _print_examples(heading, load_examples(store, preview, choose_examples(matches, limit)), len(matches))


def _split_by_confidence(preview: QueryPreview) -> tuple[tuple[PaperMatch, ...], tuple[PaperMatch, ...]]:
    """Split matches into sure and likely ones, and possible ones."""
    from digest.model import Confidence

    sure_count = sum(match.confidence >= Confidence.LIKELY for match in preview.matches)
    return preview.matches[:sure_count], preview.matches[sure_count:]


def _print_wider(preview: QueryPreview) -> None:
    from digest.render.languages.english import format_count, join_with_and

    if preview.lacking and preview.lacking != (preview.reading.display_text,):
        click.echo(f"No paper matches {join_with_and(preview.lacking)}.")
    for relaxation, papers in preview.wider[:_MAX_WIDER]:
        if papers:
            click.echo(
                f"Without {click.style(relaxation.removed_text, bold=True)} it finds {format_count(papers, 'paper')}:"
            )
            click.echo(f"  digest try {shlex.quote(str(relaxation.query))}")
    if preview.wider and not preview.wider[0][1]:
        click.echo("Leaving out a single condition does not help.")


# --- days -----------------------------------------------------------------------------------------

_MAX_SPANS = 31
_BAR_WIDTH = 40


def _print_days(days: Sequence[DayCount]) -> None:
    """Print the number of matches per day, week or month, with bars on a terminal."""
    spans = _group_by_span(days)
    max_count = max(sure + maybe for _, sure, maybe in spans)
    name_width, digits = max(len(name) for name, _, _ in spans), len(f"{max_count:,}")
    for name, sure, maybe in spans:
        prefix = f"  {name:<{name_width}}  {sure:>{digits},}"
        if sys.stdout.isatty():
            bar = "█" * _measure_bar(sure, max_count) + "░" * _measure_bar(maybe, max_count)
            click.echo(f"{prefix}  {bar}".rstrip())
        else:
            click.echo(prefix + (f" and {maybe:,} maybe" if maybe else ""))


def _group_by_span(days: Sequence[DayCount]) -> list[tuple[str, int, int]]:
    """Group by days, weeks or months, whichever first gives few lines; count sure and possible matches."""
    spans: dict[str, tuple[int, int]] = {}
    for name in (_format_day, _format_week, _format_month):
        spans = {}
        for day in days:
            sure, maybe = spans.get(name(day.day), (0, 0))
            spans[name(day.day)] = (sure + day.sure, maybe + day.maybe)
        if len(spans) <= _MAX_SPANS:
            break
    return [(name, sure, maybe) for name, (sure, maybe) in spans.items()]


def _format_day(day: date) -> str:
    return f"{day:%a} {day.day:>2} {day:%b}"


def _format_week(day: date) -> str:
    monday = day - timedelta(days=day.weekday())
    return f"week of {monday.day:>2} {monday:%b %Y}"


def _format_month(day: date) -> str:
    return f"{day:%b %Y}"


def _measure_bar(number: int, max_count: int) -> int:
    """Compute the length of a bar: one character per match, scaled down if too long; at least one for any match."""
    return -(-number * _BAR_WIDTH // max(max_count, _BAR_WIDTH))


# --- examples -------------------------------------------------------------------------------------


def _print_examples(heading: str, examples: Sequence[Example], total: int) -> None:
    if not examples:
        return
    click.echo(f"\n{click.style(heading, bold=True)}" if heading else "")
    for number, example in enumerate(examples):
        if number:
            click.echo()
        _print_example(example)
    if total > len(examples):
        click.echo(f"\n  … and {total - len(examples):,} more")


def _print_example(example: Example) -> None:
    from digest.cli.terminal.format_matches import print_match

    paper, day = example.event.paper, f"{example.event.day.day} {example.event.day:%b}"
    print_match(paper, day, example.match_result)


# --- for programs ---------------------------------------------------------------------------------


def _make_json(store: Store, preview: QueryPreview, *, evidence: bool) -> dict[str, Any]:
    """Make the JSON document; evidence is computed for the examples only, unless requested for all papers."""
    from digest.jobs.matching.query_preview import choose_examples, load_events, load_examples

    sure, maybe = _split_by_confidence(preview)
    examples = (*choose_examples(sure, _MAX_SURE), *choose_examples(maybe, _MAX_MAYBE))
    events = load_events(store, preview.matches)
    explained = {
        entry.paper_match.seq: entry.match_result
        for entry in load_examples(store, preview, preview.matches if evidence else examples)
    }
    return {
        "query": str(preview.reading.query),
        "read_as": preview.reading.display_text,
        "hints": list(preview.reading.hints),
        "asked": preview.checked,
        "since": preview.since.isoformat() if preview.since else None,
        "days": [
            {"day": entry.day.isoformat(), "asked": entry.checked, "sure": entry.sure, "maybe": entry.maybe}
            for entry in preview.days
        ],
        "examples": [events[entry.seq].paper.key for entry in examples],
        "found": [
            {
                "paper": events[entry.seq].paper.key,
                "title": events[entry.seq].paper.title,
                "day": entry.day.isoformat(),
                "band": entry.confidence.name.lower(),
                "evidence": _make_evidence_json(explained[entry.seq]) if entry.seq in explained else [],
            }
            for entry in preview.matches
        ],
        "references": dict(zip(("known", "papers"), preview.references, strict=True))
        if preview.references
        else None,
        "lacking": list(preview.lacking),
        "wider": [
            {"without": entry.removed_text, "query": str(entry.query), "found": papers}
            for entry, papers in preview.wider
        ],
    }


def _make_evidence_json(fit: MatchResult) -> list[dict[str, Any]]:
    from digest.cli.terminal.format_events import make_fit_json

    evidence: list[dict[str, Any]] = make_fit_json(fit)["evidence"]
    return evidence
