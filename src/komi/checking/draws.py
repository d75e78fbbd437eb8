"""Checks that `deal` draws the states of an information set with their conditional probabilities.

In small games these are known (`rules.information_sets`), and a binomial test compares them with the frequency of
each state in many draws. Large games are played at random: if the probabilities are right, the difference between the
state and the one drawn for its view has mean 0 in every bit of every field. Each position has the weight of
`rules.information_sets`, divided by the probability with which random play leads there. Positions are compared by the
number of open choices before them, which the view is taken to determine.
"""

from math import erfc, sqrt

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.steps import advance
from komi.errors import SolveError
from komi.jit.intrinsics import trailing_zeros
from komi.rules.information_sets import InformationSets, information_sets
from komi.rules.interface import deal, legal, open_actions, over, pick, record_witness, state_from, view
from komi.rules.interpreter import FAILED, Interpreter
from komi.streams import STREAM_BITS, draw
from komi.streams import key as stream_key
from komi.typing import Rules, State

SIGNIFICANCE = 1e-6  # probability that right frequencies are refused
MAX_DRAWS, MAX_SET_DRAWS = 200_000, 10_000  # in all information sets together, and in each of them
GAMES = 20_000  # of random play
MAX_STEPS = 1 << 12  # of a game
MAX_CHOICES = 3  # open choices before a position: after more of them, few positions have most of the weight


def check_draws(compiled: CompiledGame, interpreter: Interpreter) -> str:
    """Report a state that `deal` draws with a wrong probability.

    Returns:
        What is checked, in a sentence.

    Raises:
        SolveError: if the game has no `deal`, and is too large to do without.
    """
    game = compiled.game
    try:
        sets = information_sets(game, interpreter.rules)
    except SolveError:
        if not game.has("deal"):
            raise
        return _check_random_play(compiled, interpreter)
    if not game.has("deal"):
        return f"What is hidden can be drawn without 'deal': in all {len(sets):,} information sets."
    draws = min(MAX_DRAWS // len(sets), MAX_SET_DRAWS)
    _check_frequencies(interpreter, sets, draws)
    return (
        f"'deal' draws what is hidden with its probability: all {len(sets):,} information sets, {draws:,} draws each."
    )


def _check_frequencies(interpreter: Interpreter, sets: InformationSets, draws: int) -> None:
    """Report an information set in which the frequencies of states differ from their probabilities."""
    from scipy.stats import binom  # type: ignore[import-untyped]  # slow to import

    file, uniforms = interpreter.game.file.name, interpreter.game.deal_uniforms
    generator = np.random.default_rng(0)
    views: list[State] = []
    states: list[State] = []
    counts: list[int] = []
    probabilities: list[float] = []
    for observation, known in sets.items():
        numbers = generator.random((draws, uniforms))
        numbers[:, 0] = (np.arange(draws) + numbers[:, 0]) / draws  # evenly spread
        found = dict.fromkeys(known, 0)
        for row in numbers.tolist():
            drawn = interpreter.call("deal", observation, *row)
            if drawn is FAILED:
                return
            if drawn not in found:
                text = f"{file}: 'deal' draws {interpreter.write(drawn)}, to which play never leads from the start"
                interpreter.record("deal", text, observation)
                return
            found[drawn] += 1
        views += [observation] * len(found)
        states += found.keys()
        counts += found.values()
        probabilities += known.values()
    seen = np.array(counts)
    tails = np.minimum(binom.cdf(seen, draws, probabilities), binom.sf(seen - 1, draws, probabilities))
    worst = int(np.argmin(tails))
    if 2.0 * tails[worst] * len(tails) < SIGNIFICANCE:
        text = (
            f"{file}: 'deal' draws {interpreter.write(states[worst])} with probability {seen[worst] / draws:.3f} "
            f"instead of {probabilities[worst]:.3f}"
        )
        interpreter.record("deal", text, views[worst])


def _check_random_play(compiled: CompiledGame, interpreter: Interpreter) -> str:
    """Report a field whose bits are drawn with wrong probabilities in random play."""
    game, rules = compiled.game, interpreter.rules
    fields = game.module.State._fields
    sums = np.zeros((MAX_CHOICES + 1, len(fields), 64, 2))
    positions, witness = np.zeros(1, np.int64), np.zeros(len(fields) + 1, np.int64)
    table = game.players(rules), game.deal_uniforms
    kernel, start = compiled.kernels[compare_draws], compiled.start(rules)
    if kernel(rules, start, table, stream_key(0, 0), GAMES, sums, positions, witness):
        text = f"{game.file.name}: 'deal' draws a state that has another 'view', compiled"
        interpreter.record("deal", text, game.module.State(*map(int, witness[:-1])))
        return ""
    scores = np.abs(sums[..., 0]) / np.sqrt(np.maximum(sums[..., 1], 1e-300))
    tests = max(int(np.count_nonzero(sums[..., 1])), 1)
    choices, field, bit = map(int, np.unravel_index(np.argmax(scores), scores.shape))
    if erfc(float(scores.max()) / sqrt(2.0)) * tests < SIGNIFICANCE:
        text = (
            f"{game.file.name}: 'deal' draws bit {bit} of {fields[field]!r} with a wrong probability, "
            f"{scores[choices, field, bit]:.0f} standard errors off in random play after {choices} choices"
        )
        interpreter.record("deal", text)
    return (
        f"'deal' draws what is hidden with its probability, as far as {GAMES:,} games of random play show: in "
        f"{int(positions[0]):,} positions the view is the same, and the first show the right frequency of each bit."
    )


def compare_draws(
    rules: Rules,
    start: I64,
    table: tuple[int, int],
    key: np.uint64,
    games: int,
    sums: F64,
    positions: I64,
    witness: I64,
) -> bool:
    """Compare states of random play with states drawn for their views.

    Args:
        rules: the rules.
        start: int64[1, fields], the initial state.
        table: the number of seats, and how many random numbers `deal` takes.
        key: the key of the stream of random numbers.
        games: the number of games.
        sums: float64[choices, fields, bits, 2], the sums of weighted differences and of their squares, by the number of
            choices before a position; modified in place.
        positions: int64[1], incremented for each position that is compared.
        witness: int64[fields + 1], receives the state if the view of the one that is drawn differs.

    Returns:
        Whether a view differs.
    """
    seats, uniforms = table
    numbers = np.empty(2 + uniforms)
    for game in range(games):
        state, seat, position, choices, weight = state_from(start, 0), 0, game << STREAM_BITS, 0, 1.0
        for _ in range(MAX_STEPS):
            if over(rules, state):
                break
            draw(key, position, numbers)
            position += len(numbers)
            moves, action = pick(rules, state, numbers[0])
            if moves > 0:
                observation = view(rules, state)
                drawn = deal(rules, observation, numbers[2:])
                if view(rules, drawn) != observation:
                    record_witness(state, action, witness)
                    return True
                positions[0] += 1
                if choices <= MAX_CHOICES:
                    add_differences(state, drawn, weight, sums[choices])
                if open_actions(rules, state, action):
                    choices += 1  # forced ones, too: their number is public
                    weight *= moves
                else:
                    weight *= moves / hidden_actions(rules, state)
            step = advance(rules, state, seat, seats, action, numbers[1])
            state, seat = step.after, step.seat
    return False


def hidden_actions(rules: Rules, state: State) -> int:
    """Count the legal actions that only the player who takes them sees."""
    count = 0
    for action in legal(rules, state):
        if not open_actions(rules, state, action):
            count += 1
    return count


def add_differences(state: State, drawn: State, weight: float, sums: F64) -> None:
    """Add the differences between two states to float64[fields, bits, 2], each bit with a sign."""
    for field in range(len(state)):
        remaining = np.uint64(state[field] ^ drawn[field])
        while remaining:
            bit = trailing_zeros(remaining)
            remaining &= remaining - np.uint64(1)
            sums[field, bit, 0] += weight if state[field] >> bit & 1 else -weight
            sums[field, bit, 1] += weight * weight
