"""All equilibria of a small game for two: found by Gambit, verified by komi in exact arithmetic.

    import komi.gambit

    komi.gambit.equilibria("stag_hunt.py")

The game is a bimatrix game (A, B) of pure strategies: an action in each information set of its tree, strategies with
the same payoffs counted once. Gambit lists the extreme equilibria (x, y); all others are mixtures of those. Nothing
rests on Gambit but that the list is complete: komi computes what each seat could gain by deviating,

    max over i of (A y)[i] - x A y    and    max over j of (x B)[j] - x B y,

in fractions, and raises an error where that is not 0 (R. D. McKelvey, A. McLennan and T. Turocy, Gambit: Software Tools
for Game Theory; D. Avis, G. Rosenberg, R. Savani and B. von Stengel, Enumeration of Nash equilibria for two-player
games, Economic Theory 42, 2010).
"""

import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from komi.errors import AuditError, InputError
from komi.exporting.game_tree import efg
from komi.rules.catalog import find
from komi.typing import GameLike

MAX_STRATEGIES = 64  # of a seat
MAX_DIFFERENT = 12  # strategies of a seat with different payoffs: the enumeration takes exponential time
MAX_VISITS = 5_000_000  # of nodes, in all pairs of strategies

Matrix = list[list[Fraction]]


class BimatrixEquilibrium(NamedTuple):
    """A Nash equilibrium of a game for two.

    Attributes:
        strategies: of each seat, the strategies that it plays with their probabilities; a strategy is named by its
            action in each information set, in the order of the game tree.
        payoffs: what each seat gets.
    """

    strategies: tuple[dict[str, Fraction], dict[str, Fraction]]
    payoffs: tuple[Fraction, Fraction]


def equilibria(game: GameLike, **rules: object) -> list[BimatrixEquilibrium]:
    """List the extreme Nash equilibria of a small game for two.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        **rules: the rules to change, by name.

    Raises:
        InputError: if the game is too large, or not for two, or pygambit is not installed.
        AuditError: if a profile that Gambit lists is no equilibrium.
    """
    try:
        import pygambit
    except ImportError:
        raise InputError("komi.gambit needs pygambit: pip install 'komi[gambit]'.") from None
    form = NormalForm(find(game), rules)
    if max(len(form.rows), len(form.rows[0])) > MAX_DIFFERENT:
        raise InputError(
            f"{form.name} has {len(form.rows)} and {len(form.rows[0])} different strategies, more than "
            f"{MAX_DIFFERENT}: choose smaller rules."
        )
    table = pygambit.Game.from_arrays(*(np.array(each, object) for each in (form.rows, form.columns)))
    found = []
    for profile in pygambit.nash.enummixed_solve(table, rational=True).equilibria:
        mixes = [[Fraction(str(profile[each])) for each in player.strategies] for player in table.players]
        found.append(form.verified(*mixes))
    return sorted(found, key=lambda each: each.payoffs, reverse=True)


class NormalForm:
    """A game for two as a bimatrix game.

    Attributes:
        name: of the game.
        rows, columns: the payoffs of the first and of the second seat, by both strategies.
    """

    name: str
    rows: Matrix
    columns: Matrix

    def __init__(self, game: Any, changes: dict[str, object]) -> None:
        rules = game.rules(changes)
        if game.players(rules) != 2:
            raise InputError(f"{game.name} is not for two players: Gambit lists all equilibria of games for two.")
        text, nodes = efg(game, rules, game.name)
        tree = _read(iter(text.split("\n")[3:]))
        choices = [dict(sorted(_choices(tree, seat).items())) for seat in (0, 1)]
        sizes = [prod(map(len, each.values())) for each in choices]
        if max(sizes) > MAX_STRATEGIES or nodes * prod(sizes) > MAX_VISITS:
            raise InputError(
                f"{game.name} has {sizes[0]:,} and {sizes[1]:,} pure strategies, more than {MAX_STRATEGIES}, or too "
                "large a tree: choose smaller rules."
            )
        names, pures = zip(*map(_strategies, choices), strict=True)
        payoffs = [[_payoffs(tree, first | second) for second in pures[1]] for first in pures[0]]
        kept = [_different(payoffs), _different(list(map(list, zip(*payoffs, strict=True))))]
        self.name = game.name
        self._names = [[names[seat][each] for each in kept[seat]] for seat in (0, 1)]
        self.rows, self.columns = ([[payoffs[i][j][seat] for j in kept[1]] for i in kept[0]] for seat in (0, 1))

    def verified(self, x: Sequence[Fraction], y: Sequence[Fraction]) -> BimatrixEquilibrium:
        """Return an equilibrium.

        Raises:
            AuditError: if a seat could gain by deviating, or a strategy is no distribution.
        """
        replies = [_times(self.rows, y), _times(list(map(list, zip(*self.columns, strict=True))), x)]
        payoffs = [_dot(mix, reply) for mix, reply in zip((x, y), replies, strict=True)]
        if any(max(reply) != payoff for reply, payoff in zip(replies, payoffs, strict=True)) or any(
            sum(mix) != 1 or min(mix) < 0 for mix in (x, y)
        ):
            raise AuditError("Gambit lists a profile of strategies that is no equilibrium.")
        named = [
            {n: p for n, p in zip(names, mix, strict=True) if p} for names, mix in zip(self._names, (x, y), strict=True)
        ]
        return BimatrixEquilibrium((named[0], named[1]), (payoffs[0], payoffs[1]))


class _TreeNode(NamedTuple):
    """A node of a game tree.

    Attributes:
        payoffs: of both seats, at a leaf; else empty.
        seat, number: the seat to move, and its information set; -1 where chance moves.
        labels: of its actions.
        chances: of its children where chance moves.
        children: the nodes after it.
    """

    payoffs: tuple[Fraction, ...]
    seat: int
    number: int
    labels: list[str]
    chances: list[Fraction]
    children: list["_TreeNode"]


def _read(lines: Iterator[str]) -> _TreeNode:
    """Read a tree as `exporting.game_tree` writes it, children after their parent."""
    kind, _, *words = shlex.split(next(lines))
    inside = words[words.index("{") + 1 : words.index("}")]
    if kind == "t":
        return _TreeNode(tuple(Fraction(word.rstrip(",")) for word in inside), -1, -1, [], [], [])
    if kind == "c":
        chances = [Fraction(word) for word in inside[1::2]]
        return _TreeNode((), -1, -1, [], chances, [_read(lines) for _ in chances])
    return _TreeNode((), int(words[0]) - 1, int(words[1]), inside, [], [_read(lines) for _ in inside])


def _choices(node: _TreeNode, seat: int) -> dict[int, list[str]]:
    """Return the labels of the actions in each information set of a seat."""
    found = {node.number: node.labels} if node.seat == seat else {}
    for child in node.children:
        found |= _choices(child, seat)
    return found


def _strategies(choices: dict[int, list[str]]) -> tuple[list[str], list[dict[int, int]]]:
    """Return the names of all pure strategies, and their action in each information set."""
    ranks = list(product(*(range(len(labels)) for labels in choices.values())))
    names = [", ".join(labels[each] for labels, each in zip(choices.values(), of, strict=True)) for of in ranks]
    return names, [dict(zip(choices, of, strict=True)) for of in ranks]


def _payoffs(node: _TreeNode, taken: dict[int, int]) -> tuple[Fraction, ...]:
    """Return the expected payoffs of both seats."""
    if node.payoffs:
        return node.payoffs
    if node.seat >= 0:
        return _payoffs(node.children[taken[node.number]], taken)
    after = [_payoffs(child, taken) for child in node.children]
    return tuple(_dot(node.chances, each) for each in zip(*after, strict=True))


def _different(rows: Sequence[object]) -> list[int]:
    """Return the indices of the rows that differ from all before."""
    return [index for index, row in enumerate(rows) if row not in rows[:index]]


def _times(matrix: Matrix, mix: Sequence[Fraction]) -> list[Fraction]:
    return [_dot(row, mix) for row in matrix]


def _dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))
