"""``digest subscribers invite``: mail invitations to a public digest."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.actors import make_shell_actor
from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.subscribers.accounts.invitations import InvitationResult, Inviter

_STDIN = "-"


@click.command()
@click.argument("addresses", nargs=-1, required=True, metavar="ADDRESS...")
@click.option(
    "--digest",
    "name",
    default="",
    metavar="NAME",
    help="The public digest; needed only if there are several.",
)
@config_option
@json_option
def invite(addresses: tuple[str, ...], name: str, config: Path | None, *, as_json: bool) -> int:
    """Invite each ADDRESS to a public digest, by a mail with a link.

    The link is valid for 14 days and works once, whoever can sign up on the site; with `who = "invited"`, nobody
    else gets in. Nothing is sent before the reader presses the button on its page, and of those who do not, no
    address is kept. An address that gets the digest, has left it, or bounced gets no mail, and neither does one
    that got a link in the last ten minutes, or three in a day.

    The ADDRESS - stands for a list on standard input, one address on each line; lines that begin with # are
    comments. If an address is invalid, nobody is invited.

    \b
    Examples:
      digest subscribers invite ada@example.org
      digest subscribers invite --digest kv-caches - < members.txt
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.jobs.subscribers.accounts.invitations import find_invited_digest

    with open_configured_app(config) as app:
        public_digest = find_invited_digest(app.settings, name)
        read_addresses = _read_addresses(addresses)
        results = []
        for result in _make_inviter(app).invite(public_digest, read_addresses, app.clock):
            results.append(result)
            if not as_json:
                click.echo(f"{result.address}: {_describe(result)}.", err=_is_failure(result))
        if as_json:
            print_json([_make_json(result, public_digest.name) for result in results])
        else:
            click.echo(_summarize(results, public_digest.title))
    return 1 if any(map(_is_failure, results)) else 0


def _read_addresses(arguments: Sequence[str]) -> list[str]:
    """Return the addresses of the arguments and of standard input, each mailbox once.

    Raises:
        ConfigError: some are invalid, or there are none; the message names them all.
    """
    from digest.config.values import read_address
    from digest.core.subscribers.signup_rules import find_address_mistake
    from digest.errors import ConfigError

    addresses: dict[str, str] = {}
    mistakes = []
    for text in _iter_texts(arguments):
        try:
            address = read_address(text)
        except ConfigError as error:
            mistakes.append(str(error))
            continue
        if find_address_mistake(address):
            mistakes.append(f"{text!r} cannot be a mailbox on the internet")
        addresses.setdefault(address.lower(), address)
    if mistakes:
        raise ConfigError("\n".join([*mistakes, "nobody was invited"]))
    if not addresses:
        raise ConfigError("there are no addresses on standard input")
    return list(addresses.values())


def _iter_texts(arguments: Sequence[str]) -> list[str]:
    texts = []
    for argument in arguments:
        lines = sys.stdin.read().splitlines() if argument == _STDIN else [argument]
        texts += [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return texts


def _make_inviter(app: App) -> Inviter:
    from functools import partial

    from digest.jobs.delivery.single_messages import deliver_at_once
    from digest.jobs.subscribers.accounts.invitations import Inviter

    assert app.pages is not None
    language = app.settings.site.language
    return Inviter(
        store=app.store,
        actor=make_shell_actor(),
        url=app.pages.url,
        signs_in=app.settings.site.is_encrypted,
        keys=app.pages.keys,
        language=language,
        locale_bundle=app.get_locale_bundle(language),
        sign_mail=app.sign_mail,
        deliver=partial(deliver_at_once, app.store, app.settings, "smtp", []),
    )


def _describe(result: InvitationResult) -> str:
    """Say what became of an invitation; follows the address."""
    from digest.cli.terminal import format_events
    from digest.jobs.subscribers.accounts.invitations import InvitationOutcome

    sentences = {
        InvitationOutcome.INVITED: "invited",
        InvitationOutcome.SUBSCRIBED: "gets it already",
        InvitationOutcome.UNSUBSCRIBED: "has unsubscribed, so no mail was sent; its reader can resume it by the link in an old mail",
        InvitationOutcome.RECENT: "got a mail with a link in the last ten minutes, or three in a day, so no other one was sent",
        InvitationOutcome.FAILED: f"the mail was not accepted: {result.answer}",
        InvitationOutcome.UNKNOWN: f"the mail may have arrived: {result.answer}",
        InvitationOutcome.UNTRIED: "not tried, because of the failure before",
        InvitationOutcome.SUPPRESSED: "no mail was sent: mail bounced, or its reader complained, before they deleted everything or changed their address",
    }
    if result.suppression is not None:
        return f"no mail was sent: {format_events.describe_suppression(result.suppression)}"
    return sentences[result.outcome]


def _is_failure(result: InvitationResult) -> bool:
    from digest.jobs.subscribers.accounts.invitations import InvitationOutcome

    failures = {InvitationOutcome.FAILED, InvitationOutcome.UNKNOWN, InvitationOutcome.UNTRIED}
    return result.outcome in failures


def _summarize(results: Sequence[InvitationResult], title: str) -> str:
    from digest.jobs.subscribers.accounts.invitations import InvitationOutcome
    from digest.render.languages.english import format_count

    counts = Counter(result.outcome for result in results)
    invited = counts.pop(InvitationOutcome.INVITED, 0)
    remainder = ", ".join(f"{count:,} {outcome.value}" for outcome, count in counts.items())
    sentence = f"{format_count(invited, 'address', 'addresses')} invited to {title}"
    return f"{sentence}; not invited: {remainder}." if remainder else f"{sentence}."


def _make_json(result: InvitationResult, digest: str) -> dict[str, object]:
    from digest.cli.terminal import format_events

    return {
        "address": result.address,
        "digest": digest,
        "outcome": result.outcome.value,
        "answer": result.answer,
        "suppression": format_events.make_suppression_json(result.suppression),
    }
