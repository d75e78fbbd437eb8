"""The rules of Pig in JavaScript, translated by komi, beside a translation made by hand: steps a second in one Node.

A step is an action of random play. All states are listed depth first, each outcome looked up in a set of numbers.
Times are those of the processor, the best of several runs of both in turns. Then games are solved as a page in one file
solves them.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import komi
from komi.exporting.export_model import export_model
from komi.exporting.page_table import page_table
from komi.translation.javascript import translate
from komi.web.routes.page import FOLDER as PAGE

FOLDER = Path(__file__).parent
SOLVED = ("pig", "big-pig", "pass-the-pigs", "red-light", "fowl-play")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        export_model("pig", Path(folder, "rules.mjs"))
        for name in ("handmade.mjs", "measure.mjs", "compare.mjs"):
            Path(folder, name).write_text((FOLDER / name).read_text())
        subprocess.run(["node", "compare.mjs"], cwd=folder, check=True)
        for name in SOLVED:
            solution = komi.solve(name)
            source, rules = translate(solution.game, solution.rules, name), solution.rules._asdict()
            table = page_table(solution, {}, max_stored=0).description["solver"]
            request = {"source": source, "rules": rules, "table": table}
            Path(folder, f"{name}.json").write_text(json.dumps(request))
            print(f"{name:13}", end=" ", flush=True)
            solver = PAGE / "file" / "solver.js"
            subprocess.run(["node", FOLDER / "solve.mjs", solver, f"{name}.json"], cwd=folder, check=True)


if __name__ == "__main__":
    main()
