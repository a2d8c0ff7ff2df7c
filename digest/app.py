"""The composition root: builds the store, sources, channels and bound steps from the settings, and makes no decisions."""

from __future__ import annotations

import hashlib
import os
import random
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from threading import Event

import jinja2

from digest.config import OperatorSettings, Settings, read_settings
from digest.config.file.renamed_sources import replace_former_names
from digest.config.file.secret_texts import collect_secrets
from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.core.delivery.retries import RetryPolicy
from digest.errors import ConfigError, DigestError
from digest.identity import (
    compute_output_fingerprint,
    load_signing_keys,
    make_branding,
    make_pages,
    make_return_path,
    make_signer,
    read_environment_keys,
)
from digest.jobs.clock import make_clock, read_machine_clock
from digest.jobs.cycle import CycleSteps
from digest.jobs.delivery import outbox
from digest.jobs.delivery.bounces.receiver import ReportReceiver
from digest.jobs.delivery.channels import (
    SINGLE_PROCESS,
    ProcessShare,
    is_local,
    list_channels,
    make_connections,
    select_channel,
    select_share,
)
from digest.jobs.delivery.circuit_breaker import CircuitBreaker
from digest.jobs.delivery.claims.claim_cursor import MAX_WAIT, ClaimCursor
from digest.jobs.delivery.claims.send_rate import SendRate
from digest.jobs.delivery.dispatcher import DeliveryDispatcher, count_sent, make_dispatcher
from digest.jobs.delivery.messages import MessageWriter
from digest.jobs.delivery.readers.address_book import StoredAddressBook
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
from digest.jobs.operations.sync_config import ReportProgress, apply_config, ignore_progress
from digest.jobs.operations.tracing.tracer import open_tracer
from digest.jobs.operations.work_hints import defer_due_hints
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
    require_any_source,
    require_sources,
)
from digest.jobs.subscribers.destinations.dead_destinations import stop_dead_destinations
from digest.jobs.subscribers.destinations.own_destinations import withhold_services
from digest.jobs.subscribers.public_digests import apply_public_digests
from digest.jobs.subscribers.shipped_digests import add_shipped_digests
from digest.jobs.workers import WorkerHeartbeat, WorkerProfile, register_worker
from digest.model import Mail
from digest.ports import AddressBook, Connection, Enricher, Source
from digest.redaction import register_secrets
from digest.render.branding import Branding
from digest.render.delivery.dkim_signing import Signer
from digest.render.languages.by_name import get_locale
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from digest.render.mail_maker import MailMaker
from digest.store.database.engine import Store, open_store
from digest.store.database.replica import Replica, open_replica


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that a command needs, made from one configuration file.

    Attributes:
        replica: the replica from which public pages are read; None if they are read from the store.
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
    replica: Replica | None
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
    def open_steps(self, stop: Event | None = None, command: str = "") -> Iterator[CycleSteps]:
        """Bind the steps of a cycle; connections are closed at the end.

        Args:
            stop: set to end composing and delivering; None if they end by themselves.
            command: the command that runs them, as the list of workers names it.
        """
        stop = stop or Event()
        with self.open_worker(WorkerProfile(command=command), stop, stop) as (steps, _):
            yield steps

    @contextmanager
    def open_worker(
        self, profile: WorkerProfile, stop: Event, ending: Event
    ) -> Iterator[tuple[CycleSteps, WorkerHeartbeat]]:
        """Register this process as a worker, and bind the steps of a cycle; connections are closed at the end.

        Args:
            profile: what it says of itself, without its file and its channels.
            stop: set to end composing and delivering once what is under way is done.
            ending: set when the process is about to end, so that what is under way gets only a few seconds.
        """
        connections = self._make_connections(has_folders=profile.has_folders)
        profile = replace(profile, channels=list_channels(connections), file_hash=self.file_hash)
        token = secrets.randbits(62)
        with (
            closing(Fetcher(self.settings.site.contact)) as fetcher,
            register_worker(
                self.store, token, profile, on_release=lambda tx: defer_due_hints(tx, self.clock())
            ) as heartbeat,
        ):
            app = replace(self, clock=heartbeat.correct_clock(self.clock)) if self.time_passes else self
            make_dispatcher = partial(app._make_dispatcher, connections, heartbeat, stop, ending)  # noqa: SLF001 - of this class
            steps = app._make_steps(fetcher, heartbeat, stop, make_dispatcher)  # noqa: SLF001 - likewise
            load_keys = partial(load_signing_keys, self.store, self.environ)
            with open_tracer(self.store, lambda: load_keys()[0], app.clock, self.environ) as trace:
                yield replace(steps, trace=trace), heartbeat

    def list_channels(self, *, has_folders: bool) -> tuple[str, ...]:
        """List the channels by which a worker with this file can deliver.

        Args:
            has_folders: whether it also writes mails into folders of its machine.
        """
        return list_channels(self._make_connections(has_folders=has_folders))

    def _make_connections(self, *, has_folders: bool) -> tuple[Connection, ...]:
        connections = make_connections(self.settings, self.address_book)
        return tuple(entry for entry in connections if has_folders or not is_local(entry.channel))

    @property
    def file_hash(self) -> str:
        """The hash of the configuration file, by which workers with another file are told."""
        return hashlib.sha256(self.settings.path.read_bytes()).hexdigest()

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
                trace=lambda: None,
            )

    def _make_steps(
        self,
        fetcher: Fetcher,
        heartbeat: WorkerHeartbeat,
        stop: Event,
        make_dispatcher: Callable[..., DeliveryDispatcher],
    ) -> CycleSteps:
        store, sources, clock = self.store, self.sources, self.clock
        puller = self._make_puller(fetcher, heartbeat.token)
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
            close=lambda **options: compose.close_runs(store, sources, clock(), **options),
            compose=partial(self._compose, heartbeat, stop),
            deliver=lambda **options: operator_notifier.watch_pass(
                count_sent(make_dispatcher(**options).run(), heartbeat.counts)
            ),
            publish=self._publish,
            enrich=self._make_enrichment_runner(fetcher, heartbeat.token).enrich_all,
            prune=self._prune,
            trace=lambda: None,
        )

    def _make_puller(self, fetcher: Fetcher, token: int) -> Puller:
        return Puller(
            store=self.store,
            sources=self.sources,
            fetcher=fetcher,
            token=token,
            clock=self.clock,
            sleep=fetcher.wait,
            next_jitter=random.random,
        )

    def _make_enrichment_runner(self, fetcher: Fetcher, token: int) -> EnrichmentRunner:
        return EnrichmentRunner(
            store=self.store,
            enrichers=self.enrichers,
            fetcher=fetcher,
            token=token,
            clock=self.clock,
            sleep=fetcher.wait,
        )

    def _compose(self, heartbeat: WorkerHeartbeat, stop: Event, *, only_alerts: bool = False) -> int:
        return compose.compose_editions(
            self.store,
            compose.MessageIds(key=load_signing_keys(self.store, self.environ)[0], domain=self.branding.host),
            heartbeat.token,
            self.clock(),
            spread=self.settings.delivery.spread,
            capacity=self.edition_capacity,
            only_alerts=only_alerts,
            keep_listed=heartbeat.keep_listed,
            stop=stop,
        )

    def _prune(self) -> None:
        prune_daily(self.store, self.settings.keep, self.clock())
        if self.settings.signup and self.settings.signup.destinations:
            stop_dead_destinations(self.store, self.clock())

    def _make_dispatcher(
        self,
        connections: Sequence[Connection],
        heartbeat: WorkerHeartbeat,
        stop: Event,
        ending: Event,
        *,
        share: ProcessShare = SINGLE_PROCESS,
        channel: str | None = None,
        max_wait: timedelta = MAX_WAIT,
        only_alerts: bool = False,
    ) -> DeliveryDispatcher:
        """Make the dispatcher of a pass over one channel, or all, by a share of the connections."""
        delivery_settings = self.settings.delivery
        machine_clock = heartbeat.correct_clock(read_machine_clock)
        send_rate = SendRate(settings=delivery_settings, machine_clock=machine_clock)
        return make_dispatcher(
            store=self.store,
            pool=SenderPool.create(
                select_share(select_channel(connections, channel), share),
                self.message_writer.make_message,
                self.clock,
                may_send=heartbeat.watch_leases(),
            ),
            cursor=ClaimCursor(
                send_rate=send_rate, token=heartbeat.token, max_wait=max_wait, only_alerts=only_alerts
            ),
            circuit_breaker=CircuitBreaker(settings=delivery_settings),
            retry_policy=RetryPolicy(keep_trying=delivery_settings.keep_trying, jitter=random.random),
            clock=self.clock,
            time_passes=self.time_passes,
            keep_listed=heartbeat.keep_listed,
            stop=stop,
            closing=ending,
        )

    def apply_config(
        self, *, allows_other_file: bool = False, report: ReportProgress = ignore_progress
    ) -> None:
        """Apply the file's digests and public digests to the store.

        Raises:
            ConfigError: the file has no source, or another file was applied to the store.
        """
        require_any_source(self.settings)
        now = self.clock()
        applied = apply_config(
            self.store, self.settings, self.sources, now, allows_other_file=allows_other_file, report=report
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
        return compute_output_fingerprint(self.branding, self.settings.templates)

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
    with (
        closing(open_store(settings.store, datetime.now(UTC))) as store,
        open_replica(settings.read_url, store) as replica,
    ):
        clock, warnings = make_clock(store, now)
        broken_templates = BrokenTemplates(store=store, clock=clock)
        load_site_locale = partial(
            get_locale, settings.site.language, settings.templates, broken_templates.note_template
        )
        settings = add_shipped_digests(settings, sources, enrichers, load_site_locale)
        branding = make_branding(settings, sources, enrichers)
        yield App(
            settings=settings,
            store=store,
            replica=replica,
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
            time_passes=clock is read_machine_clock,
            warnings=(*outdated_warnings, *warnings),
        )


def is_file_usable(config: Path, report: Callable[[DigestError], None]) -> bool:
    """Whether a service can start again with its file as it is now; if not, the old configuration stays in force.

    Args:
        config: the file.
        report: receives what is wrong with it.
    """
    try:
        with open_app(config, None, os.environ) as app:
            make_connections(app.settings)
    except DigestError as error:
        report(error)
        return False
    return True


def _read_settings(config: Path, environ: Mapping[str, str]) -> Settings:
    """Read the settings; if they are invalid, report all mistakes, including options of sources and enrichers."""
    try:
        return read_settings(config, environ)
    except ConfigError as error:
        if mistakes := find_service_mistakes(config, environ):
            raise ConfigError(f"{error}\n{mistakes}") from error
        raise
