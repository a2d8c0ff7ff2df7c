"""A real mail server on loopback for tests."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Self

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A message that the mail server accepted.

    Attributes:
        connection: the number of the connection, from 1.
        encrypted: whether the connection was encrypted.
        user: the user that had logged in on the connection, or "".
    """

    sender: str
    recipients: tuple[str, ...]
    content: bytes
    connection: int
    encrypted: bool
    user: str


class _CountedSMTP(SMTP):
    """An SMTP connection that is counted while it is open; its handler is the server."""

    def connection_made(self, transport: Any) -> None:
        """Count the connection; it stays one connection when STARTTLS starts TLS on it."""
        super().connection_made(transport)
        self.event_handler.count_open(transport.get_extra_info("peername"), 1)

    def connection_lost(self, error: Exception | None) -> None:
        """Stop counting the connection."""
        if self.session is not None:
            self.event_handler.count_open(self.session.peer, -1)
        super().connection_lost(error)


class _Controller(Controller):
    """A controller that can listen on any free port."""

    def factory(self) -> SMTP:
        """Make the protocol of a connection."""
        return _CountedSMTP(self.handler, **self.SMTP_kwargs)

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


class MailServer(AbstractContextManager["MailServer"]):
    """An SMTP server that records the messages that it gets.

    Attributes:
        received: the accepted messages, in order.
        refusals: replies to refused recipients, by address: ``550 5.1.1 no such user``.
        replies: replies to the next messages, instead of ``250``; a message that gets 4xx or 5xx is not
            recorded.
        connections: the number of clients that sent a greeting.
        most_at_once: the maximum number of connections that were open at the same time.
    """

    def __init__(
        self,
        *,
        security: str = "none",
        login: tuple[str, str] | None = None,
        authority: trustme.CA | None = None,
        offers: tuple[str, ...] = (),
        host: str = "127.0.0.1",
    ) -> None:
        """Prepare the server.

        Args:
            security: ``none``, ``starttls`` (which then is required before anything else) or ``tls``.
            login: user name and password, which then are required; None for no authentication.
            authority: signs the certificate for 127.0.0.1 and localhost; None for a new authority.
            offers: further extensions in the reply to EHLO; ``PIPELINING`` works whether or not it is
                announced.
            host: the address at which it listens.
        """
        self._offers = offers
        self.received: list[Received] = []
        self.refusals: dict[str, str] = {}
        self.replies: list[str] = []
        self.connections = 0
        self.most_at_once = 0
        self._open: set[object] = set()
        self._login = login
        self._numbers: dict[object, int] = {}  # by the client's address and port
        context = None
        if security != "none":
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            (authority or trustme.CA()).issue_cert("127.0.0.1", "localhost").configure_cert(context)
        self._controller = _Controller(
            self,
            hostname=host,
            port=0,
            ssl_context=context if security == "tls" else None,
            tls_context=context if security == "starttls" else None,
            require_starttls=security == "starttls",
            authenticator=self._authenticate,
            auth_require_tls=security == "starttls",
            data_size_limit=None,
        )

    @property
    def port(self) -> int:
        """The port at its address."""
        return self._controller.port

    @property
    def open_connections(self) -> int:
        """The number of connections that are open now."""
        return len(self._open)

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._controller.stop()

    def count_open(self, peer: object, change: int) -> None:
        """Record that a connection was opened or closed.

        Args:
            peer: the address of the client.
            change: 1 if it was opened, -1 if it was closed.
        """
        (self._open.add if change > 0 else self._open.discard)(peer)
        self.most_at_once = max(self.most_at_once, len(self._open))

    def _authenticate(
        self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any
    ) -> AuthResult:
        right = (
            isinstance(data, LoginPassword) and (data.login.decode(), data.password.decode()) == self._login
        )
        return AuthResult(success=right, handled=right)  # not handled: aiosmtpd answers 535 itself

    async def handle_EHLO(  # noqa: N802 aiosmtpd finds it by this name
        self, _server: Any, session: Session, _envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        """Count a client at its first greeting; it sends another one after STARTTLS."""
        session.host_name = hostname
        if session.peer not in self._numbers:
            self.connections += 1
            self._numbers[session.peer] = self.connections
        # The first line of the reply is the name of the server (RFC 5321, section 4.1.1.1).
        return [responses[0], *(f"250-{one}" for one in self._offers), *responses[1:]]

    async def handle_MAIL(  # noqa: N802 aiosmtpd finds it by this name
        self, _server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept a sender; require the login, if there is one."""
        if self._login is not None and not session.authenticated:
            return "530 5.7.0 authentication required"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 aiosmtpd finds it by this name
        self, _server: Any, _session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept or refuse a recipient."""
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 aiosmtpd finds it by this name
        self, _server: Any, session: Session, envelope: Envelope
    ) -> str:
        """Record a message, or return the reply that the test defines."""
        reply = self.replies.pop(0) if self.replies else "250 2.0.0 kept"
        if reply.startswith("2"):
            self.received.append(
                Received(
                    sender=envelope.mail_from or "",
                    recipients=tuple(envelope.rcpt_tos),
                    content=bytes(envelope.original_content or b""),
                    connection=self._numbers[session.peer],
                    encrypted=session.ssl is not None or self._controller.ssl_context is not None,
                    user=self._login[0] if session.authenticated and self._login else "",
                )
            )
        return reply
