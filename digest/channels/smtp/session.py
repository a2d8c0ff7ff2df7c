"""Transactions over an open connection: each reply is accounted for, and each message gets one receipt.

Where the server offers PIPELINING (RFC 2920), a message's commands go out together, and with the end of the
message before it: one round trip a message.

``MAIL RCPT DATA ⇄ | message . MAIL RCPT DATA ⇄ receipt | message . …``
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from digest.channels.smtp.envelope import Envelope, addressed, stuffed
from digest.channels.smtp.wire import LostError, Wire, readable
from digest.core.delivery.replies import Step, judged
from digest.model import Mail, Receipt, Refused, Unknown

_DATA, _DOT, _RESET = b"DATA\r\n", b".\r\n", b"RSET\r\n"
_FINAL = 2
"""Times as long as for a command a server has for a whole message: RFC 5321 has 10 minutes (section 4.5.3.2.6) beside 5."""
_FAREWELL = 5.0
"""Seconds to wait for the answer to QUIT, which nobody needs."""
_LAST_WORDS = 1.0
"""Seconds for a reply that came before the connection broke: it is here, or never will be."""


@dataclass(slots=True, kw_only=True)
class Session:
    """An open connection on which we may send.

    Attributes:
        offers: what the server understands beyond SMTP, in lower case, with its argument.
        greeting: what it said to EHLO, its first line.
        timeout: seconds for the answer to a command.
        idle: nothing is under way, and another pack can go over it.
    """

    wire: Wire
    offers: Mapping[str, str]
    greeting: str
    timeout: float
    idle: bool = field(default=True, init=False)
    _ended: bool = field(default=False, init=False)
    _owed: list[bytes] = field(default_factory=list, init=False)

    def deliver(self, mails: Sequence[Mail]) -> Iterator[tuple[Mail, Receipt]]:
        """Send messages in their order; stops early where the connection ends together with a receipt.

        Raises:
            LostError: the connection ended, and the next message without a receipt was not taken.
        """
        prepared = [addressed(mail, self.offers, self.wire.place) for mail in mails]
        begun = False
        for number, mail in enumerate(mails):
            envelope = prepared[number]
            if isinstance(envelope, Refused):
                yield mail, envelope
                continue
            if not begun:
                self._begin(envelope)
            follower = prepared[number + 1] if number + 1 < len(mails) else None
            begun = self._pipelining and isinstance(follower, Envelope)
            refusal = self._refusal(envelope)
            if refusal is None:
                receipt = self._message(mail, follower if begun and isinstance(follower, Envelope) else None)
            else:
                receipt, begun = refusal, False
            self.idle = not (begun or self._owed or self._ended)
            yield mail, receipt
            if self._ended:
                return
        self._settle()

    def farewell(self) -> None:
        """Take leave, if the server can understand it now, and hang up."""
        if self.idle:
            self.wire.allow(_FAREWELL)
            self.wire.write(b"QUIT\r\n")
            with suppress(LostError):  # it has gone before us
                self.wire.reply(_FAREWELL)
        self.wire.close()

    # --- the steps of a transaction ---------------------------------------------------------------

    @property
    def _pipelining(self) -> bool:
        return "pipelining" in self.offers

    def _begin(self, envelope: Envelope) -> None:
        """Write the commands of a transaction, as far as they can go together; the former one is ended first."""
        if not self._owed and self.wire.unasked():
            self._parting()
        self._settle(_together(envelope) if self._pipelining else b"")

    def _parting(self) -> None:
        """What the server said, or did, while nothing was asked: it wants to go.

        Raises:
            LostError: always.
        """
        self._answered()
        raise LostError(f"{self.wire.place} answered though nothing was asked")

    def _settle(self, then: bytes = b"") -> None:
        """End a transaction that came to nothing, so that the next one can begin.

        Args:
            then: what goes out with that, where commands may go together.
        """
        if not (self._owed or then):
            return
        self.idle = False
        if self._pipelining:
            self._write(b"".join(self._owed) + then)
        for command in self._owed:
            if not self._pipelining:
                self._write(command)
            code, said = self._answered()
            if command == _RESET and code != 250:
                raise LostError(f"{self.wire.place} cannot begin anew: {code} {readable(said)}")
        self._owed.clear()
        self.idle = not then

    def _refusal(self, envelope: Envelope) -> Receipt | None:
        """The server's no to MAIL, RCPT or DATA; None if it waits for the message.

        Raises:
            LostError: the connection ended before a no.
        """
        self.idle = False
        refusal: Receipt | None = None
        waits = False
        for step, command in ((Step.MAIL, envelope.mail), (Step.RCPT, envelope.rcpt), (Step.DATA, _DATA)):
            if not self._pipelining:
                if refusal is not None:
                    break
                self._write(command)
            try:
                no = self._no(step)
            except LostError:
                if refusal is None:
                    raise
                self._ended = True  # it said no and hung up: the no stands
                return refusal
            refusal = refusal or no
            waits = step is Step.DATA and no is None
        if refusal is not None:
            # It may wait for a message though it refused the recipient: a dot alone ends that (RFC 2920, 3.1).
            self._owed = [_DOT, _RESET] if waits else [_RESET]
        return refusal

    def _no(self, step: Step) -> Receipt | None:
        """The receipt where the next reply is a no; None where it is the yes that was asked for.

        Raises:
            LostError: there is none, or it is neither.
        """
        code, said = self._answered()
        if code >= 400:
            return judged(step, code, readable(said))
        if code != 354 if step is Step.DATA else code >= 300:
            raise LostError(f"{self.wire.place} answered with nonsense to {step}: {code} {readable(said)}")
        return None

    def _message(self, mail: Mail, follower: Envelope | None) -> Receipt:
        """The message, the final dot, with it the follower's commands; and what the server says to it.

        Raises:
            LostError: the connection ended before the final dot.
        """
        if self.wire.unread:
            raise LostError(f"{self.wire.place} answered though nothing was asked")
        content = stuffed(mail.content)
        self.wire.allow(self.timeout * _FINAL)
        handed = self.wire.write(content, _DOT + (b"" if follower is None else _together(follower)))
        if handed < len(content) + len(_DOT):
            return self._interrupted()
        try:
            code, said = self.wire.reply(self.timeout * _FINAL)
        except LostError as error:
            self._ended = True
            return Unknown(answer=f"the whole message was sent, then: {error}")
        receipt = judged(Step.MESSAGE, code, readable(said))
        self._ended = code == 421 or isinstance(receipt, Unknown)
        return receipt

    def _interrupted(self) -> Receipt:
        """The receipt for a message that the server did not hear to its end: what it said before it hung up.

        Raises:
            LostError: it said nothing, or nothing that is a no.
        """
        lost = LostError(f"{self.wire.place} ended the connection in the middle of the message")
        try:
            code, said = self.wire.reply(_LAST_WORDS)
        except LostError:
            raise lost from None
        if code < 400:
            raise lost
        self._ended = True
        return judged(Step.MESSAGE, code, readable(said))

    # --- commands and replies ---------------------------------------------------------------------

    def _write(self, commands: bytes) -> None:
        self.wire.allow(self.timeout)
        if self.wire.write(commands) < len(commands):
            code, said = self.wire.reply(_LAST_WORDS)  # it may have said why
            raise LostError(f"{self.wire.place} ended the connection: {code} {readable(said)}")

    def _answered(self) -> tuple[int, bytes]:
        """The next reply to a command.

        Raises:
            LostError: there is none, or it is 421: the server hangs up (RFC 5321, section 3.8).
        """
        code, said = self.wire.reply(self.timeout)
        if code == 421:
            raise LostError(f"{code} {readable(said)}")
        return code, said


def _together(envelope: Envelope) -> bytes:
    return envelope.mail + envelope.rcpt + _DATA
