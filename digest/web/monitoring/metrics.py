"""Metrics for Prometheus, at an address of their own: who reads them learns how many readers a site has.

Names and units follow https://prometheus.io/docs/practices/naming/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from digest.errors import ListenError, StoreError
from digest.jobs.operations.measurements import Measurements, load_measurements
from digest.ports import Enricher
from digest.store.database.engine import Store
from digest.web.protocol.response_cache import ResponseCache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # the registry has it in a dictionary
class SiteCollector(Collector):
    """Collects the metrics at each request for them.

    Attributes:
        request_counts: the number of requests that were not answered from the cache, by route, method and status.
        response_cache: counts those that were.
        store: the store.
        enrichers: the configured enrichers, by name.
        clock: returns the time, UTC.
    """

    request_counts: Mapping[tuple[str, str, int], int]
    response_cache: ResponseCache
    store: Store
    enrichers: Mapping[str, Enricher]
    clock: Callable[[], datetime]

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics; without the database only those of this process."""
        yield from self._collect_requests()
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


def _iter_store_metrics(measurements: Measurements, now: datetime) -> Iterator[Metric]:
    """Yield the metrics of all processes together."""
    if measurements.last_cycle is not None:
        times = measurements.last_cycle
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
    batches = GaugeMetricFamily(
        "digest_days", "Announcement days of sections in the last week.", labels=["source", "state"]
    )
    for (source, state), count in sorted(measurements.batches.items()):
        batches.add_metric([source, state], count)
    yield batches
    deliveries = GaugeMetricFamily("digest_deliveries", "The last 100,000 deliveries.", labels=["state"])
    for state, count in sorted(measurements.deliveries.items()):
        deliveries.add_metric([state], count)
    yield deliveries
    oldest_due = measurements.oldest_due
    yield GaugeMetricFamily(
        "digest_due_seconds",
        "How long the oldest due delivery has been waiting; 0 if none is due.",
        value=(now - oldest_due).total_seconds() if oldest_due else 0,
    )
    yield GaugeMetricFamily(
        "digest_paused_hosts", "Hosts of sources that are not asked now.", value=measurements.paused_hosts
    )
    used = GaugeMetricFamily("digest_quota_used", "Requests made today.", labels=["enricher"])
    quota = GaugeMetricFamily("digest_quota", "Requests allowed a day.", labels=["enricher"])
    for name, use in sorted(measurements.quotas.items()):
        used.add_metric([name], use.used)
        quota.add_metric([name], use.quota)
    yield used
    yield quota


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
