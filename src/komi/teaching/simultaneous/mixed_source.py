"""The source code of a policy that follows a mixed strategy."""

from collections.abc import Sequence
from fractions import Fraction

from komi.rules.game import Game
from komi.teaching.policy_source import policy_module
from komi.teaching.simultaneous.mixes import Mix
from komi.teaching.strategy import Strategy
from komi.teaching.strategy_rendering import NAME, StrategyRenderer

_POLICY = '''def {name}(rules, state, action):
    """Return the probability of an action; where the mixture has no legal action, that of the first legal one is 1."""
    weights = _weights(rules, state)
    total, first = 0.0, -1
    for each in legal(rules, state):
        total += weights[each]
        if first < 0:
            first = each
    if total == 0.0:
        return 1.0 if action == first else 0.0
    return weights[action] / total


mixed = ({name},)  # functions that return probabilities


def _weights(rules, state):
    """Return the probability of each action, legal or not: {labels}."""
{body}
'''


def mixed_source(
    game: Game, file: str, renderer: StrategyRenderer, strategy: Strategy, mixes: Sequence[Mix], labels: Sequence[str]
) -> str:
    """Write a policy file that plays a mixed strategy.

    Args:
        game: the game.
        file: the name of the file.
        renderer: renders the strategy.
        strategy: the strategy.
        mixes: the mixtures that are its actions.
        labels: the name of each action of the game.
    """
    returned = [
        f"({', '.join(_number(weight) for weight in mix.weights(len(labels)))})  # {mix.text(labels)}" for mix in mixes
    ]
    about = "a mixed strategy to remember.\n\n" + "\n".join(renderer.sentences(strategy))
    code = _POLICY.format(name=NAME, labels=", ".join(labels), body=renderer.body(strategy, returned))
    use = ("match", f"{file}:{NAME} optimal --exploit")
    return policy_module(game, about, use, "from komi.rules.interface import legal\n", code)


def _number(weight: Fraction) -> str:
    """Write a probability as Python."""
    return f"{weight.numerator} / {weight.denominator}" if weight.denominator > 1 else f"{weight.numerator}.0"
