"""The source code of policies."""

from komi.rules.game import Game
from komi.rules.source import BUILT_IN

PREFERRED = "_preferred_action"  # the function of a policy file that returns its action, legal or not

_MODULE = '''"""{title}: {about}

komi {command} {game} {arguments}
"""

{imports}

{code}'''
_POLICY = '''{constants}
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


def policy_module(game: Game, about: str, use: tuple[str, str], imports: str, code: str) -> str:
    """Write a module with a policy.

    Args:
        game: the game.
        about: the description of the policy.
        use: the command of komi that uses the policy, and its arguments after the game.
        imports: the imports.
        code: the rest of the module.
    """
    return _MODULE.format(
        title=game.summary.partition(":")[0],
        about=about,
        command=use[0],
        game=game.name if game.module.__name__.startswith(BUILT_IN) else game.file.name,
        arguments=use[1],
        imports=imports,
        code=code,
    )


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
    opponent = "" if game.module.players == 1 else " optimal"
    code = _POLICY.format(constants=constants, name=name, preferred=PREFERRED, what=what, body=body)
    imports += "from komi.rules.interface import legal\n"
    return policy_module(game, about, ("match", f"{file}:{name}{opponent}"), imports, code)
