"""Staged value iteration for games too large for lists: the same proved values, also after an interruption."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import komi
from games import banked_steps, scored_boxes
from komi.bellman.equations import Objective
from komi.cache import root
from komi.checking.check import check
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError, SolveError, StorageError
from komi.graph import checkpoint, limits
from komi.graph.checkpoint import Checkpoint
from komi.graph.state_sets import StateSet
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.solvers.stochastic.optimal_values import find_values, objective_of
from komi.transient import on_demand, staged, staged_lengths, stages
from komi.transient.program_backup import SweepBuffers, keep_best
from komi.transient.programs import STORED_TERM, ProgramBuffers, ProgramSegment
from komi.transient.staged import StagedValues, solve_staged
from komi.transient.staged_lengths import find_staged_lengths

GAME = Game("banked-steps", banked_steps)
COMPILED = CompiledGame(GAME)
WIDE, UNTOUCHED = 1000, np.uint32(0xFEEDFACE)  # words behind the room for programs, and what stands there


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "SEGMENT_STATES", 3)


def swept_values(
    compiled: CompiledGame, progress: Any = komi.progress.silent, **settings: Any
) -> tuple[StagedValues, Objective]:
    game = compiled.game
    rules = game.rules(settings)
    kind = kind_of(game, rules)
    objective = objective_of(kind)
    roots = [game.part("start")(rules)]
    return solve_staged(compiled, rules, roots, objective, Checkpoint(compiled, rules, "test"), progress), objective


def farthest(found: StagedValues, objective: Objective, compiled: CompiledGame, **settings: Any) -> float:
    """Return the largest difference from the values with all states stored."""
    rules = compiled.game.rules(settings)
    roots = [compiled.game.part("start")(rules)]
    stored = find_values(compiled, rules, roots, has_rolls=False)
    indices = stored.states.indices_of(found.states)
    assert (indices >= 0).all()
    assert max(found.bound, stored.error_bound) <= 1e-9
    return float(abs(objective.sign * found.values - stored.values[indices]).max() - found.bound - stored.error_bound)


@pytest.mark.slow
def test_values_are_those_of_lists_as_far_as_is_proved() -> None:
    found, objective = swept_values(COMPILED)
    assert found.bound > 0.0
    assert farthest(found, objective, COMPILED) <= 0.0


@pytest.mark.slow
def test_room_for_programs_is_made_as_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = CompiledGame(Game("scored-boxes", scored_boxes))
    fences: list[NDArray[np.uint32]] = []

    def fenced(nodes: int, size: int, constants: int, fields: int) -> ProgramBuffers:
        code = np.full(size + WIDE, UNTOUCHED)
        fences.append(code[size:])
        return empty(nodes, size, constants, fields)._replace(code=code[:size])

    empty = ProgramBuffers.empty
    monkeypatch.setattr(on_demand.ProgramBuffers, "empty", fenced)
    for words in (1, 40, 41, 42, 43, 44, 45, 300):
        monkeypatch.setattr(on_demand, "FIRST_CODE", words)
        checkpoint.clear(compiled, compiled.game.default_rules)
        found, objective = swept_values(compiled)
        assert farthest(found, objective, compiled) <= 0.0
    assert fences
    assert all((fence == UNTOUCHED).all() for fence in fences)


@pytest.mark.slow
def test_a_solve_continues_where_nothing_can_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise StorageError("cannot keep the solution (No space left on device).")

    said: list[str] = []
    monkeypatch.setattr(COMPILED.kernels, "notice", said.append)
    monkeypatch.setattr(Checkpoint, "keep", full)
    checkpoint.clear(COMPILED, GAME.default_rules)
    found, objective = swept_values(COMPILED)
    assert farthest(found, objective, COMPILED) <= 0.0
    assert len([one for one in said if one.startswith("continuing without a checkpoint")]) == 1


@pytest.mark.slow
def test_a_solve_that_was_stopped_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(COMPILED.kernels, "notice", said.append)
    before, _ = swept_values(COMPILED, goal=7)

    def stop(stage: str, done: int, total: int, note: str = "") -> None:
        if stage == "solving" and 2 * done > total:
            raise KeyboardInterrupt

    kept = Checkpoint(COMPILED, GAME.rules({"goal": 7}), "test")
    checkpoint.clear(COMPILED, GAME.rules({"goal": 7}))
    with pytest.raises(KeyboardInterrupt):
        swept_values(COMPILED, stop, goal=7)
    assert said[-1] == "stopped; what is solved is kept, and the same command resumes from there"
    assert kept.load_states() is not None

    stages: set[str] = set()
    after, _ = swept_values(COMPILED, lambda stage, done, total, note="": stages.add(stage), goal=7)
    assert said[-1] == "resuming a solve that was interrupted"
    assert stages == {"solving"}
    assert abs(before.values - after.values).max() <= before.bound + after.bound
    checkpoint.clear(COMPILED, GAME.rules({"goal": 7}))
    assert kept.load_states() is None


def test_what_is_kept_damaged_is_solved_again() -> None:
    before, _ = swept_values(COMPILED, goal=5)
    for file in (root() / "unfinished").glob("banked-steps-*/*/solved-0/values.npy"):
        file.write_bytes(file.read_bytes()[:-1] + b"\xff")
    after, _ = swept_values(COMPILED, goal=5)
    assert abs(before.values - after.values).max() <= before.bound + after.bound


@pytest.mark.slow
@pytest.mark.parametrize("game", [GAME, "royal-game-of-ur"], ids=str)
def test_lengths_of_optimal_play_are_those_of_lists(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"goal": 5} if game is GAME else {"pieces": 1}
    listed = komi.match(game, "optimal", "optimal", **settings)
    monkeypatch.setattr(limits, "MAX_LISTED", 10)
    found = komi.match(game, "optimal", "optimal", **settings)
    assert found.length_error_bound < 1e-10
    assert (found.first.wins, found.second.wins) == pytest.approx((listed.first.wins, listed.second.wins), abs=1e-10)
    for one, other in ((found.first, listed.first), (found.second, listed.second)):
        lengths = (other.actions, other.turns, other.chance_moves)
        assert (one.actions, one.turns, one.chance_moves) == pytest.approx(lengths, abs=1e-9)


def test_a_stage_that_falls_is_refused() -> None:
    with pytest.raises(GameError, match="'stage' falls in what"):
        swept_values(COMPILED, backward=True)


def test_check_finds_a_stage_that_falls() -> None:
    assert any("'stage' decreases" in problem.message for problem in check(GAME, backward=True).problems)


@pytest.mark.slow
def test_too_many_states_for_lists_are_swept(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    listed = komi.solve(GAME, goal=9)
    monkeypatch.setattr(limits, "MAX_LISTED", 10)
    solution = komi.solve(GAME, goal=9, fresh=True)
    assert not list((tmp_path / "unfinished").glob("*"))
    assert solution.states == listed.states
    assert solution.value() == pytest.approx(listed.value(), abs=1e-12)
    assert solution.value("steps=3,rival=4,heads=1") == pytest.approx(
        listed.value("steps=3,rival=4,heads=1"), abs=1e-12
    )
    assert komi.solve(GAME, goal=9).is_loaded
    assert isinstance(solution.data.states, StateSet)


@pytest.mark.parametrize("unset", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_backup_reports_values_that_were_never_set(position: int, unset: float) -> None:
    """State 0 leads to the solved state 1 or 2."""
    code = np.array([1, 2 << 16, 1 << 3 | STORED_TERM << 1, 2 << 3 | STORED_TERM << 1, 1, 2], np.uint32)
    segment = ProgramSegment(0, 1, code, np.zeros(0))
    values = np.array([0.75, 0.25, 0.75])

    def errors() -> list[float]:
        kept, choices = np.empty_like(code), np.zeros(3, np.int16)
        return list(keep_best(segment, True, values, SweepBuffers.empty(2), 0.0, kept, choices)[1:])

    assert errors() == [0.0, 0.75]
    values[position] = unset
    assert max(errors()) == np.inf


@pytest.mark.parametrize("unset", [np.nan, np.inf])
@pytest.mark.parametrize("is_solved", [False, True])
def test_values_that_were_never_set_prove_nothing(
    is_solved: bool, unset: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the stage itself, or of all stages solved before, on which the others rely."""
    converge = staged._ValueStages._converge

    def spoil(work: Any, first: int, end: int, *arguments: Any) -> float:
        if not is_solved:
            change = converge(work, first, end, *arguments)
            work.values[first] = unset
            return change
        work.values[end:] = unset
        return min(converge(work, first, end, *arguments), 1e-16)

    monkeypatch.setattr(staged._ValueStages, "_converge", spoil)
    checkpoint.clear(COMPILED, GAME.rules({"goal": 4}))
    with pytest.raises(SolveError, match="no proof was found"):
        swept_values(COMPILED, goal=4)
    checkpoint.clear(COMPILED, GAME.rules({"goal": 4}))


@pytest.mark.parametrize("unset", [np.nan, np.inf])
def test_lengths_that_were_never_set_prove_nothing(unset: float, monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = swept_values(COMPILED, goal=4)
    rules = GAME.rules({"goal": 4})
    converge = staged_lengths._LengthStages.converge

    def spoil(work: Any, first: int, *arguments: Any) -> float | None:
        change = converge(work, first, *arguments)
        work.lengths[first] = unset
        return change

    monkeypatch.setattr(staged_lengths._LengthStages, "converge", spoil)
    with pytest.raises(SolveError, match="no proof was found"):
        find_staged_lengths(COMPILED, rules, GAME.part("start")(rules), found.states, found.values, found.max_outcomes)
