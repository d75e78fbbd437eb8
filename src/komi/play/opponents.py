"""Opponents of three strengths for any game: names, titles and summaries.

In press-your-luck races the usual three are one that continues only while the points to gain are more than twice those
at stake, one that maximizes the expected points of each turn, and optimal play. In games without chance they look some
moves ahead, and choose at random among moves that they cannot tell apart. A rule file may define its own opponents.
Which of them is Easy, Medium and Hard depends on their measured strength; see `strengths`.
"""

from dataclasses import dataclass
from difflib import get_close_matches

from komi.errors import GameError, InputError
from komi.play import ranking, searching
from komi.policies import learned, named
from komi.policies.policy import UniformPolicy
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.solvers.solve import is_solvable
from komi.teaching import cheat_sheets
from komi.typing import Rules

OPTIMAL = "optimal"  # the name of the strongest policy


@dataclass(frozen=True)
class Opponent:
    """An opponent that a person can play against.

    Attributes:
        name: its identifier.
        title: its name as shown to people.
        summary: how it plays, in one sentence.
        policy: the name of its policy.
    """

    name: str
    title: str
    summary: str
    policy: str


SUMMARY_RANDOM = "Picks any legal move."
SUMMARY_OPTIMAL = "Plays optimally: no one can do better."
SUMMARY_LEARNED = "Plays as it learned last, by planning or from games against itself."
SUMMARY_OPTIMAL_ALONE = "Plays its own game optimally and ignores the others."
RACE = {
    "cautious:2": "Overly cautious: continues only if it can expect to gain twice as much as it risks.",
    "max-score": "Maximizes the expected points of each turn, whatever the scores are.",
    OPTIMAL: SUMMARY_OPTIMAL,
}
CHANCE = {"random": SUMMARY_RANDOM, "ahead:6": "Looks six moves ahead.", OPTIMAL: SUMMARY_OPTIMAL}
BOARD = {
    "ahead:1": "Wins at once if it can; otherwise picks any legal move.",
    "ahead:4": "Looks four moves ahead.",
    OPTIMAL: "Plays perfectly: wins as soon, or loses as late, as possible.",
}
HIDDEN = {
    "random": SUMMARY_RANDOM,
    OPTIMAL: "Plays optimally: randomizes so that no opponent can exploit it.",
}
MULTIPLAYER = {
    "random": SUMMARY_RANDOM,
    OPTIMAL: "Plays the Nash equilibrium that komi found: no player gains by deviating alone.",
}
LEVELS = (("easy", "Easy"), ("medium", "Medium"), ("hard", "Hard"))
CHEAT_SHEET = "card"
LEARNED = "learned"
MIN_SIMILARITY = 0.8  # minimum similarity of a mistyped name, as `difflib` measures it
TITLES = {**dict(LEVELS), CHEAT_SHEET: "Cheat sheet", LEARNED: "Learned"}
ALIASES = {"cheat_sheet": CHEAT_SHEET, "cheat-sheet": CHEAT_SHEET}


def title_of(name: str) -> str:
    """Return the title of the opponent with this name, for any game."""
    return TITLES.get(name, name)


def available(game: Game, rules: Rules) -> tuple[Opponent, ...]:
    """Return the game's opponents: its levels, and those that `komi.teach` and `komi.learn` have made last."""
    offered = list(levels(game, rules))
    if not offered or not _can_follow_policies(game, rules):
        return tuple(offered)
    if sheet := cheat_sheets.load(game, rules):
        summary = f"Follows the cheat sheet: {sheet.text}"
        offered.append(Opponent(CHEAT_SHEET, title_of(CHEAT_SHEET), summary, sheet.policy))
    if file := learned.find_last(game, rules):
        offered.append(Opponent(LEARNED, title_of(LEARNED), SUMMARY_LEARNED, f"{LEARNED}:{file}"))
    return tuple(offered)


def _can_follow_policies(game: Game, rules: Rules) -> bool:
    """Return whether taught and learned policies can play: in duels without chance only the solution and search can."""
    kind = kind_of(game, rules)
    return kind.chance or kind.hidden or kind.seats == 1 or kind.has_seat_values


def levels(game: Game, rules: Rules) -> tuple[Opponent, ...]:
    """Return the opponents from the easiest to the hardest, without solving the game.

    Until their strengths are measured, they are in the expected order.
    """
    if game.players(rules) == 1:
        return ()
    summaries = _summaries(game, rules)
    order = ranking.cached_order(game, rules, tuple(summaries))
    named_levels = LEVELS if len(order) > 2 else LEVELS[::2]
    return tuple(
        Opponent(name, title, summaries[policy], policy)
        for (name, title), policy in zip(named_levels, order, strict=False)
    )


def find(name: str | None, game: Game, rules: Rules) -> Opponent:
    """Return the opponent with this name, or one that plays the policy with this name; the hardest if none is given.

    Raises:
        InputError: if the game has no such opponent.
    """
    ascending = levels(game, rules)
    if not ascending:
        raise InputError(f"{game.name} is a single-player game: it has no opponents.")
    if name is None:
        return ascending[-1]
    name = ALIASES.get(name, name)
    known = available(game, rules)
    for opponent in known:
        if opponent.name == name:
            return opponent
    made = (CHEAT_SHEET, LEARNED) if _can_follow_policies(game, rules) else ()
    if name == CHEAT_SHEET and name in made:
        raise InputError(f"{game.name} has no cheat sheet yet: `komi teach {game.name}` makes one.")
    if name == LEARNED and name in made:
        raise InputError(f"{game.name} has not been learned yet under these rules: `komi learn {game.name}` does so.")
    if name in (CHEAT_SHEET, LEARNED, *(level for level, _ in LEVELS)):
        raise InputError(
            f"{game.name} has no opponent {name!r}, only {', '.join(opponent.name for opponent in known)}."
        )
    near = get_close_matches(name, [level for level, _ in LEVELS], 1, MIN_SIMILARITY)
    if near:
        raise InputError(f"{game.name} has no opponent {name!r}: did you mean {near[0]!r}?")
    return Opponent(name, title_of(name), f"Plays the policy {name}.", name)


def _summaries(game: Game, rules: Rules) -> dict[str, str]:
    """Return the policies of the levels in the expected order, each with a summary of how it plays."""
    if game.has("opponents") and (summaries := _summaries_of_game(game, rules)):
        return summaries
    if not is_solvable(game, game.alone(rules)):
        return {UniformPolicy.name: SUMMARY_RANDOM} | _searching(game, rules)
    if game.alone(rules) != rules:
        return {UniformPolicy.name: SUMMARY_RANDOM, OPTIMAL: SUMMARY_OPTIMAL_ALONE}
    if game.players(rules) == 2 and kind_of(game, rules).hidden:
        return HIDDEN
    if kind_of(game, rules).has_seat_values:
        return MULTIPLAYER
    if named.is_race_to_goal(game, rules):
        return RACE
    return CHANCE if kind_of(game, rules).chance else BOARD


def _searching(game: Game, rules: Rules) -> dict[str, str]:
    """Return the policies that search, the quicker first, each with a summary; none if the game cannot be searched."""
    found = {
        searching.policy_name(game, rules, searching.MEDIUM): searching.SUMMARY_MEDIUM,
        searching.policy_name(game, rules, searching.HARD): searching.SUMMARY_HARD,
    }
    return {policy: summary for policy, summary in found.items() if policy is not None}


def _summaries_of_game(game: Game, rules: Rules) -> dict[str, str]:
    """Return the opponents that the game's file defines."""
    try:
        listed = {str(policy): str(summary) for policy, summary in game.part("opponents")(rules)}
    except (TypeError, ValueError):
        raise GameError(f"{game.file.name}: 'opponents' must yield pairs (name of a policy, how it plays).") from None
    if len(listed) > named.MAX_OPPONENTS:
        raise GameError(f"{game.file.name}: 'opponents' yields {len(listed)} pairs, more than {named.MAX_OPPONENTS}.")
    return {searching.on_this_system(policy): summary for policy, summary in listed.items()}
