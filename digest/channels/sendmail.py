"""Mails to a program of this machine that takes them: ``[sendmail]``. All mail servers bring one of that name.

Its exit status is its answer, as ``sysexits.h`` has it: https://man.openbsd.org/sysexits.3.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from digest import ports
from digest.errors import ChannelError
from digest.model import (
    AddressKind,
    Deferred,
    Fault,
    Mail,
    Message,
    MessageForm,
    Receipt,
    Refused,
    Sent,
    Unknown,
)

_MAX_ANSWER_LENGTH = 300
_NO_USER = 67
_NO_SUCH_RECIPIENT = re.compile(r"(?<![\d.])5\.1\.(?:[1236]|10)(?![\d.])")
"""What a server says of a recipient that is not there (RFC 3463, section 3.2). A program's exit status alone says too little
of an address: with some it is about its own server."""
_RECIPIENT_STATUSES = frozenset({65, 67, 68})
"""msmtp ends with 65 where its server knows no such recipient."""
_MESSAGE_FAULTS = {65: "it does not accept the message"}
_OUR_FAULTS = {
    64: "it was called with wrong arguments",
    66: "it cannot read something",
    68: "it cannot find a host, perhaps its own server",  # msmtp says so where there is no network
    69: "it is not available",
    70: "it has an internal error",
    71: "the system has no resources for it",
    72: "a file of the system is missing",
    73: "it cannot write",
    74: "it cannot read or write",
    75: "it asks for a later retry",
    76: "another program did not understand it",
    77: "it has no permission",
    78: "it is not configured",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel(ports.Channel):
    """Gives each mail to the program, one after another.

    Attributes:
        command: the program and its arguments; no shell sees them.
        timeout: for a mail, in seconds.
    """

    form: ClassVar[MessageForm] = MessageForm.MAIL
    address_kind: ClassVar[AddressKind] = AddressKind.MAILBOX

    command: tuple[str, ...]
    timeout: float = 60.0

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Hand over each mail."""
        for message in messages:
            if not isinstance(message, Mail):
                raise TypeError(f"the channel sendmail accepts mails, not {type(message).__name__}")
            yield message, self._deliver_mail(message)

    def check(self) -> str:
        """Look for the program; it is not run."""
        program = shutil.which(self.command[0])
        if program is None:
            raise ChannelError(
                f"there is no program {self.command[0]}, or it cannot be executed; write its path in [sendmail] command"
            )
        return f"{program} is there"

    def close(self) -> None:
        """Nothing is held."""

    def _deliver_mail(self, mail: Mail) -> Receipt:
        arguments = (*self.command, "-f", mail.sender, "--", mail.recipient)
        content = mail.content.replace(b"\r\n", b"\n")  # as programs on this side of SMTP have it
        try:
            process = subprocess.Popen(  # noqa: S603 - the operator's own command, and two addresses that were checked
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            answer = f"{self.command[0]} cannot be run: {error.strerror}"
            return Deferred(answer=answer, fault=Fault.OURS, tried=False)
        with process:
            try:
                output, errors = process.communicate(content, timeout=self.timeout)
            except subprocess.TimeoutExpired:
                _kill(process)
                return Unknown(answer=f"{self.command[0]} did not finish within {self.timeout:g} seconds")
        return classify_exit_status(process.returncode, (errors or output).decode(errors="replace"))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and those that it has begun: it has a group of its own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def classify_exit_status(status: int, output: str) -> Receipt:
    """The receipt for an exit status.

    Args:
        status: of the program; negative where a signal ended it.
        output: what it wrote.
    """
    excerpt = " ".join(
        "".join(character if character.isprintable() else " " for character in output).split()
    )[:_MAX_ANSWER_LENGTH]

    def format_answer(meaning: str) -> str:
        return f"exit status {status}: {meaning}" + (f" ({excerpt})" if excerpt else "")

    if status == 0:
        return Sent(answer=excerpt)
    if status < 0:  # it may have taken the mail just before
        return Unknown(answer=f"signal {-status} ended it" + (f" ({excerpt})" if excerpt else ""))
    if status in _RECIPIENT_STATUSES and (code := _NO_SUCH_RECIPIENT.search(excerpt)):
        return Refused(answer=f"{code[0]} {format_answer('there is no such recipient')}")
    if status == _NO_USER:
        return Deferred(
            answer=format_answer("it says only that the recipient is unknown"), fault=Fault.ADDRESS
        )
    if status in _MESSAGE_FAULTS:
        return Refused(answer=format_answer(_MESSAGE_FAULTS[status]), fault=Fault.OURS)
    return Deferred(answer=format_answer(_OUR_FAULTS.get(status, "its meaning is unknown")), fault=Fault.OURS)
