"""A game as one html file: the page of the web app, the rules in JavaScript, and optimal play or a search, no server.

The file holds the modules of the page as they are. Their relative imports become bare names, which an import map
resolves to blobs, and `page/file/server.js` answers the requests that the modules would send.
"""

import base64
import hashlib
import json
import posixpath
import re
import struct
import zlib
from collections.abc import Collection, Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

import komi
from komi.errors import InputError, SolveError, TooLargeError
from komi.evaluation.turn_decisions import AXES, find_turn_decisions, is_press_your_luck
from komi.exporting.export import BY_KOMI, ExportResult
from komi.exporting.page_table import MAX_STORED, check_size, max_states, page_table
from komi.files import check_replaceable, write_atomically
from komi.jit.kernels import Notice
from komi.play import opponent_players, opponents
from komi.play.opponents import Opponent
from komi.policies.searchers_by_name import is_searcher
from komi.policies.tabulate import action_probabilities, most_actions, tabulate
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.rules.kind import check_choices, check_no_average, kind_of
from komi.rules.vocabulary import title
from komi.solvers.solution import Solution
from komi.solvers.solve import is_solvable, solve_all_states
from komi.translation.javascript import translate
from komi.translation.program import TranslationError
from komi.typing import GameLike, Rules
from komi.web import game_catalog, language, models
from komi.web.page_search import opponents_without_solution, search_settings
from komi.web.routes.page import FOLDER, front
from komi.web.surfaces import HOLD_VALUES

RELATIVE = re.compile(r'((?:from|import|import\()\s*)"(\.{1,2}/[^"]+\.js)"')
COMMENT = re.compile(r"^ */\*\*(?:(?!\*/)[\s\S])*\*/\n|^ *//.*\n", re.MULTILINE)
FACE = re.compile(r'"?([\w-]+)"?: \(\) => import\("(komi/[^"]+)"\)')
WORKER = re.compile(r'new URL\("\./([\w-]+\.js)", import\.meta\.url\), \{ type: "module" \}')
STYLES = ("page", "table", "faces", "tray", "file")
FONT = "../fonts/figtree.woff2"
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' blob: data:; worker-src blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'"
)
ABOUT = "{title}, translated by komi from {file}"
SEARCHER = ("file/search-worker.js", "file/searcher.js")
SOLVER = ("file/solver-worker.js", "file/solver.js")
ONLINE = ("classes", "devices", "join", "lobby", "puzzle", "rematch", "shared", "watch")  # pages that need a server
REFUSAL = (
    'import { translateServerText } from "komi/language.js";\n'
    'throw new Error(translateServerText("A page in one file does not offer this."));\n'
)
HEAD = 1000  # the signature is within this many bytes
HTML = """<!doctype html>
<!-- {signature} It needs no server and no network. The values of all states are {values}. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="languages" content="{languages}">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="{icon}">
<style>{style}</style>
</head>
<body></body>
<script type="application/octet-stream" id="data">{data}</script>
<script>{script}</script>
</html>
"""


def export_page(
    game: GameLike,
    file: Path | str,
    *,
    max_stored: int = MAX_STORED,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> ExportResult:
    """Write a game as one html file, which plays without a server: against opponents, with hints and the review.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        file: the path, which ends in .html.
        max_stored: the largest number of states whose values are in the file. The page solves a larger game itself.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or format.
        GameError: if the rules are broken or have no translation.
        SolveError: if a page cannot hold such a game, and the game cannot be searched.
        StorageError: if the file cannot be written.
    """
    file = Path(file)
    if file.suffix != ".html":
        raise InputError(f"the file of a page must end in .html: {file.name!r} does not.")
    check_replaceable(file, BY_KOMI, HEAD)
    found = catalog.find(game)
    settings = found.rules(rules)
    found = found.under(settings)
    check_no_average(kind_of(found, settings))
    source = translate(found, settings, ABOUT.format(title=title(found), file=found.file.name))
    check_choices(found, settings, "there is nothing to play")
    game_catalog.check_opposed(found, settings)
    is_solved = is_solvable(found, settings)
    page = _page_with_table(found, settings, source, max_stored, progress, notice) if is_solved else None
    text, states = page or (_page_with_search(found, settings), 0)
    write_atomically(file, lambda draft: draft.write_text(text, encoding="utf-8"))
    return ExportResult(file, states, len(text.encode()), is_searched=not states)


def _page_with_table(
    game: Game, rules: Rules, source: str, max_stored: int, progress: Progress, notice: Notice
) -> tuple[str, int] | None:
    """Solve the game, and return the page with optimal play and the number of its states; None if it is too large.

    Raises:
        SolveError: if it cannot be solved for another reason, or a page cannot hold such a solution.
    """
    kind = kind_of(game, rules)
    limit = MAX_STORED if kind.transient else max_states(kind)

    def check(stage: str, done: int, total: int, note: str = "") -> None:
        if stage == "finding states":
            check_size(game.name, done, limit)
        progress(stage, done, total, note)

    try:
        solution = solve_all_states(game, progress=check, notice=notice, **keywords(rules))
        check_size(game.name, solution.listable_states, max_states(solution.kind))
        offered = [each for each in opponents.available(game, rules) if not is_searcher(each.policy)]
        horizons = {each.name: _horizon(each, solution) for each in offered}
        policies = _tabulated(solution, [each for each in offered if horizons[each.name] is None])
        offered = [each for each in offered if each.name in policies or horizons[each.name] is not None]
        table = page_table(solution, policies, progress, max_stored)
    except TooLargeError:
        return None
    content = {"surface": _surface(solution), "horizons": horizons, "table": table.description}
    return _page(game, rules, source, offered, content, table.data), table.states


def _page_with_search(game: Game, rules: Rules) -> str:
    """Return the page of a game without optimal play, in which the opponents search.

    Raises:
        SolveError: if it cannot be searched.
    """
    about = ABOUT.format(title=title(game), file=game.file.name)
    functions = tuple(game.module.policies) if game.has("policies") else ()
    try:
        source = translate(game, rules, about, functions)
    except TranslationError:
        source, functions = translate(game, rules, about), ()
    searching = search_settings(game, rules)
    offered = opponents_without_solution(game, rules, tuple(function.__name__ for function in functions))
    searching["opponents"] = {each.name: play for each, play in offered}
    return _page(game, rules, source, [each for each, _ in offered], {"surface": None, "searching": searching}, b"")


def _page(game: Game, rules: Rules, source: str, offered: list[Opponent], play: dict[str, Any], data: bytes) -> str:
    """Return the text of the page.

    Args:
        game, rules: the game and its rules.
        source: the rules in JavaScript.
        offered: the opponents.
        play: optimal play, or how to search.
        data: the columns of the table.
    """
    digest = hashlib.sha256(source.encode()).hexdigest()
    unused = {*(SEARCHER if "table" in play else ()), *(() if "table" in play and play["table"]["solver"] else SOLVER)}
    values = "unknown" if "table" not in play else "computed when it is opened" if play["table"]["solver"] else "in it"
    codes = language.available()
    entry = _catalog_entry(game, rules, offered).model_copy(update={"solved": "table" in play})
    content = play | {
        "key": f"{game.name}.{digest[:16]}",
        "source": source,
        "rules": rules._asdict(),
        "catalog": {"games": [entry.model_dump(mode="json")]},
        "howToPlay": list(game.how_to_play(rules)),
        "modules": _with_face(modules({game.name: digest}), entry.face, unused),
        "bodies": {code: _body(code) for code in codes},
        "languages": {code: language.words(code, _path_in_package(game)) for code in codes},
    }
    return HTML.format(
        title=escape(title(game)),
        signature=BY_KOMI,
        values=values,
        policy=POLICY,
        languages=" ".join(codes),
        icon=_data_url("image/svg+xml", (FOLDER / "icon.svg").read_bytes()),
        style=_style(),
        data=_packed(content, data),
        script=(FOLDER / "file" / "open.js").read_text(encoding="utf-8"),
    )


def _path_in_package(game: Game) -> str:
    """Return the path of a game's file in the package, or its name for a file of the user's own."""
    file, package = game.file.resolve(), Path(komi.__file__).resolve().parent
    return file.relative_to(package).as_posix() if file.is_relative_to(package) else file.name


def _catalog_entry(game: Game, rules: Rules, offered: list[Opponent]) -> models.CatalogGameView:
    """Return the game as the catalog describes it, with these rules as the default."""
    entry = game_catalog.describe(game)
    values = rules._asdict()
    return entry.model_copy(
        update={
            "players": game.players(rules),
            "seats": game.players(rules),
            "rules": [rule.model_copy(update={"default": values[rule.name]}) for rule in entry.rules],
            "opponents": game_catalog.opponent_views(offered),
            "rivals": [],
        }
    )


def _tabulated(solution: Solution[Any], offered: list[Opponent]) -> dict[str, Any]:
    """Return the actions of each opponent in each state, by name, or their probabilities if it mixes.

    Opponents that no table can represent are left out; for optimal play in a game without mixed actions it is None.
    """
    game, rules, compiled, states = solution.game, solution.rules, solution.compiled, solution.optimal_play.states
    most = most_actions(compiled, rules, states)
    found: dict[str, Any] = {}
    for each in offered:
        if each.policy == opponents.OPTIMAL and solution.is_pure and not solution.kind.hidden:
            found[each.name] = None
            continue
        player = opponent_players.player_without_solution(each, game, rules)
        policy = (player or opponent_players.create_player(each, game, rules, solution)).policy
        with suppress(SolveError):
            if policy.is_mixed:
                found[each.name] = action_probabilities(policy, compiled, rules, states, most)
            else:
                found[each.name] = tabulate(policy, compiled, rules, states)
    return found


def _surface(solution: Solution[Any]) -> dict[str, Any] | None:
    """Return the hold values of optimal play over both scores; None in games without, or with more than scores."""
    game, rules = solution.game, solution.rules
    if not is_press_your_luck(game) or game.players(rules) != 2 or set(game.fields(rules)) - set(AXES):
        return None
    ((turns,),) = find_turn_decisions(solution, ["optimal"], [{}])
    across = [[None if np.isnan(least) else least for least in row] for row in turns.hold_values.tolist()]
    return {
        "x": {"field": "score", "values": list(range(len(across)))},
        "y": {"field": "rival", "values": list(range(len(across[0])))},
        "z": [list(row) for row in zip(*across, strict=True)],
        "caption": HOLD_VALUES.format(title=title(game)),
    }


def _horizon(opponent: Opponent, solution: Solution[Any]) -> int | None:
    """Return how many moves an opponent looks ahead in a game without chance; None if a table holds its actions."""
    looks_ahead = opponent.policy == opponents.OPTIMAL or opponent.policy.startswith("ahead:")
    return opponent_players.horizon(opponent.policy) if solution.has_plies and looks_ahead else None


def modules(hashes: Mapping[str, str]) -> dict[str, str]:
    """Return the modules of the page by path, which import each other by bare names.

    Args:
        hashes: the hashes of the rules in JavaScript, by game, which replace those of the built-in games.
    """
    found = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.js")}
    del found["file/open.js"], found["service-worker.js"]
    found["dealer.js"] = found.pop("file/dealer.js").replace('"../', '"./')
    found["rule-hashes.js"] = f"export const RULE_HASHES = {json.dumps(hashes)};\n"
    linked = {name: _linked(name, text) for name, text in found.items()}
    return linked | {f"{name}.js": REFUSAL for name in ONLINE}


def _with_face(found: Mapping[str, str], face: str, unused: Collection[str]) -> dict[str, str]:
    """Return the modules that a page needs: of the faces, that of the game with what it imports."""
    faces = dict(FACE.findall(found["faces/faces.js"]))
    queue, needed = [faces.get(face, "komi/faces/generic.js"), "komi/faces/faces.js"], set[str]()
    while queue:
        needed.add(name := queue.pop().removeprefix("komi/"))
        queue += set(re.findall(r'from "(komi/faces/[^"]+)"', found[name]))
    kept = (name for name in found if name not in unused and (name in needed or not name.startswith("faces/")))
    return {name: found[name] for name in kept}


def _linked(name: str, text: str) -> str:
    """Replace the relative imports of a module by bare names, and leave out its comments."""

    def bare(match: re.Match[str]) -> str:
        return f'{match[1]}"komi/{posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))}"'

    def worker(match: re.Match[str]) -> str:
        return f'globalThis.komiWorkers["{posixpath.join(posixpath.dirname(name), match[1])}"]'

    return WORKER.sub(worker, RELATIVE.sub(bare, COMMENT.sub("", text)))


def _body(code: str) -> str:
    """Return the body of index.html in a language."""
    return front(code).partition("<body>")[2].partition("</body>")[0]


def _style() -> str:
    text = "\n".join((FOLDER / "style" / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)
    return text.replace(FONT, _data_url("font/woff2", (FOLDER / "fonts" / "figtree.woff2").read_bytes()))


def _data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _packed(content: dict[str, Any], columns: bytes) -> str:
    """Compress the content, as JSON with its length before it, and the columns of the table."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(struct.pack(">I", len(data)) + data + columns, 9)).decode()
