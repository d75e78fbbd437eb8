"""Checks that the optional hints of a game are true."""

from functools import partial
from math import isfinite
from numbers import Real
from random import Random
from typing import Any

from komi.checking import display, items, single_player, table_layout
from komi.checking.roll_hints import check_roll, check_totals, check_transient
from komi.errors import GameError, InputError
from komi.game import CHANCE
from komi.graph.staging import RANKS
from komi.rules import enumeration
from komi.rules.domains import declared_domains
from komi.rules.enumeration import StateMoves
from komi.rules.game import Game
from komi.rules.interpreter import ENDLESS, FAILED, Interpreter
from komi.rules.limits import changed_rules
from komi.rules.symmetry_check import check_symmetries
from komi.simulation.soundness import check_pick, check_sample, is_same_outcome
from komi.typing import State

STATES = 300  # visited by random play under rules at their limits,
OUTCOMES = 10_000  # or fewer: those with about this many outcomes in total
DRAWS = 3  # states drawn by `deal` for each view


def present(game: Game) -> list[str]:
    """Return the names of the hints that a game provides and `check` verifies."""
    return [name for name in ("possible", *HINTS) if game.has(name)]


def check(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report each hint that does not hold in the states in `enumerated`."""
    for name, promise in HINTS.items():
        if ENDLESS in interpreter.problems:
            return
        if interpreter.game.has(name):
            promise(interpreter, enumerated)


def _check_limits(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that the rules remain valid with each one at its limits in turn."""
    game, rules = interpreter.game, interpreter.rules
    for name, limit in zip(rules._fields, game.limits(rules), strict=True):
        is_word = isinstance(getattr(rules, name), str)
        for value in (limit or ()) if is_word else (limit or ())[:2]:
            try:
                extreme = game.rules({**rules._asdict(), name: value})
            except InputError:  # the other rules do not go with it
                continue
            corner = f"with {changed_rules(game, extreme)}, which 'limits' allows"
            try:
                there = Interpreter(game.under(extreme), extreme)
                enumeration.sample_states(there, STATES, max_outcomes=OUTCOMES)
            except GameError as error:
                interpreter.record("limits", f"{str(error).rstrip('.')}, {corner}", None)
                continue
            for problem in there.problems.values():
                interpreter.record("limits", f"{problem.message}, {corner}", problem.state)
            if ENDLESS in there.problems:
                return


def _check_elements(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that the elements of each set have names."""
    game = interpreter.game
    named = interpreter.attempt(lambda: game.elements(interpreter.rules), "elements", None)
    if named is FAILED:
        return
    for state in enumerated:
        for field, names in named.items():
            value = getattr(state, field)
            if any(not 0 <= entry < 1 << len(names) for entry in (value if isinstance(value, tuple) else (value,))):
                message = f"'elements' names {len(names)} elements of {field!r}, which is {value}"
                interpreter.record("elements", f"{game.file.name}: {message}", state)
                return


def _check_view(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that a view is a view of itself, and that it determines the legal actions."""
    actions: dict[Any, list[int]] = {}
    for state, moves in enumerated.items():
        view = interpreter.call("view", state)
        if view is FAILED or not moves or moves[0].action == CHANCE:
            continue
        file = interpreter.game.file.name
        if interpreter.call("view", view) != view:
            interpreter.record("view", f"{file}: 'view' changes a state that is already a view", state)
        legal = [move.action for move in moves]
        if actions.setdefault(view, legal) != legal:
            interpreter.record(
                "view actions", f"{file}: states with the same 'view' differ in their legal actions", state
            )


def _check_open_actions(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that a view determines which actions are open, and that the next player's view does not hide these."""
    game, rules, known = interpreter.game, interpreter.rules, dict[Any, list[bool]]()
    for state, moves in enumerated.items():
        if not game.has("view") or not moves or moves[0].action == CHANCE:
            continue
        actions = [move.action for move in moves]
        is_open = interpreter.attempt(
            partial(list, map(partial(game.is_open, rules, state), actions)), "open_actions", state
        )
        view = interpreter.call("view", state)
        if FAILED in (is_open, view):
            return
        if known.setdefault(view, is_open) != is_open:
            text = f"{game.file.name}: states with the same 'view' differ in their 'open_actions'"
            interpreter.record("open_actions", text, state)
        seen: dict[Any, int] = {}
        for move in (move for move, is_shown in zip(moves, is_open, strict=True) if is_shown):
            [(_, after, passes), *others] = move.outcomes
            is_next = passes % game.players(rules) != 0 and not interpreter.is_over(after)
            if others or not is_next or game.is_chance(rules, after):
                continue
            other = seen.setdefault(interpreter.call("view", after), move.action)
            if other != move.action:
                labels = " and ".join(repr(game.label(rules, state, action)) for action in (other, move.action))
                text = (
                    f"{game.file.name}: let 'open_actions(rules, state, action)' be true only of actions that 'view' "
                    f"does not hide from the next player, as it does {labels}"
                )
                interpreter.record("open_actions", text, state)


def _check_deal(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that a state that is drawn has the view that it is drawn for, and can occur."""
    game, generator = interpreter.game, Random(0)
    if not game.has("view"):
        interpreter.record(
            "deal", f"{game.file.name}: 'deal' draws a state with a given 'view', and there is no 'view'"
        )
        return
    for state, moves in enumerated.items():
        if not moves or moves[0].action == CHANCE:
            continue
        view = interpreter.call("view", state)
        for _ in range(DRAWS):
            uniforms = [generator.random() for _ in range(game.deal_uniforms)]
            drawn = interpreter.call_for_state("deal", view, *uniforms)
            if drawn is None:
                return
            if interpreter.call("view", drawn) != view:
                text = f"{game.file.name}: 'deal' draws {interpreter.write(drawn)}, which has another 'view'"
                interpreter.record("deal", text, view)


def _check_fields(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that fields that these rules do not use keep their default values."""
    game = interpreter.game
    used = interpreter.attempt(lambda: game.fields(interpreter.rules), "fields", None)
    if used is FAILED:
        return
    unused = {name: value for name, value in game.module.State._field_defaults.items() if name not in used}
    missing = [name for name in game.module.State._fields if name not in used and name not in unused]
    if missing:
        interpreter.record("fields", f"{game.file.name}: field {missing[0]!r} is not in 'fields' and has no default")
    for state in enumerated:
        for name, value in unused.items():
            if getattr(state, name) != value:
                interpreter.record("fields", f"{game.file.name}: {name!r} changes, but is not in 'fields'", state)


def _check_steps(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that fields are multiples of their steps."""
    game = interpreter.game
    for state in enumerated:
        if wrong := game.off_step(state):
            interpreter.record("steps", f"{game.file.name}: {wrong}", state)


def _check_stage(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that a stage is a number in range that never decreases."""
    for state, moves in enumerated.items():
        stage = interpreter.call("stage", state)
        _check_range(interpreter, "stage", stage, state)
        for after in (after for move in moves for _, after, _ in move.outcomes if not interpreter.is_over(after)):
            later = interpreter.call("stage", after)
            if isinstance(stage, int) and isinstance(later, int) and later < stage:
                interpreter.record("stage", f"{interpreter.game.file.name}: 'stage' decreases", state)


def _check_order(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that an order is a number in range."""
    for state in enumerated:
        _check_range(interpreter, "order", interpreter.call("order", state), state)


def _check_range(interpreter: Interpreter, name: str, number: Any, state: State) -> None:
    if number is not FAILED and not (isinstance(number, int) and 0 <= number < RANKS):
        file = interpreter.game.file.name
        interpreter.record(name, f"{file}: {name!r} is {number!r}, not a whole number from 0 to {RANKS - 1:,}", state)


def _check_reward(interpreter: Interpreter, enumerated: StateMoves) -> None:
    file = interpreter.game.file.name
    for state, moves in enumerated.items():
        for move in moves:
            for _, after, _ in move.outcomes:
                reward = interpreter.call("reward", state, move.action, after)
                if reward is not FAILED and not (isinstance(reward, Real) and isfinite(reward)):
                    interpreter.record("reward", f"{file}: the reward is {reward!r}, which is not a number", state)


def _check_aim(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that 'aim' is "most" or "least"."""
    interpreter.attempt(lambda: interpreter.game.aim(interpreter.rules), "aim", None)


def _check_endless(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that 'endless' is a payoff."""
    interpreter.attempt(lambda: interpreter.game.endless_share(interpreter.rules), "endless", None)


def _check_payoff_range(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that 'payoff_range' has its form, and again that it contains the payoff of each end."""
    for state in enumerated:
        if interpreter.is_over(state):
            interpreter.check_payoffs(state)


def _check_notation(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that 'read' returns the state that 'write' has written."""
    game = interpreter.game
    for state in enumerated:
        written = interpreter.call("write", state)
        if written is not FAILED and interpreter.read(written, state) not in (state, FAILED):
            interpreter.record(
                "read", f"{game.file.name}: 'read' does not restore the state that 'write' formatted", state
            )


def _check_chances(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that only the proportions within a distribution matter: doubling its rules changes no outcome."""
    game, rules = interpreter.game, interpreter.rules
    try:
        groups = game.chances()
    except GameError as error:
        interpreter.record("chances", str(error).rstrip("."))
        return
    for group in groups:
        doubled = Interpreter(game, rules._replace(**{name: 2.0 * getattr(rules, name) for name in group}))
        for state, moves in enumerated.items():
            same = [outcome for move in moves for outcome in move.outcomes]
            others = [outcome for move in doubled.moves(state) for outcome in move.outcomes] if moves else []
            if len(same) != len(others) or not all(map(is_same_outcome, same, others)):
                interpreter.record(
                    "chances",
                    f"{game.file.name}: with the numbers of {', '.join(group)} doubled, the outcomes differ: "
                    "only their proportions may matter",
                    state,
                )
                break


def _check_event(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that each chance event has a name, unique among the outcomes of its action."""
    file = interpreter.game.file.name
    for state, moves in enumerated.items():
        for move in moves:
            afters = dict.fromkeys(after for probability, after, _ in move.outcomes if probability > 0)
            if len(afters) < 2 and move.action != CHANCE:
                continue
            events = [interpreter.call("event", state, move.action, after) for after in afters]
            for event in events:
                if event is not FAILED and not (isinstance(event, str) and event):
                    interpreter.record("event", f"{file}: 'event' returns {event!r}, which is not a name", state)
            if len({str(event) for event in events}) < len(events):
                interpreter.record("events", f"{file}: two outcomes of one action have the same 'event'", state)


def _check_leader(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that the leader is a seat, or -1 for none."""
    players = interpreter.game.players(interpreter.rules)
    for state in enumerated:
        leader = interpreter.call("leader", state)
        if leader is not FAILED and leader not in range(-1, players):
            interpreter.record(
                "leader", f"{interpreter.game.file.name}: 'leader' returns {leader!r}, which is not a seat", state
            )


def _check_domains(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Check that what players see has values in its domains."""
    game, rules = interpreter.game, interpreter.rules
    try:
        domains = declared_domains(game, rules)
    except GameError as error:
        interpreter.record("domains", str(error).rstrip("."), None)
        return
    for state, moves in enumerated.items():
        if not moves or moves[0].action != CHANCE:
            seen = game.observed(rules, state)
            for domain in domains:
                if not domain.has(value := getattr(seen, domain.field)):
                    message = f"'domains' does not have {value} for {domain.field!r}"
                    interpreter.record("domains", f"{game.file.name}: {message}", state)


HINTS = {
    "domains": _check_domains,
    "fields": _check_fields,
    "elements": _check_elements,
    "limits": _check_limits,
    "view": _check_view,
    "open_actions": _check_open_actions,
    "deal": _check_deal,
    "transient": check_transient,
    "roll": check_roll,
    "totals": check_totals,
    "steps": _check_steps,
    "chances": _check_chances,
    "reward": _check_reward,
    "aim": _check_aim,
    "payoff_range": _check_payoff_range,
    "endless": _check_endless,
    "revealed": display.check_revealed,
    "write": _check_notation,
    "pick": check_pick,
    "sample": check_sample,
    "event": _check_event,
    "stage": _check_stage,
    "order": _check_order,
    "leader": _check_leader,
    "symmetries": check_symmetries,
    "faces": table_layout.check_faces,
    "keeps": table_layout.check_keeps,
    "card": table_layout.check_card,
    "filled": table_layout.check_filled,
    "scores": table_layout.check_scores,
    "target": table_layout.check_writable("target"),
    "beside": table_layout.check_beside,
    "throw": table_layout.check_throw,
    "turned": table_layout.check_turned,
    "alone": single_player.check,
    "board": display.check_board,
    "square": table_layout.check_writable("square"),
    "decisive": display.check_decisive,
    "table": items.check_table,
    "laid": items.check_laid,
    "how_to_play": display.check_text("how_to_play"),
    "objective": display.check_text("objective"),
    "no_value": display.check_text("no_value"),
    "opponents": display.check_opponents,
    "policies": display.check_policies,
}
