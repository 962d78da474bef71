"""The compose file's commands, run by hand: what a container would run runs here as well."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from ops.dev.own_servers import free_port
from tests.kit.machine import Machine, Started, until
from tests.kit.tree import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
METRICS_PORT, WEB_PORT = "9464", "8080"


@pytest.fixture
def installation(postgres_url: str, rabbitmq_url: str, tmp_path: Path) -> Machine:
    """The compose file's environment, with what belongs to this machine in its place."""
    settings = {
        **COMPOSE["services"]["web"]["environment"],
        "PLYBOOK_DATABASE": postgres_url,
        "PLYBOOK_BROKER": rabbitmq_url,
        "PLYBOOK_SECRET_KEY": "5a" * 32,
        "PLYBOOK_PUBLIC_URL": "http://localhost",
        "PLYBOOK_HOST": "127.0.0.1",
    }
    return Machine(tmp_path, **settings)


def is_healthy(service: str, machine: Machine, metrics_port: str) -> bool:
    """Whether the service's own health check says so, asked at this machine's ports."""
    program, option, code = COMPOSE["services"][service]["healthcheck"]["test"][1:]
    assert program == "python"
    here = code.replace(METRICS_PORT, metrics_port).replace(WEB_PORT, str(machine.port))
    return subprocess.call([sys.executable, option, here], stderr=subprocess.DEVNULL) == 0


@pytest.fixture
def running(installation: Machine) -> Iterator[dict[str, Started]]:
    """Every service of ours, started as compose would and healthy."""
    installation.run(*COMPOSE["services"]["migrate"]["command"])
    with ExitStack() as stack:
        started: dict[str, Started] = {}
        for service in ("web", "relay", "worker"):
            port = str(free_port())
            process = installation.start(
                *COMPOSE["services"][service]["command"], PLYBOOK_METRICS_PORT=port
            )
            started[service] = stack.enter_context(process)
            healthy = until(lambda: is_healthy(service, installation, port) or process.ended)  # noqa: B023
            assert healthy, process.lines()
            assert not process.ended, process.lines()
        yield started


@pytest.mark.postgres
@pytest.mark.rabbitmq
def test_the_services_of_the_compose_file_play_a_turn_together(
    installation: Machine, running: dict[str, Started]
) -> None:
    """A move enters by the web process; relay, broker and worker see to the computer's answer."""
    with httpx.Client(base_url=f"{installation.url}/v1", timeout=30) as client:
        token = client.post("/players", json={"name": "Ada"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        seats = {"A": "me", "B": {"level": 1}}
        match = client.post(
            "/matches", json={"game": "blokus", "ruleset": {"variant": "duo"}, "seats": seats}
        ).json()["match"]
        legal = client.get(f"/matches/{match}/legal-moves").json()
        move = {"move": legal["moves"][0], "expected_turn": legal["turn"]}
        assert client.post(f"/matches/{match}/moves", json=move).status_code == 201
        assert until(lambda: client.get(f"/matches/{match}").json()["view"]["ply"] == 2), {
            service: process.lines() for service, process in running.items()
        }


@pytest.mark.postgres
@pytest.mark.rabbitmq
def test_the_services_stop_when_they_are_told(running: dict[str, Started]) -> None:
    """``docker compose down`` sends SIGTERM; each process ends by itself, without an error."""
    for service, process in reversed(running.items()):
        assert process.stop() == 0, f"{service}: {process.lines()}"
