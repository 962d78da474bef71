"""The files that run Plybook for others: compose, image, Prometheus and Grafana, read as data."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from prometheus_client.metrics import MetricWrapperBase

from events.roles import APP, SECRETS
from ops import metrics, metrics_server
from ops.cli import COMMANDS
from ops.settings import SETTINGS
from tests.kit.tree import ROOT

OURS = ("migrate", "web", "relay", "worker")


def compose() -> dict[str, Any]:
    """The compose file with its anchors resolved."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return read


def numbers() -> dict[str, set[str]]:
    """Every number we show, by its family name, with its labels."""
    own = {
        value._name: set(value._labelnames)
        for value in vars(metrics).values()
        if isinstance(value, MetricWrapperBase)
    }
    families = (metrics_server._work_due(), metrics_server._oldest_due(), metrics_server._lag())
    return own | {family.name: set(family._labelnames) for family in families}


def expressions() -> Iterator[tuple[str, str]]:
    """Every PromQL expression of the dashboard and the alerts, with where it stands."""
    dashboard = json.loads((ROOT / "ops/dashboards/plybook.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]
    alerts = yaml.safe_load((ROOT / "ops/prometheus/alerts.yml").read_text())
    for group in alerts["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]


@pytest.mark.parametrize("service", OURS)
def test_each_service_of_ours_runs_a_real_command(service: str) -> None:
    """The first word of a service's command is a command of ``plybook``."""
    assert compose()["services"][service]["command"][0] in COMMANDS


@pytest.mark.parametrize("service", OURS)
def test_each_service_of_ours_is_told_known_settings_only(service: str) -> None:
    """A setting nobody reads would be a promise nobody keeps."""
    environment = compose()["services"][service]["environment"]
    assert set(environment) <= {setting.name for setting in SETTINGS}


@pytest.mark.parametrize("service", OURS)
def test_our_processes_have_no_more_rights_than_they_need(service: str) -> None:
    """No root, no capabilities, no writing outside the volume and /tmp."""
    described = compose()["services"][service]
    assert described["read_only"]
    assert described["cap_drop"] == ["ALL"]
    assert described["security_opt"] == ["no-new-privileges:true"]


def test_no_secret_is_written_in_the_compose_file() -> None:
    """Whatever is called a password, key or token has to come from outside, or nothing starts."""
    text = (ROOT / "docker-compose.yml").read_text()
    secret = re.compile(r"PASS|SECRET|KEY|TOKEN")
    for service in compose()["services"].values():
        for name, value in service.get("environment", {}).items():
            if secret.search(name):
                assert re.fullmatch(r"\$\{[A-Z_]+:\?[^}]+\}", value), name
    assert not re.search(r"://[^\s:]+:(?!\$\{)[^\s@]+@", text), "a password inside a URL"


def test_the_serving_processes_do_not_own_the_tables() -> None:
    """The database itself refuses them a change of history: only ``migrate`` is the owner."""
    script = (ROOT / "ops/postgres/serving-user.sql").read_text()
    assert f"IN ROLE {APP}, {SECRETS};" in script
    services = compose()["services"]
    logins = {
        name: urlsplit(services[name]["environment"]["PLYBOOK_DATABASE"].split(":$")[0]).netloc
        for name in OURS
    }
    owner = services["postgres"]["environment"]["POSTGRES_USER"]
    assert logins == {name: "serving" if name != "migrate" else owner for name in OURS}


def test_only_this_machine_reaches_the_published_ports() -> None:
    """A proxy stands between Plybook and the world; nothing listens on every address."""
    for name, service in compose()["services"].items():
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), name


def test_rabbitmq_knows_quorum_queues_as_we_use_them() -> None:
    """Delivery limits and native delays need at least version 4."""
    image = compose()["services"]["rabbitmq"]["image"]
    assert int(re.split(r"[:.-]", image)[1]) >= 4


def test_the_image_is_built_from_what_is_there_and_runs_as_nobody_special() -> None:
    """Each copied path exists and is not shut out; the last user is not root."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    admitted = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
    for line in lines:
        if line.startswith("COPY") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), line
                assert source in admitted, line
    users = [line.split()[1] for line in lines if line.startswith("USER")]
    assert users == ["plybook"]


def test_files_that_compose_mounts_exist() -> None:
    """Docker would make an empty folder of a misspelt path."""
    for service in compose()["services"].values():
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            if source.startswith("."):
                assert (ROOT / source).exists(), volume
            else:
                assert source in compose()["volumes"], volume


def test_every_number_on_the_dashboard_and_in_the_alerts_is_shown() -> None:
    """A renamed metric must not leave a silent panel or a deaf alert behind."""
    known = numbers()
    for where, expression in expressions():
        names = re.findall(r"plybook_\w+", expression)
        for name in names:
            families = {name, re.sub(r"_(bucket|count|sum|total)$", "", name)}
            assert families & set(known), f"{where}: there is no metric {name}"
        if names:
            labels = {"le"}.union(
                *(known[family] for family in known for n in names if family in n)
            )
            used = re.findall(r"by \(([^)]*)\)", expression) + re.findall(r"\{(\w+)=", expression)
            for label in re.split(r"[,\s]+", " ".join(used).strip()):
                assert not label or label in labels, f"{where}: no label {label}"


def test_every_number_is_on_the_dashboard() -> None:
    """What is worth measuring is worth seeing."""
    shown = " ".join(expression for _, expression in expressions())
    assert [name for name in numbers() if name not in shown] == []


def test_prometheus_asks_every_process_that_has_numbers() -> None:
    """The services it looks for by name are those of the compose file, on their metrics port."""
    config = yaml.safe_load((ROOT / "ops/prometheus/prometheus.yml").read_text())
    found = config["scrape_configs"][0]["dns_sd_configs"][0]
    assert sorted(found["names"]) == sorted(set(OURS) - {"migrate"})
    port = compose()["services"]["web"]["environment"]["PLYBOOK_METRICS_PORT"]
    assert found["port"] == int(port)
    assert all((ROOT / "ops/prometheus" / name).exists() for name in config["rule_files"])


def test_the_operators_guide_explains_every_alert() -> None:
    """Whoever is woken up finds the alert's name and what to do."""
    guide = Path(ROOT / "docs/operator.md").read_text()
    alerts = yaml.safe_load((ROOT / "ops/prometheus/alerts.yml").read_text())
    names = [rule["alert"] for group in alerts["groups"] for rule in group["rules"]]
    assert [name for name in names if name not in guide] == []
