"""Queues of a test's own on a broker that others use as well."""

from workers.celery_app import QUEUES


def use_own_queues(suffix: str) -> dict[str, str]:
    """Name this process's queues so that nobody else's worker takes from them; the old names."""
    before = dict(QUEUES)
    QUEUES.update({weight: f"{name}.{suffix}" for weight, name in before.items()})
    return before
