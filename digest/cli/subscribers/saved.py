"""The command that lists the papers which readers saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import config_option, json_option, opened, print_json

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
    help="How to print them; BibTeX is for programs that manage references.",
)
@config_option
@json_option
def saved(digest: str | None, form: str, config: Path | None, *, as_json: bool) -> int:
    """The papers that readers saved at their pages, the last one first.

    They are those of DIGEST, or of all digests, also of those that have left the file.

    \b
    Example:
      digest saved llm-systems --format bibtex > saved.bib
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are
    from digest.jobs.editions.explain import the_digest
    from digest.jobs.subscribers.opinions import saved as gather
    from digest.render.papers.bibtex import bibtex

    with opened(config) as app, app.store.reading() as tx:
        found = gather(tx, the_digest(tx, digest).id if digest is not None else None)
    if as_json:
        print_json({"saved": [_json(one) for one in found]})
    elif form == "bibtex":
        click.echo(bibtex(dict.fromkeys(one.paper for one in found)), nl=False)
    elif found:
        _print(found)
    else:
        click.echo("Nobody has saved a paper yet: each paper in a mail of a site has a link for that.")
    return 0


def _print(found: list[SavedPaper]) -> None:
    from digest.core.text.tex import tex_to_unicode

    for one in found:
        click.secho(tex_to_unicode(one.paper.title), bold=True)
        aside = click.style(f"saved {one.at:%a %d %b %Y} from {one.digest}", dim=True)
        click.echo(f"  {one.paper.url or one.paper.key}  {aside}")


def _json(one: SavedPaper) -> dict[str, Any]:
    from digest.render.delivery.files import instant_json, paper_json

    return {"digest": one.digest, "at": instant_json(one.at), "paper": paper_json(one.paper)}
