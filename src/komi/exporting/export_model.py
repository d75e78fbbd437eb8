"""`komi.export_model`: the model of a game for verification and game theory, or its rules in JavaScript."""

from collections.abc import Callable, Mapping
from pathlib import Path

from komi.errors import InputError
from komi.exporting.export import BY_KOMI, ExportResult
from komi.exporting.game_tree import efg
from komi.exporting.markov_model import MarkovModel, build_model
from komi.exporting.model_texts import drn, prism
from komi.exporting.umb import umb
from komi.files import check_replaceable, write_atomically
from komi.jit.kernels import Notice
from komi.policies.named import PolicyLike, find_or_solve
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules import catalog, vocabulary
from komi.rules.game import Game
from komi.translation.javascript import translate
from komi.typing import GameLike

WRITERS: Mapping[str, Callable[[MarkovModel, str, str], str | bytes]] = {".umb": umb, ".prism": prism, ".drn": drn}
TREE = ".efg"
RULES = (".js", ".mjs")
FORMATS = (*WRITERS, TREE)
HEAD = 4096  # the title is within this many bytes


def export_model(
    game: GameLike,
    file: Path | str,
    *,
    fix: Mapping[int, PolicyLike] | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> ExportResult:
    """Write the model of a game for Storm, PRISM, Gambit and other tools, or its rules as a module of JavaScript.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the path, which ends in .umb, .prism, .drn, for a game tree in .efg, and for the rules in .js or .mjs.
        fix: the policies of seats, counted from 1; as in `komi.match`. The model is what remains: a
            Markov decision process of the other player, or a Markov chain.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Returns:
        the file, the number of its states, or of the nodes of a tree (0 for rules, which list none), and its size in
        bytes.

    Raises:
        InputError: for an unknown game, rule, policy, seat or format, or a game that the format cannot hold.
        GameError: if the rules are broken or have no translation, or a policy takes an action that is not legal.
        SolveError: if the game is too large.
        StorageError: if the file cannot be written.
    """
    file = Path(file)
    if file.suffix not in (*FORMATS, *RULES):
        raise InputError(
            f"the file of rules must end in {' or '.join(RULES)}, and that of a model in {', '.join(FORMATS)}: "
            f"{file.name!r} does not."
        )
    check_replaceable(file, BY_KOMI, HEAD)
    found = catalog.find(game)
    settings = found.rules(rules)
    found = found.under(settings)
    seats = found.players(settings)
    for seat in fix or {}:
        if not 1 <= seat <= seats:
            raise InputError(f"{found.name} has no seat {seat}: seats are numbered from 1 to {seats}.")
    if fix and file.suffix in (TREE, *RULES):
        what = "a game tree holds" if file.suffix == TREE else "rules hold"
        raise InputError(f"{what} the choices of all players: fix policies in {', '.join(WRITERS)}.")
    fixed = {seat - 1: find_or_solve(policy, found, rules) for seat, policy in (fix or {}).items()}
    description = _describe(found, vocabulary.format_rules(settings), fixed)
    if file.suffix in RULES:
        return _write(file, translate(found, settings, description), 0)
    if file.suffix == TREE:
        content, states = efg(found, settings, description)
        return _write(file, content, states)
    model = build_model(found, settings, fixed, progress, notice)
    return _write(file, WRITERS[file.suffix](model, found.name, description), model.states)


def _write(file: Path, content: str | bytes, states: int) -> ExportResult:
    data = content if isinstance(content, bytes) else content.encode()
    write_atomically(file, lambda draft: draft.write_bytes(data))
    return ExportResult(file, states, len(data))


def _describe(game: Game, settings: str, fixed: Mapping[int, Policy]) -> str:
    lines = [f"{vocabulary.title(game)}, {BY_KOMI}"]
    if settings:
        lines.append(f"Rules: {settings}.")
    lines += [f"Seat {seat + 1} plays the policy {fixed[seat].name}." for seat in sorted(fixed)]
    lines.append("The fields of a state are as the player to move observes them.")
    return "\n".join(lines)
