"""Messages, what channels answer, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple


class MessageForm(StrEnum):
    """The form of a message that a channel wants."""

    MAIL = "mail"
    STORED_MAIL = "stored-mail"
    """A mail that is put into a folder: its address is that folder, and no reader's."""
    FILES = "files"
    CHAT = "chat"
    """For people to read in a chat or on a phone."""
    JSON = "json"
    """For programs."""


class AddressKind(StrEnum):
    """What the addresses of a channel are, which decides how they are written, kept and shown."""

    MAILBOX = "mailbox"
    """A person's e-mail address: it may unsubscribe, and mail comes back from it."""
    FOLDER = "folder"
    """A folder, written ``CHANNEL:FOLDER``; below the folder of what is made if it is relative."""
    NAME = "name"
    """A name that everybody may see, written ``CHANNEL:NAME``: a printer, a room."""
    URL = "url"
    """A web address or a chat's: whoever has it can write there, so a hash of it is kept and shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A whole message as RFC 5322 has it, with its envelope.

    Attributes:
        delivery: the delivery that it carries.
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
        delivery: the delivery that it carries.
        folder: where the reader wants them, absolute.
        files: path relative to the folder, and content.
    """

    delivery: int
    folder: str
    files: tuple[tuple[str, bytes], ...]


class Span(NamedTuple):
    """A stretch of a line in a chat.

    Attributes:
        text: what is read there, as it is; it is escaped where it is put into a markup.
        url: where it leads, or "".
        strong: whether it stands out.
    """

    text: str
    url: str = ""
    strong: bool = False


Block = tuple[tuple[Span, ...], ...]
"""Lines that belong together: no message of a chat ends between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """What is said in a chat, in one message or in several: how many, and in which markup, its service decides.

    Attributes:
        delivery: the delivery that it carries.
        address: the destination's, without its secrets.
        title: a single line.
        opening: what comes first.
        papers: each in full, and as a single line for where that would be too long.
        omission_notices: what is said where the last papers find no room: of none of them, of one, and so on; "" for nothing.
        page: where all of it can be read, or "".
        page_label: what leads there.
        sent_parts: so many messages of it, the first ones, are there already.
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
    """What a program is told.

    Attributes:
        delivery: the delivery that it carries.
        address: the destination's, without its secrets.
        idempotency_key: the same at each attempt, and no other's: who has seen it need not look again.
        content: JSON, in UTF-8.
    """

    delivery: int
    address: str
    idempotency_key: str
    content: bytes


Message = Mail | FileSet | Chat | Document


class Fault(StrEnum):
    """Whose fault it is that a message was not taken."""

    ADDRESS = "address"
    """It is about this recipient: others at the same server are none the worse."""
    DOMAIN = "domain"
    """The recipient's server wants less from us, or is in trouble."""
    OURS = "ours"
    """Our server, our connection, our reputation or our message: no reader is to suffer for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The other side has it."""

    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deferred:
    """Not now: try again. Where the fault is ours, the attempt counts only if the server takes other messages.

    Attributes:
        tried: False where the way was in trouble before the other side heard of this message; says nothing about it.
        retry_after: how long the other side asks us to wait; None if it does not say.
        sent_parts: how many messages of it the other side has, the first ones.
    """

    answer: str
    fault: Fault = Fault.ADDRESS
    tried: bool = True
    retry_after: timedelta | None = None
    sent_parts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Never: trying again would change nothing."""

    answer: str
    fault: Fault = Fault.ADDRESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """The connection ended after the message and before the answer: it may have arrived.

    Attributes:
        sent_parts: how many messages of it the other side has for sure, the first ones.
    """

    answer: str
    sent_parts: int = 0


Receipt = Sent | Deferred | Refused | Unknown


class BounceClass(StrEnum):
    """What is said of an address, once it is over with a message, by whatever road it comes."""

    GONE = "gone"
    """There is no such address."""
    CLOSED = "closed"
    """It takes no mail any more, as far as its server says; said twice, it is as good as gone."""
    SOFT = "soft"
    """This message did not reach it; a later one may."""
    DOMAIN = "domain"
    """Its server wants less from us, or is in trouble: nothing is said of the address."""
    OURS = "ours"
    """Our server, reputation, signature or message is at fault, and nobody else."""
    COMPLAINT = "complaint"
    """Its reader called the message unwanted."""
    NOTHING = "nothing"
    """A message is late, has arrived, or was answered by a machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchKeys:
    """By what a report may say which message of ours it is about; some of it can be told by anybody.

    Attributes:
        senders: envelope senders that it quotes, and addresses that it came to.
        message_ids: with their angle brackets.
        unsubscribe_tokens: the tokens of addresses where it can be unsubscribed.
        recipients: whom it was for, as far as it says.
    """

    senders: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    unsubscribe_tokens: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What somebody says became of a message of ours after it had been taken.

    Attributes:
        status: the enhanced status code (RFC 3463), "" if there is none.
        answer: what was said, in a line.
        match_keys: which message.
        is_trusted: who says it is known, so it can be about a message that only its recipient tells.
        at: when it happened, as it says; None if it does not.
    """

    bounce_class: BounceClass
    status: str = ""
    answer: str = ""
    match_keys: MatchKeys = MatchKeys()
    is_trusted: bool = False
    at: datetime | None = None
