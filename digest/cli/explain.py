"""``digest why`` and ``digest preview``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
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
    from digest.app import App
    from digest.config import Destination
    from digest.jobs.editions.explain import PaperExplanation
    from digest.model import Edition, MatchResult, Receipt

_FORMATS = ("html", "text", "eml", "epub", "rss", "atom", "json", "md")


# --- why ------------------------------------------------------------------------------------------


@click.command()
@click.argument("digest")
@click.argument("paper")
@config_option
@json_option
def why(digest: str, paper: str, config: Path | None, *, as_json: bool) -> int:
    """Explain why PAPER is, or is not, in DIGEST.

    Says in which edition the paper appeared and at which position, or when the edition that will contain it is
    due; where the paper was listed; and which follows it matches. PAPER is an arXiv id or address in any form,
    or a DOI.

    \b
    Example:
      digest why llm-systems 2605.06472
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.jobs.editions.explain import explain_paper as explain

    with open_configured_app(config) as app:
        explanation = explain(app.store, digest, paper, app.message_writer.count_full_papers)
        if as_json:
            print_json(_make_why_json(explanation))
        else:
            _print_why(app, explanation)
    return 0


def _print_why(app: App, explanation: PaperExplanation) -> None:
    from digest.cli.terminal.format_events import describe_pause, format_evidence
    from digest.core.text.tex import tex_to_unicode

    click.secho(explanation.verdict, bold=True)
    if explanation.pause is not None:
        click.echo(f"The digest {describe_pause(explanation.pause, explanation.zone)}.")
    if explanation.paper is None:
        return
    click.echo(f"{tex_to_unicode(explanation.paper.title)} ({explanation.paper.key})")
    for batch, kind, submitter in explanation.listed:
        title = app.branding.source_titles.get(batch.source, batch.source)
        by = f" by {submitter.name}" if submitter else ""
        click.echo(
            f"  listed by {title} {batch.section} as {kind.value}{by}, {batch.day:%a} {batch.day.day} {batch.day:%b %Y}"
        )
    for answer in explanation.answers:
        if answer.match_result is not None:
            role = "the exclusion " if answer.exclude else ""
            scope = f" of {answer.only!r}" if answer.only else ""
            click.echo(
                f"  matches {role}{answer.follow!r}{scope} ({_describe_confidence(answer.match_result)}): {format_evidence(answer.match_result)}"
            )
            if answer.learned != 1:
                weights = f"{answer.weight * answer.learned:g} instead of {answer.weight:g}"
                click.echo(f"    weight {weights}, because its reader asked for more or fewer such papers")
    follows = [answer for answer in explanation.answers if not answer.exclude]
    if follows and not any(answer.match_result for answer in follows):
        click.echo("  matches no follow: " + ", ".join(repr(answer.follow) for answer in follows))


def _describe_confidence(fit: MatchResult) -> str:
    """Format the confidence, and that of the author if it differs."""
    confidence, author_confidence = fit.confidence.name.lower(), fit.author_confidence.name.lower()
    return (
        f"{confidence}; {author_confidence} as an author"
        if author_confidence not in {confidence, "not"}
        else confidence
    )


def _make_why_json(explanation: PaperExplanation) -> dict[str, Any]:
    from digest.cli.terminal.format_events import make_appearances_json, make_fit_json

    return {
        "verdict": explanation.verdict,
        "paused": explanation.pause is not None,
        "paper": explanation.paper.key if explanation.paper else None,
        "listed": make_appearances_json(explanation.listed),
        "events": [
            {"kind": event.kind.value, "number": event.number, "day": event.day.isoformat()}
            for event in explanation.events
        ],
        "fits": [
            {
                "follow": entry.follow,
                "exclude": entry.exclude,
                "only": entry.only,
                "weight": entry.weight,
                "learned": entry.learned,
                **make_fit_json(entry.match_result),
            }
            for entry in explanation.answers
            if entry.match_result is not None
        ],
        "told": [
            {"edition": entry.edition, "place": entry.place, "number": entry.number, "alert": entry.is_alert}
            for entry in explanation.positions
        ],
    }


# --- preview --------------------------------------------------------------------------------------


@click.command()
@click.argument("name")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="How to print the edition; md is Markdown. An epub must be redirected to a file.",
)
@click.option(
    "--to",
    "address",
    metavar="ADDRESS",
    help="Send it there, marked [test], by mail or another channel. It does not count as an edition.",
)
@config_option
@now_option
@json_option
def preview(
    name: str, form: str, address: str | None, config: Path | None, now: datetime | None, *, as_json: bool
) -> int:
    """Show the edition that digest NAME would get now.

    The edition is composed from the database and the current configuration. It is sent to nobody and not
    stored. Papers that the digest has already reported are not in it.

    \b
    Examples:
      digest preview llm-systems
      digest preview llm-systems --format html > preview.html
      digest preview llm-systems --format epub > preview.epub
      digest preview llm-systems --to me@example.org
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.cli.terminal.format_events import get_receipt_name
    from digest.jobs.delivery.channels import find_destination
    from digest.jobs.editions.preview import build_preview as compose
    from digest.model import Sent

    form = "json" if as_json else form
    if form == "epub" and address is None:
        _require_redirection(name)
    with _rehearse_matching(config, now) as app:
        edition = compose(app.store, name, app.clock(), app.edition_capacity)
        _note_pause(app, name)
        if address is None:
            content = _render_edition(app, edition, form)
            click.echo(content, nl=form != "epub" and not content.endswith(b"\n"))
            return 0
        destination = find_destination(app.settings, address)
        receipt = _send_test(app, edition, destination)
    if as_json:
        print_json(
            {"address": destination.address, "receipt": get_receipt_name(receipt), "answer": receipt.answer}
        )
    else:
        click.echo(f"{destination.address}: {get_receipt_name(receipt)} {receipt.answer}".rstrip())
    return int(not isinstance(receipt, Sent))


def _require_redirection(name: str) -> None:
    """Check that standard output is not a terminal, which an EPUB would garble.

    Raises:
        ConfigError: it is a terminal.
    """
    from digest.errors import ConfigError

    if sys.stdout.isatty():
        raise ConfigError(
            f"an EPUB is not text; write it to a file: digest preview {name} --format epub > {name}.epub"
        )


def _note_pause(app: App, name: str) -> None:
    from digest.cli.terminal.format_events import describe_pause
    from digest.jobs.editions.explain import find_digest

    with app.store.begin_read() as tx:
        digest = find_digest(tx, name)
    if digest.pause is not None:
        note = f"{name} {describe_pause(digest.pause, digest.options.timezone)}. This is what it would get without the pause."
        click.echo(f"{click.style('Note:', fg='yellow')} {note}", err=True)


@contextmanager
def _rehearse_matching(config: Path | None, now: datetime | None) -> Iterator[App]:
    """Open an app with the configuration applied and all papers matched; all changes are rolled back."""
    from digest.cli.terminal.progress import show_progress
    from digest.jobs.matching.match import EventMatcher, MatchProgress

    with open_configured_app(config, now) as app, app.store.begin_dry_run() as trial_store:
        trial_app = replace(app, store=trial_store)
        trial_app.apply_config(allows_other_file=True)
        with show_progress(is_enabled=is_on_terminal()) as bar:
            for event in EventMatcher(trial_store).match():
                if isinstance(event, MatchProgress):
                    bar.update(event)
        yield trial_app


def _render_edition(app: App, edition: Edition, form: str) -> bytes:
    from digest.render.delivery.epub import render_epub
    from digest.render.delivery.files import render_files
    from digest.render.delivery.markdown import render_markdown
    from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
    from digest.render.publishing.feeds import FEED_FORMATS

    locale = app.get_locale_bundle(edition.language)
    if form == "epub":
        return render_epub(locale.environment, edition, locale.branding)
    if form == "md":
        return render_markdown(locale.environment, edition, locale.branding).encode()
    if form in {"rss", "atom"}:
        feed = DigestFeed(
            branding=locale.branding, digest=edition.digest, title=edition.title, editions=(edition,)
        )
        return FEED_FORMATS[form].render(locale.environment, make_digest_feed(locale.environment, feed))
    ending = {"text": ".txt"}.get(form, f".{form}")
    return next(
        content
        for name, content in render_files(locale.environment, edition, locale.branding)
        if name.endswith(ending)
    )


def _send_test(app: App, edition: Edition, destination: Destination) -> Receipt:
    import secrets

    from digest.errors import ConfigError
    from digest.jobs.delivery.channels import make_connections_to

    connections = [
        connection
        for connection in make_connections_to(app.settings, [destination])
        if connection.channel == destination.channel and not connection.is_stand_by
    ]
    if not connections:
        raise ConfigError("a test mail needs [smtp] or [sendmail] in the configuration")
    message_id = f"<{secrets.token_hex(16)}@{app.branding.host}>"
    with closing(connections[0].make_channel()) as channel:
        _, receipt = next(
            iter(channel.deliver([app.message_writer.make_test_message(edition, destination, message_id)]))
        )
    return receipt
