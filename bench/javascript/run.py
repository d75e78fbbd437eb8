"""The rules of Pig in JavaScript, translated by komi, beside a translation made by hand: steps a second in one Node.

A step is an action of random play. All states are listed depth first, each outcome looked up in a set of numbers.
Times are those of the processor, the best of several runs of both in turns.
"""

import subprocess
import tempfile
from pathlib import Path

from komi.exporting.export_model import export_model

FOLDER = Path(__file__).parent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        export_model("pig", Path(folder, "rules.mjs"))
        for name in ("handmade.mjs", "measure.mjs", "compare.mjs"):
            Path(folder, name).write_text((FOLDER / name).read_text())
        subprocess.run(["node", "compare.mjs"], cwd=folder, check=True)


if __name__ == "__main__":
    main()
