"""Rule files: the examples, and one to try mistakes on, a sound little game, with some of its text replaced."""

from pathlib import Path

LEARNERS = ("dqn", "maskable_ppo", "ppo")  # examples that are no rule files
EXAMPLES = [file for file in sorted(Path(__file__).parents[1].glob("examples/*.py")) if file.stem not in LEARNERS]

SOUND = '''"""Sprint: roll a die with three faces as often as you dare; a 1 ends the turn with nothing."""

from typing import NamedTuple

players = 2
actions = ("roll", "hold")
ROLL, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 5


class State(NamedTuple):
    score: int
    rival: int
    turn: int


def start(rules):
    return State(0, 0, 0)


def legal(rules, state):
    if state.score + state.turn < rules.goal:
        yield ROLL
    yield HOLD


def outcomes(rules, state, action):
    score, rival, turn = state
    if action == HOLD:
        yield 1.0, State(rival, score + turn, 0), 1
        return
    yield 1 / 3, State(rival, score, 0), 1
    for face in (2, 3):
        yield 1 / 3, State(score, rival, turn + face), 0


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0
'''


def write(folder: Path, *replacements: tuple[str, str], name: str = "sprint.py") -> Path:
    """Write the valid game with replacements, each made once."""
    text = SOUND
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / name
    path.write_text(text)
    return path


def line_of(path: Path, text: str) -> int:
    """Return the number of the first line that contains the text."""
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line)
