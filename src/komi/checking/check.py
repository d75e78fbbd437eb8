"""The checks of a rule file, in order: interpreted, compiled, and solved."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from komi.checking import compiled_rules, consistency, draws, hints
from komi.checking.traps import find_trap
from komi.checking.unbounded_fields import find_unbounded_field
from komi.compiling.compiled import CompiledGame, compiled_game
from komi.errors import GameError, InputError, SolveError
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.jit.kernels import Notice
from komi.progress import Progress, silent
from komi.proof.certificate import rule_fields
from komi.proof.nodes import check_rules
from komi.rules import catalog, enumeration
from komi.rules.declarations import keywords
from komi.rules.enumeration import StateMoves
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter, RuleProblem
from komi.rules.kind import kind_of
from komi.solvers.solve import solve_all_states
from komi.transient import explore_verified
from komi.translation import comparison
from komi.translation.javascript import translate
from komi.translation.program import TranslationError
from komi.typing import GameLike, Rules

MAX_STATES = 20_000  # all states are checked interpreted if there are at most this many
MAX_PLAYED = 5_000  # otherwise this many, visited in random play
MAX_TRANSLATED = 100  # of these states the translation to JavaScript is compared in this many
MAX_TRANSLATED_OUTCOMES = 1_000  # limit there, too
MAX_OUTCOMES = 100_000  # limit in both cases: with many actions per state, fewer states suffice


@dataclass
class Check:
    """The results of checking a rule file.

    Attributes:
        game: the game.
        rules: its rules.
        problems: the problems found, each with a state that shows it.
        holds: the properties that hold, and the states in which they were checked.
        unproved: the properties that could not be checked, and the reasons.
        unsolved: True if what needs optimal play refuses the rules, for a reason named in `unproved`.
        uncertified: why `komi prove` refuses the rules, which are no worse for that; empty if it accepts them.
        untranslated: why the rules have no translation to JavaScript, which is not a problem; empty if they have one,
            or if Node, which runs it, is not installed.
        ends: True if it is proved that states stay in range and that the game can always end, or is not meant to.
    """

    game: Game
    rules: Rules
    problems: list[RuleProblem] = field(default_factory=list)
    holds: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)
    unsolved: bool = False
    uncertified: str = ""
    untranslated: str = ""
    ends: bool = False

    def __repr__(self) -> str:
        return f"<Check of {self.game.name}: {len(self.problems)} problems, {len(self.holds)} properties hold>"

    @property
    def ok(self) -> bool:
        """True if no problem was found."""
        return not self.problems


def check(
    game: GameLike,
    *,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Check:
    """Check the properties that every game's rules must have, and report violations.

    The rules are first interpreted: in every state if there are few states, else in thousands that random play visits.
    Then they are compiled and checked in every state. Each stage runs only if the previous one found no problem.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before something that takes seconds and happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game or rule, or a value out of its limits.
        GameError: if the file cannot be run at all.

    Examples:
        >>> import komi
        >>> komi.check("piglet", goal=3).ok
        True
    """
    game = catalog.find(game)
    try:
        chosen = game.rules(rules)
        game = game.under(chosen)
    except InputError as error:
        if rules:
            raise
        return Check(
            game,
            game.default_rules,
            [RuleProblem(f"{game.file.name}: 'limits' does not allow the default rules: {error}")],
        )
    except GameError as error:
        return Check(game, game.default_rules, [RuleProblem(str(error).rstrip("."), error.state)])
    report = Check(game, chosen, uncertified=_why_uncertified(game, chosen))
    interpreter = Interpreter(game, chosen)
    states, scope = _enumerate(interpreter)
    for promise in (hints.check, consistency.check_determinism, consistency.check_rewards):
        if not interpreter.problems:
            promise(interpreter, states)
    if not _collect_problems(report, interpreter):
        return report
    report.holds.append(f"Every state has valid legal actions, outcomes and payoffs: {scope}.")
    report.holds += [f"{name!r} holds: {scope}." for name in hints.present(game)]
    _check_translation(report, states)
    if report.ok:
        _check_compiled(report, interpreter, states, scope, progress, notice)
    return report


def _why_uncertified(game: Game, rules: Rules) -> str:
    """Return why the checker of certificates does not accept the rules; nothing if it does."""
    try:
        check_rules(rule_fields(game, rules))
    except SolveError as error:
        return str(error).partition(": ")[2]
    return ""


def _enumerate(interpreter: Interpreter) -> tuple[StateMoves, str]:
    states, all_of_them = enumeration.explore(interpreter, MAX_STATES, MAX_OUTCOMES)
    if all_of_them or interpreter.problems:
        return states, f"all {len(states):,} states"
    played = enumeration.sample_states(interpreter, MAX_PLAYED, max_outcomes=MAX_OUTCOMES, known=states)
    return played, f"{len(played):,} states of random play"


def _check_translation(report: Check, enumerated: StateMoves) -> None:
    """Compare the rules with their translation to JavaScript, if Node is installed."""
    game, rules = report.game, report.rules
    if not comparison.node():
        return
    try:
        translated = translate(game, rules, game.name)
    except TranslationError as error:
        report.untranslated = str(error)
        return
    states, outcomes = [], 0
    for state in islice(enumerated, 0, None, -(-len(enumerated) // MAX_TRANSLATED)):
        states.append(game.nested(state))
        outcomes += sum(len(move.outcomes) for move in enumerated[state])
        if outcomes > MAX_TRANSLATED_OUTCOMES:
            break
    try:
        found = comparison.compare(game, rules, translated, states)
    except RuntimeError as error:
        report.untranslated = f"{game.file.name}: Node cannot run it ({str(error).strip().partition(chr(10))[0]})."
        return
    differences = [each for each in found if each.python != comparison.ERROR and not each.is_of_rounding]
    if refused := next((each for each in differences if each.is_refused), None):
        report.untranslated = f"{game.file.name}: {refused.part!r} raises {refused.javascript}."
    elif differences:
        part, arguments, expected, found = differences[0]
        what = f"{game.file.name}: {part!r} returns {expected} in Python, but {found} in JavaScript"
        report.problems.append(RuleProblem(what, next(iter(arguments), None)))
    else:
        report.holds.append(f"The translation to JavaScript does the same: {len(states):,} of these states.")


def _check_compiled(
    report: Check, interpreter: Interpreter, states: StateMoves, scope: str, progress: Progress, notice: Notice
) -> None:
    game, rules = report.game, report.rules
    with _caught(report):
        compiled = compiled_game(game, notice)
        compiled_rules.check(compiled, interpreter, states)
        if not _collect_problems(report, interpreter):
            return
        report.holds.append(f"Interpreted and compiled rules agree: {scope}.")
        if not _check_draws(report, compiled, interpreter):
            return
        if game.alone(rules) != rules:
            report.unproved.append(
                "Each player's game is solved separately: check it under the rules that 'alone' returns."
            )
            return
        if not _check_end(report, compiled, interpreter, progress):
            return
        solution = solve_all_states(game, progress=progress, notice=notice, **keywords(rules))
        report.ends = True
        seen = consistency.check_values(solution, interpreter, states)
        if _collect_problems(report, interpreter):
            where = scope if seen == len(states) else f"{seen:,} of these states"
            report.holds.append(f"The values of optimal play satisfy their equation, interpreted: {where}.")


def _check_draws(report: Check, compiled: CompiledGame, interpreter: Interpreter) -> bool:
    """Check that what is hidden can be drawn with its probability. Return True if no problem was found."""
    if not kind_of(report.game, report.rules).hidden:
        return True
    try:
        checked = draws.check_draws(compiled, interpreter)
    except SolveError as error:
        report.unproved.append(str(error))
        return True
    if _collect_problems(report, interpreter):
        report.holds.append(checked)
    return report.ok


def _check_end(report: Check, compiled: CompiledGame, interpreter: Interpreter, progress: Progress) -> bool:
    """Prove that states stay in range and that the game can always end. Return True if both hold."""
    file, start = report.game.file.name, interpreter.start()
    transient = kind_of(report.game, report.rules).transient
    try:
        if transient:
            _, states, _, _ = explore_verified(compiled, report.rules, [start], progress=progress)
        else:
            states, _ = find_reachable(GameTransitions(compiled, report.rules), [start], progress=progress)
    except SolveError:
        unbounded = find_unbounded_field(interpreter)
        if unbounded is not None:
            what = f"{file}: neither 'over' nor 'possible' bounds field {unbounded.field!r}, which grows without bound"
            interpreter.record("growth", what, unbounded.state)
        elif not interpreter.problems:
            raise
        return _collect_problems(report, interpreter)
    where = "before the end" if not transient else "before a roll, and all that they lead to inside one"
    report.holds.append(f"The compiled rules follow the protocol: all {states.size:,} states {where}.")
    if transient:  # the proof of the values implies that the game can end
        return True
    if kind_of(report.game, report.rules).average:
        report.holds.append("Play is not meant to end: the value is an average per action.")
        return True
    trap = find_trap(compiled, report.rules, states, progress)
    if trap is not None:
        interpreter.record("trap", f"{file}: the game can never end, whatever the players choose", trap)
        return _collect_problems(report, interpreter)
    report.holds.append(f"The game can end from all {states.size:,} states.")
    report.ends = True
    return True


def _collect_problems(report: Check, interpreter: Interpreter) -> bool:
    """Move the interpreter's problems into the report. Return True if there are none."""
    report.problems += interpreter.problems.values()
    return not report.problems


@contextmanager
def _caught(report: Check) -> Iterator[None]:
    """Record a GameError as a problem, and a SolveError as unproved."""
    try:
        yield
    except GameError as error:
        report.problems.append(RuleProblem(str(error).rstrip("."), error.state))
    except SolveError as error:
        report.unsolved = True
        report.unproved.append(f"Not checked further: {error}")
