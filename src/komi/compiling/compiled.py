"""One game's rules as compiled functions, and the engine kernels specialized for them."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np

from komi import cache
from komi.arrays import F64, I64
from komi.compiling.explanations import explain, visit_state
from komi.errors import GameError
from komi.jit.cache_keys import fingerprint
from komi.jit.kernels import Kernels, Notice, engine_kernels
from komi.jit.packed_tuples import packing_functions, rules_reader
from komi.jit.specialization import Specializer
from komi.rules import loading, source
from komi.rules.game import Game
from komi.rules.interface import payoff_range, seat_payoff, stated_payoff, stated_seat_payoff
from komi.rules.payoff_scale import sums_to_constant, to_share
from komi.rules.tuple_fields import author_of, flattening_of
from komi.typing import CompiledFunction, Rules, State

MAX_KEPT = 16  # maximum number of games whose kernels stay loaded
RULE_FUNCTIONS = (
    "legal",
    "outcomes",
    "over",
    "payoff",
    "possible",
    "view",
    "reward",
    "transient",
    "pick",
    "sample",
    "leader",
    "stage",
    "order",
    "turned",
    "deal",
    "open_actions",
    "symmetries",
)

CallCode: TypeAlias = "tuple[FunctionType, Mapping[str, Callable[..., Any] | CallCode]]"
"""A function that calls a policy, and by name the functions that it calls, or their code."""


class CompiledGame:
    """The compiled rules of a game, with the engine kernels specialized for them.

    A generic kernel calls the placeholders of `rules.interface`, which are globals of its module:

        def count_actions(rules: Rules, state: State) -> int:
            return sum(1 for _ in legal(rules, state))

    `kernels[count_actions]` is this function, compiled with the game's function `legal` as its global `legal`, and so
    on through all engine functions that it calls. It is stored on disk under the digest of all of this.

    Args:
        game: the game.
        fields: the state fields in use under the rules to be played, to compile simulation for these fields alone.
        is_checked: True if the rules raise an error wherever compiled code would differ from Python: see `checked`.

    Attributes:
        game: the game.
        fingerprint: the cache key of its rules, all code that they call, the engine and the compiler.
        kernels: the engine kernels specialized for the game.
    """

    specializer: ClassVar[type[Specializer]] = Specializer
    """What compiles functions; another one for another target, as the next."""
    packing_functions: ClassVar[Any] = staticmethod(packing_functions)
    rules_reader: ClassVar[Any] = staticmethod(rules_reader)

    def __init__(self, game: Game, fields: Sequence[str] | None = None, is_checked: bool = False) -> None:
        self.game = game
        self._fields, self._is_checked, self._checked = fields, is_checked, self if is_checked else None
        self._sources = source.files(game.module)
        self.fingerprint = fingerprint(loading.digest(game.module))
        self._numbers = {word: number for number, word in enumerate(_words_of_rules(game))}
        rules = self.specializer({}, self._is_plain, self._numbers, inline=True, checked=is_checked)
        functions = {
            name: rules.compiled(function)
            for name in RULE_FUNCTIONS
            if isinstance(function := getattr(game.module, name, None), FunctionType)
        }
        author = author_of(game.module)
        self._nested_functions = {name: rules.compiled(getattr(author, name)) for name in functions}
        if "possible" not in functions:
            functions["possible"] = rules.compiled(cast(FunctionType, _anything_possible))
        if getattr(game.module, "open_actions", False) and "open_actions" not in functions:
            functions["open_actions"] = rules.compiled(cast(FunctionType, _every_action_open))
        self._stated = {name: functions[name] for name in ("payoff", "deal") if name in functions}
        if game.has("payoff_range"):
            functions |= self._shares(functions["payoff"], rules)
        if game.is_seated:
            functions["seat_payoff"] = functions["payoff"]
            functions["stated_seats"] = rules.compiled(cast(FunctionType, _all_seats))
            mover = self.specializer({"seat_payoff": functions["seat_payoff"]}, self._is_plain)
            functions["payoff"] = mover.compiled(cast(FunctionType, _payoff_of_mover))
        if "deal" in functions:
            functions["deal"] = _with_array(functions["deal"], game.deal_uniforms, rules)
        functions |= self.packing_functions(game.module.State, game.steps)
        functions["rules_from"] = self.rules_reader(game.module.Rules)
        if "sample" in functions and fields not in (None, game.module.State._fields):
            functions |= _for_fields(functions, game.module.State, fields, rules)
        self._functions = functions
        self.kernels = self._kernels(game.name, functions)
        self._variants: dict[tuple[tuple[str, FunctionType], ...], Kernels] = {}

    @property
    def checked(self) -> "CompiledGame":
        """The game with rules that raise an error wherever compiled code would differ from Python.

        This takes time, so it is for kernels that visit every state once: what they have found to be right is right in
        every later pass.
        """
        if self._checked is None:
            self._checked = CompiledGame(self.game, self._fields, is_checked=True)
        self._checked.kernels.notice = self.kernels.notice
        return self._checked

    def start(self, rules: Rules) -> I64:
        """Return int64[1, fields], the initial state as an argument of kernels.

        Raises:
            GameError: if a field has more than 64 bits.
        """
        return self.rows(rules, [self.game.part("start")(rules)])

    def rows(self, rules: Rules, states: Sequence[State]) -> I64:
        """Return int64[states, fields], states as an argument of kernels.

        Raises:
            GameError: if a field has more than 64 bits.
        """
        try:
            return np.array(states, np.int64).reshape(len(states), len(self.game.module.State._fields))
        except OverflowError:
            word = np.iinfo(np.int64)
            text = next(
                self.game.write(rules, each) for each in states if not word.min <= min(each) <= max(each) <= word.max
            )
            raise GameError(f"{self.game.file.name}: a field of a state exceeds 64 bits: {text}.", text) from None

    def under(self, rules: Rules) -> "CompiledGame":
        """Return the compiled game with the lengths of tuple fields under these rules; itself if they are the same."""
        game = self.game.under(rules)
        return self if game is self.game else compiled_game(game, self.kernels.notice)

    def kernels_with(self, **functions: FunctionType) -> Kernels:
        """Build kernels in which some names are bound to other engine functions.

        Args:
            functions: the replacements, by the names that they replace.
        """
        variant = tuple(functions.items())
        if variant not in self._variants:
            specializer = self.specializer(self._functions, self._is_plain, unsigned_indices=True)
            replaced = {word: specializer.compiled(function) for word, function in variant}
            self._variants[variant] = self._kernels(self.game.name, {**self._functions, **replaced})
            self._variants[variant].notice = self.kernels.notice
        return self._variants[variant]

    def kernels_with_policies(self, policies_code: Sequence[CallCode], call_policy: FunctionType) -> Kernels:
        """Build kernels that call the policies of the players, written as functions in the language of game files.

        Policies can call the game's rules, as generic kernels do.

        Args:
            policies_code: for each policy, the function that calls it, and the functions that this one calls, by name;
                one of these can be the code of another policy.
            call_policy: the replacement of `rules.interface.call_policy`: it calls the function of the first policy as
                `call_policy0`, and so on.
        """
        named = [each for code in policies_code for each in _functions_of("call_policy", code)]
        policies = tuple(function for name, function in named if not name.endswith("call_policy"))
        files = {path for _, function in named for path in source.files(sys.modules[function.__module__])}

        def specializer(replacements: Mapping[str, Any]) -> Specializer:
            return self.specializer(
                replacements,
                lambda module: _file(module) in files,
                self._numbers,
                inline=True,
                checked=self._is_checked,
            )

        policy = specializer(self._functions | self._stated)
        nested = specializer(self._nested_functions)

        def compiled(code: CallCode) -> CompiledFunction:
            call, functions = code
            own = {}
            for name, function in functions.items():
                if isinstance(function, tuple):
                    own[name] = compiled(function)
                    continue
                takes_tuples = self._flat_policy(cast(FunctionType, function))
                own[name] = (
                    nested.compiled(takes_tuples) if takes_tuples else policy.compiled(cast(FunctionType, function))
                )
            result: CompiledFunction = specializer(self._functions | own).compiled(call)
            return result

        calls = {f"call_policy{index}": compiled(code) for index, code in enumerate(policies_code)}
        table = self.specializer(self._functions | calls, self._is_plain)
        functions_and_ask = self._functions | {"call_policy": table.compiled(call_policy)}
        return self._kernels(f"{self.game.name}-table", functions_and_ask, policies)

    def _shares(self, payoff: Any, rules: Specializer) -> dict[str, Any]:
        """Compile the map of a payoff in the game's range to a share from 0 to 1; see `rules.payoff_scale`."""
        stated = self.game.module.payoff_range
        if isinstance(stated, FunctionType):
            ends = rules.compiled(stated)
        else:
            namespace: dict[str, Any] = {}
            exec(f"def payoff_range(rules):\n    return {stated!r}", namespace)
            ends = rules.compiled(namespace["payoff_range"])
        name, share = (
            ("stated_seat_payoff", _share_of_seat) if self.game.is_seated else ("stated_payoff", _share_of_mover)
        )
        scale = self.specializer({name: payoff, "payoff_range": ends}, self._is_plain, inline=True)
        return {
            name: scale.compiled(cast(FunctionType, each))
            for name, each in (("payoff", share), ("is_opposed", _is_opposed))
        }

    def _flat_policy(self, function: FunctionType) -> FunctionType | None:
        """Return a policy that takes tuples as a function of flat states; None if it takes the game's states as is."""
        flattening = flattening_of(self.game.module)
        is_of_file = function.__module__.startswith((loading.FROM_FILE, loading.BUILT_IN))
        return flattening.policy(function) if flattening and is_of_file else None

    def _kernels(
        self, name: str, functions: Mapping[str, Any], policies: tuple[Callable[..., Any], ...] = ()
    ) -> Kernels:
        translate = self.in_numbers if self._numbers else None
        specializer = self.specializer(functions, self._is_plain, unsigned_indices=True)

        def explained(error: Exception, arguments: tuple[Any, ...]) -> GameError:
            unexplained = Kernels(name, specializer, translate=translate)
            return explain(self.game, self._sources, policies, error, arguments, unexplained[visit_state])

        return Kernels(name, specializer, explained, translate)

    def in_numbers(self, rules: Any) -> Any:
        """Convert rules for compiled code: replace each string by its number. Other arguments stay as they are."""
        if not isinstance(rules, self.game.module.Rules):
            return rules
        return type(rules)(*(self._numbers[rule] if isinstance(rule, str) else rule for rule in rules))

    def values_of(self, rules: Rules) -> tuple[I64, F64]:
        """Return the values of all rules, as integers and as floats: the arguments of `rules.interface.rules_from`.

        Raises:
            GameError: if a rule has more than 64 bits.
        """
        values = self.in_numbers(rules)
        try:
            integers = np.array([0 if isinstance(value, float) else int(value) for value in values], np.int64)
        except OverflowError:
            raise GameError(f"{self.game.file.name}: a rule exceeds 64 bits: {tuple(rules)}.") from None
        return integers, np.array(values, np.float64)

    def _is_plain(self, module: ModuleType) -> bool:
        return _file(module) in self._sources


def compiled_game(game: Game, notice: Notice | None = None, fields: Sequence[str] | None = None) -> CompiledGame:
    """Return the compiled game, cached in memory: solving some games takes less time than loading their kernels.

    Args:
        game: the game.
        notice: called with a sentence before a part of the game or the engine is compiled; by default the current
            callback stays.
        fields: the state fields in use under the rules to be played, as in `CompiledGame`.
    """
    compiled = _compiled(game, None if fields is None else tuple(fields), cache.root())
    if notice is not None:
        compiled.kernels.notice = engine_kernels().notice = notice
    return compiled


@lru_cache(MAX_KEPT)
def _compiled(
    game: Game,
    fields: tuple[str, ...] | None,
    root: Path,  # noqa: ARG001  part of the cache key: each root has its own compiled code
) -> CompiledGame:
    return CompiledGame(game, fields)


def _functions_of(name: str, code: CallCode) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of a policy's code, by the names that they replace."""
    call, functions = code
    yield name, call
    for replaced, function in functions.items():
        if isinstance(function, tuple):
            yield from _functions_of(f"{replaced}.call_policy", function)
        else:
            yield replaced, cast(FunctionType, function)


def _file(module: ModuleType) -> Path:
    return Path(getattr(module, "__file__", None) or "")


def _for_fields(
    functions: Mapping[str, Any], state_class: Any, fields: Sequence[str], rules: Specializer
) -> dict[str, Any]:
    """Compile `state_from` and `sample` with unused fields of states as constants: nothing is computed for them."""
    values = [
        f"state[{i}]" if name in fields else str(state_class._field_defaults[name])
        for i, name in enumerate(state_class._fields)
    ]
    state = f"State({', '.join(values)})"
    lines = [
        "def state_from(fields, row):",
        "    state = _state_from(fields, row)",
        f"    return {state}",
        "def sample(rules, state, action, uniform):",
        "    probability, state, passes = _sample(rules, state, action, uniform)",
        f"    return probability, {state}, passes",
    ]
    namespace = {"State": state_class, "_state_from": functions["state_from"], "_sample": functions["sample"]}
    exec("\n".join(lines), namespace)
    return {name: rules.compiled(namespace[name]) for name in ("state_from", "sample")}


def _with_array(deal: Any, count: int, rules: Specializer) -> Any:
    """Compile `deal` with its uniform numbers as one array, as `rules.interface` has it."""
    numbers = ", ".join(f"uniforms[{i}]" for i in range(count))
    namespace: dict[str, Any] = {"_deal": deal}
    exec(f"def deal(rules, view, uniforms):\n    return _deal(rules, view, {numbers})", namespace)
    return rules.compiled(namespace["deal"])


def _words_of_rules(game: Game) -> list[str]:
    """List all strings that rules of the game can have as values, sorted."""
    if not any(isinstance(rule, str) for rule in game.default_rules):
        return []
    limits = game.limits(game.default_rules) if game.has("limits") else (None,) * len(game.default_rules)
    words = set[str]()
    for name, rule, limit in zip(game.default_rules._fields, game.default_rules, limits, strict=True):
        if isinstance(rule, str):
            if limit is None:
                raise GameError(f"{game.file.name}: rule {name!r} is a word, so that 'limits' must list all it can be.")
            words |= {rule, *limit}
    return sorted(words)


def _all_seats(seats: int) -> int:
    return seats


def _payoff_of_mover(rules: Rules, state: State) -> float:
    return seat_payoff(rules, state, 0)


def _share_of_mover(rules: Rules, state: State) -> float:
    lowest, highest = payoff_range(rules)
    return to_share(stated_payoff(rules, state), float(lowest), float(highest))


def _share_of_seat(rules: Rules, state: State, seat: int) -> float:
    lowest, highest = payoff_range(rules)
    return to_share(stated_seat_payoff(rules, state, seat), float(lowest), float(highest))


def _is_opposed(rules: Rules, seats: int) -> bool:
    lowest, highest = payoff_range(rules)
    return sums_to_constant(float(lowest), float(highest), seats)


def _every_action_open(rules: Rules, state: State, action: int) -> bool:  # noqa: ARG001
    return True


def _anything_possible(rules: Rules, state: State) -> bool:  # noqa: ARG001
    return True
