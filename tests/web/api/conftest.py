"""Readers with tokens, at a site whose operator is one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from digest.core.subscribers.api_tokens import Scope, TokenChoice, make_form_key
from digest.demo.publisher import Publisher
from digest.jobs.subscribers.signup.sessions import find_session
from digest.jobs.subscribers.tokens.api_tokens import make_token_service
from digest.store.database.tables.readers import api_tokens, audit_entries
from digest.testing.mail_server import MailServer
from tests.web.conftest import Site, serve_workspace
from tests.web.signup.conftest import SignupSite, make_signup_workspace
from tests.web.signup.test_own_digests import ADA, BOB, Reader

PEOPLE = f'\n[operator]\npeople = ["{BOB}"]\n'
ME = "/api/v1/me"


@dataclass
class Program:
    """A program of a reader, with a token.

    Attributes:
        reader: the reader.
        token: the token.
    """

    reader: Reader
    token: str
    _names: list[str] = field(default_factory=list)

    @property
    def site(self) -> Site:
        return self.reader.site

    @property
    def digest_path(self) -> str:
        return f"/digests/{self.reader.digest}"

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request with the token, for a path below ``/me``."""
        headers = {"authorization": f"Bearer {self.token}"} | more.pop("headers", {})
        return self.site.request(method, f"{ME}{path}", headers=headers, **more)

    def get(self, path: str) -> Any:
        """The document at a path, which nobody may store."""
        response = self.request("GET", path)
        assert response.status_code == 200, response.text
        check_private(response)
        return response.json()

    def load_row(self) -> Any:
        """The row of the token, which must be the newest of all."""
        with self.site.app.store.begin_read() as tx:
            return tx.execute(select(api_tokens).order_by(api_tokens.c.id.desc())).first()


def check_private(response: httpx.Response) -> None:
    """Nobody stores the answer, no script of another site reads it, and no cookie comes with it."""
    assert response.headers["cache-control"] == "private, no-store"
    assert response.headers["x-robots-tag"] == "noindex"
    assert not any(name.startswith("access-control") for name in response.headers)
    assert "set-cookie" not in response.headers


def make_program(reader: Reader, *scopes: Scope, name: str = "", people: tuple[str, ...] = (BOB,)) -> Program:
    """Make a token as the form does."""
    app = reader.site.app
    session = find_session(app.store, reader.token, app.clock())
    assert session is not None
    service = make_token_service(app.store, people)
    name = name or f"program {len(list_tokens(reader.site))}"
    choice = TokenChoice(name=name, scopes=frozenset(scopes or Scope), lifetime=timedelta(days=90))
    return Program(reader, service.make_token(session, choice, make_form_key(), app.clock()).secret)


def list_tokens(site: Site) -> list[Any]:
    with site.app.store.begin_read() as tx:
        return list(tx.execute(select(api_tokens).order_by(api_tokens.c.id)))


def list_audit(site: Site) -> list[tuple[str, str, int]]:
    """Action, subject and amount of the entries of the audit log, oldest first."""
    columns = audit_entries.c.action, audit_entries.c.subject, audit_entries.c.amount
    with site.app.store.begin_read() as tx:
        return [tuple(row) for row in tx.execute(select(*columns).order_by(audit_entries.c.id))]


@pytest.fixture
def signup_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> Iterator[SignupSite]:
    """A site that Bob operates."""
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, more=PEOPLE)
    with serve_workspace(workspace, source) as site:
        yield SignupSite(site, mail_server)


@pytest.fixture
def ada(signup_site: SignupSite) -> Program:
    """A program of a reader, which may do all that readers may."""
    return make_program(Reader(signup_site, ADA))


@pytest.fixture
def bob(signup_site: SignupSite) -> Program:
    """A program of an operator, which may do everything."""
    return make_program(Reader(signup_site, BOB))
