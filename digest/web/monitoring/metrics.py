"""Metrics for Prometheus, at an address of their own: who reads them learns how many readers a site has.

Names and units follow https://prometheus.io/docs/practices/naming/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from digest.errors import ListenError, StoreError
from digest.jobs.operations.measurements import (
    MAX_COUNTED,
    Measurements,
    Pauses,
    QuotaUse,
    WorkerMeasurements,
    load_measurements,
)
from digest.ports import Enricher
from digest.store.database.engine import Store
from digest.store.database.replica import Replica
from digest.store.operations.cycles import CycleTimes
from digest.store.workers.workers import Worker
from digest.web.protocol.response_cache import ResponseCache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # the registry has it in a dictionary
class SiteCollector(Collector):
    """Collects the metrics at each request for them.

    Attributes:
        request_counts: the number of requests that were not answered from the cache, by route, method and status.
        response_cache: counts those that were.
        store: the store.
        replica: the replica from which pages are read; None without one.
        enrichers: the configured enrichers, by name.
        clock: returns the time, UTC.
    """

    request_counts: Mapping[tuple[str, str, int], int]
    response_cache: ResponseCache
    store: Store
    replica: Replica | None
    enrichers: Mapping[str, Enricher]
    clock: Callable[[], datetime]

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics; without the database only those of this process."""
        yield from self._collect_requests()
        if self.replica is not None:
            yield from _iter_replica_metrics(self.replica)
        is_up = GaugeMetricFamily("digest_database_up", "1 if the database answers.")
        try:
            measurements = load_measurements(self.store, self.enrichers, self.clock())
        except StoreError:
            is_up.add_metric([], 0)
            yield is_up
            return
        is_up.add_metric([], 1)
        yield is_up
        yield from _iter_store_metrics(measurements, self.clock())

    def _collect_requests(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "digest_requests",
            "Requests, without those that were answered from the cache at once.",
            labels=["route", "method", "status"],
        )
        for (route, method, status), count in sorted(dict(self.request_counts).items()):
            requests.add_metric([route, method, str(status)], count)
        yield requests
        yield CounterMetricFamily(
            "digest_cached_responses",
            "Responses that were in the cache and at most a second old.",
            value=self.response_cache.hits,
        )


def _iter_replica_metrics(replica: Replica) -> Iterator[Metric]:
    """Yield how this process sees the replica from which it reads."""
    yield GaugeMetricFamily(
        "digest_read_replica_up", "1 if pages are read from the replica.", value=int(not replica.trouble)
    )
    yield CounterMetricFamily(
        "digest_read_replica_failures",
        "Reads from the replica that failed, so that the primary answered.",
        value=replica.failures,
    )
    lag = GaugeMetricFamily("digest_read_replica_lag_seconds", "How far the replica is behind at most.")
    if (seconds := replica.lag) is not None:
        lag.add_metric([], seconds)
    yield lag


def _iter_store_metrics(measurements: Measurements, now: datetime) -> Iterator[Metric]:
    """Yield the metrics of all processes together."""
    if measurements.last_cycle is not None:
        yield from _iter_cycle_metrics(measurements.last_cycle)
    batches = GaugeMetricFamily(
        "digest_days", "Announcement days of sections in the last week.", labels=["source", "state"]
    )
    for (source, state), count in sorted(measurements.batches.items()):
        batches.add_metric([source, state], count)
    yield batches
    yield _make_gauge("digest_deliveries", "The last 100,000 deliveries.", "state", measurements.deliveries)
    oldest_due = measurements.oldest_due
    yield GaugeMetricFamily(
        "digest_due_seconds",
        "How long the oldest due delivery has been waiting; 0 if none is due.",
        value=(now - oldest_due).total_seconds() if oldest_due else 0,
    )
    yield from _iter_channel_metrics(measurements, now)
    yield GaugeMetricFamily(
        "digest_held_runs", "Runs that wait for an operator's decision.", value=measurements.held_runs
    )
    yield from _iter_pause_metrics(measurements.pauses)
    yield from _iter_worker_metrics(measurements.workers, now)
    yield from _iter_database_metrics(measurements)
    yield from _iter_quota_metrics(measurements.quotas)


def _iter_cycle_metrics(times: CycleTimes) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "digest_last_cycle_timestamp_seconds",
        "When the last cycle ended, in seconds since 1970.",
        value=times.ended_at.timestamp(),
    )
    yield GaugeMetricFamily(
        "digest_last_cycle_duration_seconds",
        "How long the last cycle took.",
        value=(times.ended_at - times.began_at).total_seconds(),
    )


def _iter_quota_metrics(quotas: Mapping[str, QuotaUse]) -> Iterator[Metric]:
    used = GaugeMetricFamily("digest_quota_used", "Requests made today.", labels=["enricher"])
    quota = GaugeMetricFamily("digest_quota", "Requests allowed a day.", labels=["enricher"])
    for name, use in sorted(quotas.items()):
        used.add_metric([name], use.used)
        quota.add_metric([name], use.quota)
    yield used
    yield quota


def _iter_channel_metrics(measurements: Measurements, now: datetime) -> Iterator[Metric]:
    due = GaugeMetricFamily(
        "digest_channel_due", f"Deliveries that are due; {MAX_COUNTED} stands for more.", labels=["channel"]
    )
    due_seconds = GaugeMetricFamily(
        "digest_channel_due_seconds",
        "How long the oldest due delivery of a channel has been waiting; 0 if none is due.",
        labels=["channel"],
    )
    leased = GaugeMetricFamily(
        "digest_channel_leased", "Deliveries that a process is sending.", labels=["channel"]
    )
    for channel, queue in sorted(measurements.channels.items()):
        age = (now - queue.oldest_due).total_seconds() if queue.oldest_due else 0
        due.add_metric([channel], queue.due)
        due_seconds.add_metric([channel], age)
        leased.add_metric([channel], queue.leased)
    yield due
    yield due_seconds
    yield leased


def _iter_pause_metrics(pauses: Pauses) -> Iterator[Metric]:
    for name, text, count in (
        ("digest_paused_hosts", "Hosts of sources that are not asked now.", pauses.hosts),
        ("digest_paused_servers", "Mail servers that get no mail now.", pauses.servers),
        ("digest_paused_domains", "Domains of recipients that get no mail now.", pauses.domains),
        ("digest_slow_domains", "Domains that get less mail than configured.", pauses.slow_domains),
    ):
        yield GaugeMetricFamily(name, text, value=count)


def _make_gauge(name: str, text: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """Make a gauge with one label, by whose values its own are given."""
    family = GaugeMetricFamily(name, text, labels=[label])
    for label_value, value in sorted(values.items()):
        family.add_metric([label_value], value)
    return family


def _iter_worker_metrics(measurements: WorkerMeasurements, now: datetime) -> Iterator[Metric]:
    age_text = "How long the oldest hint of a queue has been waiting."
    yield _make_gauge(
        "digest_waiting_hints", "Hints that wait for a worker.", "queue", measurements.waiting_hints
    )
    yield _make_gauge("digest_oldest_hint_seconds", age_text, "queue", measurements.hint_ages)
    yield _make_gauge(
        "digest_ready_shards", "Shards that no worker composes yet.", "kind", measurements.ready_shards
    )
    yield _make_gauge(
        "digest_leased_shards", "Shards that a worker composes.", "kind", measurements.leased_shards
    )
    oldest_closed = measurements.oldest_closed
    yield GaugeMetricFamily(
        "digest_uncomposed_seconds",
        "How long the oldest closed run has been waiting to be composed; 0 if none does.",
        value=(now - oldest_closed).total_seconds() if oldest_closed else 0,
    )
    yield GaugeMetricFamily(
        "digest_worker_troubles", "How many things are wrong with the workers.", value=measurements.troubles
    )
    yield from _iter_process_metrics(measurements)
    yield from _iter_work_counts(measurements.workers)


def _iter_process_metrics(measurements: WorkerMeasurements) -> Iterator[Metric]:
    living = GaugeMetricFamily(
        "digest_workers", "Processes with a recent heartbeat.", labels=["command", "release"]
    )
    heartbeats = GaugeMetricFamily(
        "digest_heartbeat_age_seconds",
        "Age of the oldest last heartbeat of any process.",
        labels=["command", "release"],
    )
    offsets = GaugeMetricFamily(
        "digest_clock_offset_seconds",
        "How far a machine's clock is ahead of the database's; negative if it is behind.",
        labels=["host"],
    )
    now = measurements.now
    for (command, release), ages in sorted(_group_heartbeat_ages(measurements).items()):
        count = sum(
            (worker.command, worker.release) == (command, release) and not worker.is_silent(now)
            for worker in measurements.workers
        )
        living.add_metric([command, release], count)
        heartbeats.add_metric([command, release], max(ages))
    for host, offset in sorted({worker.host: worker.clock_offset for worker in measurements.workers}.items()):
        offsets.add_metric([host], offset)
    yield living
    yield heartbeats
    yield offsets


def _group_heartbeat_ages(measurements: WorkerMeasurements) -> dict[tuple[str, str], list[float]]:
    """Return the ages of last heartbeats in seconds, by command and release."""
    ages: dict[tuple[str, str], list[float]] = {}
    for worker in measurements.workers:
        age = (measurements.now - worker.heartbeat_at).total_seconds()
        ages.setdefault((worker.command, worker.release), []).append(age)
    return ages


def _iter_work_counts(workers: Sequence[Worker]) -> Iterator[Metric]:
    """Yield what each process has done; its series ends with it, so rates of the sum stay right."""
    labels = ["host", "worker"]
    tasks = CounterMetricFamily("digest_tasks", "Tasks that a worker has run.", labels=labels)
    idle = CounterMetricFamily("digest_idle_tasks", "Tasks that found nothing to do.", labels=labels)
    sent = CounterMetricFamily("digest_sent", "Deliveries that a process has sent.", labels=labels)
    released = CounterMetricFamily(
        "digest_released_leases",
        "Leases of processes that had died or hung, which a process has released.",
        labels=labels,
    )
    waited = CounterMetricFamily(
        "digest_lock_wait_seconds",
        "How long the threads of a process have waited for locks of the database.",
        labels=[*labels, "lock"],
    )
    held = CounterMetricFamily(
        "digest_lock_held_seconds",
        "How long the threads of a process have held locks of the database for which others wait.",
        labels=[*labels, "lock"],
    )
    for worker in workers:
        names = [worker.host, str(worker.token)]
        for lock, spent in sorted(worker.lock_times.items()):
            waited.add_metric([*names, lock], spent.waited)
            if spent.held:
                held.add_metric([*names, lock], spent.held)
        tasks.add_metric(names, worker.tasks)
        idle.add_metric(names, worker.idle_tasks)
        sent.add_metric(names, worker.sent)
        released.add_metric(names, worker.released_leases)
    yield from (tasks, idle, sent, released, waited, held)


def _iter_database_metrics(measurements: Measurements) -> Iterator[Metric]:
    """Yield what only PostgreSQL has."""
    if (waits := measurements.lock_waits) is not None:
        yield GaugeMetricFamily(
            "digest_lock_waits", "Sessions of digest that wait for a lock now.", value=waits.count
        )
        yield GaugeMetricFamily(
            "digest_longest_lock_wait_seconds",  # a counter has the name without "longest"
            "How long the session has been waiting for a lock that waits longest; 0 if none does.",
            value=waits.longest_seconds,
        )
    if (replication := measurements.replication) is not None:
        yield GaugeMetricFamily(
            "digest_replicas", "Replicas that are connected to the database.", value=replication.replicas
        )
        yield GaugeMetricFamily(
            "digest_replica_lag_seconds",
            "How far the slowest replica is behind; 0 without any.",
            value=replication.lag_seconds,
        )


@contextmanager
def serve_metrics(endpoint: str, collector: SiteCollector) -> Iterator[int]:
    """Serve metrics inside the context, and yield the port.

    Args:
        endpoint: ``127.0.0.1:9464`` or ``[::1]:9464``; port 0 stands for any free port.
        collector: collects the metrics.

    Raises:
        ListenError: it is not possible to listen there.
    """
    host, _, port = endpoint.rpartition(":")
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    try:
        server, thread = start_http_server(int(port), host.strip("[]"), registry)
    except OSError as error:
        raise ListenError(
            f"cannot listen on {endpoint}: {error.strerror}; stop the program that uses it, or choose another address with [site] metrics"
        ) from error
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
