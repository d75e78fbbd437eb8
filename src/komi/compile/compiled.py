"""One game's rules as compiled functions, and engine kernels specialised for them."""

import re
from collections.abc import Iterator
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
    *("start", "legal", "outcomes", "over", "payoff"),
    *("possible", "view", "reward", "transient", "sample", "symmetries"),
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
        rules = Specialiser({}, self._is_plain)
        functions = {
            name: rules.compiled(function)
            for name in RULE_FUNCTIONS
            if isinstance(function := getattr(game.module, name, None), FunctionType)
        }
        if "possible" not in functions:
            functions["possible"] = rules.compiled(_anything_possible)
        if "symmetries" not in functions:
            functions["symmetries"] = rules.compiled(_no_symmetries)
        functions["pack"], functions["unpack"] = packing(game.module.State)
        self.kernels = Kernels(
            game.name, self.fingerprint, Specialiser(functions, self._is_plain), self._explained
        )

    def _is_plain(self, module: ModuleType) -> bool:
        return Path(getattr(module, "__file__", None) or "") in self._sources

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


def _anything_possible(rules: Any, state: Any) -> bool:
    return True


def _no_symmetries(rules: Any, state: Any) -> Iterator[Any]:
    for _ in range(0):
        yield state


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
