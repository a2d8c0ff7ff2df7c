"""The servers of the test bench behave as the tests that use them believe."""

from __future__ import annotations

import signal
import smtplib
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

import psutil
import psycopg
import pytest
import trustme
from psycopg import sql
from sqlalchemy import select

from digest.store.database.engine import open_store
from digest.store.database.tables.papers import papers
from digest.testing.mail_server import MailServer
from tests.store.factories import NOW, announce_many, declare, list_events, make_digest
from tests.support.postgres import ROOT, ReusedDatabase, make_driver_address
from tests.support.processes import kill_at_end
from tests.support.timeouts import PATIENCE

MESSAGE = b"Subject: one\r\n\r\nline\r\n..dots\r\n"


@contextmanager
def client(server: MailServer) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as connection:
        yield connection


def test_a_mail_is_kept_as_it_was_sent(mail_server: MailServer) -> None:
    with client(mail_server) as connection:
        connection.sendmail("a@example.org", ["b@example.org"], MESSAGE)
        connection.sendmail("a@example.org", ["c@example.org"], MESSAGE)

    first, second = mail_server.received
    assert (first.sender, first.recipients, first.content) == ("a@example.org", ("b@example.org",), MESSAGE)
    assert (first.encrypted, first.user, first.connection, second.connection) == (False, "", 1, 1)
    assert mail_server.connections == 1


def test_recipients_and_messages_can_be_refused(mail_server: MailServer) -> None:
    mail_server.refusals["gone@example.org"] = "550 5.1.1 no such user"
    mail_server.replies.append("451 4.3.0 later")

    with client(mail_server) as connection:
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            connection.sendmail("a@example.org", ["gone@example.org"], MESSAGE)
        with pytest.raises(smtplib.SMTPDataError, match="later"):
            connection.sendmail("a@example.org", ["b@example.org"], MESSAGE)
        connection.sendmail("a@example.org", ["b@example.org"], MESSAGE)

    assert len(mail_server.received) == 1


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_login_over_an_encrypted_connection_is_demanded(
    authority: trustme.CA, authority_file: Path, security: str
) -> None:
    with MailServer(security=security, login=("me", "secret"), authority=authority) as server:
        context = ssl.create_default_context(cafile=str(authority_file))
        connection = (
            smtplib.SMTP_SSL("127.0.0.1", server.port, timeout=PATIENCE, context=context)
            if security == "tls"
            else smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE)
        )
        with connection:
            if security == "starttls":
                with pytest.raises(smtplib.SMTPSenderRefused, match="STARTTLS"):
                    connection.sendmail("a@example.org", ["b@example.org"], MESSAGE)
                connection.starttls(context=context)
            with pytest.raises(smtplib.SMTPSenderRefused, match="authentication required"):
                connection.sendmail("a@example.org", ["b@example.org"], MESSAGE)
            with pytest.raises(smtplib.SMTPAuthenticationError):
                connection.login("me", "wrong")
            connection.login("me", "secret")
            connection.sendmail("a@example.org", ["b@example.org"], MESSAGE)

    assert [(mail.encrypted, mail.user, mail.connection) for mail in server.received] == [(True, "me", 1)]
    assert server.connections == 1


def test_an_unknown_authority_is_not_trusted(authority_file: Path) -> None:
    context = ssl.create_default_context(cafile=str(authority_file))
    with MailServer(security="tls") as server, pytest.raises(ssl.SSLCertVerificationError):
        smtplib.SMTP_SSL("127.0.0.1", server.port, timeout=PATIENCE, context=context)


def counts(url: str) -> dict[str, int]:
    """How many rows each table has."""
    with psycopg.connect(make_driver_address(url)) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        return {
            name: connection.execute(
                sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name))
            ).fetchone()[0]  # type: ignore[index]
            for (name,) in names
        }


def test_a_reused_database_is_as_new_after_each_test(
    postgres_template: str, reused_database: ReusedDatabase
) -> None:
    store = open_store(reused_database.url, NOW)
    announce_many(store, 3)
    declare(store, make_digest())
    store.close()
    assert counts(reused_database.url)["papers"] == 3

    reused_database.empty()

    assert counts(reused_database.url) == counts(postgres_template)
    store = open_store(reused_database.url, NOW)
    announce_many(store, 3)
    assert [seq for seq, *_ in list_events(store)] == [1, 2, 3]
    with store.begin_read() as tx:
        assert sorted(tx.execute(select(papers.c.id)).scalars()) == [1, 2, 3]
    store.close()
    reused_database.empty()


def test_a_reused_database_is_taken_from_whoever_still_uses_it(reused_database: ReusedDatabase) -> None:
    with psycopg.connect(make_driver_address(reused_database.url)) as connection:
        connection.execute("LOCK TABLE papers")

        reused_database.empty()

        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_database_server_is_left_behind_by_tests_that_end_early(number: int) -> None:
    program = (
        "import os, sys; from pathlib import Path; from tests.support.postgres import join_server;"
        "print(join_server(Path(sys.argv[1]), os.getpid()).url, flush=True); sys.stdin.read()"
    )
    with tempfile.TemporaryDirectory(
        prefix="digest-postgres-"
    ) as parent:  # PostgreSQL cannot get into tmp_path
        folder = Path(parent) / "server"
        command = [sys.executable, "-c", program, str(folder)]
        with kill_at_end(
            subprocess.Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline().startswith(b"postgresql")
            server = int((folder / "data" / "postmaster.pid").read_text("utf-8").split()[0])
            process.send_signal(number)
            process.wait(PATIENCE)
        until = time.monotonic() + PATIENCE
        while folder.exists():
            assert time.monotonic() < until
            time.sleep(0.05)

    # What the system's first process has not buried yet is no server any more.
    assert not psutil.pid_exists(server) or psutil.Process(server).status() == psutil.STATUS_ZOMBIE
