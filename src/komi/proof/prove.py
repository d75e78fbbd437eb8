"""`komi.prove`: the proof of a game's value, or of what policies achieve, as a file."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from komi.errors import EndlessPlayError, SolveError
from komi.evaluation.audit import audit_claim
from komi.evaluation.match import policies_by_seat
from komi.jit.kernels import Notice
from komi.policies.named import PolicyLike
from komi.policies.policy import distinct_names
from komi.progress import Progress, silent
from komi.proof.certificate import Fields, as_read, check_file, rule_fields, write_certificate
from komi.proof.endless import has_both_values
from komi.proof.nodes import check_claims, check_rules, interval_of, play_claim
from komi.proof.optimal import score_claim, searched_claim, value_claim
from komi.proof.policy_claims import policy_claim
from komi.proof.policy_fields import policy_fields, policy_weights
from komi.proof.verification import SeatClaim, hull, read_claims
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind, check_no_average, kind_of
from komi.solvers.alphabeta.alphabeta_solver import SearchedSolution
from komi.solvers.solution import Solution
from komi.solvers.solve import solve, solve_all_states
from komi.solvers.stochastic.stochastic_solver import ValueSolution
from komi.solvers.tablebase.tablebase import Tablebase
from komi.typing import GameLike, Rules

Play = tuple[int, list[int | None]]
"""A seat, and for each seat the number of its policy; None if it plays its best."""


@dataclass(frozen=True)
class Proof:
    """A certificate that was written.

    Attributes:
        file: the path of the file.
        size: its size in bytes.
        claims: what it proves, by the code of the checker.
        states: the number of states whose values it contains.
    """

    file: Path
    size: int
    claims: tuple[SeatClaim, ...]
    states: int

    @property
    def lower(self) -> float | None:
        """The lower end of all claims about what the first player gets, or None."""
        return hull(self.claims)[0]

    @property
    def upper(self) -> float | None:
        """The upper end of all claims about what the first player gets, or None."""
        return hull(self.claims)[1]


def prove(
    game: GameLike,
    file: Path | str,
    *policies: PolicyLike,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Proof:
    """Write a certificate of a game's value, or of policies, which `komi.verify`, or `verify.py` without komi, checks.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the path of the certificate.
        policies: none for the value of the game, or for both of its values if it depends on what an endless game
            counts; one for what it guarantees in each seat, and with three or more players what it gains against
            itself, and what each seat could gain by deviating; two or more for a match.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Returns:
        the file, its size, and the intervals that it proves.

    Raises:
        InputError: for an unknown game, rule or policy, or a file that is not a certificate.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if the game cannot be solved, or no proof is found.
        StorageError: if the file cannot be written.
    """
    file = Path(file)
    check_file(file)
    found = catalog.find(game)
    settings = found.rules(rules)
    found = found.under(settings)
    check_no_average(kind_of(found, settings))
    check_rules(rule_fields(found, settings))
    try:
        solve_as: Callable[..., Solution[Any]] = solve_all_states if policies else solve
        solution = solve_as(found, progress=progress, notice=notice, **rules)
    except EndlessPlayError:
        if policies or not has_both_values(found, settings):
            raise
        written, claims = _claims_of_both(found, settings, progress)
    else:
        check_certifiable(solution.kind)
        try:
            written, claims = _claims(solution, policies, progress)
        except SolveError:
            if found.endless_share(settings) is None:
                raise
            raise SolveError(
                f"no certificate was found: it holds whatever an endless game counts, and {found.name} declares that."
            ) from None
    certificate = as_read({**rule_fields(found, settings), "policies": written})
    proved = check_claims(certificate, claims, progress)
    size = write_certificate(file, found, settings, written, claims)
    return Proof(file, size, read_claims(proved, written), sum(each["states"] for each in proved))


def check_certifiable(kind: Kind) -> None:
    """Check that certificates have a theorem for games of this kind.

    Raises:
        SolveError: if they have none.
    """
    if not kind.is_opposed:
        raise SolveError(
            f"certificates are for games in which the interests of the players are opposed: in {kind.name} they need "
            "not be ('payoff_range')."
        )


def _claims(
    solution: Solution[Any], policies: Sequence[PolicyLike], progress: Progress
) -> tuple[list[Fields], list[Fields]]:
    """Return the policies, and the claims, of a certificate."""
    has_view = solution.game.has("view")  # then a theorem is about play with policies, even if nothing is hidden
    if not (policies or has_view) and isinstance(solution, Tablebase):
        return [], [score_claim(solution, progress)]
    if isinstance(solution, SearchedSolution):
        certificate = as_read({**rule_fields(solution.game, solution.rules), "policies": []})
        return [], [interval_of(certificate, searched_claim(solution, progress))]
    if not (policies or has_view) and isinstance(solution, ValueSolution):
        return [], [value_claim(solution, progress)]
    named = policies_by_seat(solution, policies or ("optimal",))
    names = distinct_names(named)
    used = dict(zip(names, named, strict=True))
    states, weights = policy_weights(solution, list(used.values()), progress)
    written = [policy_fields(solution, name, states, each) for name, each in zip(used, weights, strict=True)]
    seats = [list(used).index(name) for name in names]
    plays = list(_plays(solution.kind, seats, len(policies)))
    if solution.kind.seats <= 2 and not has_view:
        claims = [policy_claim(solution, states, weights, seat, play, progress) for seat, play in plays]
    else:
        certificate = as_read({**rule_fields(solution.game, solution.rules), "policies": written})
        claims = [play_claim(certificate, seat, play, progress) for seat, play in plays]
        with suppress(SolveError):  # where beliefs repeat, no certificate can store what they are worth
            if solution.kind.seats == 1 and not policies:
                value = play_claim(certificate, 0, [None], progress)
                check_claims(certificate, [value], progress)
                claims.append(value)
    audited = _plays(solution.kind, list(range(len(named))), len(policies))
    for (seat, play), claim in zip(audited, claims, strict=False):
        if not (has_view and None in play):
            low, high = (math.ldexp(end, -claim["bits"]) for end in claim["interval"])
            audit_claim(solution, seat, [None if each is None else named[each] for each in play], (low, high))
    return written, claims


def _claims_of_both(game: Game, rules: Rules, progress: Progress) -> tuple[list[Fields], list[Fields]]:
    """Return no policies, and the claims of the value if the first player loses an endless game, and wins it."""
    certificate, play = as_read({**rule_fields(game, rules), "policies": []}), [None] * game.players(rules)
    return [], [play_claim(certificate, 0, play, progress, endless) for endless in (0, 1)]


def _plays(kind: Kind, seats: list[int], given: int) -> Iterator[Play]:
    """Yield what to prove.

    Args:
        kind: the kind of game.
        seats: for each seat, the number of its policy.
        given: how many policies were named: none for the value of the game, which optimal ones prove.
    """
    if kind.seats == 1:
        yield 0, [seats[0]]
    elif kind.seats == 2 and given > 1:
        yield 0, [seats[0], seats[1]]
        yield 1, [seats[1], seats[0]]
    elif kind.seats == 2:
        yield 0, [seats[0], None]
        yield (1 if given else 0), [None, seats[0]]
    else:
        for seat in range(kind.seats):
            yield seat, list(seats)
        for seat in range(kind.seats):
            yield seat, [None if each == seat else policy for each, policy in enumerate(seats)]
