"""``digest import --papers``: import the papers of earlier years."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import is_on_terminal, open_configured_app, print_json
from digest.errors import ConfigError

if TYPE_CHECKING:
    from digest.jobs.papers.import_papers import ImportProgress
    from digest.model import PaperImport, PaperSelection


def run_import(
    file: Path, config: Path | None, *, categories: Sequence[str], since: date | None, as_json: bool
) -> int:
    """Import arXiv's metadata snapshot."""
    from digest.cli.terminal.progress import show_file_progress
    from digest.jobs.papers.import_papers import import_papers

    selection = _make_selection(categories, since)
    with open_configured_app(config) as app, show_file_progress(is_enabled=is_on_terminal()) as show:
        latest: list[ImportProgress] = []

        def report(progress: ImportProgress) -> None:
            latest[:] = [progress]
            show(_describe_progress(progress), progress.bytes_read, progress.file_size)

        with _explain_interruption(latest):
            paper_import = import_papers(app.store, file, selection, app.clock, report)
    was_finished = not latest or latest[0].is_hashing
    if as_json:
        print_json({**make_import_json(paper_import), "changed": not was_finished})
    else:
        _print_import(paper_import, was_finished=was_finished)
    return 0


def _make_selection(categories: Sequence[str], since: date | None) -> PaperSelection:
    """Return the selected part of the file.

    Raises:
        ConfigError: there is no such category.
    """
    from digest.core.papers.taxonomy import canonicalize_category, is_known_category, suggest_category
    from digest.model import PaperSelection

    codes = [code.strip() for text in categories for code in text.split(",") if code.strip()]
    for code in codes:
        if not is_known_category(code):
            suggestion = suggest_category(code)
            hint = f"did you mean {suggestion}?" if suggestion else "see https://arxiv.org/category_taxonomy"
            raise ConfigError(f"arXiv has no category {code!r}; {hint}")
    canonical = {canonicalize_category(code.lower().removesuffix(".*")) for code in codes}
    return PaperSelection(categories=tuple(sorted(canonical)), since=since)


@contextmanager
def _explain_interruption(latest: Sequence[ImportProgress]) -> Iterator[None]:
    """Say after Ctrl-C that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        papers = latest[0].papers if latest else 0
        click.echo(f"{papers:,} papers are imported. The same command continues after them.", err=True)
        raise


def _describe_progress(progress: ImportProgress) -> str:
    return "Reading the file" if progress.is_hashing else f"Importing, {progress.papers:,} papers"


# --- output ---------------------------------------------------------------------------------------


def describe_import(paper_import: PaperImport) -> str:
    """Return a sentence about an import, without a full stop."""
    from digest.cli.terminal.format_events import format_time
    from digest.render.languages.english import format_count

    counts = paper_import.counts
    text = f"{paper_import.file_name}{_describe_selection(paper_import.selection)}: {format_count(counts.papers, 'paper')}"
    if paper_import.first_day and paper_import.last_day:
        text += f", from {paper_import.first_day} to {paper_import.last_day}"
    if paper_import.finished_at:
        return f"{text}; imported {format_time(paper_import.finished_at)}"
    return f"{text}; not finished: `digest import --papers {paper_import.file_name}` continues"


def _describe_selection(selection: PaperSelection) -> str:
    parts = [
        *([", ".join(selection.categories)] if selection.categories else []),
        *([f"since {selection.since}"] if selection.since else []),
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _print_import(paper_import: PaperImport, *, was_finished: bool) -> None:
    from digest.render.languages.english import format_count

    counts = paper_import.counts
    click.echo(describe_import(paper_import))
    if was_finished:
        click.echo("  The whole file was imported before; nothing changed.")
        return
    click.echo(
        f"  {counts.added:,} new; {counts.grown:,} known, now with more; {counts.known:,} known as they are"
    )
    if counts.unselected:
        click.echo(f"  {counts.unselected:,} left out by the selection")
    if counts.broken:
        click.echo(f"  {format_count(counts.broken, 'record')} could not be read:")
        for description in paper_import.broken_records:
            click.echo(f"    {description}")
        if counts.broken > len(paper_import.broken_records):
            click.echo(f"    and {counts.broken - len(paper_import.broken_records):,} more")
    click.echo("  No digest reports these papers.")


def make_import_json(paper_import: PaperImport) -> Mapping[str, Any]:
    """Return an import for ``--json``."""
    from digest.render.delivery.files import format_instant

    selection = paper_import.selection
    return {
        "file": paper_import.file_name,
        "sha256": paper_import.file_hash,
        "categories": list(selection.categories),
        "since": selection.since.isoformat() if selection.since else None,
        "papers": paper_import.counts.papers,
        **asdict(paper_import.counts),
        "broken_records": list(paper_import.broken_records),
        "first_day": paper_import.first_day.isoformat() if paper_import.first_day else None,
        "last_day": paper_import.last_day.isoformat() if paper_import.last_day else None,
        "started_at": format_instant(paper_import.started_at),
        "finished_at": format_instant(paper_import.finished_at) if paper_import.finished_at else None,
    }
