"""A site at which people can sign up, with a real mail server that takes the links."""

from __future__ import annotations

import base64
import json
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from sqlalchemy import insert, select

from digest.core.delivery.signup_links import SigninRequest, SignupRequest, seal_request, seal_signin
from digest.core.subscribers.address_links import make_change, seal_change
from digest.core.subscribers.sessions import make_form_token
from digest.demo.publisher import Publisher
from digest.model import BounceClass
from digest.store.database.tables.digests import subscribers
from digest.store.database.tables.readers import reports, sessions, suppressions
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.testing.mail_server import MailServer
from digest.web.signup.session_cookie import SESSION_COOKIE
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

    def sign_in(self, address: str, host: str = "192.0.2.1", **more: str) -> httpx.Response:
        """Fill in the form to sign in, as somebody behind the web server does."""
        headers = {"x-forwarded-for": host, "sec-fetch-site": "same-origin"}
        return self.site.post("/sign-in", data={"address": address} | more, headers=headers)

    def subscribe(self, address: str, **headers: str) -> str:
        """Press the button of a link that was sealed for an address; the token of the session."""
        request = SignupRequest(address=address, public_digest=DIGEST, language="en")
        token = seal_request(request, self.site.pages.keys, self.site.app.clock())
        return read_session_cookie(self.press_button(f"/confirm/{token}", **headers))

    def make_signin_link(self, address: str, age: timedelta = timedelta()) -> str:
        """A link to sign in, as a mail has it."""
        request = SigninRequest(address=address, language="en")
        return f"/sign-in/{seal_signin(request, self.site.pages.keys, self.site.app.clock() - age)}"

    def get_account(self, token: str, path: str = "/account", **headers: str) -> httpx.Response:
        """The account, in a browser that has a token."""
        return self.site.get(path, cookie=f"{SESSION_COOKIE}={token}", **headers)

    def post_account(self, token: str, /, site: str = "same-origin", **fields: str) -> httpx.Response:
        """Press a button on the account."""
        headers = {"cookie": f"{SESSION_COOKIE}={token}", "sec-fetch-site": site}
        return self.site.post("/account", data={"token": make_form_token(token)} | fields, headers=headers)

    def request_change(
        self, token: str, address: str, /, site: str = "same-origin", query: str = "", **fields: str
    ) -> httpx.Response:
        """Fill in the form of the account that changes the address."""
        headers = {"cookie": f"{SESSION_COOKIE}={token}", "sec-fetch-site": site}
        data = {"token": make_form_token(token), "address": address} | fields
        return self.site.post(f"/account/address{query}", data=data, headers=headers)

    def make_change_links(self, former: str, address: str, age: timedelta = timedelta()) -> tuple[str, str]:
        """The links to the former address and the new one, as the mails have them."""
        with self.site.app.store.begin_read() as tx:
            subscriber = find_subscriber_id(tx, former.lower())
        assert subscriber is not None
        change, sealed_at = (
            make_change(subscriber, former.lower(), address, "en"),
            self.site.app.clock() - age,
        )
        first, second = (
            f"/change-address/{seal_change(side, self.site.pages.keys, sealed_at)}"
            for side in (change, change.other_side)
        )
        return first, second

    def list_sessions(self) -> list[tuple[str, int]]:
        """The address and the number of each session."""
        statement = select(subscribers.c.address, sessions.c.id).join(
            subscribers, subscribers.c.id == sessions.c.subscriber_id
        )
        with self.site.app.store.begin_read() as tx:
            return [(row.address, row.id) for row in tx.execute(statement.order_by(sessions.c.id))]


def describe_answer(response: httpx.Response) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    """All that an answer tells besides its second."""
    headers = tuple(sorted((name, text) for name, text in response.headers.items() if name != "date"))
    return response.status_code, response.content, headers


def read_session_cookie(response: httpx.Response) -> str:
    """The token that a response gives a browser; it must give one."""
    cookie = SimpleCookie(response.headers["set-cookie"])
    return cookie[SESSION_COOKIE].value


def read_database(site: Site) -> bytes:
    """Everything that the database has, but for what processes lease while they work."""
    own = 'INSERT INTO "leases"', 'INSERT INTO "workers"'
    with closing(sqlite3.connect(site.workspace.folder / "digest.db")) as connection:
        return "\n".join(line for line in connection.iterdump() if not line.startswith(own)).encode()


def read_files(site: Site) -> dict[str, bytes]:
    """Every file of the folder that the site works in, those of the database too, as they are on disk."""
    folder = site.workspace.folder
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def find_traces(data: bytes, address: str) -> list[bytes]:
    """The forms of an address that are in some data."""
    forms = {address, address.upper(), address.lower(), quote(address), quote(address, safe="")}
    forms |= {json.dumps(form)[1:-1] for form in forms}
    forms |= {re.sub("%..", lambda code: code[0].lower(), form) for form in forms}
    traces = [form.encode() for form in forms]
    for form in (address, address.lower()):
        for cut in range(3):  # base64 of a text that begins anywhere
            encoded = base64.b64encode(b" " * cut + form.encode())
            traces.append(encoded[4:-4])
    return [trace for trace in traces if trace in data]


def suppress(site: Site, mailbox: str) -> None:
    """As a bounce does."""
    now = site.app.clock()
    with site.app.store.begin_write() as tx:
        report = tx.execute(
            insert(reports)
            .values(
                delivery=0,
                mailbox=mailbox,
                kind="bounce",
                finding=BounceClass.GONE.value,
                status="5.1.1",
                answer="",
                road="smtp",
                at=now,
            )
            .returning(reports.c.id)
        ).scalar_one()
        tx.execute(
            insert(suppressions).values(mailbox=mailbox, state="suppressed", since=now, report_id=report)
        )


def find_link(mail: EmailMessage) -> str:
    """The link in the plain part of a mail."""
    plain = mail.get_body(("plain",))
    assert plain is not None
    (link,) = re.findall(
        r"^(https?://\S+/(?:confirm|sign-in|change-address)/\S+)\s*$", plain.get_content(), re.MULTILINE
    )
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
