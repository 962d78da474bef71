"""Computers' moves played again: from what the evidence says, by engines that are here."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.event_kinds import Thought
from ops.dev.rerun import again, play
from ops.rerun import engines_again, question_again
from ops.settings import settings_from
from services.games.registry import REGISTRY, game
from services.levels import Levels, LevelSpec
from services.match.jobs import AiJob
from services.proofs.audit import EngineMissing

DUO = game("blokus")
JOB = AiJob(
    match="m-1",
    turn=0,
    seat="A",
    level=2,
    game="blokus",
    rules_version=DUO.rules.version,
    ruleset={"variant": "duo"},
    view=DUO.notation.format_position(DUO.rules.setup(DUO.rules.ruleset({"variant": "duo"}), {})),
    seed=1,
)
THOUGHT = Thought("blokus-greedy", 1, 2, budget=20, noise=300)


def levels(noise: int, budget: int = 20) -> Levels:
    """A table in which level 2 is this strong."""
    return Levels([LevelSpec("blokus", 2, "blokus-greedy", 1, budget, noise)])


def test_the_evidence_says_all_that_the_engine_was_asked() -> None:
    """A table of levels that was tuned since, or has no such level any more, changes nothing."""
    for table in (levels(noise=5, budget=7), Levels([])):
        question = question_again(JOB, THOUGHT, table)
        assert (question.engine, question.engine_version) == ("blokus-greedy", 1)
        assert (question.level, question.budget, question.noise) == (2, 20, 300)
        assert (question.view, question.seed) == (JOB.view, JOB.seed)


def test_evidence_without_noise_needs_a_level_that_is_still_what_it_was() -> None:
    """The first programs did not write the noise down; a changed level cannot tell it."""
    early = Thought("blokus-greedy", 1, 2, budget=20)
    assert question_again(JOB, early, levels(noise=300)).noise == 300
    for table in (levels(noise=300, budget=21), Levels([])):
        with pytest.raises(EngineMissing, match="level 2 is not what it was with engine blokus-"):
            question_again(JOB, early, table)


def test_an_engine_that_is_not_installed_is_named() -> None:
    """A program of somebody else's, or a version that went."""
    for thought in (Thought("pentobi", 1, 2, 0, noise=0), Thought("blokus-greedy", 9, 2, 0)):
        wanted = f"engine {thought.engine} {thought.engine_version} not installed"
        with pytest.raises(EngineMissing, match=wanted):
            question_again(JOB, thought, levels(noise=0))


def test_moves_are_asked_for_side_by_side_and_told() -> None:
    """Each answer is the engine's own, whichever process thought, and progress ends at the end."""
    told: list[tuple[int, int]] = []
    with engines_again(levels(300), jobs=2, told=lambda done, of: told.append((done, of))) as play:
        awaited = [play(JOB, THOUGHT) for _ in range(4)]
        moves = {answer() for answer in awaited}
    assert len(moves) == 1
    assert DUO.rules.objection(DUO.notation.parse_position(JOB.view), moves.pop()) is None
    assert told[-1] == (4, 4)


def test_an_engine_that_fails_gives_no_answer_and_says_so() -> None:
    """An audit goes on without it."""
    nonsense = replace(JOB, view="?")
    with engines_again(levels(300), jobs=1, told=lambda _done, _of: None) as play:
        awaited = play(nonsense, THOUGHT)
        with pytest.raises(EngineMissing, match="engine blokus-greedy 1 gave no answer: error"):
            awaited()


def test_what_every_level_played_comes_out_the_same_from_the_log_alone(tmp_path: Path) -> None:
    """One engine plays, two play again, in other processes; ``make rerun`` does it at length."""
    environ = {**os.environ, "PLYBOOK_DATA": str(tmp_path / "data")}
    play(settings_from(environ), moves=8, level_max=1, games=REGISTRY.slugs())
    played = again(environ, jobs=2)
    assert set(played) == set(REGISTRY.slugs())
    assert played.total() == 8
