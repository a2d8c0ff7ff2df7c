"""The opening of a connection: TCP, greeting, TLS and login; errors become advice on what is wrong."""

from __future__ import annotations

import smtplib
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from digest.channels.smtp.session import Session
from digest.channels.smtp.wire import Wire, make_readable
from digest.errors import ChannelError

_USUAL_PORTS = "usually 587 with starttls, or 465 with tls"


@dataclass(slots=True, kw_only=True)
class SmtpServer:
    """A server, and how to connect to it.

    Attributes:
        security: ``starttls``, ``tls`` or ``none``. If the server does not offer it, that is an error.
        username: "" for no login.
        ca_file: certificates to trust instead of the system's; "" for the system's.
        connect_timeout: seconds for the connection, and for the TLS handshake.
        timeout: seconds for the greeting and for the reply to a command (RFC 5321, sections 4.5.3.2.1 to .4);
            the reply to a whole message may take twice as long.
        clock: a clock in seconds; only differences matter.
    """

    host: str
    port: int = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    username: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""
    connect_timeout: float = 30.0
    timeout: float = 300.0
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    _tls_context: ssl.SSLContext | None = field(default=None, init=False, repr=False)

    @property
    def address(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}"

    def load_tls_context(self) -> ssl.SSLContext:
        """Return the cached TLS context with the trusted certificates; loading it takes as long as some hundred mails.

        Raises:
            ChannelError: the file contains no certificates.
        """
        if self._tls_context is None:
            try:
                self._tls_context = ssl.create_default_context(cafile=self.ca_file or None)
            except OSError as error:
                raise ChannelError(
                    f"{self.ca_file}: this file contains no certificates ({error.strerror}); check `ca_file`"
                ) from error
        return self._tls_context


def open_session(server: SmtpServer, greeting_timeout: float) -> Session:
    """Connect and log in.

    Args:
        server: the server.
        greeting_timeout: how long to wait for the greeting, in seconds.

    Raises:
        ChannelError: the server cannot be reached or refuses the login; the message says what to do.
    """
    if server.security != "none":
        server.load_tls_context()  # an invalid file is reported before we connect
    try:
        sock = socket.create_connection((server.host, server.port), server.connect_timeout)
        # A small packet, such as a lone dot, must not wait for the ACK of the previous one (Nagle's algorithm).
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return _start_session(server, sock, greeting_timeout)
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        raise ChannelError(f"{server.address}: {_describe_error(server, error)}") from error


def _start_session(server: SmtpServer, sock: socket.socket, greeting_timeout: float) -> Session:
    """Wait for the greeting, start TLS and log in: ``smtplib`` sends the commands and reads from our ``Wire``."""
    connection = smtplib.SMTP(timeout=server.timeout)
    connection.sock = sock  # so that ``close`` below closes it if anything fails
    try:
        if server.security == "tls":
            connection.sock = server.load_tls_context().wrap_socket(sock, server_hostname=server.host)
        wire = _attach_wire(server, connection, greeting_timeout)
        _wait_for_greeting(server, connection)
        wire.set_time_limit(server.timeout)
        connection.ehlo_or_helo_if_needed()
        if server.security == "starttls":
            wire = _start_tls(server, connection, wire)
        if server.username:
            wire.set_time_limit(server.timeout)
            _log_in(server, connection)
    except BaseException:
        connection.close()
        raise
    hello_lines = (connection.ehlo_resp or connection.helo_resp or b"").splitlines()
    return Session(
        wire=wire,
        extensions=dict(connection.esmtp_features),
        greeting=make_readable(hello_lines[0]) if hello_lines else "nothing",
        timeout=server.timeout,
    )


def _wait_for_greeting(server: SmtpServer, connection: smtplib.SMTP) -> None:
    try:
        code, text = connection.getreply()
    except smtplib.SMTPServerDisconnected as error:
        if server.security == "tls":
            raise
        raise smtplib.SMTPException(
            f"it sent no greeting ({error}), as a port that requires TLS does; check `security` ({_USUAL_PORTS})"
        ) from error
    if code != 220:
        raise smtplib.SMTPConnectError(code, text)


def _attach_wire(server: SmtpServer, connection: smtplib.SMTP, greeting_timeout: float) -> Wire:
    """Let ``smtplib`` read from our ``Wire``, so that no unread bytes are lost in a buffer of its own."""
    assert connection.sock is not None
    wire = Wire(sock=connection.sock, server=server.address, clock=server.clock)
    wire.set_time_limit(greeting_timeout)
    connection.file = wire
    return wire


def _start_tls(server: SmtpServer, connection: smtplib.SMTP, wire: Wire) -> Wire:
    """Send STARTTLS (RFC 3207); everything received before it is discarded."""
    if not connection.has_extn("starttls"):
        raise smtplib.SMTPNotSupportedError(
            'it offers no STARTTLS; write security = "tls" with port 465, or "none" in your own network'
        )
    wire.set_time_limit(server.timeout)
    code, text = connection.docmd("STARTTLS")
    if code != 220:
        raise smtplib.SMTPResponseException(code, text)
    if wire.has_unread:
        raise smtplib.SMTPException(
            "it continued unencrypted after STARTTLS, as if somebody intercepts the connection; try another network"
        )
    assert connection.sock is not None
    connection.sock.settimeout(server.connect_timeout)
    try:
        connection.sock = server.load_tls_context().wrap_socket(connection.sock, server_hostname=server.host)
    except ConnectionError as error:
        raise smtplib.SMTPServerDisconnected(f"when TLS started: {error}") from error
    connection.helo_resp = connection.ehlo_resp = None
    connection.esmtp_features = {}
    connection.does_esmtp = False
    tls_wire = _attach_wire(server, connection, server.timeout)
    connection.ehlo_or_helo_if_needed()
    return tls_wire


def _log_in(server: SmtpServer, connection: smtplib.SMTP) -> None:
    if not connection.has_extn("auth"):
        raise smtplib.SMTPNotSupportedError(
            "it does not offer a login here; remove `username`, or try another `security` and `port`"
        )
    if not (server.username + server.password).isascii():
        raise smtplib.SMTPNotSupportedError(
            "a login may only contain ASCII characters; use another password for digest"
        )
    connection.login(server.username, server.password)


# --- advice ---------------------------------------------------------------------------------------


def _describe_error(server: SmtpServer, error: Exception) -> str:
    """Return advice on a connection that could not be opened."""
    match error:
        case smtplib.SMTPAuthenticationError():
            return f"it refused the login of {server.username}: {error.smtp_code} {_format_reply(error)}; check `username` and `password` (some providers require an app password)"
        case smtplib.SMTPResponseException():
            return f"it answered {error.smtp_code} {_format_reply(error)}"
        case smtplib.SMTPServerDisconnected():
            return f"it closed the connection ({error}); try again later, or check `port` and `security` ({_USUAL_PORTS})"
        case ssl.SSLError():
            return _describe_tls_error(server, error)
        case socket.gaierror() | UnicodeError():
            return _describe_lookup_error(error)
        case ConnectionRefusedError() | TimeoutError():
            return (
                f"nothing answers there ({error.strerror or error}); check `host` and `port` ({_USUAL_PORTS})"
            )
        case ConnectionError():
            return f"it closed the connection ({error.strerror or error}); try again later, or check `port` and `security` ({_USUAL_PORTS})"
        case _:
            return str(error)


def _describe_lookup_error(error: socket.gaierror | UnicodeError) -> str:
    if isinstance(error, UnicodeError):
        return "this cannot be the name of a host; check `host`"
    if error.errno == socket.EAI_AGAIN:
        return "no host name can be resolved; is this machine offline?"
    return "there is no such host; check `host`; is this machine offline?"


def _format_reply(error: smtplib.SMTPResponseException) -> str:
    return make_readable(error.smtp_error)


def _describe_tls_error(server: SmtpServer, error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}; write the `host` for which it was issued, or name the file of your own certificate authority in `ca_file`"
    if server.security == "tls":
        return f"it does not use TLS from the start ({error.reason}); check `port` and `security` ({_USUAL_PORTS})"
    return f"TLS failed: {error.reason}"
