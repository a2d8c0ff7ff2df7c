"""Transactions over an open connection: each reply is matched with its command, and each message gets one receipt.

If the server offers PIPELINING (RFC 2920), the commands of a message are sent together, and together with the
end of the previous message: one round trip per message.

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
"""Factor of the time limit for the reply to a whole message: RFC 5321, section 4.5.3.2.6, gives it 10 minutes,
and commands 5.
"""
_QUIT_TIMEOUT = 5.0
"""Seconds to wait for the reply to QUIT, which is not needed."""
_LAST_REPLY_TIMEOUT = 1.0
"""Seconds to wait for a reply after the connection broke: it either has arrived already or never will."""


@dataclass(slots=True, kw_only=True)
class Session:
    """An open connection that is ready for mail.

    Attributes:
        extensions: the server's SMTP extensions: names in lower case, with their arguments.
        greeting: the first line of its reply to EHLO.
        timeout: seconds for the reply to a command.
        idle: whether no transaction is open, so that another batch can be sent.
    """

    wire: Wire
    extensions: Mapping[str, str]
    greeting: str
    timeout: float
    idle: bool = field(default=True, init=False)
    _ended: bool = field(default=False, init=False)
    _pending_commands: list[bytes] = field(default_factory=list, init=False)

    def deliver(self, mails: Sequence[Mail]) -> Iterator[tuple[Mail, Receipt]]:
        """Send messages in their order; stop early if the connection ends together with a receipt.

        Raises:
            ConnectionLostError: the connection ended, and the next message without a receipt was not
                accepted.
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
        """Send QUIT if no transaction is open, and close the connection."""
        if self.idle:
            self.wire.set_time_limit(_QUIT_TIMEOUT)
            self.wire.write(b"QUIT\r\n")
            with suppress(ConnectionLostError):  # the server closed the connection first
                self.wire.read_reply(_QUIT_TIMEOUT)
        self.wire.close()

    # --- transactions -----------------------------------------------------------------------------

    @property
    def _pipelining(self) -> bool:
        return "pipelining" in self.extensions

    def _begin(self, envelope: Envelope) -> None:
        """End the previous transaction and, if the server supports pipelining, write the commands of the next."""
        if not self._pending_commands and self.wire.has_unsolicited():
            self._raise_unsolicited()
        self._finish_transaction(_join_commands(envelope) if self._pipelining else b"")

    def _raise_unsolicited(self) -> None:
        """Read what the server sent without being asked, which means that it closes the connection.

        Raises:
            ConnectionLostError: always.
        """
        self._read_reply()
        raise ConnectionLostError(f"{self.wire.server} sent an answer without a command")

    def _finish_transaction(self, next_commands: bytes = b"") -> None:
        """End a transaction without a message, so that the next one can begin.

        Args:
            next_commands: the commands of the next transaction, sent together with it if the server supports
                pipelining.
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
        """Return the server's refusal of MAIL, RCPT or DATA; None if it waits for the message.

        Raises:
            ConnectionLostError: the connection ended before a refusal.
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
                self._ended = True  # the server refused and closed the connection: the refusal counts
                return refusal
            refusal = refusal or rejection
            awaits_message = step is Step.DATA and rejection is None
        if refusal is not None:
            # It may wait for a message although it refused the recipient: a lone dot ends that (RFC 2920, 3.1).
            self._pending_commands = [_FINAL_DOT, _RESET] if awaits_message else [_RESET]
        return refusal

    def _read_rejection(self, step: Step) -> Receipt | None:
        """Read the next reply and return a receipt if it is negative; None if it is the expected positive one.

        Raises:
            ConnectionLostError: there is no reply, or it is neither.
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
        """Send the message, the final dot and the next envelope's commands, and return the receipt.

        Raises:
            ConnectionLostError: the connection ended before the final dot.
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
        """Return the receipt for an incompletely sent message, from a reply that preceded the end of the connection.

        Raises:
            ConnectionLostError: there is no reply, or it is not a negative one.
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
            code, text = self.wire.read_reply(_LAST_REPLY_TIMEOUT)  # it may give the reason
            raise ConnectionLostError(
                f"{self.wire.server} closed the connection: {code} {make_readable(text)}"
            )

    def _read_reply(self) -> tuple[int, bytes]:
        """Read the next reply to a command.

        Raises:
            ConnectionLostError: there is none, or it is 421: the server closes the connection (RFC 5321,
                section 3.8).
        """
        code, text = self.wire.read_reply(self.timeout)
        if code == 421:
            raise ConnectionLostError(f"{code} {make_readable(text)}")
        return code, text


def _join_commands(envelope: Envelope) -> bytes:
    return envelope.mail + envelope.rcpt + _DATA
