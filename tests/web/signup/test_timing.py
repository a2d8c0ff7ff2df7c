"""What can be measured from outside does not tell who is a reader: the same work is done for every address."""

from __future__ import annotations

import os
import random
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from types import FrameType

import httpx
import pytest
from sqlalchemy import delete, event, insert

from digest.core.delivery.signup_links import SigninRequest, SignupRequest
from digest.demo.publisher import Publisher
from digest.jobs.subscribers.signup.link_limits import take_mail
from digest.jobs.subscribers.signup.link_mailer import LinkRequest
from digest.jobs.subscribers.signup.sign_ins import SIGNIN_KIND
from digest.store.database.tables.digests import subscribers
from digest.store.database.tables.papers import buckets
from digest.testing.mail_server import MailServer
from digest.web.answers import Responder
from digest.web.protocol.response_cache import ResponseCache
from digest.web.signup.link_mails import make_link_mailer
from tests.support.timeouts import PATIENCE
from tests.web.conftest import Site, serve_workspace
from tests.web.signup.conftest import DIGEST, make_signup_workspace, suppress

SIGNUP_KINDS, SIGNIN_KINDS = (
    ("new", "known", "pending", "suppressed", "refused"),
    ("stranger", "known", "pending", "suppressed", "operator"),
)
OPERATORS = '\n[operator]\npeople = ["operator0@example.org", "operator1@example.org"]\n'
on_quiet_machine = pytest.mark.skipif(
    not os.environ.get("DIGEST_TEST_TIMES"), reason="times are compared on a quiet machine, by .ci/long times"
)
STEPS = {"fill", "make_single_mail", "sign_mail", "seal_content"}
"""Functions that take the time of a link, besides statements."""


@pytest.fixture
def timed_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> Iterator[Site]:
    """A site for some domains, with the delays that it has in use."""
    signup = 'who = "domains"\n    domains = ["example.org"]'
    workspace = make_signup_workspace(
        composed_folder, tmp_path / "world", mail_server.port, signup, OPERATORS
    )
    with serve_workspace(workspace, source, max_mail_delay=5.0) as site:
        yield site


def make_addresses(site: Site, kind: str, number_of_addresses: int) -> list[str]:
    """Addresses of a kind, which are in the database as this kind is."""
    domain = "example.com" if kind == "refused" else "example.org"
    addresses = [f"{kind}{number}@{domain}" for number in range(number_of_addresses)]
    with site.app.store.begin_write() as tx:
        if kind in {"known", "suppressed"}:
            tx.execute(insert(subscribers), [{"address": address} for address in addresses])
        if kind == "pending":
            for address in addresses:
                for mail_kind in ("", SIGNIN_KIND):
                    take_mail(
                        tx, address, site.pages.keys, site.app.clock() - timedelta(minutes=1), kind=mail_kind
                    )
    if kind == "suppressed":
        for address in addresses:
            suppress(site, address)
    return addresses


def make_request(path: str, address: str) -> LinkRequest:
    if path == "/sign-in":
        return SigninRequest(address=address, language="en")
    return SignupRequest(address=address, public_digest=DIGEST, language="en")


# --- the same work ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "kinds"), [("/sign-up", SIGNUP_KINDS), ("/sign-in", SIGNIN_KINDS)])
def test_the_same_is_done_for_every_address_until_its_mail_is_sent(
    timed_site: Site, path: str, kinds: Sequence[str]
) -> None:
    addresses = {kind: make_addresses(timed_site, kind, 2) for kind in kinds}
    work = {
        kind: record_work(timed_site, [make_request(path, address) for address in addresses[kind]])
        for kind in kinds
    }
    assert len({tuple(steps) for steps in work.values()}) == 1, work
    assert set(work["known"]) > STEPS
    assert any("INSERT INTO link_mails" in step for step in work["known"])


def record_work(site: Site, requests: Sequence[LinkRequest]) -> list[str]:
    """The statements and the slow functions of a mailer from a request until its mail could be sent."""
    steps: list[str] = []
    handled = threading.Semaphore(0)

    def profile(frame: FrameType, what: str, _argument: object) -> None:
        name = frame.f_code.co_name
        if what == "call" and name in STEPS:
            steps.append(name)
        if what == "return" and name == "_prepare":
            handled.release()

    responder = Responder(app=site.app, pages=site.pages, response_cache=ResponseCache(), notify=print)
    mailer = make_link_mailer(responder, has_accounts=True, max_delay=0.0)
    with record_statements_of("links", site, steps):
        threading.setprofile(profile)
        mailer.start()
        threading.setprofile(None)
        for request in requests:
            mailer.submit(request)
            assert handled.acquire(timeout=PATIENCE)
        mailer.stop()
    return steps


@contextmanager
def record_statements_of(thread: str, site: Site, steps: list[str]) -> Iterator[None]:
    def record(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if threading.current_thread().name == thread:
            steps.append(" ".join(statement.split()))

    event.listen(site.app.store.engine, "before_cursor_execute", record)
    yield
    event.remove(site.app.store.engine, "before_cursor_execute", record)


# --- the same time ---------------------------------------------------------------------------------


@dataclass
class Timings:
    """Times by the kind of address."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def compute_medians(self) -> dict[str, float]:
        return {kind: statistics.median(times) for kind, times in self.times.items()}

    def find_difference(self) -> float:
        """The greatest difference of two medians, as a part of the smaller one."""
        medians = self.compute_medians().values()
        return max(medians) / min(medians) - 1


@dataclass
class TimedForms:
    """Posts forms, and measures.

    Attributes:
        addresses: the addresses of each kind, in use one after the other, so that none is limited.
    """

    site: Site
    client: httpx.Client
    path: str
    addresses: dict[str, Iterator[str]]
    networks: Iterator[int] = field(default_factory=count)
    order: random.Random = field(default_factory=lambda: random.Random(1))

    def post(self, kind: str) -> float:
        """Fill in a form, from a network of its own, and return the seconds until the answer."""
        number = next(self.networks)
        data = {"address": next(self.addresses[kind]), "digest": DIGEST}
        headers = {"x-forwarded-for": f"10.{number // 256}.{number % 256}.1"}
        return measure(lambda: self.client.post(self.path, data=data, headers=headers), 303)

    def shuffle(self) -> list[str]:
        kinds = list(self.addresses)
        return self.order.sample(kinds, len(kinds))

    def time_answers(self, timings: Timings) -> None:
        """Time a thousand answers of each kind, one of each after the other, and none while forms are handled.

        Otherwise some answers take twice as long as others, and a median between both is a matter of chance.
        """
        for _ in range(100):
            for kind in [kind for _ in range(10) for kind in self.shuffle()]:
                timings.times[kind].append(self.post(kind))
            time.sleep(0.8)
            self.forget_limits()

    def time_work(self, timings: Timings) -> None:
        """Time what the process does for forms of one kind while another page is asked for, one kind after the other.

        This is what slows the page down. It is processor time, because the page itself takes several times as long
        while other programs use the machine; and relative to that of the other kinds a moment ago.
        """
        for _ in range(25):
            seconds = {kind: self.time_block(kind) for kind in self.shuffle()}
            mean = statistics.mean(seconds.values())
            for kind, block_seconds in seconds.items():
                timings.times[kind].append(block_seconds / mean)
            self.forget_limits()

    def time_block(self, kind: str) -> float:
        begin, cpu_begin = time.perf_counter(), time.process_time()
        for _ in range(20):
            self.post(kind)
        for step in range(1, 26):
            assert self.client.get("/sign-in/sent").status_code == 200
            time.sleep(max(begin + step * 0.05 - time.perf_counter(), 0))
        return time.process_time() - cpu_begin

    def forget_limits(self) -> None:
        """Let more forms in than all together may send in an hour."""
        with self.site.app.store.begin_write() as tx:
            tx.execute(delete(buckets).where(buckets.c.name.contains("sign-ups")))


@pytest.fixture(params=[("/sign-up", SIGNUP_KINDS), ("/sign-in", SIGNIN_KINDS)], ids=["sign-up", "sign-in"])
def timed_forms(timed_site: Site, request: pytest.FixtureRequest) -> Iterator[TimedForms]:
    path, kinds = request.param
    addresses = {kind: iter(make_addresses(timed_site, kind, 3_000)) for kind in kinds}
    with timed_site.open_client() as client:
        yield TimedForms(timed_site, client, path, addresses)


@pytest.mark.long
@on_quiet_machine
def test_the_time_of_an_answer_does_not_tell_readers_from_strangers(timed_forms: TimedForms) -> None:
    check_alike(timed_forms.time_answers, 0.05)


@pytest.mark.long
@on_quiet_machine
def test_the_work_after_it_does_not_slow_other_pages_down_for_some_addresses_more_than_for_others(
    timed_forms: TimedForms,
) -> None:
    check_alike(timed_forms.time_work, 0.1)


def check_alike(take_times: Callable[[Timings], None], tolerance: float) -> None:
    """Take more times if they differ: what is chance goes away, and what is not stays."""
    timings = Timings()
    for _ in range(3):
        take_times(timings)
        if timings.find_difference() < tolerance:
            return
    assert timings.find_difference() < tolerance, timings.compute_medians()


def measure(request: Callable[[], httpx.Response], status: int) -> float:
    begin = time.perf_counter()
    response = request()
    seconds = time.perf_counter() - begin
    assert response.status_code == status
    return seconds
