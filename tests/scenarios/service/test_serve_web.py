"""`digest serve` on the web, as a process of its own: from the mail that it sends to the click that ends it."""

from __future__ import annotations

import email.policy
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from signal import Signals

import httpx
import pytest

from digest.testing.mail_server import MailServer
from tests.scenarios.service.test_serve import ServeProcess, today
from tests.scenarios.service.test_serve import write as write_plain
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace

__all__ = ["today", "write_plain"]
URL = "https://digest.example.org/lab"


@pytest.fixture
def write(write_plain: Callable[..., Workspace]) -> Callable[..., Workspace]:
    """Write a configuration with a site; ``site`` is more of its table."""

    def write(*addresses: str, site: str = "", url: str = URL) -> Workspace:
        table = f'title = "Lab digest"\nurl = "{url}"\n{site}' if url else f'title = "Lab digest"\n{site}'
        return write_plain(*addresses, change=lambda text: text.replace('title = "Lab digest"', table, 1))

    return write


def client(serving: ServeProcess) -> httpx.Client:
    """What speaks to the server, as the operator's web server would."""
    match = re.search(r"Listening on (\S+) for", serving.read_until("Listening on"))
    assert match is not None
    return httpx.Client(base_url=f"http://{match[1]}", trust_env=False, timeout=PATIENCE)


def mails(server: MailServer) -> dict[str, EmailMessage]:
    results = {}
    for mail in server.received:
        message = message_from_bytes(mail.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        results.update(dict.fromkeys(mail.recipients, message))
    return results


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as connection:
        return int(connection.getsockname()[1])


def assert_link_is_found(mail: bytes) -> None:
    """The line with the link is whole, where mail programs look for it."""
    head = mail.partition(b"\r\n\r\n")[0]
    [line] = [line for line in head.split(b"\r\n") if line.startswith(b"List-Unsubscribe:")]
    assert line.count(b"<https://digest.example.org/lab/unsubscribe/") == 1
    assert line.rstrip().endswith((b">", b","))
    assert b"=?" not in line


def test_a_mail_leads_to_its_page_and_one_click_in_it_ends_it(
    write: Callable[..., Workspace], mail_server: MailServer
) -> None:
    workspace = write("me@example.org", "you@example.org")
    with ServeProcess(workspace, None, "--port", "0") as serving, client(serving) as web:
        serving.read_until(": sent")
        serving.read_until(": sent")
        mine, yours = mails(mail_server)["me@example.org"], mails(mail_server)["you@example.org"]
        for mail in mail_server.received:
            assert_link_is_found(mail.content)

        way = re.search(r"<(https://[^>]+)>", str(mine["List-Unsubscribe"]))
        assert way is not None
        assert mine["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert way[1] not in str(yours["List-Unsubscribe"])
        # As Gmail does it: https://datatracker.ietf.org/doc/html/rfc8058#section-3.2
        answer = web.post(
            way[1].removeprefix("https://digest.example.org"), data={"List-Unsubscribe": "One-Click"}
        )
        assert (answer.status_code, answer.has_redirect_location) == (200, False)
        serving.read_until("me@example.org unsubscribed from systems.")

        html = mine.get_body(["html"])
        assert html is not None
        page = re.search(r'href="(https://digest\.example\.org/lab/editions/[^"/]+)"', html.get_content())
        assert page is not None
        response = web.get(page[1].removeprefix("https://digest.example.org"))
        assert response.status_code == 200
        feeds = re.findall(r'<link rel="alternate"[^>]* href="([^"]+)"', response.text)
        assert len(feeds) == 3
        assert [web.get(feed.removeprefix("https://digest.example.org")).status_code for feed in feeds] == [
            200
        ] * 3

        assert serving.end() == 0, serving.output
    assert "Traceback" not in serving.output
    listed = workspace.run("subscribers", "list", "--json").json
    assert {entry["address"]: entry["state"] for entry in listed} == {
        "me@example.org": "unsubscribed",
        "you@example.org": "active",
    }


def test_a_port_that_somebody_has_is_told_before_anything_is_sent(
    write: Callable[..., Workspace], mail_server: MailServer
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as connection:
        port = connection.getsockname()[1]
        workspace = write("me@example.org", site=f'listen = "127.0.0.1:{port}"')
        with ServeProcess(workspace) as serving:
            serving.read_until(
                f"cannot listen on 127.0.0.1:{port}: Address already in use; stop the program that uses it"
            )
            assert serving.wait_for_end() == 1

    assert mail_server.received == []
    assert workspace.run("subscribers", "list", "--json").json == []


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_a_host_that_is_not_this_machines_is_told(write: Callable[..., Workspace], host: str) -> None:
    with ServeProcess(write("me@example.org"), None, "--host", host) as serving:
        serving.read_until(host)
        assert serving.wait_for_end() == 1

    assert "Traceback" not in serving.output


def test_without_a_place_to_listen_nothing_does(
    write: Callable[..., Workspace], mail_server: MailServer
) -> None:
    with ServeProcess(write("me@example.org", site='listen = ""')) as serving:
        serving.read_until(": sent")
        assert serving.end() == 0

    assert "Listening" not in serving.output
    assert "https://" not in str(mails(mail_server)["me@example.org"]["List-Unsubscribe"])


def test_a_port_without_an_address_on_the_web_is_a_mistake(write: Callable[..., Workspace]) -> None:
    with ServeProcess(write("me@example.org", url=""), None, "--port", "0") as serving:
        serving.read_until("--host and --port need [site] url")
        assert serving.wait_for_end() == 2


def get(url: str) -> httpx.Response:
    """What a browser does: a GET whose connection is cut is asked once more (RFC 9110, section 9.2.2)."""
    try:
        return httpx.get(url, timeout=PATIENCE)
    except (httpx.ReadError, httpx.RemoteProtocolError):
        return httpx.get(url, timeout=PATIENCE)


@contextmanager
def visitors(port: int) -> Iterator[list[str]]:
    """Somebody who comes again and again, on a new connection each time; gives what went wrong."""
    wrong: list[str] = []
    event = threading.Event()
    over = threading.Event()

    def come() -> None:
        while not over.is_set():
            try:
                if (status := get(f"http://127.0.0.1:{port}/").status_code) != 200:
                    wrong.append(str(status))
            except httpx.HTTPError as error:
                wrong.append(repr(error))
            event.set()

    thread = threading.Thread(target=come)
    thread.start()
    try:
        assert event.wait(PATIENCE)
        yield wrong
    finally:
        over.set()
        thread.join()


def test_while_the_file_is_read_again_nobody_is_turned_away(write: Callable[..., Workspace]) -> None:
    port = free_port()
    with ServeProcess(write("me@example.org", site=f'listen = "127.0.0.1:{port}"')) as serving:
        serving.read_until("Running.")
        with visitors(port) as wrong:
            for number in range(3):
                write(f"{number}@example.org", site=f'listen = "127.0.0.1:{port}"')
                serving.tell(Signals.SIGHUP)
                serving.read_until("Running.")
        assert serving.end() == 0, serving.output

    assert wrong == []


def test_a_changed_file_can_move_it_and_a_port_that_somebody_has_leaves_it_where_it_is(
    write: Callable[..., Workspace],
) -> None:
    first, second = free_port(), free_port()
    with (
        socket.create_server(("127.0.0.1", 0)) as connection,
        ServeProcess(write("me@example.org", site=f'listen = "127.0.0.1:{first}"')) as serving,
    ):
        serving.read_until("Running.")
        for port, heard, at in (
            (connection.getsockname()[1], "cannot listen on", first),
            (second, f"Listening on 127.0.0.1:{second}", second),
        ):
            write("me@example.org", site=f'listen = "127.0.0.1:{port}"')
            serving.tell(Signals.SIGHUP)
            serving.read_until(heard)
            serving.read_until("Running.")
            assert httpx.get(f"http://127.0.0.1:{at}/", trust_env=False, timeout=PATIENCE).status_code == 200
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://127.0.0.1:{first}/", trust_env=False, timeout=PATIENCE)
        assert serving.end() == 0


def test_somebody_who_stays_connected_does_not_keep_it_from_stopping(write: Callable[..., Workspace]) -> None:
    with ServeProcess(write("me@example.org"), None, "--port", "0") as serving, client(serving) as web:
        assert web.get("/").status_code == 200  # and the connection stays
        serving.read_until("Running.")
        assert serving.end() == 0

    assert "Traceback" not in serving.output
    assert "Cancel" not in serving.output


def test_ipv6_is_listened_at_too(write: Callable[..., Workspace]) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with ServeProcess(write("me@example.org", site='listen = "[::1]:0"')) as serving, client(serving) as web:
        assert web.get("/").status_code == 200
        assert serving.end() == 0
