"""What watches the service: whether it is ready, and its numbers for Prometheus."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from digest import __version__
from digest.errors import ListenError
from digest.jobs.operations.measurements import load_measurements
from digest.jobs.workers import WorkerProfile, register_worker
from digest.store.operations.server_activity import LockWaits, Replication
from digest.web.monitoring.metrics import SiteCollector, _iter_store_metrics, serve_metrics
from digest.web.server import listen, serve_site
from digest.web.site import make_site
from tests.support.timeouts import PATIENCE
from tests.web.conftest import ME, THURSDAY, Site, get_morning


@contextmanager
def serve_metrics_of(site: Site) -> Iterator[str]:
    """Metrics of a site's store, and of another site's requests; gives their address."""
    made = make_site(site.app, site.pages, print)
    made.request_counts["/papers/{day}", "GET", 200] += 3
    collector = SiteCollector(
        request_counts=made.request_counts,
        response_cache=made.response_cache,
        store=site.app.store,
        replica=None,
        enrichers=site.app.enrichers,
        clock=lambda: site.app.clock() + timedelta(hours=1),
    )
    with serve_metrics("127.0.0.1:0", collector) as port:
        yield f"http://127.0.0.1:{port}/metrics"


def read(address: str) -> dict[tuple[str, ...], float]:
    """The samples, by name and the values of their labels, which are in alphabetical order."""
    text = httpx.get(address, trust_env=False, timeout=PATIENCE).raise_for_status().text
    return {
        (sample.name, *(text for _, text in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_tell_requests_days_and_deliveries(site: Site) -> None:
    with serve_metrics_of(site) as address:
        samples = read(address)

    assert samples["digest_requests_total", "GET", "/papers/{day}", "200"] == 3
    assert samples["digest_cached_responses_total",] == 0
    assert samples["digest_database_up",] == 1
    assert samples["digest_deliveries", "ready"] == 3
    assert 3_600 <= samples["digest_due_seconds",] < 7_200
    assert samples["digest_channel_due", "smtp"] == 3
    assert samples["digest_channel_due_seconds", "smtp"] == pytest.approx(
        samples["digest_due_seconds",], abs=5
    )
    assert samples["digest_channel_leased", "smtp"] == 0
    assert samples["digest_held_runs",] == 0
    assert not any(ME in part or "example" in part for key in samples for part in key)


def test_requests_are_counted_by_their_routes_and_never_by_their_addresses(site: Site) -> None:
    made = make_site(site.app, site.pages, print)
    with listen("127.0.0.1:0") as door, serve_site(door, made):
        served = replace(site, server_url=f"http://127.0.0.1:{door.getsockname()[1]}")
        for address in (f"/papers/{THURSDAY}", f"/papers/{THURSDAY}", "/nothing", site.make_manage_url()):
            served.get(address)
        served.get("/api/v1/days")
        served.post("/papers")

    assert dict(made.request_counts) == {
        ("/papers/{day}", "GET", 200): 1,
        ("", "GET", 404): 1,
        ("/manage/{token}", "GET", 200): 1,
        ("/api/v1/days", "GET", 200): 1,
        ("/papers", "POST", 405): 1,
    }
    assert made.response_cache.hits == 1


def test_metrics_are_not_at_the_address_of_the_site(shared_site: Site) -> None:
    assert shared_site.get("/metrics").status_code == 404


def test_a_cycle_shows_in_metrics_and_readiness(site: Site) -> None:
    assert site.get("/readyz").text == "ok\nlast cycle: none yet\n"
    site.workspace.run("run", now=get_morning(THURSDAY), status=1)  # nobody takes its mail

    assert site.get("/readyz").text.startswith("ok\nlast cycle: ")
    assert "none" not in site.get("/readyz").text
    with serve_metrics_of(site) as address:
        samples = read(address)
    assert samples["digest_last_cycle_timestamp_seconds",] == pytest.approx(
        get_morning(THURSDAY).timestamp(), abs=60
    )
    assert samples["digest_last_cycle_duration_seconds",] >= 0


def test_what_a_worker_has_done_shows_in_metrics_until_it_ends(site: Site) -> None:
    profile = WorkerProfile(command="worker", queues=("deliver:smtp",))
    with register_worker(site.app.store, 7, profile) as heartbeat, serve_metrics_of(site) as address:
        heartbeat.counts.count_task(found_work=False)
        heartbeat.counts.sent += 3
        heartbeat.beat()
        samples = read(address)
    with serve_metrics_of(site) as address:
        later = read(address)

    host = socket.gethostname()
    assert samples["digest_tasks_total", host, "7"] == samples["digest_idle_tasks_total", host, "7"] == 1
    assert samples["digest_sent_total", host, "7"] == 3
    assert samples["digest_workers", "worker", __version__] == 1
    assert samples["digest_heartbeat_age_seconds", "worker", __version__] < 60
    assert abs(samples["digest_clock_offset_seconds", host]) < 60
    assert not any("7" in key for key in later)


def test_what_locks_have_cost_shows_in_metrics_by_process_and_kind(site: Site) -> None:
    store = site.app.store
    with register_worker(store, 7, WorkerProfile(command="worker")) as heartbeat:
        with store.begin_ingest():
            time.sleep(0.01)
        heartbeat.beat()
        with serve_metrics_of(site) as address:
            samples = read(address)

    host = socket.gethostname()
    assert samples["digest_lock_held_seconds_total", host, "ingest", "7"] >= 0.01
    assert samples["digest_lock_wait_seconds_total", host, "ingest", "7"] >= 0
    assert ("digest_lock_wait_seconds_total", host, "write", "7") in samples


def test_no_two_metrics_have_one_name_in_the_format_that_prometheus_asks_for(site: Site) -> None:
    measurements = load_measurements(site.app.store, {}, site.app.clock())
    on_postgresql = replace(
        measurements,
        lock_waits=LockWaits(count=1, longest_seconds=2.0),
        replication=Replication(replicas=1, lag_seconds=3.0),
    )
    families = list(_iter_store_metrics(on_postgresql, site.app.clock()))

    # A counter is called there as in Prometheus without "_total".
    names = [family.name for family in families]
    assert len(names) == len(set(names)) > 20


def test_sqlite_has_no_metrics_of_sessions_and_replicas(site: Site) -> None:
    with serve_metrics_of(site) as address:
        names = {name for name, *_ in read(address)}

    assert not {name for name in names if name.startswith(("digest_lock_waits", "digest_longest"))}
    assert not {name for name in names if "replica" in name}


def test_without_a_database_metrics_say_so(site: Site) -> None:
    with site.app.store.begin_write() as tx:
        tx.exec_driver_sql("ALTER TABLE batches RENAME TO elsewhere")
    with serve_metrics_of(site) as address:
        samples = read(address)

    assert samples["digest_database_up",] == 0
    assert ("digest_requests_total", "GET", "/papers/{day}", "200") in samples


def test_an_address_that_is_taken_is_an_error_that_says_what_to_do(site: Site) -> None:
    with listen("127.0.0.1:0") as taken, pytest.raises(ListenError, match=r"\[site\] metrics"):
        endpoint = f"127.0.0.1:{taken.getsockname()[1]}"
        collector = SiteCollector(
            request_counts={},
            response_cache=make_site(site.app, site.pages, print).response_cache,
            store=site.app.store,
            replica=None,
            enrichers={},
            clock=site.app.clock,
        )
        with serve_metrics(endpoint, collector):
            pass
