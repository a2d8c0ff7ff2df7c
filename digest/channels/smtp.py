"""Mails to an SMTP server: ``to = ["me@example.org"]`` and ``[smtp]``.

The commands are sent one by one, for ``smtplib.SMTP.sendmail`` does not tell whether the final dot had
been sent when a connection broke: before it the message did not arrive, after it nobody knows.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from digest import ports
from digest.errors import ChannelError
from digest.model import Deferred, Form, Mail, Message, Receipt, Refused, Sent, Unknown

_BREAKS = re.compile(r"[\x00-\x20\x7f<>]")
_FAREWELL = 5.0
"""Seconds to wait for the answer to QUIT, which nobody needs."""
_USUAL = "usual are 587 with starttls and 465 with tls"


class _LostError(Exception):
    """The connection ended, or can no longer be made sense of; says what happened."""


@dataclass(slots=True, kw_only=True)
class Channel(ports.Channel):
    """One connection to one server, kept from pack to pack; for one thread at a time.

    Attributes:
        security: ``starttls``, ``tls`` or ``none``. What is asked for and not offered is an error.
        username: "" for no login.
        ca_file: certificates to trust instead of the system's; "" for the system's.
        connect_timeout: seconds for the connection and the greeting.
        timeout: seconds for the answer to a command.
        final_timeout: seconds for the answer to a whole message; the server is at work then
            (RFC 5321, section 4.5.3.2.6).
    """

    form: ClassVar[Form] = Form.MAIL

    host: str
    port: int = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    username: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""
    connect_timeout: float = 30.0
    timeout: float = 60.0
    final_timeout: float = 600.0
    _connection: smtplib.SMTP | None = field(default=None, init=False, repr=False)

    # --- the port ---------------------------------------------------------------------------------

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Send each message; where the server cannot be reached, all that are left are deferred at once."""
        unreachable = ""
        for message in messages:
            if not isinstance(message, Mail):
                raise TypeError(f"the channel smtp takes mails, not {type(message).__name__}")
            if unreachable:
                yield message, Deferred(answer=unreachable)
                continue
            try:
                receipt = self._send(message)
            except ChannelError as error:
                unreachable = str(error)
                receipt = Deferred(answer=unreachable)
            yield message, receipt

    def check(self) -> str:
        """Connect and log in."""
        connection = self._connected()
        greeting = (connection.ehlo_resp or connection.helo_resp or b"").splitlines()
        told = _readable(greeting[0]) if greeting else "nothing"
        secured = f", {connection.sock.version()}" if isinstance(connection.sock, ssl.SSLSocket) else ""
        login = f", logged in as {self.username}" if self.username else ""
        return f"{self._place} answered {told!r}{secured}{login}"

    def close(self) -> None:
        """Take leave of the server."""
        if self._connection is None:
            return
        try:
            _wait(self._connection, _FAREWELL)
            self._connection.quit()
        except (smtplib.SMTPException, OSError):
            pass  # it has gone before us
        self._drop()

    # --- one message ------------------------------------------------------------------------------

    def _send(self, mail: Mail) -> Receipt:
        """Send a message; again on a new connection where the kept one had gone before the final dot.

        Raises:
            ChannelError: the server cannot be reached or does not let us in.
        """
        if _BREAKS.search(mail.sender + mail.recipient):
            return Refused(answer=f"{mail.recipient!r} is no address")
        lost = ""
        for _ in range(2 if self._connection else 1):
            try:
                return self._transaction(self._connected(), mail)
            except _LostError as error:
                lost = str(error)
                self._drop()
            except BaseException:
                self._drop()  # Ctrl-C in the middle of a command: what comes next on this line is not known
                raise
        return Deferred(answer=lost)

    def _transaction(self, connection: smtplib.SMTP, mail: Mail) -> Receipt:
        """MAIL, RCPT, DATA and the message.

        Raises:
            _LostError: the connection ended before the final dot.
        """
        missing = _missing(connection, mail)
        if missing:
            return Refused(answer=f"{self._place} does not offer {missing}")
        code, answer = self._ask(connection, "MAIL", f"FROM:<{mail.sender}>{_parameters(mail)}")
        if code >= 300:
            return self._given_up(connection, Deferred(answer=answer))
        code, answer = self._ask(connection, "RCPT", f"TO:<{mail.recipient}>")
        if code >= 300:
            return self._given_up(connection, _judged(code, answer))
        code, answer = self._ask(connection, "DATA")
        if code != 354:
            return self._given_up(connection, _judged(code, answer))
        return self._message(connection, mail.content)

    def _message(self, connection: smtplib.SMTP, content: bytes) -> Receipt:
        """The message itself, the final dot, and what the server says to it.

        Raises:
            _LostError: the connection ended before the final dot.
        """
        _wait(connection, self.final_timeout)
        try:
            connection.send(_stuffed(content))
        except smtplib.SMTPServerDisconnected:
            raise _LostError(f"{self._place} ended the connection in the middle of the message") from None
        try:
            connection.send(b".\r\n")
            code, answer = self._answer(connection)
        except (smtplib.SMTPServerDisconnected, _LostError) as error:
            self._drop()
            return Unknown(answer=f"the whole message was sent, then: {error}")
        _wait(connection, self.timeout)
        if code == 421:
            self._drop()
        return Sent(answer=answer) if code < 300 else _judged(code, answer)

    def _given_up(self, connection: smtplib.SMTP, receipt: Receipt) -> Receipt:
        """End a transaction that came to nothing, so that the next one can begin."""
        try:
            code, _ = self._ask(connection, "RSET")
        except _LostError:
            code = 0
        if code != 250:
            self._drop()
        return receipt

    def _ask(self, connection: smtplib.SMTP, command: str, argument: str = "") -> tuple[int, str]:
        """A command and the answer to it.

        Raises:
            _LostError: the connection ended, also by the answer 421.
        """
        try:
            connection.putcmd(command, argument)
        except smtplib.SMTPServerDisconnected as error:
            raise _LostError(f"{self._place} ended the connection: {error}") from None
        code, answer = self._answer(connection)
        if code == 421:
            raise _LostError(answer)
        return code, answer

    def _answer(self, connection: smtplib.SMTP) -> tuple[int, str]:
        """The next answer: its code, and the whole of it in one line.

        Raises:
            _LostError: none came, or it makes no sense.
        """
        try:
            code, text = connection.getreply()
        except smtplib.SMTPServerDisconnected as error:
            raise _LostError(f"{self._place} ended the connection: {error}") from None
        except smtplib.SMTPResponseException as error:  # a line without end
            raise _LostError(f"{self._place} answered with nonsense: {error.smtp_error!r}") from None
        if not 200 <= code < 600:
            raise _LostError(f"{self._place} answered with nonsense: {_readable(text)!r}")
        return code, f"{code} {_readable(text)}"

    # --- the connection ---------------------------------------------------------------------------

    @property
    def _place(self) -> str:
        return f"{self.host}:{self.port}"

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _connected(self) -> smtplib.SMTP:
        """The connection, opened if need be.

        Raises:
            ChannelError: the server cannot be reached or does not let us in; says what to do.
        """
        if self._connection is None:
            try:
                self._connection = self._opened()
            except (smtplib.SMTPException, OSError, UnicodeError) as error:
                raise ChannelError(f"{self._place}: {self._advice(error)}") from error
        return self._connection

    def _opened(self) -> smtplib.SMTP:
        context = self._trust()
        connection: smtplib.SMTP
        if self.security == "tls":
            connection = smtplib.SMTP_SSL(self.host, self.port, timeout=self.connect_timeout, context=context)
        else:
            connection = smtplib.SMTP(self.host, self.port, timeout=self.connect_timeout)
        try:
            _wait(connection, self.timeout)
            _unbuffered(connection)
            connection.command_encoding = "utf-8"  # letters in addresses are asked about before (SMTPUTF8)
            self._introduce(connection, context)
        except BaseException:
            connection.close()
            raise
        return connection

    def _trust(self) -> ssl.SSLContext:
        try:
            return ssl.create_default_context(cafile=self.ca_file or None)
        except OSError as error:
            raise ChannelError(
                f"{self.ca_file}: this holds no certificates ({error.strerror}); check `ca_file`"
            ) from error

    def _introduce(self, connection: smtplib.SMTP, context: ssl.SSLContext) -> None:
        connection.ehlo_or_helo_if_needed()
        if self.security == "starttls":
            if not connection.has_extn("starttls"):
                raise smtplib.SMTPNotSupportedError(
                    'it offers no STARTTLS; write security = "tls" with port 465, or "none" in your own network'
                )
            connection.starttls(context=context)
            connection.ehlo_or_helo_if_needed()
        if self.username:
            if not connection.has_extn("auth"):
                raise smtplib.SMTPNotSupportedError(
                    "it offers no login here; take `username` away, or try another `security` and `port`"
                )
            if not (self.username + self.password).isascii():
                raise smtplib.SMTPNotSupportedError(
                    "a login can be made of ASCII only; take another password for digest"
                )
            connection.login(self.username, self.password)

    def _advice(self, error: Exception) -> str:
        """What to do about a connection that could not be made."""
        match error:
            case smtplib.SMTPAuthenticationError():
                return (
                    f"it refused the login of {self.username}: {error.smtp_code} {_readable(error.smtp_error)}; check "
                    "`username` and `password` (some providers want a password made for programs)"
                )
            case smtplib.SMTPResponseException():
                return f"it answered {error.smtp_code} {_readable(error.smtp_error)}"
            case smtplib.SMTPServerDisconnected() if self.security != "tls":
                return f"it gave no greeting ({error}), as a port does that wants TLS; check `security` ({_USUAL})"
            case ssl.SSLError():
                return self._advice_on_tls(error)
            case socket.gaierror() | UnicodeError():
                return "there is no such host; check `host`"
            case ConnectionRefusedError() | TimeoutError():
                return (
                    f"nothing answers there ({error.strerror or error}); check `host` and `port` ({_USUAL})"
                )
            case _:
                return str(error)

    def _advice_on_tls(self, error: ssl.SSLError) -> str:
        if isinstance(error, ssl.SSLCertVerificationError):
            return (
                f"its certificate is not to be trusted: {error.verify_message}; write the `host` that stands "
                "in it, or name the file of your own authority in `ca_file`"
            )
        if self.security == "tls":
            return f"it does not speak TLS from the start ({error.reason}); check `port` and `security` ({_USUAL})"
        return f"TLS failed: {error.reason}"


# --- small steps ----------------------------------------------------------------------------------


def _wait(connection: smtplib.SMTP, seconds: float) -> None:
    """Set how long the next answers may take."""
    if connection.sock is not None:
        connection.sock.settimeout(seconds)


def _unbuffered(connection: smtplib.SMTP) -> None:
    """Let the final dot, which goes out by itself, not wait for the ACK of what went before."""
    if connection.sock is not None:
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _missing(connection: smtplib.SMTP, mail: Mail) -> str:
    """What the message needs and the server does not offer, and why; "" if nothing is missing."""
    if not (mail.sender + mail.recipient).isascii() and not connection.has_extn("smtputf8"):
        return f"SMTPUTF8, which the letters in {mail.recipient} need"
    if not mail.content.isascii() and not connection.has_extn("8bitmime"):
        return "8BITMIME, which the message needs"
    return ""


def _parameters(mail: Mail) -> str:
    """What MAIL has to announce (RFC 6152, section 2; RFC 6531, section 3.4)."""
    eight_bits = "" if mail.content.isascii() else " BODY=8BITMIME"
    letters = "" if (mail.sender + mail.recipient).isascii() else " SMTPUTF8"
    return eight_bits + letters


def _judged(code: int, answer: str) -> Receipt:
    """The receipt for an answer to RCPT, DATA or the message that is no yes."""
    # 530 asks for a login (RFC 4954, section 6): that is ours to mend, not the address's.
    if code >= 500 and code != 530:
        return Refused(answer=answer)
    return Deferred(answer=answer)


def _stuffed(content: bytes) -> bytes:
    """The message as DATA wants it: lines end in CRLF, a dot that begins one is doubled (RFC 5321, 4.5.2)."""
    lines = b"\r\n".join([b"", *content.splitlines(), b""])
    return lines.replace(b"\r\n.", b"\r\n..")[2:]


def _readable(answer: bytes | str) -> str:
    """What a server said, in one line without control characters, and not too long of it."""
    text = answer if isinstance(answer, str) else answer.decode("utf-8", "replace")
    return " ".join(re.sub(r"[\x00-\x20\x7f-\x9f]+", " ", text).split())[:500]
