"""The composition root: builds the store, sources, channels and bound steps from the settings, and makes no decisions."""

from __future__ import annotations

import hashlib
import random
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import formataddr
from functools import cache, partial
from pathlib import Path

import jinja2

from digest import __version__
from digest.config import OperatorSettings, Settings, read_settings
from digest.config.file.renamed_sources import replace_former_names
from digest.config.file.secret_texts import collect_secrets
from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.core.delivery.retries import RetryPolicy
from digest.errors import ConfigError
from digest.jobs.cycle import CycleSteps, register_worker
from digest.jobs.delivery import outbox
from digest.jobs.delivery.bounces.receiver import ReportReceiver
from digest.jobs.delivery.channels import SINGLE_PROCESS, ProcessShare, make_connections, select_share
from digest.jobs.delivery.circuit_breaker import CircuitBreaker
from digest.jobs.delivery.claims import ClaimCursor
from digest.jobs.delivery.dispatcher import DeliveryDispatcher, make_dispatcher
from digest.jobs.delivery.messages import MessageWriter
from digest.jobs.delivery.readers.address_book import StoredAddressBook
from digest.jobs.delivery.send_rate import SendRate
from digest.jobs.delivery.sender_pool import SenderPool
from digest.jobs.editions import compose
from digest.jobs.editions.room import EditionCapacity
from digest.jobs.enrich import EnrichmentRunner
from digest.jobs.fetching import pull
from digest.jobs.fetching.pull import Puller
from digest.jobs.http.fetch import Clock, Fetcher
from digest.jobs.matching.match import EventMatcher
from digest.jobs.notices import BrokenTemplates
from digest.jobs.operations.operator_notices import OperatorNotifier
from digest.jobs.operations.pruning import prune_daily
from digest.jobs.operations.sync_config import apply_config
from digest.jobs.papers.trends import make_trending_events
from digest.jobs.publishing import publish
from digest.jobs.publishing.daily_papers import DailyPaperLoader
from digest.jobs.publishing.folder import OutputFolder
from digest.jobs.publishing.public import PublicFeedLoader
from digest.jobs.publishing.static_site import StaticSite
from digest.jobs.services import (
    find_service_mistakes,
    make_mailbox,
    make_services,
    map_former_names,
    require_sources,
)
from digest.jobs.subscribers.destinations.dead_destinations import stop_dead_destinations
from digest.jobs.subscribers.destinations.own_destinations import withhold_services
from digest.jobs.subscribers.public_digests import apply_public_digests
from digest.jobs.subscribers.shipped_digests import add_shipped_digests
from digest.model import Mail
from digest.ports import AddressBook, Connection, Enricher, Source
from digest.redaction import register_secrets
from digest.render.branding import Branding
from digest.render.delivery.dkim_signing import Signer
from digest.render.delivery.headers import clean_header_text
from digest.render.languages.by_name import get_locale
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from digest.render.mail_maker import MailMaker
from digest.render.theme import make_theme
from digest.store.database import clock as clocks
from digest.store.database import leases
from digest.store.database.engine import Store, open_store
from digest.store.operations import clock_repair

_MIN_KEY_LENGTH = 16
_MAX_CLOCK_OFFSET = 24 * 3600
"""Maximum offset of ``--now`` from the machine's clock, in seconds, in a store that was created without ``--now``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that a command needs, made from one configuration file.

    Attributes:
        get_locale_bundle: returns templates and branding in a language.
        signer: signs mails; None if they are not signed.
        return_path: makes envelope senders; None if mails are sent from the address in their From header.
        environ: the environment, for secrets.
        clock: returns the time, UTC.
        pages: the addresses of our own pages; None if there is no web site.
        time_passes: False if the clock stands still: with ``--now``, and in a store that was created with it.
        warnings: what the operator should know about this store.
    """

    settings: Settings
    store: Store
    sources: Mapping[str, Source]
    enrichers: Mapping[str, Enricher]
    get_locale_bundle: Callable[[str], LocaleBundle]
    signer: Signer | None
    return_path: ReturnPath | None
    environ: Mapping[str, str] = field(repr=False)
    pages: OwnPages | None
    clock: Clock
    time_passes: bool
    warnings: tuple[str, ...]

    @property
    def environment(self) -> jinja2.Environment:
        """The templates in the site's language."""
        return self.get_locale_bundle(self.settings.site.language).environment

    @property
    def branding(self) -> Branding:
        """The branding of editions, in the site's language."""
        return self.get_locale_bundle(self.settings.site.language).branding

    @contextmanager
    def open_steps(self, stop: threading.Event | None = None) -> Iterator[CycleSteps]:
        """Bind the steps of a cycle; connections are closed at the end.

        Args:
            stop: set to end composing and delivering; None if they end by themselves.
        """
        with ExitStack() as stack:
            fetcher = Fetcher(self.settings.site.contact)
            stack.callback(fetcher.close)
            token = secrets.randbits(62)
            stack.enter_context(register_worker(self.store, token, self.clock()))
            yield self._make_steps(fetcher, token, stop or threading.Event())

    @contextmanager
    def open_rehearsal_steps(self) -> Iterator[CycleSteps]:
        """Bind the steps of a rehearsal, which reports what is due and neither delivers nor publishes."""
        silent_app = replace(self, settings=replace(self.settings, operator=OperatorSettings()))
        with silent_app.open_steps() as steps:
            rehearse_delivery = partial(outbox.list_due_for_rehearsal, self.store, self.clock)
            yield replace(
                steps,
                read_reports=lambda: iter(()),
                deliver=rehearse_delivery,
                publish=tuple,
                enrich=lambda: iter(()),
                prune=lambda: None,
            )

    def _make_steps(self, fetcher: Fetcher, token: int, stop: threading.Event) -> CycleSteps:
        store, sources, clock = self.store, self.sources, self.clock
        enrichment_runner = EnrichmentRunner(
            store=store,
            enrichers=self.enrichers,
            fetcher=fetcher,
            token=token,
            clock=clock,
            sleep=fetcher.wait,
        )
        puller = Puller(
            store=store,
            sources=sources,
            fetcher=fetcher,
            token=token,
            clock=clock,
            sleep=fetcher.wait,
            next_jitter=random.random,
        )
        connections = make_connections(self.settings, self.address_book)
        operator_notifier = self.operator_notifier
        return CycleSteps(
            read_reports=lambda: self.report_receiver.read_due(
                make_mailbox(self.settings), self.settings.bounces.interval
            ),
            fire=lambda: compose.fire_slots(store, sources, clock()),
            list_asks=lambda: pull.list_asks(store, sources, clock()),
            pull=lambda asks: operator_notifier.watch_events(puller.pull(asks)),
            find_trending=lambda: make_trending_events(store, clock()),
            match=EventMatcher(store).match,
            alert=lambda: compose.open_alert_run(store, clock()),
            close=lambda wait: compose.close_runs(store, sources, clock(), wait=wait),
            compose=lambda: self._compose(token, stop),
            deliver=lambda share=SINGLE_PROCESS: operator_notifier.watch_pass(
                self._make_dispatcher(connections, share, token, stop).run()
            ),
            publish=self._publish,
            enrich=enrichment_runner.enrich_all,
            prune=self._prune,
        )

    def _compose(self, token: int, stop: threading.Event) -> int:
        return compose.compose_editions(
            self.store,
            compose.MessageIds(key=load_signing_keys(self.store, self.environ)[0], domain=self.branding.host),
            token,
            self.clock(),
            spread=self.settings.delivery.spread,
            capacity=self.edition_capacity,
            stop=stop,
        )

    def _prune(self) -> None:
        prune_daily(self.store, self.settings.keep, self.clock())
        if self.settings.signup and self.settings.signup.destinations:
            stop_dead_destinations(self.store, self.clock())

    def _make_dispatcher(
        self, connections: Sequence[Connection], share: ProcessShare, token: int, stop: threading.Event
    ) -> DeliveryDispatcher:
        delivery_settings = self.settings.delivery
        send_rate = SendRate(settings=delivery_settings, machine_clock=_read_machine_clock)
        return make_dispatcher(
            store=self.store,
            pool=SenderPool.create(
                select_share(connections, share), self.message_writer.make_message, self.clock
            ),
            cursor=ClaimCursor(send_rate=send_rate, token=token),
            circuit_breaker=CircuitBreaker(settings=delivery_settings),
            retry_policy=RetryPolicy(keep_trying=delivery_settings.keep_trying, jitter=random.random),
            clock=self.clock,
            time_passes=self.time_passes,
            stop=stop,
        )

    def apply_config(self, *, allows_other_file: bool = False) -> None:
        """Apply the file's digests and public digests to the store."""
        now = self.clock()
        applied = apply_config(
            self.store, self.settings, self.sources, now, allows_other_file=allows_other_file
        )
        apply_public_digests(self.store, self.settings, now, applied)
        withhold_services(self.store, self.settings)

    @property
    def address_book(self) -> AddressBook:
        """The chats and webhooks of readers, as far as the file allows them."""
        signup = self.settings.signup
        return StoredAddressBook(
            store=self.store,
            load_keys=cache(lambda: load_signing_keys(self.store, self.environ)),
            allowed=signup.destinations if signup else (),
        )

    @property
    def operator_notifier(self) -> OperatorNotifier:
        """Notifies the operator; problems of the clock are reported first."""
        notifier = OperatorNotifier(
            store=self.store,
            settings=self.settings,
            branding=self.branding,
            sign_mail=self.sign_mail,
            clock=self.clock,
        )
        for warning in self.warnings if self.settings.operator.notify else ():
            notifier.note_trouble("clock", f"A clock is wrong: {warning}.")
        return notifier

    @property
    def edition_capacity(self) -> EditionCapacity:
        """The number of papers that fit into an edition."""
        return EditionCapacity(has_pages=self.pages is not None)

    @property
    def message_writer(self) -> MessageWriter:
        """Makes the messages of one pass; its caches live no longer than the pass."""
        return MessageWriter(
            get_locale_bundle=self.get_locale_bundle,
            mail_maker=MailMaker(self.get_locale_bundle),
            sender=self.branding.sender,
            sign_mail=self.sign_mail,
            pages=self.pages,
        )

    def sign_mail(self, mail: Mail) -> Mail:
        """Return a mail as it is sent: signed if there are keys, and with its return path if there is one."""
        if self.signer:
            mail = replace(mail, content=self.signer.sign_message(mail.content))
        if self.return_path and mail.delivery:
            mail = replace(mail, sender=self.return_path.make_address(mail.delivery))
        return mail

    @property
    def report_receiver(self) -> ReportReceiver:
        """Receives reports about our mail."""
        smtp = self.settings.smtp or self.settings.sendmail
        return ReportReceiver(
            store=self.store,
            return_path=self.return_path,
            pages=self.pages,
            sender=smtp.from_address if smtp else "",
            clock=self.clock,
        )

    @property
    def output_fingerprint(self) -> str:
        """A hash that changes if the same editions would yield other files (other templates, another release)."""
        template_folder = self.settings.templates
        template_texts = (
            {str(file): file.read_bytes() for file in sorted(template_folder.rglob("*")) if file.is_file()}
            if template_folder
            else {}
        )
        branding = self.branding
        branding_values = (
            branding.title,
            branding.url,
            branding.contact,
            branding.sender,
            branding.locale.tag,
            sorted(branding.source_titles.items()),
            branding.theme,
        )
        fingerprint_parts = (__version__, branding_values, template_texts)
        return hashlib.sha256(repr(fingerprint_parts).encode(errors="replace")).hexdigest()

    @property
    def static_site(self) -> StaticSite:
        """The pages of the output folder."""
        return StaticSite(
            folder=self.settings.output,
            get_locale_bundle=self.get_locale_bundle,
            language=self.settings.site.language,
        )

    @property
    def public_feeds(self) -> PublicFeedLoader:
        """Loads the public feeds."""
        return PublicFeedLoader(store=self.store, settings=self.settings, clock=self.clock)

    @property
    def daily_papers(self) -> DailyPaperLoader:
        """Loads the papers of days, and keeps the last ones in memory."""
        return DailyPaperLoader(store=self.store, clock=self.clock)

    @property
    def output_folder(self) -> OutputFolder:
        """Makes the files of the output folder."""
        return OutputFolder(
            settings=self.settings, get_locale_bundle=self.get_locale_bundle, public_feeds=self.public_feeds
        )

    def _publish(self) -> tuple[Path, ...]:
        edition_files = publish.publish_digests(
            self.store, self.static_site, self.output_folder.render_files, self.output_fingerprint
        )
        folder = self.settings.output
        return (
            *edition_files,
            *publish.publish_public_feeds(
                self.public_feeds, folder, self.output_folder.render_public_files, self.output_fingerprint
            ),
        )


@contextmanager
def open_app(config: Path, now: datetime | None, environ: Mapping[str, str]) -> Iterator[App]:
    """Read the file and open its store, sources and enrichers.

    Args:
        config: the file.
        now: the time to act at; None for the machine's clock.
        environ: the environment, for secrets.

    Raises:
        ConfigError: the file, or ``now``, is wrong.
        StoreError: the store cannot be opened.
    """
    settings = _read_settings(config, environ)
    sources, enrichers = make_services(settings)
    environment_keys = (key.decode() for key in read_environment_keys(environ))
    register_secrets((*collect_secrets(settings, *sources.values(), *enrichers.values()), *environment_keys))
    settings, outdated_warnings = replace_former_names(settings, map_former_names(sources))
    require_sources(settings, sources)
    store = open_store(settings.store, datetime.now(UTC))
    try:
        clock, warnings = _make_clock(store, now)
        broken_templates = BrokenTemplates(store=store, clock=clock)
        load_site_locale = partial(
            get_locale, settings.site.language, settings.templates, broken_templates.note_template
        )
        settings = add_shipped_digests(settings, sources, enrichers, load_site_locale)
        branding = make_branding(settings, sources, enrichers)
        yield App(
            settings=settings,
            store=store,
            sources=sources,
            enrichers=enrichers,
            get_locale_bundle=cache(
                lambda language: make_locale_bundle(
                    language, branding, settings.templates, broken_templates.note_template
                )
            ),
            signer=make_signer(settings),
            return_path=make_return_path(settings, store, environ),
            environ=environ,
            pages=make_pages(settings, store, environ),
            clock=clock,
            time_passes=clock is _read_machine_clock,
            warnings=(*outdated_warnings, *warnings),
        )
    finally:
        store.close()


def _read_settings(config: Path, environ: Mapping[str, str]) -> Settings:
    """Read the settings; if they are invalid, report all mistakes, including options of sources and enrichers."""
    try:
        return read_settings(config, environ)
    except ConfigError as error:
        if mistakes := find_service_mistakes(config, environ):
            raise ConfigError(f"{error}\n{mistakes}") from error
        raise


def _make_clock(store: Store, now: datetime | None) -> tuple[Clock, tuple[str, ...]]:
    """Make the clock of a command, and warnings about the time.

    Real and simulated time do not mix in a store: in one that was created with ``--now``, a command without it acts at
    the time of the last command.

    Raises:
        ConfigError: ``--now`` is far from the machine's clock in a store that was not created with it.
    """
    machine_time = datetime.now(UTC)
    is_far = now is not None and abs((now - machine_time).total_seconds()) > _MAX_CLOCK_OFFSET
    with store.begin_write() as tx:
        is_simulated = clocks.check_started_with_now(tx, has_now_option=now is not None)
        if is_far and not is_simulated:
            raise ConfigError(
                "--now is more than a day from the clock, but this database was created without it; use a separate database for experiments ([store] url)"
            )
        last_seen = clocks.read_latest_seen(tx)
        current_time = now or (last_seen if is_simulated and last_seen else machine_time)
        warnings: tuple[str, ...] = ()
        if last_seen is not None and clocks.is_set_back(current_time, last_seen):
            warnings = (
                clock_repair.describe_time_jump(
                    current_time, last_seen, is_behind=clock_repair.is_behind(tx, current_time)
                ),
            )
        elif now is None or is_simulated:  # --now must not become the latest time of a store with real time
            clocks.record_time(tx, current_time)
    is_fixed = now is not None or is_simulated
    return (lambda: current_time) if is_fixed else _read_machine_clock, warnings


def _read_machine_clock() -> datetime:
    return datetime.now(UTC)


# --- components -----------------------------------------------------------------------------------


def make_branding(
    settings: Settings, sources: Mapping[str, Source], enrichers: Mapping[str, Enricher]
) -> Branding:
    """Make the branding of editions."""
    site = settings.site
    branding = Branding(
        title=site.title,
        url=site.url,
        contact=site.contact,
        theme=make_theme(site.accent, site.logo, site.footer),
    )
    if mail_settings := settings.smtp or settings.sendmail:
        sender = formataddr((clean_header_text(mail_settings.from_name), mail_settings.from_address))
    else:
        sender = formataddr((clean_header_text(site.title), f"digest@{branding.host}"))
    paper_pages = {name: source.find_paper_page for name, source in sources.items()}
    titles = {name: enricher.title for name, enricher in enrichers.items()} | pull.make_titles(sources)
    return replace(branding, sender=sender, source_titles=titles, paper_pages=paper_pages)


def make_signer(settings: Settings) -> Signer | None:
    """Make the signer of mails; None if they are not signed."""
    return Signer(settings.dkim.domain, settings.dkim.keys) if settings.dkim else None


def make_pages(settings: Settings, store: Store, environ: Mapping[str, str]) -> OwnPages | None:
    """Make the addresses of our own pages; None if there is no web site.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    if not settings.site.is_served:
        return None
    return OwnPages(url=settings.site.url, keys=load_signing_keys(store, environ))


def make_return_path(settings: Settings, store: Store, environ: Mapping[str, str]) -> ReturnPath | None:
    """Make the envelope senders of mails, which contain delivery numbers; None if there is no address for bounces.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    address = settings.bounces.address
    return ReturnPath(address=address, keys=load_signing_keys(store, environ)) if address else None


def load_signing_keys(store: Store, environ: Mapping[str, str]) -> tuple[bytes, ...]:
    """Load the keys for links and Message-IDs from the environment, or the store's own key, created at first use.

    Returns:
        The signing key, then older keys whose links still work.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    if environment_keys := read_environment_keys(environ):
        return environment_keys
    with store.begin_write() as tx:
        return (leases.get_signing_key(tx, secrets.token_bytes(32)),)


def read_environment_keys(environ: Mapping[str, str]) -> tuple[bytes, ...]:
    """Read the keys of the environment, the signing key first; empty if there are none.

    Raises:
        ConfigError: a key can be guessed.
    """
    key_texts = environ.get("DIGEST_KEY", "").split()
    if key_texts and min(map(len, key_texts)) < _MIN_KEY_LENGTH:
        raise ConfigError(
            f"DIGEST_KEY has fewer than {_MIN_KEY_LENGTH} characters, so it can be guessed; create one with `openssl rand -hex 32`"
        )
    return tuple(key_text.encode() for key_text in key_texts)
