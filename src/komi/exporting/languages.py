"""Tables of actions as source code: Python with its standard library, C99, and JavaScript for browsers and Node."""

from base64 import b64encode, b85encode
from collections.abc import Callable, Sequence
from textwrap import wrap

from komi.exporting.dense_table import DenseTable
from komi.exporting.encodings import LineEncoding, RunLengthEncoding

WIDTH = 112  # characters in a line of data

_PYTHON = '''"""{title}

{about}
"""

from base64 import b85decode
from lzma import decompress

ACTIONS = {actions}
FIELDS = {fields}
LOWS = {lows}
SIZES = {sizes}
_LINES = """
{data}
"""


def _unpack(code):
    """One byte for each combination of values, the last field changing fastest."""
    length, count, place = SIZES[-1], 1, 0
    for size in SIZES[:-1]:
        count *= size
    cells = bytearray(count * length)
    going_on = [(line * length, 0) for line in range(count)]
    while going_on:
        count = len(going_on)
        actions, lows, highs = (code[place + part * count : place + (part + 1) * count] for part in range(3))
        place += 3 * count
        longer = []
        for (line, begin), action, low, high in zip(going_on, actions, lows, highs):
            end = 256 * high + low
            cells[line + begin : line + end] = bytes((action,)) * (end - begin)
            if end < length:
                longer.append((line, end))
        going_on = longer
    return bytes(cells)


_CELLS = _unpack(decompress(b85decode("".join(_LINES.split()))))


def action({parameters}):
    """The number of the action that the policy takes, an index into ACTIONS; -1 for values out of range."""
    cell = 0
    for value, low, size in zip(({ordered},), LOWS, SIZES):
        if not low <= value < low + size:
            return -1
        cell = cell * size + value - low
    return _CELLS[cell]
'''

_C = """/* {title}

{about}

   int komi_action({declared}) returns the number of the action,
   an index into komi_actions; -1 for values out of range. It is not safe to call first from two threads. */

#include <stddef.h>

#define KOMI_CELLS {cells}

const char *const komi_actions[] = {{{actions}}};

static const unsigned char komi_runs[] = {{
{data}
}};

static unsigned char komi_cells[KOMI_CELLS];
static int komi_unpacked = 0;

static void komi_unpack(void) {{
    size_t place = 0, cell = 0;
    while (place < sizeof komi_runs) {{
        unsigned char action = komi_runs[place++];
        size_t length = 0;
        int shift = 0;
        do {{
            length |= (size_t)(komi_runs[place] & 127) << shift;
            shift += 7;
        }} while (komi_runs[place++] >= 128);
        while (length--) komi_cells[cell++] = action;
    }}
    komi_unpacked = 1;
}}

int komi_action({declared}) {{
    static const int lows[] = {{{lows}}}, sizes[] = {{{sizes}}};
    const int values[] = {{{ordered}}};
    size_t cell = 0;
    if (!komi_unpacked) komi_unpack();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {{
        if (values[i] < lows[i] || values[i] >= lows[i] + sizes[i]) return -1;
        cell = cell * (size_t)sizes[i] + (size_t)(values[i] - lows[i]);
    }}
    return komi_cells[cell];
}}
"""

_JAVASCRIPT = """// {title}
//
{about}
//
// action({parameters}) returns the number of the action, an index into ACTIONS; -1 for values out of range.

"use strict";

const ACTIONS = {actions};
const LOWS = {lows};
const SIZES = {sizes};
const RUNS = [
{data}
].join("");

function unpack(text) {{
  const runs = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const cells = new Uint8Array({cells});
  let cell = 0;
  for (let place = 0; place < runs.length; ) {{
    const action = runs[place++];
    let length = 0;
    let shift = 0;
    do {{
      length += (runs[place] & 127) * 2 ** shift;
      shift += 7;
    }} while (runs[place++] >= 128);
    cells.fill(action, cell, cell + length);
    cell += length;
  }}
  return cells;
}}

const CELLS = unpack(RUNS);

function action({parameters}) {{
  const values = [{ordered}];
  let cell = 0;
  for (let i = 0; i < values.length; i++) {{
    if (!(values[i] >= LOWS[i] && values[i] < LOWS[i] + SIZES[i])) return -1;
    cell = cell * SIZES[i] + values[i] - LOWS[i];
  }}
  return CELLS[cell];
}}

if (typeof module !== "undefined") module.exports = {{ ACTIONS, action }};
"""


def python(box: DenseTable, title: str, about: Sequence[str], actions: Sequence[str]) -> str:
    """Write the table as a Python module that needs only the standard library."""
    lines = LineEncoding.of(box)
    return _PYTHON.format(
        title=title,
        about="\n".join(about),
        actions=tuple(actions),
        fields=lines.parameters,
        lows=lines.lows,
        sizes=lines.sizes,
        data="\n".join(wrap(b85encode(lines.code).decode(), WIDTH, break_on_hyphens=False)),
        parameters=", ".join(lines.parameters),
        ordered=", ".join(lines.fields),
    )


def c(box: DenseTable, title: str, about: Sequence[str], actions: Sequence[str]) -> str:
    """Write the table as a C99 translation unit."""
    runs = RunLengthEncoding.of(box)
    return _C.format(
        title=title.replace("*/", "* /"),
        about="\n".join(f"   {line}".rstrip() for line in about).replace("*/", "* /"),
        actions=", ".join(_quoted(label) for label in actions),
        cells=runs.cells,
        lows=", ".join(map(str, runs.lows)),
        sizes=", ".join(map(str, runs.sizes)),
        data="\n".join(wrap(", ".join(map(str, runs.code)), WIDTH)),
        parameters=", ".join(runs.parameters),
        ordered=", ".join(runs.fields),
        declared=", ".join(f"int {field}" for field in runs.parameters),
    )


def javascript(box: DenseTable, title: str, about: Sequence[str], actions: Sequence[str]) -> str:
    """Write the table as a script for browsers that is a CommonJS module, too."""
    runs = RunLengthEncoding.of(box)
    lines = wrap(b64encode(runs.code).decode(), WIDTH)
    return _JAVASCRIPT.format(
        title=title,
        about="\n".join(f"// {line}".rstrip() for line in about),
        actions=f"[{', '.join(_quoted(label) for label in actions)}]",
        cells=runs.cells,
        lows=list(runs.lows),
        sizes=list(runs.sizes),
        data=",\n".join(f'"{line}"' for line in lines),
        parameters=", ".join(runs.parameters),
        ordered=", ".join(runs.fields),
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


LANGUAGES: dict[str, Callable[[DenseTable, str, Sequence[str], Sequence[str]], str]] = {
    ".py": python,
    ".c": c,
    ".js": javascript,
}
"""The writer for each file extension."""
