"""`komi.teach`: the best strategy that a person can remember, and its exact loss against optimal play."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from komi.arrays import I16
from komi.errors import SolveError
from komi.evaluation.audit import MatchResult
from komi.evaluation.losses import Mistake
from komi.evaluation.requirements import teaching_refusal
from komi.evaluation.strength import PolicyStrength, measure_strength
from komi.files import write_atomically
from komi.jit.kernels import Kernels, Notice
from komi.policies import named
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind
from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
from komi.solvers.solution import Solution
from komi.teaching import cheat_sheets
from komi.teaching.features import Feature, list_features
from komi.teaching.field_roles import find_risk_field
from komi.teaching.lesson import Lesson, LessonLimits, WorkedExample
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.parallel_search import create_searches, run_searches
from komi.teaching.simultaneous.mixed_lesson import learn_mixed
from komi.teaching.strategy import Strategy, strategy_actions
from komi.teaching.strategy_rendering import NAME, StrategyRenderer, count_actions
from komi.teaching.validation import check_file, check_numbers, check_seconds, solve_for_teaching
from komi.typing import GameLike, Rules

EXAMPLES = 3  # of positions: as many as fit on a cheat sheet
LIKELY = 3000  # positions, of which one with the fewest zeros is shown


@dataclass(frozen=True)
class FrontPoint:
    """A strategy on the front: none found with as few numbers has a smaller loss.

    Attributes:
        numbers: the number of numbers to remember.
        loss: its expected loss per game, as in `TeachingResult`.
        strategy: the strategy in words.
    """

    numbers: int
    loss: float
    strategy: str


@dataclass(frozen=True)
class TeachingSeconds:
    """The time of a search in seconds.

    Attributes:
        search: the time of the search itself.
        compile: the time for compiling or loading code, before, during and after the search.
        total: the time for all, with the solution of the game and the exact results.
    """

    search: float
    compile: float
    total: float


@dataclass(frozen=True)
class TeachingResult:
    """A strategy to remember.

    Attributes:
        game: the game.
        rules: its rules.
        kind: the kind of game that these rules define.
        strategy: the strategy, one sentence each.
        numbers: the number of numbers to remember.
        strength: its exact strength beside optimal play.
        costliest: the position with its largest regret, weighted by the frequency of the position; None if it loses
            nothing, or if players choose at the same time: the loss there is to a best response.
        file: the policy as Python; `komi match` accepts it as FILE.py:cheat_sheet.
        front: the best strategy found for each number of numbers.
        examples: positions that occur in games, each decided by another part of the strategy.
        seconds: the time that all took.
    """

    game: Game
    rules: Rules
    kind: Kind
    strategy: tuple[str, ...]
    numbers: int
    strength: PolicyStrength
    costliest: Mistake | None
    file: Path
    front: tuple[FrontPoint, ...]
    examples: tuple[WorkedExample, ...]
    seconds: TeachingSeconds

    def __repr__(self) -> str:
        return f"<TeachingResult of {self.game.name}: {self.numbers} numbers, loss {self.loss:.6f}, in {self.file}>"

    @property
    def match(self) -> MatchResult:
        """The exact result of its games with optimal play, as `komi match` reports it."""
        return self.strength.match

    @property
    def worst_case(self) -> float | None:
        """With two players, its value against a best response, averaged over both seats; else None."""
        return self.strength.worst_case

    @property
    def loss(self) -> float:
        """Its expected loss per game, averaged over all seats: against optimal play.

        Where players choose at the same time, it is the loss against a best response: its exploitability.
        """
        return self.strength.loss


def teach(
    game: GameLike,
    file: Path | str,
    *,
    numbers: int = 3,
    seconds: float = 60.0,
    seed: int = 1,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> TeachingResult:
    """Search for the best strategy with at most a number of numbers to remember.

    Where players choose at the same time, strategies mix actions in simple proportions.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the file to write the strategy to as a policy, with a name that ends in .py.
        numbers: the greatest number of numbers to remember.
        seconds: the time limit of the search, without compiling and the exact results; a longer search continues a
            shorter one.
        seed: the seed of the search; one search runs on each core, each with another seed (only one where players
            choose at the same time).
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game or rule, or numbers or seconds out of range.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or strategies cannot be searched in it: see `solve_for_teaching`.
        StorageError: if the file cannot be written.
    """
    begin, compiled_before = time.perf_counter(), Kernels.total_seconds
    file, found = Path(file), catalog.find(game)
    check_numbers(numbers, least=0 if found.has("actions") else 1)  # else actions are numbers to remember
    check_seconds(seconds, "a search")
    check_file(file, "a strategy", NAME)
    solution = solve_for_teaching(found, progress, notice, rules, teaching_refusal)
    found = solution.game
    limits = LessonLimits(numbers, seconds, seed)
    if isinstance(solution, SimultaneousSolution):
        lesson = learn_mixed(solution, file.name, limits, progress)
    else:
        lesson = _learn(solution, file.name, limits, progress)
    write_atomically(file, lambda draft: draft.write_text(lesson.source, encoding="utf-8"))
    best = lesson.front[-1].strategy
    cheat_sheets.store(found, solution.rules, lesson.renderer.text(best), lesson.source)
    return TeachingResult(
        game=found,
        rules=solution.rules,
        kind=solution.kind,
        strategy=tuple(lesson.renderer.sentences(best)),
        numbers=best.numbers,
        strength=measure_strength(solution, named.find(f"{file}:{NAME}", solution), progress),
        costliest=lesson.costliest,
        file=file,
        front=tuple(
            FrontPoint(point.strategy.numbers, point.loss, lesson.renderer.text(point.strategy))
            for point in lesson.front
        ),
        examples=lesson.examples,
        seconds=TeachingSeconds(lesson.seconds, Kernels.total_seconds - compiled_before, time.perf_counter() - begin),
    )


def _learn(solution: Solution[Any], file: str, limits: LessonLimits, progress: Progress) -> Lesson:
    """Search for strategies that take one action in each state."""
    game, rules = solution.game, solution.rules
    evaluator = LossEvaluator.of(solution, count_actions(game, rules))
    features = list_features(game, rules, solution.optimal_play.states, evaluator.choices)
    if not features:
        raise SolveError(f"no number varies where a player of {game.name} chooses: 'komi value' shows the best action.")
    subject = find_risk_field(game, rules)
    searches = create_searches(evaluator, features, limits.numbers, subject, limits.seed)
    begin = time.perf_counter() - Kernels.total_seconds
    front = run_searches(searches, limits.seconds, progress)
    seconds = time.perf_counter() - Kernels.total_seconds - begin
    renderer, best = StrategyRenderer(game, rules, features, subject), front[-1].strategy
    return Lesson(
        front=front,
        seconds=seconds,
        renderer=renderer,
        source=renderer.source(best, file),
        costliest=_costliest(
            evaluator, evaluator.legalize(strategy_actions(best, features, solution.optimal_play.states))
        ),
        examples=tuple(_examples(evaluator, features, best, renderer)),
    )


def _costliest(evaluator: LossEvaluator, actions: I16) -> Mistake | None:
    """Find the position with the largest weighted regret of these actions; None if they lose nothing."""
    solution, regrets, visits = evaluator.solution, evaluator.action_regrets(actions), evaluator.visits(actions)
    index = int(np.argmax(regrets * visits))
    loss = solution.kind.payoffs.difference(float(regrets[index]))
    if loss * visits[index] <= solution.error_bound:
        return None
    game, rules, arrays = solution.game, solution.rules, solution.optimal_play
    state = game.module.State(*arrays.states.fields(index))
    played, best = (game.label(rules, state, int(action)) for action in (actions[index], arrays.choices[index]))
    return Mistake(game.write(rules, state), played, best, loss, float(visits[index]))


def _examples(
    evaluator: LossEvaluator, features: Sequence[Feature], strategy: Strategy, renderer: StrategyRenderer
) -> Iterator[WorkedExample]:
    """Yield positions where much is at stake, one for each of the clauses of the strategy that decide most."""
    solution = evaluator.solution
    game, rules, arrays = solution.game, solution.rules, solution.optimal_play
    deciders = strategy_actions(strategy.numbered, features, arrays.states)
    actions = [*(clause.action for clause in strategy.clauses), strategy.default]
    strategy_choices = np.array(actions, np.int16)[deciders]
    weights = evaluator.visits(strategy_choices) * evaluator.regrets.max(axis=0) * (evaluator.choices > 1)
    is_played = evaluator.legalize(strategy_choices) == strategy_choices
    visible = [feature for feature in features if feature.form == "identity"]
    by_weight = sorted(range(len(actions)), key=lambda clause: -float(weights[deciders == clause].sum()))
    leading = {actions[clause]: clause for clause in reversed(by_weight)}.values()  # the first for each action
    for clause in sorted([*leading, *(other for other in by_weight if other not in leading)][:EXAMPLES]):
        clause_weights = np.where((deciders == clause) & is_played, weights, 0.0)
        likely = np.argsort(-clause_weights, kind="stable")[:LIKELY]
        positions = [
            (game.module.State(*arrays.states.fields(int(index))), int(arrays.choices[index]))
            for index in likely
            if clause_weights[index] > 0.0
        ]
        if positions:
            candidates = [
                ({feature.text: int(feature.evaluate(state)) for feature in visible}, state, best)
                for state, best in positions
            ]
            fields, state, best = max(
                candidates, key=lambda each: (each[2] == actions[clause], sum(value > 0 for value in each[0].values()))
            )
            yield WorkedExample(
                fields,
                renderer.explain(strategy, clause, state),
                game.label(rules, state, actions[clause]),
                game.label(rules, state, best),
            )
