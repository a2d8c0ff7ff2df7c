"""Messages, receipts of channels, and reports of bounces."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple


class MessageForm(StrEnum):
    """The form of the messages that a channel delivers."""

    MAIL = "mail"
    STORED_MAIL = "stored-mail"
    """A mail that is put into a folder: its recipient is the folder."""
    FILES = "files"
    CHAT = "chat"
    """Text for people in a chat or on a phone."""
    JSON = "json"
    """Data for programs."""


class EditionForm(StrEnum):
    """The form in which a destination gets editions; channels of mails and files carry either."""

    STANDARD = ""
    """The standard form of the channel: a mail of text and HTML, files, a chat message, JSON."""
    EPUB = "epub"
    """A book for e-readers (EPUB 3)."""


class AddressKind(StrEnum):
    """The kind of a channel's addresses, which decides how they are written, stored and shown."""

    MAILBOX = "mailbox"
    """An e-mail address: its reader can unsubscribe, and mail can bounce."""
    FOLDER = "folder"
    """A folder, written ``CHANNEL:FOLDER``; a relative one is below the output folder."""
    NAME = "name"
    """A name that is not a secret, written ``CHANNEL:NAME``, such as a printer or a room."""
    URL = "url"
    """The address of a chat or webhook. Anybody who has it can post there, so only a hash of it is stored and shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A message (RFC 5322) with its envelope.

    Attributes:
        delivery: the id of the delivery.
        sender: the envelope's sender, a bare address.
        recipient: the envelope's recipient, a bare address.
        message_id: with its angle brackets.
        content: the bytes, lines ending in CRLF.
    """

    delivery: int
    sender: str
    recipient: str
    message_id: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSet:
    """The files of an edition.

    Attributes:
        delivery: the id of the delivery.
        folder: the absolute path of the destination.
        files: pairs of path, relative to the folder, and content.
    """

    delivery: int
    folder: str
    files: tuple[tuple[str, bytes], ...]


class Span(NamedTuple):
    """A part of a line in a chat.

    Attributes:
        text: plain text, escaped when it is rendered in a markup.
        url: the address that it links to, or "".
        strong: whether it is emphasized.
    """

    text: str
    url: str = ""
    strong: bool = False


Block = tuple[tuple[Span, ...], ...]
"""Lines that belong together: a chat message is never split between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """The content of one or several chat messages; the service decides how many, and in which markup.

    Attributes:
        delivery: the id of the delivery.
        address: the address of the destination, without its secrets.
        title: a single line.
        opening: the first lines.
        papers: each paper in full, and as a single line if there is not enough room.
        omission_notices: by number of omitted papers, the sentence that says so; "" for none.
        page: the web address of the edition, or "".
        page_label: the text of the link to it.
        sent_parts: number of its first messages that were already sent.
    """

    delivery: int
    address: str
    title: str
    opening: Block = ()
    papers: tuple[tuple[Block, Block], ...] = ()
    omission_notices: tuple[str, ...] = ("",)
    page: str = ""
    page_label: str = ""
    sent_parts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """JSON for a program.

    Attributes:
        delivery: the id of the delivery.
        address: the address of the destination, without its secrets.
        idempotency_key: the same at each attempt and unique otherwise, so that a receiver can ignore repeats.
        content: JSON, in UTF-8.
    """

    delivery: int
    address: str
    idempotency_key: str
    content: bytes


Message = Mail | FileSet | Chat | Document


class Fault(StrEnum):
    """Whose fault it is that a message was not accepted."""

    ADDRESS = "address"
    """The recipient's; other recipients at the same server are not affected."""
    DOMAIN = "domain"
    """The recipient's domain: its server wants less mail from us, or is in trouble."""
    OURS = "ours"
    """Ours: our server, connection, reputation or message. No reader must suffer for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The other side accepted the message."""

    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deferred:
    """The message was not accepted, and should be tried again.

    If the fault is ours, the attempt counts only if the server accepts other messages.

    Attributes:
        answer: the words of the other side.
        fault: whose fault it is.
        tried: False if the connection failed before the other side received anything of this message.
        retry_after: how long the other side asks us to wait; None if it does not say.
        sent_parts: number of its first messages that the other side has.
        is_local: whether it was put off on this machine before anybody was asked: the attempt does not count, and it
            says nothing about the server.
    """

    answer: str
    fault: Fault = Fault.ADDRESS
    tried: bool = True
    retry_after: timedelta | None = None
    sent_parts: int = 0
    is_local: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The message was refused for good."""

    answer: str
    fault: Fault = Fault.ADDRESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """The connection ended between the message and the answer, so the message may have arrived.

    Attributes:
        sent_parts: number of its first messages that the other side certainly has.
    """

    answer: str
    sent_parts: int = 0


Receipt = Sent | Deferred | Refused | Unknown


BLAME_MESSAGE = "message"
"""``Delivery.blame`` if a server failed at the message while it accepted others."""


class Delivery(NamedTuple):
    """An edition on its way to one destination; a named tuple, because a run has hundreds of thousands.

    Attributes:
        edition: the id of the edition.
        destination: the id of the destination.
        run: the id of the edition's run.
        digest: the name of the digest.
        period: the period of the run.
        channel: the name of the channel.
        address: the address of the destination, without its secrets.
        domain: the domain of a mail address in lower case, or the service or host of a URL; "" for other channels.
        form: the form of the edition, a value of ``EditionForm``.
        state: one of ``STATES`` of the outbox.
        due_at: it is not attempted earlier.
        main_query: the id of the query that most papers of the edition match; 0 for none.
        paced: whether ``due_at`` is its place in the queue of its domain.
        attempts: number of attempts that count, including a running one.
        unknown: how often the message may have arrived.
        message_id: with its angle brackets.
        answer: the other side's last words.
        blame: whose fault that was, a value of ``Fault`` or ``BLAME_MESSAGE``; "" for nobody's.
        expires_at: when it is given up; None before its first failure that was not ours.
        failed_at: when a server failed at it for the last time that counted, or for the first time; None before that.
        token: the token of its lease; 0 if it is not leased.
    """

    id: int
    edition: int
    destination: int
    run: int
    digest: str
    period: str
    channel: str
    address: str
    domain: str
    form: str
    state: str
    due_at: datetime
    main_query: int
    paced: bool
    attempts: int
    unknown: int
    message_id: str
    answer: str
    blame: str
    expires_at: datetime | None
    failed_at: datetime | None
    sent_at: datetime | None
    token: int

    @property
    def is_suspect(self) -> bool:
        """Whether a server may fail because of this message: it broke off at it, or accepted others, the last time."""
        return self.blame in {Fault.OURS.value, BLAME_MESSAGE} or self.unknown > 0

    @property
    def is_faulty(self) -> bool:
        """Whether a server failed at it while it accepted others: its next failure says nothing about the server."""
        return self.blame == BLAME_MESSAGE


class BounceClass(StrEnum):
    """The meaning of a final failure for an address, by whichever route it is reported."""

    GONE = "gone"
    """The address does not exist."""
    CLOSED = "closed"
    """The address is closed, according to its server; after two such reports it counts as gone."""
    SOFT = "soft"
    """This message did not arrive; a later one may."""
    DOMAIN = "domain"
    """The domain's server wants less mail, or is in trouble; it says nothing about the address."""
    OURS = "ours"
    """Our server, reputation, signature or message is at fault."""
    COMPLAINT = "complaint"
    """The reader reported the message as unwanted."""
    NOTHING = "nothing"
    """The message is late, has arrived, or got an automatic reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchKeys:
    """Keys in a report that lead to the message that it is about; anybody who saw the message knows some of them.

    Attributes:
        senders: quoted envelope senders, and addresses to which the report was sent.
        message_ids: quoted Message-IDs, with their angle brackets.
        unsubscribe_tokens: tokens in quoted unsubscribe links.
        recipients: quoted recipients.
    """

    senders: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    unsubscribe_tokens: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report on what became of a message after it was accepted.

    Attributes:
        status: the enhanced status code (RFC 3463), or "".
        answer: the words of the report, on one line.
        match_keys: keys that lead to the message.
        is_trusted: whether the reporter is verified; then the recipient alone is enough to find the message.
        at: when it happened, UTC; None if the report does not say.
    """

    bounce_class: BounceClass
    status: str = ""
    answer: str = ""
    match_keys: MatchKeys = MatchKeys()
    is_trusted: bool = False
    at: datetime | None = None
