"""``digest papers``: everything known about a paper, and corrections of its ids."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json

if TYPE_CHECKING:
    from digest.jobs.papers.paper_records import PaperRecord
    from digest.model import Paper

_FIELDS = (
    *("title", "authors", "categories", "organizations", "version", "withdrawn", "doi", "journal_ref"),
    *("comment", "url", "pdf_url", "license_url", "code_urls", "project_urls"),
)


@click.group(cls=CommandGroup)
def papers() -> None:
    """Show what is known about a paper, and correct which ids belong to it."""


@papers.command()
@click.argument("paper")
@config_option
@json_option
def show(paper: str, config: Path | None, *, as_json: bool) -> int:
    """Show everything that is known about PAPER.

    Each field is shown with the sources that it comes from. PAPER is an arXiv id, a DOI, or the address of a
    page about it.
    """
    from digest.jobs.paper_edits import load_paper_record

    with open_configured_app(config) as app:
        details = load_paper_record(app.store, paper)
    if as_json:
        print_json(_make_json(details))
    else:
        _print(details)
    return 0


@papers.command()
@click.argument("paper")
@click.argument("id_", metavar="ID")
@config_option
@json_option
def part(paper: str, id_: str, config: Path | None, *, as_json: bool) -> int:
    """State that ID does not belong to PAPER, although a source says so.

    The two are then shown as two papers. `digest papers join` undoes this.
    """
    return _set_apart(paper, id_, config, as_json=as_json, apart=True)


@papers.command()
@click.argument("paper")
@click.argument("id_", metavar="ID")
@config_option
@json_option
def join(paper: str, id_: str, config: Path | None, *, as_json: bool) -> int:
    """Undo `digest papers part`: ID belongs to PAPER again."""
    return _set_apart(paper, id_, config, as_json=as_json, apart=False)


def _set_apart(paper: str, id_: str, config: Path | None, *, as_json: bool, apart: bool) -> int:
    from digest.jobs.paper_edits import set_apart

    with open_configured_app(config) as app:
        is_changed = set_apart(app.store, paper, id_, is_apart=apart)
    if as_json:
        print_json({"changed": is_changed})
    elif is_changed:
        click.echo(f"{paper} and {id_} are now two papers." if apart else f"{id_} belongs to {paper} again.")
    else:
        click.echo(
            f"No source says that {id_} belongs to {paper}; `digest papers show {paper}` lists what they say."
        )
    return int(not is_changed)


def _print(details: PaperRecord) -> None:
    from digest.core.text.tex import tex_to_unicode

    paper = details.paper
    click.secho(tex_to_unicode(paper.title), bold=True)
    for name in _FIELDS:
        if text := _format_field(paper, name):
            sources = ", ".join(details.origins.get(name, ()))
            click.echo(
                f"  {name.replace('_', ' '):14}{text}{click.style(f'  ({sources})', dim=True) if sources else ''}"
            )
    click.secho("Known as", bold=True)
    for key, scheme, value, apart in details.claims:
        click.echo(
            f"  {scheme}:{value}{'' if key == f'{scheme}:{value}' else f', according to {key}'}{' (separated)' if apart else ''}"
        )
    click.secho("Listed", bold=True)
    for batch, kind, submitter in details.listed:
        by = f" by {submitter.name} ({':'.join(submitter.id)})" if submitter else ""
        click.echo(f"  {batch.day:%a} {batch.day}  {batch.source} {batch.section}: {kind.value}{by}")
    click.secho("Events", bold=True)
    for event in details.events:
        number = f" {event.number}" if event.number else ""
        click.echo(f"  {event.day:%a} {event.day}  {event.kind.value}{number}, by {event.source}")
    for signal in details.signals:
        click.echo(f"{signal.kind} on {signal.source}, {signal.day}: {signal.value:g}")


def _format_field(paper: Paper, name: str) -> str:
    value = getattr(paper, name)
    if name == "authors":
        return ", ".join(author.name for author in value[:10]) + (
            f" and {len(value) - 10} more" if len(value) > 10 else ""
        )
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, bool):
        return "yes" if value else ""
    return str(value)


def _make_json(details: PaperRecord) -> dict[str, Any]:
    from digest.cli.terminal.format_events import make_appearances_json
    from digest.render.delivery.files import make_paper_json

    return {
        "paper": make_paper_json(details.paper),
        "origins": {name: list(sources) for name, sources in details.origins.items()},
        "statements": [
            {"source": entry.source, "paper": make_paper_json(entry.paper)} for entry in details.statements
        ],
        "claims": [
            {"key": key, "scheme": scheme, "value": value, "apart": apart}
            for key, scheme, value, apart in details.claims
        ],
        "listed": make_appearances_json(details.listed),
        "events": [
            {
                "seq": entry.seq,
                "kind": entry.kind.value,
                "number": entry.number,
                "day": entry.day.isoformat(),
                "source": entry.source,
            }
            for entry in details.events
        ],
        "signals": [
            {"kind": entry.kind, "source": entry.source, "day": entry.day.isoformat(), "value": entry.value}
            for entry in details.signals
        ],
    }
