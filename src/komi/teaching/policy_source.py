"""The source code of a policy that prefers one action in each state, legal or not."""

from komi.rules.game import Game
from komi.rules.source import BUILT_IN

PREFERRED = "_preferred_action"  # the function of a policy file that returns its action, legal or not

_POLICY = '''"""{title}: {about}

komi match {game} {file}:{name}{opponent}
"""

{imports}from komi.rules.interface import legal

{constants}
def {name}(rules, state):
    """Return the action of the {what}, or the first legal one if that is not legal."""
    preferred = {preferred}(rules, state)
    chosen = -1
    for action in legal(rules, state):
        if chosen < 0 or action == preferred:
            chosen = action
    return chosen


def {preferred}(rules, state):
{body}
'''


def policy_source(
    game: Game, file: str, name: str, what: str, about: str, body: str, constants: str = "", imports: str = "",
) -> str:  # fmt: skip
    """Write a module with a policy, which plays the first legal action where the preferred one is not legal.

    Args:
        game: the game.
        file: the name of the module's file.
        name: the name of the policy.
        what: the kind of policy, such as "strategy".
        about: the description of the policy.
        body: the body of the function that takes (rules, state) and returns the preferred action.
        constants, imports: lines of the module that the body needs.
    """
    return _POLICY.format(
        title=game.summary.partition(":")[0],
        game=game.name if game.module.__name__.startswith(BUILT_IN) else game.file.name,
        opponent="" if game.module.players == 1 else " optimal",
        file=file,
        name=name,
        preferred=PREFERRED,
        what=what,
        about=about,
        body=body,
        constants=constants,
        imports=imports,
    )
