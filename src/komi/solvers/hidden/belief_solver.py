"""The solution of a game for one player with hidden information: a policy of what the player sees, and its values."""

import numpy as np

from komi.errors import SolveError
from komi.proof.audit import MAX_STATES, ListedPlay, one_hot, prove
from komi.proof.certificate import as_read, rule_fields
from komi.proof.nodes import list_nodes
from komi.rules.kind import Kind
from komi.solvers.hidden.belief_values import BeliefValues, find_belief_values
from komi.solvers.hidden.hidden_solver import HiddenSolution
from komi.solvers.numeric_solution import NumericSolution
from komi.solvers.solution import OptimalPlay
from komi.solvers.solver import Solver, hidden_refusal
from komi.solvers.stochastic.optimal_values import objective_of


class PartiallyObservableSolution(HiddenSolution):
    """Optimal play of one player who does not see everything.

    Values depend on what the player observes, and an optimal action is a function of it: what is hidden has its
    conditional probability, given all that the player has seen and done. Where chance moves, all of the state is given.

    Example:
        >>> import komi
        >>> monty_hall = komi.solve("examples/monty_hall.py")
        >>> round(monty_hall.value(), 6), monty_hall.best({"step": 3, "picked": 1, "opened": "door-3"})
        (0.666667, 'switch to door 2')
    """

    @property
    def optimal_play(self) -> OptimalPlay:
        """Optimal play in all states as arrays."""
        return OptimalPlay(self.data.states, self.data.values, self.data.choices)  # type: ignore[attr-defined]

    @property
    def scale(self) -> float:
        """The scale of the error bound: that of expected rewards is relative to the largest of them."""
        return max(1.0, float(abs(self.data.values).max(initial=0.0))) if self.kind.rewards else 1.0

    bellman_violation = NumericSolution.bellman_violation
    _ranked = NumericSolution._ranked

    def audit(self, play: ListedPlay) -> bool:
        """Check what the policy attains, and that none is better, by the beliefs that the checker lists."""
        objective, value, sign = objective_of(self.kind), self.value(), objective_of(self.kind).sign
        index = self.data.states.indices_of_fields(play.flat_fields(self.game))
        policy = one_hot(play, self.optimal_play.choices[index].astype(np.int64))
        models = [(play.model(sign, (policy,)), "the optimal policy")]
        certificate = as_read({**rule_fields(self.game, self.rules), "policies": []})
        try:
            models.append((list_nodes(certificate, 0, [None], MAX_STATES), "optimal play"))
        except SolveError:
            return False
        is_confirmed = True
        for model, what in models:
            results = np.full(len(model.ends), np.nan)
            results[0] = sign * value
            found = prove(model, results, objective.lowest, objective.highest)
            named = f"the value of {what} of {self.game.name}"
            is_confirmed &= found is not None and found.check(results, self.error_bound, [self.read(None)], named)
        return is_confirmed


def refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses an average, or a game without hidden information; None for all other games."""
    if kind.average:
        return hidden_refusal(kind)
    return None if kind.hidden else f"{kind.name} hides nothing from its player."


PARTIALLY_OBSERVABLE = Solver(
    "partially-observable", BeliefValues, PartiallyObservableSolution, range(1, 2), refusal, find_belief_values
)
"""Partially observable Markov decision processes whose view determines the belief (Astrom 1965)."""
