"""A site with operators: readers have signed up at it, and mails of a run wait."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from bs4 import BeautifulSoup
from sqlalchemy import select, update

from digest.core.subscribers.sessions import make_form_token
from digest.demo.publisher import Publisher
from digest.store.database.tables.digests import deliveries, destinations, digests
from digest.store.database.tables.readers import sessions
from digest.store.editions.held_runs import hold_run
from digest.store.operations.audit import AuditEntry, list_entries
from digest.store.subscribers.subscribers import Subscriber, list_subscribers
from digest.testing.mail_server import MailServer
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.support.workspace import Workspace
from tests.web.conftest import serve_workspace
from tests.web.signup.conftest import SignupSite, make_signup_workspace, read_session_cookie

OPERATOR, READER = "Ops@example.org", "ada@example.org"
OPERATORS = f'\n[operator]\npeople = ["{OPERATOR}"]\n'


@dataclass
class OperatorSite:
    """A site, and an operator's browser."""

    signup_site: SignupSite
    token: str

    def get(self, path: str = "/operator", token: str | None = None) -> httpx.Response:
        return self.signup_site.get_account(self.token if token is None else token, path)

    def read(self, path: str = "/operator") -> str:
        """The text of a page."""
        response = self.get(path)
        assert response.status_code == 200, (path, response.status_code)
        return " ".join(BeautifulSoup(response.text, "html.parser").get_text(" ").split())

    def post(self, path: str, /, site: str = "same-origin", **fields: str) -> httpx.Response:
        """Send a form."""
        headers = {"cookie": f"{SESSION_COOKIE}={self.token}", "sec-fetch-site": site}
        data = {"token": make_form_token(self.token)} | fields
        return self.signup_site.site.post(path, data=data, headers=headers)

    def press(self, page: str, label: str) -> httpx.Response:
        """Press a button of a page, by what it says, and return its answer."""
        soup = BeautifulSoup(self.get(page).text, "html.parser")
        (form,) = [
            button.find_parent("form") for button in soup.select("main button") if button.get_text() == label
        ]
        assert form is not None
        fields = {str(field["name"]): str(field["value"]) for field in form.select("input[type=hidden]")}
        return self.post(str(form["action"]), **fields)

    def list_audit(self) -> list[AuditEntry]:
        with self.signup_site.site.app.store.begin_read() as tx:
            return list(list_entries(tx, 100))

    def list_changes(self) -> list[tuple[str, str, int]]:
        """What operators changed, the first change first: action, subject and amount."""
        return [(entry.action, entry.subject, entry.amount) for entry in reversed(self.list_audit())]

    def list_destinations(self, address: str) -> tuple[Subscriber, ...]:
        with self.signup_site.site.app.store.begin_read() as tx:
            return list_subscribers(tx, address=address)

    def find_path(self, address: str) -> str:
        """The page of an address, to which the search leads."""
        return str(self.post("/operator/subscribers", do="search", address=address).headers["location"])

    def count_states(self) -> dict[str, int]:
        with self.signup_site.site.app.store.begin_read() as tx:
            states = tx.execute(select(deliveries.c.state)).scalars().all()
        return {state: states.count(state) for state in sorted(set(states))}

    def set_states(self, state: str, answer: str = "") -> None:
        with self.signup_site.site.app.store.begin_write() as tx:
            tx.execute(update(deliveries).values(state=state, answer=answer))

    def hold_run(self) -> int:
        """Hold the run of the mails that wait, and them with it."""
        with self.signup_site.site.app.store.begin_write() as tx:
            statement = select(deliveries.c.id, destinations.c.digest_id).join(destinations)
            assert tx.execute(statement).first() is not None
            held = next(run for run in range(1, 9) if hold_run(tx, run, "too much of it was refused"))
            tx.execute(update(deliveries).values(state="held"))
        return held

    def age_session(self, age: timedelta = timedelta(hours=1)) -> None:
        """Let all operators have signed in some time ago."""
        site = self.signup_site.site
        with site.app.store.begin_write() as tx:
            tx.execute(update(sessions).values(created_at=site.app.clock() - age))

    def find_reader_digest(self) -> int:
        with self.signup_site.site.app.store.begin_read() as tx:
            return int(tx.execute(select(digests.c.id).where(digests.c.made_by == "web")).scalars().one())


def sign_in(signup_site: SignupSite, address: str = OPERATOR) -> str:
    """Press the button of a link to sign in; the token of the session."""
    return read_session_cookie(signup_site.press_button(signup_site.make_signin_link(address)))


def list_links(page: str) -> list[str]:
    """All addresses that a page leads to, and those to which its forms post."""
    return re.findall(r'(?:href|action)="([^"]*)"', page)


@pytest.fixture
def operator_workspace(composed_folder: Path, mail_server: MailServer, tmp_path: Path) -> Workspace:
    return make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, more=OPERATORS)


@pytest.fixture
def operator_site(
    operator_workspace: Workspace, source: Publisher, mail_server: MailServer
) -> Iterator[OperatorSite]:
    with serve_workspace(operator_workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        yield OperatorSite(signup_site, sign_in(signup_site))
