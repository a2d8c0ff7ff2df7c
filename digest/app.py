"""The composition root: settings become a store, sources, channels and bound steps. Wires, decides nothing."""

from __future__ import annotations

import hashlib
import random
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import formataddr
from functools import cache, partial
from pathlib import Path
from typing import Any

import jinja2

from digest import __version__, plugins
from digest.config import (
    EnricherSettings,
    ImapSettings,
    OperatorSettings,
    Settings,
    SourceSettings,
    read_settings,
)
from digest.config.file.renamed_sources import with_present_names
from digest.config.file.secret_texts import collect_secrets
from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.errors import ConfigError, OptionError
from digest.jobs.cycle import Steps, worker
from digest.jobs.delivery import dispatcher
from digest.jobs.delivery.bounces import Hearing
from digest.jobs.delivery.channels import ALL, Part, make_lines, part_of
from digest.jobs.delivery.circuit_breaker import Brake
from digest.jobs.delivery.dispatcher import Desk
from digest.jobs.delivery.messages import Writer
from digest.jobs.delivery.send_rate import Pace
from digest.jobs.editions import compose
from digest.jobs.editions.room import Room
from digest.jobs.enrich import Inquirer
from digest.jobs.fetching import pull
from digest.jobs.fetching.pull import Puller
from digest.jobs.http.fetch import Clock, Fetcher
from digest.jobs.matching.match import Matcher
from digest.jobs.notices import BrokenTemplates
from digest.jobs.operations.operator_notices import Operator
from digest.jobs.operations.pruning import tidy_daily
from digest.jobs.operations.sync_config import apply
from digest.jobs.publishing import publish
from digest.jobs.publishing.folder import Folder
from digest.jobs.publishing.public import Public
from digest.jobs.publishing.static_site import Site
from digest.model import Mail
from digest.ports import Enricher, Line, Mailbox, Provider, Source
from digest.redaction import register_secrets
from digest.render.branding import Masthead
from digest.render.delivery.dkim_signing import Signer
from digest.render.delivery.headers import header_text
from digest.render.locale_bundle import Tongue, make_tongue
from digest.store.database import clock as clocks
from digest.store.database import leases
from digest.store.database.engine import Store, open_store
from digest.store.delivery.receipts import Patience
from digest.store.operations import clock_repair

_SHORTEST_KEY = 16
_CLOCK_SLACK = 24 * 3600
"""Seconds that ``--now`` may be from the machine's clock in a store that was not begun with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything a command needs, made from one file.

    Attributes:
        tongue: what editions of a language are made with.
        signer: signs them; None where they are not signed.
        path: what mails are sent from; None where that is the address in their From header.
        environ: for secrets.
        clock: gives the time.
        pages: the addresses of our own pages; None where we do not answer on the web.
        time_passes: False where it is always the same: with ``--now``, and in a store that was begun with it.
        warnings: what the operator should know about this store.
    """

    settings: Settings
    store: Store
    sources: Mapping[str, Source]
    enrichers: Mapping[str, Enricher]
    tongue: Callable[[str], Tongue]
    signer: Signer | None
    path: ReturnPath | None
    environ: Mapping[str, str] = field(repr=False)
    pages: OwnPages | None
    clock: Clock
    time_passes: bool
    warnings: tuple[str, ...]

    @property
    def environment(self) -> jinja2.Environment:
        """The templates in the site's language."""
        return self.tongue(self.settings.site.language).environment

    @property
    def masthead(self) -> Masthead:
        """What editions show of us, in the site's language."""
        return self.tongue(self.settings.site.language).masthead

    @contextmanager
    def steps(self, stop: threading.Event | None = None) -> Iterator[Steps]:
        """The verbs, bound; connections are closed at the end.

        Args:
            stop: set to end composing and delivering; None where they end by themselves.
        """
        with ExitStack() as stack:
            fetcher = Fetcher(self.settings.site.contact)
            stack.callback(fetcher.close)
            token = secrets.randbits(62)
            stack.enter_context(worker(self.store, token, self.clock()))
            yield self._steps(fetcher, token, stop or threading.Event())

    @contextmanager
    def rehearsed_steps(self) -> Iterator[Steps]:
        """The verbs for a rehearsal: what is due is told, and neither delivered nor published."""
        silent = replace(self, settings=replace(self.settings, operator=OperatorSettings()))
        with silent.steps() as steps:
            rehearsed = partial(dispatcher.rehearsed, self.store, self.clock)
            yield replace(
                steps,
                hear=lambda: iter(()),
                deliver=rehearsed,
                publish=tuple,
                enrich=lambda: iter(()),
                prune=lambda: None,
            )

    def _steps(self, fetcher: Fetcher, token: int, stop: threading.Event) -> Steps:
        store, sources, clock = self.store, self.sources, self.clock
        inquirer = Inquirer(
            store=store,
            enrichers=self.enrichers,
            fetcher=fetcher,
            token=token,
            clock=clock,
            sleep=fetcher.sleep,
        )
        puller = Puller(
            store=store,
            sources=sources,
            fetcher=fetcher,
            token=token,
            clock=clock,
            sleep=fetcher.sleep,
            chance=random.random,
        )
        lines, operator = make_lines(self.settings), self.operator
        return Steps(
            hear=lambda: self.hearing.hear(make_mailbox(self.settings), self.settings.bounces.interval),
            fire=lambda: compose.fire(store, sources, clock()),
            wanted=lambda: pull.wanted(store, sources, clock()),
            pull=lambda asks: operator.watched(puller.pull(asks)),
            match=Matcher(store).match,
            alert=lambda: compose.alert(store, clock()),
            close=lambda wait: compose.close(store, sources, clock(), wait=wait),
            compose=lambda: self._compose(token, stop),
            deliver=lambda part=ALL: operator.passed(self._desk(lines, part, token, stop).run()),
            publish=self._publish,
            enrich=inquirer.enrich,
            prune=lambda: tidy_daily(store, self.settings.keep, clock()),
        )

    def _compose(self, token: int, stop: threading.Event) -> int:
        return compose.compose_all(
            self.store,
            compose.Letters(key=signing_keys(self.store, self.environ)[0], domain=self.masthead.host),
            token,
            self.clock(),
            spread=self.settings.delivery.spread,
            room=self.room,
            stop=stop,
        )

    def _desk(self, lines: Sequence[Line], part: Part, token: int, stop: threading.Event) -> Desk:
        limits = self.settings.delivery
        return Desk(
            store=self.store,
            lines=part_of(lines, part),
            write=self.writer.message,
            pace=Pace(limits=limits, machine=_machine_clock),
            brake=Brake(limits=limits),
            patience=Patience(keep_trying=limits.keep_trying, jitter=random.random),
            token=token,
            clock=self.clock,
            time_passes=self.time_passes,
            stop=stop,
            begins=part.number / part.of,
        )

    def apply(self, *, another_file: bool = False) -> None:
        """Make the store's digests those of the file."""
        apply(self.store, self.settings, self.sources, self.clock(), another_file=another_file)

    @property
    def operator(self) -> Operator:
        """Tells whoever looks after us; what is odd about the time is told first."""
        operator = Operator(
            store=self.store,
            settings=self.settings,
            masthead=self.masthead,
            sign=self.signed,
            clock=self.clock,
        )
        for warning in self.warnings if self.settings.operator.notify else ():
            operator.note("clock", f"A clock is wrong: {warning}.")
        return operator

    @property
    def room(self) -> Room:
        """How much goes into an edition."""
        return Room(has_pages=self.pages is not None)

    @property
    def writer(self) -> Writer:
        """Writes the messages of editions."""
        return Writer(
            tongue=self.tongue,
            sender=self.masthead.sender,
            sign=self.signed,
            pages=self.pages,
        )

    def signed(self, mail: Mail) -> Mail:
        """The mail as it goes out: with our signatures where we have keys, from where it can come back to."""
        if self.signer:
            mail = replace(mail, content=self.signer.signed(mail.content))
        if self.path and mail.delivery:
            mail = replace(mail, sender=self.path.of(mail.delivery))
        return mail

    @property
    def hearing(self) -> Hearing:
        """Takes what comes back about our mail."""
        smtp = self.settings.smtp or self.settings.sendmail
        return Hearing(
            store=self.store,
            path=self.path,
            pages=self.pages,
            sender=smtp.from_address if smtp else "",
            clock=self.clock,
        )

    @property
    def made_by(self) -> str:
        """Another one where the same editions give other files: by other templates, or another release."""
        own = self.settings.templates
        texts = (
            {str(file): file.read_bytes() for file in sorted(own.rglob("*")) if file.is_file()} if own else {}
        )
        head = self.masthead
        shown = (
            head.title,
            head.url,
            head.contact,
            head.sender,
            head.locale.tag,
            sorted(head.source_titles.items()),
        )
        what = (__version__, shown, texts)
        return hashlib.sha256(repr(what).encode(errors="replace")).hexdigest()

    @property
    def site(self) -> Site:
        """The pages of the output folder."""
        return Site(folder=self.settings.output, tongue=self.tongue, language=self.settings.site.language)

    @property
    def public(self) -> Public:
        """What everybody can read."""
        return Public(store=self.store, settings=self.settings, clock=self.clock)

    @property
    def folder(self) -> Folder:
        """Makes the files of the output folder."""
        return Folder(settings=self.settings, tongue=self.tongue, public=self.public)

    def _publish(self) -> tuple[Path, ...]:
        own = publish.publish(self.store, self.site, self.folder.published, self.made_by)
        out = self.settings.output
        return (*own, *publish.publish_public(self.public, out, self.folder.public_files, self.made_by))


@contextmanager
def open_app(config: Path, now: datetime | None, environ: Mapping[str, str]) -> Iterator[App]:
    """Read the file and open what it names.

    Args:
        config: the file.
        now: the time to act at; None for the machine's clock.
        environ: for secrets.

    Raises:
        ConfigError: the file, or ``now``, is wrong.
        StoreError: the store cannot be opened.
    """
    settings = read_settings(config, environ)
    sources, enrichers = _make_both(settings)
    keys = (key.decode() for key in given_keys(environ))
    register_secrets((*collect_secrets(settings, *sources.values(), *enrichers.values()), *keys))
    settings, outdated = with_present_names(settings, _former_names(sources))
    _demand_sources(settings, sources)
    store = open_store(settings.store, datetime.now(UTC))
    try:
        clock, warnings = _make_clock(store, now)
        broken = BrokenTemplates(store=store, clock=clock)
        masthead = make_masthead(settings, sources, enrichers)
        yield App(
            settings=settings,
            store=store,
            sources=sources,
            enrichers=enrichers,
            tongue=cache(lambda language: make_tongue(language, masthead, settings.templates, broken.note)),
            signer=make_signer(settings),
            path=make_path(settings, store, environ),
            environ=environ,
            pages=make_pages(settings, store, environ),
            clock=clock,
            time_passes=clock is _machine_clock,
            warnings=(*outdated, *warnings),
        )
    finally:
        store.close()


def _make_clock(store: Store, now: datetime | None) -> tuple[Clock, tuple[str, ...]]:
    """The clock that a command goes by, and what the operator should know about the time.

    A store of the real time and one of a simulated time do not mix: in one that was begun with ``--now`` it
    is, without it, as late as it was at the last command.

    Raises:
        ConfigError: ``--now`` is far from the machine's clock in a store that was not begun with it.
    """
    machine = datetime.now(UTC)
    far = now is not None and abs((now - machine).total_seconds()) > _CLOCK_SLACK
    with store.writing() as tx:
        simulated = clocks.begun_with_now(tx, given=now is not None)
        if far and not simulated:
            raise ConfigError(
                "--now is more than a day from the clock, and this store was begun without it: "
                "try out other times in a store of their own ([store] url)"
            )
        seen = clocks.latest_seen(tx)
        here = now or (seen if simulated and seen else machine)
        warnings: tuple[str, ...] = ()
        if seen is not None and clocks.was_set_back(here, seen):
            warnings = (clock_repair.told(here, seen, is_behind=clock_repair.is_behind(tx, here)),)
        elif now is None or simulated:  # what is tried out by --now was no time of a real store
            clocks.see(tx, here)
    stands_still = now is not None or simulated
    return (lambda: here) if stands_still else _machine_clock, warnings


def _machine_clock() -> datetime:
    return datetime.now(UTC)


# --- parts ----------------------------------------------------------------------------------------


def make_sources(settings: Settings) -> dict[str, Source]:
    """The sources of the file, by name.

    Raises:
        ConfigError: an option is wrong, or two sources have one name.
    """
    return _named("sources", settings.sources)


def make_enrichers(settings: Settings) -> dict[str, Enricher]:
    """The enrichers of the file, by name.

    Raises:
        ConfigError: an option is wrong, or two enrichers have one name.
    """
    return _named("enrichers", settings.enrichers)


def _make_both(settings: Settings) -> tuple[dict[str, Source], dict[str, Enricher]]:
    """Sources and enrichers; what is wrong with both is told at once."""
    try:
        sources = make_sources(settings)
    except ConfigError as error:
        try:
            make_enrichers(settings)
        except ConfigError as more:
            raise ConfigError(f"{error}\n{more}") from error
        raise
    return sources, make_enrichers(settings)


def _named(kind: str, declared: Iterable[SourceSettings | EnricherSettings]) -> dict[str, Any]:
    """The plug-ins of a kind that the file declares."""
    made: dict[str, Any] = {}
    wrong: list[str] = []
    for one in declared:
        try:
            plugin = _made(kind, one)
        except ConfigError as error:
            wrong.append(str(error))
            continue
        if plugin.name in made:
            wrong.append(
                f"{one.where('use')}: two {kind} are named {plugin.name!r}; give one of them another `name`"
            )
        made[plugin.name] = plugin
    if wrong:
        raise ConfigError("\n".join(wrong))
    return made


def _former_names(sources: Mapping[str, Source]) -> dict[str, str]:
    """The present names of sources by those that earlier releases gave them, as far as no source has these now."""
    return {
        former: name
        for name, source in sources.items()
        for former in source.former_names
        if former not in sources
    }


def _demand_sources(settings: Settings, sources: Mapping[str, Source]) -> None:
    """Make sure that digests wait for sources that there are.

    Raises:
        ConfigError: one waits for another.
    """
    for digest in settings.digests:
        for place, name in enumerate(digest.wait_for):
            if name not in sources:
                where = digest.where(f"wait_for[{place}]")
                raise ConfigError(f"{where}: there is no source {name!r}{plugins.instead(name, sources)}")


def _made(kind: str, declared: SourceSettings | EnricherSettings) -> Any:
    """A plug-in.

    Raises:
        ConfigError: it cannot be made; a line for each mistake.
    """
    try:
        plugin = plugins.load(kind, declared.use)
    except ConfigError as error:
        raise ConfigError(f"{declared.where('use')}: {error}") from error
    try:
        return plugins.build(plugin, declared.options)
    except OptionError as first:
        errors = plugins.option_errors(plugin, declared.options)
        told = [f"{declared.where(one.key)}: {one}" for one in errors]
        raise ConfigError("\n".join(told)) from first


def make_masthead(
    settings: Settings, sources: Mapping[str, Source], enrichers: Mapping[str, Enricher]
) -> Masthead:
    """What editions show of the operator."""
    site = settings.site
    head = Masthead(title=site.title, url=site.url, contact=site.contact)
    if mail := settings.smtp or settings.sendmail:
        sender = formataddr((header_text(mail.from_name), mail.from_address))
    else:
        sender = formataddr((header_text(site.title), f"digest@{head.host}"))
    pages = {name: source.page_of for name, source in sources.items()}
    titles = {name: one.title for name, one in enrichers.items()} | pull.titles_of(sources)
    return replace(head, sender=sender, source_titles=titles, paper_pages=pages)


def make_signer(settings: Settings) -> Signer | None:
    """What signs our mails; None where they are not signed."""
    return Signer(settings.dkim.domain, settings.dkim.keys) if settings.dkim else None


def make_pages(settings: Settings, store: Store, environ: Mapping[str, str]) -> OwnPages | None:
    """The addresses of our own pages; None where we do not answer on the web.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    if not settings.site.answers:
        return None
    return OwnPages(url=settings.site.url, keys=signing_keys(store, environ))


def make_path(settings: Settings, store: Store, environ: Mapping[str, str]) -> ReturnPath | None:
    """What mails are sent from, each with its number; None where the file names no address for that.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    address = settings.bounces.address
    return ReturnPath(address=address, keys=signing_keys(store, environ)) if address else None


def make_mailbox(settings: Settings) -> Mailbox | None:
    """Where what came back is read; None where nobody reads it. Nothing is connected yet."""
    match settings.bounces.mailbox:
        case None:
            return None
        case ImapSettings() as where:
            from digest.mailboxes import imap

            options = {name: getattr(where, name) for name in ("host", "port", "tls", "folder")}
            login = {name: getattr(where, name) for name in ("username", "password", "ca_file")}
            return imap.Mailbox(**options, **login)
        case folder:
            from digest.mailboxes import maildir

            return maildir.Mailbox(folder=folder)


def make_providers(settings: Settings) -> dict[str, Provider]:
    """Who tells us what became of our mail, by name.

    Raises:
        ConfigError: an option is wrong.
    """
    made: dict[str, Provider] = {}
    for declared in settings.bounces.providers:
        if not settings.site.answers:
            raise ConfigError(
                f"{declared.where('use')}: it tells by requests to our site, and there is none; write `url` in [site]"
            )
        try:
            made[declared.use] = plugins.build(plugins.load("bounces", declared.use), declared.options)
        except OptionError as error:
            raise ConfigError(f"{declared.where(error.key)}: {error}") from error
    register_secrets(collect_secrets(settings, *made.values()))
    return made


def signing_keys(store: Store, environ: Mapping[str, str]) -> tuple[bytes, ...]:
    """The keys for links and Message-IDs: the environment's, else the store's own, made at its first use.

    Returns:
        The one that signs, then those whose links still lead on.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    if given := given_keys(environ):
        return given
    with store.writing() as tx:
        return (leases.signing_key(tx, secrets.token_bytes(32)),)


def given_keys(environ: Mapping[str, str]) -> tuple[bytes, ...]:
    """The keys of the environment, the one that signs first; none where it has none.

    Raises:
        ConfigError: one can be guessed.
    """
    given = environ.get("DIGEST_KEY", "").split()
    if given and min(map(len, given)) < _SHORTEST_KEY:
        raise ConfigError(
            f"DIGEST_KEY has a key of fewer than {_SHORTEST_KEY} characters, which can be guessed: "
            "take what `openssl rand -hex 32` gives"
        )
    return tuple(key.encode() for key in given)
