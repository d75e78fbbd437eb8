"""Traffic Lights: the rules against paper, and what their solution says."""

import random
from typing import Any

import pytest

import komi
from games.lights import Fixed, moves_with_strip, over_with_strip
from komi.errors import InputError
from komi.rules.catalog import find
from komi.solvers.solve import solve_by
from komi.solvers.tablebase.tablebase import RETROGRADE, Tablebase
from solvers.duels import results

from slowly import slowly

GAME = find("traffic-lights")
MOVABLE = GAME.rules({"version": 3})


def solved(**rules: object) -> Tablebase:
    tablebase = komi.solve("traffic-lights", **rules)
    assert isinstance(tablebase, Tablebase)
    return tablebase


LARGE = [(2, 4, False), (4, 2, True), (3, 3, False), (3, 3, True)]


@pytest.mark.parametrize(
    "board",
    [
        (1, 3, False),
        (4, 1, True),
        (2, 3, False),
        (3, 2, False),
        *(pytest.param(board, marks=pytest.mark.slow) for board in LARGE),
    ],
)
def test_every_position_of_small_boards_is_what_negamax_says(board: tuple[int, int, bool]) -> None:
    plain = Fixed(*board)
    tablebase = solved(rows=board[0], columns=board[1], misere=board[2])
    ours = {position: tablebase.position_value(position) for position in plain.results}
    assert {position: (worth.value, worth.plies) for position, worth in ours.items()} == plain.results
    values = [value for position, (value, _) in plain.results.items() if position not in plain.over]
    counts = tablebase.counts
    assert (counts.win, counts.loss, counts.draw) == (values.count("win"), values.count("loss"), 0)
    assert (counts.terminal, tablebase.states) == (len(plain.over), len(values))


@pytest.mark.slow
def test_every_position_of_version_2_follows_from_those_after_it() -> None:
    solved(version=2).check()


@pytest.mark.slow
def test_every_position_of_version_3_follows_from_those_after_it() -> None:
    solved(version=3).check()


def random_positions(count: int) -> list[str]:
    chance = random.Random(4)
    return ["".join(chance.choices(".rog", (4, 3, 2, 1), k=12)) + chance.choice("NESW") for _ in range(count)]


@pytest.mark.parametrize(
    ("rules", "board", "line"),
    [
        ({}, "rr.ggg..o", [(1, 0), (1, 1), (1, 2)]),
        ({}, "r.o.r.ogr", [(0, 0), (1, 1), (2, 2)]),
        ({}, "rr.gg...o", []),
        ({"version": 3}, "r..r......rrS", []),
        ({"version": 3}, "..r..r..r..rW", [(0, 2), (1, 2), (2, 2)]),
    ],
)
def test_squares_that_decide_are_those_of_completed_lines(
    rules: dict[str, object], board: str, line: list[tuple[int, int]]
) -> None:
    chosen = GAME.rules(rules)
    state = GAME.read(chosen, board)
    assert list(GAME.part("decisive")(chosen, state)) == line
    assert GAME.part("over")(chosen, state) == bool(line)


def test_lines_of_version_3_are_those_of_the_rectangle_as_it_lies() -> None:
    for position in random_positions(3000):
        assert GAME.part("over")(MOVABLE, GAME.part("read")(MOVABLE, position)) == over_with_strip(position)


def test_moves_of_version_3_are_those_made_by_hand() -> None:
    for position in random_positions(3000):
        state = GAME.part("read")(MOVABLE, position)
        ours = [
            GAME.write(MOVABLE, after)
            for action in GAME.part("legal")(MOVABLE, state)
            for _, after, _ in GAME.outcomes(MOVABLE, state, action)
        ]
        assert len(ours) == len(set(ours)), "each move leads to another position"
        assert set(ours) == moves_with_strip(position)


def late_positions(tablebase: Tablebase, value: str) -> list[Any]:
    """Return positions of version 3 with this value for the mover and few counters left to place."""
    chance = random.Random(3)
    found: list[Any] = []
    while len(found) < 2:
        text = "".join(chance.choices(".rog", (2, 2, 4, 6), k=12)) + chance.choice("NESW")
        late = sum(".rog".index(letter) for letter in text[:12]) >= 25
        if late and not over_with_strip(text) and tablebase.value(text) == value:
            found.append(GAME.read(MOVABLE, text))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("value", ["win", "loss", "draw"])
def test_late_positions_of_version_3_are_what_the_definition_says(value: str) -> None:
    tablebase = solved(version=3)
    for root in late_positions(tablebase, value):
        plain = results(GAME, MOVABLE, root)
        ours = {state: tablebase.position_value(state) for state in plain}
        assert {state: (worth.value, worth.plies) for state, worth in ours.items()} == plain
        assert plain[root][0] == value


def images(rules: Any, state: Any) -> set[Any]:
    return {state, *GAME.part("symmetries")(rules, state)}


@pytest.mark.parametrize(
    "settings", [{"version": 3}, {"rows": 2, "columns": 4}, *slowly({"version": 1}, {"version": 2})]
)
def test_images_of_a_position_lead_to_images_of_what_it_leads_to(settings: dict[str, object]) -> None:
    rules = GAME.rules(settings)
    squares = len(GAME.write(rules, GAME.part("start")(rules))) - (rules.version == 3)
    for text in random_positions(300):
        state = GAME.part("read")(rules, text[:squares] + text[12:] * (rules.version == 3))
        after = {x for a in GAME.part("legal")(rules, state) for _, x, _ in GAME.outcomes(rules, state, a)}
        for image in images(rules, state):
            assert GAME.part("over")(rules, image) == GAME.part("over")(rules, state)
            assert images(rules, image) == images(rules, state)
            follow = {x for a in GAME.part("legal")(rules, image) for _, x, _ in GAME.outcomes(rules, image, a)}
            assert {frozenset(images(rules, x)) for x in follow} == {frozenset(images(rules, x)) for x in after}


@pytest.mark.parametrize(("version", "images_of_start"), [(1, 8), (2, 4), (3, 8)])
def test_versions_have_the_symmetries_of_their_boards(version: int, images_of_start: int) -> None:
    rules = GAME.rules({"version": version})
    text = {1: "r.g.o....", 2: "r.g.o.......", 3: "r.g.o....ro.S"}[version]
    assert len(images(rules, GAME.read(rules, text))) == images_of_start


def test_the_first_player_wins_version_1_with_the_centre_in_17_plies() -> None:
    lights = solved(version=1)
    assert (lights.value(), lights.plies(), lights.best()) == ("win", 17, "b2")


@pytest.mark.slow
def test_the_second_player_wins_version_2() -> None:
    assert (solved(version=2).value(), solved(version=2).plies()) == ("loss", 26)


@pytest.mark.slow
def test_version_3_is_a_draw() -> None:
    assert (solved(version=3).value(), solved(version=3).plies()) == ("draw", None)


def lines_against(lights: Tablebase, reply: Any) -> set[int]:
    """Compute the lengths of all games in which one player follows a strategy: it always wins.

    `reply(board, last)` is the square to move on, given the board and the square the other moved on last.
    """
    lasted = set()
    waiting = [lights.after(None, "b2")]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        for label in lights.game.labels(lights.rules, state):
            other = lights.after(state, label)
            assert not lights.game.part("over")(lights.rules, other), "the other player completes no line"
            mine = lights.after(other, reply(lights, other, label))
            if lights.game.part("over")(lights.rules, mine):
                lasted.add(sum(".rog".index(letter) for letter in lights.game.write(lights.rules, mine)))
            elif mine not in seen:
                seen.add(mine)
                waiting.append(mine)
    return lasted


OPPOSITE = {"a1": "c3", "b1": "b3", "c1": "a3", "a2": "c2", "b2": "b2", "c2": "a2", "a3": "c1", "b3": "b1", "c3": "a1"}


def win_or_mirror(lights: Tablebase, state: Any, last: str) -> str:
    """Complete a line if you can; if not, move opposite to the other player."""
    for label in lights.game.labels(lights.rules, state):
        if lights.game.part("over")(lights.rules, lights.after(state, label)):
            return label
    return OPPOSITE[last]


def test_centre_then_win_or_mirror_beats_every_reply_in_version_1() -> None:
    assert max(lines_against(solved(version=1), win_or_mirror)) == 17


def test_the_solution_beats_every_reply_in_17_plies() -> None:
    def best(lights: Tablebase, state: Any, last: str) -> str:
        return lights.best(state) or ""

    assert max(lines_against(solved(version=1), best)) == 17


@pytest.mark.slow
def test_the_solution_as_second_player_beats_every_reply_in_version_2() -> None:
    lights = solved(version=2)
    waiting = {lights.game.part("start")(lights.rules): 26}
    seen = 0
    while waiting:
        state, left = waiting.popitem()
        for label in lights.game.labels(lights.rules, state):
            mine = lights.after(state, label)
            assert not lights.game.part("over")(lights.rules, mine)
            other = lights.after(mine, lights.best(mine) or "")
            if not lights.game.part("over")(lights.rules, other):
                assert lights.value(other) == "loss"
                assert (lights.plies(other) or 0) <= left - 2
                if seen < 2000 and other not in waiting:
                    seen += 1
                    waiting[other] = left - 2


@pytest.mark.parametrize(
    ("text", "version", "message"),
    [
        ("rog", 1, "it must have 9 squares, not 3"),
        ("rogrogrogr", 1, "it must have 9 squares, not 10"),
        ("rog", 2, "it must have 12 squares, not 3"),
        ("rogrogrogrog", 3, "9 squares, 3 of the strip and the edge it lies on, 13 letters, not 12"),
        ("rog...b..", 1, "'b' is not a counter"),
        (".........rogX", 3, "'X' is not an edge"),
    ],
)
def test_bad_notation_is_refused_in_one_sentence(text: str, version: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.read(GAME.rules({"version": version}), text)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rows": 5}, "rows of traffic-lights must be 1 to 4, not 5"),
        ({"columns": -1}, "columns of traffic-lights must be 1 to 4, not -1"),
        ({"rows": 2, "columns": 2}, "rows of traffic-lights must be 3 to 4 with columns=2, not 2"),
        ({"version": 4}, "version of traffic-lights must be 1 to 3, not 4"),
        ({"version": 3, "rows": 4}, "rows of traffic-lights must be 3 with version=3, not 4"),
    ],
)
def test_boards_out_of_range_are_refused_in_one_sentence(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.rules(settings)


def test_impossible_fields_are_refused() -> None:
    with pytest.raises(InputError, match="its rules do not allow"):
        GAME.read(GAME.default_rules, "edge=2")


def test_notation_is_read_as_it_is_written() -> None:
    for text in random_positions(200):
        assert GAME.write(MOVABLE, GAME.part("read")(MOVABLE, text)) == text


def test_small_letters_and_capitals_are_both_read() -> None:
    assert GAME.read(MOVABLE, "ROG......rog" + "e") == GAME.read(MOVABLE, "rog......rogE")


def test_boards_show_each_counter_once() -> None:
    for text in random_positions(50):
        shown = list(GAME.part("board")(MOVABLE, GAME.part("read")(MOVABLE, text)))
        assert len({(row, column) for row, column, _, _ in shown}) == 12
        letters = sorted({"": ".", "red": "r", "orange": "o", "green": "g"}[counter] for _, _, counter, _ in shown)
        assert letters == sorted(text[:12])


def test_a_board_laid_on_its_side_is_the_same_game() -> None:
    assert solve_by(RETROGRADE, GAME, GAME.rules({"rows": 2, "columns": 3})).counts == solved(rows=3, columns=2).counts
