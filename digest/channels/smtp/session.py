"""Transactions over an open connection: each reply is accounted for, and each message gets one receipt.

Where the server offers PIPELINING (RFC 2920), a message's commands go out together, and with the end of the
message before it: one round trip a message.

``MAIL RCPT DATA ⇄ | message . MAIL RCPT DATA ⇄ receipt | message . …``
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from digest.channels.smtp.envelope import Envelope, apply_dot_stuffing, make_envelope
from digest.channels.smtp.wire import ConnectionLostError, Wire, make_readable
from digest.core.delivery.replies import Step, derive_receipt
from digest.model import Mail, Receipt, Refused, Unknown

_DATA, _FINAL_DOT, _RESET = b"DATA\r\n", b".\r\n", b"RSET\r\n"
_MESSAGE_TIMEOUT_FACTOR = 2
"""Times as long as for a command a server has for a whole message: RFC 5321 has 10 minutes (section 4.5.3.2.6) beside 5."""
_QUIT_TIMEOUT = 5.0
"""Seconds to wait for the answer to QUIT, which nobody needs."""
_LAST_REPLY_TIMEOUT = 1.0
"""Seconds for a reply that came before the connection broke: it is here, or never will be."""


@dataclass(slots=True, kw_only=True)
class Session:
    """An open connection on which we may send.

    Attributes:
        extensions: what the server understands beyond SMTP, in lower case, with its argument.
        greeting: what it said to EHLO, its first line.
        timeout: seconds for the answer to a command.
        idle: nothing is under way, and another pack can go over it.
    """

    wire: Wire
    extensions: Mapping[str, str]
    greeting: str
    timeout: float
    idle: bool = field(default=True, init=False)
    _ended: bool = field(default=False, init=False)
    _pending_commands: list[bytes] = field(default_factory=list, init=False)

    def deliver(self, mails: Sequence[Mail]) -> Iterator[tuple[Mail, Receipt]]:
        """Send messages in their order; stops early where the connection ends together with a receipt.

        Raises:
            LostError: the connection ended, and the next message without a receipt was not taken.
        """
        envelopes = [make_envelope(mail, self.extensions, self.wire.server) for mail in mails]
        started = False
        for index, mail in enumerate(mails):
            envelope = envelopes[index]
            if isinstance(envelope, Refused):
                yield mail, envelope
                continue
            if not started:
                self._begin(envelope)
            next_envelope = envelopes[index + 1] if index + 1 < len(mails) else None
            started = self._pipelining and isinstance(next_envelope, Envelope)
            refusal = self._get_refusal(envelope)
            if refusal is None:
                receipt = self._send_message(
                    mail, next_envelope if started and isinstance(next_envelope, Envelope) else None
                )
            else:
                receipt, started = refusal, False
            self.idle = not (started or self._pending_commands or self._ended)
            yield mail, receipt
            if self._ended:
                return
        self._finish_transaction()

    def close(self) -> None:
        """Take leave, if the server can understand it now, and hang up."""
        if self.idle:
            self.wire.set_time_limit(_QUIT_TIMEOUT)
            self.wire.write(b"QUIT\r\n")
            with suppress(ConnectionLostError):  # it has gone before us
                self.wire.read_reply(_QUIT_TIMEOUT)
        self.wire.close()

    # --- the steps of a transaction ---------------------------------------------------------------

    @property
    def _pipelining(self) -> bool:
        return "pipelining" in self.extensions

    def _begin(self, envelope: Envelope) -> None:
        """Write the commands of a transaction, as far as they can go together; the former one is ended first."""
        if not self._pending_commands and self.wire.has_unsolicited():
            self._raise_unsolicited()
        self._finish_transaction(_join_commands(envelope) if self._pipelining else b"")

    def _raise_unsolicited(self) -> None:
        """What the server said, or did, while nothing was asked: it wants to go.

        Raises:
            LostError: always.
        """
        self._read_reply()
        raise ConnectionLostError(f"{self.wire.server} sent an answer without a command")

    def _finish_transaction(self, next_commands: bytes = b"") -> None:
        """End a transaction that came to nothing, so that the next one can begin.

        Args:
            next_commands: what goes out with that, where commands may go together.
        """
        if not (self._pending_commands or next_commands):
            return
        self.idle = False
        if self._pipelining:
            self._write(b"".join(self._pending_commands) + next_commands)
        for command in self._pending_commands:
            if not self._pipelining:
                self._write(command)
            code, text = self._read_reply()
            if command == _RESET and code != 250:
                raise ConnectionLostError(
                    f"{self.wire.server} could not reset the session: {code} {make_readable(text)}"
                )
        self._pending_commands.clear()
        self.idle = not next_commands

    def _get_refusal(self, envelope: Envelope) -> Receipt | None:
        """The server's no to MAIL, RCPT or DATA; None if it waits for the message.

        Raises:
            LostError: the connection ended before a no.
        """
        self.idle = False
        refusal: Receipt | None = None
        awaits_message = False
        for step, command in ((Step.MAIL, envelope.mail), (Step.RCPT, envelope.rcpt), (Step.DATA, _DATA)):
            if not self._pipelining:
                if refusal is not None:
                    break
                self._write(command)
            try:
                rejection = self._read_rejection(step)
            except ConnectionLostError:
                if refusal is None:
                    raise
                self._ended = True  # it said no and hung up: the no stands
                return refusal
            refusal = refusal or rejection
            awaits_message = step is Step.DATA and rejection is None
        if refusal is not None:
            # It may wait for a message though it refused the recipient: a dot alone ends that (RFC 2920, 3.1).
            self._pending_commands = [_FINAL_DOT, _RESET] if awaits_message else [_RESET]
        return refusal

    def _read_rejection(self, step: Step) -> Receipt | None:
        """The receipt where the next reply is a no; None where it is the yes that was asked for.

        Raises:
            LostError: there is none, or it is neither.
        """
        code, text = self._read_reply()
        if code >= 400:
            return derive_receipt(step, code, make_readable(text))
        if code != 354 if step is Step.DATA else code >= 300:
            raise ConnectionLostError(
                f"{self.wire.server} gave an invalid answer to {step}: {code} {make_readable(text)}"
            )
        return None

    def _send_message(self, mail: Mail, next_envelope: Envelope | None) -> Receipt:
        """The message, the final dot, with it the follower's commands; and what the server says to it.

        Raises:
            LostError: the connection ended before the final dot.
        """
        if self.wire.has_unread:
            raise ConnectionLostError(f"{self.wire.server} sent an answer without a command")
        content = apply_dot_stuffing(mail.content)
        self.wire.set_time_limit(self.timeout * _MESSAGE_TIMEOUT_FACTOR)
        sent_bytes = self.wire.write(
            content, _FINAL_DOT + (b"" if next_envelope is None else _join_commands(next_envelope))
        )
        if sent_bytes < len(content) + len(_FINAL_DOT):
            return self._read_last_reply()
        try:
            code, text = self.wire.read_reply(self.timeout * _MESSAGE_TIMEOUT_FACTOR)
        except ConnectionLostError as error:
            self._ended = True
            return Unknown(answer=f"after the whole message was sent: {error}")
        receipt = derive_receipt(Step.MESSAGE, code, make_readable(text))
        self._ended = code == 421 or isinstance(receipt, Unknown)
        return receipt

    def _read_last_reply(self) -> Receipt:
        """The receipt for a message that the server did not hear to its end: what it said before it hung up.

        Raises:
            LostError: it said nothing, or nothing that is a no.
        """
        lost_error = ConnectionLostError(
            f"{self.wire.server} closed the connection in the middle of the message"
        )
        try:
            code, text = self.wire.read_reply(_LAST_REPLY_TIMEOUT)
        except ConnectionLostError:
            raise lost_error from None
        if code < 400:
            raise lost_error
        self._ended = True
        return derive_receipt(Step.MESSAGE, code, make_readable(text))

    # --- commands and replies ---------------------------------------------------------------------

    def _write(self, commands: bytes) -> None:
        self.wire.set_time_limit(self.timeout)
        if self.wire.write(commands) < len(commands):
            code, text = self.wire.read_reply(_LAST_REPLY_TIMEOUT)  # it may have said why
            raise ConnectionLostError(
                f"{self.wire.server} closed the connection: {code} {make_readable(text)}"
            )

    def _read_reply(self) -> tuple[int, bytes]:
        """The next reply to a command.

        Raises:
            LostError: there is none, or it is 421: the server hangs up (RFC 5321, section 3.8).
        """
        code, text = self.wire.read_reply(self.timeout)
        if code == 421:
            raise ConnectionLostError(f"{code} {make_readable(text)}")
        return code, text


def _join_commands(envelope: Envelope) -> bytes:
    return envelope.mail + envelope.rcpt + _DATA
