"""Checks that the optional hints of a game are true."""

from math import isfinite
from numbers import Real
from typing import Any

from komi.checking import presented, single_player, table_layout, totals
from komi.errors import GameError, InputError
from komi.game import CHANCE, Game
from komi.graph.staging import MOST
from komi.rules import enumeration
from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import ENDLESS, FAILED, Interpreter, Move
from komi.simulation.soundness import check_pick, check_sample, is_same_outcome

STATES = 300  # visited by random play under rules at their limits,
OUTCOMES = 10_000  # or fewer: those with about this many outcomes in total


def present(game: Game) -> list[str]:
    """Return the names of the hints that a game provides and `check` verifies."""
    return [name for name in ("possible", *HINTS) if game.has(name)]


def check(interpreter: Interpreter, walked: StateMoves) -> None:
    """Report each hint that does not hold in the states in `walked`."""
    for name, promise in HINTS.items():
        if ENDLESS in interpreter.problems:
            return
        if interpreter.game.has(name):
            promise(interpreter, walked)


def _check_limits(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that the rules remain valid with each one at its limits in turn."""
    game, rules = interpreter.game, interpreter.rules
    for name, limit in zip(rules._fields, game.limits(rules), strict=True):
        is_word = isinstance(getattr(rules, name), str)
        for value in (limit or ()) if is_word else (limit or ())[:2]:
            try:
                extreme = game.rules({**rules._asdict(), name: value})
            except InputError:  # the other rules do not go with it
                continue
            there = Interpreter(game, extreme)
            enumeration.sample_states(there, STATES, max_outcomes=OUTCOMES)
            for problem in there.problems.values():
                interpreter.record(
                    "limits", f"{problem.message}, with {name}={value}, which 'limits' allows", problem.state
                )
            if ENDLESS in there.problems:
                return


def _check_view(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that a view is a view of itself, and that it determines the legal actions."""
    actions: dict[Any, list[int]] = {}
    for state, moves in walked.items():
        view = interpreter.call("view", state)
        if view is FAILED or not moves or moves[0].action == CHANCE:
            continue
        file = interpreter.game.file.name
        if interpreter.call("view", view) != view:
            interpreter.record("view", f"{file}: the 'view' of a 'view' is another", state)
        legal = [move.action for move in moves]
        if actions.setdefault(view, legal) != legal:
            interpreter.record(
                "view actions", f"{file}: states with the same 'view' differ in their legal actions", state
            )


def _check_transient(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that the transient states form no cycle."""
    transient = {
        state for state, moves in walked.items() if moves and interpreter.call("transient", state) in (True, 1)
    }
    follow = {
        state: [after for move in walked[state] for _, after, _ in move.outcomes if after in transient]
        for state in transient
    }
    before = dict.fromkeys(transient, 0)
    for after in (after for afters in follow.values() for after in afters):
        before[after] += 1
    first = [state for state in transient if not before[state]]
    while first:
        for after in follow.pop(first.pop()):
            before[after] -= 1
            if not before[after]:
                first.append(after)
    for state in follow:
        interpreter.record("transient", f"{interpreter.game.file.name}: 'transient' states form a cycle", state)


def _check_roll(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that transitions within a roll depend only on the fields of `roll`."""
    game, rules = interpreter.game, interpreter.rules
    names = interpreter.attempt(lambda: game.roll(rules), "roll", None)
    if names is FAILED or not names:
        return
    fields = game.module.State._fields
    places = [fields.index(name) for name in names]
    others = [place for place, name in enumerate(fields) if name not in names]
    known: dict[Any, Any] = {}
    for state, moves in walked.items():
        if not moves or not interpreter.call("transient", state):
            continue
        ways = []
        for move in moves:
            for probability, after, passes in move.outcomes:
                if interpreter.is_over(after) or not interpreter.call("transient", after):
                    continue
                if passes or any(state[place] != after[place] for place in others):
                    continue
                inside = tuple(after[place] for place in places)
                gained = interpreter.call("reward", state, move.action, after) if game.has("reward") else 0.0
                ways.append((move.action, round(probability, 12), inside, gained))
        if known.setdefault(tuple(state[place] for place in places), ways) != ways:
            interpreter.record("roll", f"{game.file.name}: a roll depends on more than the fields of 'roll'", state)


def _check_fields(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that fields that these rules do not use keep their default values."""
    game = interpreter.game
    used = interpreter.attempt(lambda: game.fields(interpreter.rules), "fields", None)
    if used is FAILED:
        return
    unused = {name: value for name, value in game.module.State._field_defaults.items() if name not in used}
    missing = [name for name in game.module.State._fields if name not in used and name not in unused]
    if missing:
        interpreter.record("fields", f"{game.file.name}: field {missing[0]!r} is not in 'fields' and has no default")
    for state in walked:
        for name, value in unused.items():
            if getattr(state, name) != value:
                interpreter.record("fields", f"{game.file.name}: {name!r} is not in 'fields', and changes", state)


def _check_steps(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that fields are multiples of their steps."""
    game = interpreter.game
    for state in walked:
        if wrong := game.off_step(state):
            interpreter.record("steps", f"{game.file.name}: {wrong}", state)


def _check_stage(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that a stage is a number in range that never decreases."""
    for state, moves in walked.items():
        stage = interpreter.call("stage", state)
        _check_range(interpreter, "stage", stage, state)
        for after in (after for move in moves for _, after, _ in move.outcomes if not interpreter.is_over(after)):
            later = interpreter.call("stage", after)
            if isinstance(stage, int) and isinstance(later, int) and later < stage:
                interpreter.record("stage", f"{interpreter.game.file.name}: 'stage' falls", state)


def _check_order(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that an order is a number in range."""
    for state in walked:
        _check_range(interpreter, "order", interpreter.call("order", state), state)


def _check_range(interpreter: Interpreter, name: str, number: Any, state: Any) -> None:
    if number is not FAILED and not (isinstance(number, int) and 0 <= number < MOST):
        file = interpreter.game.file.name
        interpreter.record(name, f"{file}: {name!r} is {number!r}, no whole number from 0 to {MOST - 1:,}", state)


def _check_reward(interpreter: Interpreter, walked: StateMoves) -> None:
    file = interpreter.game.file.name
    for state, moves in walked.items():
        for move in moves:
            for _, after, _ in move.outcomes:
                reward = interpreter.call("reward", state, move.action, after)
                if reward is not FAILED and not (isinstance(reward, Real) and isfinite(reward)):
                    interpreter.record("reward", f"{file}: the reward is {reward!r}, which is no number", state)


def _check_aim(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that 'aim' is "most" or "least"."""
    interpreter.attempt(lambda: interpreter.game.aim(interpreter.rules), "aim", None)


def _check_notation(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that 'read' returns the state that 'write' has written."""
    game = interpreter.game
    for state in walked:
        written = interpreter.call("write", state)
        if written is not FAILED and interpreter.read(written, state) not in (state, FAILED):
            interpreter.record(
                "read", f"{game.file.name}: 'read' does not return the state that 'write' has written", state
            )


def _check_symmetries(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that a state and an image end together and lead to the same orbits. The image checked rotates."""
    file = interpreter.game.file.name
    orbits = _Orbits(interpreter)
    for turn, (state, moves) in enumerate(walked.items()):
        others = sorted(orbits[state] - {state})
        if not others:
            continue
        image = others[turn % len(others)]
        if interpreter.is_over(image) != interpreter.is_over(state):
            interpreter.record("symmetries", f"{file}: of two 'symmetries' one is over, the other is not", state)
        elif orbits[image] != orbits[state]:
            interpreter.record("symmetries", f"{file}: 'symmetries' of an image are others", state)
        elif moves and orbits.led_to(interpreter.moves(image)) != orbits.led_to(moves):
            interpreter.record("symmetries", f"{file}: 'symmetries' do not lead to 'symmetries'", state)


class _Orbits(dict[Any, frozenset[Any]]):
    """A cache of orbits: each state with its symmetric images."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__()
        self._interpreter = interpreter

    def __missing__(self, state: Any) -> frozenset[Any]:
        self[state] = frozenset({state, *self._interpreter.images(state)})
        return self[state]

    def led_to(self, moves: list[Move]) -> list[Any]:
        """Return the orbits that the actions lead to, sorted, independent of the numbering of the actions."""
        return sorted(
            sorted((round(chance, 9), passes, hash(self[after])) for chance, after, passes in move.outcomes)
            for move in moves
        )


def _check_chances(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that only the proportions within a distribution matter: doubling its rules changes no outcome."""
    game, rules = interpreter.game, interpreter.rules
    try:
        groups = game.chances()
    except GameError as error:
        interpreter.record("chances", str(error).rstrip("."))
        return
    for group in groups:
        doubled = Interpreter(game, rules._replace(**{name: 2.0 * getattr(rules, name) for name in group}))
        for state, moves in walked.items():
            same = [outcome for move in moves for outcome in move.outcomes]
            others = [outcome for move in doubled.moves(state) for outcome in move.outcomes] if moves else []
            if len(same) != len(others) or not all(map(is_same_outcome, same, others)):
                interpreter.record(
                    "chances",
                    f"{game.file.name}: with the numbers of {', '.join(group)} doubled the outcomes are others: "
                    "only their proportions may matter",
                    state,
                )
                break


def _check_event(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that each chance event has a name, unique among the outcomes of its action."""
    file = interpreter.game.file.name
    for state, moves in walked.items():
        for move in moves:
            afters = dict.fromkeys(after for probability, after, _ in move.outcomes if probability > 0)
            if len(afters) < 2 and move.action != CHANCE:
                continue
            events = [interpreter.call("event", state, move.action, after) for after in afters]
            for event in events:
                if event is not FAILED and not (isinstance(event, str) and event):
                    interpreter.record("event", f"{file}: 'event' returns {event!r}, not what it is called", state)
            if len({str(event) for event in events}) < len(events):
                interpreter.record("events", f"{file}: two outcomes of one action have the same 'event'", state)


def _check_leader(interpreter: Interpreter, walked: StateMoves) -> None:
    """Check that the leader is a seat, or -1 for none."""
    players = interpreter.game.players(interpreter.rules)
    for state in walked:
        leader = interpreter.call("leader", state)
        if leader is not FAILED and leader not in range(-1, players):
            interpreter.record("leader", f"{interpreter.game.file.name}: the 'leader' is {leader!r}, no seat", state)


HINTS = {
    "fields": _check_fields,
    "limits": _check_limits,
    "view": _check_view,
    "transient": _check_transient,
    "roll": _check_roll,
    "totals": totals.check,
    "steps": _check_steps,
    "chances": _check_chances,
    "reward": _check_reward,
    "aim": _check_aim,
    "write": _check_notation,
    "pick": check_pick,
    "sample": check_sample,
    "event": _check_event,
    "stage": _check_stage,
    "order": _check_order,
    "leader": _check_leader,
    "symmetries": _check_symmetries,
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
    "board": presented.check_board,
    "square": table_layout.check_writable("square"),
    "decisive": presented.check_decisive,
    "how_to_play": presented.check_text("how_to_play"),
    "objective": presented.check_text("objective"),
    "no_value": presented.check_text("no_value"),
    "opponents": presented.check_opponents,
    "policies": presented.check_policies,
}
