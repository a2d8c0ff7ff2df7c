"""The interfaces of plug-ins.

A plug-in inherits its port. The type checker then checks its methods, and a missing member is an error when it is loaded.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import ClassVar, Literal, Protocol, Self, runtime_checkable

from digest.model import (
    AddressKind,
    Ask,
    Calendar,
    Freshness,
    Listing,
    Message,
    MessageForm,
    Paper,
    PaperKey,
    PaperPage,
    Receipt,
    Report,
    Route,
    Signal,
    Subject,
    SubjectKind,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that a source or enricher wants to make.

    Attributes:
        section: the section that the answer is counted for.
        route: the name of the route, one of the source's.
        url: an absolute address.
        day: the requested day; None if the route cannot choose one.
        accept: the Accept header.
        bucket: the name of the rate limit; requests with the same bucket run one at a time and share the
            minimum interval. "" for the host of the address.
        cursor: whatever the source has to remember from request to request.
        is_reader_url: whether a reader, not the operator, gave the address; such a request must not reach a
            private network.
        method: ``GET``, or ``POST`` for queries that are too long for an address.
        headers: further headers; they are sent to the host of ``url`` only, and are masked everywhere else.
        parameters: added to the address when the request is made; as secret as ``headers``.
        content: the body to send; it may be secret, too.
    """

    section: str
    route: str
    url: str
    day: date | None = None
    accept: str = "*/*"
    bucket: str = ""
    cursor: str = ""
    is_reader_url: bool = False
    method: Literal["GET", "POST"] = "GET"
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    parameters: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    content: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The response to a request, decompressed.

    Attributes:
        status: the HTTP status.
        headers: names in lower case.
        body: never longer than the source's ``max_bytes``.
        url: the address that answered, after redirects.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedDay:
    """The listings of one announcement day in a response.

    Attributes:
        day: the announcement day according to the source; None if the source has no announcement days: a
            listing then belongs to the day on which it is first fetched.
        listings: in the printed order; empty if nothing is announced (yet).
        expected: the number of listings that the day has according to the source; None if it does not say.
        over_full: whether the response reached the route's limit, so that there may be more listings.
    """

    day: date | None
    listings: tuple[Listing, ...] = ()
    expected: int | None = None
    over_full: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The content of a response of a source.

    Attributes:
        announced: listings by day.
        records: papers without an announcement day; they add to what is stored.
        signals: numbers about papers.
        next: the request for the next page; None if this is the last one.
        cursor: stored with this page and passed to the next ``start``; "" for a route that needs no cursor.
        freshness: when a feed wants to be fetched again.
        unread: one sentence for each entry that could not be read: nothing is skipped silently.
    """

    announced: tuple[AnnouncedDay, ...] = ()
    records: tuple[Paper, ...] = ()
    signals: tuple[Signal, ...] = ()
    next: Request | None = None
    cursor: str = ""
    freshness: Freshness | None = None
    unread: tuple[str, ...] = ()

    @property
    def is_unreadable(self) -> bool:
        """Whether the response had entries and none could be read: an error, not a quiet day."""
        has_any = self.records or self.signals or any(day.listings for day in self.announced)
        return bool(self.unread and not has_any)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonPapers:
    """The papers of a person.

    Attributes:
        id: scheme and value of an ID of the person.
        names: the names under which the person publishes.
        papers: keys of the papers, whether or not they are in the database.
    """

    id: tuple[str, str]
    names: tuple[str, ...]
    papers: tuple[PaperKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnricherPage:
    """The content of a response of an enricher.

    Attributes:
        known_keys: the keys of the requested subjects that the service has found; the others count as unknown
            to it.
        records: papers as the service describes them; they add to what is stored.
        signals: numbers about papers and persons.
        same_person_ids: pairs of IDs of the same person.
        person_papers: the papers of persons.
        next: the request for the next page; None if this is the last one.
        unread: one sentence for each record that could not be read: nothing is skipped silently.
    """

    known_keys: frozenset[str] = frozenset()
    records: tuple[Paper, ...] = ()
    signals: tuple[Signal, ...] = ()
    same_person_ids: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = ()
    person_papers: tuple[PersonPapers, ...] = ()
    next: Request | None = None
    unread: tuple[str, ...] = ()


class Service(Protocol):
    """A service on the network: a source or an enricher."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in tables and messages, unique among the services of a kind in one configuration."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name for readers."""

    @property
    @abstractmethod
    def pace(self) -> float:
        """The minimum number of seconds between two requests with the same bucket."""

    @property
    @abstractmethod
    def max_bytes(self) -> int:
        """The longest response that is read, in bytes after decompression."""

    @property
    def has_votes(self) -> bool:
        """Whether it counts votes for papers, as signals of the kind ``votes``."""
        return False


class Enricher(Service, Protocol):
    """A service that adds data about papers and persons: builds requests and parses responses, and does no I/O.

    An implementation is a frozen dataclass named ``Enricher`` whose fields are its options.
    """

    @property
    @abstractmethod
    def quota(self) -> int:
        """The maximum number of requests a day (UTC)."""

    @property
    def has_references(self) -> bool:
        """Whether it returns what papers cite; it is then also queried for papers that no edition has shown."""
        return False

    @property
    def daily_period(self) -> timedelta:
        """How long after its announcement a paper is queried every day (UTC); zero if the data change slowly."""
        return timedelta(0)

    @abstractmethod
    def get_batch_size(self, kind: SubjectKind) -> int:
        """Return the maximum number of subjects in one request; 0 for a kind that the service does not cover."""

    @abstractmethod
    def is_supported(self, subject: Subject) -> bool:
        """Whether the service can be queried for a subject, by one of the subject's IDs."""

    @abstractmethod
    def make_request(self, subjects: Sequence[Subject]) -> Request:
        """Make the request for subjects of one kind."""

    @abstractmethod
    def read(
        self, request: Request, subjects: Sequence[Subject], response: Response, day: date
    ) -> EnricherPage:
        """Read a response.

        Args:
            request: the request.
            subjects: the requested subjects.
            response: the response.
            day: the day of the numbers in it.

        Raises:
            SourceError: the response is a refusal, is incomplete, or is about something else.
        """


class Source(Service, Protocol):
    """A service that announces papers: builds requests and parses responses, and does no I/O.

    An implementation is a frozen dataclass named ``Source`` whose fields are its options.
    """

    @property
    @abstractmethod
    def sections(self) -> tuple[str, ...]:
        """The parts that are fetched and counted separately, such as categories or journals."""

    @property
    @abstractmethod
    def calendar(self) -> Calendar | None:
        """When a day is due; None for a source without announcement days, which is fetched from time to time."""

    @property
    @abstractmethod
    def fetch_routes(self) -> tuple[Route, ...]:
        """The routes, in the order in which they are tried."""

    @property
    def former_names(self) -> tuple[str, ...]:
        """Default names of earlier releases; what is stored under them is renamed."""
        return ()

    def renew_paper(self, paper: Paper) -> Paper:
        """Return a paper that an earlier release stored, with the key, title and addresses of this release."""
        return paper

    @property
    def is_untrusted(self) -> bool:
        """Whether anybody may have written its documents; they are then parsed in a process with limited CPU."""
        return False

    def find_paper_page(self, paper: Paper) -> PaperPage | None:  # noqa: ARG002 - most sources have none
        """Return the source's own page for discussing a paper; None if there is none."""
        return None

    @abstractmethod
    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """Make the first request for what the ledger needs.

        Args:
            ask: what is needed of this source.
            cursor: the cursor of the route's last page, or "".
            now: the time, UTC.
        """

    @abstractmethod
    def read(self, request: Request, response: Response) -> Page:
        """Read a response.

        Raises:
            SourceError: the response is a refusal, is incomplete, or is about something else.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class BookEntry:
    """The whole address of a chat or webhook that a reader added.

    Attributes:
        url: the address; "" if there is an obstacle.
        secret: the key that signs requests to a webhook; "" for a chat.
        reader: the number of the reader who added it.
        obstacle: why nothing may be sent there, in words; "" if something may.
    """

    url: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)
    reader: int = 0
    obstacle: str = ""


@runtime_checkable
class AddressBook(Protocol):
    """The addresses of the chats and webhooks that readers added; can be used from several threads."""

    @abstractmethod
    def find_entry(self, delivery: int) -> BookEntry | None:
        """Return the address to which a delivery goes; None if its destination is one of the file.

        Raises:
            DigestError: it cannot be looked up now.
        """

    @abstractmethod
    def resolve_host(self, host: str, port: int) -> Sequence[tuple[str, int]]:
        """Return the IP addresses and ports to connect to, and no others, for a host that a reader chose.

        Raises:
            HostBlockedError: the host is not on the public internet.
            OSError: it has no address.
        """


class Channel(Protocol):
    """A way to deliver messages; keeps its connection from batch to batch until it is closed.

    An implementation is a frozen dataclass named ``Channel``. If ``address_kind`` is ``URL``, its option ``urls`` maps
    the public form of each address to the complete one.

    Attributes:
        form: the form of the messages that it delivers.
        address_kind: what its addresses in ``to`` are.
    """

    form: ClassVar[MessageForm]
    address_kind: ClassVar[AddressKind]

    @abstractmethod
    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Deliver a batch of at most ten messages, and yield each receipt as soon as it is known.

        Failures of the other side are receipts, never exceptions.
        """

    @abstractmethod
    def check(self) -> str:
        """Try the channel without sending anything, and return what answered, in words.

        Raises:
            ChannelError: the channel cannot be used; the message says why.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connection; a later batch may open a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """One connection of a channel, used by one worker thread.

    Attributes:
        channel: the name of the channel.
        server: ``host:port``, the unit that is paused if the server is in trouble; "" if there is no server.
        make_channel: makes the channel of this connection, which connects at its first batch.
        is_stand_by: used only while every regular server is paused, and for messages that the others fail at.
        max_connections: the limit of connections to the server for all processes together; 0 for none.
    """

    channel: str
    server: str
    make_channel: Callable[[], Channel]
    is_stand_by: bool = False
    max_connections: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedRequest:
    """A POST request to our site.

    Attributes:
        headers: names in lower case.
        body: never longer than our limit.
    """

    headers: tuple[tuple[str, str], ...]
    body: bytes


class Provider(Protocol):
    """A mail provider that reports bounces and complaints to us by HTTP requests.

    An implementation is a frozen dataclass named ``Provider`` whose fields are its options.
    """

    @abstractmethod
    def read_reports(
        self, request: PostedRequest, now: datetime, fetch: Callable[[str], bytes]
    ) -> tuple[Report, ...]:
        """Read the reports in a request; empty if it is not about bounces or complaints.

        Args:
            request: the request.
            now: the time, UTC.
            fetch: fetches a small document of the provider by its https address.

        Raises:
            ReportError: the request is not the provider's, or cannot be read.
            TransientReportError: the request cannot be verified at the moment.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxLogin:
    """The login of a mailbox on a server.

    Attributes:
        username: the user name.
        password: the password.
        ca_file: a file of certificates to trust instead of the system's; "" for the system's.
    """

    username: str
    password: str = field(repr=False)
    ca_file: str = ""


class Mailbox(Protocol):
    """A mailbox that receives bounces; connects when it is first read.

    An implementation is a dataclass named ``Mailbox`` in a module that is named like the scheme of its addresses. An ``s``
    at the end of a scheme means encryption and is not part of the name: ``imaps://`` belongs to ``imap``.

    Attributes:
        needs_login: whether it needs a user name and a password.
    """

    needs_login: ClassVar[bool]

    @classmethod
    @abstractmethod
    def from_address(cls, address: str, base_folder: Path, login: MailboxLogin | None) -> Self:
        """Make the mailbox of an address, without connecting to it.

        Args:
            address: the address as written, ``imaps://imap.example.org/INBOX``.
            base_folder: the folder of the configuration; relative paths begin there.
            login: the login; None if there is none, or if only the address is to be validated.

        Raises:
            OptionError: for the key ``mailbox``: the address is invalid.
        """

    @abstractmethod
    def fetch_unread(self, max_messages: int, max_bytes: int) -> Iterator[tuple[str, bytes]]:
        """Fetch unread messages, oldest first: a name for each message, and its first bytes.

        Args:
            max_messages: the maximum number of messages.
            max_bytes: longer messages are truncated to this size.

        Raises:
            ReportError: the mailbox cannot be read; the message says what to do.
        """

    @abstractmethod
    def mark_read(self, name: str) -> None:
        """Mark a message as read.

        Raises:
            ReportError: the message cannot be marked.
        """

    @abstractmethod
    def check(self) -> str:
        """Check whether the mailbox can be read, and return its number of unread messages, in words.

        Raises:
            ReportError: it cannot be read; the message says why.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""
