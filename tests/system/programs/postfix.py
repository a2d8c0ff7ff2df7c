"""A Postfix of the tests' own: on loopback, unprivileged port, delivering into a Maildir."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

import trustme

from tests.support.timeouts import PATIENCE
from tests.system.programs.installed import require_program

DOMAIN = "example.org"
"""Mail to anybody there is taken, except to ``nobody``; all other mail is refused."""

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.{domain}
mydestination =
alias_maps =
alias_database =
mynetworks = 127.0.0.0/8
virtual_mailbox_domains = {domain}
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = static:inbox/
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
default_transport = error:this server delivers nowhere else
smtpd_recipient_restrictions = check_recipient_access inline:{{ {{ nobody@{domain} = 550 5.1.1 no such user }} }}
smtpd_tls_chain_files = {folder}/server.pem
smtpd_tls_security_level = {tls}
"""
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
anvil unix - - n - 1 anvil
bounce unix - - n - 0 bounce
cleanup unix n - n - 0 cleanup
defer unix - - n - 0 bounce
error unix - - n - - error
pickup unix n - n 60 1 pickup
postlog unix-dgram n - n - 1 postlogd
proxymap unix - - n - - proxymap
qmgr unix n - n 300 1 qmgr
retry unix - - n - - error
smtp unix - - n - - smtp
rewrite unix - - n - - trivial-rewrite
tlsmgr unix - - n 1000? 1 tlsmgr
trace unix - - n - 0 bounce
virtual unix - n n - - virtual
"""


class Postfix(AbstractContextManager["Postfix"]):
    """A running Postfix.

    Attributes:
        port: where it listens, at 127.0.0.1.
    """

    def __init__(self, folder: Path, authority: trustme.CA, *, tls: str = "may", more: str = "") -> None:
        """Write its configuration.

        Args:
            folder: empty, and open to other users: Postfix's daemons are not root.
            authority: who signs its certificate.
            tls: ``may`` offers STARTTLS, ``encrypt`` demands it.
            more: further lines of ``main.cf``.
        """
        self.port = _free_port()
        self._folder = folder
        nobody, postfix = pwd.getpwnam("nobody"), pwd.getpwnam("postfix")
        values = {"folder": folder, "domain": DOMAIN, "port": self.port, "tls": tls}
        conf = folder / "conf"
        for name in ("conf", "queue", "data", "mail"):
            (folder / name).mkdir()
        os.chown(folder / "data", postfix.pw_uid, -1)
        os.chown(folder / "mail", nobody.pw_uid, nobody.pw_gid)
        certificate = authority.issue_cert("127.0.0.1", "localhost")
        certificate.private_key_and_cert_chain_pem.write_to_path(str(folder / "server.pem"))
        (conf / "main.cf").write_text(MAIN.format(uid=nobody.pw_uid, gid=nobody.pw_gid, **values) + more)
        (conf / "master.cf").write_text(MASTER.format(**values))

    def __enter__(self) -> Self:
        self._run("start")  # returns when it listens, or says why it does not
        self._log = (self._folder / "log").open(encoding="utf-8")
        return self

    def __exit__(self, *_exc: object) -> None:
        self._log.close()
        self._run("stop")

    def _run(self, command: str) -> None:
        # Postfix keeps what it inherits, so its output goes to a file: the end of a pipe would never come.
        with (self._folder / "output").open("w+", encoding="utf-8") as output:
            status = subprocess.run(
                [require_program("postfix"), "-c", self._folder / "conf", command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=PATIENCE,
                check=False,
            ).returncode
            output.seek(0)
            assert status == 0, f"postfix {command}: {output.read()}\n{self._read_log()}"

    @property
    def sendmail(self) -> tuple[str, ...]:
        """Its program that takes mail on this machine."""
        return (require_program("sendmail"), "-C", str(self._folder / "conf"), "-i")

    @property
    def inbox(self) -> Path:
        """The Maildir that it delivers into."""
        return self._folder / "mail" / "inbox"

    def delivered(self, number: int) -> list[bytes]:
        """The next messages that it delivers, line ends as Unix has them; waits for that many."""
        for _ in range(number):
            self._wait_for("status=sent (delivered to maildir)")
        inbox = sorted(
            (self._folder / "mail" / "inbox" / "new").iterdir(), key=lambda file: file.stat().st_mtime_ns
        )
        return [file.read_bytes() for file in inbox]

    def _wait_for(self, words: str) -> None:
        """Read its log up to a line with these words."""
        deadline = time.monotonic() + PATIENCE
        while words not in (line := self._log.readline()):
            if not line:
                assert time.monotonic() < deadline, f"Postfix has not said {words!r}:\n{self._read_log()}"
                time.sleep(0.02)

    def _read_log(self) -> str:
        log = self._folder / "log"
        return log.read_text("utf-8") if log.exists() else "no log"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
