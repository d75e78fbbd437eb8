"""Policies in files that `komi learn` writes: the action in every state of a game.

The policy learned last for each game is also stored in the cache, so that users can play against it.
"""

import json
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from komi.cache import folder, has_entries
from komi.compiling.packing import Layout
from komi.errors import InputError, StorageError
from komi.files import check_replaceable, write_atomically
from komi.graph.state_sets import StateSet
from komi.jit.cache_keys import fingerprint
from komi.policies.table import TablePolicy
from komi.quoting import quoted
from komi.rules import loading
from komi.rules.game import Game
from komi.solvers.solution import Solution
from komi.typing import Rules

FORMAT = "komi learned policy 1"
SUFFIX = ".npz"
_KIND = "learned"


def check_file(file: Path) -> None:
    """Check that a policy can be written to a file.

    Raises:
        InputError: if its name does not end in .npz, or komi did not write the file that exists.
        StorageError: if it cannot be written.
    """
    if file.suffix != SUFFIX:
        raise InputError(f"a learned policy is written to a file whose name ends in {SUFFIX}: {file.name!r} does not.")
    check_replaceable(file, FORMAT)


def save_policy(file: Path, solution: Solution[Any], policy: TablePolicy, method: str) -> None:
    """Write a policy that was learned.

    Raises:
        StorageError: if the file cannot be written.
    """
    states = policy.states.converted(policy.states.layout, dense=False)
    about = {
        "form": FORMAT,
        "game": solution.game.name,
        "rules": solution.rules._asdict(),
        "method": method,
        "layout": states.layout,
    }
    header = np.bytes_(json.dumps(about))
    write_atomically(file, lambda draft: np.savez(draft, header=header, keys=states.keys, actions=policy.actions))


def last_file(game: Game, rules: Rules) -> Path:
    """Return the file of the policy learned last for these rules, which may not exist.

    Raises:
        StorageError: if the cache folder is not writable.
    """
    key = fingerprint(loading.digest(game.module), repr(tuple(rules)))
    return folder(_KIND) / f"{_prefix(game)}{key}{SUFFIX}"


def find_last(game: Game, rules: Rules) -> Path | None:
    """Return the file of the policy learned last for these rules, or None."""
    if has_entries(_KIND, _prefix(game)):
        with suppress(StorageError):
            file = last_file(game, rules)
            return file if file.is_file() else None
    return None


def load_policy(name: str, file: Path, solution: Solution[Any]) -> TablePolicy:
    """Read a policy that was learned in the same game.

    Raises:
        InputError: if the file cannot be read, or holds none, or is for another game.
    """
    try:
        with np.load(file) as stored:
            about = json.loads(stored["header"].item())
            states = StateSet.from_keys(Layout(*map(tuple, about["layout"])), stored["keys"].astype(np.int64))
            actions = stored["actions"]
        if about["form"] != FORMAT or actions.dtype != np.int16 or actions.shape != (states.size,):
            raise _damaged(file)
    except OSError as error:
        raise InputError(f"cannot read {file} ({error.strerror or error}): `komi learn` writes such files.") from None
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise _damaged(file) from None
    if about["game"] != solution.game.name:
        raise InputError(f"{file} holds a policy for {quoted(about['game'])}, not for {solution.game.name}.")
    return TablePolicy(name, states, actions)


def _prefix(game: Game) -> str:
    return f"{game.name.replace('-', '_')}_"


def _damaged(file: Path) -> InputError:
    return InputError(f"{file} is not a learned policy: `komi learn` writes such files.")
