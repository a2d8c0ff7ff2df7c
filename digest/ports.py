"""The small interfaces that have several implementations.

A plug-in inherits its port: then the type checker judges its methods in its own file, and a missing
one is an error when it is made.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar, Protocol

from digest.model import Calendar, Form, Listing, Message, Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a source wants to ask.

    Attributes:
        section: the section that the answer is counted for.
        route: the way of asking, one of the source's.
        url: absolute.
        accept: the Accept header.
    """

    section: str
    route: str
    url: str
    accept: str = "*/*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What came back, body and all, decompressed.

    Attributes:
        status: the HTTP status.
        headers: names in lower case.
        body: never longer than the source's ``max_bytes``.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a source read from a response.

    Attributes:
        day: the announcement day that the answer is about.
        listings: in the order printed; none where nothing is announced (yet).
        over_full: the answer reached the route's limit, so there may be more than it holds.
    """

    day: date
    listings: tuple[Listing, ...]
    over_full: bool = False


class Source(Protocol):
    """Who announces papers: says what to ask and reads the answer, and does no I/O.

    An implementation is a frozen dataclass named ``Source`` whose fields are its options.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in tables and messages; two sources of one configuration never share it."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name that readers know."""

    @property
    @abstractmethod
    def sections(self) -> tuple[str, ...]:
        """The parts that are counted by themselves."""

    @property
    @abstractmethod
    def calendar(self) -> Calendar:
        """When a day is due."""

    @property
    @abstractmethod
    def pace(self) -> float:
        """The least number of seconds between two requests to this source's host."""

    @property
    @abstractmethod
    def max_bytes(self) -> int:
        """The longest answer, in bytes decompressed, that is worth reading."""

    @abstractmethod
    def start(self, section: str, now: datetime) -> Request:
        """What to ask for a section."""

    @abstractmethod
    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, breaks off, or is not about what was asked.
        """


class Channel(Protocol):
    """One way out; keeps its connection from pack to pack until closed."""

    form: ClassVar[Form]

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
