"""The commands that answer a question about a digest: why, preview."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
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
    from digest.app import App
    from digest.config import Destination
    from digest.jobs.editions.explain import Why
    from digest.model import Edition, Fit, Receipt

_FORMATS = ("html", "text", "eml", "rss", "atom", "json", "md")


# --- why ------------------------------------------------------------------------------------------


@click.command()
@click.argument("digest")
@click.argument("paper")
@config_option
@json_option
def why(digest: str, paper: str, config: Path | None, *, as_json: bool) -> int:
    """Why PAPER is, or is not, in DIGEST; PAPER is an id or address in any form."""
    from digest.jobs.editions.explain import why as explain

    with opened(config) as app:
        found = explain(app.store, digest, paper, app.writer.number_in_full)
        if as_json:
            print_json(_why_json(found))
        else:
            _print_why(app, found)
    return 0


def _print_why(app: App, found: Why) -> None:
    from digest.cli.terminal.format_events import evidence, rests
    from digest.core.text.tex import tex_to_unicode

    click.secho(found.verdict, bold=True)
    if found.pause is not None:
        click.echo(f"The digest {rests(found.pause, found.zone)}.")
    if found.paper is None:
        return
    click.echo(f"{tex_to_unicode(found.paper.title)} ({found.paper.key})")
    for batch, kind, who in found.listed:
        title = app.masthead.source_titles.get(batch.source, batch.source)
        by = f" by {who.name}" if who else ""
        click.echo(f"  listed by {title} {batch.section} as {kind.value}{by}, {batch.day:%a %d %b %Y}")
    for one in found.answers:
        if one.fit is not None:
            takes = "the exclusion " if one.exclude else ""
            whose = f" of {one.only!r}" if one.only else ""
            click.echo(f"  fits {takes}{one.follow!r}{whose} ({_how_surely(one.fit)}): {evidence(one.fit)}")
            if one.learned != 1:
                counts = f"{one.weight * one.learned:g} in place of {one.weight:g}"
                click.echo(f"    counts {counts}: its reader said more or less of papers that it brought")
    follows = [one for one in found.answers if not one.exclude]
    if follows and not any(one.fit for one in follows):
        click.echo("  fits no follow: " + ", ".join(repr(one.follow) for one in follows))


def _how_surely(fit: Fit) -> str:
    """The band, and that of the person where that is another one."""
    band, person = fit.band.name.lower(), fit.by_author.name.lower()
    return f"{band}, {person} by an author" if person not in {band, "not"} else band


def _why_json(found: Why) -> dict[str, Any]:
    from digest.cli.terminal.format_events import fit_json, listed_json

    return {
        "verdict": found.verdict,
        "paused": found.pause is not None,
        "paper": found.paper.key if found.paper else None,
        "listed": listed_json(found.listed),
        "events": [
            {"kind": event.kind.value, "number": event.number, "day": event.day.isoformat()}
            for event in found.events
        ],
        "fits": [
            {
                "follow": one.follow,
                "exclude": one.exclude,
                "only": one.only,
                "weight": one.weight,
                "learned": one.learned,
                **fit_json(one.fit),
            }
            for one in found.answers
            if one.fit is not None
        ],
        "told": [
            {"edition": one.edition, "place": one.place, "number": one.number, "alert": one.is_alert}
            for one in found.told
        ],
    }


# --- preview --------------------------------------------------------------------------------------


@click.command()
@click.argument("name")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option(
    "--to",
    "address",
    metavar="ADDRESS",
    help="Send it there as a test, by mail, chat or webhook; it counts as no edition.",
)
@config_option
@now_option
@json_option
def preview(
    name: str, form: str, address: str | None, config: Path | None, now: datetime | None, *, as_json: bool
) -> int:
    """The edition that digest NAME would get now, from what is in the store; sent to nobody."""
    from digest.cli.terminal.format_events import receipt_json
    from digest.jobs.delivery.channels import way_to
    from digest.jobs.editions.explain import preview as compose
    from digest.model import Sent

    with _rehearsing(config, now) as app:
        edition = compose(app.store, name, app.clock(), app.room)
        _say_paused(app, name)
        if address is None:
            formed = _formed(app, edition, "json" if as_json else form)
            click.echo(formed, nl=not formed.endswith(b"\n"))
            return 0
        to = way_to(app.settings, address)
        receipt = _send_test(app, edition, to)
    if as_json:
        print_json({"address": to.address, "receipt": receipt_json(receipt), "answer": receipt.answer})
    else:
        click.echo(f"{to.address}: {receipt_json(receipt)} {receipt.answer}".rstrip())
    return int(not isinstance(receipt, Sent))


def _say_paused(app: App, name: str) -> None:
    from digest.cli.terminal.format_events import rests
    from digest.jobs.editions.explain import the_digest

    with app.store.reading() as tx:
        digest = the_digest(tx, name)
    if digest.pause is not None:
        note = f"{name} {rests(digest.pause, digest.zone)}: this is what it would get if it were not."
        click.echo(f"{click.style('Note:', fg='yellow')} {note}", err=True)


@contextmanager
def _rehearsing(config: Path | None, now: datetime | None) -> Iterator[App]:
    """An app in which the file is applied and all is matched, and of which nothing stays."""
    from digest.cli.terminal.progress import progress
    from digest.jobs.matching.match import Matcher, Matching

    with opened(config, now) as app, app.store.rehearsal() as trial:
        rehearsing = replace(app, store=trial)
        rehearsing.apply(another_file=True)
        with progress(shown=on_terminal()) as bar:
            for happening in Matcher(trial).match():
                if isinstance(happening, Matching):
                    bar.follow(happening)
        yield rehearsing


def _formed(app: App, edition: Edition, form: str) -> bytes:
    from digest.render.delivery.files import files
    from digest.render.delivery.markdown import markdown
    from digest.render.publishing.digest_feed import Feed, digest_channel
    from digest.render.publishing.feeds import FORMS

    tongue = app.tongue(edition.language)
    if form == "md":
        return markdown(tongue.environment, edition, tongue.masthead).encode()
    if form in {"rss", "atom"}:
        feed = Feed(masthead=tongue.masthead, digest=edition.digest, title=edition.title, editions=(edition,))
        return FORMS[form].render(tongue.environment, digest_channel(tongue.environment, feed))
    ending = {"text": ".txt"}.get(form, f".{form}")
    return next(
        content
        for name, content in files(tongue.environment, edition, tongue.masthead)
        if name.endswith(ending)
    )


def _send_test(app: App, edition: Edition, to: Destination) -> Receipt:
    import secrets

    from digest.errors import ConfigError
    from digest.jobs.delivery.channels import lines_to

    ways = [one for one in lines_to(app.settings, [to]) if one.channel == to.channel and not one.stand_by]
    if not ways:
        raise ConfigError("a test mail needs [smtp] or [sendmail] in the configuration")
    number = f"<{secrets.token_hex(16)}@{app.masthead.host}>"
    with closing(ways[0].make()) as channel:
        _, receipt = next(iter(channel.deliver([app.writer.test(edition, to, number)])))
    return receipt
