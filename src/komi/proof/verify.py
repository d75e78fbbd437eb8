"""Check a certificate of komi: that the value of a game, given by its rules, lies in an interval.

Run `python verify.py FILE`, with Python 3.11 or later and nothing else: it shares no code with komi. The theorems, with
proofs, are in docs/certificates.md. Rules are run as they are written, in exact arithmetic: 0.1 is the fraction 1/10.
Values are whole numbers, in units of 1 / `one`; nothing is compared in floating point. Prints one JSON object. Exit
status: 0 if the claim follows, 1 if it does not, 2 if the file cannot be read or its rules cannot be run.
"""

import argparse, ast, hashlib, itertools, json, math, os, sys, threading, time, types, typing, zlib
from fractions import Fraction
from functools import lru_cache

GUARD_BITS = 24  # values that are not stored are rounded to so many bits more than those that are
MAX_OUTCOMES = 1_000_000  # of an action; actions of a state, too
MAX_KNOWN = 2_000_000  # values that are remembered, though not stored
CHANCE = -1  # the action of chance
class ProblemError(Exception):
    """The arguments: the reason, and the state where the proof fails; None if the certificate cannot be used."""
def need(condition, reason, state=None):
    if not condition:
        raise ProblemError(reason, state)
# 1. Rules: run in exact arithmetic, with nothing but arithmetic at hand.
@lru_cache(1 << 16)
def divide(numerator, denominator):
    quotient = Fraction(numerator, denominator)
    return quotient.numerator if quotient.denominator == 1 else quotient
def power(base, exponent):
    size = max(base.numerator, base.denominator).bit_length()
    need(exponent.denominator == 1 and abs(exponent) * size <= 1 << 16, "its rules compute a power that is too large")
    return divide(1, base ** -int(exponent)) if exponent < 0 else base ** int(exponent)
class Exact(ast.NodeTransformer):
    """Refuses what is not arithmetic; makes divisions, powers and literals exact."""
    FORBIDDEN = (ast.Global, ast.Nonlocal, ast.Delete, ast.With, ast.Await, ast.AsyncFunctionDef, ast.AsyncFor,
                 ast.AsyncWith, ast.Match, ast.Try, ast.TryStar)
    UNDERSCORED = ("_replace", "_fields", "_asdict", "_make")
    TO_CODE = ("_", "gi_", "cr_", "ag_", "tb_", "co_", "f_", "mro")  # attributes that lead to other code
    def __init__(self):
        self.names = {"__divide__": divide, "__power__": power}
    def visit(self, node):
        names = [getattr(node, field, None) for field in ("id", "attr", "arg", "name", "module", "asname")]
        bad = isinstance(node, self.FORBIDDEN) or any("__" in str(name) and name != "__all__" for name in names)
        bad |= isinstance(getattr(node, "value", None), complex)
        if isinstance(node, ast.Attribute):
            bad |= not isinstance(node.ctx, ast.Load)
            bad |= node.attr.startswith(self.TO_CODE) and node.attr not in self.UNDERSCORED
        elif isinstance(node, ast.ClassDef):
            bad |= [getattr(base, "id", "") for base in node.bases] != ["NamedTuple"] or bool(node.decorator_list)
            bad |= not all(isinstance(each, (ast.AnnAssign, ast.Expr, ast.Pass)) for each in node.body)
        elif isinstance(node, ast.arguments):
            constants = (ast.Constant, ast.UnaryOp, types.NoneType)
            bad |= not all(isinstance(each, constants) for each in node.defaults + node.kw_defaults)
        need(not bad, f"its rules do more than arithmetic in line {getattr(node, 'lineno', 'of a function')}")
        return super().visit(node)
    def visit_Constant(self, node):
        if not isinstance(node.value, float):
            return node
        self.names[f"__{node.value!r}__"] = divide(Fraction(repr(node.value)), 1)
        return ast.copy_location(ast.Name(f"__{node.value!r}__", ast.Load()), node)
    def visit_AugAssign(self, node):
        if isinstance(node.op, (ast.Div, ast.Pow)):
            before = ast.parse(ast.unparse(node.target), mode="eval").body
            after = ast.BinOp(before, node.op, node.value, lineno=node.lineno)
            node = ast.copy_location(ast.Assign([node.target], after), node)
        return self.generic_visit(node)
    def visit_BinOp(self, node):
        self.generic_visit(node)
        function = {ast.Div: "__divide__", ast.Pow: "__power__"}.get(type(node.op))
        called = ast.Call(ast.Name(function, ast.Load()), [node.left, node.right], [])
        return ast.copy_location(called, node) if function else node
class Array:
    """The part of `numpy.ndarray` that tables of rules need: one element at a time."""
    def __init__(self, rows):
        self.rows = [Array(row) if isinstance(row, (list, tuple, Array)) else row for row in rows]
    def __getitem__(self, index):
        for each in index if isinstance(index, tuple) else (index,):
            self = self.rows[each]
        return self
    def __setitem__(self, index, value):
        *first, last = index if isinstance(index, tuple) else (index,)
        self[tuple(first)].rows[last] = value
def zeros(shape, *_):
    first, *others = shape if isinstance(shape, tuple) else (shape,)
    return Array([zeros(tuple(others)) if others else 0 for _ in range(first)])
def put(values, index, value):
    entries = list(values)
    entries[index] = value
    return tuple(entries)
def named(*functions):
    return {each.__name__: each for each in functions}
ARITHMETIC = (abs, all, any, bool, dict, divmod, enumerate, filter, frozenset, int, isinstance, len, list, map, max,
              min, range, reversed, round, set, sorted, str, sum, tuple, zip)
MODULES = {
    "typing": named(typing.NamedTuple),
    "math": named(math.ceil, math.comb, math.factorial, math.floor, math.gcd, math.isqrt, math.perm, math.prod),
    "itertools": named(itertools.accumulate, itertools.combinations, itertools.combinations_with_replacement,
                       itertools.product),
    "numpy": {"array": Array, "zeros": zeros, "int64": int},
    "komi.game": {"CHANCE": CHANCE, "put": put},
    "komi.bitset": {"count": lambda members: members.bit_count(), "length": lambda members: members.bit_length()},
    "komi.branchless": {"either": lambda condition, if_true, if_false: if_true if condition else if_false},
}
FUNCTIONS = [*ARITHMETIC, *MODULES["typing"].values(), *MODULES["math"].values()]
CONSTANT = (int, Fraction, str, range, type, types.ModuleType, types.NoneType)
def frozen(value):
    """Make a value beside the rules constant: what a rule returns depends on its arguments alone."""
    if isinstance(value, (list, tuple)):
        return type(value)(*map(frozen, value)) if hasattr(value, "_fields") else tuple(map(frozen, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    if isinstance(value, dict):
        return types.MappingProxyType({key: frozen(each) for key, each in value.items()})
    if isinstance(value, Array):
        return setattr(value, "rows", frozen(value.rows)) or value
    defaults = getattr(value, "_field_defaults", {}).values()
    is_constant = isinstance(value, CONSTANT) or value in FUNCTIONS or not getattr(value, "__closure__", value)
    parts = itertools.chain(*[each if isinstance(each, tuple) else (each,) for each in defaults])
    is_constant &= all(isinstance(each, CONSTANT) for each in parts)
    return need(is_constant, f"its rules keep a {type(value).__name__} that can change") or value
def load(name, sources, loaded):
    """Run a module of the certificate, or return what takes the place of a library."""
    if name in loaded:
        return loaded[name]
    loaded[name] = module = types.ModuleType(name)
    members = vars(module)
    if name not in sources:
        need(name in MODULES, f"its rules import {name}")
        return members.update(MODULES[name]) or module
    exact = Exact()
    tree = ast.fix_missing_locations(exact.visit(ast.parse(sources[name])))
    importing = {"__import__": lambda wanted, *_: load(wanted, sources, loaded), "__build_class__": __build_class__}
    members.update(exact.names, __builtins__=named(*ARITHMETIC) | importing | {"float": Fraction})
    exec(compile(tree, name, "exec", dont_inherit=True), members)
    members.update({each: frozen(members[each]) for each in list(members) if not each.startswith("__")})
    return module
# 2. Games: the moves of a state, and the backup of values through states that are not stored.
class Known(dict):
    def __missing__(self, state):
        need(False, "play returns to this state without passing one that is stored", state)
class Values:
    """Theorems 1 and 2: lower and upper values of a game of one or two players, for the player to move."""
    shift, plies = GUARD_BITS, None
    def __init__(self, certificate, max_states):
        self.module = module = load(certificate["main"], certificate["modules"], {})
        self.rules, self.max_states, self.evaluated = module.Rules(**frozen(certificate["rules"])), max_states, 0
        self.seats = self.of_rules("players", None)
        self.sign = -1 if self.seats == 1 and self.of_rules("aim", "most") == "least" else 1
        self.gains = hasattr(module, "reward") and not self.of_rules("objective", "chance").startswith("chance")
        need(not hasattr(module, "view") and self.seats in (1, 2 - self.gains), "it hides something, or has 3 seats")
        self.one = 1 << certificate["bits"] + self.shift
        least, greatest = sorted((0, self.sign * self.one))
        self.least, self.greatest = (-math.inf, math.inf) if self.gains else (least, greatest)
        self.worst, best = self.of_rules("payoff_range", (0, 1))
        self.width = best - self.worst
        symmetric = self.seats == 2 and self.worst == -best < 0
        need((self.worst, best) == (0, 1) or symmetric, "its range of payoffs is none of two players")
        states = [module.State(*frozen(fields)) for fields in zip(*certificate["states"], strict=True)]
        pairs = zip([low << self.shift for low in certificate["lower"]], certificate["gap"], strict=True)
        pairs = [(low, low + (gap << self.shift)) for low, gap in pairs]
        self.stored = dict(zip(states, pairs, strict=True))
        need(len(self.stored) == len(states), "a state is stored twice", module.start(self.rules))
        self.known = Known(self.stored)
    def of_rules(self, part, default):
        value = getattr(self.module, part, default)
        return value(self.rules) if callable(value) else value
    def moves(self, state):
        """List the actions: (the denominator of all chances, [(numerator, next state, passes, gain)])."""
        self.evaluated += 1
        need(self.evaluated <= self.max_states, "it has more states than the limit: raise it")
        actions = self.listed(self.module.legal(self.rules, state), state)
        need(actions and (CHANCE not in actions or not actions[1:]), "there is no action, or one beside chance", state)
        return [self.outcomes(state, action) for action in actions]
    def listed(self, yielded, state):
        found = list(itertools.islice(yielded, MAX_OUTCOMES))
        return need(len(found) < MAX_OUTCOMES, "there are too many actions, or outcomes of one", state) or found
    def outcomes(self, state, action):
        found = [each for each in self.listed(self.module.outcomes(self.rules, state, action), state) if each[0]]
        common = math.lcm(*[chance.denominator for chance, _, _ in found])
        weights = [chance.numerator * (common // chance.denominator) for chance, _, _ in found]
        need(sum(weights) == common and min(weights) >= 0, "probabilities do not sum to 1, or are negative", state)
        need({type(each[1]) for each in found} == {self.module.State}, "an outcome is no state", state)
        gains = [0] * len(found)
        if hasattr(self.module, "reward"):
            gains = [self.sign * self.one * self.module.reward(self.rules, state, action, each[1]) for each in found]
        need(self.gains or not any(gains), "an action has a reward, but the value is a chance", state)
        rows = zip(weights, found, gains, strict=True)
        return common, [(weight, after, passes % self.seats, gain) for weight, (_, after, passes), gain in rows]
    def end(self, state):
        seats = [(seat,) for seat in range(self.seats)] if self.module.payoff.__code__.co_argcount == 3 else [()]
        payoffs = [self.module.payoff(self.rules, state, *seat) for seat in seats]
        share, *others = [divide(payoff - self.worst, self.width) for payoff in payoffs]
        need(0 <= share <= 1 and others in ([], [1 - share]), "payoffs are out of range, or do not sum to it", state)
        return self.at_end(self.sign * share, state)
    def at_end(self, payoff, state):
        return math.floor(payoff * self.one), math.ceil(payoff * self.one)
    def backup(self, moves):
        """Return the values of the best action: the lower one rounded down, the upper one up."""
        lowest, highest = [], []
        for common, outcomes in moves:
            low = high = 0
            for weight, after, passes, gain in outcomes:
                lower, upper = self.known[after]
                if passes:
                    lower, upper = self.one - upper, self.one - lower
                low += weight * (lower + gain)
                high += weight * (upper + gain)
            lowest.append(low // common)
            highest.append(-(-high // common))
        return max(lowest), max(highest)
    def check(self, stored, found, state):
        need(stored[0] <= self.least or stored[0] < found[0], "no action is better than the lower value", state)
        need(stored[1] >= self.greatest or stored[1] > found[1], "an action is as good as the upper value", state)
    def evaluate(self, root):
        """Back up a state from its successors, and these from theirs, down to states that are stored."""
        if self.module.over(self.rules, root):
            return self.end(root)
        if len(self.known) > len(self.stored) + MAX_KNOWN:
            self.known = Known(self.stored)
        moves, begun, known = self.moves(root), {}, self.known
        stack = [each[1] for _, outcomes in moves for each in outcomes]
        while stack:
            state = stack[-1]
            if state in known:
                stack.pop()
            elif state in begun:
                known[state] = self.backup(begun.pop(state))
            elif self.module.over(self.rules, state):
                known[state] = self.end(state)
            else:
                begun[state] = self.moves(state)
                stack += [each[1] for _, outcomes in begun[state] for each in outcomes if each[1] not in known]
        return self.backup(moves)
    def prove(self, claim):
        """Check every state that is stored, and the claim."""
        for state, values in self.stored.items():
            self.check(values, self.evaluate(state), state)
        start = self.module.start(self.rules)
        low, high = sorted(self.sign * each for each in self.stored.get(start) or self.evaluate(start))
        need(claim[0] << self.shift <= low <= high <= claim[1] << self.shift, "the value is not in the interval", start)
        payoffs = [self.worst + self.width * divide(number, self.one >> self.shift) for number in claim]
        return math.floor(payoffs[0] * 10**12), math.floor(-payoffs[1] * 10**12)
class Scores(Values):
    """Theorem 3: without chance, a win in n plies is END - n, a draw 0, a loss in n plies n - END."""
    shift, END = 0, 1 << 40  # more than there are states
    def prove(self, claim):
        super().prove(claim)
        self.plies = self.END - abs(claim[0]) if claim[0] else None
        payoff = self.worst + self.width * divide(1 + (claim[0] > 0) - (claim[0] < 0), 2)
        return math.floor(payoff * 10**12), math.floor(-payoff * 10**12)
    def at_end(self, payoff, state):
        need(payoff in (0, divide(1, 2), 1), "the game ends neither in a win nor in a draw or a loss", state)
        return (self.END * (2 * payoff - 1),) * 2
    def backup(self, moves):
        need(self.seats == 2 and all(len(outcomes) == 1 for _, outcomes in moves), "it is no duel without chance")
        scores = [-self.known[after][0] if passes else self.known[after][0] for _, [(_, after, passes, _)] in moves]
        return (max(score - (score > 0) + (score < 0) for score in scores),) * 2
    def check(self, stored, found, state):
        need(stored == found, "the plies to the end are not those of the best action", state)
# 3. Files.
def read(path):
    with open(path, "rb") as file:
        head, _, body = file.read().partition(b"\n")
    need(head.startswith(b"komi certificate "), "it is no certificate")
    version, _, digest = head.removeprefix(b"komi certificate ").decode(errors="replace").partition(" ")
    need(version == "1", f"it is of version {version}, and this checker reads version 1")
    need(digest == hashlib.sha256(body).hexdigest(), "it is damaged or cut short")
    return json.loads(zlib.decompressobj().decompress(body, 1 << 32), parse_float=Fraction)
def verify(path, max_states):
    begin = time.monotonic()
    try:
        certificate = read(path)
        game = {"values": Values, "scores": Scores}[certificate["kind"]](certificate, max_states)
        lower, upper = game.prove(certificate["claim"])
        return {"verified": True, "game": certificate["game"], "rules": certificate["rules"],
                "lower": float(f"{lower}e-12"), "upper": float(f"{-upper}e-12"), "plies": game.plies,
                "states": len(game.stored), "evaluated": game.evaluated, "seconds": time.monotonic() - begin}, 0
    except ProblemError as error:
        reason, state = error.args
    except Exception as error:  # whatever the file holds, and its rules do
        reason, state = f"it cannot be used ({type(error).__name__}: {error})", None
    fields = None if state is None else json.loads(json.dumps(state._asdict(), default=int))
    return {"verified": False, "reason": reason, "state": fields}, 2 if state is None else 1
def end_late(seconds):
    time.sleep(seconds)
    print('{"verified": false, "reason": "its rules do not end, or need more time: raise the limit", "state": null}')
    os._exit(sys.stdout.flush() or 2)
def main():
    parser = argparse.ArgumentParser(description="Check a certificate of komi.")
    parser.add_argument("file")
    parser.add_argument("--seconds", type=float, default=3600.0, help="the time limit")
    parser.add_argument("--gigabytes", type=int, default=8, help="the memory limit, where the system knows one")
    parser.add_argument("--states", type=int, default=100_000_000, help="the most states to check")
    options = parser.parse_args()
    if sys.platform == "linux":
        __import__("resource").setrlimit(9, (options.gigabytes << 30,) * 2)  # RLIMIT_AS
    threading.Thread(target=end_late, args=(options.seconds,), daemon=True).start()
    result, status = verify(options.file, options.states)
    sys.exit(print(json.dumps(result, default=float)) or status)

if __name__ == "__main__":
    main()
