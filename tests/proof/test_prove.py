"""Every game with a proved value has a certificate, which the checker accepts; what it proves contains the value."""

import ast
import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import SolveError
from komi.proof import verify as checker
from komi.proof.verification import CHECKER
from komi.rules import catalog

import certificates
import countings
import rulefiles

GAMES = Path(__file__).parents[1] / "games"
FEW: list[tuple[str, dict[str, Any]]] = [
    ("pig", {"goal": 10}),
    ("pig-solitaire", {"goal": 10, "turns": 3}),
    ("pig-solitaire", {"goal": 10, "objective": "turns"}),
    ("traffic-lights", {"rows": 3, "columns": 2}),
]
ALL: list[tuple[str, dict[str, Any]]] = [
    ("red-light", {"goal": 5, "red": 2, "green": 4}),
    ("pig", {"goal": 20, "komi": 3}),
    ("piglet", {"goal": 6}),
    ("hog", {"goal": 12, "max_dice": 6}),
    ("progressive-pig", {"goal": 10}),
    ("two-dice-pig", {"goal": 12}),
    ("big-pig", {"goal": 14}),
    ("pass-the-pigs", {"goal": 10}),
    ("fowl-play", {"goal": 8, "wolves": 3, "chickens": 9}),
    ("farkle", {"goal": 500}),
    ("ten-thousand", {"goal": 500}),
    ("royal-game-of-ur", {"pieces": 1}),
    ("royal-game-of-ur", {"pieces": 1, "rules": "blitz"}),
    ("traffic-lights", {}),
    ("think", {}),
    ("pig-solitaire", {"objective": "score", "turns": 5}),
    ("hooligan", {}),
    ("risk-battle", {}),
    ("risk-chain", {}),
]
MIXES: list[dict[str, Any]] = [
    {"stalls": 4, "ends": 4},
    {"stalls": 10, "ends": 6, "twins": 40},
    {"stalls": 0, "ends": 3},
]


def confirm(name: str, rules: dict[str, Any], file: Path) -> None:
    """Prove and check a game; compare the proved value with that of `komi solve`."""
    proof, value = komi.prove(name, file, **rules), komi.solve(name, **rules).expected_value()
    result, status = certificates.check(file, max_states=10_000_000)
    assert status == 0, result
    [claim] = result["claims"]
    assert claim["lower"] <= proof.lower <= proof.upper <= claim["upper"]
    assert proof.lower <= value <= proof.upper
    assert claim["upper"] - claim["lower"] <= 2e-9 * max(1.0, abs(value))
    assert claim["states"] == proof.states


@pytest.mark.parametrize(("name", "rules"), FEW, ids=str)
def test_games_are_proved(name: str, rules: dict[str, Any], tmp_path: Path) -> None:
    confirm(name, rules, tmp_path / "game.cert")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), ALL, ids=str)
def test_every_built_in_game_is_proved(name: str, rules: dict[str, Any], tmp_path: Path) -> None:
    confirm(name, rules, tmp_path / "game.cert")


def test_plies_are_proved(tmp_path: Path) -> None:
    file = tmp_path / "lights.cert"
    komi.prove("traffic-lights", file, rows=3, columns=2)
    result, _ = certificates.check(file)
    assert result["claims"][0]["plies"] == komi.solve("traffic-lights", rows=3, columns=2).plies()


def prove_random_games(name: str, plans: range, tmp_path: Path, **settings: Any) -> Counter[str]:
    """Prove random games, and compare the proved values with exact fractions."""
    game, file, met = catalog.find(str(GAMES / name)), tmp_path / "game.cert", Counter[str]()
    for plan in plans:
        rules = {**settings, "plan": plan}
        try:
            proof = komi.prove(game, file, **rules)
        except SolveError:
            met["refused"] += 1
            continue
        result, status = certificates.check(file)
        assert status == 0, (rules, result)
        counted = countings.count(game, game.rules(rules))
        low, high = Fraction(proof.lower), Fraction(proof.upper)
        if counted.is_well_defined:
            assert float(low) - 1e-9 <= counted.low[0] <= counted.high[0] <= float(high) + 1e-9, rules
            exact = countings.values(counted)
            assert exact is None or low <= exact[counted.states[0]] <= high, rules
            met["exact"] += exact is not None
        elif len(proof.claims) == 2:
            lost, won = proof.claims
            assert abs(lost.lower - counted.low[0]) <= 1e-6, rules
            assert abs(won.upper - counted.high[0]) <= 1e-6, rules
            met["both"] += 1
        met["proved"] += 1
    return met


@pytest.mark.parametrize(
    "mix", [MIXES[0], *(pytest.param(each, marks=pytest.mark.slow) for each in MIXES[1:])], ids=str
)
def test_random_games_are_proved(mix: dict[str, Any], tmp_path: Path) -> None:
    met = prove_random_games("random_game.py", range(8), tmp_path, places=4, **mix)
    assert met["exact"] >= 2


@pytest.mark.slow
@pytest.mark.parametrize("mix", MIXES, ids=str)
def test_many_random_games_are_proved(mix: dict[str, Any], tmp_path: Path) -> None:
    met = prove_random_games("random_game.py", range(1000, 1600), tmp_path, places=6, **mix)
    assert met["exact"] > 100


@pytest.mark.slow
def test_many_random_games_without_chance_are_proved(tmp_path: Path) -> None:
    game, file = catalog.find(str(GAMES / "random_duel.py")), tmp_path / "game.cert"
    for plan in range(200):
        komi.prove(game, file, plan=plan, places=60)
        result, status = certificates.check(file)
        solution = komi.solve(game, plan=plan, places=60)
        assert status == 0, (plan, result)
        assert tuple(result["claims"][0][name] for name in ("lower", "plies")) == (
            solution.expected_value(),
            solution.plies(),
        ), plan


def test_checker_runs_alone(tmp_path: Path) -> None:
    file, alone = tmp_path / "game.cert", tmp_path / "verify.py"
    komi.prove("pig", file, goal=10)
    alone.write_bytes(CHECKER.read_bytes())
    done = subprocess.run([sys.executable, "-I", "-S", alone, file], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["verified"]


def test_checker_is_short_and_imports_the_standard_library_alone() -> None:
    source = CHECKER.read_text()
    assert len(source.splitlines()) <= 300
    imported = {
        alias.name.partition(".")[0] if isinstance(node, ast.Import) else str(node.module)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported <= sys.stdlib_module_names


def test_checker_compares_no_floating_point_numbers(tmp_path: Path) -> None:
    file = tmp_path / "game.cert"
    komi.prove("pig", file, goal=10)
    certificate = checker.read(file)
    game = checker.Claim(certificate, certificate["claims"][0], 1000)
    moves = game.moves((0, game.module.start(game.rules), 1))
    numbers = [each for lottery in moves for weight, (_, state, _), *_ in lottery for each in (weight, *state)]
    assert not any(isinstance(each, float) for each in numbers)
    assert all(isinstance(each, int) for pair in game.stored.values() for each in pair)


def test_games_that_cannot_be_solved_are_refused_in_one_sentence(run: Any, tmp_path: Path) -> None:
    refused = run("prove", "yahtzee", "--set", "players=2", "-o", tmp_path / "game.cert")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "do not affect each other" in refused.err


def test_commands_write_and_check_certificates(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "pig.cert"
    proved = run("prove", "pig", "--set", "goal=10", "-o", file, "--json").solution
    assert proved["bytes"] == file.stat().st_size
    verified = run("verify", file, "--json").solution
    assert verified["verified"]
    assert verified["lower"] <= proved["lower"] < proved["upper"] <= verified["upper"]
    assert proved["states"] == verified["states"]
    text = run("verify", file).out
    assert text.startswith("Verified, in 810 states")
    assert "- the value of 'pig' (goal=10, sides=6, komi=0, players=2) to the first player is from 0.7094" in text
    changed = certificates.change_claim(file, lambda claim: claim.update(interval=[0, 1]))
    refused = run("verify", changed, "--json")
    assert refused.code == 1
    assert not refused.solution["verified"]
    assert refused.solution["state"] == {"score": 0, "rival": 0, "turn": 0, "rival2": 0, "rival3": 0}
    assert "Not verified: the value is not in the interval" in run("verify", changed).out


def test_rules_that_the_checker_refuses_are_refused_before_they_are_solved(run: Any, tmp_path: Path) -> None:
    game, file = (
        rulefiles.write(tmp_path, ("HOLD = range(2)", "HOLD = range(2)\nEXTRA = 1\ndel EXTRA")),
        tmp_path / "game.cert",
    )
    refused = run("prove", game, "-o", file)
    assert (refused.code, refused.out) == (2, "")
    reason = "its rules leave the language of rules in line 9: 'del EXTRA'"
    assert refused.err == f"komi: the rules of {game.stem} have no certificate: {reason}.\n"
    assert not file.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("bear_off", {"checkers": 2, "points": 2, "cube": 2}),  # payoffs in points
        ("first_orchard", {"fruit": 2}),  # tuples in states
        ("connect_four", {"line": 3, "columns": 3, "rows": 3}),
        ("shut_the_box", {"tiles": 4}),
    ],
)
def test_games_of_the_shelf_are_proved(name: str, rules: dict[str, int], tmp_path: Path) -> None:
    game, file = Path(__file__).parents[2] / "examples" / f"{name}.py", tmp_path / "game.cert"
    komi.prove(game, file, **rules)
    result, status = certificates.check(file)
    value = komi.solve(game, **rules).expected_value()
    assert status == 0, result
    [claim] = result["claims"]
    assert claim["lower"] - 1e-12 <= value <= claim["upper"] + 1e-12
    assert claim["upper"] - claim["lower"] < 1e-8
