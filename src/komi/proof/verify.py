"""Check a certificate of komi: that what players of a game get, given by its rules, lies in an interval.
Run `python verify.py FILE` with Python 3.11 or later; no code of komi is used. The theorems and their proofs are in
docs/certificates.md. Rules are run as they are written, in exact arithmetic: 0.1 is the fraction 1/10. Values are whole
numbers of 1 / `one`. Prints a JSON object. Exit status: 0 if the claims follow, 1 if they do not, 2 for a bad file."""
import argparse, ast, functools, gc, hashlib, itertools, json, math, re, subprocess, sys, types, typing, zlib
from collections import Counter; from fractions import Fraction
GUARD_BITS, MAX_KNOWN = 24, 2_000_000  # by which values are finer, and how many are remembered, that are not stored
MAX_BITS, MAX_LENGTH = 1 << 16, 1_000_000  # of numbers and sequences that one operation makes; actions, outcomes
class ProblemError(Exception): pass  # the reason, and the state where the proof fails; None for an unusable certificate
def need(condition, reason, state=None):
    if not condition: raise ProblemError(reason, state)
# 1. Arithmetic: exact, and no operation makes anything large.
def need_size(size, limit=MAX_BITS): need(size <= limit, "its rules compute something that is too large")
def bits(*numbers): return sum(each.numerator.bit_length() + each.denominator.bit_length() for each in numbers)
@functools.lru_cache(1 << 16)
def divide(numerator, denominator):
    quotient = need_size(bits(numerator, denominator)) or Fraction(numerator, denominator)
    return quotient.numerator if quotient.denominator == 1 else quotient
def power(base, exponent):
    need_size(abs(exponent) * bits(base) if exponent.denominator == 1 else math.inf)
    return divide(1, base ** -int(exponent)) if exponent < 0 else base ** int(exponent)
def times(left, right):
    if isinstance(left, (int, Fraction)) and isinstance(right, (int, Fraction)): need_size(bits(left, right))
    else: need_size(len(left) * right if isinstance(right, int) else left * len(right), MAX_LENGTH)
    return left * right
def decimal(of):
    is_short = re.fullmatch(r"-?[0-9._]{1,200}(e[-+]?[0-9]{1,2})?", of.lower())
    return need(is_short, "it holds a number that is too long") or divide(Fraction(of), 1)
def written(value): return need(type(value) in (int, str), "its rules write what is not a number") or str(value)
def listed(of, most=MAX_LENGTH): return need_size(len(found := [*itertools.islice(of, most + 1)]), most) or found
def many(function): return lambda *of, **repeat: iter(listed(function(*of, **repeat), MAX_BITS))
def nth(members, index): return nth(members & members - 1, index - 1) if index > 0 else members & -members
GUARDED = {ast.Div: divide, ast.Pow: power, ast.Mult: times, ast.LShift: lambda of, by: need_size(by) or of << by}
BUILT_IN = {each.__name__: each for each in (abs, all, any, bool, dict, divmod, enumerate, int, len, list, max, min,
                                             reversed, sorted, sum, tuple, typing.NamedTuple, zip)} | {
    f"__{kind.__name__}__": guard for kind, guard in GUARDED.items()} | {
    "__build_class__": __build_class__, "__need__": need, "round": lambda number: round(number),
    "float": lambda of: divide(of, 1), "range": lambda *of: need_size(len(range(*of)), MAX_LENGTH) or range(*of),
    "str": written, "__str__": written}
LIBRARIES = {
    "math": {"prod": lambda numbers: functools.reduce(times, numbers, 1), "ceil": math.ceil, "floor": math.floor,
             "gcd": math.gcd, "comb": lambda n, k: need_size(min(k, n - k) * n.bit_length()) or math.comb(n, k),
             "isqrt": math.isqrt, "factorial": lambda n: need_size(n * n.bit_length()) or math.factorial(n)},
    "itertools": {"accumulate": lambda of: itertools.accumulate(of)} | {each.__name__: many(each) for each in (
        itertools.combinations, itertools.combinations_with_replacement, itertools.product)},
    "komi.bitset": {"count": lambda of: of.bit_count(), "length": lambda of: of.bit_length(), "nth": nth},
    "komi.branchless": {"either": lambda condition, if_true, if_false: if_true if condition else if_false},
    "komi.game": {"CHANCE": -1, "put": lambda a, i, x: (*a[:range(len(a))[i]], x, *a[i % len(a) + 1:])}}
# 2. The language of rules: functions of their arguments, and of constants. What is not listed here is refused.
SYNTAX = tuple(getattr(ast, name) for name in """arguments Return Assign AnnAssign AugAssign For While If Break Continue
    Pass Expr BoolOp boolop BinOp operator UnaryOp unaryop IfExp Compare cmpop keyword Starred Subscript Slice List Dict
    expr_context Tuple ListComp DictComp GeneratorExp comprehension JoinedStr FormattedValue""".split())
NONE, METHODS = types.NoneType, ("_replace", "append", "bit_count", "bit_length", "count", "get", "index", "join")
def is_name(name, *taken): return name == "__all__" or "__" not in name and name not in ("NamedTuple", *taken)
def names_in(node): return {getattr(each, "arg", 0) or getattr(each, "id", 0) for each in ast.walk(node) if isinstance(
    each, ast.arg) or isinstance(getattr(each, "ctx", 0), ast.Store)}  # that it binds
class Exact(ast.NodeTransformer):  # refuses what is not in the language; makes literals exact, and guards operations
    def is_allowed(self, node, parent):
        match node:
            case ast.FunctionDef(decorator_list=[]): return is_name(node.name, *BUILT_IN) and not parent
            case ast.ClassDef(bases=[ast.Name("NamedTuple")], keywords=[], decorator_list=[], body=body) if not parent:
                return is_name(node.name, *BUILT_IN) and {*map(type, body)} <= {ast.AnnAssign, ast.Expr, ast.Pass}
            case ast.Name(id=name) if isinstance(parent, ast.AnnAssign) and name in METHODS: return False  # as a field
            case ast.arg(arg=name) | ast.Name(id=name):
                return name in self.known and is_name(name) or isinstance(parent, ast.ClassDef)
            case ast.Constant(value=str(text)): return "%" not in text or isinstance(parent, ast.Expr)
            case ast.Constant(value=int() | float() | None) | ast.Call(func=ast.Attribute()): return True
            case ast.Attribute(attr=name, ctx=ast.Load()) if getattr(parent, "func", None) is node:
                return name in METHODS or name[0] != "_" and getattr(node.value, "id", 0) in self.modules
            case ast.Attribute(attr=name, ctx=ast.Load()): return not name.startswith(("_", "gi_"))  # a field
            case ast.Call(func=ast.Name(name)): return name in self.functions  # by its name: no value can be called
            case ast.Set() | ast.SetComp(): return isinstance(parent, ast.Compare)  # the order of a set is arbitrary
            case ast.Yield() | ast.YieldFrom(): return isinstance(parent, ast.Expr)
            case ast.keyword(arg=None | "key") | ast.Is() | ast.IsNot() | ast.comprehension(is_async=1): return False
        return isinstance(node, SYNTAX) and not any(getattr(node, each, 0) for each in ("kwonlyargs", "format_spec"))
    def visit(self, node):
        if isinstance(node, ast.AugAssign) and type(node.op) in GUARDED:  # + 0: a list would change in place
            value = ast.BinOp(ast.Name(getattr(node.target, "id", "__"), ast.Load()), node.op, node.value)
            node = ast.copy_location(ast.Assign([node.target], ast.BinOp(value, ast.Add(), ast.Constant(0))), node)
        if not self.is_allowed(node, getattr(node, "parent", None)):
            line = getattr(node, "lineno", 0) or node.parent.lineno
            need(False, f"its rules leave the language of rules in line {line}: {ast.unparse(node)[:80]!r}")
        for each in {"annotation", "returns"} & vars(node).keys(): setattr(node, each, ast.Constant(None))
        for each in ast.iter_child_nodes(node): each.parent = node
        return super().visit(node)
    def visit_FormattedValue(self, node):
        node.value = ast.Call(ast.Name("__str__", ast.Load()), [self.visit(node.value)], []); return node
    def visit_Constant(self, node):
        if not isinstance(node.value, float): return node
        text = self.lines[node.lineno - 1][node.col_offset:node.end_col_offset].decode(); name = f"__{text}__"
        self.members[name] = decimal(text * (float(text) == node.value)); return ast.Name(name, ast.Load())
    def visit_BinOp(self, node):
        is_small = isinstance(node.op, (ast.Mult, ast.LShift)) and getattr(node.right, "value", None) in range(256)
        if self.generic_visit(node) and (is_small or type(node.op) not in GUARDED): return node
        return ast.Call(ast.Name(f"__{type(node.op).__name__}__", ast.Load()), [node.left, node.right], [])
def is_plain(of): return all(map(is_plain, of)) if type(of) is tuple else isinstance(of, (int, Fraction, str, NONE))
def frozen(value):  # what is beside the rules becomes constant, and a list a tuple
    if isinstance(value, (list, tuple)): return getattr(value, "_make", tuple)(map(frozen, value))
    if isinstance(value, dict): return types.MappingProxyType(dict(map(frozen, value.items())))
    defaults = *getattr(value, "_field_defaults", {}).values(), *(getattr(value, "__defaults__", None) or ())
    is_fixed = isinstance(value, (range, type, types.FunctionType, types.MappingProxyType)) and is_plain(defaults)
    return need(is_plain(value) or is_fixed, f"its rules keep a {type(value).__name__} that can change") or value
def load(name, sources, loaded):  # a module of the certificate, or what takes the place of a library
    if name in loaded: return need(loaded[name], "its modules import each other") or loaded[name]
    need(name in sources or name in LIBRARIES, f"its rules import {name}")
    loaded[name], module, source = None, types.ModuleType(name), "" if name in LIBRARIES else sources[name]
    members, body, pure = vars(module), ast.parse(source).body, Exact()
    for each in body:
        if isinstance(each, ast.Import) or getattr(each, "level", 1) == 0 and each.module in {*sources, *LIBRARIES}:
            found = vars(load(each.module, sources, loaded)) if isinstance(each, ast.ImportFrom) else {
                name: types.SimpleNamespace(**functions) for name, functions in LIBRARIES.items()}
            names = {alias.asname or alias.name: alias.name for alias in each.names if is_name(alias.name)}
            members.update({own: found[its] for own, its in names.items() if its in found and is_name(own, *BUILT_IN)})
    body = [each for each in body if not isinstance(each, (ast.Import, ast.ImportFrom))]
    values = {name for each in body if not hasattr(each, "name") for name in names_in(each)}
    defined, known = {each.name for each in body if hasattr(each, "name")}, {*BUILT_IN, *members}
    pure.lines, pure.members, members["__builtins__"] = re.split(b"\r\n|\r|\n", source.encode()), members, BUILT_IN
    for place, each in enumerate(body):
        pure.known = known | defined | values | (of := names_in(each)); pure.functions = (known | defined) - values - of
        pure.modules = {of for of in pure.functions - defined if type(members.get(of)) is types.SimpleNamespace}
        try: body[place] = pure.visit(each)
        except ProblemError as error:  # a function that is refused becomes one that fails when it is called
            need(isinstance(each, ast.FunctionDef), *error.args)
            [body[place]] = ast.parse(f"def {each.name}(*_, **others): __need__(False, {error.args[0]!r})").body
    exec(compile(ast.fix_missing_locations(ast.Module(body, [])), name, "exec", dont_inherit=True), members)
    members.update({each: frozen(members[each]) for each in (values | defined) & members.keys()})
    members.update(LIBRARIES.get(name, {})); loaded[name] = module; return module
# 3. Nodes: (seat to move, state, weight, state, weight, ...), of states that look the same to who has no policy.
DEFAULTS = {"players": None, "aim": "most", "objective": "chance", "payoff_range": (0, 1)}
pair = functools.lru_cache(1 << 16)(lambda low, high: (low, high))  # one object in memory for equal pairs
def are_whole(values): return {*map(type, values)} <= {int, bool}
def whole(value):  # equal states are the same: True is 1
    if type(value) in (list, tuple): return tuple(map(whole, value))
    return need(are_whole([value]), "a field of a state is not a whole number") or int(value)
class Claim:  # what one seat gets: lower and upper values, of the player to move; with more than two, of that seat
    def __init__(self, certificate, claim, max_states):
        self.module = module = load(certificate["main"], certificate["modules"], {}); self.State = module.State
        self.rules, self.max_states, self.evaluated = module.Rules(**frozen(certificate["rules"])), max_states, 0
        need(is_plain(tuple(self.rules)) and "%" not in str(self.rules), "its rules are neither numbers nor words")
        self.turned, self.reward = getattr(module, "turned", None), getattr(module, "reward", None)
        parts = [(DEFAULTS | vars(module))[name] for name in DEFAULTS]
        self.players, aim, counts, (self.worst, self.best) = [of(self.rules) if callable(of) else of for of in parts]
        self.seat, endless, self.step, unit = [claim[name] for name in ("seat", "endless", "step", "bits")]
        policies = [(dict(self.rows(each["shares"], each["states"])), {}) for each in certificate["policies"]]
        self.play = [None if number is None else policies[number] for number in claim["play"]]
        free = [seat for seat, policy in enumerate(self.play) if policy is None]
        self.sign = 1 - 2 * (self.players == 1 and aim == "least"); self.gains = self.reward and counts[:6] != "chance"
        self.alike = self.players == 2 and claim["play"][0] == claim["play"][1] and endless is None; self.beyond = 0
        self.hidden_from = free[0] if free and hasattr(module, "view") else None
        is_known = len(self.play) == self.players > self.seat >= 0 and endless in (None, 0, 1) and self.step in (0, 1)
        is_known &= (free in ([], [self.seat]) or self.players == 2) and unit < 1 << 10
        is_known &= self.hidden_from is None or len(free) == 1
        is_known &= not self.gains or (self.players == 1 and endless is None)
        is_known &= not self.step or (free == [0, 1] and endless is None and unit > 40)
        is_known &= (self.worst, self.best) == (0, 1) or 0 < self.best == (1 - self.players) * self.worst
        need(is_known, "there is no theorem for what it claims")
        self.shift = shift = 0 if self.step else GUARD_BITS; self.one = 1 << unit + shift
        self.least, self.greatest = (-math.inf, math.inf) if self.gains else sorted((0, self.sign * self.one))
        self.endless = [None if endless is None else self.sign * self.one * abs(endless - (each != self.seat))
                        for each in (range(2) if self.players == 2 else [self.seat] * self.players)]
        rows = zip(self.rows(claim["seats"], claim["states"]), claim["lower"], claim["gap"], strict=True)
        self.stored = {(seat, state, 1): (low << shift, low + gap << shift) for (state, seat), low, gap in rows}
        self.known = dict(self.stored); self.worse = abs(self.seat - (self.sign < 0))  # what who sees less may get
        need(len(self.stored) == len(claim["lower"]), "a state is stored twice", self.exact(module.start(self.rules)))
    def exact(self, state):
        return state if type(state) is self.State and {*map(type, state)} == {int} else self.State(*map(whole, state))
    def rows(self, others, columns):
        return [(self.exact(self.State(*row)), other) for other, *row in zip(others, *columns, strict=True)]
    def view(self, state, turns=0):
        for _ in range(turns): state = self.exact(self.turned(self.rules, state))
        return self.exact(self.module.view(self.rules, state)) if hasattr(self.module, "view") else state
    def moves(self, node):  # a lottery for each action of who has no policy; one where a policy or chance decides
        (policy, lists), choices, known = self.play[node[0]] or (None, None), {}, []
        for state, weight in zip(node[1::2], node[2::2], strict=True):
            self.evaluated += 1; need(self.evaluated <= self.max_states, "it has more states than the limit: raise it")
            legal = listed(self.module.legal(self.rules, state))
            need(legal and are_whole(legal) and (-1 not in legal or not legal[1:]), "no action, or a wrong one", state)
            known, shares, unit = known or legal, [1] * len(legal), 1
            if policy is not None:
                view = self.view(state); known = legal if legal == [-1] else lists.setdefault(view, legal)
                shares = policy.get(view, (1,)); unit = sum(shares)
                need(len(shares) == len(legal) and min(shares) >= 0 < unit, "the policy does not fit here", state)
            need(legal == known, "a state that looks like this one has other actions", state)
            for action, share in zip(legal, shares, strict=True):
                common, rows = self.outcomes(state, action) if share else (1, [])
                choices.setdefault(policy is None and action, []).append((weight * share, common * unit, rows))
        return [self.lottery(node[0], parts) for parts in choices.values()]
    def outcomes(self, state, action):  # their unit, and (chance, next state, seats that the turn passes, gain), ...
        found = [each for each in listed(self.module.outcomes(self.rules, state, action)) if each[0]]
        chances, after, passes = zip(*found, strict=True) if found else ((), (), ())
        need({*map(type, after)} <= {self.State}, "an outcome is not a state", state)
        is_right = are_whole(passes) and min(passes, default=0) >= 0 and {*map(type, chances)} <= {int, bool, Fraction}
        need(is_right, "a probability is not a number, or passes are not a whole number", state)
        common = math.lcm(*{each.denominator for each in chances})
        weights = [each.numerator * (common // each.denominator) for each in chances]
        need(sum(weights) == common and min(weights) >= 0, "probabilities do not sum to 1, or are negative", state)
        need(not self.step or not found[1:], "an action has several outcomes", state)
        rewards = [self.reward(self.rules, state, action, each) for each in after] if self.reward else [0] * len(found)
        need(self.gains or not any(rewards), "a reward adds to a chance", state)
        return common, [*zip(weights, after, passes, rewards, strict=True)]
    def lottery(self, seat, parts):  # [(weight, next node, flips, gain), ...]; what looks the same to the free is one
        groups, found, common, scaled = {}, [], math.lcm(*[unit for _, unit, _ in parts]), self.sign * self.one
        for weight, state, passes, gain in itertools.chain(*[rows if scale * common == unit else [
                (scale * (common // unit) * weight, *row) for weight, *row in rows] for scale, unit, rows in parts]):
            after, flips = (seat + passes) % self.players, self.players == 2 and passes % 2
            node = 0 if self.alike else after, state, 1
            if self.hidden_from is not None or node not in self.known:
                node = node[0], (state := self.exact(state)), 1
                if self.module.over(self.rules, state): self.known[node] = self.end(after, state)
                elif self.hidden_from is not None and (self.turned or after == self.hidden_from):  # else it sees all
                    key = after, self.view(state, (self.hidden_from - after) % self.players), flips
                    groups.setdefault(key, Counter()).update({state: weight, 0: weight * gain}); continue
            found.append((weight, node, flips, gain and scaled * gain))
        for (after, _, flips), group in groups.items():
            gain = group.pop(0); total, common = sum(group.values()), math.gcd(*group.values())
            node = after, *itertools.chain(*((state, group[state] // common) for state in sorted(group)))
            found.append((total, node, flips, gain and divide(scaled * gain, total)))
        return found
    def end(self, seat, state):
        who = [(each,) for each in range(self.players)] if self.module.payoff.__code__.co_argcount == 3 else [()]
        shares = [divide(self.module.payoff(self.rules, state, *at) - self.worst, self.best - self.worst) for at in who]
        is_right = min(shares) >= 0 and max(shares) <= 1 and (len(shares) == 1 or sum(shares) == 1)
        need(is_right and not (self.step and 2 * shares[0] % 1), "payoffs are out of range, or do not sum to it", state)
        payoff = self.sign * self.one * shares[(self.seat - seat) % self.players if self.players > 2 else 0]
        return pair(math.floor(payoff), math.ceil(payoff))
    def backup(self, moves):  # the values of the best choice, the lower one rounded down, the upper one up
        found = []
        for outcomes in moves:
            common = low = high = 0
            for weight, after, flips, gain in outcomes:
                lower, upper = self.known.get(after) or need(False, "play returns here, past no stored state", after[1])
                if flips: lower, upper = self.one - upper, self.one - lower
                common += weight; low += weight * (lower + gain); high += weight * (upper + gain)
            found.append((low // common, -(-high // common)))
        values = max(low for low, _ in found), max(high for _, high in found)  # scores are those a ply later
        return pair(*(each + self.step * ((2 * each < self.one) - (2 * each > self.one)) for each in values))
    def evaluate(self, moves):  # from next nodes, and theirs from their next ones, down to nodes that are stored
        begun, stack = {}, [each[1] for outcomes in moves for each in outcomes]
        while stack:
            if (node := stack[-1]) in self.known: stack.pop()
            elif node in begun: self.known[node] = self.backup(begun.pop(node))
            else: begun[node] = self.moves(node); stack += [each[1] for outcomes in begun[node] for each in outcomes]
        return self.backup(moves)
    def prove(self, interval):  # check all states that are stored; return what is proved: an end may be None
        for (seat, state, _), (lower, upper) in self.stored.items():
            if len(self.known) > len(self.stored) + MAX_KNOWN: self.known = dict(self.stored)
            need(not self.module.over(self.rules, state), "the game is over in a state that is stored", state)
            if lower <= self.least and upper >= self.greatest and not self.step: self.beyond += 1; continue
            low, high = self.evaluate(self.moves((seat, state, 1)))
            need(not self.step or lower == low == high == upper, "these are not the plies of the best action", state)
            is_better = lower + (self.endless[seat] != self.greatest) <= min(low, self.greatest)
            need(self.step or lower <= self.least or is_better, "no action is better than the lower value", state)
            is_worse = upper - (self.endless[seat] != self.least) >= max(high, self.least)
            need(self.step or upper >= self.greatest or is_worse, "an action is as good as the upper value", state)
        start = self.exact(self.module.start(self.rules)); lottery = self.lottery(0, [(1, 1, [(1, start, 0, 0)])])
        self.evaluate([lottery]); ends = [self.sign * each for each in self.known[lottery[0][1]]]
        low, high = sorted(self.one - each if self.players == 2 and self.seat else each for each in ends)
        shares = [Fraction(each << self.shift, self.one) for each in interval]
        need(shares[0] * self.one <= low <= high <= shares[1] * self.one, "the value is not in the interval", start)
        plies = min(low, self.one - low) if self.step and 2 * low != self.one else None
        shares = [Fraction(round(2 * each), 2) if self.step else each for each in shares]
        lower, upper = [self.worst + (self.best - self.worst) * each for each in shares]
        return {"lower": None if self.hidden_from == self.worse else float(f"{math.floor(lower * 10**12)}e-12"),
                "upper": None if self.hidden_from == 1 - self.worse else float(f"{math.ceil(upper * 10**12)}e-12"),
                "plies": plies, "states": len(self.stored), "evaluated": self.evaluated, "beyond": self.beyond}
def read(path):  # a file
    with open(path, "rb") as file: head, _, body = file.read().partition(b"\n")
    *name, version, digest = ["", *head.decode(errors="replace").split(" ")][-4:]
    need(name == ["komi", "certificate"], "it is not a certificate")
    need(version == "2", f"it is of version {version}, and this checker reads version 2")
    need(digest == hashlib.sha256(body).hexdigest(), "it is damaged or cut short")
    return json.loads(zlib.decompressobj().decompress(body, 1 << 32), parse_float=decimal, parse_constant=decimal)
def verify(path, max_states):
    try:
        certificate = read(path); need(certificate["claims"], "it claims nothing")
        claims = [{name: each[name] for name in ("seat", "play", "endless")}
                  | Claim(certificate, each, max_states).prove(each["interval"]) for each in certificate["claims"]]
        return {"verified": True, "game": str(certificate["game"]), "rules": certificate["rules"], "claims": claims,
                "policies": [str(each["name"]) for each in certificate["policies"]]}, 0
    except ProblemError as error: reason, state = error.args
    except Exception as error:  # whatever the file holds, and its rules do
        reason, state = f"it cannot be used ({type(error).__name__}: {' '.join(str(error).split())})", None
    return {"verified": False, "reason": reason, "state": state and state._asdict()}, 2 if state is None else 1
def main():
    parser = argparse.ArgumentParser(description="Check a certificate of komi."); parser.add_argument("file")
    parser.add_argument("--seconds", type=float, default=3600.0, help="the time limit")
    parser.add_argument("--gigabytes", type=int, default=8, help="the memory limit, where the system knows one")
    parser.add_argument("--states", type=int, default=100_000_000, help="the most states to check")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS); options = parser.parse_args()
    if options.inside:
        for kind, limit in ((0, math.ceil(options.seconds) + 1), (9, options.gigabytes << 30)):  # RLIMIT_CPU, RLIMIT_AS
            if sys.platform == "linux": __import__("resource").setrlimit(kind, (limit, limit))
        gc.disable(); result, status = verify(options.file, options.states)
        sys.exit(print(json.dumps(result, default=float)) or status)
    command = [sys.executable, "-I", __file__, "--inside", *sys.argv[1:]]
    try: found = subprocess.run(command, stdout=subprocess.PIPE, timeout=options.seconds)
    except subprocess.TimeoutExpired as late: found = late
    if found.stdout: sys.exit(print(found.stdout.decode(), end="") or found.returncode)
    sys.exit(print('{"verified": false, "reason": "its rules do not end, or need higher limits", "state": null}') or 2)
if __name__ == "__main__": main()
