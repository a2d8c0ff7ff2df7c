"""A mailbox on a server is read over IMAP, and what goes wrong there is said with what to do."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
import trustme

from digest.errors import ReportError
from digest.mailboxes.imap import Mailbox
from tests.fakes.imap_server import PASSWORD, USER, ImapServer, StoredMessage
from tests.support.cases import for_each_case
from tests.support.timeouts import PATIENCE

pytestmark = pytest.mark.usefixtures("silence_times_out")


def mailbox(server: ImapServer, *, password: str = PASSWORD, **options: object) -> Mailbox:
    given: dict[str, object] = {"host": "127.0.0.1", "tls": False, "folder": "INBOX", "timeout": PATIENCE}
    return Mailbox(port=server.port, username=USER, password=password, **given | options)  # type: ignore[arg-type]


def server(**options: object) -> ImapServer:
    contents = [b"Subject: one\r\n\r\n1\r\n", b"two " * 100_000, "dr\u00e4i".encode()]
    return ImapServer([StoredMessage(content) for content in contents], **options)  # type: ignore[arg-type]


def test_what_is_unread_is_fetched_as_far_as_it_is_wanted_and_marked_when_it_is_done() -> None:
    with server() as here:
        box = mailbox(here)
        unread = list(box.fetch_unread(10, 1000))
        assert [(name, len(content)) for name, content in unread] == [("1", 19), ("2", 1000), ("3", 5)]
        assert [message.is_seen for message in here.messages] == [False] * 3

        box.mark_read("2")
        assert [message.is_seen for message in here.messages] == [False, True, False]
        assert [name for name, _ in box.fetch_unread(1, 1000)] == ["1"]
        box.close()

    assert here.commands[-1] == "LOGOUT"


def test_nothing_unread_is_nothing() -> None:
    with ImapServer([StoredMessage(b"x", is_seen=True)]) as server:
        box = mailbox(server)
        assert list(box.fetch_unread(10, 1000)) == []
        assert box.check() == f"0 unread in INBOX at 127.0.0.1:{server.port}"
        box.close()


def test_a_login_without_plain_is_tried_too() -> None:
    with server(plain=False) as here:
        box = mailbox(here, password="plain-password")
        assert box.check().startswith("3 unread")
        box.close()

    assert "LOGIN" in here.commands


def test_the_connection_is_encrypted_and_its_certificate_checked(
    authority: trustme.CA, authority_file: Path
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with server(context=context) as here:
        box = mailbox(here, tls=True, ca_file=str(authority_file))
        assert len(list(box.fetch_unread(10, 100))) == 3
        box.close()

        with pytest.raises(ReportError, match=r"cannot be reached.*certificate"):
            mailbox(here, tls=True).check()
    assert here.commands.count('SELECT "INBOX"') == 1


@for_each_case(
    ("fault", "text"),
    [
        ({"refuses": "AUTHENTICATE"}, "refused the login of bounces@example.org"),
        ({"refuses": "SELECT"}, "has no folder 'INBOX'"),
        ({"refuses": "UID SEARCH"}, "could not search for what is unread"),
        ({"refuses": "UID FETCH"}, "could not fetch a message"),
        ({"hangs_up_at": "AUTHENTICATE"}, "could not"),
        ({"hangs_up_at": "UID SEARCH"}, "could not search"),
        ({"hangs_up_at": "UID FETCH"}, "could not fetch"),
        ({"silent_at": "UID FETCH"}, "could not fetch.*timed out"),
        ({"silent_at": "CAPABILITY"}, "cannot be reached"),
    ],
)
def test_what_goes_wrong_on_the_way_is_told(fault: dict[str, object], text: str) -> None:
    with server(**fault) as here:
        box = mailbox(here)
        with pytest.raises(ReportError, match=text):
            list(box.fetch_unread(10, 1000))
        box.close()


def test_a_wrong_password_is_told_without_it() -> None:
    with server() as here, pytest.raises(ReportError) as error:
        mailbox(here, password="wrong-password").check()

    assert "check `username` and `password`" in str(error.value)
    assert "wrong-password" not in str(error.value)


def test_a_folder_that_is_not_there_is_told() -> None:
    with server() as here, pytest.raises(ReportError, match="has no folder 'Bounces'"):
        mailbox(here, folder="Bounces").check()


def test_a_server_that_is_not_there_is_told() -> None:
    with server() as here:
        box = mailbox(here)
    with pytest.raises(ReportError, match="cannot be reached"):
        box.check()


def test_a_mark_that_the_server_refuses_is_told() -> None:
    with server(refuses="UID STORE") as here:
        box = mailbox(here)
        list(box.fetch_unread(1, 10))
        with pytest.raises(ReportError, match="could not mark"):
            box.mark_read("1")
        box.close()


def test_after_a_broken_connection_the_next_reading_begins_anew() -> None:
    with server(hangs_up_at="UID FETCH") as here:
        box = mailbox(here)
        with pytest.raises(ReportError):
            list(box.fetch_unread(10, 10))
        here.hangs_up_at = ""
        assert len(list(box.fetch_unread(10, 10))) == 3
        box.close()
