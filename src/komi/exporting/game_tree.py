"""Small games as extensive-form games in Gambit's format (.efg): the whole tree, with information sets.

Nodes at which a player has seen and done the same belong to one information set; without hidden information each is a
separate set. An action with several outcomes is followed by a chance node. The payoffs of a leaf are the payoffs at
the end and all rewards before it, negative if the aim is the least.
"""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from komi.errors import GameError, InputError
from komi.exporting.exact_numbers import exact_distribution, exact_number
from komi.game import CHANCE
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter, Move
from komi.rules.kind import kind_of
from komi.typing import Rules, State

MAX_NODES = 100_000  # Gambit reads such a tree in seconds, but solves only much smaller ones


class Node(NamedTuple):
    """A node of the tree.

    Attributes:
        state: the state of the rules.
        seat: the seat to move, from 0.
        histories: for each seat the number of what it has seen and done: the observations and actions at its
            decisions, and the open actions of all.
        gained: the rewards of each seat so far.
        pending: the move whose outcome is drawn here; None elsewhere.
    """

    state: State
    seat: int
    histories: tuple[int, ...]
    gained: tuple[Fraction, ...]
    pending: Move | None = None


def efg(game: Game, rules: Rules, title: str) -> tuple[str, int]:
    """Write a game as an extensive-form game; return the text, and the number of nodes.

    Raises:
        InputError: if the tree is too large.
        GameError: if the rules are broken, or states with the same view have different legal actions.
    """
    tree = _Tree(game, rules)
    tree.check_size()
    lines = list(tree.lines())
    players = " ".join(_quoted(f"player {seat + 1}") for seat in range(tree.seats))
    head, _, comment = title.partition("\n")
    return "\n".join([f"EFG 2 R {_quoted(head)} {{ {players} }}", _quoted(comment), "", *lines]) + "\n", len(lines)


class _Tree:
    """The traversal of a game tree."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game, self.rules = game, rules
        self.interpreter = Interpreter(game, rules)
        kind = kind_of(game, rules)
        self.seats, self.is_hidden = kind.seats, kind.hidden
        self.sign = -1 if kind.aim == "least" else 1
        self.histories: dict[Hashable, int] = {(): 0}  # by the history before, and what came then
        self.information_sets: dict[Hashable, tuple[int, list[int]]] = {}
        self.outcomes: dict[tuple[Fraction, ...], int] = {}
        self.chance_nodes = 0

    def check_size(self) -> None:
        """Refuse a large tree at once: count its histories ply by ply, those with the same state together."""
        counts, nodes = {self.interpreter.start(): 1}, 0
        while counts:
            nodes += sum(counts.values())
            self._refuse_more(nodes)
            after: dict[State, int] = {}
            for state, count in counts.items():
                if not self.interpreter.is_over(state):
                    for move in self.interpreter.moves(state):
                        for successor in {outcome[1] for outcome in move.outcomes if outcome[0] > 0.0}:
                            after[successor] = after.get(successor, 0) + count
            counts = after

    def _refuse_more(self, nodes: int) -> None:
        if nodes > MAX_NODES:
            raise InputError(
                f"the tree of {self.game.name} has more than {MAX_NODES:,} nodes, or no end: choose smaller rules."
            )

    def lines(self) -> Iterator[str]:
        """Yield the line of each node, children after their parent."""
        start = self.interpreter.start()
        stack = [Node(start, 0, (0,) * self.seats, (Fraction(0),) * self.seats)]
        count = 0
        while stack:
            for problem in self.interpreter.problems.values():
                raise GameError(str(problem), problem.state)
            count += 1
            self._refuse_more(count)
            line, children = self._visit(stack.pop())
            stack.extend(reversed(children))
            yield line

    def _visit(self, node: Node) -> tuple[str, list[Node]]:
        if node.pending:
            return self._chance(node, node.pending)
        if self.interpreter.is_over(node.state):
            return self._leaf(node), []
        moves = self.interpreter.moves(node.state)
        if len(moves) == 1 and moves[0].action == CHANCE:
            return self._chance(node, moves[0])
        return self._decision(node, moves)

    def _leaf(self, node: Node) -> str:
        payoffs = self.game.payoffs(self.rules, node.state)
        total = tuple(
            gained + self.sign * exact_number(float(payoffs[(seat - node.seat) % self.seats]))
            for seat, gained in enumerate(node.gained)
        )
        outcome = self.outcomes.setdefault(total, len(self.outcomes) + 1)
        return f't "" {outcome} "" {{ {", ".join(map(str, total))} }}'

    def _chance(self, node: Node, move: Move) -> tuple[str, list[Node]]:
        outcomes = [outcome for outcome in move.outcomes if outcome[0] > 0.0]
        merged: dict[Any, Fraction] = {}
        for probability, (_, after, passes) in zip(
            exact_distribution([outcome[0] for outcome in outcomes]), outcomes, strict=True
        ):
            merged[after, passes] = merged.get((after, passes), Fraction(0)) + probability
        self.chance_nodes += 1
        events = " ".join(
            f"{_quoted(self.game.event(self.rules, node.state, move.action, after))} {probability}"
            for (after, _), probability in merged.items()
        )
        children = [self._after(node, move.action, after, passes) for after, passes in merged]
        return f'c "" {self.chance_nodes} "" {{ {events} }} 0', children

    def _decision(self, node: Node, moves: list[Move]) -> tuple[str, list[Node]]:
        seen = self.game.part("view")(self.rules, node.state) if self.is_hidden else len(self.information_sets)
        key = (node.seat, node.histories[node.seat], seen)
        actions = [move.action for move in moves]
        number, known = self.information_sets.setdefault(key, (len(self.information_sets) + 1, actions))
        if actions != known:
            written = self.interpreter.write(node.state)
            raise GameError(
                f"{self.game.file.name}: a state with the same view has other legal actions than {written}.", written
            )
        labels = " ".join(_quoted(self.game.label(self.rules, node.state, action)) for action in actions)
        children = []
        for move in moves:
            after = node._replace(histories=self._histories(node, seen, move.action), pending=move)
            if len(move.outcomes) == 1:
                _, state, passes = move.outcomes[0]
                after = self._after(after, move.action, state, passes)
            children.append(after)
        return f'p "" {node.seat + 1} {number} "" {{ {labels} }} 0', children

    def _histories(self, node: Node, seen: Hashable, action: int) -> tuple[int, ...]:
        """Return the history of each seat after an action."""
        known = list(node.histories)
        if self.is_hidden:
            known[node.seat] = self.histories.setdefault((known[node.seat], seen, action), len(self.histories))
        if self.game.is_open(self.rules, node.state, action):
            known = [self.histories.setdefault((each, node.seat, action), len(self.histories)) for each in known]
        return tuple(known)

    def _after(self, node: Node, action: int, after: State, passes: int) -> Node:
        gained = list(node.gained)
        if self.game.has("reward"):
            reward = float(self.game.part("reward")(self.rules, node.state, action, after))
            gained[node.seat] += self.sign * exact_number(reward)
        return Node(after, (node.seat + passes) % self.seats, node.histories, tuple(gained))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'").replace("\n", " ") + '"'
