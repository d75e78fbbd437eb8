"""One game's rules as compiled functions, and engine kernels specialised for them."""

import re
import sys
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from numba.core.errors import NumbaError

from komi import catalog
from komi.compile.cache import fingerprint
from komi.compile.kernels import Kernels
from komi.compile.packing import packing
from komi.compile.specialise import Specialiser
from komi.errors import GameError
from komi.game import Game

RULE_FUNCTIONS = (
    "start",
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
)


class CompiledGame:
    """A game whose rules engine kernels can call.

    Attributes:
        game: the game.
        fingerprint: stands for its rules and all they call, the engine and the compiler.
        kernels: engine templates specialised for it.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._sources = catalog.sources(game.module)
        self.fingerprint = fingerprint(self._sources)
        self._numbers = {word: number for number, word in enumerate(_words(game))}
        rules = Specialiser({}, self._is_plain, self._numbers)
        functions = {
            name: rules.compiled(function)
            for name in RULE_FUNCTIONS
            if isinstance(function := getattr(game.module, name, None), FunctionType)
        }
        if "possible" not in functions:
            functions["possible"] = rules.compiled(_anything_possible)
        if len(signature(game.part("payoff")).parameters) > 2:
            functions["share"] = functions["payoff"]
        functions["pack"], functions["unpack"] = packing(game.module.State)
        self._functions = functions
        self.kernels = Kernels(
            game.name, self.fingerprint, Specialiser(functions, self._is_plain), self._explained
        )

    def in_numbers(self, rules: Any) -> Any:
        """The rules as compiled code takes them: each word as its number."""
        return type(rules)(*(self._numbers[rule] if isinstance(rule, str) else rule for rule in rules))

    def kernels_calling(self, functions: Mapping[str, FunctionType]) -> Kernels:
        """Engine templates that call these functions too, in the language of game files, by these names.

        They may call the game's rules, as engine templates do.
        """
        if not functions:
            return self.kernels
        modules = {sys.modules[function.__module__] for function in functions.values()}
        sources = sorted({path for module in modules for path in catalog.sources(module)})
        own = Specialiser(self._functions, lambda module: _file(module) in sources, self._numbers)
        replacements = self._functions | {name: own.compiled(function) for name, function in functions.items()}
        called = [f"{name}={function.__qualname__}" for name, function in functions.items()]
        mark = fingerprint(sources, self.fingerprint, *called)
        return Kernels(self.game.name, mark, Specialiser(replacements, self._is_plain), self._explained)

    def _is_plain(self, module: ModuleType) -> bool:
        return _file(module) in self._sources

    def _explained(self, error: Exception) -> GameError:
        """An error of the compiler, or of compiled rules, as one sentence."""
        if not isinstance(error, NumbaError):
            return GameError(
                f"the rules of {self.game.name} fail while they run ({type(error).__name__}: {error}); "
                "'komi check' looks for the line."
            )
        message = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
        names = {str(path): path.name for path in self._sources}
        lines = [
            f"{names[path]}, line {number}"
            for path, number in re.findall(r'File "([^"]+)", line (\d+)', message)
            if path in names
        ]
        where = lines[-1] if lines else self.game.file.name
        return GameError(f"{where}: these rules cannot be compiled: {_reason(message)}.")


def _file(module: ModuleType) -> Path:
    return Path(getattr(module, "__file__", None) or "")


def _words(game: Game) -> list[str]:
    """Every word that a rule can be."""
    if not any(isinstance(rule, str) for rule in game.default_rules):
        return []
    limits = game.part("limits")(game.default_rules)
    return sorted(
        {word for rule, limit in zip(game.default_rules, limits, strict=True) if isinstance(rule, str) for word in limit}
    )


def _anything_possible(rules: Any, state: Any) -> bool:
    return True


def _reason(message: str) -> str:
    """What a person needs of a page of compiler talk: its most telling line."""
    patterns = (
        r"(Unknown attribute '\w+' of type [^\n]*)",
        r"(NameError: [^\n]*)",
        r"(Untyped global name '\w+'[^\n]*)",
        r"(Cannot unify [^\n]*)",
        r"([Vv]ariable '\w+' [^\n]*)",
        r"(No implementation of function [^\n]*)",
        r"(Use of unsupported [^\n]*)",
    )
    for pattern in patterns:
        found = re.search(pattern, message)
        if found:
            return found[1].strip().rstrip(".:")
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:", "File ", "-", "*"))]
    return (telling or lines or ["the compiler does not say why"])[0].rstrip(".:")
