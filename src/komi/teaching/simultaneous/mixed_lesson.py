"""Strategies to remember for a solved game of simultaneous choice, with worked examples."""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from komi.errors import SolveError
from komi.jit.kernels import Kernels
from komi.progress import Progress
from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
from komi.teaching.features import Feature, list_features
from komi.teaching.field_roles import find_risk_field
from komi.teaching.lesson import Lesson, LessonLimits, WorkedExample
from komi.teaching.simultaneous.mixed_decisions import MixedGames
from komi.teaching.simultaneous.mixed_search import MixedSearch
from komi.teaching.simultaneous.mixed_source import mixed_source
from komi.teaching.simultaneous.mixes import list_mixes
from komi.teaching.strategy import Strategy, strategy_actions
from komi.teaching.strategy_rendering import StrategyRenderer, action_labels

MAX_ACTIONS = 8  # of which every two can be mixed
EXAMPLES = 3  # of positions: as many as fit on a cheat sheet


def learn_mixed(solution: SimultaneousSolution, file: str, limits: LessonLimits, progress: Progress) -> Lesson:
    """Search for strategies that mix actions.

    Raises:
        SolveError: if the game has too many actions.
    """
    game, rules = solution.game, solution.rules
    labels = action_labels(game, rules)
    if len(labels) > MAX_ACTIONS:
        raise SolveError(
            f"komi teaches mixed strategies for games of up to {MAX_ACTIONS} actions: {game.name} has {len(labels)}."
        )
    games, mixes = MixedGames(solution), list_mixes(len(labels))
    features = [
        feature
        for feature in list_features(game, rules, games.states, games.choices)
        if not games.hidden_fields & {quantity.field for quantity in feature.quantities}
    ]
    subject = find_risk_field(game, rules)
    search = MixedSearch(games, features, mixes, len(labels), limits.numbers, subject, limits.seed)
    begin = time.perf_counter() - Kernels.total_seconds
    search.run(limits.seconds, progress)
    seconds = time.perf_counter() - Kernels.total_seconds - begin
    mix_labels = [mix.text(labels) for mix in mixes]
    renderer = StrategyRenderer(game, rules, features, subject, mix_labels)
    front = search.front()
    best = front[-1].strategy
    return Lesson(
        front=front,
        seconds=seconds,
        renderer=renderer,
        source=mixed_source(game, file, renderer, best, mixes, labels),
        costliest=None,
        examples=tuple(_examples(search, games, features, best, renderer, mix_labels)),
    )


def _examples(
    search: MixedSearch,
    games: MixedGames,
    features: Sequence[Feature],
    strategy: Strategy,
    renderer: StrategyRenderer,
    mix_labels: Sequence[str],
) -> Iterator[WorkedExample]:
    """Yield a frequent position of the strategy's games for each of the first clauses."""
    solution = games.solution
    game, rules = solution.game, solution.rules
    decisions = games.decisions(search.probabilities(strategy), solution.data.mixes, games.optimal_values, 0)
    visible = [feature for feature in features if feature.form == "identity"]
    deciders = strategy_actions(strategy.numbered, features, games.states)[decisions.indices]
    actions = [*(clause.action for clause in strategy.clauses), strategy.default]
    for clause, leaf in list(enumerate(actions))[:EXAMPLES]:
        visits = np.where(deciders == clause, decisions.visits, 0.0)
        if visits.any():
            index = int(decisions.indices[np.argmax(visits)])
            state = game.module.State(*games.states.fields(index))
            shares = zip(game.labels(rules, state), solution.data.mixes[index], strict=False)
            best = ", ".join(f"{label} {100 * share:.0f} %" for label, share in shares if share > 0.0005)
            yield WorkedExample(
                {feature.text: int(feature.evaluate(state)) for feature in visible},
                renderer.explain(strategy, clause, state),
                mix_labels[leaf],
                mix_labels[leaf] if best == f"{mix_labels[leaf]} 100 %" else best,
            )
