"""The settings of the program: frozen, validated, and with all defaults filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Literal

from digest.core.colours import DEFAULT_ACCENT
from digest.core.delivery.dns.dkim_keys import DkimKey
from digest.core.delivery.throttling.rates import Rate
from digest.core.publishing.request_rates import DEFAULT_REQUEST_RATES, LOOPBACK_ADDRESSES, RequestRates
from digest.model import AddressKind, DigestOptions, EditionForm, Frequency, Schedule
from digest.ports import MailboxLogin


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """The sender of the digests, and the web site.

    Attributes:
        title: the name that readers see.
        url: the address of the pages, without a final slash; "" if there are none.
        contact: the e-mail address of the operator; "" if not given.
        listen: the local host and port that serve ``url``; "" if ``digest serve`` serves no pages.
        language: the language of the pages.
        public_feeds: whether there are public feeds of all new papers, by category and by author.
        public: whether everybody can read the papers as pages; nothing of readers is among them.
        accent: the colour of links and buttons, ``#1b4f91``.
        logo: the logo of the pages as a ``data:`` URI; "" for none.
        footer: a line of text at the foot of mails and pages; "" for none.
        request_rates: the rates of the public pages.
        proxies: the reverse proxies whose X-Forwarded-For tells the address of a client.
        metrics: the local host and port that serve metrics; "" for none.
    """

    title: str = "Paper digest"
    url: str = ""
    contact: str = ""
    listen: str = "127.0.0.1:8080"
    language: str = "en"
    public_feeds: bool = False
    public: bool = True
    accent: str = DEFAULT_ACCENT
    logo: str = ""
    footer: str = ""
    request_rates: RequestRates = DEFAULT_REQUEST_RATES
    proxies: tuple[str, ...] = LOOPBACK_ADDRESSES
    metrics: str = ""

    @property
    def is_served(self) -> bool:
        """Whether ``digest serve`` answers at ``url``: only then can mails link to their pages there."""
        return bool(self.url and self.listen)

    @property
    def is_encrypted(self) -> bool:
        """Whether browsers keep sessions of the site, which they do only on encrypted connections."""
        return self.url.startswith("https://")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeedSettings:
    """One ``[[public_feed]]``: a query whose papers everybody can read.

    Attributes:
        name: the name in its address.
        title: the name that readers see.
        text: the query as written.
        query: its canonical form.
    """

    name: str
    title: str
    text: str
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """One ``[[source]]``.

    Attributes:
        use: the name of the source's file, or another reference that ``digest.plugins`` accepts.
        options: all other keys of the table, as parsed from TOML; some are secrets.
        locate_key: returns the place of a key, with which an error message begins:
            ``digest.toml:9:14: source[0].categories``. The key is like ``categories`` or ``categories[1]``, as in an
            ``OptionError``; "" stands for the table.
    """

    use: str
    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    locate_key: Callable[[str], str] = field(default=str, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnricherSettings:
    """One ``[[enricher]]``, with the same attributes as ``SourceSettings``."""

    use: str
    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    locate_key: Callable[[str], str] = field(default=str, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelaySettings:
    """An SMTP server for outgoing mail.

    Attributes:
        security: ``starttls``, ``tls`` or ``none``.
        username: "" for no login.
        ca_file: certificates to trust instead of the system's; "" for the system's.
        timeout: how long to wait for an answer, in seconds.
        connections: maximum number of simultaneous connections.
        weight: its share of the mail relative to other servers; 0 for a standby server.
    """

    host: str
    port: int
    security: Literal["starttls", "tls", "none"]
    username: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""
    timeout: float = 300.0
    connections: int = 4
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpSettings:
    """The sender and the servers of outgoing mail.

    Attributes:
        from_name: the name in the From header, or "".
        from_address: the address in the From header, bare; also the envelope sender.
        relays: the servers, beginning with that of ``[smtp]`` itself.
    """

    from_name: str = ""
    from_address: str
    relays: tuple[RelaySettings, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DkimSettings:
    """Settings of the signatures of mails.

    Attributes:
        domain: the signing domain.
        keys: the keys; each makes one signature.
        files: the files from which keys were read.
    """

    domain: str
    keys: tuple[DkimKey, ...]
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverySettings:
    """Sending rates, retries, and limits beyond which a run is held.

    Attributes:
        rate: rate of all messages together; None for no limit.
        rates: rates by channel.
        domains: rates by the recipient's domain, in lower case; ``*`` for each domain that is not listed.
        spread: the time over which a large run is spread; zero to send at once.
        keep_trying: how long a deferred message is retried.
        most_bounces: a run is held if more than this share of its mails is refused; 0 for never.
        unusual: a run is held if it is more than this many times larger than usual for its slot; 0 for never.
        processes: number of processes that compose and deliver a large run; 0 for one per core, up to a fixed
            maximum.
    """

    rate: Rate | None = None
    rates: Mapping[str, Rate] = field(default_factory=dict)
    domains: Mapping[str, Rate] = field(default_factory=dict)
    spread: timedelta = timedelta(0)
    keep_trying: timedelta = timedelta(days=2)
    most_bounces: float = 0.05
    unusual: float = 2.0
    processes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSettings:
    """One ``[[bounces.provider]]``, with the same attributes as ``SourceSettings``."""

    use: str
    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    locate_key: Callable[[str], str] = field(default=str, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BouncesSettings:
    """Settings for receiving bounces and complaints.

    Attributes:
        address: the envelope sender of mails, to which each adds a number of its own; "" for the address of
            the From header.
        mailbox: the mailbox of that address, as written; "" for none.
        login: the login of the mailbox; None if it needs none.
        interval: the time between two automatic readings of the mailbox.
        providers: mail services that report by web requests.
    """

    address: str = ""
    mailbox: str = ""
    login: MailboxLogin | None = None
    interval: timedelta = timedelta(minutes=5)
    providers: tuple[ProviderSettings, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SendmailSettings:
    """A local program for outgoing mail.

    Attributes:
        from_name: as in ``SmtpSettings``; likewise ``from_address``.
        command: the program and its arguments.
        timeout: time limit for one message, in seconds.
    """

    from_name: str = ""
    from_address: str
    command: tuple[str, ...]
    timeout: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A destination of a digest or of notices.

    Attributes:
        channel: the name of the channel; ``smtp`` for all mail to people, whether a server or a program
            accepts it.
        kind: the kind of the address.
        address: an e-mail address, an absolute folder or a name; of a URL the public part and a hash, which
            do not allow posting there.
        form: the form in which it gets editions.
        service: the service of a chat, or the host of a webhook; "" otherwise.
        secret_url: the whole address of a chat or a webhook; "" otherwise.
        secret: the signing secret of a webhook; "" otherwise.
    """

    channel: str
    kind: AddressKind
    address: str
    form: EditionForm = EditionForm.STANDARD
    service: str = field(default="", compare=False)
    secret_url: str = field(default="", repr=False, compare=False)
    secret: str = field(default="", repr=False, compare=False)

    @property
    def domain(self) -> str:
        """The unit of rate limits: the recipient's domain, the chat's service or the webhook's host; "" for folders."""
        return self.address.rpartition("@")[2].lower() if self.kind is AddressKind.MAILBOX else self.service


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSettings:
    """Who operates the service, and notices to them.

    Attributes:
        notify: where notices are sent.
        summary: when a summary of the status is sent there; None for never.
        people: the addresses in lower case of those who see the operator's pages on the site.
    """

    notify: tuple[Destination, ...] = ()
    summary: Schedule | None = None
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowSettings:
    """One follow or exclusion of a digest.

    Attributes:
        text: the text as written.
        query: its canonical form.
        weight: the weight of its matches, 1 by default.
        exclude: whether it excludes papers.
        only: for an exclusion of one follow, the query of that follow; "" for one of the whole digest.
        alert: whether matches are reported at once.
    """

    text: str
    query: str
    weight: float = 1.0
    exclude: bool = False
    only: str = ""
    alert: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySettings:
    """A library that a digest follows.

    Attributes:
        path: the absolute path of the file.
        form: the common name of its format.
        papers: number of its papers that are followed.
        without_id: number of its papers that are not followed, because nothing identifies them.
        broken: one sentence for each entry that could not be read, or only in part.
    """

    path: Path
    form: str
    papers: int
    without_id: int = 0
    broken: tuple[str, ...] = ()


_DEFAULT_OPTIONS = DigestOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestSettings:
    """One ``[[digest]]``.

    Attributes:
        name: letters, digits, ``-``, ``_`` and single dots, so that it can be part of a file name and a
            List-Id.
        title: the name that readers see.
        destinations: where it is sent; empty for a digest that is only a feed.
        options: all other options of the table.
        catch_up: what happens after downtime: ``once`` or ``skip``.
        wait_for: the names of the sources whose announcements it waits for; empty for all.
        locate_key: returns the place of a key, as ``SourceSettings.locate_key`` does.
    """

    name: str
    title: str
    destinations: tuple[Destination, ...] = ()
    schedule: Schedule
    follows: tuple[FollowSettings, ...]
    options: DigestOptions = _DEFAULT_OPTIONS
    catch_up: str = "once"
    wait_for: tuple[str, ...] = ()
    locate_key: Callable[[str], str] = field(default=str, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicDigestSettings:
    """One ``[[public_digest]]``: a digest that readers subscribe to on the site.

    Attributes:
        description: one sentence that says what it brings.
        digest: what subscribers get; without destinations, and with a time zone and a language that those of
            each subscriber replace.
    """

    description: str
    digest: DigestSettings

    @property
    def name(self) -> str:
        """Its name in addresses and in the database."""
        return self.digest.name

    @property
    def title(self) -> str:
        """The name that readers see."""
        return self.digest.title

    def make_digest(self, language: str, zone: str) -> DigestSettings:
        """Return what a subscriber gets, in their language and by the clock of their time zone."""
        digest = self.digest
        schedule = digest.schedule
        if schedule.frequency is not Frequency.EVERY:  # it counts in UTC
            schedule = replace(schedule, zone=zone)
        options = replace(digest.options, language=language, timezone=zone)
        return replace(digest, schedule=schedule, options=options)


DAILY_PAPERS_NAME = "daily-papers"
"""The name of the shipped public digest of all new papers."""
TRENDING_NAME = "trending"
"""The name of the shipped public digest of papers that gain votes."""
DEFAULT_ZOTERO_URL = "https://api.zotero.org"
"""The address of Zotero's web API."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignupSettings:
    """``[signup]``: who can sign up on the site.

    Attributes:
        who: ``anyone``; ``domains`` for addresses at some domains; or ``invited``.
        domains: these domains, in lower case and in DNS form.
        daily_papers: whether there is a public digest of all new papers.
        trending: whether there is a public digest of the papers that gain the most votes.
        destinations: the services of chats, and ``webhook``, that readers can add to their digests.
        zotero_url: the address of Zotero's web API, without a final slash.
    """

    who: Literal["anyone", "domains", "invited"] = "anyone"
    domains: tuple[str, ...] = ()
    daily_papers: bool = False
    trending: bool = False
    destinations: tuple[str, ...] = ()
    zotero_url: str = DEFAULT_ZOTERO_URL

    @property
    def shipped_digests(self) -> tuple[str, ...]:
        """The names of the shipped public digests that are switched on."""
        switches = {DAILY_PAPERS_NAME: self.daily_papers, TRENDING_NAME: self.trending}
        return tuple([name for name, is_on in switches.items() if is_on])

    def is_open_to(self, address: str) -> bool:
        """Whether an address, with its domain in DNS form, can sign up without an invitation."""
        return self.who == "anyone" or (
            self.who == "domains" and address.rpartition("@")[2].lower() in self.domains
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One configuration file, parsed and validated.

    Attributes:
        path: the absolute path of the file.
        store: the URL of the database, for SQLAlchemy; it may contain a password.
        read_url: the URL of a replica from which public pages are read; "" for none. It may contain a password.
        listen_url: the URL at which workers wait for hints; "" for that of the database.
        keep: how long editions, deliveries and listings are kept; None for no limit.
        output: the absolute folder for feeds, pages and mail folders.
        templates: the absolute folder of the user's templates, which replace ours; None for none.
        smtp: None if no mail is sent by SMTP.
        sendmail: None if no mail is sent by a local program.
        delivery: sending rates, retries, and limits beyond which a run is held.
        bounces: how bounces and complaints are received.
        dkim: how mails are signed; None if they are not.
        operator: notices to the operator.
        public_feeds: queries whose papers everybody can read.
        public_digests: digests that readers subscribe to on the site.
        signup: who can sign up; None if nobody can.
        libraries: the libraries that its digests follow.
        warnings: whole sentences about what works and should still be changed.
    """

    path: Path
    site: SiteSettings
    store: str = field(repr=False)
    read_url: str = field(default="", repr=False)
    listen_url: str = field(default="", repr=False)
    keep: timedelta | None = timedelta(days=400)
    output: Path
    templates: Path | None = None
    sources: tuple[SourceSettings, ...]
    enrichers: tuple[EnricherSettings, ...] = ()
    smtp: SmtpSettings | None = None
    sendmail: SendmailSettings | None = None
    delivery: DeliverySettings = DeliverySettings()
    bounces: BouncesSettings = BouncesSettings()
    dkim: DkimSettings | None = None
    operator: OperatorSettings = OperatorSettings()
    digests: tuple[DigestSettings, ...] = ()
    public_feeds: tuple[PublicFeedSettings, ...] = ()
    public_digests: tuple[PublicDigestSettings, ...] = ()
    signup: SignupSettings | None = None
    libraries: tuple[LibrarySettings, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def declared_digests(self) -> tuple[DigestSettings, ...]:
        """The digests of the file, and what its public digests bring to their subscribers."""
        return (*self.digests, *(public_digest.digest for public_digest in self.public_digests))
