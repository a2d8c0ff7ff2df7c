"""The alerts use metrics that exist, and the page on them says what to do with commands that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client.core import CounterMetricFamily

from digest.cli import cli
from digest.jobs.workers import WorkerHeartbeat, WorkerProfile
from digest.store.database.engine import open_store
from digest.store.database.replica import Replica
from digest.store.operations import cycles
from digest.store.operations.cycles import CycleTimes
from digest.web.monitoring.metrics import SiteCollector
from digest.web.protocol.response_cache import ResponseCache
from tests.store.factories import NOW

ROOT = Path(__file__).parents[2]
RULES = ROOT / "deploy" / "prometheus" / "alerts.yaml"
HOWTO = ROOT / "docs" / "howto"
PAGE = (HOWTO / "alerts.md").read_text("utf-8")
DOCUMENTATION = "https://docs.example.org/"
"""What the operator replaces by the address of the documentation."""


def list_alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def list_sections() -> dict[str, str]:
    """The sections of the page by their headings."""
    _, *parts = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    return {heading: text for heading, _, text in (part.partition("\n") for part in parts)}


@pytest.fixture
def metric_names(postgres_url: str) -> Iterator[set[str]]:
    """The names of all metrics that a service on PostgreSQL with a replica exposes."""
    store = open_store(postgres_url, NOW)
    WorkerHeartbeat(store, 7, WorkerProfile(command="worker", queues=("tick",))).beat()
    with store.begin_write() as tx:
        cycles.record_cycle(tx, CycleTimes(NOW, NOW + timedelta(seconds=1)))
    collector = SiteCollector(
        request_counts={},
        response_cache=ResponseCache(),
        store=store,
        replica=Replica(postgres_url, store),
        enrichers={},
        clock=lambda: NOW,
    )
    yield {
        f"{family.name}_total" if isinstance(family, CounterMetricFamily) else family.name
        for family in collector.collect()
    }
    store.close()


def test_each_metric_of_an_alert_is_exposed(metric_names: set[str]) -> None:
    used_names = {name for rule in list_alerts() for name in re.findall(r"\bdigest_\w+", rule["expr"])}

    assert used_names
    assert used_names <= metric_names


def test_the_pages_name_each_metric_that_is_exposed_and_no_other(metric_names: set[str]) -> None:
    page = (HOWTO / "monitoring.md").read_text("utf-8")
    table_names = {
        name
        for row in re.findall(r"^\| (`digest_.*?) \|", page, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }

    assert table_names == metric_names
    assert set(re.findall(r"\bdigest_\w+", PAGE + page)) <= metric_names


def test_each_alert_says_how_urgent_it_is_and_leads_to_its_section() -> None:
    alerts = list_alerts()

    assert len(alerts) == 8
    assert [rule["alert"] for rule in alerts] == list(list_sections())
    for rule in alerts:
        assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in {"critical", "warning"}
        assert rule["annotations"]["summary"]
        assert (
            rule["annotations"]["runbook_url"] == f"{DOCUMENTATION}howto/alerts.html#{rule['alert'].lower()}"
        )


def test_the_page_says_how_to_set_the_address_of_the_documentation() -> None:
    (command,) = re.findall(
        r"^sed --in-place '(.*)' alerts\.yaml$", (HOWTO / "monitoring.md").read_text("utf-8"), re.MULTILINE
    )
    _, placeholder, address, _ = command.split("|")

    assert placeholder == DOCUMENTATION
    assert address.endswith("/")
    assert "use_directory_urls: false" in (ROOT / "mkdocs.yml").read_text("utf-8"), "pages end with .html"


def test_each_alert_is_explained_with_what_to_look_at_and_what_to_do() -> None:
    for heading, text in list_sections().items():
        assert re.findall(r"^\*\*(.*?):\*\*", text, re.MULTILINE) == ["It means", "Look at", "Do"], heading


def test_the_commands_of_the_page_exist() -> None:
    lines = re.findall(r"`digest ([^`]+)`", PAGE)

    assert "status" in lines
    for line in lines:
        command: click.Command | None = cli
        names = line.split()
        while isinstance(command, click.Group):
            command = command.get_command(click.Context(command), names.pop(0))
        assert command, line
        options = {option for parameter in command.params for option in parameter.opts}
        assert {name for name in names if name.startswith("--")} <= options, line
