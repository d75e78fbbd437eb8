"""Write the hashes of the built-in games' rules in JavaScript, by which the page recognizes them: rule-hashes.js.

python scripts/rule_hashes.py
"""

from hashlib import sha256
from pathlib import Path

import komi.web
from komi.rules import catalog
from komi.translation.program import TranslationError
from komi.web.game_catalog import rules_module

FILE = Path(komi.web.__file__).parent / "page" / "rule-hashes.js"
HEADER = """/** The SHA-256 hashes of the built-in rules in JavaScript. scripts/rule_hashes.py writes this file. */

/** @type {Record<string, string>} */
export const RULE_HASHES = {
  __proto__: null, // a game may have the name of an Object property
"""


def rule_hashes() -> str:
    """Return the module with the hash of each built-in game whose rules have a translation."""
    lines = []
    for name in catalog.names():
        try:
            source = rules_module(catalog.find(name))
        except TranslationError:
            continue
        key = f'"{name}"' if "-" in name else name
        lines.append(f'  {key}: "{sha256(source.encode()).hexdigest()}",\n')
    return f"{HEADER}{''.join(lines)}}};\n"


if __name__ == "__main__":
    FILE.write_text(rule_hashes(), encoding="utf-8")
