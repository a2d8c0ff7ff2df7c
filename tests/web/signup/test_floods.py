"""Thousands of forms to sign up: whoever sends them and whoever they are for, no more mail leaves than the limits allow."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable

import pytest

from digest.core.subscribers.signup_rules import NETWORK_RATE, TOTAL_RATE
from tests.web.signup.conftest import DIGEST, SignupSite

FORMS = int(os.environ.get("DIGEST_TEST_FORMS", "3000"))
"""``.ci/long`` sends ten thousand."""
pytestmark = pytest.mark.long


def send_forms(
    signup_site: SignupSite, make_address: Callable[[int], str], make_host: Callable[[int], str]
) -> Counter[int]:
    """Send all forms over one connection, and count the statuses of the answers."""
    with signup_site.site.open_client() as client:
        return Counter(
            client.post(
                "/sign-up",
                data={"address": make_address(number), "digest": DIGEST},
                headers={"x-forwarded-for": make_host(number), "sec-fetch-site": "same-origin"},
            ).status_code
            for number in range(FORMS)
        )


@pytest.mark.parametrize(
    "make_host",
    [lambda number: f"192.0.2.{number % 256}", lambda number: f"2001:db8:0:{number:x}::{number:x}"],
    ids=["a /24", "a /48"],
)
def test_thousands_of_forms_of_one_network_send_what_one_network_may(
    signup_site: SignupSite, make_host: Callable[[int], str]
) -> None:
    statuses = send_forms(signup_site, lambda number: f"reader{number}@example.org", make_host)
    signup_site.wait_until_handled()

    assert statuses.keys() == {303, 429}
    # The limit lets further forms pass as time goes by: one each minute.
    assert NETWORK_RATE.messages <= statuses[303] < NETWORK_RATE.messages + 10
    assert len(signup_site.server.received) == statuses[303] + 1


def test_thousands_of_forms_for_one_address_bring_one_mail(signup_site: SignupSite) -> None:
    def make_host(number: int) -> str:
        return f"10.{number // 256}.{number % 256}.1"

    statuses = send_forms(signup_site, lambda number: f"Victim+{number}@Example.org", make_host)
    signup_site.wait_for_mails(1)
    time.sleep(2)  # forms whose work is not done yet

    assert statuses.keys() == {303, 429}
    # Here, too, the limit lets further forms pass as time goes by.
    assert TOTAL_RATE.messages <= statuses[303] < TOTAL_RATE.messages + FORMS // 10
    assert len(signup_site.server.received) == 1
