"""Everything before the first move: who sits where, whose chance counts, with which entries."""

from events import event_kinds as kinds
from events.event_kinds import Event
from services.games.contract import BadText
from services.games.registry import UnknownGame
from services.match import commands as cmd
from services.match import imports, shuffle
from services.match.authority import (
    free_seats,
    holds,
    no_such_seat,
    not_your_seat,
    unless_open,
    unless_seated,
)
from services.match.consequences import with_consequences
from services.match.refusals import Refusal
from services.match.results import ending
from services.match.secret import entry_commit
from services.match.state import PLAYER, MatchState

Decision = tuple[Event, ...] | Refusal
"""The events of a decision, or why there are none."""


def create(state: MatchState, command: cmd.CreateMatch, actor: str, _at: int) -> Decision:
    """Open a match under a whole ruleset, with the commitment to its seed."""
    if state.status != "none":
        return Refusal("match-exists", f"Match {state.match} exists already.")
    if state.secret is None:
        raise ValueError("a match is created with its secret seed in hand")
    try:
        game = state.games.game(command.game)
        ruleset = game.rules.ruleset(command.ruleset)
    except UnknownGame as error:
        return Refusal("no-such-game", str(error), {"games": state.games.slugs()})
    except BadText as error:
        return Refusal("bad-ruleset", str(error))
    terms = game.rules.terms(ruleset)
    return (
        kinds.MatchCreated(
            game=command.game,
            rules_version=game.rules.version,
            ruleset=game.rules.ruleset_data(ruleset),
            seats=terms.seats,
            seed_commit=shuffle.seed_commit(state.secret.seed).hex(),
            host=actor,
            visibility=command.visibility,
            rated=command.rated,
            per_move_s=command.per_move_s,
        ),
    )


def import_record(state: MatchState, command: cmd.ImportMatch, _actor: str, _at: int) -> Decision:
    """Take a judged record in, once."""
    if state.status != "none":
        return Refusal("already-here", f"This record is already here as match {state.match}.")
    return imports.events_of(state, command)


def take_seat(state: MatchState, command: cmd.TakeSeat, actor: str, _at: int) -> Decision:
    """Give a free seat to the player who asks, or to a computer if the host asks."""
    if refusal := unless_open(state):
        return refusal
    seat = command.seat or next(iter(free_seats(state)), None)
    if seat is None:
        return Refusal("match-full", "Every seat of this match is taken.")
    if seat not in state.seat_names():
        return no_such_seat(state, seat)
    if state.holder(seat) is not None:
        return Refusal("seat-taken", f"Seat {seat} is taken.", {"free": free_seats(state)})
    if command.level:
        if actor != state.host:
            return Refusal("not-the-host", "Only the host of the match seats computers.")
        if command.adaptive and not state.host.startswith(PLAYER):
            return Refusal("nobody-to-follow", "An adaptive computer follows a player who hosts.")
        return (kinds.SeatTaken(seat=seat, level=command.level, adaptive=command.adaptive),)
    if command.adaptive:
        return Refusal("no-level", "An adaptive computer needs a level to begin at.")
    player = actor.removeprefix(PLAYER)
    if player == actor or command.player not in ("", player):
        return Refusal("not-yourself", "A player can take a seat only for themselves.")
    return (kinds.SeatTaken(seat=seat, player=player),)


def leave_seat(state: MatchState, command: cmd.LeaveSeat, actor: str, _at: int) -> Decision:
    """Free a seat again, by its holder or the host, until it has had its say."""
    if refusal := unless_open(state):
        return refusal
    if state.holder(command.seat) is None:
        return Refusal("seat-free", f"Nobody sits at {command.seat}.")
    if actor != state.host and not holds(state, command.seat, actor):
        return not_your_seat(command.seat)
    if command.seat in state.entropy or command.seat in state.sealed:
        # Holders are fixed before their entropy or entry is taken (fair shuffle §2, step 3).
        return Refusal("seat-committed", f"Seat {command.seat} has handed something in already.")
    return (kinds.SeatLeft(seat=command.seat),)


def start(state: MatchState, command: cmd.StartMatch, actor: str, _at: int) -> Decision:
    """Fix adaptive levels, open the entries, begin, and deal where the game begins with chance."""
    if refusal := unless_open(state):
        return refusal
    if actor != state.host and not any(holds(state, s, actor) for s in state.seat_names()):
        return Refusal("not-seated", "Only the host or a seated player starts the match.")
    if free := free_seats(state):
        return Refusal("seats-free", f"Seats {', '.join(free)} are still free.", {"free": free})
    if asked := state.still_asked():
        sentence = f"Seats {', '.join(asked)} have not given or declined entropy or entries yet."
        return Refusal("seats-not-ready", sentence, {"seats": asked})
    if command.levels.keys() != {*state.adaptive()}:
        raise ValueError("a match is started with the levels of its adaptive computers")
    started = kinds.MatchStarted(levels=command.levels)
    return with_consequences(state, (*_opened_entries(state), started), "points")


def give_entropy(state: MatchState, command: cmd.GiveEntropy, actor: str, _at: int) -> Decision:
    """A person's share of the chance, once, and only by quoting the commitment."""
    if refusal := unless_open(state) or unless_seated(state, command.seat, actor):
        return refusal
    if not state.terms.chance:
        return Refusal("no-chance", "This game has no chance: no entropy is needed.")
    if command.seed_commit != state.seed_commit:
        sentence = "Entropy quotes the match's commitment, so that it was chosen after it."
        return Refusal("wrong-commitment", sentence, {"seed_commit": state.seed_commit})
    if command.seat in state.entropy:
        return Refusal("entropy-given", f"Seat {command.seat} has given its entropy already.")
    given = kinds.EntropyGiven(
        seat=command.seat, entropy=command.entropy, seed_commit=command.seed_commit
    )
    return (given,)


def unless_asked_for_entry(state: MatchState, seat: str, actor: str) -> Refusal | None:
    """No, unless the match waits for an entry of this seat from this actor."""
    if refusal := unless_open(state) or unless_seated(state, seat, actor):
        return refusal
    if not state.terms.sealed_entries:
        return Refusal("no-entries", "This match is played without entries.")
    if seat in state.sealed:
        return Refusal("entry-sealed", f"Seat {seat} has handed in its entry already.")
    return None


def seal_entry(state: MatchState, command: cmd.SealEntry, actor: str, _at: int) -> Decision:
    """A seat's entry, judged now and shown to nobody before all are in."""
    if refusal := unless_asked_for_entry(state, command.seat, actor):
        return refusal
    rules = state.the_game.rules
    if objection := rules.entry_objection(state.ruleset, command.seat, command.text):
        return Refusal(objection.code, objection.sentence)
    if state.secret is None:
        raise ValueError("entries are sealed with the match's secret in hand")
    salt = state.secret.entry_salt(state.match, command.seat)
    commit = entry_commit(salt, command.text)
    return (kinds.EntrySealed(seat=command.seat, commit=commit),)


def _opened_entries(state: MatchState) -> tuple[kinds.EntriesOpened, ...]:
    if not state.sealed:
        return ()
    if state.secret is None:
        raise ValueError("entries are opened with the match's secret in hand")
    secret = state.secret
    entries = {seat: secret.entries[seat] for seat in sorted(state.sealed)}
    salts = {seat: secret.entry_salt(state.match, seat).hex() for seat in entries}
    return (kinds.EntriesOpened(entries=entries, salts=salts),)


def cancel(state: MatchState, _command: cmd.CancelMatch, actor: str, _at: int) -> Decision:
    """Call the match off; the seed is opened all the same."""
    if refusal := unless_open(state):
        return refusal
    if actor != state.host:
        return Refusal("not-the-host", "Only the host of the match calls it off.")
    return (ending(state, "cancelled", {}, ()),)
