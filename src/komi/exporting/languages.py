"""Tables of actions as source code: Python with its standard library, C99, and JavaScript for browsers and Node.

The parameters of the function `action` are fields, with any names but those that the language reserves. Its body
therefore uses only names that fields cannot have: those with an underscore in front, or `komi_` in C.
"""

import json
import re
from base64 import b64encode, b85encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from komi.errors import SolveError
from komi.exporting.dense_table import DenseTable
from komi.exporting.encodings import LineEncoding, RunLengthEncoding
from komi.exporting.identifiers import identifiers
from komi.translation.names import JAVASCRIPT_WORDS

WIDTH = 112  # characters in a line of data
MAX_EXACT = 2**53 - 1  # the largest magnitude of numbers of JavaScript that are exact
_C_WORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class compl
    complex concept const const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default
    delete do double dynamic_cast else enum explicit export extern false float for friend goto i386 if imaginary inline
    int linux long mutable namespace new noexcept not not_eq NULL nullptr operator or or_eq private protected public
    register reinterpret_cast requires restrict return short signed sizeof size_t static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unix
    unsigned using virtual void volatile wchar_t while xor xor_eq
    komi_action komi_actions komi_cells komi_look_up komi_runs komi_unpack komi_unpacked komi_values KOMI_CELLS
"""

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


def _look_up(values):
    """Return the action in the cell of these values, in the order of LOWS and SIZES."""
    cell = 0
    for value, low, size in zip(values, LOWS, SIZES):
        if not low <= value < low + size:
            return -1
        cell = cell * size + value - low
    return _CELLS[cell]


def action({parameters}):
    """Return the number of the policy's action, an index into ACTIONS; -1 if a value is out of range."""
    return _look_up(({ordered},))
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

static int komi_look_up(const long long *values) {{
    static const long long lows[] = {{{lows}}};
    static const size_t sizes[] = {{{sizes}}};
    size_t cell = 0;
    if (!komi_unpacked) komi_unpack();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {{
        unsigned long long value = (unsigned long long)values[i] - (unsigned long long)lows[i];
        if (value >= sizes[i]) return -1;
        cell = cell * sizes[i] + (size_t)value;
    }}
    return komi_cells[cell];
}}

int komi_action({declared}) {{
    const long long komi_values[] = {{{ordered}}};
    return komi_look_up(komi_values);
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

function _lookUp(values) {{
  let cell = 0;
  for (let i = 0; i < values.length; i++) {{
    if (!(values[i] >= LOWS[i] && values[i] < LOWS[i] + SIZES[i])) return -1;
    cell = cell * SIZES[i] + values[i] - LOWS[i];
  }}
  return CELLS[cell];
}}

function action({parameters}) {{
  return _lookUp([{ordered}]);
}}

if (typeof module !== "undefined") module.exports = {{ ACTIONS, action }};
"""


def python(table: DenseTable, title: str, about: Sequence[str], actions: Sequence[str]) -> str:
    """Write the table as a Python module that needs only the standard library."""
    lines = LineEncoding.of(table)
    return _PYTHON.format(
        title=_in_docstring(title),
        about=_in_docstring("\n".join(about)),
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
        declared=", ".join(f"long long {field}" for field in runs.parameters),
    )


def javascript(table: DenseTable, title: str, about: Sequence[str], actions: Sequence[str]) -> str:
    """Write the table as a script for browsers that is also a CommonJS module.

    Raises:
        SolveError: if a value of a field is too large for a number of JavaScript.
    """
    for field in table.varying:
        low, high = table.lows[field], table.lows[field] + table.cells.shape[field] - 1
        if low < -MAX_EXACT or high > MAX_EXACT:
            raise SolveError(
                f"JavaScript rounds the values of {table.names[field]!r}, which reach {max(high, -low):,}: "
                "export as .py or .c."
            )
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


def _in_docstring(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@dataclass(frozen=True)
class Language:
    """A language in which a table is written.

    Attributes:
        write: returns the source code, given a table, a title, what it is about, and the labels of the actions.
        reserved: the names that fields cannot have.
        letters: the letters of names.
    """

    write: Callable[[DenseTable, str, Sequence[str], Sequence[str]], str]
    reserved: frozenset[str] = frozenset()
    letters: re.RegexFlag = re.UNICODE

    def field_names(self, fields: Iterable[str]) -> tuple[str, ...]:
        """Return the names of the fields in this language."""
        return tuple(identifiers(fields, self.reserved, self.letters))


LANGUAGES = {
    ".py": Language(python),
    ".c": Language(c, frozenset(_C_WORDS.split()), re.ASCII),
    ".js": Language(javascript, JAVASCRIPT_WORDS),
}
"""The language of each file extension."""
