"""A mail server that notes of each message what a reader has of it, and from which machine it came."""

from __future__ import annotations

import asyncio
import hashlib
import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from typing import Any

from aiosmtpd.smtp import Envelope, Session

from digest.testing.mail_server import MailServer

_ARXIV_ID = re.compile(r"\b\d{4}\.\d{5}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A message that was accepted.

    Attributes:
        recipient: its recipient.
        message_id: its Message-ID.
        papers: the papers in it.
        content_hash: the hash of its bytes.
        address: the address of the machine that sent it.
        connection: the number of the connection, from 1.
    """

    recipient: str
    message_id: str
    papers: frozenset[str]
    content_hash: str
    address: str
    connection: int

    @property
    def key(self) -> tuple[str, str]:
        """What a repeat has in common with the first."""
        return self.recipient, self.message_id


class RecordingMailServer(MailServer):
    """A mail server that keeps what it needs to know of messages instead of the messages.

    Attributes:
        arrivals: the accepted messages, in order.
        seconds: how long it takes for each message.
    """

    def __init__(self, host: str) -> None:
        super().__init__(offers=("PIPELINING",), host=host)
        self.arrivals: list[Arrival] = []
        self.seconds = 0.0

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:  # noqa: N802 - of aiosmtpd
        """Note a message."""
        await asyncio.sleep(self.seconds)
        reply = await super().handle_DATA(server, session, envelope)
        received = self.received.pop()
        message = message_from_bytes(received.content, policy=policy.default)
        text = message.get_body(("plain",))
        self.arrivals.append(
            Arrival(
                recipient=received.recipients[0],
                message_id=str(message["Message-ID"]),
                papers=frozenset(_ARXIV_ID.findall(text.get_content() if text else "")),
                content_hash=hashlib.sha256(received.content).hexdigest(),
                address=str(session.peer[0]),  # type: ignore[index]
                connection=received.connection,
            )
        )
        return reply
