"""Prometheus reads the alerts, and they fire when they should."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.support.cases import for_each_case
from tests.system.programs.installed import require_program

pytestmark = pytest.mark.system

RULES = Path(__file__).parents[2] / "deploy" / "prometheus" / "alerts.yaml"
HEALTHY = {
    'up{job="digest"}': "1x240",
    "digest_database_up": "1x240",
    "digest_last_cycle_timestamp_seconds": "0+60x240",
    'digest_channel_due_seconds{channel="smtp"}': "0x240",
    "digest_held_runs": "0x240",
    'digest_days{source="arxiv", state="failed"}': "2x240",
    "digest_worker_troubles": "0x240",
    'digest_released_leases_total{host="one", worker="7"}': "40x240",
    "digest_replica_lag_seconds": "0x240",
}
"""Series of a service that works, one value a minute for four hours."""
FAULTS = {
    "DigestIsDown": ("digest_database_up", "0x240"),
    "DigestStandsStill": ("digest_last_cycle_timestamp_seconds", "0x240"),
    "DigestMailWaits": ('digest_channel_due_seconds{channel="smtp"}', "0+60x240"),
    "DigestRunHeld": ("digest_held_runs", "1x240"),
    "DigestDayMissing": ('digest_days{source="arxiv", state="failed"}', "2x120 3x120"),
    "DigestWorkersDiffer": ("digest_worker_troubles", "2x240"),
    "DigestWorkersDie": ('digest_released_leases_total{host="one", worker="7"}', "0+2x240"),
    "DigestReplicaLags": ("digest_replica_lag_seconds", "90x240"),
}
"""For each alert, the series that differs when something is wrong, and its values."""


def run_promtool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [require_program("promtool"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_prometheus_accepts_the_rules(tmp_path: Path) -> None:
    broken_file = tmp_path / "broken.yaml"
    broken_file.write_text(RULES.read_text("utf-8").replace("max(digest_held_runs)", "max(digest_held_runs"))

    result = run_promtool("check", "rules", RULES)

    assert result.returncode == 0, result.stdout + result.stderr
    assert "8 rules found" in result.stdout
    assert run_promtool("check", "rules", broken_file).returncode != 0, "promtool sees mistakes"


def list_firing(folder: Path, series: dict[str, str], at: str = "3h") -> set[str]:
    """The alerts that fire at a time after the begin of some series."""
    return {name for name in FAULTS if not _is_silent(folder, series, name, at)}


def _is_silent(folder: Path, series: dict[str, str], name: str, at: str) -> bool:
    """Whether an alert does not fire; promtool compares it with what a test expects, and tells nothing else."""
    document: dict[str, Any] = {
        "rule_files": [str(RULES)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [{"series": key, "values": values} for key, values in series.items()],
                "alert_rule_test": [{"eval_time": at, "alertname": name, "exp_alerts": []}],
            }
        ],
    }
    file = folder / "test.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    result = run_promtool("test", "rules", file)
    assert "exp:[]" in (result.stdout + result.stderr).replace(" ", "") or result.returncode == 0, (
        result.stdout + result.stderr
    )
    return result.returncode == 0


def test_no_alert_fires_while_everything_works(tmp_path: Path) -> None:
    assert list_firing(tmp_path, HEALTHY) == set()


@for_each_case("name", list(FAULTS))
def test_one_fault_fires_the_alert_for_it_and_no_other(name: str, tmp_path: Path) -> None:
    key, values = FAULTS[name]

    assert list_firing(tmp_path, HEALTHY | {key: values}) == {name}


def test_the_first_day_of_a_source_that_fails_is_told(tmp_path: Path) -> None:
    key = 'digest_days{source="arxiv", state="failed"}'

    assert list_firing(tmp_path, HEALTHY | {key: "0x120 1x120"}) == {"DigestDayMissing"}


@for_each_case("minutes", [1, 5, 10])
def test_workers_that_die_before_their_metrics_grow_are_told(minutes: int, tmp_path: Path) -> None:
    workers = {
        f'digest_released_leases_total{{host="one", worker="{number}"}}': f"_x{minutes * number} 12x{minutes - 1}"
        for number in range(1, 240 // minutes)
    }

    assert list_firing(tmp_path, HEALTHY | workers) == {"DigestWorkersDie"}


def test_workers_that_are_replaced_in_peace_raise_no_alert(tmp_path: Path) -> None:
    workers = {
        f'digest_released_leases_total{{host="one", worker="{number}"}}': f"_x{10 * number} 0x9"
        for number in range(1, 24)
    }

    assert list_firing(tmp_path, HEALTHY | workers) == set()


def test_a_service_that_prometheus_never_found_is_down_and_stands_still(tmp_path: Path) -> None:
    assert list_firing(tmp_path, {"other": "1x240"}) == {"DigestIsDown", "DigestStandsStill"}


def test_an_alert_does_not_need_a_certain_name_of_the_job(tmp_path: Path) -> None:
    series = {key.replace('job="digest"', 'job="pods"'): values for key, values in HEALTHY.items()}
    assert list_firing(tmp_path, series) == set()

    del series["digest_database_up"]
    assert list_firing(tmp_path, series) == {"DigestIsDown"}


def test_one_of_several_servers_that_does_not_answer_is_seen(tmp_path: Path) -> None:
    del (series := dict(HEALTHY))['up{job="digest"}']
    servers = {
        'up{job="digest", instance="one"}': "1x240",
        'up{job="digest", instance="two"}': "1x60 0x180",
    }

    assert list_firing(tmp_path, series | servers) == {"DigestIsDown"}


@for_each_case("values", ["0+60x60 3600x180", "0+60x60 _x180"])
def test_a_service_stands_still_when_no_cycle_has_ended_for_half_an_hour(values: str, tmp_path: Path) -> None:
    """Cycles end for an hour; then none does, or nobody tells when the last one ended."""
    series = HEALTHY | {"digest_last_cycle_timestamp_seconds": values}

    assert list_firing(tmp_path, series, "85m") == set()
    assert list_firing(tmp_path, series, "100m") == {"DigestStandsStill"}
