from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.throttling.domain_queues import Admission, DomainRates, Times, admit_deliveries
from digest.core.delivery.throttling.rates import Bucket, Rate
from digest.model import Delivery
from tests.core.delivery.factories import NOW, make_delivery

SECOND = timedelta(seconds=1)
TIMES = Times(command=NOW, machine=NOW)
NO_RATES = DomainRates(configured={}, slowdowns={})
DOMAINS = ("a.org", "b.org", "free.org")
DOMAIN_RATES = st.builds(
    lambda first, second: DomainRates(configured={"a.org": first, "b.org": second}, slowdowns={}),
    *[st.builds(Rate, st.integers(1, 50), st.sampled_from([SECOND, 60 * SECOND])) for _ in range(2)],
)
CANDIDATES = st.lists(st.sampled_from(DOMAINS), max_size=60).map(
    lambda domains: [make_delivery(number, domain=domain) for number, domain in enumerate(domains)]
)


def make_buckets(domains: Sequence[str] = DOMAINS, **values: datetime) -> dict[str, Bucket]:
    return {
        domain: Bucket(name=domain, **({"spent_to": NOW - timedelta(days=9)} | values)) for domain in domains
    }


def admit(candidates: Sequence[Delivery], limit: int, rates: DomainRates, **bucket: datetime) -> Admission:
    return admit_deliveries(candidates, limit, make_buckets(DOMAINS, **bucket), rates, TIMES)


@given(CANDIDATES, st.integers(0, 30), DOMAIN_RATES)
def test_each_delivery_is_admitted_or_postponed_or_left_in_its_place(
    candidates: list[Delivery], limit: int, rates: DomainRates
) -> None:
    admission = admit(candidates, limit, rates)

    ids = [delivery.id for delivery in admission.admitted]
    assert len(ids) <= limit
    assert ids == sorted(ids)
    assert not set(ids) & admission.postponed.keys()
    free = [delivery.id for delivery in candidates if delivery.domain == "free.org"]
    assert not set(free) & admission.postponed.keys()
    assert all(at > NOW for at in admission.postponed.values())


@given(CANDIDATES, DOMAIN_RATES)
def test_places_in_the_queue_of_a_domain_are_at_least_an_interval_apart(
    candidates: list[Delivery], rates: DomainRates
) -> None:
    admission = admit(candidates, len(candidates), rates)

    places: dict[str, list[datetime]] = defaultdict(list)
    for delivery in candidates:
        if delivery.id in admission.postponed:
            places[delivery.domain].append(admission.postponed[delivery.id])
    for domain, times in places.items():
        interval = rates.configured[domain].compute_interval()
        assert all(later - earlier >= interval for earlier, later in pairwise(times))
        assert admission.buckets[domain].queued_to == times[-1] + interval


@given(st.integers(1, 150), st.builds(Rate, st.integers(1, 50), st.sampled_from([SECOND, 60 * SECOND])))
def test_a_backlog_goes_out_at_its_rate_and_each_delivery_is_postponed_once(count: int, rate: Rate) -> None:
    domain_rates = DomainRates(configured={"*": rate}, slowdowns={})
    buckets, now = make_buckets(["a.org"]), NOW
    waiting = [(NOW, make_delivery(number, domain="a.org")) for number in range(count)]
    sent: list[datetime] = []

    while waiting:
        due = [delivery for at, delivery in waiting if at <= now]
        admission = admit_deliveries(due, len(due), buckets, domain_rates, Times(command=now, machine=now))
        sent += [now] * len(admission.admitted)
        admitted = {delivery.id for delivery in admission.admitted}
        assert not any(delivery.paced for delivery in due if delivery.id in admission.postponed)
        waiting = [
            (admission.postponed[delivery.id], delivery._replace(paced=True))
            if delivery.id in admission.postponed
            else (at, delivery)
            for at, delivery in waiting
            if delivery.id not in admitted
        ]
        buckets, now = dict(admission.buckets), min([at for at, _ in waiting], default=now)

    for number, begin in enumerate(sent):
        window = [at for at in sent[number:] if at <= begin + SECOND]
        assert len(window) <= SECOND / rate.compute_interval() + rate.burst + 1e-6


def test_nothing_goes_to_a_paused_domain_before_its_pause_ends() -> None:
    candidates = [make_delivery(number, domain="a.org") for number in range(3)]
    rates = DomainRates(configured={}, slowdowns={"a.org": 2.0})

    admission = admit(candidates, 3, rates, paused_until=NOW + 60 * SECOND)

    assert not admission.admitted
    assert list(admission.postponed.values()) == [
        NOW + 60 * SECOND + number * timedelta(milliseconds=200) for number in range(3)
    ]


def test_who_comes_later_does_not_overtake_the_queue_and_who_is_queued_may_go() -> None:
    rates = DomainRates(configured={"a.org": Rate(1, SECOND)}, slowdowns={})
    new, queued = make_delivery(1, domain="a.org"), make_delivery(2, domain="a.org", paced=True)

    admission = admit([new, queued], 2, rates, queued_to=NOW + 5 * SECOND)

    assert [delivery.id for delivery in admission.admitted] == [2]
    assert admission.postponed == {1: NOW + 5 * SECOND}


def test_what_could_go_but_has_no_place_in_the_batch_is_left_where_it_is() -> None:
    rates = DomainRates(configured={"a.org": Rate(10, SECOND)}, slowdowns={})
    candidates = [make_delivery(number, domain="a.org") for number in range(5)]

    admission = admit(candidates, 2, rates)

    assert (len(admission.admitted), admission.postponed) == (2, {})


@pytest.mark.parametrize("queued_to", [NOW + timedelta(days=3), NOW + timedelta(days=4000)])
def test_a_queue_that_a_wrong_clock_made_delays_nothing(queued_to: datetime) -> None:
    rates = DomainRates(configured={"a.org": Rate(1, SECOND)}, slowdowns={})

    assert admit([make_delivery(1, domain="a.org")], 1, rates, queued_to=queued_to).admitted


def test_places_are_by_the_clock_of_the_command_and_rates_by_that_of_the_machine() -> None:
    rates = DomainRates(configured={"a.org": Rate(1, SECOND)}, slowdowns={})
    buckets = {"a.org": replace(make_buckets()["a.org"], spent_to=NOW + SECOND)}
    command = NOW - timedelta(days=100)

    admission = admit_deliveries(
        [make_delivery(1, domain="a.org")], 1, buckets, rates, Times(command=command, machine=NOW)
    )

    assert admission.postponed == {1: command + SECOND}


def test_only_domains_with_a_rate_or_a_slowdown_are_limited() -> None:
    candidates = [
        make_delivery(1, domain="a.org"),
        make_delivery(2, domain="b.org"),
        make_delivery(3, domain=""),
    ]

    assert NO_RATES.list_limited(candidates) == set()
    assert replace(NO_RATES, slowdowns={"a.org": 2.0}).list_limited(candidates) == {"a.org"}
    assert replace(NO_RATES, configured={"*": Rate(1, SECOND)}).list_limited(candidates) == {"a.org", "b.org"}
