"""One decision of a run: events or a refusal come out. Pure; the sheet's §7 in its order."""

from collections.abc import Callable
from typing import Any

from events import event_kinds as kinds
from events.event_kinds import Event
from services.campaigns import commands as cmd
from services.campaigns.campaign import CampaignState, Decision
from services.campaigns.records import (
    NEW_STONE,
    RUN_ORDER,
    UPGRADE_OFFER,
    chance,
    draw_stone,
    draw_upgrades,
    drawn_slots,
    written,
)
from services.campaigns.run_folding import evolve
from services.campaigns.run_state import RunState
from services.games.caltrop import rules as caltrop
from services.games.caltrop.collection import choice_objection, with_new_stone, with_upgrade
from services.games.caltrop.decks import deck_text
from services.games.caltrop.growth import grown
from services.games.caltrop.rewards import (
    BOSS,
    MATCHES,
    drawn_stone,
    new_stone_weights,
    places_first,
    run_order,
)
from services.games.contract import Chance
from services.match import shuffle
from services.match.decider import SERVER
from services.match.refusals import Refusal
from services.match.secret import Secret

MATCH_WON = "match-won"
"""Why opponents grow."""


def begin(state: RunState, campaign: CampaignState) -> Decision:
    """The first event of a run: the commitment, and a copy of what the campaign owns (§7.3)."""
    secret = _secret(state)
    owned = campaign.collection
    return (
        kinds.RunStarted(
            campaign=campaign.campaign,
            number=campaign.next_run,
            player=campaign.player,
            game=caltrop.slug,
            rules_version=caltrop.version,
            rules=campaign.the_rules.data(),
            stones=written(owned.owned),
            deck=owned.deck,
            next_number=owned.next,
            seed_commit=shuffle.seed_commit(secret.seed).hex(),
            opponent=order_of(state)[0],
        ),
    )


def decide(state: RunState, command: cmd.RunCommand, actor: str, match: str = "") -> Decision:
    """The events a command leads to, or why it changes nothing.

    ``match`` is the id of the match a ``Fight`` opens.
    """
    is_servers = isinstance(command, cmd.CountResult | cmd.GrowOpponents)
    if actor != (SERVER if is_servers else f"player:{state.player}"):
        return Refusal("not-your-run", "This run is somebody else's.")
    if state.ended is not None:
        return Refusal("run-over", "The run is over.")
    if isinstance(command, cmd.Fight):
        return _fight(state, command, match)
    decider: Callable[[RunState, Any], Decision] = _DECIDERS[type(command)]
    return decider(state, command)


def order_of(state: RunState) -> tuple[int, ...]:
    """The whole order of the opponents; only who has the seed knows it before the end."""
    return run_order(_dice(state, RUN_ORDER, 0))


def _change_stones(state: RunState, command: cmd.ChangeStones) -> Decision:
    if refusal := _unless_between_matches(state):
        return refusal
    if objection := choice_objection(state.collection, command.deck):
        return Refusal(objection.code, objection.sentence)
    return (kinds.DeckChanged(deck=command.deck),)


def _fight(state: RunState, command: cmd.Fight, match: str) -> Decision:
    if refusal := _unless_between_matches(state):
        return refusal
    if command.number != state.next_match:
        sentence = f"The run is at match {state.next_match}."
        return Refusal("stale-match", sentence, {"number": state.next_match})
    if state.is_growing:
        return Refusal("opponents-growing", "The opponents are still gaining their levels.")
    return (
        kinds.RunMatchOpened(
            number=state.next_match,
            match=match,
            opponent=state.opponent,
            deck=deck_text(state.collection.stones),
            against=deck_text(state.decks[state.opponent]),
            first="b" if places_first(state.next_match) else "r",
            level=state.the_rules.level,
        ),
    )


def _choose_upgrade(state: RunState, command: cmd.ChooseUpgrade) -> Decision:
    if not state.offer or command.number != state.wins:
        return Refusal("no-offer", "No such upgrade is on offer.")
    if command.slot not in state.offer:
        sentence = f"Slot {command.slot} is not on offer."
        return Refusal("not-offered", sentence, {"slots": state.offer})
    after = with_upgrade(state.collection, command.slot - 1)
    (stone,) = written([after.one(after.deck[command.slot - 1])])
    chosen = kinds.UpgradeChosen(number=command.number, slot=command.slot, stone=stone)
    return (chosen, *_end_if_won(evolve(state, chosen)))


def _count_result(state: RunState, command: cmd.CountResult) -> Decision:
    running = state.running
    if running is None or running.match != command.match:
        return Refusal("not-awaited", f"The run does not wait for match {command.match}.")
    is_last = running.number == MATCHES
    goes_on = command.won and not is_last
    ended = kinds.RunMatchEnded(
        number=running.number,
        match=running.match,
        won=command.won,
        how=command.how,
        next_opponent=order_of(state)[running.number] if goes_on else 0,
    )
    if not command.won:
        return (ended, _run_ended(state, "lost"))
    after = evolve(state, ended)
    rewards = _rewards(after)
    for event in rewards:
        after = evolve(after, event)
    return (ended, *rewards, *_end_if_won(after))


def _rewards(state: RunState) -> tuple[Event, ...]:
    """The new stone and the upgrades to choose from after a win (§7.4, 2 to 4)."""
    number, beaten = state.wins, state.matches[-1].opponent
    owned = [one.stone for one in state.collection.owned]
    weights = new_stone_weights(state.decks[beaten], owned)
    drawn = draw_stone(weights, number, _dice(state, NEW_STONE, number))
    collection, slot = with_new_stone(state.collection, drawn_stone(weights, drawn.drawn[0]))
    (stone,) = written(collection.owned[-1:])
    won = kinds.StoneWon(
        number=number, draw=drawn, stone=stone, slot=0 if slot is None else slot + 1
    )
    offer = draw_upgrades(collection.stones, number, _dice(state, UPGRADE_OFFER, number))
    if not offer.drawn:
        return (won,)
    return (won, kinds.UpgradeOffered(number=number, draw=offer, slots=drawn_slots(offer)))


def _grow(state: RunState, command: cmd.GrowOpponents) -> Decision:
    """Every deck, also of opponents already met, takes its steps (§7.4, 1)."""
    if not state.is_growing or command.number != state.grown + 1:
        return Refusal(
            "not-growing", f"The opponents do not wait to grow for win {command.number}."
        )
    raised: list[kinds.Raised] = []
    for number, deck in state.decks.items():
        _, slots = grown(deck, state.the_rules.difficulty, command.number, boss=number == BOSS)
        levels = [stone.level for stone in deck]
        for slot in slots:
            was, levels[slot] = deck[slot].at(levels[slot]), levels[slot] + 1
            became = deck[slot].at(levels[slot])
            raised.append(kinds.Raised(number, slot + 1, was.text, became.text))
    return (
        kinds.OpponentsGrew(
            number=command.number,
            match=state.matches[command.number - 1].match,
            reason=MATCH_WON,
            raised=tuple(raised),
        ),
    )


def _end_if_won(state: RunState) -> tuple[Event, ...]:
    """After match 20 and its rewards the run is won (§7.4, 5)."""
    if state.wins < MATCHES or state.offer:
        return ()
    return (_run_ended(state, "won"),)


def _run_ended(state: RunState, how: str) -> kinds.RunEnded:
    """The last event; it opens the seed and with it every draw."""
    return kinds.RunEnded(
        how=how,
        wins=state.wins,
        order=order_of(state),
        server_seed=_secret(state).seed.hex(),
    )


def _unless_between_matches(state: RunState) -> Refusal | None:
    if state.running is not None:
        sentence = f"Match {state.running.number} of the run is being played."
        return Refusal("match-running", sentence, {"match": state.running.match})
    if state.offer:
        return Refusal("upgrade-first", "Choose an upgrade first.", {"slots": state.offer})
    return None


def _dice(state: RunState, purpose: str, counter: int) -> Chance:
    return chance(state.run, _secret(state), purpose, counter)


def _secret(state: RunState) -> Secret:
    if state.secret is None:
        raise ValueError("a run's chance is drawn with its secret seed in hand")
    return state.secret


_DECIDERS: dict[type[Any], Callable[[RunState, Any], Decision]] = {
    cmd.ChangeStones: _change_stones,
    cmd.ChooseUpgrade: _choose_upgrade,
    cmd.CountResult: _count_result,
    cmd.GrowOpponents: _grow,
}
