"""Tokens of operators: made only soon after signing in, for a limited time, and recorded."""

from __future__ import annotations

import re
from datetime import timedelta

import httpx
import pytest

from digest.core.subscribers.sessions import NEW_PERIOD
from tests.web.operator.conftest import OperatorSite

AUDIT = "/api/v1/me/operator/audit"


def make(site: OperatorSite, *scopes: str, days: int = 90) -> httpx.Response:
    """Send the form that makes a token."""
    chosen = {f"scope-{scope}": "1" for scope in scopes}
    key = f"key {days}"
    return site.post("/account/tokens", do="make", name="script", days=str(days), key=key, **chosen)


def find_secret(response: httpx.Response) -> str:
    (secret,) = re.findall(r"digest_[A-Za-z0-9]{43}", response.text)
    return str(secret)


def read_audit(site: OperatorSite, secret: str) -> int:
    headers = {"authorization": f"Bearer {secret}"}
    return site.signup_site.site.get(AUDIT, **headers).status_code


def test_an_old_session_makes_no_token_that_may_operate_and_the_page_says_what_to_do(
    operator_site: OperatorSite,
) -> None:
    operator_site.age_session(NEW_PERIOD)

    page = operator_site.get("/account").text
    assert "scope-operate" not in page
    assert "sign out and sign in again" in page
    response = make(operator_site, "read", "operate")
    assert response.headers["location"] == "/account?mistake=old+session"
    assert operator_site.read(response.headers["location"]).count("sign out and sign in again") == 2
    assert operator_site.list_audit() == []

    secret = find_secret(make(operator_site, "read"))
    assert read_audit(operator_site, secret) == 403


def test_a_token_that_may_operate_is_recorded_when_it_is_made_and_revoked(
    operator_site: OperatorSite,
) -> None:
    operator_site.age_session(NEW_PERIOD - timedelta(minutes=1))
    assert "scope-operate" in operator_site.get("/account").text
    secret = find_secret(make(operator_site, "operate"))
    assert read_audit(operator_site, secret) == 200
    for _ in range(2):
        operator_site.post("/account/tokens", do="revoke", number="1")
    assert read_audit(operator_site, secret) == 401

    assert operator_site.list_changes() == [("make-token", "token 1", 1), ("revoke-token", "token 1", 1)]
    assert {entry.actor.kind.value for entry in operator_site.list_audit()} == {"operator"}
    page = operator_site.read("/operator/audit")
    assert "Made token 1, which may operate the service" in page
    assert "Revoked token 1" in page


def test_a_token_that_may_not_operate_is_not_recorded(operator_site: OperatorSite) -> None:
    find_secret(make(operator_site, "read", "follow"))
    operator_site.post("/account/tokens", do="revoke", number="1")

    assert operator_site.list_audit() == []


@pytest.mark.parametrize(
    ("days", "scope", "is_made"), [(90, "operate", True), (365, "operate", False), (365, "read", True)]
)
def test_a_token_that_may_operate_is_valid_for_90_days_at_most(
    operator_site: OperatorSite,
    days: int,
    scope: str,
    is_made: bool,  # noqa: FBT001 - a case
) -> None:
    response = make(operator_site, scope, days=days)

    assert (response.status_code == 200) is is_made
    if not is_made:
        assert "valid for at most 90 days" in operator_site.read(response.headers["location"])
