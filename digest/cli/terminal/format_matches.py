"""Papers that match a query, for people: the matching words marked on a terminal, plain in a pipe."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence

import click

from digest.core.language.parser import ParsedQuery
from digest.core.text.highlights import find_highlights
from digest.core.text.tex import tex_to_unicode
from digest.model import Confidence, MatchResult, Paper

_MAX_WORDS = 5
"""Maximum number of matching words that are shown for each field."""
_MARK_START, _MARK_END = "\ue000", "\ue001"
"""Mark the beginning and end of a matching word until lines are wrapped; texts of papers never contain them."""
_CONTEXT_LENGTH = 60
"""Characters of an abstract shown before the first match."""


def print_reading(reading: ParsedQuery) -> None:
    """Print how a query was read, its canonical form if that differs, and hints."""
    canonical = str(reading.query)
    click.echo(f"Read as: {click.style(reading.display_text, bold=True)}")
    if canonical != reading.display_text:
        click.echo(f"Canonical: {canonical}")
    for hint in reading.hints:
        click.echo(f"{click.style('Hint:', fg='yellow')} {hint}")


def print_match(paper: Paper, day: str, match_result: MatchResult) -> None:
    """Print a paper with the words that match, on three to five lines.

    Args:
        paper: the paper.
        day: its day as it is printed; "" if it is unknown.
        match_result: how it matches.
    """
    words = {field_evidence.field: field_evidence.words for field_evidence in match_result.evidence}
    title = " ".join(tex_to_unicode(paper.title).split())
    click.echo(click.style(_wrap_lines(_mark_words(title, words.get("title", ())), "  "), bold=True))
    likely = "likely, " if match_result.confidence is Confidence.LIKELY else ""
    place = f"{paper.key}, {day}" if day else paper.key
    click.echo(f"    {place}: {likely}{_format_reason(match_result)}")
    if snippet := _make_snippet(" ".join(tex_to_unicode(paper.abstract).split()), words.get("abstract", ())):
        click.echo(_wrap_lines(snippet, "    ", max_lines=2))


def _format_reason(fit: MatchResult) -> str:
    """Format the matching fields, with the first few words of each."""
    parts = []
    for field_evidence in fit.evidence:
        words = list(dict.fromkeys(" ".join(word.split()) for word in field_evidence.words))
        more = ["…"] if len(words) > _MAX_WORDS else []
        parts.append(f"{field_evidence.field}: {', '.join(words[:_MAX_WORDS] + more)}")
    return "; ".join(parts)


def _make_snippet(text: str, words: Sequence[str]) -> str:
    """Cut two lines of a text around the first matching words, and mark these; "" if there are none."""
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
    marked_text, position = "", 0
    for start, end in find_highlights(text, [" ".join(word.split()) for word in words]):
        marked_text += f"{text[position:start]}{_MARK_START}{text[start:end]}{_MARK_END}"
        position = end
    return marked_text + text[position:]


def _wrap_lines(text: str, indent: str, max_lines: int = 9) -> str:
    """Wrap for the terminal and colour marked words; in a pipe, return one line without marks."""
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
