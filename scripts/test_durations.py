"""Record how long each file of tests takes, for their order: `pytest --durations=0 | python scripts/test_durations.py`.

`tests/durations.json` has the seconds of each file that takes `SHORTEST` or longer.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

SHORTEST = 5.0  # seconds
LINE = re.compile(r" *([\d.]+)s (?:setup|call|teardown) +(.+?)(?:::|$)")

seconds = Counter[str]()
for line in sys.stdin:
    if found := LINE.match(line):
        seconds[found[2]] += float(found[1])  # type: ignore[assignment]
long = {path: round(spent) for path, spent in seconds.most_common() if spent >= SHORTEST}
recorded = Path(__file__).parent.parent / "tests" / "durations.json"
recorded.write_text(json.dumps(long, indent=2) + "\n")
