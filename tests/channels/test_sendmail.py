"""A program that takes mail: what it is given, and what its end is taken for."""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.channels.sendmail import Channel, classify_exit_status
from digest.core.delivery.bounces.address_status import derive_bounce_class
from digest.errors import ChannelError
from digest.model import BounceClass, Deferred, Fault, FileSet, Mail, Receipt, Refused, Sent, Unknown
from tests.support.cases import for_each_case
from tests.support.timeouts import PATIENCE

MAIL = Mail(
    delivery=1,
    sender="digest@example.org",
    recipient="-oops@example.org",
    message_id="<1@example.org>",
    content=b"Subject: x\r\n\r\n.\r\nFrom here\r\n",
)


def deliver(program: str, *arguments: str, timeout: float = PATIENCE) -> Receipt:
    channel = Channel(command=(sys.executable, "-S", "-c", program, *arguments), timeout=timeout)
    [(_, receipt)] = channel.deliver([MAIL])
    return receipt


def test_a_program_gets_the_message_and_the_envelope(tmp_path: Path) -> None:
    program = (
        "import sys; open(sys.argv[1], 'wb').write(repr(sys.argv[2:]).encode() + sys.stdin.buffer.read())"
    )

    assert deliver(program, str(tmp_path / "got")) == Sent()
    assert (tmp_path / "got").read_bytes() == (
        b"['-f', 'digest@example.org', '--', '-oops@example.org']Subject: x\n\n.\nFrom here\n"
    )


@for_each_case(
    ("status", "kind", "blame"),
    [
        (0, Sent, None),
        (64, Deferred, Fault.OURS),
        (65, Refused, Fault.OURS),
        (67, Deferred, Fault.ADDRESS),
        (68, Deferred, Fault.OURS),
        (69, Deferred, Fault.OURS),
        (70, Deferred, Fault.OURS),
        (71, Deferred, Fault.OURS),
        (73, Deferred, Fault.OURS),
        (74, Deferred, Fault.OURS),
        (75, Deferred, Fault.OURS),
        (77, Deferred, Fault.OURS),
        (78, Deferred, Fault.OURS),
        (1, Deferred, Fault.OURS),
        (127, Deferred, Fault.OURS),
    ],
)
def test_an_exit_status_is_a_receipt(status: int, kind: type, blame: Fault | None) -> None:
    receipt = deliver(f"import sys; sys.stdin.read(); sys.stderr.write('so it is'); sys.exit({status})")

    assert (type(receipt), getattr(receipt, "fault", None)) == (kind, blame)
    assert "so it is" in receipt.answer


@for_each_case(
    ("status", "message", "finding"),
    [
        (67, "", BounceClass.SOFT),
        (67, "user unknown", BounceClass.SOFT),
        (67, "550 5.1.1 <me@example.org>... User unknown", BounceClass.GONE),
        (67, "553 5.1.8 the sender's domain is not known", BounceClass.SOFT),
        (68, "msmtp: cannot locate host smtp.example.org: Name or service not known", BounceClass.OURS),
        (68, "550 5.1.2 <me@nowhere.example>... Host unknown", BounceClass.GONE),
        (65, "msmtp: server message: 550 5.1.1 no such user", BounceClass.GONE),
        (65, "msmtp: server message: 550 5.7.1 spam", BounceClass.OURS),
        (75, "450 4.1.1 come back later", BounceClass.OURS),
        (1, "connecting to 5.1.1.5 failed", BounceClass.OURS),
        (67, "connecting to 5.1.1.5 failed", BounceClass.SOFT),
    ],
)
def test_only_what_a_server_says_of_an_address_makes_it_one_that_is_gone(
    status: int, message: str, finding: BounceClass
) -> None:
    assert derive_bounce_class(classify_exit_status(status, message)) is finding


def test_a_program_that_does_not_read_on_is_heard() -> None:
    receipt = deliver("import sys; sys.stdin.close(); sys.exit(75)")

    assert receipt == Deferred(answer="exit status 75: it asks for a later retry", fault=Fault.OURS)


def test_a_program_that_does_not_end_may_have_it() -> None:
    assert isinstance(deliver("import threading; threading.Event().wait()", timeout=0.3), Unknown)


def test_what_a_program_has_begun_ends_with_it(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys, pathlib\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "file.with_suffix('.new').write_text(str(child.pid))\n"
        "file.with_suffix('.new').rename(file)\n"
        "child.wait()\n"
    )
    file, timeout = tmp_path / "pid", 1.0
    while not file.exists():  # on a slow machine its time is over before it has begun anything
        timeout *= 2
        assert isinstance(deliver(program, str(file), timeout=timeout), Unknown)
    number = int(file.read_text(encoding="utf-8"))
    with suppress(ProcessLookupError):
        ended, _, _ = select.select([os.pidfd_open(number)], [], [], PATIENCE)
        assert ended


def test_a_program_that_is_killed_may_have_it() -> None:
    assert deliver("import os; os.kill(os.getpid(), 9)") == Unknown(answer="signal 9 ended it")


def test_a_program_that_is_not_there_does_not_have_it(tmp_path: Path) -> None:
    channel = Channel(command=(str(tmp_path / "nothing"),))
    [(_, receipt)] = channel.deliver([MAIL])

    assert isinstance(receipt, Deferred)
    assert (receipt.fault, receipt.tried) == (Fault.OURS, False)
    with pytest.raises(ChannelError, match="there is no program"):
        channel.check()


def test_a_check_runs_nothing(tmp_path: Path) -> None:
    program = tmp_path / "sendmail"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", encoding="utf-8")
    program.chmod(0o755)

    assert Channel(command=(str(program), "-i")).check() == f"{program} is there"
    assert not (tmp_path / "ran").exists()


@given(st.integers(-64, 255), st.text())
def test_whatever_a_program_says_is_told_on_one_line(status: int, said: str) -> None:
    answer = classify_exit_status(status, said).answer

    assert answer.isprintable()
    assert len(answer) < 400


def test_only_mails_can_be_handed_over_and_the_channel_is_made_of_options() -> None:
    channel = plugins.build(plugins.load("channels", "sendmail"), {"command": ["/bin/true"]})

    with pytest.raises(TypeError, match="accepts mails"):
        list(channel.deliver([FileSet(delivery=1, folder="/", files=())]))
