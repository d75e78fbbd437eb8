"""The reports of all classes of solutions: what differs from that of a game for two players."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar

from komi.errors import InputError
from komi.presentation.fields import select
from komi.presentation.formatting import TextReport, format_value, state_proof
from komi.presentation.searched_report import SearchedReport
from komi.presentation.two_player_report import Json, Rows, SolutionReport, count, format_settings
from komi.rounding import format_bound
from komi.rules.vocabulary import with_verb
from komi.solvers.alphabeta.alphabeta_solver import SearchedSolution
from komi.solvers.average.average_solver import AverageSolution
from komi.solvers.hidden.belief_solver import PartiallyObservableSolution
from komi.solvers.hidden.hidden_solver import HiddenMultiplayerSolution, HiddenSolution
from komi.solvers.hidden.point_based_solver import PointBasedSolution
from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
from komi.solvers.solution import Solution
from komi.solvers.stochastic.stochastic_solver import SinglePlayerSolution, StochasticSolution
from komi.solvers.tablebase.tablebase import PositionValue, Tablebase
from komi.typing import State


def solution_report(solution: Solution[Any]) -> SolutionReport:
    """Create the report of a solution.

    Raises:
        TypeError: if its class has none.
    """
    if type(solution) not in REPORTS:
        raise TypeError(f"no report for {type(solution).__name__}")
    return REPORTS[type(solution)](solution)


class SimultaneousReport(SolutionReport):
    """The report of a game in which players choose at the same time."""

    COLUMNS: ClassVar[Sequence[str]] = ("action", "probability", "value")

    def _best_play(self, start: State) -> str:  # noqa: ARG002
        return " Best play is mixed where both choose."

    def _remarks(self) -> Sequence[str]:
        elsewhere = ["From some states a player has only near-optimal strategies."] * bool(
            self.solution.data.is_supremum.any()
        )
        return self._near_optimal(None) or elsewhere

    def _choice(self, state: State) -> str:
        return " ".join([super()._choice(state), *self._near_optimal(state)])

    def _value_json(self, state: State | None) -> Json:
        return {**super()._value_json(state), "supremum": self.solution.is_supremum(state) or None}

    def _near_optimal(self, state: State | None) -> Sequence[str]:
        """Return the sentence on a value that no strategy attains."""
        if not self.solution.is_supremum(state):
            return []
        return ["A player has only near-optimal strategies: the value is a limit that none attains in games that end."]


def from_the_start(claim: str) -> str:
    """Say of a claim that it is about the whole game: where play seldom leads, a policy can be worse."""
    return f"{claim.removesuffix('.')}, from the start of the game."


class HiddenReport(SolutionReport):
    """The report of a game with hidden information."""

    COLUMNS: ClassVar[Sequence[str]] = ("action", "probability", "value")

    def _best_play(self, start: State) -> str:  # noqa: ARG002
        return " Best play is mixed."

    def _remarks(self) -> Sequence[str]:
        sets = count(self.solution.information_sets, "information set")
        return [self._exploited(), f"The players choose in {sets}."]

    def _choice(self, state: State) -> str:
        return f"{self._mover(state).removesuffix('.')}, given what it observes."

    def _exploited(self) -> str:
        gained = format_bound(self.solution.exploitability)
        return f"Proved: best responses to both policies gain no more than {gained} together."

    def _state_claim(self) -> str:
        return from_the_start(self._exploited())

    def _value_json(self, state: State | None) -> Json:
        return {**super()._value_json(state), **select(self.solution, "exploitability")}

    def _game_json(self) -> Json:
        return select(self.solution, "bounds", "information_sets")


class SinglePlayerReport(SolutionReport):
    """The report of a game for one player."""

    def _values(self) -> Sequence[str]:
        play = "With best play" if self.has_choices else "Without choices"
        return [f"{play} the {self._objective_is()} {format_value(self.kind, self.solution.value())}."]

    def _mover(self, state: State) -> str:
        return f"{self._from_here(state)}{' with best play' * self.has_choices}."

    def _terminal(self, state: State) -> str:
        return f"The game is over. {self._from_here(state)}."

    def _from_here(self, state: State) -> str:
        return f"From here on the {self._objective_is()} {format_value(self.kind, self.solution.value(state))}"

    def _claim(self) -> str:
        bound = format_bound(self.solution.error_bound)
        return state_proof(f"off by no more than {bound}", self.solution.verified_hints)

    def _bounded(self) -> str:
        return f"largest error of the {self.solution.objective}"

    def _heading(self, whose: str = "") -> str:  # noqa: ARG002
        return str(self.solution.objective)


class PartiallyObservableReport(SinglePlayerReport):
    """The report of a game for one player who does not see everything."""

    def _remarks(self) -> Sequence[str]:
        return [f"The player chooses in {count(self.solution.information_sets, 'information set')}."]

    def _choice(self, state: State) -> str:
        return f"{self._mover(state).removesuffix('.')}, given what the player observes."

    def _game_json(self) -> Json:
        return select(self.solution, "bounds", "information_sets")

    def _state_json(self, state: State) -> Json:
        return {"mixed": self.solution.mixed(state)}


class PointBasedReport(SinglePlayerReport):
    """The report of a game for one player of which only the value of the start is known."""

    def text(self) -> TextReport:
        """Format the value of the start and what it took to find it, as `komi solve` prints them."""
        lines = [
            format_settings(self.rules),
            "",
            *self._values(),
            self._claim(),
            "This is the value of the start alone, for a player who remembers all that it sees and does.",
            *self._discount(),
            f"{count(self.solution.states, 'belief')} searched, {self._solve_time()}.",
            "",
        ]
        return TextReport(self.game.summary, lines)

    def figures(self) -> Rows:
        """List the figures of the solution."""
        return [
            (self._heading(), format_value(self.kind, self.solution.value())),
            ("beliefs searched", f"{self.solution.states:,}"),
        ]

    def _game_json(self) -> Json:
        return select(self.solution, "bounds")


class AverageReport(SinglePlayerReport):
    """The report of a game without an end, for one player or two."""

    COLUMNS: ClassVar[Sequence[str]] = ("action", "value", "advantage")

    def _values(self) -> Sequence[str]:
        return super()._values() if self.kind.seats == 1 else SolutionReport._values(self)

    def _remarks(self) -> Sequence[str]:
        actions = "per action" if self.kind.seats == 1 else "per action of either player"
        return [f"It is the average of all rewards {actions} in the long run. Play never ends."]

    def _from_here(self, state: State) -> str:
        whose = "" if self.kind.seats == 1 else "of the player to move"
        return (
            f"From here on in the long run the {self._objective_is(whose)} {self._format(self.solution.value(state))}"
        )

    def _mover(self, state: State) -> str:
        bias = self.solution.bias(state)
        comparison = f"{'exceed it' if bias >= 0.0 else 'fall short of it'} by {self._format(abs(bias))}"
        return f"{super()._mover(state)} Rewards {comparison} in total (the bias, not proved)."

    def _format(self, value: float) -> str:
        return format_value(self.kind, value)

    def _cells(self, state: State) -> Sequence[dict[str, str]]:
        advantages = self.solution.advantages(state)
        return [{**cells, "advantage": self._format(advantages[cells["action"]])} for cells in super()._cells(state)]

    def _value_json(self, state: State | None) -> Json:
        return {**super()._value_json(state), "bias": self.solution.bias(state)}

    def _state_json(self, state: State) -> Json:
        return {"advantages": self.solution.advantages(state)}


class MultiplayerReport(SolutionReport):
    """The report of an equilibrium of three or more players, or of two in a general-sum game."""

    COLUMNS: ClassVar[Sequence[str]] = ("action", "probability", "value", "loss")

    def figures(self) -> Rows:
        """List the figures of the solution."""
        return [
            *(
                (f"seat {seat} {self._verb()}", format_value(self.kind, value))
                for seat, value in enumerate(self.solution.seat_values(), 1)
            ),
            *self._gains(),
            ("reachable states", f"{self.solution.states:,}"),
        ]

    def _gains(self) -> Rows:
        if not self.has_choices:
            return [("proved: largest error", format_bound(self.solution.error_bound))]
        return [
            ("proved: no seat can gain by deviating more than", format_bound(self.solution.epsilon[0])),
            ("states in which the policy mixes actions", f"{len(self.solution.data.mixed):,}"),
        ]

    def _values(self) -> Sequence[str]:
        values = enumerate(self._formatted(self.solution.seat_values()), 1)
        got = ", ".join(f"seat {seat} {value}" for seat, value in values)
        return [f"{self._play()} {self._get('the seats')}: {got}."]

    def _remarks(self) -> Sequence[str]:
        mixing = len(self.solution.data.mixed)
        if not self.has_choices:
            return []
        return [
            *([f"The policy mixes actions in {count(mixing, 'state')}."] if mixing else []),
            self._other_equilibria(),
        ]

    def _other_equilibria(self) -> str:
        if not self.solution.data.searched:
            return "No search for other equilibria was made."
        if not self.solution.others:
            return "No other equilibrium was found from other starting points; others may exist."
        vectors = "; ".join(", ".join(self._formatted(vector)) for vector in self.solution.others)
        return f"It is not the only one: in others that were found {self._get('the seats')} {vectors}."

    def _mover(self, state: State) -> str:
        return f"{self._play()} {self._get('the seats')} {self._all(state)}, the player to move first."

    def _terminal(self, state: State) -> str:
        return f"The game is over: the seats get {self._all(state)}, the player to move first."

    def _play(self) -> str:
        return "If all play this equilibrium policy," if self.has_choices else "Without choices"

    def _all(self, state: State) -> str:
        return ", ".join(self._formatted(self.solution.seat_values(state)))

    def _formatted(self, values: Sequence[float]) -> list[str]:
        return [format_value(self.kind, value) for value in values]

    def _verb(self) -> str:
        return "wins" if self.kind.is_chance else f"gets ({self.solution.objective})"

    def _get(self, who: str) -> str:
        return f"{who} win" if self.kind.is_chance else f"the {with_verb(self.solution.objective, f'of {who}')}"

    def _claim(self) -> str:
        if not self.has_choices:
            return f"Proved: {self._bounded()} {format_bound(self.solution.error_bound)}."
        gained = format_bound(self.solution.epsilon[0])
        return f"Proved: no seat can gain more than {gained} by deviating alone."

    def _value_json(self, state: State | None) -> Json:
        values = self.solution.seat_values(state)
        return {**super()._value_json(state), "values": values, **select(self.solution, "epsilon")}

    def _game_json(self) -> Json:
        return {**select(self.solution, "unique", "others"), "mixed_states": len(self.solution.data.mixed)}


class HiddenMultiplayerReport(MultiplayerReport):
    """The report of an equilibrium of three or more players with hidden information."""

    COLUMNS: ClassVar[Sequence[str]] = ("action", "probability", "value")

    def _gains(self) -> Rows:
        return [
            ("proved: no seat can gain by deviating more than", format_bound(max(self.solution.epsilon))),
            ("information sets", f"{self.solution.information_sets:,}"),
        ]

    def _remarks(self) -> Sequence[str]:
        sets = count(self.solution.information_sets, "information set")
        return [
            f"The players choose in {sets}.",
            "Regret minimization found this equilibrium from uniform play: others may exist.",
        ]

    def _choice(self, state: State) -> str:
        return f"{self._mover(state).removesuffix('.')}, given what that player observes."

    def _claim(self) -> str:
        gains = ", ".join(f"seat {seat} by {format_bound(gain)}" for seat, gain in enumerate(self.solution.epsilon, 1))
        return f"Proved: no seat can gain more by deviating alone than: {gains}."

    def _state_claim(self) -> str:
        return from_the_start(self._claim())

    def _game_json(self) -> Json:
        return select(self.solution, "unique", "others", "information_sets")


class TablebaseReport(SolutionReport):
    """The report of a game without chance: win, draw or loss, and the plies to the end."""

    def text(self) -> TextReport:
        """Format the result of the game and of the first moves, as `komi solve` prints them."""
        counts, actions = self.solution.counts, self.solution.actions()
        lines = [
            format_settings(self.rules),
            "",
            f"With best play on both sides {self._forced_result()}. Proved, without error.",
            *self._payoff("of the first player", None),
            "",
        ]
        footer = [
            "",
            f"A line of best play: {' '.join(self.solution.line())}",
            f"{count(self.solution.states, 'position')}: "
            f"the player to move wins {counts.win:,}, loses {counts.loss:,} and draws {counts.draw:,};",
            f"the game is over in {counts.terminal:,} more. All {self._solve_time()}.",
            "",
        ]
        next_state = self.game.write(self.rules, self.solution.after(None, next(iter(actions))))
        columns = ("result", "first move")
        return TextReport(self.game.summary, lines, columns, _by_result(actions), footer, next_state)

    def state_text(self, state: State) -> TextReport:
        """Format the results of a position and its actions, as `komi value` prints them.

        Raises:
            InputError: if the game is over in the state.
        """
        self._check_not_over(state)
        value = self.solution.position_value(state)
        verb = "wins" if value.value == "win" else "loses"
        ending = "can force a draw, no more" if value.plies is None else f"{verb} in {_plies(value)}"
        return TextReport(
            self.game.write(self.rules, state),
            [f"The player to move {ending} with best play.", *self._payoff("of the player to move", state)],
            ("result", "action"),
            _by_result(self.solution.actions(state)),
            [f"A line of best play: {' '.join(self.solution.line(state))}"],
        )

    def figures(self) -> Rows:
        """List the figures of the solution."""
        value, counts = self.solution.position_value(), self.solution.counts
        result = "a draw" if value.plies is None else f"the first player's {value.value}, after {value.plies} moves"
        return [
            ("with perfect play", result),
            ("reachable positions", f"{self.solution.states:,}"),
            ("won, lost and drawn for the mover", f"{counts.win:,}, {counts.loss:,} and {counts.draw:,}"),
        ]

    def _forced_result(self) -> str:
        value = self.solution.position_value()
        if value.plies is None:
            return "neither player can force a win: it is a draw"
        return f"the {'first' if value.value == 'win' else 'second'} player wins in {_plies(value)}"

    def _payoff(self, whose: str, state: State | None) -> list[str]:
        """Return the sentence on the payoff of a position, in a game with a `payoff_range`."""
        if self.kind.is_chance:
            return []
        return [f"The {self._objective_is(whose)} {self.solution.expected_value(state):g}."]

    def _check_not_over(self, state: State) -> None:
        if self.game.part("over")(self.rules, state):
            result = {0.0: "the opponent of the player to move has won", 1.0: "the player to move has won"}
            share = self.game.shares(self.rules, state)[0]
            written = self.game.write(self.rules, state)
            raise InputError(f"{written} is over: {result.get(share, 'it is a draw')}.")

    def _value_json(self, state: State | None) -> Json:
        payoff = {} if self.kind.is_chance else {"payoff": self.solution.expected_value(state)}
        plies = self.solution.plies(state)
        return {**super()._value_json(state), "plies": plies, **payoff}

    def _game_json(self) -> Json:
        return {**select(self.solution, "counts"), "first_moves": self.solution.actions(), "line": self.solution.line()}

    def _state_json(self, state: State) -> Json:
        self._check_not_over(state)
        return {"notation": self.game.write(self.rules, state)}


REPORTS: dict[type[Solution[Any]], type[SolutionReport]] = {
    StochasticSolution: SolutionReport,
    SimultaneousSolution: SimultaneousReport,
    HiddenSolution: HiddenReport,
    SinglePlayerSolution: SinglePlayerReport,
    PartiallyObservableSolution: PartiallyObservableReport,
    PointBasedSolution: PointBasedReport,
    AverageSolution: AverageReport,
    MultiplayerSolution: MultiplayerReport,
    HiddenMultiplayerSolution: HiddenMultiplayerReport,
    Tablebase: TablebaseReport,
    SearchedSolution: SearchedReport,
}
"""The report of each class of solutions."""


def _by_result(actions: dict[str, PositionValue]) -> Rows:
    """Group the actions by their result, best first."""
    return [
        (value.value if value.plies is None else f"{value.value} in {value.plies}", ", ".join(labels))
        for value, labels in groupby(actions, key=lambda label: actions[label])
    ]


def _plies(value: PositionValue) -> str:
    return f"{value.plies} {'ply' if value.plies == 1 else 'plies'}"
