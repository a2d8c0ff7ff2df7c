from __future__ import annotations

from dataclasses import fields
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.retries import MAX_UNKNOWN, RetryMode, RetryPolicy, apply_receipt, is_failed
from digest.model import BLAME_MESSAGE, Deferred, Delivery, Fault, Refused, Sent, Unknown
from tests.core.delivery.factories import NOW, make_delivery

POLICY = RetryPolicy(keep_trying=timedelta(days=2), jitter=lambda: 0.5)
MINUTE = timedelta(minutes=1)
DELAYS = st.lists(st.integers(0, 600).map(lambda minutes: minutes * MINUTE), min_size=1, max_size=40)
MODES = st.builds(RetryMode, **{field.name: st.booleans() for field in fields(RetryMode)})
OURS = Deferred(answer="421 4.3.2 closing", fault=Fault.OURS)


def claim_again(delivery: Delivery) -> Delivery:
    """Return a delivery that is due as it is claimed for its next attempt."""
    return delivery._replace(state="leased", attempts=delivery.attempts + 1)


@given(st.sampled_from([Fault.ADDRESS, Fault.DOMAIN]))
def test_a_recipient_that_defers_at_each_attempt_is_given_up_after_two_days_and_not_before(
    fault: Fault,
) -> None:
    delivery, now = make_delivery(1), NOW
    deferred = Deferred(answer="450 4.2.1 try later", fault=fault)
    for _ in range(100):
        assert is_failed(delivery, deferred, now, POLICY) == (now >= NOW + POLICY.keep_trying)
        delivery = apply_receipt(delivery, deferred, now, POLICY)
        if delivery.state == "expired":
            break
        assert now < delivery.due_at <= NOW + POLICY.keep_trying
        delivery, now = claim_again(delivery), delivery.due_at
    assert (delivery.state, delivery.blame, now) == ("expired", fault.value, NOW + POLICY.keep_trying)


@given(DELAYS)
def test_time_in_which_we_sent_nothing_does_not_count_against_a_message(delays: list[timedelta]) -> None:
    deferred = Deferred(answer="450 later")
    delivery, own_delay = claim_again(apply_receipt(make_delivery(1), deferred, NOW, POLICY)), timedelta(0)
    for delay in delays:
        own_delay += delay
        delivery = apply_receipt(delivery, deferred, delivery.due_at + delay, POLICY)
        assert delivery.expires_at == NOW + POLICY.keep_trying + own_delay
        if delivery.state == "expired":
            return
        delivery = claim_again(delivery)


@given(st.lists(MODES, min_size=1, max_size=60), DELAYS)
def test_a_failure_on_our_side_never_ends_a_message(modes: list[RetryMode], delays: list[timedelta]) -> None:
    delivery, now = make_delivery(1), NOW
    for mode, delay in zip(modes, delays * 60, strict=False):
        assert not is_failed(delivery, OURS, now, POLICY)
        tried = apply_receipt(delivery, OURS, now, POLICY, mode)
        assert tried.state == "ready"
        assert tried.due_at >= now
        assert tried.attempts == delivery.attempts - (0 if mode.counts_attempt else 1)
        assert tried.blame == (
            BLAME_MESSAGE if mode.counts_attempt or delivery.is_faulty else Fault.OURS.value
        )
        delivery, now = claim_again(tried), max(tried.due_at, now) + delay


def test_a_message_that_may_have_arrived_is_sent_again_twice_at_most() -> None:
    delivery, now, attempts = make_delivery(1), NOW, 0
    while delivery.state != "unknown":
        delivery = apply_receipt(delivery, Unknown(answer="no answer"), now, POLICY)
        attempts += 1
        if delivery.state == "ready":
            assert delivery.due_at >= now + 15 * MINUTE
            delivery, now = claim_again(delivery), delivery.due_at
    assert attempts == 1 + MAX_UNKNOWN


@pytest.mark.parametrize("fault", Fault)
def test_a_refusal_ends_a_message_with_the_words_of_the_server(fault: Fault) -> None:
    refused = Refused(answer="550 5.1.1 " + "no such user " * 100, fault=fault)

    delivery = apply_receipt(make_delivery(1), refused, NOW, POLICY)

    assert (delivery.state, delivery.blame) == ("refused", fault.value)
    assert delivery.answer == refused.answer[:500]
    assert is_failed(make_delivery(1), refused, NOW, POLICY)


def test_a_server_is_asked_no_earlier_than_it_asked_for() -> None:
    deferred = Deferred(answer="450 later", retry_after=timedelta(hours=9))

    assert apply_receipt(make_delivery(1), deferred, NOW, POLICY).due_at == NOW + timedelta(hours=9)


def test_what_was_sent_or_may_have_arrived_is_no_failure() -> None:
    assert not is_failed(make_delivery(1), Sent(), NOW, POLICY)
    assert not is_failed(make_delivery(1, unknown=MAX_UNKNOWN), Unknown(answer=""), NOW, POLICY)


def test_a_message_is_due_at_once_if_another_server_may_take_it() -> None:
    now: datetime = NOW + MINUTE
    for counts in (False, True):
        mode = RetryMode(is_immediate=True, counts_attempt=counts)
        assert apply_receipt(make_delivery(1), OURS, now, POLICY, mode).due_at == now
