"""`komi.teach`: the best strategy that a person can remember, and exactly what it gives away."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import Notice
from komi.evaluation.losses import Mistake
from komi.evaluation.match import Match, best_response
from komi.evaluation.match import match as play_match
from komi.files import write_whole
from komi.game import Game
from komi.policies import named
from komi.progress import Progress, silent
from komi.teaching import cards
from komi.teaching.asked import check_file, check_numbers, check_seconds, solved
from komi.teaching.features import Feature, at_risk, features_of
from komi.teaching.games import Games
from komi.teaching.lesson import learn, side_by_side
from komi.teaching.strategy import Strategy, follow
from komi.teaching.wording import NAME, Wording, actions_of

EXAMPLES = 3
LIKELY = 3000  # positions, of which the one with the fewest zeros is shown


@dataclass(frozen=True)
class Point:
    """A strategy of the front: none found with as few numbers gives away less.

    Attributes:
        numbers: how many numbers one must remember.
        loss: what it gives away against optimal play, on average of both seats.
        strategy: in words.
    """

    numbers: int
    loss: float
    strategy: str


@dataclass(frozen=True)
class Example:
    """A position that comes up, and how the strategy decides there.

    Attributes:
        state: what a person sees of it, by name.
        working: why, in numbers.
        action: what the strategy does.
        best: what optimal play does.
    """

    state: dict[str, int]
    working: str
    action: str
    best: str


@dataclass(frozen=True)
class Lesson:
    """A strategy to remember.

    Attributes:
        game: the game.
        rules: its rules.
        strategy: in words, a sentence each.
        numbers: how many numbers one must remember.
        match: its games against optimal play, evaluated exactly.
        worst_case: its average chance of winning against the player who knows it and exploits it best.
        costliest: the position in which it gives away most, weighted by how often it comes to it.
        file: the policy as Python; `komi match` takes it as FILE.py:by_the_card.
        front: the best strategy found for each number of numbers.
        examples: positions that come up, each decided by another part of the strategy.
    """

    game: Game
    rules: Any
    strategy: tuple[str, ...]
    numbers: int
    match: Match
    worst_case: float
    costliest: Mistake | None
    file: Path
    front: tuple[Point, ...]
    examples: tuple[Example, ...]

    @property
    def loss(self) -> float:
        """What it gives away against optimal play, on average of both seats."""
        return 0.5 - self.match.average


def teach(
    game: str | Game,
    file: Path | str,
    *,
    numbers: int = 3,
    seconds: float = 60.0,
    seed: int = 1,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Lesson:
    """The best strategy found that has at most so many numbers to remember.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        file: where to write the strategy as a policy: a name that ends in .py.
        numbers: how many numbers to remember, at most.
        seconds: how long to search; more seconds go on where fewer stopped.
        seed: of the search; on several cores as many searches run side by side, each with a seed of its own.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before something that takes seconds and happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game or rule, or numbers or seconds out of range.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or is no game of two players who win or lose.
        StorageError: if the file cannot be written.
    """
    file = Path(file)
    check_numbers(numbers)
    check_seconds(seconds, "a search")
    check_file(file, "a strategy", NAME)
    solution = solved(game, progress, notice, rules)
    found = solution.game
    features, subject = features_of(found, solution.rules, solution.values.states), at_risk(found, solution.rules)
    games = Games.of(solution, actions_of(found, solution.rules))
    searches = side_by_side(games, features, numbers, subject, seed)
    front = learn(searches, seconds, progress)
    wording = Wording(found, solution.rules, features, subject)
    best = front[-1].strategy
    source = wording.source(best, file.name)
    write_whole(file, lambda draft: draft.write_text(source, encoding="utf-8"))
    cards.keep(found, solution.rules, wording.text(best), source)
    policy = named.find(f"{file}:{NAME}", solution)
    optimal = named.find("optimal", solution)
    return Lesson(
        game=found,
        rules=solution.rules,
        strategy=tuple(wording.sentences(best)),
        numbers=best.numbers,
        match=play_match(solution, policy, optimal, progress=progress),
        worst_case=1.0 - best_response(solution, policy, progress=progress).average,
        costliest=_costliest(games, follow(best, features, solution.values.states)),
        file=file,
        front=tuple(Point(each.strategy.numbers, each.loss, wording.text(each.strategy)) for each in front),
        examples=tuple(_examples(games, features, best, wording)),
    )


def _costliest(games: Games, actions: NDArray[np.int16]) -> Mistake | None:
    """The position in which these actions give away most in a game; None if they give nothing away."""
    solution, costs, visits = games.solution, games.costs(actions), games.visits(actions)
    index = int(np.argmax(costs * visits))
    if costs[index] * visits[index] <= solution.error_bound:
        return None
    game, rules, table = solution.game, solution.rules, solution.values
    state = game.module.State(*table.states.fields(index))
    done, best = (game.label(rules, state, int(action)) for action in (actions[index], table.choices[index]))
    return Mistake(game.write(rules, state), done, best, float(costs[index]), float(visits[index]))


def _examples(games: Games, features: Sequence[Feature], strategy: Strategy, wording: Wording) -> Iterator[Example]:
    """Positions in which much depends on the decision, one for each of the parts of the strategy that decide most."""
    solution = games.solution
    game, rules, table = solution.game, solution.rules, solution.values
    clauses = [replace(clause, action=place) for place, clause in enumerate(strategy.clauses)]
    deciders = follow(Strategy(tuple(clauses), len(clauses)), features, table.states)
    actions = [*(clause.action for clause in strategy.clauses), strategy.default]
    taken = np.array(actions, np.int16)[deciders]
    weights = games.visits(taken) * games.regrets.max(axis=0) * (games.choices > 1)
    seen = [feature for feature in features if feature.form == "one"]
    most = sorted(range(len(actions)), key=lambda place: -float(weights[deciders == place].sum()))
    leading = {actions[place]: place for place in reversed(most)}.values()  # the first for each action
    for place in sorted([*leading, *(place for place in most if place not in leading)][:EXAMPLES]):
        decided = np.where(deciders == place, weights, 0.0)
        likely = np.argsort(-decided, kind="stable")[:LIKELY]
        known = [
            (game.module.State(*table.states.fields(int(index))), int(table.choices[index]))
            for index in likely
            if decided[index] > 0.0
        ]
        if known:
            shown = [({each.words: int(each.of(state)) for each in seen}, state, best) for state, best in known]
            told, state, best = max(
                shown, key=lambda each: (each[2] == actions[place], sum(value > 0 for value in each[0].values()))
            )
            yield Example(
                told,
                wording.worked(strategy, place, state),
                game.label(rules, state, actions[place]),
                game.label(rules, state, best),
            )
