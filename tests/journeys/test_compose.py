"""The compose file's commands, run by hand: what a container would run runs here as well."""

import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg
import pytest
import yaml
from psycopg import sql

from events.roles import APP, SECRETS
from ops.dev.own_servers import free_port
from tests.kit.machine import Machine, Started, until
from tests.kit.tree import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
METRICS_PORT, WEB_PORT = "9464", "8080"


@pytest.fixture
def installation(postgres_url: str, rabbitmq_url: str, tmp_path: Path) -> Iterator[Machine]:
    """The compose file's environment, with what belongs to this machine in its place.

    The tables are migrated by their owner; the processes log in as a user that may only serve.
    """
    settings = {
        **COMPOSE["services"]["web"]["environment"],
        "PLYBOOK_BROKER": rabbitmq_url,
        "PLYBOOK_SECRET_KEY": "5a" * 32,
        "PLYBOOK_PUBLIC_URL": "http://localhost",
        "PLYBOOK_HOST": "127.0.0.1",
    }
    owner = {**settings, "PLYBOOK_DATABASE": postgres_url}
    Machine(tmp_path, **owner).run(*COMPOSE["services"]["migrate"]["command"])
    with serving_user(postgres_url) as url:
        yield Machine(tmp_path, **{**settings, "PLYBOOK_DATABASE": url})


@contextmanager
def serving_user(owner_url: str) -> Iterator[str]:
    """The database's URL for a new user with the serving roles, as the compose file makes one."""
    name, password = f"serving_{secrets.token_hex(4)}", secrets.token_hex(16)
    parts = urlsplit(owner_url)
    place = parts.netloc.rpartition("@")[2]
    with psycopg.connect(owner_url, autocommit=True) as owner:
        user = sql.Identifier(name)
        roles = sql.SQL(", ").join(map(sql.Identifier, (APP, SECRETS)))
        owner.execute(
            sql.SQL("CREATE USER {} PASSWORD {} IN ROLE {}").format(user, password, roles)
        )
        try:
            yield urlunsplit(parts._replace(netloc=f"{name}:{password}@{place}"))
        finally:
            owner.execute(sql.SQL("DROP USER {}").format(user))


def is_healthy(service: str, machine: Machine, metrics_port: str) -> bool:
    """Whether the service's own health check says so, asked at this machine's ports."""
    program, option, code = COMPOSE["services"][service]["healthcheck"]["test"][1:]
    assert program == "python"
    here = code.replace(METRICS_PORT, metrics_port).replace(WEB_PORT, str(machine.port))
    return subprocess.call([sys.executable, option, here], stderr=subprocess.DEVNULL) == 0


@pytest.fixture
def running(installation: Machine) -> Iterator[dict[str, Started]]:
    """Every service of ours, started as compose would and healthy."""
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
def test_the_services_of_the_compose_file_play_a_turn_together_and_stop_when_told(
    installation: Machine, running: dict[str, Started]
) -> None:
    """A move enters by the web process; relay, broker and worker see to the computer's answer.

    Then each ends without an error on SIGTERM, which is what ``docker compose down`` sends.
    """
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
    for service, process in reversed(running.items()):
        assert process.stop() == 0, f"{service}: {process.lines()}"
