"""Mails piped to a local program: ``[sendmail]``. All mail servers come with a program of that name.

The exit status of the program is its answer, as defined by ``sysexits.h``:
https://man.openbsd.org/sysexits.3.
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
"""Enhanced status codes for a recipient that does not exist (RFC 3463, section 3.2).

The exit status alone is not enough to blame the address: some programs use the same one for their own server.
"""
_RECIPIENT_STATUSES = frozenset({65, 67, 68})
"""Exit statuses that can mean an unknown recipient; msmtp exits with 65 if its server does not know the recipient."""
_MESSAGE_FAULTS = {65: "it does not accept the message"}
_OUR_FAULTS = {
    64: "it was called with wrong arguments",
    66: "it cannot read something",
    68: "it cannot find a host, perhaps its own server",  # msmtp exits with it if there is no network
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
    """Passes mails to the program, one after another.

    Attributes:
        command: the program and its arguments, run without a shell.
        timeout: time limit for one mail, in seconds.
    """

    form: ClassVar[MessageForm] = MessageForm.MAIL
    address_kind: ClassVar[AddressKind] = AddressKind.MAILBOX

    command: tuple[str, ...]
    timeout: float = 60.0

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Pass each mail to a new process of the program."""
        for message in messages:
            if not isinstance(message, Mail):
                raise TypeError(f"the channel sendmail accepts mails, not {type(message).__name__}")
            yield message, self._deliver_mail(message)

    def check(self) -> str:
        """Find the program, without running it."""
        program = shutil.which(self.command[0])
        if program is None:
            raise ChannelError(
                f"there is no program {self.command[0]}, or it cannot be executed; write its path in [sendmail] command"
            )
        return f"{program} is there"

    def close(self) -> None:
        """Do nothing: the channel holds no resources."""

    def _deliver_mail(self, mail: Mail) -> Receipt:
        arguments = (*self.command, "-f", mail.sender, "--", mail.recipient)
        content = mail.content.replace(b"\r\n", b"\n")  # local programs expect Unix line ends
        try:
            process = subprocess.Popen(  # noqa: S603 - the operator's own command, and two validated addresses
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
    """Kill a process and its children, which form a process group of their own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def classify_exit_status(status: int, output: str) -> Receipt:
    """Return the receipt for an exit status.

    Args:
        status: the exit status of the program; negative if a signal ended it.
        output: the text that it wrote.
    """
    excerpt = " ".join(
        "".join(character if character.isprintable() else " " for character in output).split()
    )[:_MAX_ANSWER_LENGTH]

    def format_answer(meaning: str) -> str:
        return f"exit status {status}: {meaning}" + (f" ({excerpt})" if excerpt else "")

    if status == 0:
        return Sent(answer=excerpt)
    if status < 0:  # it may have accepted the mail just before
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
