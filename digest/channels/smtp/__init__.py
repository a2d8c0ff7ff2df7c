"""Mails to SMTP servers: ``to = ["me@example.org"]``, ``[smtp]`` and ``[[smtp.relay]]``.

``smtplib`` opens a connection and logs in. The transactions are our own, because ``smtplib`` does not
pipeline commands, and does not report whether the final dot had been sent when a connection broke: if not,
the message did not arrive; if so, it may have arrived.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from digest import ports
from digest.channels.smtp.opening import SmtpServer, open_session
from digest.channels.smtp.session import Session
from digest.channels.smtp.wire import ConnectionLostError
from digest.errors import ChannelError
from digest.model import AddressKind, Deferred, Fault, Mail, Message, MessageForm, Receipt

_MAX_IDLE_SECONDS = 60.0
"""Seconds after which an idle connection is replaced: a server or router may have dropped it without notice."""

_MAX_TRIES = 2
"""Maximum number of attempts for a message whose connections are lost."""
_MAX_FAILURES = 2
"""Number of consecutive messages that lose their connections after which the rest of the batch is deferred."""


@dataclass(slots=True, kw_only=True)
class Channel(SmtpServer, ports.Channel):
    """One connection to one server, kept open from batch to batch; for one thread at a time."""

    form: ClassVar[MessageForm] = MessageForm.MAIL
    address_kind: ClassVar[AddressKind] = AddressKind.MAILBOX

    _session: Session | None = field(default=None, init=False, repr=False)
    _last_used: float = field(default=0.0, init=False, repr=False)

    # --- port -------------------------------------------------------------------------------------

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Send each message, pipelined as far as the server allows.

        Servers close connections after some number of messages or some time, so a message whose connection is
        lost before it was sent completely is tried once more on a new connection. If that is lost, too, the
        message may be the cause: it is deferred, and the next one is tried. After two such messages in a row,
        or if no connection can be opened, all remaining messages are deferred. The fault is ours in each
        case.
        """
        mails = [_require_mail(message) for message in messages]
        self._refresh()
        finished_count = loss_count = failure_count = 0
        while finished_count < len(mails):
            try:
                for mail, receipt in self._get_session(self.timeout).deliver(mails[finished_count:]):
                    finished_count, loss_count, failure_count = finished_count + 1, 0, 0
                    yield mail, receipt
            except ChannelError as error:
                yield from _defer_untried(mails[finished_count:], str(error))
                return
            except ConnectionLostError as error:
                self._drop()
                loss_count += 1
                if loss_count == _MAX_TRIES:
                    yield mails[finished_count], Deferred(answer=str(error), fault=Fault.OURS)
                    finished_count, loss_count, failure_count = finished_count + 1, 0, failure_count + 1
                if failure_count == _MAX_FAILURES:
                    yield from _defer_untried(mails[finished_count:], str(error))
                    return
            finally:
                # This also runs if the caller stops early: the state of the connection is then unknown.
                if self._session is not None and not self._session.idle:
                    self._drop()
                self._last_used = self.clock()

    def check(self) -> str:
        """Connect and log in."""
        self._refresh()
        session = self._get_session(self.connect_timeout)  # a person is waiting
        sock = session.wire.sock
        tls_note = f", {sock.version()}" if isinstance(sock, ssl.SSLSocket) else ""
        login_note = f", logged in as {self.username}" if self.username else ""
        return f"{self.address} answered {session.greeting!r}{tls_note}{login_note}"

    def close(self) -> None:
        """Send QUIT and close the connection."""
        if self._session is not None:
            self._session.close()
        self._session = None

    # --- connection -------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Close the connection if it was idle too long, or if a transaction on it was not finished."""
        if self._session is not None and (
            not self._session.idle or self.clock() - self._last_used > _MAX_IDLE_SECONDS
        ):
            self.close()

    def _get_session(self, greeting_timeout: float) -> Session:
        """Return the open connection; open one if there is none.

        Args:
            greeting_timeout: how long to wait for the greeting, in seconds.

        Raises:
            ChannelError: the server cannot be reached or refuses the login; the message says what to do.
        """
        if self._session is None:
            self._session = open_session(self, greeting_timeout)
            self._last_used = self.clock()
        return self._session

    def _drop(self) -> None:
        if self._session is not None:
            self._session.wire.close()
        self._session = None


def _require_mail(message: Message) -> Mail:
    if not isinstance(message, Mail):
        raise TypeError(f"the channel smtp accepts mails, not {type(message).__name__}")
    return message


def _defer_untried(mails: Sequence[Mail], answer: str) -> Iterator[tuple[Mail, Receipt]]:
    return ((mail, Deferred(answer=answer, fault=Fault.OURS, tried=False)) for mail in mails)
