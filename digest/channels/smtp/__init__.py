"""Mails to SMTP servers: ``to = ["me@example.org"]``, ``[smtp]`` and ``[[smtp.relay]]``.

``smtplib`` opens a connection and logs in; the transactions are ours, for it asks one thing at a time, and
does not tell whether the final dot had been sent when a connection broke: before it the message did not
arrive, after it nobody knows.
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
"""Seconds after which an idle connection is opened anew: a server or a router may have forgotten it in silence."""

_MAX_TRIES = 2
"""How often a message is tried on a connection that ends."""
_MAX_FAILURES = 2
"""Messages in a row at which connections end before the rest of the batch is left to others."""


@dataclass(slots=True, kw_only=True)
class Channel(SmtpServer, ports.Channel):
    """One connection to one server, kept from pack to pack; for one thread at a time."""

    form: ClassVar[MessageForm] = MessageForm.MAIL
    address_kind: ClassVar[AddressKind] = AddressKind.MAILBOX

    _session: Session | None = field(default=None, init=False, repr=False)
    _last_used: float = field(default=0.0, init=False, repr=False)

    # --- the port ---------------------------------------------------------------------------------

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Send each message, all of them under way as far as the server lets us.

        A connection that ends before a message was sent to its end is no more than a reason to take another, once
        a message: servers end them after so many messages, or so much time. Where that does not help, the message
        may be to blame itself: it is deferred, and the next one is tried. After a second one in a row, or where no
        connection can be had, all that are left are deferred. The fault is ours.
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
                # Also where nobody takes the next receipt: what would come next on this connection is not known.
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
        """Take leave of the server."""
        if self._session is not None:
            self._session.close()
        self._session = None

    # --- the connection ---------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Leave a connection that was idle for long, or was left in the middle of something."""
        if self._session is not None and (
            not self._session.idle or self.clock() - self._last_used > _MAX_IDLE_SECONDS
        ):
            self.close()

    def _get_session(self, greeting_timeout: float) -> Session:
        """The connection, opened if need be.

        Args:
            greeting_timeout: how long to wait for the greeting, in seconds.

        Raises:
            ChannelError: the server cannot be reached or does not let us in; says what to do.
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
