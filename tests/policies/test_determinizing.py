"""Searchers in games with hidden information do not see what is hidden, and do not take others to see it."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.compiling.compiled import compiled_game
from komi.errors import GameError, InputError, SolveError
from komi.policies.named import find_or_solve
from komi.policies.searchers import MctsPolicy, Searcher
from komi.rules import information_sets
from komi.search.determinization import Determinization, draw_state, hidden_states
from komi.streams import stream_from

ROOT = Path(__file__).parents[1]
GUESS, KUHN = ROOT / "games" / "guess.py", ROOT.parent / "examples" / "kuhn_poker.py"
SEARCHERS = ("ismcts:60", "pimc:60,worlds=6", "epimc:60,worlds=6,depth=2")


def searcher(text: str, file: Any, **settings: object) -> Searcher:
    found = find_or_solve(text, komi.find(file), settings)
    assert isinstance(found, Searcher)
    return found


@pytest.mark.parametrize("secret", range(3))
@pytest.mark.parametrize("text", SEARCHERS)
def test_a_searcher_guesses_like_a_blind_player(text: str, secret: int) -> None:
    """The guess does not depend on the number: of four equally likely numbers it is right for one."""
    game = komi.find(GUESS)
    rules = game.rules({"secret": secret})
    found = searcher(text, GUESS, secret=secret)
    observation = game.module.State(1, 0, 0, 0)
    states = information_sets.information_sets(game, rules)[observation]
    assert len({state.number for state in states}) == 4
    for uniform in (0.1, 0.6):
        named = {found.choose(game, rules, game.part("view")(rules, state), uniform) for state in states}
        assert len(named) == 1


def test_the_mean_value_of_a_guess_is_that_of_a_blind_player() -> None:
    game = komi.find(GUESS)
    observation = game.module.State(1, 0, 0, 0)
    _, estimates = searcher("ismcts:4000,exploration=100", GUESS).estimate(game, game.default_rules, observation, 0.5)
    assert [estimate.value for estimate in estimates] == pytest.approx([0.25] * 4, abs=0.06)


def test_states_are_drawn_with_their_probabilities() -> None:
    game = komi.find(GUESS)
    rules = game.rules({"secret": 1})
    draws = Determinization(1, 0, 1, hidden_states(game, rules))
    numbers = np.zeros((12_000, 2), np.int64)
    compiled_game(game).kernels[_draw_many](rules, game.module.State(1, 0, 0, 0), draws, 0.3, numbers)
    counts = Counter(map(tuple, numbers.tolist()))
    assert len(counts) == 12
    assert all(abs(count - 1000) < 150 for count in counts.values())


def _draw_many(rules: Any, observation: Any, draws: Any, uniform: float, numbers: Any) -> None:
    stream = stream_from(uniform, np.uint64(1))
    for row in range(len(numbers)):
        drawn = draw_state(rules, observation, draws, stream)
        numbers[row, 0], numbers[row, 1] = drawn[0], drawn[1]


def test_an_observation_that_play_does_not_lead_to_is_refused() -> None:
    game = komi.find(GUESS)
    with pytest.raises(GameError, match=r"ismcts:60 cannot draw what is hidden in .*: play never leads there"):
        searcher("ismcts:60", GUESS).choose(game, game.default_rules, game.module.State(3, 1, 0, 0), 0.5)


def test_where_all_is_seen_nothing_is_drawn() -> None:
    assert type(searcher("ismcts:10", "pig")) is MctsPolicy


def test_games_that_cannot_be_drawn_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(information_sets, "MAX_NODES", 3)
    information_sets.information_sets.cache_clear()
    hidden_states.cache_clear()
    with pytest.raises(InputError, match="policy pimc cannot be used: guess hides something from its players, and its"):
        searcher("pimc:10", GUESS)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ismcts:0", "ismcts needs 1 to 1,000,000,000 playouts, as in ismcts:2000 or ismcts:1s, not '0'."),
        ("ismcts:9,worlds=3", "ismcts has no option 'worlds': it has exploration, leaf."),
        ("pimc:9,worlds=0", "pimc needs 1 to 1,000,000 worlds, as in worlds=32, not '0'."),
        ("epimc:9,depth=many", "epimc needs 1 to 1,000 depth, as in depth=3, not 'many'."),
    ],
)
def test_bad_specifications_are_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as raised:
        searcher(text, GUESS)
    assert str(raised.value) == sentence


def test_a_search_with_random_draws_is_not_a_table() -> None:
    game = komi.find(GUESS)
    with pytest.raises(SolveError, match="policy ismcts:60 chooses at random: it can only be simulated"):
        searcher("ismcts:60", GUESS).tabulate(compiled_game(game), game.default_rules, None)  # type: ignore[arg-type]


@pytest.mark.slow
def test_other_players_are_not_taken_to_know_the_own_card() -> None:
    """Half of the time a bet with the highest card of Kuhn poker is called; a player who knew it would never call."""
    game = komi.find(KUHN)
    best = game.module.State(3, 0, 0)
    values = {}
    for text in ("ismcts:20000", "pimc:20000"):
        _, estimates = searcher(text, KUHN).estimate(game, game.default_rules, best, 0.5)
        [share] = [estimate.value for estimate in estimates if estimate.action == 1]
        values[text.partition(":")[0]] = game.payoff_scale(game.default_rules).payoff(share)
    assert values["ismcts"] == pytest.approx(1.5, abs=0.03)
    assert values["pimc"] == pytest.approx(1.0, abs=0.05)


@pytest.mark.slow
def test_games_do_not_depend_on_the_number_of_workers() -> None:
    policies = ["ismcts:100", "epimc:100"]
    one, two = (komi.simulate(KUHN, 3000, policies=policies, seed=2, workers=workers) for workers in (1, 2))
    assert one.payoffs == two.payoffs


@pytest.mark.slow
def test_searchers_win_more_than_random_players_at_red7() -> None:
    for text in ("ismcts:200", "pimc:200", "epimc:200"):
        found = komi.simulate("red7", 300, policies=[text, "random", "random"], seed=1)
        assert found.wins[0].mean > 0.45
