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
    json_option,
    now_option,
    on_terminal,
    opened,
    print_json,
)

if TYPE_CHECKING:
    from digest.jobs.matching.query_preview import Day, Example, Found, Tried
    from digest.model import Fit
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

_SURE, _MAYBE = 8, 4
"""So many examples are shown: of what fits surely or likely, and of what may fit."""
_WIDER = 4
_WORDS = 5
"""So many words that fit are named for a field."""


def _sheet() -> str:
    wide = max(len(written) for written, _ in CHEAT_SHEET) + 2
    lines = (f"  {written:<{wide}}{means}" for written, means in CHEAT_SHEET)
    return "\n".join(("\b", "The language:", *lines))


@click.command("try", context_settings={"ignore_unknown_options": True}, epilog=_sheet())
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
    from digest.cli.terminal.progress import progress
    from digest.errors import StoreError
    from digest.jobs.matching.indexing import index_papers
    from digest.jobs.matching.match import Matching
    from digest.jobs.matching.query_preview import ENOUGH, try_query

    with opened(config, now) as app:
        with progress(shown=on_terminal()) as bar:

            def tell(what: str, done: int, of: int) -> None:
                bar.follow(Matching(what=what, done=done, total=of))

            since = app.clock().date() - timedelta(days=days)
            with suppress(
                StoreError
            ):  # who cannot write, or has to wait for long, only waits longer for the answer
                index_papers(app.store, since, tell=tell)
            enough = sys.maxsize if every else ENOUGH
            tried = try_query(app.store, " ".join(query), days, app.clock(), enough=enough, tell=tell)
            can_tell = any(one.tells_references for one in app.enrichers.values())
        if as_json:
            print_json(_json(app.store, tried, evidence=evidence))
        else:
            _print(app.store, tried, days)
            if tried.references:
                click.echo(f"\n{told_of_references(*tried.references, can_tell=can_tell)}")
    return 0


def told_of_references(known: int, papers: int, *, can_tell: bool) -> str:
    """For how many papers it is known what they cite, and what to do where nobody tells it.

    Args:
        known: how many.
        papers: of so many.
        can_tell: whether an enricher of the configuration tells references.
    """
    from digest.render.languages.english import count

    advice = '; add an [[enricher]] with use = "semantic_scholar" or "openalex"' if not can_tell else ""
    return f"cites: finds papers whose references are known: {known:,} of {count(papers, 'paper')}{advice}."


# --- for people -----------------------------------------------------------------------------------


def _print(store: Store, tried: Tried, days: int) -> None:
    from digest.jobs.matching.query_preview import load_examples, telling
    from digest.render.languages.english import count

    _print_reading(tried)
    if not tried.asked:
        click.echo(f"The store has no papers of the last {days} days: run `digest pull` first.")
        return
    asked = f"{count(tried.asked, 'paper')} of {count(len(tried.days), 'announcement day')}"
    if not tried.found:
        click.echo(f"Nothing in {asked}.")
        _print_wider(tried)
        return
    sure, maybe = _bands(tried)
    more = f" {len(maybe):,} more may fit." if maybe else ""
    if sure:
        click.echo(f"{len(sure):,} of {asked}: {len(sure) / len(tried.days):.1f} a day.{more}")
    else:
        click.echo(f"{len(maybe):,} of {asked} may fit: {len(maybe) / len(tried.days):.1f} a day.")
    if tried.since:
        click.echo(
            f"It finds so many that nothing before {_day(tried.since)} was asked about; --all asks all."
        )
    if len(tried.days) > 1:
        click.echo()
        _print_days(tried.days)
    for heading, found, most in (("", sure, _SURE), ("Maybe", maybe, _MAYBE)):
        _print_examples(heading, load_examples(store, tried, telling(found, most)), len(found))


def _bands(tried: Tried) -> tuple[tuple[Found, ...], tuple[Found, ...]]:
    """What fits surely or likely, and what may fit."""
    from digest.model import Band

    sure = sum(one.band >= Band.LIKELY for one in tried.found)
    return tried.found[:sure], tried.found[sure:]


def _print_reading(tried: Tried) -> None:
    canonical = str(tried.reading.query)
    click.echo(f"Read as: {click.style(tried.reading.shown, bold=True)}")
    if canonical != tried.reading.shown:
        click.echo(f"Canonical: {canonical}")
    for hint in tried.reading.hints:
        click.echo(f"{click.style('Hint:', fg='yellow')} {hint}")


def _print_wider(tried: Tried) -> None:
    from digest.render.languages.english import count, listed

    if tried.lacking and tried.lacking != (tried.reading.shown,):
        click.echo(f"No paper has {listed(tried.lacking)}.")
    for one, papers in tried.wider[:_WIDER]:
        if papers:
            click.echo(f"Without {click.style(one.without, bold=True)} it finds {count(papers, 'paper')}:")
            click.echo(f"  digest try {shlex.quote(str(one.query))}")
    if tried.wider and not tried.wider[0][1]:
        click.echo("With one thing less asked for it finds nothing either.")


# --- days -----------------------------------------------------------------------------------------

_MOST_LINES = 31
_BAR = 40


def _print_days(days: Sequence[Day]) -> None:
    """How many a day; a week or a month where there are many days. Bars where somebody looks."""
    lines = _by_span(days)
    most = max(sure + maybe for _, sure, maybe in lines)
    wide, digits = max(len(name) for name, _, _ in lines), len(f"{most:,}")
    for name, sure, maybe in lines:
        told = f"  {name:<{wide}}  {sure:>{digits},}"
        if sys.stdout.isatty():
            bar = "█" * _length(sure, most) + "░" * _length(maybe, most)
            click.echo(f"{told}  {bar}".rstrip())
        else:
            click.echo(told + (f" and {maybe:,} maybe" if maybe else ""))


def _by_span(days: Sequence[Day]) -> list[tuple[str, int, int]]:
    """Days, else weeks, else months: the first that are few lines, each with what fits and what may fit."""
    lines: dict[str, tuple[int, int]] = {}
    for name in (_day, _week, _month):
        lines = {}
        for one in days:
            sure, maybe = lines.get(name(one.day), (0, 0))
            lines[name(one.day)] = (sure + one.sure, maybe + one.maybe)
        if len(lines) <= _MOST_LINES:
            break
    return [(name, sure, maybe) for name, (sure, maybe) in lines.items()]


def _day(day: date) -> str:
    return f"{day:%a} {day.day:>2} {day:%b}"


def _week(day: date) -> str:
    monday = day - timedelta(days=day.weekday())
    return f"week of {monday.day:>2} {monday:%b %Y}"


def _month(day: date) -> str:
    return f"{day:%b %Y}"


def _length(number: int, most: int) -> int:
    """A bar's: a sign for each, where that is not too long; never nothing for something."""
    return -(-number * _BAR // max(most, _BAR))


# --- examples -------------------------------------------------------------------------------------

_MARK, _UNMARK = "\ue000", "\ue001"
"""Stand where a word that fits begins and ends, until the lines are broken; texts of papers have none of them."""
_BEFORE = 60
"""So many characters of an abstract are shown before what fits in it."""


def _print_examples(heading: str, examples: Sequence[Example], of: int) -> None:
    if not examples:
        return
    click.echo(f"\n{click.style(heading, bold=True)}" if heading else "")
    for number, one in enumerate(examples):
        if number:
            click.echo()
        _print_example(one)
    if of > len(examples):
        click.echo(f"\n  … and {of - len(examples):,} more")


def _print_example(one: Example) -> None:
    from digest.core.text.tex import tex_to_unicode
    from digest.model import Band

    paper, words = one.event.paper, {shown.field: shown.words for shown in one.why.evidence}
    title = " ".join(tex_to_unicode(paper.title).split())
    likely = "likely, " if one.found.band is Band.LIKELY else ""
    click.echo(click.style(_lines(_marked(title, words.get("title", ())), "  "), bold=True))
    click.echo(f"    {paper.key}, {one.event.day.day} {one.event.day:%b}: {likely}{_reason(one.why)}")
    if snippet := _snippet(" ".join(tex_to_unicode(paper.abstract).split()), words.get("abstract", ())):
        click.echo(_lines(snippet, "    ", most=2))


def _reason(why: Fit) -> str:
    """The fields and words that fit, the first few of each."""
    told = []
    for found in why.evidence:
        words = list(dict.fromkeys(" ".join(word.split()) for word in found.words))
        more = ["…"] if len(words) > _WORDS else []
        told.append(f"{found.field}: {', '.join(words[:_WORDS] + more)}")
    return "; ".join(told)


def _snippet(text: str, words: Sequence[str]) -> str:
    """Two lines of a text around the first place of words that fit, marked; "" if there is none."""
    from digest.core.text.highlights import highlights

    places = highlights(text, [" ".join(word.split()) for word in words])
    if not places:
        return ""
    room = 2 * (_columns() - 8)
    start = max(0, min(places[0][0] - _BEFORE, len(text) - room))
    start = text.find(" ", start) + 1 if start else 0
    end = len(text) if len(text) - start <= room else text.rfind(" ", start, start + room)
    before, behind = "… " if start else "", " …" if end < len(text) else ""
    return f"{before}{_marked(text[start:end], words)}{behind}"


def _marked(text: str, words: Sequence[str]) -> str:
    from digest.core.text.highlights import highlights

    told, done = "", 0
    for start, end in highlights(text, [" ".join(word.split()) for word in words]):
        told += f"{text[done:start]}{_MARK}{text[start:end]}{_UNMARK}"
        done = end
    return told + text[done:]


def _lines(marked: str, indent: str, most: int = 9) -> str:
    """Lines that fit the terminal, what is marked in colour; in a pipe a single line, as it is printed."""
    if not sys.stdout.isatty():
        return indent + marked.translate({ord(_MARK): "", ord(_UNMARK): ""})
    lines = textwrap.fill(
        marked,
        _columns(),
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        max_lines=most,
        placeholder=f"{_UNMARK} …",
    )
    on, off = click.style("", fg="green", reset=False), click.style("", fg="reset", reset=False)
    return lines.replace(_MARK, on).replace(_UNMARK, off)


def _columns() -> int:
    return min(shutil.get_terminal_size().columns, 100)


# --- for programs ---------------------------------------------------------------------------------


def _json(store: Store, tried: Tried, *, evidence: bool) -> dict[str, Any]:
    """All that is told. Why a paper fits is worked out for those that are examples, unless it is asked of all."""
    from digest.jobs.matching.query_preview import load_events, load_examples, telling

    sure, maybe = _bands(tried)
    examples = (*telling(sure, _SURE), *telling(maybe, _MAYBE))
    events = load_events(store, tried.found)
    explained = {
        one.found.seq: one.why for one in load_examples(store, tried, tried.found if evidence else examples)
    }
    return {
        "query": str(tried.reading.query),
        "read_as": tried.reading.shown,
        "hints": list(tried.reading.hints),
        "asked": tried.asked,
        "since": tried.since.isoformat() if tried.since else None,
        "days": [
            {"day": one.day.isoformat(), "asked": one.asked, "sure": one.sure, "maybe": one.maybe}
            for one in tried.days
        ],
        "examples": [events[one.seq].paper.key for one in examples],
        "found": [
            {
                "paper": events[one.seq].paper.key,
                "title": events[one.seq].paper.title,
                "day": one.day.isoformat(),
                "band": one.band.name.lower(),
                "evidence": _evidence_json(explained[one.seq]) if one.seq in explained else [],
            }
            for one in tried.found
        ],
        "references": dict(zip(("known", "papers"), tried.references, strict=True))
        if tried.references
        else None,
        "lacking": list(tried.lacking),
        "wider": [
            {"without": one.without, "query": str(one.query), "found": papers} for one, papers in tried.wider
        ],
    }


def _evidence_json(fit: Fit) -> list[dict[str, Any]]:
    from digest.cli.terminal.format_events import fit_json

    told: list[dict[str, Any]] = fit_json(fit)["evidence"]
    return told
