"""A site at which people can sign up, with a real mail server that takes the links."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import httpx
import pytest

from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace
from tests.web.conftest import Site, serve_workspace

DIGEST = "dc"
SIGNUP = """
    [signup]
    {signup}

    [[public_digest]]
    name = "dc"
    title = "Distributed computing & more"
    description = "Every paper of cs.DC, the best first."
    schedule = "weekdays 07:30"
    timezone = "Europe/Berlin"
    categories = ["cs.DC"]
    exclude = ["=nothing"]
"""


@dataclass
class SignupSite:
    """A site, and the mail that it sends."""

    site: Site
    server: MailServer

    def sign_up(self, address: str, host: str = "192.0.2.1", **more: str) -> httpx.Response:
        """Fill in the form, as somebody behind the web server does."""
        fields = {
            name: text for name, text in ({"address": address, "digest": DIGEST} | more).items() if text
        }
        headers = {"x-forwarded-for": host, "sec-fetch-site": "same-origin"}
        return self.site.post("/sign-up", data=fields, headers=headers)

    def wait_for_mails(self, count: int) -> list[EmailMessage]:
        """All mails with links, when there are so many of them."""
        deadline = time.monotonic() + PATIENCE
        while len(self.server.received) < count and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(self.server.received) == count
        return [message_from_bytes(mail.content, policy=policy.default) for mail in self.server.received]

    def wait_until_handled(self, address: str = "last@example.org") -> None:
        """Wait until all forms before this call are handled, by one more, from another network."""
        count = len(self.server.received)
        self.sign_up(address, host="203.0.113.200")
        deadline = time.monotonic() + PATIENCE
        while not any(address in mail.recipients for mail in self.server.received[count:]):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.3)  # those before it may still be on their way, over other connections

    def get_link(self, number: int = -1) -> str:
        """The link of a mail, as an address of the site."""
        return find_link(message_from_bytes(self.server.received[number].content, policy=policy.default))

    def press_button(self, link: str, **headers: str) -> httpx.Response:
        return self.site.post(link, headers={"sec-fetch-site": "same-origin"} | headers)


def find_link(mail: EmailMessage) -> str:
    """The link in the plain part of a mail."""
    plain = mail.get_body(("plain",))
    assert plain is not None
    (link,) = re.findall(r"^(https://\S+/confirm/\S+)\s*$", plain.get_content(), re.MULTILINE)
    return str(link)


def make_signup_workspace(
    composed_folder: Path, folder: Path, port: int, signup: str = 'who = "anyone"', more: str = ""
) -> Workspace:
    """A copy of a world at which people can sign up."""
    shutil.copytree(composed_folder, folder)
    file = folder / "digest.toml"
    text = file.read_text("utf-8").replace('host = "localhost"', f'host = "127.0.0.1"\nport = {port}')
    file.write_text(f"{text}{SIGNUP.format(signup=signup)}{more}", "utf-8")
    return Workspace(folder)


@pytest.fixture
def signup_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> Iterator[SignupSite]:
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port)
    with serve_workspace(workspace, source) as site:
        yield SignupSite(site, mail_server)
