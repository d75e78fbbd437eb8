"""The same games once more, straight from their rule books and by plain recursion, in exact fractions.

Nothing here reads a rule file: the results of solvers are compared with these. Each is slow, and for small numbers.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

Half = Fraction(1, 2)


def solitaire_reach(goal: int, turns: int, sides: int = 6) -> Fraction:
    """Compute the best chance of reaching the goal in Pig alone within the turns."""

    @cache
    def value(score: int, turn: int, left: int) -> Fraction:
        if score + turn >= goal:
            return Fraction(1)
        if left == 0:
            return Fraction(0)
        rolled = value(score, 0, left - 1) + sum(value(score, turn + face, left) for face in range(2, sides + 1))
        held = value(score + turn, 0, left - 1) if turn else Fraction(0)
        return max(rolled / sides, held)

    return value(0, 0, turns)


def solitaire_score(turns: int, sides: int = 6) -> Fraction:
    """Compute the most expected points of Pig alone: each turn rolls while that gains more than it may lose."""

    @cache
    def value(turn: int) -> Fraction:
        if turn * 1 >= sum(range(2, sides + 1)):
            return Fraction(turn)
        return sum((value(turn + face) for face in range(2, sides + 1)), Fraction(0)) / sides

    return turns * value(0)


def solitaire_hold_at(points: int, goal: int, sides: int = 6) -> Fraction:
    """Compute the expected turns to the goal in Pig alone, holding at so many points."""

    @cache
    def ends(turn: int, needed: int) -> dict[int, Fraction]:
        """Compute the distribution of the total of a turn."""
        if turn >= min(points, needed):
            return {turn: Fraction(1)}
        found = Counter({0: Fraction(1, sides)})
        for face in range(2, sides + 1):
            for total, chance in ends(turn + face, needed).items():
                found[total] += chance / sides
        return dict(found)

    @cache
    def turns(needed: int) -> Fraction:
        if needed <= 0:
            return Fraction(0)
        chances = ends(0, needed)
        rest = sum((p * turns(needed - total) for total, p in chances.items() if total), Fraction(0))
        return (1 + rest) / (1 - chances.get(0, Fraction(0)))

    return turns(goal)


def solitaire_turns(goal: int, sides: int = 6) -> Fraction:
    """Pig alone: fewest expected turns. The expected turns from each score are found by trying: they make
    themselves true if each turn is played for them, which Newton's method reaches in a few steps."""
    best: dict[int, Fraction] = {}

    def turn_value(score: int, again: Fraction) -> tuple[Fraction, Fraction]:
        """Compute (the fewest expected turns to come, the chance to lose the turn) if losing costs `again` turns."""

        @cache
        def at(turn: int) -> tuple[Fraction, Fraction]:
            if score + turn >= goal:
                return Fraction(0), Fraction(0)
            rolled = [at(turn + face) for face in range(2, sides + 1)]
            on = (again + sum(one[0] for one in rolled)) / sides, (1 + sum(one[1] for one in rolled)) / sides
            if turn and best[score + turn] < on[0]:
                return best[score + turn], Fraction(0)
            return on

        return at(0)

    for score in reversed(range(goal)):
        again = Fraction(goal)
        while True:
            rest, lost = turn_value(score, again)
            new = (1 + rest - lost * again) / (1 - lost)
            if new == again:
                break
            again = new
        best[score] = again
    return best[0]


def think(turns: int) -> Fraction:
    """Compute the most expected points of Think: from 60 points at risk on a turn is held."""
    ways = Counter(a + b for a, b in product(range(2, 7), repeat=2))

    @cache
    def at(score: int, turn: int, left: int) -> Fraction:
        if left == 0:
            return Fraction(score)
        held = at(score + turn, 0, left - 1)
        if turn >= 60:
            return held
        lost = (10 * at(score, 0, left - 1) + at(0, 0, left - 1)) / 36
        return max(held, lost + sum(n * at(score, turn + total, left) for total, n in ways.items()) / 36)

    return at(0, 0, turns)


def risk(attackers: int, defenders: int, dice: tuple[int, int] = (3, 2)) -> dict[tuple[int, int], Fraction]:
    """Compute the distribution of (attackers left, defenders left) at the end of a battle of Risk."""
    ends: Counter[tuple[int, int]] = Counter()
    reached = Counter({(attackers, defenders): Fraction(1)})
    while reached:
        (a, d), chance = reached.popitem()
        if a == 0 or d == 0:
            ends[a, d] += chance
            continue
        for (lost, won), p in risk_throw(min(a, dice[0]), min(d, dice[1])).items():
            reached[a - lost, d - won] += chance * p
    return dict(ends)


@cache
def risk_throw(attack: int, defence: int) -> dict[tuple[int, int], Fraction]:
    found: Counter[tuple[int, int]] = Counter()
    for faces in product(range(1, 7), repeat=attack + defence):
        pairs = zip(sorted(faces[:attack])[::-1], sorted(faces[attack:])[::-1], strict=False)
        results = [one > other for one, other in pairs]
        found[results.count(False), results.count(True)] += Fraction(1, 6 ** (attack + defence))
    return dict(found)


def risk_chain(armies: int, chain: tuple[int, ...]) -> Fraction:
    """Compute the chance to take a whole chain of territories, battle after battle."""
    able = {armies - 1: Fraction(1)}
    for place, defenders in enumerate(chain):
        after: Counter[int] = Counter()
        for attackers, chance in able.items():
            if attackers > 0:
                for (left, others), p in risk(attackers, defenders).items():
                    if others == 0:
                        after[left - (place < len(chain) - 1)] += chance * p
        able = dict(after)
    return sum(able.values(), Fraction(0))


def hog_totals(dice: int, sides: int = 6) -> dict[int, Fraction]:
    """Compute the distribution of the score of so many dice; any 1 scores nothing."""
    found: Counter[int] = Counter()
    for faces in product(range(1, sides + 1), repeat=dice):
        found[0 if 1 in faces else sum(faces)] += Fraction(1, sides**dice)
    return dict(found)


def two_pigs(counts: tuple[int, int, int, int, int, int]) -> dict[int, Fraction]:
    """Compute the scores of two pigs that land in these proportions; opposite sides score 0."""
    points = (1, 1, 5, 5, 10, 15)  # of a pig; sides score only together
    found: Counter[int] = Counter()
    for one, other in product(range(6), repeat=2):
        if one == other:
            score = 1 if one < 2 else 4 * points[one]
        elif one < 2 and other < 2:
            score = 0
        else:
            score = sum(points[pig] for pig in (one, other) if pig >= 2)
        found[score] += Fraction(counts[one] * counts[other], sum(counts) ** 2)
    return dict(found)


Dice = tuple[int, ...]


@cache
def rolls(dice: int) -> dict[Dice, Fraction]:
    """Return the results of so many dice, in order, with probabilities."""
    found: Counter[Dice] = Counter()
    for faces in combinations_with_replacement(range(1, 7), dice):
        found[faces] = Fraction(factorial(dice), prod(map(factorial, Counter(faces).values())) * 6**dice)
    return dict(found)


def kept(dice: Dice) -> set[Dice]:
    """Return all sets of dice that can be kept."""
    return {
        tuple(face for face, keep in zip(dice, keeps, strict=True) if keep)
        for keeps in product((False, True), repeat=len(dice))
    }


def hooligan_points(dice: Dice, box: int, straight: int = 20) -> int:
    if box < 6:
        return (box + 1) * dice.count(box + 1)
    return straight if sorted(dice) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]) else 0


def best_of_rolls(worth: Callable[[Dice], Fraction]) -> Callable[[Dice, int], Fraction]:
    """Compute the best value of dice after so many more rolls, any of them kept between; fewer than five are kept."""

    @cache
    def value(dice: Dice, left: int) -> Fraction:
        if len(dice) < 5:
            found = (p * value(tuple(sorted(dice + more)), left - 1) for more, p in rolls(5 - len(dice)).items())
            return sum(found, Fraction(0))
        again = {keep for keep in kept(dice) if len(keep) < 5} if left else set()
        return max([Fraction(worth(dice)), *(value(keep, left) for keep in again)])

    return value


@cache
def hooligan(boxes: frozenset[int], declare: bool = False, straight: int = 20) -> Fraction:
    """Compute the most expected points of Hooligan with these boxes open."""
    if not boxes:
        return Fraction(0)
    rest = {box: hooligan(boxes - {box}, declare, straight) for box in boxes}
    if not declare:
        return best_of_rolls(lambda dice: max(hooligan_points(dice, box, straight) + rest[box] for box in boxes))((), 3)
    declared = [
        best_of_rolls(lambda dice, box=box: hooligan_points(dice, box, straight) + rest[box])  # type: ignore[misc]
        for box in boxes
    ]
    return sum((p * max(value(dice, 2) for value in declared) for dice, p in rolls(5).items()), Fraction(0))


UPPER, LOWER = frozenset(range(6)), frozenset(range(6, 13))


def yahtzee_points(dice: Dice, box: int, joker: bool) -> int:
    """Return the score of dice in a box of the card, counted from 0."""
    counts, faces = sorted(Counter(dice).values()), set(dice)
    if box < 6:
        return (box + 1) * dice.count(box + 1)
    runs = [set(range(first, first + 4)) <= faces for first in (1, 2, 3)]
    longer = [set(range(first, first + 5)) <= faces for first in (1, 2)]
    return {
        6: sum(dice) * (counts[-1] >= 3),
        7: sum(dice) * (counts[-1] >= 4),
        8: 25 * (joker or counts == [2, 3]),
        9: 30 * (joker or any(runs)),
        10: 40 * (joker or any(longer)),
        11: 50 * (counts == [5]),
        12: sum(dice),
    }[box]


@cache
def yahtzee(boxes: frozenset[int], upper: int, scored: bool, joker: str = "forced") -> Fraction:
    """Compute the most expected points of Yahtzee: boxes open, upper total, and whether a yahtzee was scored."""
    if not boxes:
        return Fraction(0)

    def worth(dice: Dice) -> Fraction:
        alike, filled = len(set(dice)) == 1, 11 not in boxes
        matching = dice[0] - 1
        wild = alike and filled and matching not in boxes and joker != "none"
        allowed = boxes
        if alike and filled and joker == "forced":
            allowed = boxes & {matching} or boxes & LOWER or boxes & UPPER
        best = Fraction(0)
        for box in allowed:
            points = yahtzee_points(dice, box, wild)
            above = upper + points * (box < 6)
            gained = points + 35 * (upper < 63 <= above) + 100 * (alike and scored)
            after = yahtzee(boxes - {box}, min(above, 63), scored or (box == 11 and points > 0), joker)
            best = max(best, gained + after)
        return best

    return best_of_rolls(worth)((), 3)


def skunk_ends(score: int, other: int, goal: int, ending: str) -> Fraction | None:
    """Return the scorer's payoff if a turn ends so; None if the game continues."""
    if max(score, other) < goal:
        return None
    if ending == "share" and min(score, other) >= goal:
        return Half
    return Half if score == other else Fraction(int(score > other))


def ways_to_set_aside(dice: Dice, points: dict[Dice, int]) -> Iterator[tuple[Dice, int]]:
    """Return each set of dice that can be set aside, all of them in combinations, with its highest score."""
    for aside in kept(dice):
        worth = most_points(aside, points)
        if worth:
            yield aside, worth


def most_points(dice: Dice, points: dict[Dice, int]) -> int:
    """Return the highest score of dice if each is in one combination; 0 if that is impossible."""
    if not dice:
        return 0
    best = 0
    for combination, worth in points.items():
        if dice[0] in combination and not Counter(combination) - Counter(dice):
            rest = tuple(sorted((Counter(dice) - Counter(combination)).elements()))
            more = most_points(rest, points)
            if more or not rest:
                best = max(best, worth + more)
    return best


def combinations_that_score(of_a_kind: str, straight: int, three_pairs: int) -> dict[Dice, int]:
    """Return the combinations of Ten Thousand, as the rule book lists them."""
    points: dict[Dice, int] = {(1,): 100, (5,): 50}
    for face in range(1, 7):
        three = 1000 if face == 1 else 100 * face
        points[(face,) * 3] = three
        if of_a_kind == "doubling":
            points |= {(face,) * 4: 2 * three, (face,) * 5: 4 * three, (face,) * 6: 8 * three}
    if straight:
        points[1, 2, 3, 4, 5, 6] = straight
    if three_pairs:
        for a, b, c in combinations_with_replacement(range(1, 7), 3):
            if a < b < c:
                points[a, a, b, b, c, c] = three_pairs
    return points


def binary_dice(dice: int) -> dict[int, Fraction]:
    return {shown: Fraction(comb(dice, shown), 2**dice) for shown in range(dice + 1)}


def race_of_seats(goal: int, seats: int, hold: int, sides: int = 6) -> list[Fraction]:
    """Compute each seat's chance of winning Pig if all hold at so many points, from the first seat on.

    Play goes round until one of them scores: that circle is summed as a geometric series.
    """

    @cache
    def ends(needed: int) -> dict[int, Fraction]:
        found: Counter[int] = Counter()
        waiting = Counter({0: Fraction(1)})
        while waiting:
            total, chance = min(waiting.items())
            del waiting[total]
            if total >= min(hold, needed):
                found[total] += chance
                continue
            found[0] += chance / sides
            for face in range(2, sides + 1):
                waiting[total + face] += chance / sides
        return dict(found)

    @cache
    def wins(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Compute the chances of all seats, the one to move first."""
        none_scored, totals = Fraction(1), [Fraction(0)] * seats  # so far all have lost their turn
        for place in range(seats):
            turn = ends(goal - scores[place])
            for total, chance in turn.items():
                if total:
                    held = scores[place] + total
                    after = tuple(held if other == place else scores[other] for other in range(seats))
                    rotated = after[place + 1 :] + after[: place + 1]
                    shares = wins(rotated) if held < goal else (Fraction(0),) * (seats - 1) + (Fraction(1),)
                    for other in range(seats):
                        totals[(place + 1 + other) % seats] += none_scored * chance * shares[other]
            none_scored *= turn.get(0, Fraction(0))
        return tuple(total / (1 - none_scored) for total in totals)

    return list(wins((0,) * seats))


def skunk(goal: int, ending: str = "share", sides: int = 6, sweeps: int = 400) -> dict[tuple[int, int], float]:
    """Compute the first player's value of each pair of scores at the start of a turn of Skunk, by iteration."""

    def settled(one: int, other: int) -> float:
        end = skunk_ends(one, other, goal, ending)
        return known[one, other] if end is None else float(end)

    def alone(own: int, sitting: int, turn: int) -> float:
        """Compute the value for one who still stands, after a roll: the better of holding and rolling."""
        held = settled(own + turn, sitting)
        if own + turn >= goal:
            return held
        if (own, sitting, turn) not in memory:
            rolled = settled(own, sitting) + sum(alone(own, sitting, turn + face) for face in range(2, sides + 1))
            memory[own, sitting, turn] = max(held, rolled / sides)
        return memory[own, sitting, turn]

    def sat(own: int, other: int, turn: int) -> float:
        """Compute the value if the other has just held and the one with `own` points stands: the die is rolled."""
        if ending == "first" and other >= goal:
            return 0.0
        return (settled(own, other) + sum(alone(own, other, turn + face) for face in range(2, sides + 1))) / sides

    def both(one: int, other: int, turn: int) -> float:
        """Compute the value after a roll if both stand."""
        if (one, other, turn, 0) in memory:
            return memory[one, other, turn, 0]
        held = settled(one + turn, other + turn)
        if one + turn >= goal and other + turn >= goal:
            return held
        sits, stands = 1 - sat(other, one + turn, turn), sat(one, other + turn, turn)
        if one + turn >= goal:
            worth = min(held, sits)
        elif other + turn >= goal:
            worth = max(held, stands)
        else:
            rolled = settled(one, other) + sum(both(one, other, turn + face) for face in range(2, sides + 1))
            worth = two_by_two(held, sits, stands, rolled / sides)
        memory[one, other, turn, 0] = worth
        return worth

    known = {(one, other): 0.5 for one in range(goal) for other in range(goal)}
    memory: dict[tuple[int, ...], float] = {}
    for total in reversed(range(2 * goal - 1)):
        pairs = [(one, total - one) for one in range(goal) if 0 <= total - one < goal]
        for pair in pairs:
            for _ in range(sweeps):
                before = known[pair]
                memory.clear()
                once = settled(*pair) + sum(both(*pair, face) for face in range(2, sides + 1))
                known[pair] = once / sides
                if abs(known[pair] - before) < 1e-15:
                    break
    return known


def two_by_two(a: float, b: float, c: float, d: float) -> float:
    """Compute the value of the matrix game [[a, b], [c, d]] for the row player."""
    lower, upper = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    if lower >= upper:
        return lower
    return (a * d - b * c) / (a + d - b - c)


def ten_thousand(
    goal: int, of_a_kind: str = "doubling", straight: int = 1500, three_pairs: int = 750, opening: int = 0
) -> dict[tuple[int, int], float]:
    """Compute the chance of winning at the start of a turn with each pair of scores, by iteration, pair by pair."""
    points = combinations_that_score(of_a_kind, straight, three_pairs)
    options: dict[int, dict[frozenset[tuple[int, int]], float]] = {}
    for left in range(1, 7):
        found: Counter[frozenset[tuple[int, int]]] = Counter()
        for dice, chance in rolls(left).items():
            found[frozenset((worth, len(aside)) for aside, worth in ways_to_set_aside(dice, points))] += chance
        options[left] = {ways: float(chance) for ways, chance in found.items()}

    def turn(own: int, other: int) -> float:
        @cache
        def best(total: int, left: int) -> float:
            held = 0.0
            if total and (own or total >= opening):
                if own + total >= goal:
                    return 1.0
                held = 1 - known[other, own + total]
            rolled = 0.0
            for ways, chance in options[left].items():
                aside = [best(total + worth, left - dice or 6) for worth, dice in ways]
                rolled += chance * max(aside, default=1 - known[other, own])
            return max(held, rolled)

        return best(0, 6)

    known = {(one, other): 0.5 for one in range(0, goal, 50) for other in range(0, goal, 50)}
    for one, other in sorted(known, key=lambda pair: (-sum(pair), pair)):
        if one <= other:
            while True:
                before = known[one, other], known[other, one]
                known[one, other] = turn(one, other)
                known[other, one] = turn(other, one)
                if max(abs(known[one, other] - before[0]), abs(known[other, one] - before[1])) < 1e-15:
                    break
    return known


UR_PATHS = {  # squares numbered row by row, eight rows of three; of one player and of the other
    "finkel": ([9, 6, 3, 0, 1, 4, 7, 10, 13, 16, 19, 22, 21, 18], [11, 8, 5, 2, 1, 4, 7, 10, 13, 16, 19, 22, 23, 20]),
    "blitz": (
        [9, 6, 3, 0, 1, 4, 7, 10, 13, 16, 19, 20, 23, 22, 21, 18],
        [11, 8, 5, 2, 1, 4, 7, 10, 13, 16, 19, 18, 21, 22, 23, 20],
    ),
}
UR_PATHS["masters"] = UR_PATHS["blitz"]
UR_ROSETTES = {0, 2, 10, 18, 20}
Pieces = tuple[int, ...]  # places on the own path: -1 waits, the length of the path is home


def ur_moves(rules: str, mine: Pieces, theirs: Pieces, throw: int) -> list[tuple[Pieces, Pieces, bool]]:
    """Return the results of each move: both sides' pieces, and whether the mover throws again."""
    own, other = UR_PATHS[rules]
    home = len(own)
    found = []
    for place in sorted(set(mine)):
        to = place + throw
        if place == home or to > home or (to < home and to in mine):
            continue
        rest = list(theirs)
        again = False
        if to < home:
            square = own[to]
            again = square in UR_ROSETTES
            for i, piece in enumerate(theirs):
                if 0 <= piece < home and other[piece] == square:
                    rest[i] = -1
            if rest != list(theirs):
                if again and rules == "finkel":
                    continue
                again = again or rules == "blitz"
        moved = list(mine)
        moved[moved.index(place)] = to
        found.append((tuple(sorted(moved)), tuple(sorted(rest)), again))
    return found


def ur(rules: str, pieces: int) -> tuple[dict[tuple[Pieces, Pieces], float], int]:
    """Compute the chance of winning before each throw, by plain iteration; return it with the number of states."""
    chances = {shown: float(p) for shown, p in binary_dice(3 if rules == "masters" else 4).items()}
    if rules == "masters":
        chances[4] = chances.pop(0)
    home = len(UR_PATHS[rules][0])
    start = ((-1,) * pieces,) * 2
    follow: dict[tuple[Pieces, Pieces], list[tuple[float, list[tuple[Pieces, Pieces, bool]]]]] = {}
    waiting = [start]
    while waiting:
        mine, theirs = state = waiting.pop()
        if state in follow:
            continue
        follow[state] = []
        for throw, chance in chances.items():
            moves = (ur_moves(rules, mine, theirs, throw) if throw else []) or [(mine, theirs, False)]
            follow[state].append((chance, moves))
            for own, other, again in moves:
                if own[0] < home:
                    waiting.append((own, other) if again else (other, own))
    known = dict.fromkeys(follow, 0.5)
    order = sorted(follow, key=lambda state: sum(map(sum, state)), reverse=True)
    change = 1.0
    while change > 1e-14:
        change = 0.0
        for state in order:
            new = 0.0
            for chance, moves in follow[state]:
                new += chance * max(
                    1.0 if own[0] == home else known[own, other] if again else 1 - known[other, own]
                    for own, other, again in moves
                )
            change = max(change, abs(new - known[state]))
            known[state] = new
    return known, len(follow)
