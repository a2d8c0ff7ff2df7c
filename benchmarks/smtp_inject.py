"""Mail of 43 KB to a server that throws it away, against Postfix's own source of load, nodemailer's pool and smtplib.

On loopback it is wanted to be as fast as Postfix's ``smtp-source``, which is C and makes up its messages; where a
round trip takes 20 ms, twice as fast as a pool of nodemailer's with as many connections. That is judged by the clock
on the wall, for the server takes a share of the work; the CPU is that of the sender alone.

``smtp-sink`` and ``smtp-source`` come with Postfix; nodemailer is looked for where Node looks (NODE_PATH).
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import smtplib
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email import message_from_bytes, policy
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Result, Row, children
from benchmarks.slow_line import slow_line
from digest.channels.smtp import Channel
from digest.model import Mail, Sent
from tests.channels.scripted_smtp_server import ScriptedServer

BYTES = 43_000
SENDER = "digest@example.org"
ONE, FOUR, TEN = "digest, 1 connection", "digest, 4 connections", "digest, 10 connections"
SOURCE, POOL, PLAIN = "smtp-source, 10", "nodemailer, pool of 10", "smtplib.send_message, 10"
_SCRIPT = Path(__file__).with_suffix(".js")


class Taken(NamedTuple):
    """What it took to send all messages, in seconds."""

    wall: float
    cpu: float


Send = Callable[[int], Taken]
"""Sends all messages to a port."""


def run(*, small: bool) -> Result:
    """Check that all send the same; measure on loopback and over 20 ms."""
    title = "mails of 43 KB to smtp-sink"
    mails = list(_mails(20))
    with tempfile.TemporaryDirectory() as folder:
        rest = Path(folder) / "rest"
        rest.write_bytes(_rest())
        for name, send in _senders(mails, rest).items():
            if name != SOURCE:  # it makes up its own
                _check(name, send, mails)
        if not (shutil.which("smtp-sink") and shutil.which("smtp-source")):
            return Result(title=f"{title}: not measured, Postfix's smtp-sink and smtp-source are not here")
        # Few that come again and again: a mail goes out just when it was made, so it is in the processor's cache.
        near, far = _senders(mails * (1 if small else 50), rest), _senders(mails * (1 if small else 30), rest)
        with _smtp_sink() as port, slow_line(port, 10) as slow:
            near_taken = _measured(near, port, 1 if small else 9)
            far_taken = _measured(
                {name: far[name] for name in far if name not in {ONE, FOUR}}, slow, 1 if small else 3
            )
    peer = POOL if POOL in far else SOURCE
    rows = [*_rows("loopback", near_taken, SOURCE), *_rows("20 ms round trip", far_taken, peer)]
    return Result(title=title if POOL in far else f"{title}; nodemailer is not here", rows=tuple(rows))


def _rows(work: str, taken: Mapping[str, Sequence[Taken]], peer: str) -> Iterator[Row]:
    """What each took by the clock, and below it of CPU."""
    wanted = {("wall", FOUR, SOURCE): 1.0, ("wall", TEN, POOL): 2.0}
    for clock in ("wall", "CPU"):
        theirs = [getattr(one, clock.lower()) for one in taken[peer]]
        for name, turns in taken.items():
            mine = [getattr(one, clock.lower()) for one in turns]
            yield Row(
                work=work,
                candidate=name,
                seconds=statistics.median(mine),
                # Turn by turn: a busy moment of the machine hits both of a turn.
                times=statistics.median(they / i for they, i in zip(theirs, mine, strict=True)),
                wanted=wanted.get((clock, name, peer)),
                clock=clock,
            )


def _measured(senders: Mapping[str, Send], port: int, repeats: int) -> dict[str, list[Taken]]:
    """What each took, turn by turn."""
    taken: dict[str, list[Taken]] = {name: [] for name in senders}
    for _ in range(repeats):
        for name, send in senders.items():
            taken[name].append(send(port))
    return taken


def _check(name: str, send: Send, mails: Sequence[Mail]) -> None:
    """Each message arrives once, as it is."""
    with ScriptedServer() as server:
        send(server.port)
    if sorted(server.messages) != sorted(mail.content for mail in mails):
        raise AssertionError(f"{name} does not send what it is given")


# --- the messages ---------------------------------------------------------------------------------


def _mails(number: int) -> Iterator[Mail]:
    rest = _rest()
    for n in range(number):
        yield Mail(
            delivery=n,
            sender=SENDER,
            recipient=f"r{n}@example.org",
            message_id=f"<{n}@example.org>",
            content=_head(n).encode() + rest,
        )


def _head(number: int) -> str:
    return f"From: {SENDER}\r\nTo: r{number}@example.org\r\nSubject: {number}\r\nMessage-ID: <{number}@example.org>\r\n"


def _rest() -> bytes:
    """What is the same in all: headers and a body in base64, as an edition's is."""
    lines = base64.encodebytes(bytes(n * n % 251 for n in range(BYTES * 3 // 4 - BYTES // 50))).splitlines()
    head = b"MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return head + b"".join(line + b"\r\n" for line in lines)


# --- who sends ------------------------------------------------------------------------------------


def _senders(mails: Sequence[Mail], rest: Path) -> dict[str, Send]:
    parsed = [(mail, message_from_bytes(mail.content, policy=policy.SMTP)) for mail in mails]

    def plain(port: int, number: int) -> None:
        with smtplib.SMTP("127.0.0.1", port) as connection:
            for mail, message in parsed[number::10]:
                connection.send_message(message, mail.sender, mail.recipient)

    senders: dict[str, Send] = {
        FOUR: partial(_in_threads, partial(_digest, mails, 4), 4),
        SOURCE: partial(_source, len(mails)),
        ONE: partial(_in_threads, partial(_digest, mails, 1), 1),
        TEN: partial(_in_threads, partial(_digest, mails, 10), 10),
        PLAIN: partial(_in_threads, plain, 10),
    }
    return senders | {POOL: partial(_pool, mails, rest)} if _has_nodemailer() else senders


def _in_threads(work: Callable[[int, int], None], threads: int, port: int) -> Taken:
    """Let each thread do its share, which has a number."""
    begun, used = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(partial(work, port), range(threads)):
            pass  # what fails is raised
    return Taken(time.perf_counter() - begun, time.process_time() - used)


def _digest(mails: Sequence[Mail], connections: int, port: int, number: int) -> None:
    channel = Channel(host="127.0.0.1", port=port, security="none")
    packs = [mails[start : start + 10] for start in range(0, len(mails), 10)]
    for pack in packs[number::connections]:
        receipts = [receipt for _, receipt in channel.deliver(pack)]
        assert receipts == [receipt for receipt in receipts if isinstance(receipt, Sent)], receipts
    channel.close()


def _source(number: int, port: int) -> Taken:
    """Postfix's own; its messages are its own, too."""
    options = ["-d", "-s", "10", "-m", str(number), "-l", str(BYTES), "-f", SENDER, "-t", "r@example.org"]
    begun, used = time.perf_counter(), children()
    subprocess.run(["smtp-source", *options, f"127.0.0.1:{port}"], check=True)
    return Taken(time.perf_counter() - begun, children() - used)


def _pool(mails: Sequence[Mail], rest: Path, port: int) -> Taken:
    """A pool of nodemailer's; the start of Node is not counted."""
    heads = [{"to": mail.recipient, "head": _head(mail.delivery)} for mail in mails]
    wish = {"port": port, "connections": 10, "from": SENDER, "rest": str(rest), "heads": heads}
    told = subprocess.run(
        ["node", _SCRIPT], input=json.dumps(wish), capture_output=True, text=True, check=True
    )
    return Taken(**json.loads(told.stdout))


def _has_nodemailer() -> bool:
    return (
        bool(shutil.which("node"))
        and not subprocess.run(
            ["node", "-e", "require('nodemailer')"], cwd=_SCRIPT.parent, capture_output=True, check=False
        ).returncode
    )


@contextmanager
def _smtp_sink() -> Iterator[int]:
    """A sink; gives its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    user = ["-u", "nobody"] if os.getuid() == 0 else []
    with subprocess.Popen(["smtp-sink", *user, f"127.0.0.1:{port}", "1000"]) as process:
        try:
            _wait_for(port)
            yield port
        finally:
            process.terminate()


def _wait_for(port: int) -> None:
    for _ in range(1000):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.01)
        else:
            return
    raise TimeoutError("smtp-sink does not listen")
