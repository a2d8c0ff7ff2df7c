"""The small interfaces that have several implementations.

A plug-in inherits its port: then the type checker judges its methods in its own file, and a missing
one is an error when it is loaded.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import ClassVar, Literal, Protocol

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
    """What a source wants to ask.

    Attributes:
        section: the section that the answer is counted for.
        route: the way of asking, one of the source's.
        url: absolute.
        day: the day asked for; None where the route has no choice.
        accept: the Accept header.
        bucket: what shares one pace and one connection at a time; "" for the host by itself.
        cursor: what the source has to remember from request to request.
        is_reader_url: a reader gave the address, not the operator: it must not lead into our own network.
        method: ``GET``, or ``POST`` for what is too long for an address.
        headers: more of them; only the host of ``url`` is told, and nobody else sees them.
        parameters: added to the address when it is asked; as secret as ``headers``.
        content: the body that is sent; it may be secret, too.
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
    """What came back, body and all, decompressed.

    Attributes:
        status: the HTTP status.
        headers: names in lower case.
        body: never longer than the source's ``max_bytes``.
        url: where it came from in the end, after redirects.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedDay:
    """What an answer says of one announcement day.

    Attributes:
        day: as the source counts; None where it has no days: then it is the one on which we first see an entry.
        listings: in the order printed; none where nothing is announced (yet).
        expected: how many listings the source says that the day has; None if it does not say.
        over_full: the answer reached the route's limit, so there may be more than it holds.
    """

    day: date | None
    listings: tuple[Listing, ...] = ()
    expected: int | None = None
    over_full: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a source read from a response.

    Attributes:
        announced: by day.
        records: papers without an announcement day; they complete what is known.
        signals: numbers about papers.
        next: what to ask for the rest of this answer; None if this was all.
        cursor: kept with this page and given back with the next ask; "" for a route that remembers nothing.
        freshness: what a feed says about when to come again.
        unread: entries that could not be read, in words: nothing is left out in silence.
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
        """Whether there was something in the answer and nothing of it could be read: it is an error, not a quiet day."""
        has_any = self.records or self.signals or any(day.listings for day in self.announced)
        return bool(self.unread and not has_any)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonPapers:
    """Which papers a person has signed.

    Attributes:
        id: of the person: scheme and value.
        names: that they sign with.
        papers: keys, of papers that may be known or not.
    """

    id: tuple[str, str]
    names: tuple[str, ...]
    papers: tuple[PaperKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnricherPage:
    """What an enricher read from a response.

    Attributes:
        known_keys: the keys of the subjects that it knows; who was asked for and is not among them is unknown to it.
        records: papers as it tells them; they complete what is known.
        signals: numbers about papers and persons.
        same_person_ids: pairs of ids that are one person's.
        person_papers: which papers persons have signed.
        next: what to ask for the rest of this answer; None if this was all.
        unread: records that could not be read, in words: nothing is left out in silence.
    """

    known_keys: frozenset[str] = frozenset()
    records: tuple[Paper, ...] = ()
    signals: tuple[Signal, ...] = ()
    same_person_ids: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = ()
    person_papers: tuple[PersonPapers, ...] = ()
    next: Request | None = None
    unread: tuple[str, ...] = ()


class Service(Protocol):
    """Who is asked over the net: a source or an enricher."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in tables and messages; two of a kind in one configuration never share it."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name that readers know."""

    @property
    @abstractmethod
    def pace(self) -> float:
        """The least number of seconds between two requests that share a bucket."""

    @property
    @abstractmethod
    def max_bytes(self) -> int:
        """The longest answer, in bytes decompressed, that is worth reading."""


class Enricher(Service, Protocol):
    """Who knows more of papers and persons; does no I/O.

    An implementation is a frozen dataclass named ``Enricher`` whose fields are its options.
    """

    @property
    @abstractmethod
    def quota(self) -> int:
        """So many requests a day, UTC, at the most."""

    @property
    def has_references(self) -> bool:
        """Whether it knows what papers cite: then it is asked for papers that nobody was shown, too."""
        return False

    @property
    def daily_period(self) -> timedelta:
        """For so long after a paper was announced it is asked for each day (UTC); zero for what changes slowly."""
        return timedelta(0)

    @abstractmethod
    def get_batch_size(self, kind: SubjectKind) -> int:
        """How many subjects it is asked for at once; 0 for a kind that it knows nothing of."""

    @abstractmethod
    def is_supported(self, subject: Subject) -> bool:
        """Whether it can be asked for a subject, by one of its ids."""

    @abstractmethod
    def make_request(self, subjects: Sequence[Subject]) -> Request:
        """The request for subjects of one kind."""

    @abstractmethod
    def read(
        self, request: Request, subjects: Sequence[Subject], response: Response, day: date
    ) -> EnricherPage:
        """Read an answer.

        Args:
            request: what was asked.
            subjects: for whom.
            response: what came.
            day: the day of the numbers in it.

        Raises:
            SourceError: the answer says no, breaks off, or is not about what was asked.
        """


class Source(Service, Protocol):
    """Who announces papers: says what to ask and reads the answer, and does no I/O.

    An implementation is a frozen dataclass named ``Source`` whose fields are its options.
    """

    @property
    @abstractmethod
    def sections(self) -> tuple[str, ...]:
        """The parts that are counted by themselves."""

    @property
    @abstractmethod
    def calendar(self) -> Calendar | None:
        """When a day is due; None for a source without announcement days: it is asked now and then."""

    @property
    @abstractmethod
    def fetch_routes(self) -> tuple[Route, ...]:
        """The routes, the one to try first at the front."""

    @property
    def former_names(self) -> tuple[str, ...]:
        """The names that earlier releases gave it by default; what is stored under them becomes its own."""
        return ()

    def renew_paper(self, paper: Paper) -> Paper:
        """A paper that an earlier release read, with the key, title and addresses that it is read with now."""
        return paper

    @property
    def is_untrusted(self) -> bool:
        """Whether anybody may have made what it reads: that is then done in a process with a limit of CPU time."""
        return False

    def find_paper_page(self, paper: Paper) -> PaperPage | None:  # noqa: ARG002 - most have none
        """Its own page about a paper, where people talk of it; None where it has none."""
        return None

    @abstractmethod
    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """The first request for something that is to be asked.

        Args:
            ask: what; its source is this one.
            cursor: what the route's last page left, "" if nothing.
            now: the time.
        """

    @abstractmethod
    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, breaks off, or is not about what was asked.
        """


class Channel(Protocol):
    """One way out; keeps its connection from pack to pack until closed.

    An implementation is a frozen dataclass named ``Channel``. Where ``address_kind`` is ``URL`` it has the whole
    addresses as its option ``urls``, by what they are known by.

    Attributes:
        form: what it delivers.
        address_kind: what stands in ``to``.
    """

    form: ClassVar[MessageForm]
    address_kind: ClassVar[AddressKind]

    @abstractmethod
    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Hand over one pack of at most ten messages; each receipt is yielded as it comes.

        Never raises for what the other side does: that is a receipt.
        """

    @abstractmethod
    def check(self) -> str:
        """Try the way without sending anything; says what answered.

        Raises:
            ChannelError: it cannot be used, and why.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """One connection's worth of a way out: what one thread delivers over.

    Attributes:
        channel: the name of the channel.
        server: ``host:port``; what is paused where the fault is the server's. "" where there is none.
        make_channel: makes the channel of this line; it connects at its first pack.
        is_stand_by: used only while every server that is not a stand-by is paused, and for what the others fail at.
        max_connections: how many connections to the server all processes together may have; 0 where that does not matter.
    """

    channel: str
    server: str
    make_channel: Callable[[], Channel]
    is_stand_by: bool = False
    max_connections: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedRequest:
    """What somebody posted to our site.

    Attributes:
        headers: names in lower case.
        body: never longer than what we read.
    """

    headers: tuple[tuple[str, str], ...]
    body: bytes


class Provider(Protocol):
    """Who sends our mail and tells us by requests what became of it.

    An implementation is a frozen dataclass named ``Provider`` whose fields are its options.
    """

    @abstractmethod
    def read_reports(
        self, request: PostedRequest, now: datetime, fetch: Callable[[str], bytes]
    ) -> tuple[Report, ...]:
        """What a request says; none where it is not about bounces or complaints.

        Args:
            request: the request.
            now: the time.
            fetch: gets a small document of the provider's by its https address.

        Raises:
            ReportError: the request is not the provider's, or cannot be read.
            TransientReportError: that cannot be told at this moment.
        """


class Mailbox(Protocol):
    """Where mail that came back waits to be read."""

    @abstractmethod
    def fetch_unread(self, max_messages: int, max_bytes: int) -> Iterator[tuple[str, bytes]]:
        """Messages that nobody marked as read, the oldest first: a name for each, and its beginning.

        Args:
            max_messages: how many at the most.
            max_bytes: what is longer is cut there.

        Raises:
            ReportError: the mailbox cannot be read; says what to do.
        """

    @abstractmethod
    def mark_read(self, name: str) -> None:
        """Mark a message as read.

        Raises:
            ReportError: that cannot be done.
        """

    @abstractmethod
    def check(self) -> str:
        """Look whether the mailbox can be read; says what is in it.

        Raises:
            ReportError: it cannot, and why.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""
