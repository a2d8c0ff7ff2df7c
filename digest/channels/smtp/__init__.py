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
from digest.channels.smtp.opening import Server, opened
from digest.channels.smtp.session import Session
from digest.channels.smtp.wire import LostError
from digest.errors import ChannelError
from digest.model import Blame, Deferred, Form, Mail, Message, Receipt

_STALE = 60.0
"""Seconds after which an idle connection is opened anew: a server or a router may have forgotten it in silence."""

_MOST_TRIES = 2
"""How often a message is tried on a connection that ends."""
_MOST_FAILURES = 2
"""Messages in a row at which connections end before the rest of the batch is left to others."""


@dataclass(slots=True, kw_only=True)
class Channel(Server, ports.Channel):
    """One connection to one server, kept from pack to pack; for one thread at a time."""

    form: ClassVar[Form] = Form.MAIL

    _session: Session | None = field(default=None, init=False, repr=False)
    _used: float = field(default=0.0, init=False, repr=False)

    # --- the port ---------------------------------------------------------------------------------

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Send each message, all of them under way as far as the server lets us.

        A connection that ends before a message was sent to its end is no more than a reason to take another, once
        a message: servers end them after so many messages, or so much time. Where that does not help, the message
        may be to blame itself: it is deferred, and the next one is tried. After a second one in a row, or where no
        connection can be had, all that are left are deferred. The fault is ours.
        """
        mails = [_mail(message) for message in messages]
        self._refresh()
        done = losses = failures = 0
        while done < len(mails):
            try:
                for mail, receipt in self._connected(self.timeout).deliver(mails[done:]):
                    done, losses, failures = done + 1, 0, 0
                    yield mail, receipt
            except ChannelError as error:
                yield from _untried(mails[done:], str(error))
                return
            except LostError as error:
                self._drop()
                losses += 1
                if losses == _MOST_TRIES:
                    yield mails[done], Deferred(answer=str(error), blame=Blame.OURS)
                    done, losses, failures = done + 1, 0, failures + 1
                if failures == _MOST_FAILURES:
                    yield from _untried(mails[done:], str(error))
                    return
            finally:
                # Also where nobody takes the next receipt: what would come next on this connection is not known.
                if self._session is not None and not self._session.idle:
                    self._drop()
                self._used = self.clock()

    def check(self) -> str:
        """Connect and log in."""
        self._refresh()
        session = self._connected(self.connect_timeout)  # a person is waiting
        sock = session.wire.sock
        secured = f", {sock.version()}" if isinstance(sock, ssl.SSLSocket) else ""
        login = f", logged in as {self.username}" if self.username else ""
        return f"{self.place} answered {session.greeting!r}{secured}{login}"

    def close(self) -> None:
        """Take leave of the server."""
        if self._session is not None:
            self._session.farewell()
        self._session = None

    # --- the connection ---------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Leave a connection that was idle for long, or was left in the middle of something."""
        if self._session is not None and (not self._session.idle or self.clock() - self._used > _STALE):
            self.close()

    def _connected(self, patience: float) -> Session:
        """The connection, opened if need be.

        Args:
            patience: how long to wait for the greeting, in seconds.

        Raises:
            ChannelError: the server cannot be reached or does not let us in; says what to do.
        """
        if self._session is None:
            self._session = opened(self, patience)
            self._used = self.clock()
        return self._session

    def _drop(self) -> None:
        if self._session is not None:
            self._session.wire.close()
        self._session = None


def _mail(message: Message) -> Mail:
    if not isinstance(message, Mail):
        raise TypeError(f"the channel smtp takes mails, not {type(message).__name__}")
    return message


def _untried(mails: Sequence[Mail], answer: str) -> Iterator[tuple[Mail, Receipt]]:
    return ((mail, Deferred(answer=answer, blame=Blame.OURS, tried=False)) for mail in mails)
