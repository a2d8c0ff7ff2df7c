"""The files of deploy/ pass linters and validators, and agree with each other and with the program."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from digest.config import read_settings
from digest.worker.supervisor import _STOP_TIMEOUT_SECONDS
from tests.support.cases import for_each_case
from tests.system.programs.containerfile import read_instructions
from tests.system.programs.installed import require_program

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = DEPLOY / "container" / "Containerfile"
COMPOSE = DEPLOY / "compose" / "compose.yaml"
UNITS = sorted(path.name for path in (DEPLOY / "systemd").glob("*.service"))
MANIFESTS = sorted(path.name for path in (DEPLOY / "kubernetes").glob("*.yaml"))
MAX_EXPOSURE = 2.0
"""Highest exposure that ``systemd-analyze security`` may report, of 10; its limit for "OK" is 5."""
STOP_SECONDS = 20
UPGRADE_SECONDS = 30 * 60
"""How long a pod of a new release waits for the upgrade of the tables before it is restarted, in seconds."""


def run(
    *command: str | Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


# --- the image ------------------------------------------------------------------------------------


def test_a_linter_finds_nothing_in_the_containerfile(tmp_path: Path) -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    assert hadolint.exists(), "pip install '.[system]' brings it"
    broken_file = tmp_path / "Containerfile"
    broken_file.write_text(
        CONTAINERFILE.read_text("utf-8").replace("apt-get install --yes", "apt-get install")
    )

    result = run(hadolint, CONTAINERFILE)

    assert result.returncode == 0, result.stdout + result.stderr
    assert "DL3014" in run(hadolint, broken_file).stdout, "the linter sees mistakes"


def test_the_context_of_the_image_has_what_it_copies_and_no_more() -> None:
    copied_names = {
        name
        for instruction, text in read_instructions(CONTAINERFILE)
        if instruction == "COPY" and not text.startswith("--from=")
        for name in text.split()[:-1]
    }
    patterns = CONTAINERFILE.with_name("Containerfile.dockerignore").read_text("utf-8").splitlines()

    assert "*" in patterns
    assert {line[1:] for line in patterns if line.startswith("!")} == copied_names


# --- compose --------------------------------------------------------------------------------------


def test_a_linter_with_the_schema_of_compose_finds_no_error(tmp_path: Path) -> None:
    dclint = require_program("dclint")
    broken_file = tmp_path / "compose.yaml"
    broken_file.write_text(COMPOSE.read_text("utf-8").replace("stop_grace_period: 30s", "stop_grace: 30s"))

    result = run(dclint, COMPOSE)

    assert result.returncode == 0, result.stdout + result.stderr
    assert run(dclint, broken_file).returncode != 0, "the linter sees mistakes"


def test_the_compose_file_has_what_a_service_needs() -> None:
    services = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]
    our_names = {name for name, service in services.items() if "DIGEST_IMAGE" in service["image"]}

    assert our_names == {"apply", "backup", "web", "worker"}
    assert services.keys() - our_names == {"database", "mail"}
    for name in our_names:
        service = services[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert int(service["stop_grace_period"].removesuffix("s")) > STOP_SECONDS
    assert services["worker"]["deploy"]["replicas"] == 2
    assert services["mail"]["profiles"] == ["demo"]
    for service in services.values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ())), "behind a web server"


def test_the_database_is_healthy_only_when_others_can_reach_it() -> None:
    check = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]["database"]["healthcheck"]["test"]

    assert "pg_isready" in check
    assert "--host=127.0.0.1" in check, "the server of the initialisation listens on the socket only"


@for_each_case("page", ["upgrades.md", "several-machines.md"])
def test_compose_upgrades_the_tables_before_it_stops_the_last_release(page: str) -> None:
    services = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]
    text = (ROOT / "docs" / "howto" / page).read_text("utf-8")

    assert services["apply"]["command"] == ["digest db upgrade && digest apply"]
    commands = re.findall(r"`(docker compose build[^`]*)`", text)
    assert commands == ["docker compose build && docker compose run --rm apply && docker compose up --detach"]


def test_a_worker_has_time_to_end() -> None:
    assert _STOP_TIMEOUT_SECONDS < STOP_SECONDS


# --- systemd --------------------------------------------------------------------------------------


@pytest.fixture
def unit_folder(tmp_path: Path) -> Path:
    """The units with programs that exist, as ``systemd-analyze verify`` demands."""
    folder = tmp_path / "units"
    shutil.copytree(DEPLOY / "systemd", folder)
    for unit in folder.glob("*.service"):
        text = unit.read_text("utf-8")
        assert "/opt/digest/bin/digest " in text
        unit.write_text(text.replace("/opt/digest/bin/digest ", "/bin/true "), encoding="utf-8")
    return folder


def analyze(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"SYSTEMD_UNIT_PATH": f"{folder}:", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    return run(require_program("systemd-analyze"), *arguments, environment=environment)


@for_each_case("unit", UNITS)
def test_systemd_reads_the_units_and_finds_them_well_protected(unit: str, unit_folder: Path) -> None:
    name = unit.replace("@.", "@1.")

    verification = analyze(unit_folder, "verify", "--man=no", name)
    assert (verification.returncode, verification.stdout + verification.stderr) == (0, "")

    assessment = analyze(unit_folder, "security", "--offline=true", "--no-pager", name)
    exposures = re.findall(r"Overall exposure level for \S+: ([\d.]+)", assessment.stdout)
    assert [float(exposure) <= MAX_EXPOSURE for exposure in exposures] == [True], assessment.stdout


def test_systemd_sees_mistakes(unit_folder: Path) -> None:
    unit = unit_folder / "digest-web.service"
    unit.write_text(unit.read_text("utf-8").replace("WatchdogSec", "WatchDogSecs"), encoding="utf-8")
    assert "WatchDogSecs" in analyze(unit_folder, "verify", "--man=no", unit.name).stderr

    shutil.rmtree(unit_folder / "digest-.service.d")
    assessment = analyze(unit_folder, "security", "--offline=true", "--no-pager", unit.name)
    assert "UNSAFE" in assessment.stdout


def test_units_that_stay_tell_when_they_are_ready_and_have_time_to_end() -> None:
    assert UNITS == [
        "digest-apply.service",
        "digest-serve.service",
        "digest-web.service",
        "digest-worker@.service",
    ]
    for unit in UNITS[1:]:
        text = (DEPLOY / "systemd" / unit).read_text("utf-8")
        values = dict(
            line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#")
        )
        assert values["Type"] == "notify"
        assert values["TimeoutStartSec"] == "infinity", "an upgrade of the tables may take long"
        assert int(values["TimeoutStopSec"]) > STOP_SECONDS
        assert "WatchdogSec" in values


# --- Kubernetes -----------------------------------------------------------------------------------


def read_manifests() -> dict[tuple[str, str], Any]:
    documents = [
        document
        for name in MANIFESTS
        for document in yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text("utf-8"))
    ]
    return {(document["kind"], document["metadata"]["name"]): document for document in documents}


@for_each_case("name", MANIFESTS)
def test_a_validator_with_the_schemas_of_kubernetes_accepts_the_manifests(name: str) -> None:
    validator = Path(sys.executable).with_name("kubernetes-validate")
    assert validator.exists(), "pip install '.[system]' brings it"

    result = run(validator, "--strict", DEPLOY / "kubernetes" / name)

    assert result.returncode == 0, result.stdout + result.stderr


def test_the_validator_sees_mistakes(tmp_path: Path) -> None:
    broken_file = tmp_path / "worker.yaml"
    text = (DEPLOY / "kubernetes" / "worker.yaml").read_text("utf-8")
    broken_file.write_text(text.replace("minReplicas", "minimumReplicas"), encoding="utf-8")

    assert run(Path(sys.executable).with_name("kubernetes-validate"), "--strict", broken_file).returncode != 0


def test_the_manifests_agree_with_each_other_and_with_the_image() -> None:
    manifests = read_manifests()
    (user,) = (text for name, text in read_instructions(CONTAINERFILE) if name == "USER")
    pods = {
        name: manifest["spec"]["template"]
        for (kind, name), manifest in manifests.items()
        if kind in {"Deployment", "Job"}
    }

    assert pods.keys() == {"digest-apply", "digest-web", "digest-worker"}
    for name, pod in pods.items():
        spec, (container,) = pod["spec"], pod["spec"]["containers"]
        assert f"{spec['securityContext']['runAsUser']}:{spec['securityContext']['runAsGroup']}" == user
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        if name == "digest-apply":
            continue
        labels = pod["metadata"]["labels"]
        probe = container["startupProbe"]
        assert probe["periodSeconds"] * probe["failureThreshold"] >= UPGRADE_SECONDS
        assert spec["terminationGracePeriodSeconds"] > STOP_SECONDS
        assert manifests["Deployment", name]["spec"]["selector"]["matchLabels"] == labels
        assert manifests["PodDisruptionBudget", name]["spec"]["selector"]["matchLabels"] == labels
        (spread,) = spec["topologySpreadConstraints"]
        assert spread["labelSelector"]["matchLabels"] == labels
    web = pods["digest-web"]["metadata"]["labels"]
    assert manifests["Service", "digest-web"]["spec"]["selector"] == web
    assert manifests["NetworkPolicy", "digest-web"]["spec"]["podSelector"]["matchLabels"] == web
    assert manifests["HorizontalPodAutoscaler", "digest-worker"]["spec"]["scaleTargetRef"]["name"] in pods


def test_the_metric_that_workers_are_scaled_by_is_one_of_ours() -> None:
    spec = read_manifests()["HorizontalPodAutoscaler", "digest-worker"]["spec"]
    names = [metric["external"]["metric"]["name"] for metric in spec["metrics"]]

    assert names == ["digest_due_seconds"]
    assert f'"{names[0]}"' in (ROOT / "digest" / "web" / "monitoring" / "metrics.py").read_text("utf-8")


def test_the_configurations_of_compose_and_kubernetes_are_valid(tmp_path: Path) -> None:
    manifests = read_manifests()
    secrets = manifests["Secret", "digest"]["stringData"]
    texts = {
        "compose": (DEPLOY / "compose" / "digest.toml").read_text("utf-8"),
        "kubernetes": manifests["ConfigMap", "digest"]["data"]["digest.toml"],
    }

    for name, text in texts.items():
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        has_password = "username" in text
        settings = read_settings(
            path,
            {key: value for key, value in secrets.items() if has_password or "PASSWORD" not in key},
        )
        assert settings.warnings == ()
        assert settings.site.is_served
        assert settings.store == secrets["DIGEST_STORE_URL"]
