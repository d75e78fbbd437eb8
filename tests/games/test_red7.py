"""Red7 on bit sets is Red7 on lists."""

import random

import pytest

from games import red7_on_lists as lists
from komi import InputError
from komi.compiling.compiled import CompiledGame
from komi.game import CHANCE
from komi.games.red7 import rules as red7
from komi.games.red7.canvas import strength, stronger
from komi.games.red7.steps import RETURN, TAKE
from komi.rules.catalog import find
from komi.rules.interface import legal, outcomes, pick, sample

from slowly import slowly

READINGS = [
    {"players": players, "draw": draw, "eliminated": eliminated, "idle_discards": idle}
    for players in (2, 3, 4)
    for draw in ("after", "before", "none")
    for eliminated in ("ignored", "compared")
    for idle in (True, False)
]
GAME = find("red7")
COMPILED = CompiledGame(GAME)


def card(bit):
    return (bit >> 3) + 1, bit & 7


def cards(members):
    return [card(bit) for bit in range(64) if members >> bit & 1]


def bits(members):
    return sum(1 << (8 * (number - 1) + colour) for number, colour in members)


def on_lists(rules, state):
    seats = rules.players
    return lists.Table(
        [cards(hand) for hand in state[0:seats]],
        [cards(palette) for palette in state[4 : 4 + seats]],
        state.canvas,
        cards(state.deck),
        [bool(state.out >> seat & 1) for seat in range(seats)],
        rules.draw,
        rules.eliminated,
        rules.idle_discards,
        rules.taken_from,
        rules.must_act,
        rules.own_seven,
        rules.discard_again,
        (rules.goal or {2: 40, 3: 35, 4: 30}[seats]) if rules.scoring else 0,
        rules.hand,
        [card((state.top >> 6 * place & 63) - 1) for place in range(10) if state.top >> 6 * place],
        cards(state.known),
        {-1: None, 0: None, 64: "done"}.get(state.acting) or card(state.acting - 1) if state.acting > 0 else None,
        [cards(scored) for scored in state[15 : 15 + seats]],
    )


def move(action):
    if action == CHANCE:
        return None, None
    played, discarded = action >> 6, action & 63
    return (None if played == red7.NONE else card(played)), (None if discarded == red7.NONE else card(discarded))


def positions(rules, seed, games=3):
    """Return states of random games, once cards are dealt."""
    chance = random.Random(seed)
    for _ in range(games):
        state = red7.start(rules)
        while not red7.over(rules, state):
            if not state.undealt:
                yield state
            _, action = red7.pick(rules, state, chance.random())
            _, state, _ = red7.sample(rules, state, action, chance.random())


def same(table, other):
    def ordered(one):
        return (
            [sorted(hand) for hand in one.hands],
            [sorted(p) for p in one.palettes],
            one.canvas,
            sorted(one.deck),
            one.out,
            one.top,
            sorted(one.known),
            one.acting,
            [sorted(scored) for scored in one.scored],
        )

    return ordered(table) == ordered(other)


@pytest.mark.parametrize(
    "settings", [*READINGS[::5], *slowly(*(each for each in READINGS if each not in READINGS[::5]))], ids=str
)
def test_moves_and_what_follows_are_those_of_the_rule_book(settings):
    rules = GAME.rules(settings)
    for state in positions(rules, 1):
        table = on_lists(rules, state)
        actions = list(red7.legal(rules, state))
        assert len(actions) == len(set(actions))
        expected = lists.moves(table)
        assert sorted(map(move, actions), key=str) == sorted(expected or [(None, None)], key=str)
        for action in actions:
            played, discarded = move(action)
            found = [after for _, after, _ in red7.outcomes(rules, state, action)]
            drawn = table.deck if lists.draws(table, played, discarded) else [None]
            assert len(found) == len(drawn)
            for after, new in zip(found, drawn, strict=True):
                assert same(on_lists(rules, after), lists.turn(table, played, discarded, new))


ACTING = [
    {"actions": True},
    {"actions": True, "players": 2, "scoring": True, "goal": 12},
    {"actions": True, "players": 4, "scoring": True, "taken_from": "any", "draw": "before"},
    {"actions": True, "must_act": False, "idle_discards": False},
    {"actions": True, "players": 2, "own_seven": True, "discard_again": True},
    {"actions": True, "discard_again": True, "draw": "none", "eliminated": "compared"},
    {"actions": True, "players": 4, "hand": 10, "discard_again": True, "must_act": False, "draw": "before"},
]


def step(action):
    chosen, kind = action >> 6, action & 63
    if action == CHANCE:
        return None
    if kind in (TAKE, RETURN):
        return ("take" if kind == TAKE else "return"), card(chosen)
    if chosen != red7.NONE:
        return "play", card(chosen)
    return ("end", None) if kind == red7.NONE else ("discard", card(kind))


def compare_steps(settings, seed, games, follows=True):
    """Compare move lists, and what follows, with those on lists; return the number of positions."""
    rules, compared = GAME.rules(settings), 0
    for state in positions(rules, seed, games):
        table = on_lists(rules, state)
        actions = list(red7.legal(rules, state))
        assert len(actions) == len(set(actions))
        assert sorted(map(step, actions), key=str) == sorted(lists.steps(table) or [None], key=str)
        for action in actions if follows else ():
            found = [after for _, after, _ in red7.outcomes(rules, state, action)]
            expected = lists.followed(table, step(action))
            assert len(found) == len(expected)
            assert all(same(on_lists(rules, after), other) for after, other in zip(found, expected, strict=True))
        compared += 1
    return compared


@pytest.mark.parametrize("settings", ACTING, ids=str)
def test_steps_of_acting_cards_are_those_of_the_rule_book(settings):
    compare_steps(settings, 6, 4)


@pytest.mark.slow
def test_move_lists_are_those_of_the_rule_book_in_100_000_positions():
    compared = seed = 0
    while compared < 100_000:
        seed += 1
        compared += compare_steps(ACTING[seed % len(ACTING)], seed, 20, follows=False)


@pytest.mark.parametrize("palettes", [300, *slowly(3000)])
@pytest.mark.parametrize("colour", range(7))
def test_strengths_of_random_palettes_compare_as_on_lists(colour, palettes):
    chance = random.Random(colour)
    for _ in range(palettes):
        deck = chance.sample(lists.DECK, 49)
        size, other = chance.randint(0, 12), chance.randint(0, 12)
        own, rival, rest = deck[:size], deck[size : size + other], deck[size + other :]
        beat = lists.strength(colour, rival)
        one, two = strength(colour, bits(own)), strength(colour, bits(rival))
        mine = lists.strength(colour, own)
        assert (one > two) == (mine[0] > 0 and (beat[0] == 0 or mine > beat))
        improving = stronger(colour, bits(own), two)
        for new in rest:
            better = lists.strength(colour, [*own, new])
            assert bool(improving & bits([new])) == (better[0] > 0 and (beat[0] == 0 or better > beat))
        if own:
            assert all(bool(improving & bits([held])) == (one > two) for held in own)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_are_scored_for_good_and_by_the_winner_of_a_round(players):
    rules = GAME.rules({"players": players, "scoring": True, "actions": players == 3})
    chance = random.Random(players)
    for _ in range(5):
        state, seat, owners, rounds = red7.start(rules), 0, [0] * players, 0
        while not red7.over(rules, state):
            _, action = red7.pick(rules, state, chance.random())
            is_end = action == CHANCE and not state.undealt and bin(state.out).count("1") == players - 2
            _, state, passes = red7.sample(rules, state, action, chance.random())
            seat = (seat + passes) % players
            found = [state[15 + (other - seat) % players] for other in range(players)]
            changed = [other for other in range(players) if found[other] != owners[other]]
            assert all(before & ~after == 0 for before, after in zip(owners, found, strict=True))
            assert len(changed) == is_end
            rounds += len(changed)
            owners = found
        won = [sum(number for number, _ in cards(owner)) for owner in owners]
        assert rounds > 1
        assert max(won) >= 50 - 5 * players or 49 - sum(len(cards(owner)) for owner in owners) < 8 * players
        assert red7.payoff(rules, state) == (won[seat] == max(won)) / won.count(max(won))


@pytest.mark.parametrize("settings", [*READINGS[::5], *ACTING], ids=str)
def test_fast_paths_agree_with_the_plain_rules(settings):
    rules = GAME.rules(settings)
    for state in [red7.start(rules), *positions(rules, 2)]:
        actions = list(red7.legal(rules, state))
        chosen = 0 if actions == [CHANCE] else len(actions)
        for index, action in enumerate(actions):
            assert red7.pick(rules, state, (index + 0.5) / len(actions)) == (chosen, action)
            found = list(red7.outcomes(rules, state, action))
            for place, outcome in enumerate(found):
                assert red7.sample(rules, state, action, (place + 0.5) / len(found)) == outcome


def _listed(rules, state, actions):
    count = 0
    for action in legal(rules, state):
        actions[count] = action
        count += 1
    return count


def _followed(rules, state, action, afters):
    count = 0
    for _, after, passes in outcomes(rules, state, action):
        for field in range(len(after)):
            afters[count, field] = after[field]
        afters[count, len(after)] = passes
        count += 1
    return count


def _fast(rules, state, luck):
    count, action = pick(rules, state, luck)
    probability, after, passes = sample(rules, state, action, luck)
    return count, action, probability, after, passes


@pytest.mark.slow
@pytest.mark.parametrize("settings", [READINGS[0], *READINGS[7::7], *ACTING[1::3]], ids=str)
def test_compiled_rules_are_the_interpreted_ones(settings):
    import numpy as np

    rules = GAME.rules(settings)
    listed, followed, fast = (COMPILED.kernels[template] for template in (_listed, _followed, _fast))
    actions, afters = np.zeros(512, np.int64), np.zeros((64, len(red7.State._fields) + 1), np.int64)
    for state in positions(rules, 3, games=1 if rules.actions else 3):
        assert [*actions[: listed(rules, state, actions)]] == [*red7.legal(rules, state)]
        for action in red7.legal(rules, state):
            expected = [(*after, passes) for _, after, passes in red7.outcomes(rules, state, action)]
            assert [tuple(map(int, row)) for row in afters[: followed(rules, state, action, afters)]] == expected
        for luck in (0.01, 0.4, 0.99):
            count, action = red7.pick(rules, state, luck)
            assert fast(rules, state, luck) == (count, action, *red7.sample(rules, state, action, luck))


def test_the_first_seat_is_to_the_left_of_the_highest_palette():
    rules = GAME.default_rules
    for seed in range(20):
        state = next(positions(rules, seed))
        assert max(state.palette, state.palette1, state.palette2) == state.palette2


def test_a_written_state_is_read_back():
    for settings in [*READINGS[::9], *ACTING]:
        rules = GAME.rules(settings)
        for state in [red7.start(rules), *positions(rules, 4)]:
            assert GAME.read(rules, GAME.write(rules, state)) == state


def test_seats_turn_with_the_seat_to_move():
    rules = GAME.default_rules
    one = GAME.read(rules, "hands=R7+O3/Y1+G5/B2+I6,palettes=V4/G1+G2/I3,canvas=Y,seat=2,out=1")
    other = GAME.read(rules, "hands=Y1+G5/B2+I6/R7+O3,palettes=G1+G2/I3/V4,canvas=Y,seat=1,out=3")
    assert one == other


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hands=R7/O3/R7,palettes=V4/G1/I3,canvas=Y", "R7 is named twice"),
        ("hands=R8/O3/Y1,palettes=V4/G1/I3,canvas=Y", "there is no card 'R8'"),
        ("hands=X7/O3/Y1,palettes=V4/G1/I3,canvas=Y", "there is no card 'X7'"),
        ("hands=R7/O3,palettes=V4/G1,canvas=Y", "3 players"),
        ("hands=R7/O3/Y1,palettes=V4/G1/I3,canvas=P", "canvas must be one of"),
        ("hands=R7/O3/Y1,palettes=V4/G1/I3,seat=4", "there is no seat '4'"),
        ("hands=R7/O3/Y1,palettes=V4/G1/I3,seat=1,out=1", "seat 1 is to move and out"),
        ("hands=R7/O3/Y1,palette=V4/G1/I3", "'palette=V4/G1/I3' is none of"),
        ("hands=R7/O3/Y1,palettes=V4/G1/I3,top=R7", "R7 is named twice"),
        ("hands=R7/O3/Y1,palettes=V4/G1/I3,known=R6", "known names a card that is in no hand"),
        ("hands=R7/O3/Y1,palettes=V4/G1/I3,top=R6", "only with actions=true"),
        ("hands=R7/O3/Y1,palettes=V4/G1/I3,scored=R6//", "only with scoring=true"),
    ],
)
def test_a_state_in_wrong_words_is_refused_with_the_reason(text, complaint):
    with pytest.raises(InputError, match=complaint):
        GAME.read(GAME.default_rules, text)


@pytest.mark.parametrize("players", [0, 1, 5, 9])
def test_only_two_to_four_can_play(players):
    with pytest.raises(InputError, match=f"players of red7 must be 2 to 4, not {players}"):
        GAME.rules({"players": players})


@pytest.mark.parametrize("settings", [{}, {"actions": True}], ids=str)
def test_the_view_does_not_depend_on_what_others_hold(settings):
    rules = GAME.rules(settings)
    for state in positions(rules, 5, games=1):
        hidden1, hidden2 = state.hand1 & ~state.known, state.hand2 & ~state.known
        unseen = cards(state.deck | hidden1 | hidden2)
        random.Random(0).shuffle(unseen)
        sizes = [len(cards(hidden1)), len(cards(hidden2))]
        other = state._replace(
            hand1=bits(unseen[: sizes[0]]) | state.hand1 & state.known,
            hand2=bits(unseen[sizes[0] : sum(sizes)]) | state.hand2 & state.known,
            deck=bits(unseen[sum(sizes) :]),
        )
        seen = red7.view(rules, state)
        assert red7.view(rules, other) == seen
        assert seen.hand1 & state.known == state.hand1 & state.known
        assert sorted(red7.legal(rules, other)) == sorted(red7.legal(rules, state))
