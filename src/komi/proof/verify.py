"""Check a certificate of komi: that what players of a game get, given by its rules, lies in an interval.

Run `python verify.py FILE` with Python 3.11 or later; no code of komi is used. The theorems and their proofs are in
docs/certificates.md. Rules are run as they are written, in exact arithmetic: 0.1 is the fraction 1/10. Values are whole
numbers of 1 / `one`. Prints one JSON object. Exit status: 0 if the claims follow, 1 if they do not, 2 for a bad file.
"""
import argparse, ast, gc, hashlib, itertools, json, math, os, sys, threading, time, types, typing, zlib
from collections import Counter
from fractions import Fraction
from functools import lru_cache
GUARD_BITS = 24  # values that are not stored are rounded to so many bits more than those that are
MAX_OUTCOMES = 1_000_000  # of an action; actions of a state, too
MAX_KNOWN = 2_000_000  # values that are remembered, though not stored
class ProblemError(Exception):
    """The arguments: the reason, and the state where the proof fails; None if the certificate cannot be used."""
def need(condition, reason, state=None):
    if not condition: raise ProblemError(reason, state)
# 1. Rules: run in exact arithmetic, with nothing but arithmetic at hand.
@lru_cache(1 << 16)
def divide(numerator, denominator):
    quotient = Fraction(numerator, denominator)
    return quotient.numerator if quotient.denominator == 1 else quotient
def power(base, exponent):
    size = max(base.numerator, base.denominator).bit_length()
    need(exponent.denominator == 1 and abs(exponent) * size <= 1 << 16, "its rules compute a power that is too large")
    return divide(1, base ** -int(exponent)) if exponent < 0 else base ** int(exponent)
NAMES = {"__divide__": divide, "__power__": power}  # what changed rules use; the fractions of their literals are added
class Exact(ast.NodeTransformer):
    """Refuses what is not arithmetic; makes divisions, powers and literals exact."""
    FORBIDDEN = (ast.Global, ast.Nonlocal, ast.Delete, ast.With, ast.AsyncFunctionDef, ast.Match, ast.Try, ast.TryStar)
    UNDERSCORED = ("_replace", "_fields", "_asdict", "_make")
    TO_CODE = ("_", "gi_", "cr_", "ag_", "tb_", "co_", "f_", "mro")  # attributes that lead to other code
    def visit(self, node):
        names = [getattr(node, field, None) for field in ("id", "attr", "arg", "name", "module", "asname")]
        bad = isinstance(node, self.FORBIDDEN) or any("__" in str(name) and name != "__all__" for name in names)
        bad |= isinstance(getattr(node, "value", None), complex)
        bad |= isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Div, ast.Pow))
        if isinstance(node, ast.Attribute):
            to_code = node.attr.startswith(self.TO_CODE) and node.attr not in self.UNDERSCORED
            bad |= to_code or not isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.ClassDef):
            bad |= [getattr(base, "id", "") for base in node.bases] != ["NamedTuple"] or bool(node.decorator_list)
            bad |= not all(isinstance(each, (ast.AnnAssign, ast.Expr, ast.Pass)) for each in node.body)
        elif isinstance(node, ast.arguments):
            constants = (ast.Constant, ast.UnaryOp, types.NoneType)
            bad |= not all(isinstance(each, constants) for each in node.defaults + node.kw_defaults)
        need(not bad, f"its rules do more than arithmetic in line {getattr(node, 'lineno', 'of a function')}")
        return super().visit(node)
    def visit_Constant(self, node):
        if not isinstance(node.value, float): return node
        NAMES[f"__{node.value!r}__"] = divide(Fraction(repr(node.value)), 1)
        return ast.copy_location(ast.Name(f"__{node.value!r}__", ast.Load()), node)
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
        for each in index if isinstance(index, tuple) else (index,): self = self.rows[each]
        return self
    def __setitem__(self, index, value):
        *first, last = index if isinstance(index, tuple) else (index,)
        self[tuple(first)].rows[last] = value
def zeros(shape, *_):
    first, *others = shape if isinstance(shape, tuple) else (shape,)
    return Array([zeros(tuple(others)) if others else 0 for _ in range(first)])
def named(*functions): return {each.__name__: each for each in functions}
ARITHMETIC = (abs, all, any, bool, dict, divmod, enumerate, filter, frozenset, int, isinstance, len, list, map, max,
              min, range, reversed, round, set, sorted, str, sum, tuple, zip)
MODULES = {
    "typing": named(typing.NamedTuple),
    "math": named(math.ceil, math.comb, math.factorial, math.floor, math.gcd, math.isqrt, math.perm, math.prod),
    "itertools": named(itertools.accumulate, itertools.combinations, itertools.combinations_with_replacement,
                       itertools.product),
    "numpy": {"array": Array, "zeros": zeros, "int64": int},
    "komi.game": {"CHANCE": -1, "put": lambda a, i, x: (*a[:range(len(a))[i]], x, *a[i % len(a) + 1:])},
    "komi.bitset": {"count": lambda members: members.bit_count(), "length": lambda members: members.bit_length()},
    "komi.branchless": {"either": lambda condition, if_true, if_false: if_true if condition else if_false},
}
FUNCTIONS = [*ARITHMETIC, *MODULES["typing"].values(), *MODULES["math"].values()]
CONSTANT = (int, Fraction, str, range, type, types.ModuleType, types.NoneType)
def frozen(value):
    """Make a value beside the rules constant: what a rule returns depends on its arguments alone."""
    if isinstance(value, (list, tuple)):
        return type(value)(*map(frozen, value)) if hasattr(value, "_fields") else tuple(map(frozen, value))
    if isinstance(value, (set, frozenset)): return frozenset(value)
    if isinstance(value, dict): return types.MappingProxyType({key: frozen(each) for key, each in value.items()})
    if isinstance(value, Array): return setattr(value, "rows", frozen(value.rows)) or value
    defaults = getattr(value, "_field_defaults", {}).values()
    is_constant = isinstance(value, CONSTANT) or value in FUNCTIONS or not getattr(value, "__closure__", value)
    parts = itertools.chain(*[each if isinstance(each, tuple) else (each,) for each in defaults])
    is_constant &= all(isinstance(each, CONSTANT) for each in parts)
    return need(is_constant, f"its rules keep a {type(value).__name__} that can change") or value
def load(name, sources, loaded):
    """Run a module of the certificate, or return what takes the place of a library."""
    if name in loaded: return loaded[name]
    need(name in sources or name in MODULES, f"its rules import {name}")
    loaded[name] = module = types.ModuleType(name)
    members = vars(module)
    if name not in sources: return members.update(MODULES[name]) or module
    tree = ast.fix_missing_locations(Exact().visit(ast.parse(sources[name])))
    importing = {"__import__": lambda wanted, *_: load(wanted, sources, loaded), "__build_class__": __build_class__}
    members.update(NAMES, __builtins__=named(*ARITHMETIC) | importing | {"float": Fraction})
    exec(compile(tree, name, "exec", dont_inherit=True), members)
    members.update({each: frozen(members[each]) for each in list(members) if not each.startswith("__")})
    return module
# 2. Nodes: (seat to move, state, weight, state, weight, ...), of states that look the same to who has no policy.
class Known(dict):
    def __missing__(self, node): need(False, "play returns to this state without passing one that is stored", node[1])
pair = lru_cache(1 << 16)(lambda low, high: (low, high))  # one object in memory for equal pairs
def whole(chances):
    if chances == [1]: return 1, chances
    common = math.lcm(*[each.denominator for each in chances])
    return common, [each.numerator * (common // each.denominator) for each in chances]
class Claim:
    """What one seat gets: lower and upper values, of the player to move; with more than two players, of that seat."""
    def __init__(self, certificate, claim, max_states):
        self.module = module = load(certificate["main"], certificate["modules"], {})
        self.rules, self.max_states, self.evaluated = module.Rules(**frozen(certificate["rules"])), max_states, 0
        self.players, self.view = self.of_rules("players", None), getattr(module, "view", lambda _, state: state)
        self.turned, self.reward = getattr(module, "turned", None), getattr(module, "reward", lambda *_: 0)
        policies = [dict(self.rows(each["shares"], each["states"])) for each in certificate["policies"]]
        self.play = [None if number is None else policies[number] for number in claim["play"]]
        free = [seat for seat, policy in enumerate(self.play) if policy is None]
        self.seat, endless, self.step = claim["seat"], claim["endless"], claim["step"]
        self.sign = -1 if self.players == 1 and self.of_rules("aim", "most") == "least" else 1
        self.gains = hasattr(module, "reward") and not self.of_rules("objective", "chance").startswith("chance")
        self.alike = self.players == 2 and claim["play"][0] == claim["play"][1] and endless is None
        self.hidden_from = free[0] if free and hasattr(module, "view") else None
        self.worst, self.best = self.of_rules("payoff_range", (0, 1))
        is_known = len(self.play) == self.players > self.seat >= 0 and endless in (None, 0, 1) and self.step in (0, 1)
        is_known &= free in ([], [self.seat]) or self.players == 2
        is_known &= self.hidden_from is None or len(free) == 1 < self.players
        is_known &= not self.gains or (self.players == 1 and endless is None)
        is_known &= not self.step or (free == [0, 1] and endless is None and claim["bits"] > 40)
        is_known &= (self.worst, self.best) == (0, 1) or (self.players == 2 and self.worst == -self.best < 0)
        need(is_known, "there is no theorem for what it claims")
        self.shift = shift = 0 if self.step else GUARD_BITS
        self.one = 1 << claim["bits"] + shift
        self.least, self.greatest = (-math.inf, math.inf) if self.gains else sorted((0, self.sign * self.one))
        self.endless = [None if endless is None else self.sign * self.one * abs(endless - (each != self.seat))
                        for each in (range(2) if self.players == 2 else [self.seat] * self.players)]
        nodes = [(seat, state, 1) for state, seat in self.rows(claim["seats"], claim["states"])]
        pairs = [(low << shift, low + gap << shift) for low, gap in zip(claim["lower"], claim["gap"], strict=True)]
        self.stored = dict(zip(nodes, pairs, strict=True))
        need(len(self.stored) == len(nodes), "a state is stored twice", module.start(self.rules))
        self.known = Known(self.stored)
    def of_rules(self, part, default):
        value = getattr(self.module, part, default)
        return value(self.rules) if callable(value) else value
    def rows(self, others, columns):
        return [(self.module.State(*frozen(fields)), other) for other, *fields in zip(others, *columns, strict=True)]
    def listed(self, part, state, *action):
        found = list(itertools.islice(part(self.rules, state, *action), MAX_OUTCOMES))
        return need(len(found) < MAX_OUTCOMES, "there are too many actions, or outcomes of one", state) or found
    def moves(self, node):
        """List a lottery for each action of a player without a policy; one lottery where a policy or chance decides."""
        policy, choices, known, total = self.play[node[0]], {}, [], sum(node[2::2])
        for state, weight in zip(node[1::2], node[2::2], strict=True):
            self.evaluated += 1
            need(self.evaluated <= self.max_states, "it has more states than the limit: raise it")
            actions = self.listed(self.module.legal, state)
            need(actions and (-1 not in actions or not actions[1:]), "there is no action, or one beside chance", state)
            known = known or actions
            need(policy is not None or actions == known, "a state that looks like this one has other actions", state)
            shares = [1] * len(actions) if policy is None else policy.get(self.view(self.rules, state), (1,))
            need(len(shares) == len(actions) and min(shares) >= 0 < sum(shares), "the policy does not fit here", state)
            for action, share in zip(actions, shares, strict=True):
                if share:
                    scale = divide(weight * share, total * (sum(shares) if policy else 1))
                    choices.setdefault(policy is None and action, []).extend(self.outcomes(scale, state, action))
        return [self.lottery(node[0], rows) for rows in choices.values()]
    def outcomes(self, scale, state, action):
        """List the outcomes: (scale times the chance, next state, seats by which the turn passes, gain)."""
        found = [each for each in self.listed(self.module.outcomes, state, action) if each[0]]
        common, weights = whole([chance for chance, _, _ in found])
        need(sum(weights) == common and min(weights) >= 0, "probabilities do not sum to 1, or are negative", state)
        need({type(each[1]) for each in found} == {self.module.State}, "an outcome is no state", state)
        need(not self.step or not found[1:], "an action has several outcomes", state)
        weights = weights if scale == 1 else [divide(scale * weight, common) for weight in weights]  # 1: in any unit
        rows = [(weight, after, passes, self.sign * self.one * self.reward(self.rules, state, action, after))
                for weight, (_, after, passes) in zip(weights, found, strict=True)]
        return need(self.gains or not any(row[3] for row in rows), "a reward adds to a chance", state) or rows
    def lottery(self, seat, rows):
        """Merge what looks the same to a player without a policy: [(weight, next node, flips, gain), ...]."""
        groups, merged = {}, []
        for weight, (_, looks, passes, gain) in zip(whole([row[0] for row in rows])[1], rows, strict=True):
            state, after, flips = looks, (seat + passes) % self.players, self.players == 2 and passes % 2
            node = 0 if self.alike else after, state, 1
            if self.hidden_from is None and node in self.known and node not in self.stored: pass
            elif self.module.over(self.rules, state): self.known[node] = self.end(after, state)
            elif self.hidden_from is not None and (self.turned or after == self.hidden_from):  # else it sees all
                for _ in range((self.hidden_from - after) % self.players): looks = self.turned(self.rules, looks)
                groups.setdefault((after, self.view(self.rules, looks), flips), Counter())[state] += weight
                continue
            merged.append((weight, node, flips, gain))
        for (after, _, flips), group in groups.items():
            common = math.gcd(*group.values())
            node = after, *itertools.chain(*((state, group[state] // common) for state in sorted(group)))
            merged.append((sum(group.values()), node, flips, 0))
        return merged
    def end(self, seat, state):
        who = [(each,) for each in range(self.players)] if self.module.payoff.__code__.co_argcount == 3 else [()]
        shares = [divide(self.module.payoff(self.rules, state, *at) - self.worst, self.best - self.worst) for at in who]
        is_right = min(shares) >= 0 and max(shares) <= 1 and (len(shares) == 1 or sum(shares) == 1)
        need(is_right and not (self.step and 2 * shares[0] % 1), "payoffs are out of range, or do not sum to it", state)
        payoff = self.sign * self.one * shares[(self.seat - seat) % self.players if self.players > 2 else 0]
        return pair(math.floor(payoff), math.ceil(payoff))
    def backup(self, moves):
        """Return the values of the best choice, the lower one rounded down, the upper one up; scores a ply later."""
        found = []
        for outcomes in moves:
            common = low = high = 0
            for weight, after, flips, gain in outcomes:
                lower, upper = self.known[after]
                if flips: lower, upper = self.one - upper, self.one - lower
                common += weight
                low += weight * (lower + gain)
                high += weight * (upper + gain)
            found.append((low // common, -(-high // common)))
        values = max(low for low, _ in found), max(high for _, high in found)
        return pair(*(each + self.step * ((2 * each < self.one) - (2 * each > self.one)) for each in values))
    def evaluate(self, moves):
        """Back up values from next nodes, and theirs from their next ones, down to nodes that are stored."""
        begun, stack = {}, [each[1] for outcomes in moves for each in outcomes]
        while stack:
            node = stack[-1]
            if node in self.known: stack.pop()
            elif node in begun: self.known[node] = self.backup(begun.pop(node))
            else:
                begun[node] = self.moves(node)
                stack += [each[1] for outcomes in begun[node] for each in outcomes if each[1] not in self.known]
        return self.backup(moves)
    def check(self, stored, found, node):
        (lower, upper), (low, high), (seat, state, _) = stored, found, node
        need(not self.step or lower == low == high == upper, "these are not the plies of the best action", state)
        is_better = lower + (self.endless[seat] != self.greatest) <= min(low, self.greatest)
        need(self.step or lower <= self.least or is_better, "no action is better than the lower value", state)
        is_worse = upper - (self.endless[seat] != self.least) >= max(high, self.least)
        need(self.step or upper >= self.greatest or is_worse, "an action is as good as the upper value", state)
    def prove(self, interval):
        """Check every state that is stored, and the interval; return what is proved: an end may be None."""
        for node, values in self.stored.items():
            if len(self.known) > len(self.stored) + MAX_KNOWN: self.known = Known(self.stored)
            self.check(values, self.evaluate(self.moves(node)), node)
        start = self.module.start(self.rules)
        lottery = self.lottery(0, [(1, start, 0, 0)])
        self.evaluate([lottery])
        ends = [self.sign * each for each in self.known[lottery[0][1]]]
        low, high = sorted(self.one - each if self.players == 2 and self.seat else each for each in ends)
        shares = [divide(each << self.shift, self.one) for each in interval]
        need(shares[0] * self.one <= low <= high <= shares[1] * self.one, "the value is not in the interval", start)
        plies = min(low, self.one - low) if self.step and 2 * low != self.one else None
        shares = [divide(round(2 * each), 2) if self.step else each for each in shares]
        lower, upper = [self.worst + (self.best - self.worst) * each for each in shares]
        return {"lower": None if self.hidden_from == self.seat else float(f"{math.floor(lower * 10**12)}e-12"),
                "upper": None if self.hidden_from == 1 - self.seat else float(f"{math.ceil(upper * 10**12)}e-12"),
                "plies": plies, "states": len(self.stored), "evaluated": self.evaluated}
# 3. Files.
def read(path):
    with open(path, "rb") as file:
        head, _, body = file.read().partition(b"\n")
    need(head.startswith(b"komi certificate "), "it is no certificate")
    version, _, digest = head.removeprefix(b"komi certificate ").decode(errors="replace").partition(" ")
    need(version == "2", f"it is of version {version}, and this checker reads version 2")
    need(digest == hashlib.sha256(body).hexdigest(), "it is damaged or cut short")
    return json.loads(zlib.decompressobj().decompress(body, 1 << 32), parse_float=Fraction)
def verify(path, max_states):
    try:
        certificate = read(path)
        claims = [{"seat": each["seat"], "play": each["play"], "endless": each["endless"]}
                  | Claim(certificate, each, max_states).prove(each["interval"]) for each in certificate["claims"]]
        return {"verified": True, "game": certificate["game"], "rules": certificate["rules"], "claims": claims,
                "policies": [each["name"] for each in certificate["policies"]]}, 0
    except Exception as error:  # whatever the file holds, and its rules do
        unusable = f"it cannot be used ({type(error).__name__}: {error})", None
        reason, state = error.args if isinstance(error, ProblemError) else unusable
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
    if sys.platform == "linux": __import__("resource").setrlimit(9, (options.gigabytes << 30,) * 2)  # RLIMIT_AS
    gc.disable()  # no object refers to itself
    threading.Thread(target=end_late, args=(options.seconds,), daemon=True).start()
    result, status = verify(options.file, options.states)
    sys.exit(print(json.dumps(result, default=float)) or status)
if __name__ == "__main__": main()
