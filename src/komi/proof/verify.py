#!/usr/bin/env python3
"""Check a certificate of komi: that the value of a game, given by its rules, lies in an interval.

    python verify.py FILE [--json] [--seconds N] [--states N]

Needs Python 3.11 and nothing else, and shares no code with komi. `docs/certificates.md` states the theorems that are
used here, and proves them. The rules are run as they are written, in exact arithmetic: 0.1 is the fraction 1/10. Values
are integers, in units of 1 / `one`; floating-point numbers do not occur. Exit status: 0 if the claim follows, 1 if it
does not, 2 if the file cannot be read or its rules cannot be run.
"""

import argparse
import ast
import copy
import hashlib
import itertools
import json
import math
import os
import sys
import threading
import time
import types
import typing
import zlib
from fractions import Fraction
from functools import lru_cache

VERSION = 1
GUARD_BITS = 24  # values that are not stored are rounded to so many bits more than those that are
MAX_BYTES = 1 << 32  # of an unpacked file
MAX_DIGITS = 1 << 16  # bits of a power
MAX_OUTCOMES = 1_000_000  # of a state
MAX_KNOWN = 2_000_000  # values that are not stored, but remembered
STALL = 60  # the most seconds for one step
CHANCE = -1  # the action of chance


class BadInputError(Exception):
    """The certificate cannot be read, or its rules cannot be run."""


class RefusedError(Exception):
    """The claim does not follow; the arguments are the reason, and the state where it fails."""


# 1. Rules: run in exact arithmetic, with nothing but arithmetic at hand.


@lru_cache(1 << 16)
def divide(numerator, denominator):
    quotient = Fraction(numerator, denominator)
    return quotient.numerator if quotient.denominator == 1 else quotient


def power(base, exponent):
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if exponent.denominator != 1 or abs(exponent) * size > MAX_DIGITS:
        raise BadInputError("its rules compute a power that is not exact, or has too many digits")
    return divide(1, base ** -int(exponent)) if exponent < 0 else base ** int(exponent)


class Exact(ast.NodeTransformer):
    """Refuses what is not arithmetic; makes divisions, powers and literals exact."""

    FORBIDDEN = (ast.Global, ast.Nonlocal, ast.Delete, ast.With, ast.Await, ast.AsyncFunctionDef, ast.AsyncFor,
                 ast.AsyncWith, ast.Match, ast.Try, ast.TryStar)  # fmt: skip
    UNDERSCORED = ("_replace", "_fields", "_asdict", "_make")
    FRAMES = ("_", "gi_", "cr_", "ag_", "tb_", "co_", "f_", "mro")  # ways to other code

    def __init__(self):
        self.names = {"__divide": divide, "__power": power}

    def visit(self, node):
        names = [getattr(node, field, None) for field in ("id", "attr", "arg", "name", "module", "asname")]
        bad = isinstance(node, self.FORBIDDEN) or any("__" in str(name) and name != "__all__" for name in names)
        if isinstance(node, ast.Attribute):
            bad |= not isinstance(node.ctx, ast.Load)
            bad |= node.attr.startswith(self.FRAMES) and node.attr not in self.UNDERSCORED
        elif isinstance(node, ast.ClassDef):
            bases = [getattr(base, "id", "") for base in node.bases]
            bad |= bases != ["NamedTuple"] or bool(node.decorator_list or node.keywords)
        elif isinstance(node, ast.arguments):
            bad |= not all(each is None or isinstance(each, ast.Constant) for each in node.defaults + node.kw_defaults)
        if bad or isinstance(getattr(node, "value", None), complex):
            raise BadInputError(f"its rules do more than arithmetic{f' in line {node.lineno}' if names[0] else ''}")
        return super().visit(node)

    def visit_Constant(self, node):  # noqa: N802
        if not isinstance(node.value, float):
            return node
        name = f"__{node.value!r}"
        self.names[name] = divide(Fraction(repr(node.value)), 1)
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_BinOp(self, node):  # noqa: N802
        self.generic_visit(node)
        return self.exact(node, node.left, node.right) or node

    def visit_AugAssign(self, node):  # noqa: N802
        self.generic_visit(node)
        before = copy.deepcopy(node.target)
        before.ctx = ast.Load()
        after = self.exact(node, before, node.value)
        return ast.copy_location(ast.Assign([node.target], after), node) if after else node

    def exact(self, node, left, right):
        function = {ast.Div: "__divide", ast.Pow: "__power"}.get(type(node.op))
        return function and ast.copy_location(ast.Call(ast.Name(function, ast.Load()), [left, right], []), node)


class Array:
    """The part of `numpy.ndarray` that tables of rules need: one element at a time."""

    def __init__(self, rows):
        self.rows = [Array(row) if isinstance(row, (list, tuple, Array)) else row for row in rows]

    def __getitem__(self, index):
        for each in index if isinstance(index, tuple) else (index,):
            self = self.rows[each]  # noqa: PLW0642
        return self

    def __setitem__(self, index, value):
        *first, last = index if isinstance(index, tuple) else (index,)
        self[tuple(first)].rows[last] = value

    def __len__(self):
        return len(self.rows)


def zeros(shape, kind=None):
    first, *others = shape if isinstance(shape, tuple) else (shape,)
    return Array([zeros(tuple(others)) if others else 0 for _ in range(first)])


def either(condition, if_true, if_false):
    return if_true if condition else if_false


def nth(members, index):
    for _ in range(index):
        members &= members - 1
    return members & -members


ARITHMETIC = (abs, all, any, bool, dict, divmod, enumerate, filter, frozenset, int, isinstance, len, list, map, max, min, range,
              reversed, round, set, sorted, str, sum, tuple, zip)  # fmt: skip
MODULES = {
    "typing": {"NamedTuple": typing.NamedTuple},
    "math": {name: getattr(math, name) for name in ("ceil", "comb", "factorial", "floor", "gcd", "isqrt", "perm", "prod")},
    "itertools": {name: getattr(itertools, name) for name in ("combinations", "combinations_with_replacement", "product")},
    "numpy": {"array": Array, "zeros": zeros, "int64": int},
    "komi.game": {"CHANCE": CHANCE},
    "komi.bitset": {"count": lambda members: members.bit_count(), "length": lambda members: members.bit_length(), "nth": nth},
    "komi.branchless": {"either": either},
}


def frozen(value):
    """Make a value beside the rules constant: rules depend on their arguments alone."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return tuple(map(frozen, value))
    if isinstance(value, Array):
        value.rows = frozen(value.rows)
    elif isinstance(value, dict):
        return types.MappingProxyType({key: frozen(each) for key, each in value.items()})
    elif isinstance(value, set):
        return frozenset(value)
    elif not (isinstance(value, (int, Fraction, str, range, frozenset, tuple, type, types.ModuleType, types.NoneType))
              or value in BUILT_IN or isinstance(value, types.FunctionType) and not value.__closure__):  # fmt: skip
        raise BadInputError(f"its rules keep a {type(value).__name__} that could change")
    return value


BUILT_IN = [*ARITHMETIC, *(value for module in MODULES.values() for value in module.values())]


def load(name, sources, loaded):
    """Run a module of the certificate, or return one that takes the place of a library."""
    if name not in loaded:
        if name not in sources and name not in MODULES:
            raise BadInputError(f"its rules import {name}")
        loaded[name] = module = types.ModuleType(name)
        if name in sources:
            exact = Exact()
            tree = ast.fix_missing_locations(exact.visit(ast.parse(sources[name])))
            built_in = {each.__name__: each for each in ARITHMETIC} | {"float": Fraction, "__build_class__": __build_class__}
            built_in["__import__"] = lambda wanted, *more: imported(wanted, more[2], sources, loaded)
            module.__dict__.update(exact.names, __builtins__=built_in)
            exec(compile(tree, name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
            members = [each for each in module.__dict__ if not each.startswith("__")]
            module.__dict__.update({each: frozen(module.__dict__[each]) for each in members})
        else:
            module.__dict__.update(MODULES[name])
    return loaded[name]


def imported(name, members, sources, loaded):
    for member in members or ():
        if f"{name}.{member}" in sources:
            loaded.setdefault(name, types.ModuleType(name)).__dict__[member] = load(f"{name}.{member}", sources, loaded)
    return loaded[name] if name in loaded else load(name, sources, loaded)


# 2. The game: the moves of a state, and the backup of values through states that are not stored.


class Game:
    """The rules of a certificate, and what is known of its states: (lower, upper) for the player to move."""

    def __init__(self, certificate, limit):
        module = load(certificate["main"], certificate["modules"], {})
        self.rules = module.Rules(**certificate["rules"])
        self.start, self.state, self.over, self.payoff = module.start(self.rules), module.State, module.over, module.payoff
        self.legal, self.outcomes, self.reward = module.legal, module.outcomes, getattr(module, "reward", None)
        self.seats = self.of_rules(getattr(module, "players", 0))
        self.sign = -1 if self.of_rules(getattr(module, "aim", "most")) == "least" and self.seats == 1 else 1
        is_chance = not hasattr(module, "objective") or module.objective(self.rules).startswith("chance")
        self.gains = self.reward is not None and not is_chance
        if hasattr(module, "view") or self.seats not in (1, 2) or (self.gains and self.seats == 2):
            raise BadInputError("its game is not one of one or two players who see everything")
        self.one = 1 << certificate["bits"] + GUARD_BITS
        self.bottom, self.top = (None, None) if self.gains else sorted((0, self.sign * self.one))
        self.known, self.stored, self.evaluated, self.limit = {}, {}, 0, limit

    def of_rules(self, part):
        return part(self.rules) if callable(part) else part

    def moves(self, state):
        """List the actions: (the denominator of all chances, [(numerator, next state, passes, gain)])."""
        self.evaluated += 1
        if self.evaluated > self.limit:
            raise BadInputError(f"there are more than {self.limit} states to check: raise the limit")
        actions = list(itertools.islice(self.legal(self.rules, state), MAX_OUTCOMES))
        if not actions or (CHANCE in actions and len(actions) > 1):
            raise RefusedError("there is no legal action, or one besides chance", state)
        return [self.transitions(state, action) for action in actions]

    def transitions(self, state, action):
        found = [each for each in itertools.islice(self.outcomes(self.rules, state, action), MAX_OUTCOMES) if each[0]]
        common = math.lcm(*[chance.denominator for chance, _, _ in found])
        weights = [chance.numerator * (common // chance.denominator) for chance, _, _ in found]
        gains = [0] * len(found)
        if self.reward:
            gains = [self.sign * self.one * self.reward(self.rules, state, action, after) for _, after, _ in found]
        if any(gains) and not self.gains:
            raise RefusedError(f"action {action} has a reward, but the objective is a chance", state)
        if sum(weights) != common or min(weights) < 0:
            raise RefusedError(f"the probabilities of action {action} do not sum to 1", state)
        return common, [(weight, after, passes % self.seats, gain)
                        for weight, (_, after, passes), gain in zip(weights, found, gains, strict=True)]  # fmt: skip

    def end(self, state):
        seats = range(self.seats) if self.payoff.__code__.co_argcount == 3 else ()
        shares = [self.payoff(self.rules, state, seat) for seat in seats] or [self.payoff(self.rules, state)]
        if min(shares) < 0 or max(shares) > 1 or (len(shares) > 1 and sum(shares) != 1):
            raise RefusedError("the payoffs are not from 0 to 1, or do not sum to 1", state)
        payoff = self.sign * shares[0] * self.one
        return math.floor(payoff), math.ceil(payoff)

    def backup(self, moves):
        """Return the values of the best action: the lower one rounded down, the upper one up."""
        lowest, highest = [], []
        for common, listed in moves:
            low = high = 0
            for weight, after, passes, gain in listed:
                lower, upper = self.known[after]
                if passes:
                    lower, upper = self.one - upper, self.one - lower
                low += weight * (lower + gain)
                high += weight * (upper + gain)
            lowest.append(low // common)
            highest.append(-(-high // common))
        return max(lowest), max(highest)

    def evaluate(self, root):
        """Compute the values of a state from those of its successors, and theirs, down to states that are stored."""
        open_, stack, known = {}, [root], self.known
        if len(known) > len(self.stored) + MAX_KNOWN:
            known = self.known = dict(self.stored)
        while True:
            state = stack[-1]
            if state in open_:
                try:
                    values = self.backup(open_.pop(state))
                except KeyError:
                    raise RefusedError("play can return to a state without passing one that is stored", state) from None
                if len(stack) == 1:
                    return values
                known[state] = values
            elif state in known and len(stack) > 1:
                stack.pop()
            elif self.over(self.rules, state):
                known[state] = self.end(state)
            else:
                open_[state] = moves = self.moves(state)
                stack += [after for _, listed in moves for _, after, _, _ in listed if after not in known]


# 3. The theorems: what must hold in every state that is stored.


def check_values(game, certificate):
    """Theorem 1: strictly better than the lower value is possible, and strictly worse than the upper one certain."""
    shift = GUARD_BITS
    lower, gap = certificate["lower"], certificate["gap"]
    states = [game.state(*fields) for fields in zip(*certificate["states"], strict=True)]
    pairs = [(low << shift, low + more << shift) for low, more in zip(lower, gap, strict=True)]
    game.known = dict(zip(states, pairs, strict=True))
    game.stored = dict(game.known)
    if len(game.stored) != len(states):
        raise RefusedError("a state is stored twice", None)
    for state, (low, high) in game.stored.items():
        if game.over(game.rules, state):
            raise RefusedError("a state where the game is over is stored", state)
        lowest, highest = game.evaluate(state)
        if not (lowest > low or (game.bottom is not None and low <= game.bottom)):
            raise RefusedError("no action gives more than the lower value", state)
        if not (highest < high or (game.top is not None and high >= game.top)):
            raise RefusedError("an action gives the upper value or more", state)
    if game.over(game.rules, game.start):
        low, high = game.end(game.start)
    else:
        low, high = game.stored.get(game.start) or game.evaluate(game.start)
    return sorted((game.sign * low, game.sign * high)), game.one


KINDS = {"values": check_values}


def read(path):
    with open(path, "rb") as file:
        head, _, body = file.read().partition(b"\n")
    name, _, version = head.rpartition(b" ")[0].rpartition(b" ")
    if name != b"komi certificate":
        raise BadInputError("it is no certificate")
    if version != b"%d" % VERSION:
        raise BadInputError(f"it is of version {version.decode(errors='replace')}; this checker reads version {VERSION}")
    if head.rpartition(b" ")[2] != hashlib.sha256(body).hexdigest().encode():
        raise BadInputError("it is damaged or cut short")
    unpacked = zlib.decompressobj()
    text = unpacked.decompress(body, MAX_BYTES)
    if not unpacked.eof:
        raise BadInputError("it is too large")
    return json.loads(text, parse_float=Fraction)


def watch(seconds, games):
    """End the process when its time is over, or if one step takes too long."""
    begin, before = time.monotonic(), None
    while True:
        time.sleep(min(STALL, max(seconds - (time.monotonic() - begin), 0.0)))
        evaluated = games[0].evaluated if games else None
        if evaluated == before or time.monotonic() - begin >= seconds:
            answer({"verified": False, "reason": "its rules do not end, or more time is needed: raise the limit"})
            os._exit(2)
        before = evaluated


def verify(path, limit, games):
    """Return the result as a dictionary, and the exit status."""
    begin = time.monotonic()
    try:
        certificate = read(path)
        games.append(game := Game(certificate, limit))
        (low, high), one = KINDS[certificate["kind"]](game, certificate)
        claim = [each << GUARD_BITS for each in certificate["claim"]]
        if not claim[0] <= low <= high <= claim[1]:
            raise RefusedError("the value of the start need not lie in the interval that is claimed", game.start)
    except RefusedError as error:
        reason, state = error.args
        fields = state and {name: int(getattr(state, name)) for name in state._fields}
        return {"verified": False, "reason": reason, "state": fields}, 1
    except BadInputError as error:
        return {"verified": False, "reason": str(error)}, 2
    except (Exception, MemoryError) as error:  # whatever rules do
        return {"verified": False, "reason": f"its rules cannot be run: {type(error).__name__}, {error}"}, 2
    return {
        "verified": True,
        "game": certificate["game"],
        "rules": {name: str(value) for name, value in certificate["rules"].items()},
        "lower": float(f"{claim[0] * 10**12 // one}e-12"),  # rounded away from the interval
        "upper": float(f"{-(-claim[1] * 10**12 // one)}e-12"),
        "states": len(game.stored),
        "evaluated": game.evaluated,
        "seconds": round(time.monotonic() - begin, 2),
    }, 0


def answer(result):
    if "--json" in sys.argv:
        print(json.dumps(result), flush=True)
    elif result["verified"]:
        print("Verified: the value of {game} is from {lower} to {upper} ({evaluated} states).".format(**result))
    else:
        where = f" in the state {result['state']}" if result.get("state") else ""
        print(f"Not verified: {result['reason']}{where}.", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Check a certificate of komi.")
    parser.add_argument("file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=int, default=7200, help="the time limit")
    parser.add_argument("--states", type=int, default=100_000_000, help="the most states to check")
    options, games = parser.parse_args(), []
    threading.Thread(target=watch, args=(options.seconds, games), daemon=True).start()
    result, status = verify(options.file, options.states, games)
    answer(result)
    sys.exit(status)


if __name__ == "__main__":
    main()
