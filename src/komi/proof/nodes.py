"""Claims about play in which seats follow policies: the nodes of play, listed by the checker's own code, as arrays.

A node is a seat to move and the states that look the same to the only player without a policy, each with a weight, as
in `verify.py`. The values of nodes satisfy the same equations as those of states, so `intervals` proves them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from komi.errors import KomiError, SolveError
from komi.graph.explicit import OVER, ExplicitModel
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.proof import verify
from komi.proof.certificate import Fields, as_read
from komi.proof.cuts import WEAK_LOWER, WEAK_UPPER, cut_cycles
from komi.proof.intervals import MAX_SWEEPS, ValueLimits, converge, find_intervals
from komi.proof.verification import MAX_STATES
from komi.typing import State

MAX_NODES = 5_000_000
MAX_REPAIRS = 100
SCRATCH_BITS = 40  # of a claim that only serves to list nodes

checker: Any = verify  # untyped, for a referee to read

PARTS = (
    "start",
    "legal",
    "outcomes",
    "over",
    "payoff",
    "view",
    "turned",
    "reward",
    "players",
    "aim",
    "objective",
    "payoff_range",
)  # of the rules, which the checker uses
REFUSAL = "__need__"  # what the checker puts in the place of a function that it refuses

Node = tuple[Any, ...]
"""The seat to move; a possible state, and its weight; another one, and so on."""
Interval = tuple[float, float]


@contextmanager
def _explained(game: str) -> Iterator[None]:
    """Raise a SolveError where the checker refuses the rules of a game, or cannot run them."""
    try:
        yield
    except KomiError:
        raise
    except checker.ProblemError as error:
        reason, state = error.args
        where = "" if state is None else f" in {state}"
        raise SolveError(f"the rules of {game} have no certificate: {reason}{where}.") from None
    except Exception as error:  # whatever the rules do with exact numbers
        reason = f"the checker cannot run them ({type(error).__name__}: {error})"
        raise SolveError(f"the rules of {game} have no certificate: {reason}.") from None


def check_rules(certificate: Fields) -> None:
    """Check that the rules are in the language of the checker: what its loaded parts are, and all that they call.

    Raises:
        SolveError: if they are not.
    """
    with _explained(certificate["game"]):
        members = vars(checker.load(certificate["main"], certificate["modules"], {}))
        functions = [members[part] for part in PARTS if isinstance(members.get(part), FunctionType)]
        for function in functions:  # grows
            if REFUSAL in function.__code__.co_names:  # it does nothing else
                function()
            named = [function.__globals__.get(name) for name in _names(function.__code__)]
            functions += [each for each in named if isinstance(each, FunctionType) and each not in functions]


def _names(code: CodeType) -> set[str]:
    """Return the names that a function, or a part of it such as a comprehension, reads outside of it."""
    parts = [each for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*map(_names, parts))


def check_claims(certificate: Fields, claims: Sequence[Fields], progress: Progress) -> list[Fields]:
    """Check claims with the checker's own code, as it reads them, and return what it says that they prove.

    Args:
        certificate: the fields of the game and of its policies, as they are read.
        claims: the claims that are to be written.
        progress: called before each.

    Raises:
        SolveError: if one does not follow.
    """
    proved = []
    with _explained(certificate["game"]):
        for number, claim in enumerate(map(as_read, claims)):
            progress("checking claims", number, len(claims))
            found = checker.Claim(certificate, claim, MAX_STATES).prove(claim["interval"])
            proved.append({name: claim[name] for name in ("seat", "play", "endless")} | found)
    return proved


def play_claim(
    certificate: Fields,
    seat: int,
    play: Sequence[int | None],
    progress: Progress,
    endless: int | None = None,
    start: State | None = None,
    max_nodes: int = MAX_NODES,
) -> Fields:
    """Return the claim of what a seat gets, with its proof.

    Args:
        certificate: the fields of the game and of its policies.
        seat: the seat.
        play: for each seat the number of its policy; None if it is free to play its best.
        progress: called during long work.
        endless: what an endless game counts for the seat, 0 or 1; None if that may not matter.
        start: the state, as the rule file has it, in which seat 0 is to move first; the initial one by default.
        max_nodes: the most states to evaluate.

    Raises:
        SolveError: if there are too many nodes, the rules cannot be run by the checker, or there is no proof.
    """
    fields = _unproved(seat, play, endless)
    with _explained(certificate["game"]):
        listing = NodeListing(_load(certificate, fields, start, max_nodes), progress)
    fields |= listing.proof(progress)
    return fields if endless is None else _repaired(certificate, fields, start)


def list_nodes(certificate: Fields, seat: int, play: Sequence[int | None], max_nodes: int) -> ExplicitModel:
    """List the nodes of play, the initial one first; see `play_claim`.

    Raises:
        SolveError: if there are too many nodes, or the rules cannot be run by the checker.
    """
    with _explained(certificate["game"]):
        return NodeListing(_load(certificate, _unproved(seat, play), None, max_nodes), silent).model


def _unproved(seat: int, play: Sequence[int | None], endless: int | None = None) -> Fields:
    """Return the fields of a claim without a proof."""
    fields: Fields = {"seat": seat, "play": list(play), "endless": endless, "step": 0, "bits": SCRATCH_BITS}
    return fields | {"seats": [], "states": [], "lower": [], "gap": []}


def proved_values(certificate: Fields, claim: Fields, start: State) -> tuple[Interval, list[Interval]]:
    """Check a claim with the checker's own code, in exact arithmetic, and return what follows from it.

    Args:
        certificate: the fields of the game.
        claim: what `play_claim` returns for seat 0 if no seat has a policy.
        start: its initial state, as the rule file has it, where the game is not over.

    Returns:
        The intervals of the value of the state, and of each action in it, in the order of the rules.

    Raises:
        SolveError: if the claim does not follow.
    """
    with _explained(certificate["game"]):
        checked = _load(certificate, claim, start)
        checked.prove(claim["interval"])
        moves = checked.moves((0, checked.module.start(checked.rules), 1))
        rows = [checked.evaluate(moves), *(checked.evaluate([each]) for each in moves)]
    value, *actions = [sorted(checked.sign * end / checked.one for end in ends) for ends in rows]
    return (value[0], value[1]), [(low, high) for low, high in actions]


def _load(certificate: Fields, claim: Fields, start: State | None, max_nodes: int = MAX_NODES) -> Any:
    """Return the `Claim` of the checker, with another initial state if one is given."""
    loaded = checker.Claim(certificate, claim, max_nodes)
    if start is not None:
        first = loaded.module.State(*start)
        loaded.module.start = lambda rules: first
    return loaded


def _repaired(certificate: Fields, fields: Fields, start: State | None) -> Fields:
    """Move values that violate an inequality without a margin, by less than the rounding of floats, until none does.

    The interval of the claim becomes that of the initial state, which can have moved, too.

    Raises:
        SolveError: if there are always more.
    """
    for _ in range(MAX_REPAIRS):
        claim = _load(certificate, fields, start)
        shift, lower, upper = claim.shift, [], []
        for node, (low, high) in claim.stored.items():
            least, most = claim.evaluate(claim.moves(node))
            if claim.endless[node[0]] == claim.greatest and least < low:
                low = least
            if claim.endless[node[0]] == claim.least and high < min(most, claim.greatest):
                high = most
            lower.append(low >> shift)
            upper.append(-(-high >> shift))
        gap = [high - low for low, high in zip(lower, upper, strict=True)]
        is_right = (lower, gap) == (fields["lower"], fields["gap"])
        fields |= {"lower": lower, "gap": gap}
        if is_right:
            return fields | {"interval": _interval(claim, fields["bits"])}
    raise SolveError("no certificate was found: values are not determined up to the rounding of numbers.")


def interval_of(certificate: Fields, fields: Fields) -> Fields:
    """Return a claim with its interval, which follows from the stored values.

    Raises:
        SolveError: if the rules cannot be run by the checker.
    """
    with _explained(certificate["game"]):
        return fields | {"interval": _interval(_load(certificate, fields, None, MAX_STATES), fields["bits"])}


def _interval(claim: Any, bits: int) -> list[int]:
    """Return the interval of the initial state, in units of 2**-bits."""
    low, high = claim.evaluate([claim.lottery(0, [(1, 1, [(1, claim.module.start(claim.rules), 0, 0)])])])
    ends = [claim.sign * (low >> claim.shift), claim.sign * -(-high >> claim.shift)]
    is_opposite = claim.players == 2 and claim.seat == 1
    return sorted((1 << bits) - end if is_opposite else end for end in ends)


class NodeListing:
    """The nodes of play.

    Args:
        claim: the `Claim` of the checker, without stored states.
        progress: called during long work.

    Attributes:
        nodes: the nodes that are not at the end of a game, the initial one first.
        model: their lotteries.
    """

    def __init__(self, claim: Any, progress: Progress) -> None:
        self._claim = claim
        self._index: dict[Node, int] = {}
        self.nodes: list[Node] = []
        ends, outcome_ends = [], []
        rows: list[tuple[float, int, bool, float]] = []
        [(_, start, _, _)] = claim.lottery(0, [(1, 1, [(1, claim.module.start(claim.rules), 0, 0)])])
        self._add(start)
        for node in self.nodes:
            progress("listing states", len(self.nodes), 0)
            for lottery in claim.moves(node):
                total = sum(weight for weight, *_ in lottery)
                rows += [self._row(weight / total, *others) for weight, *others in lottery]
                outcome_ends.append(len(rows))
            ends.append(len(outcome_ends))
        probability, target, passes, gain = zip(*rows, strict=True)
        self.model = ExplicitModel(
            np.zeros((len(ends), 0), np.int64),
            np.array(ends, np.int64),
            np.zeros(len(outcome_ends), np.int16),
            np.array(outcome_ends, np.int64),
            np.array(probability),
            np.array(target, np.int32),
            np.array(passes, np.bool_),
            np.array(gain, np.float64),  # from fractions, too
        )

    def proof(self, progress: Progress) -> Fields:
        """Return the fields that prove the value of the initial node.

        Raises:
            SolveError: if there is no proof.
        """
        claim, cut = self._claim, cut_cycles(self.model, 0)
        is_single = np.array([len(node) == 3 for node in self.nodes])
        if not is_single[cut.stored].all():  # a certificate stores values of states
            cut.stored[:] = is_single
        limits = ValueLimits(1.0, *(claim.least / claim.one, claim.greatest / claim.one))
        endless = [claim.endless[seat] for seat, *_ in self.nodes]
        values = np.array([(each or 0) / claim.one for each in endless])
        if endless[0] is not None:
            cut.weak[:] = [WEAK_UPPER if each == claim.least else WEAK_LOWER for each in endless]
        engine_kernels()[converge](self.model, cut, values, MAX_SWEEPS)
        found = find_intervals(self.model, cut, values, limits, progress)
        nodes = [self.nodes[index] for index in np.flatnonzero(cut.stored)]
        return {
            "seats": [seat for seat, _, _ in nodes],
            "states": list(zip(*(state for _, state, _ in nodes), strict=True)),
            **found.fields(cut.stored, 0, claim.sign, is_opposite=claim.players == 2 and claim.seat == 1),
        }

    def _add(self, node: Node) -> int:
        """Return the index of a node; add it if it is new."""
        if node not in self._index:
            self._index[node] = len(self.nodes)
            self.nodes.append(node)
        return self._index[node]

    def _row(self, chance: float, node: Node, flips: bool, gain: int) -> tuple[float, int, bool, float]:
        """Return an outcome as a row of the model."""
        one = self._claim.one
        if node not in self._claim.known:
            return chance, self._add(node), bool(flips), gain / one
        low, high = self._claim.known[node]
        payoff = (low + high) / (2 * one)
        return chance, OVER, False, (1.0 - payoff if flips else payoff) + gain / one
