"""The room of all engines: a question goes to the engine it names, at the version it names.

An engine's version changes whenever any of its answers does; golden questions pin them
(``tests/engines``). An old version stays here as long as audits shall be able to run it again.
"""

from workers.engines import (
    blokus_greedy,
    caltrop_far,
    caltrop_two_ahead,
    hedgerow_heavy,
    triangles_greedy,
    triangles_sampling,
)
from workers.engines.contract import Answer, Question, Think, UnknownEngine

ENGINES: dict[tuple[str, int], Think] = {
    (blokus_greedy.NAME, blokus_greedy.VERSION): blokus_greedy.choose,
    (caltrop_far.NAME, caltrop_far.VERSION): caltrop_far.choose,
    (caltrop_two_ahead.NAME, caltrop_two_ahead.VERSION): caltrop_two_ahead.choose,
    (hedgerow_heavy.NAME, hedgerow_heavy.VERSION): hedgerow_heavy.choose,
    (triangles_greedy.NAME, triangles_greedy.VERSION): triangles_greedy.choose,
    (triangles_sampling.NAME, triangles_sampling.VERSION): triangles_sampling.choose,
}


def think(question: Question) -> Answer:
    """The answer of the engine the question names; ``UnknownEngine`` if it is not here."""
    engine = ENGINES.get((question.engine, question.engine_version))
    if engine is None:
        raise UnknownEngine(f"{question.engine} version {question.engine_version} is not installed")
    return engine(question)
