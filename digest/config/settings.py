"""What the program takes from the file: frozen, checked, with every default filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Literal

from digest.core.delivery.dns.dkim_keys import DkimKey
from digest.core.delivery.rates import Rate
from digest.model import AddressKind, DigestOptions, Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Who sends.

    Attributes:
        title: the name that readers see.
        url: where the pages are, without a slash at the end; "" if there are none.
        contact: the e-mail address of the people who run it; "" if not given.
        listen: the host and port of this machine where we answer for ``url``; "" if we do not.
        language: in which its pages are.
        public_feeds: everybody can read what is new: all of it, by category and by author.
    """

    title: str = "Paper digest"
    url: str = ""
    contact: str = ""
    listen: str = "127.0.0.1:8080"
    language: str = "en"
    public_feeds: bool = False

    @property
    def is_served(self) -> bool:
        """Whether we answer below ``url``: then mails lead to their pages, and can be stopped there."""
        return bool(self.url and self.listen)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeedSettings:
    """One ``[[public_feed]]``: a query whose papers everybody can read.

    Attributes:
        name: for its address.
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
        use: the name of the source's file, or another way to it that ``digest.plugins`` knows.
        options: all its other keys, as TOML has them; some are secrets.
        locate_key: the place of one of its keys, to begin an error message with:
            ``digest.toml:9:14: source[0].categories``. The key is one like ``categories`` or
            ``categories[1]``, as an ``OptionError`` has it; "" is the table.
    """

    use: str
    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    locate_key: Callable[[str], str] = field(default=str, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnricherSettings:
    """One ``[[enricher]]``; its attributes are those of ``SourceSettings``."""

    use: str
    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    locate_key: Callable[[str], str] = field(default=str, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelaySettings:
    """A server that takes our mail.

    Attributes:
        security: ``starttls``, ``tls`` or ``none``.
        username: "" for no login.
        ca_file: certificates to trust instead of the system's; "" for the system's.
        timeout: how long to wait for an answer, in seconds.
        connections: how many it is given at once, at most.
        weight: its share of the mail beside other servers; 0 is a stand-by.
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
    """How mail goes out.

    Attributes:
        from_name: the name in the From header, "" for none.
        from_address: the address there, bare; also the envelope's sender.
        relays: the servers, that of ``[smtp]`` itself first.
    """

    from_name: str = ""
    from_address: str
    relays: tuple[RelaySettings, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DkimSettings:
    """How mails are signed.

    Attributes:
        domain: which answers for them.
        keys: one signature is made with each.
        files: where keys were read from.
    """

    domain: str
    keys: tuple[DkimKey, ...]
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverySettings:
    """How fast messages go out, how long they are tried, and when a run is stopped.

    Attributes:
        rate: of all messages together; None for no limit.
        rates: by channel.
        domains: by the recipient's domain, in lower case; ``*`` for each that is not named.
        spread: the time over which a large run goes out; zero for at once.
        keep_trying: how long a message that the other side puts off is tried again.
        most_bounces: a run is held when a greater part of it than this is refused; 0 for never.
        unusual: a run is held when it is so many times larger than its slot's usually are; 0 for never.
        processes: compose and deliver a large run; 0 for one a core, a few at most.
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
class ImapSettings:
    """A mailbox on a server.

    Attributes:
        tls: encrypted from the start; else it is on this machine.
        ca_file: certificates to trust instead of the system's; "" for the system's.
    """

    host: str
    port: int
    tls: bool
    folder: str
    username: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSettings:
    """One ``[[bounces.provider]]``: its keys are as those of ``SourceSettings``."""

    use: str
    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    locate_key: Callable[[str], str] = field(default=str, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BouncesSettings:
    """How we learn what became of mails.

    Attributes:
        address: what they are sent from, with a number of their own in it; "" for the From header's.
        mailbox: where it is read: a Maildir, absolute, or a mailbox on a server.
        interval: how often, where nobody asks.
        providers: who tells us besides.
    """

    address: str = ""
    mailbox: Path | ImapSettings | None = None
    interval: timedelta = timedelta(minutes=5)
    providers: tuple[ProviderSettings, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SendmailSettings:
    """A program on this machine that takes our mail.

    Attributes:
        from_name: as ``SmtpSettings`` has it; so is ``from_address``.
        command: the program and its arguments.
        timeout: how long it may take for a message, in seconds.
    """

    from_name: str = ""
    from_address: str
    command: tuple[str, ...]
    timeout: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Where a digest goes.

    Attributes:
        channel: the name of the channel; ``smtp`` for all mail to people, be it given to a server or a program.
        kind: what its address is.
        address: an e-mail address, an absolute folder or a name; of a URL what it is known by, which is not enough to
            write there.
        service: what a chat is at, or the host of a webhook; "" for the others.
        secret_url: the whole address of a chat or a webhook.
        secret: what a webhook is signed with.
    """

    channel: str
    kind: AddressKind
    address: str
    service: str = field(default="", compare=False)
    secret_url: str = field(default="", repr=False, compare=False)
    secret: str = field(default="", repr=False, compare=False)

    @property
    def domain(self) -> str:
        """What is paced together: the recipient's domain, the chat's service, the webhook's host; "" for folders."""
        return self.address.rpartition("@")[2].lower() if self.kind is AddressKind.MAILBOX else self.service


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSettings:
    """Who is told of troubles.

    Attributes:
        notify: where notices go.
        summary: when a summary of how things are goes there; None for never.
    """

    notify: tuple[Destination, ...] = ()
    summary: Schedule | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowSettings:
    """One standing wish.

    Attributes:
        text: as written.
        query: its canonical form.
        weight: how much it counts, 1 is usual.
        exclude: whether it keeps papers out.
        only: the query of the follow that it keeps papers out of; "" for the whole digest.
        alert: it tells at once.
    """

    text: str
    query: str
    weight: float = 1.0
    exclude: bool = False
    only: str = ""
    alert: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySettings:
    """A library that a digest follows, as it was read.

    Attributes:
        path: the file, absolute.
        form: how it is written, as people call that.
        papers: how many of its papers are followed.
        without_id: how many are not, because nothing tells which they are.
        broken: what could not be read, or in part only, a sentence each.
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
        name: letters, digits, ``-``, ``_`` and single dots: fit for a file name and a List-Id.
        title: the name that readers see.
        destinations: none for a digest that is only a feed.
        options: what else is chosen for it.
        catch_up: what happens after downtime: ``once`` or ``skip``.
        wait_for: the names of the sources whose announcements it waits for; none for all.
        locate_key: the place of one of its keys, as ``SourceSettings.locate_key`` has it.
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
class Settings:
    """One configuration file, read and checked.

    Attributes:
        path: the file, absolute.
        store: the database's URL as SQLAlchemy takes it; it may hold a password.
        keep: how long editions, deliveries and listings are kept; None for ever.
        output: the folder for feeds, pages and mail folders, absolute.
        templates: the folder of templates that come before ours, absolute; None for none.
        smtp: None where no mail is sent by SMTP.
        sendmail: None where no program of this machine takes it.
        delivery: how fast, how long, and when not.
        bounces: how we learn what became of mails.
        dkim: how mails are signed; None where they are not.
        operator: who is told of troubles.
        public_feeds: queries whose papers everybody can read.
        libraries: those that its digests follow.
        warnings: whole sentences about what works and should still be changed.
    """

    path: Path
    site: SiteSettings
    store: str = field(repr=False)
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
    libraries: tuple[LibrarySettings, ...] = ()
    warnings: tuple[str, ...] = ()
