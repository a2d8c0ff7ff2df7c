"""``digest saved``: list the papers that readers saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json

if TYPE_CHECKING:
    from digest.jobs.subscribers.opinions import SavedPaper


@click.command()
@click.argument("digest", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "bibtex"]),
    default="text",
    show_default=True,
    help="How to print them; bibtex is for reference managers.",
)
@config_option
@json_option
def saved(digest: str | None, form: str, config: Path | None, *, as_json: bool) -> int:
    """List the papers that readers saved, newest first.

    Lists those of DIGEST or of all digests, including digests that are no longer in the configuration. Readers
    save a paper on its page.

    \b
    Example:
      digest saved llm-systems --format bibtex > saved.bib
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.jobs.editions.explain import find_digest
    from digest.jobs.subscribers.opinions import list_saved as gather
    from digest.render.papers.bibtex import format_bibtex

    with open_configured_app(config) as app, app.store.begin_read() as tx:
        saved_papers = gather(tx, find_digest(tx, digest).id if digest is not None else None)
    if as_json:
        print_json({"saved": [_make_json(saved_paper) for saved_paper in saved_papers]})
    elif form == "bibtex":
        click.echo(format_bibtex(dict.fromkeys(saved_paper.paper for saved_paper in saved_papers)), nl=False)
    elif saved_papers:
        _print(saved_papers)
    else:
        click.echo(
            "No papers are saved yet. If there is a site, mails link to pages on which readers can save papers."
        )
    return 0


def _print(saved_papers: list[SavedPaper]) -> None:
    from digest.core.text.tex import tex_to_unicode

    for saved_paper in saved_papers:
        click.secho(tex_to_unicode(saved_paper.paper.title), bold=True)
        aside = click.style(f"saved {saved_paper.at:%a %d %b %Y} from {saved_paper.digest}", dim=True)
        click.echo(f"  {saved_paper.paper.url or saved_paper.paper.key}  {aside}")


def _make_json(saved_paper: SavedPaper) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant, make_paper_json

    return {
        "digest": saved_paper.digest,
        "at": format_instant(saved_paper.at),
        "paper": make_paper_json(saved_paper.paper),
    }
