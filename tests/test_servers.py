"""The servers of the test bench behave as the tests that use them believe."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import trustme

from tests.servers import MailServer, Postgres

MESSAGE = b"Subject: one\r\n\r\nline\r\n..dots\r\n"


@contextmanager
def client(server: MailServer) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", server.port, timeout=20) as connection:
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
            smtplib.SMTP_SSL("127.0.0.1", server.port, timeout=20, context=context)
            if security == "tls"
            else smtplib.SMTP("127.0.0.1", server.port, timeout=20)
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
        smtplib.SMTP_SSL("127.0.0.1", server.port, timeout=20, context=context)


def test_each_test_has_an_empty_database_and_a_copy_costs_no_migration(
    postgres: Postgres, postgres_url: str
) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE papers (key text)")

    copy = postgres.create(template=postgres_url)

    with psycopg.connect(copy.replace("+psycopg", "")) as connection:
        assert connection.execute("SELECT count(*) FROM papers").fetchone() == (0,)
    postgres.drop(copy)
