"""The command that tries a query: ``digest try``."""

from __future__ import annotations

import shlex
import shutil
import sys
import textwrap
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
    ('"expert load balancing"~5', "in this order, at most 5 others between"),
    ("=RAG", "exactly this spelling"),
    ("quantiz*", "words that begin so"),
    ("serving OR inference", "one of them"),
    ("agents -survey", "without that; also: agents NOT survey"),
    ("LLM (serving OR inference)", "AND goes before OR, brackets before both"),
    ("title:graph", "only there; abstract: comment: journal:"),
    ("title:(graph OR tree)", "for several words"),
    ('author:"Wencong Xiao"', "a person by name"),
    ("author:orcid:0000-0002-1825-0097", "or by id: openalex: s2: dblp: arxiv:"),
    ('institution:"ETH Zurich"', "where its authors work"),
    ("category:cs.DC", "also cross-listed; primary:cs.DC is not"),
    ("category:cs.*", "a whole archive"),
    ("id:2401.00001", "that paper; also: doi:10.1145/3600006"),
    ("cites:2401.00001", "papers that cite it"),
    ("has:code", "its code is known"),
    ("kind:version", "also: new picked published code grown"),
    ("source:arxiv", "who announced it"),
)
"""The language at a glance: what to write, and what it means."""

_MAX_SURE, _MAX_MAYBE = 8, 4
"""So many examples are shown: of what fits surely or likely, and of what may fit."""
_MAX_WIDER = 4
_MAX_WORDS = 5
"""So many words that fit are named for a field."""


def _format_cheat_sheet() -> str:
    width = max(len(syntax) for syntax, _ in CHEAT_SHEET) + 2
    lines = (f"  {syntax:<{width}}{meaning}" for syntax, meaning in CHEAT_SHEET)
    return "\n".join(("\b", "The language:", *lines))


@click.command("try", context_settings={"ignore_unknown_options": True}, epilog=_format_cheat_sheet())
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--days", default=30, show_default=True, type=click.IntRange(1, 3650), help="How far back to look."
)
@click.option("--all", "every", is_flag=True, help="Ask about all these days, however many papers it finds.")
@click.option(
    "--evidence", is_flag=True, help="With --json: by which words each paper fits, not the examples alone."
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
    """What QUERY finds: how it is read, what it finds in the last days, how many a day, and examples.

    Where it finds nothing: what it would find if it asked for less. Put the query in single quotes, or the
    shell takes its "quotes" and brackets.

    \b
    Examples:
      digest try '"mixture of experts" serving'
      digest try 'author:"Wencong Xiao"'
      digest try 'category:cs.DC (inference OR serving) NOT survey'
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are
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
            # Who cannot write, or has to wait for long, only waits longer for the answer.
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
    """For how many papers it is known what they cite, and what to do where nobody tells it.

    Args:
        with_references: how many.
        papers: of so many.
        can_tell: whether an enricher of the configuration tells references.
    """
    from digest.render.languages.english import format_count

    advice = '; add an [[enricher]] with use = "semantic_scholar" or "openalex"' if not can_tell else ""
    return f"cites: finds papers whose references are known: {with_references:,} of {format_count(papers, 'paper')}{advice}."


# --- for people -----------------------------------------------------------------------------------


def _print(store: Store, preview: QueryPreview, days: int) -> None:
    from digest.jobs.matching.query_preview import choose_examples, load_examples
    from digest.render.languages.english import format_count

    _print_reading(preview)
    if not preview.checked:
        click.echo(f"The store has no papers of the last {days} days: run `digest pull` first.")
        return
    scope = (
        f"{format_count(preview.checked, 'paper')} of {format_count(len(preview.days), 'announcement day')}"
    )
    if not preview.matches:
        click.echo(f"Nothing in {scope}.")
        _print_wider(preview)
        return
    sure, maybe = _split_by_confidence(preview)
    more = f" {len(maybe):,} more may fit." if maybe else ""
    if sure:
        click.echo(f"{len(sure):,} of {scope}: {len(sure) / len(preview.days):.1f} a day.{more}")
    else:
        click.echo(f"{len(maybe):,} of {scope} may fit: {len(maybe) / len(preview.days):.1f} a day.")
    if preview.since:
        click.echo(
            f"It finds so many that nothing before {_format_day(preview.since)} was asked about; --all asks all."
        )
    if len(preview.days) > 1:
        click.echo()
        _print_days(preview.days)
    for heading, matches, limit in (("", sure, _MAX_SURE), ("Maybe", maybe, _MAX_MAYBE)):
        _print_examples(heading, load_examples(store, preview, choose_examples(matches, limit)), len(matches))


def _split_by_confidence(preview: QueryPreview) -> tuple[tuple[PaperMatch, ...], tuple[PaperMatch, ...]]:
    """What fits surely or likely, and what may fit."""
    from digest.model import Confidence

    sure_count = sum(match.confidence >= Confidence.LIKELY for match in preview.matches)
    return preview.matches[:sure_count], preview.matches[sure_count:]


def _print_reading(preview: QueryPreview) -> None:
    canonical = str(preview.reading.query)
    click.echo(f"Read as: {click.style(preview.reading.display_text, bold=True)}")
    if canonical != preview.reading.display_text:
        click.echo(f"Canonical: {canonical}")
    for hint in preview.reading.hints:
        click.echo(f"{click.style('Hint:', fg='yellow')} {hint}")


def _print_wider(preview: QueryPreview) -> None:
    from digest.render.languages.english import format_count, join_with_and

    if preview.lacking and preview.lacking != (preview.reading.display_text,):
        click.echo(f"No paper has {join_with_and(preview.lacking)}.")
    for relaxation, papers in preview.wider[:_MAX_WIDER]:
        if papers:
            click.echo(
                f"Without {click.style(relaxation.removed_text, bold=True)} it finds {format_count(papers, 'paper')}:"
            )
            click.echo(f"  digest try {shlex.quote(str(relaxation.query))}")
    if preview.wider and not preview.wider[0][1]:
        click.echo("With one thing less asked for it finds nothing either.")


# --- days -----------------------------------------------------------------------------------------

_MAX_SPANS = 31
_BAR_WIDTH = 40


def _print_days(days: Sequence[DayCount]) -> None:
    """How many a day; a week or a month where there are many days. Bars where somebody looks."""
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
    """Days, else weeks, else months: the first that are few lines, each with what fits and what may fit."""
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
    """A bar's: a sign for each, where that is not too long; never nothing for something."""
    return -(-number * _BAR_WIDTH // max(max_count, _BAR_WIDTH))


# --- examples -------------------------------------------------------------------------------------

_MARK_START, _MARK_END = "\ue000", "\ue001"
"""Stand where a word that fits begins and ends, until the lines are broken; texts of papers have none of them."""
_CONTEXT_LENGTH = 60
"""So many characters of an abstract are shown before what fits in it."""


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
    from digest.core.text.tex import tex_to_unicode
    from digest.model import Confidence

    paper, words = (
        example.event.paper,
        {field_evidence.field: field_evidence.words for field_evidence in example.match_result.evidence},
    )
    title = " ".join(tex_to_unicode(paper.title).split())
    likely = "likely, " if example.paper_match.confidence is Confidence.LIKELY else ""
    click.echo(click.style(_wrap_lines(_mark_words(title, words.get("title", ())), "  "), bold=True))
    click.echo(
        f"    {paper.key}, {example.event.day.day} {example.event.day:%b}: {likely}{_format_reason(example.match_result)}"
    )
    if snippet := _make_snippet(" ".join(tex_to_unicode(paper.abstract).split()), words.get("abstract", ())):
        click.echo(_wrap_lines(snippet, "    ", max_lines=2))


def _format_reason(fit: MatchResult) -> str:
    """The fields and words that fit, the first few of each."""
    parts = []
    for field_evidence in fit.evidence:
        words = list(dict.fromkeys(" ".join(word.split()) for word in field_evidence.words))
        more = ["…"] if len(words) > _MAX_WORDS else []
        parts.append(f"{field_evidence.field}: {', '.join(words[:_MAX_WORDS] + more)}")
    return "; ".join(parts)


def _make_snippet(text: str, words: Sequence[str]) -> str:
    """Two lines of a text around the first place of words that fit, marked; "" if there is none."""
    from digest.core.text.highlights import find_highlights

    positions = find_highlights(text, [" ".join(word.split()) for word in words])
    if not positions:
        return ""
    max_length = 2 * (_get_text_width() - 8)
    start = max(0, min(positions[0][0] - _CONTEXT_LENGTH, len(text) - max_length))
    start = text.find(" ", start) + 1 if start else 0
    end = len(text) if len(text) - start <= max_length else text.rfind(" ", start, start + max_length)
    before, after = "… " if start else "", " …" if end < len(text) else ""
    return f"{before}{_mark_words(text[start:end], words)}{after}"


def _mark_words(text: str, words: Sequence[str]) -> str:
    from digest.core.text.highlights import find_highlights

    marked_text, position = "", 0
    for start, end in find_highlights(text, [" ".join(word.split()) for word in words]):
        marked_text += f"{text[position:start]}{_MARK_START}{text[start:end]}{_MARK_END}"
        position = end
    return marked_text + text[position:]


def _wrap_lines(text: str, indent: str, max_lines: int = 9) -> str:
    """Lines that fit the terminal, what is marked in colour; in a pipe a single line, as it is printed."""
    if not sys.stdout.isatty():
        return indent + text.translate({ord(_MARK_START): "", ord(_MARK_END): ""})
    lines = textwrap.fill(
        text,
        _get_text_width(),
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        max_lines=max_lines,
        placeholder=f"{_MARK_END} …",
    )
    on, off = click.style("", fg="green", reset=False), click.style("", fg="reset", reset=False)
    return lines.replace(_MARK_START, on).replace(_MARK_END, off)


def _get_text_width() -> int:
    return min(shutil.get_terminal_size().columns, 100)


# --- for programs ---------------------------------------------------------------------------------


def _make_json(store: Store, preview: QueryPreview, *, evidence: bool) -> dict[str, Any]:
    """All that is told. Why a paper fits is worked out for those that are examples, unless it is asked of all."""
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
