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
    """Decode one byte for each combination of field values; the last field varies fastest."""
    length, count, position = SIZES[-1], 1, 0
    for size in SIZES[:-1]:
        count *= size
    cells = bytearray(count * length)
    unfinished = [(line * length, 0) for line in range(count)]
    while unfinished:
        count = len(unfinished)
        actions, lows, highs = (code[position + part * count : position + (part + 1) * count] for part in range(3))
        position += 3 * count
        remaining = []
        for (line, begin), action, low, high in zip(unfinished, actions, lows, highs):
            end = 256 * high + low
            cells[line + begin : line + end] = bytes((action,)) * (end - begin)
            if end < length:
                remaining.append((line, end))
        unfinished = remaining
    return bytes(cells)


_CELLS = _unpack(decompress(b85decode("".join(_LINES.split()))))


def action({parameters}):
    """Return the number of the policy's action, an index into ACTIONS; -1 if a value is out of range."""
    cell = 0
    for value, low, size in zip(({ordered},), LOWS, SIZES):
        if not low <= value < low + size:
            return -1
        cell = cell * size + value - low
    return _CELLS[cell]
'''

_C = """/* {title}

{about}

   int komi_action({declared}) returns the number of the policy's action,
   an index into komi_actions; -1 if a value is out of range.
   The first call unpacks the table; it is not thread-safe. */

#include <stddef.h>

#define KOMI_CELLS {cells}

const char *const komi_actions[] = {{{actions}}};

static const unsigned char komi_runs[] = {{
{data}
}};

static unsigned char komi_cells[KOMI_CELLS];
static int komi_unpacked = 0;

static void komi_unpack(void) {{
    size_t position = 0, cell = 0;
    while (position < sizeof komi_runs) {{
        unsigned char action = komi_runs[position++];
        size_t length = 0;
        int shift = 0;
        do {{
            length |= (size_t)(komi_runs[position] & 127) << shift;
            shift += 7;
        }} while (komi_runs[position++] >= 128);
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
// action({parameters}) returns the number of the policy's action, an index into ACTIONS; -1 if a value is out of range.

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
  for (let position = 0; position < runs.length; ) {{
    const action = runs[position++];
    let length = 0;
    let shift = 0;
    do {{
      length += (runs[position] & 127) * 2 ** shift;
      shift += 7;
    }} while (runs[position++] >= 128);
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


def python(table: DenseTable, title: str, about: Sequence[str], actions: Sequence[str]) -> str:
    """Write the table as a Python module that needs only the standard library."""
    lines = LineEncoding.of(table)
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


def c(table: DenseTable, title: str, about: Sequence[str], actions: Sequence[str]) -> str:
    """Write the table as a C99 translation unit."""
    runs = RunLengthEncoding.of(table)
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


def javascript(table: DenseTable, title: str, about: Sequence[str], actions: Sequence[str]) -> str:
    """Write the table as a script for browsers that is also a CommonJS module."""
    runs = RunLengthEncoding.of(table)
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
