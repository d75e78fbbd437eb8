/** Return a whole number that both languages count alike; refuse larger ones. @param {number} value */
function $int(value) {
  if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) {
    throw new RangeError(`${value} is beyond the whole numbers that JavaScript counts exactly`);
  }
  return value;
}

/** Return a field of a state, a whole number: true is 1. @param {any} value @returns {number} */
function $whole(value) {
  if (Number.isSafeInteger(value)) return value;
  if (typeof value === "boolean") return Number(value);
  throw new RangeError(`${value} is not a whole number that JavaScript counts exactly`);
}

/**
 * Return a whole number of any size, as a bigint only if it is beyond those that JavaScript counts exactly.
 * @param {any} value @returns {number | bigint}
 */
function $wide(value) {
  if (typeof value !== "bigint") return $whole(value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Return a field of a state that is a tuple of whole numbers.
 * @template {any[]} T @param {T} values @param {(value: any) => any} check @returns {T}
 */
function $wholes(values, check) {
  const wholes = [...values].map((value) => (typeof value === "object" ? $wholes(value, check) : check(value)));
  return /** @type {T} */ (wholes);
}

/** @param {number} a @param {number} b */
function $div(a, b) {
  if (b === 0) throw new RangeError("division by zero");
  return a / b;
}

/** Return a // b, rounded down. @param {number} a @param {number} b */
function $floordiv(a, b) {
  if (b === 0) throw new RangeError("division by zero");
  const rest = a % b;
  const quotient = Math.round((a - rest) / b);
  return rest !== 0 && rest < 0 !== b < 0 ? quotient - 1 : quotient;
}

/** Return a % b, which has the sign of b. @param {number} a @param {number} b */
function $mod(a, b) {
  if (b === 0) throw new RangeError("division by zero");
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
function $bigFloordiv(a, b) {
  return (a - $bigMod(a, b)) / b;
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
function $bigMod(a, b) {
  if (b === 0n) throw new RangeError("division by zero");
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

/** Return the number of places of a shift. @param {number | bigint} by */
function $shift(by) {
  if (by < 0) throw new RangeError("negative shift count");
  return BigInt(by);
}

/** @template {number | bigint} T @param {T} value @returns {T} */
function $abs(value) {
  return value < 0 ? /** @type {T} */ (-value) : value;
}

/** Return a whole number to a power that is not negative. @param {number} base @param {number} exponent */
function $pow(base, exponent) {
  if (exponent < 0) throw new RangeError("a negative exponent");
  let power = 1;
  for (let i = 0; i < exponent && power !== 0; i++) power = $int(power * base);
  return power;
}

/**
 * Return the float nearest to a power of a float; the exponent is a whole number that is not negative.
 * @param {number} base @param {number} exponent
 */
function $powered(base, exponent) {
  if (exponent < 0) throw new RangeError("a negative exponent");
  const [digits, shift] = $fraction(base);
  const power = digits ** BigInt(exponent);
  const excess = power.toString(2).replace("-", "").length - 64; // leaves 64 digits, the last of which stands for the rest
  if (excess <= 0) return Number(power) * 2 ** (shift * Number(exponent));
  const cut = power >> BigInt(excess);
  return Number(cut << BigInt(excess) === power ? cut : cut | 1n) * 2 ** (shift * Number(exponent) + excess);
}

/** Return a float as a whole number times a power of two. @param {number} value @returns {[bigint, number]} */
function $fraction(value) {
  let shift = 0;
  for (let scaled = value; !Number.isInteger(scaled); scaled = value * 2 ** -shift) shift--;
  return [BigInt(value * 2 ** -shift), shift];
}

/** Return the bits above the lowest 32, sign included. @param {number} value */
function $high(value) {
  return Math.floor($int(value) / 2 ** 32);
}

/** @param {number} a @param {number} b */
function $and(a, b) {
  const low = a & b;
  return (a | 0) === a && (b | 0) === b ? low : $int(($high(a) & $high(b)) * 2 ** 32 + (low >>> 0));
}

/** @param {number} a @param {number} b */
function $or(a, b) {
  const low = a | b;
  return (a | 0) === a && (b | 0) === b ? low : $int(($high(a) | $high(b)) * 2 ** 32 + (low >>> 0));
}

/** @param {number} a @param {number} b */
function $xor(a, b) {
  const low = a ^ b;
  return (a | 0) === a && (b | 0) === b ? low : $int(($high(a) ^ $high(b)) * 2 ** 32 + (low >>> 0));
}

/** @param {number} a */
function $not(a) {
  return $int(-1 - a);
}

/** @param {number} a @param {number} by */
function $shl(a, by) {
  if (by < 0) throw new RangeError("negative shift count");
  return Number(a) === 0 ? 0 : $int(a * 2 ** by);
}

/** @param {number} a @param {number} by */
function $shr(a, by) {
  if (by < 0) throw new RangeError("negative shift count");
  return by < 1000 ? Math.floor($int(a) / 2 ** by) : a < 0 ? -1 : 0;
}

/** @param {number | bigint} value @returns {number} */
function $bitLength(value) {
  let length = 0;
  let rest = $abs(value);
  for (; typeof rest === "bigint" && rest > 0xffffffffn; rest >>= 32n) length += 32;
  for (; typeof rest === "number" && $int(rest) > 0xffffffff; rest = Math.floor(rest / 2 ** 32)) length += 32;
  return length + 32 - Math.clz32(Number(rest));
}

/** @param {number | bigint} value @returns {number} */
function $bitCount(value) {
  let count = 0;
  let rest = $abs(value);
  for (; typeof rest === "bigint" && rest > 0n; rest >>= 32n) count += $ones(Number(BigInt.asIntN(32, rest)));
  for (; typeof rest === "number" && $int(rest) > 0; rest = Math.floor(rest / 2 ** 32)) count += $ones(rest | 0);
  return count;
}

/** Return the number of ones among 32 bits: the sums of neighbours, then of these. @param {number} bits */
function $ones(bits) {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Return an entry of a tuple or a letter of a text; a negative index counts from the end.
 * @template {string | any[]} T @param {T} values @param {number} index @returns {T[number]}
 */
function $at(values, index) {
  const position = index < 0 ? index + values.length : Number(index);
  if (!(position >= 0 && position < values.length)) throw new RangeError("index out of range");
  return values[position];
}

/** @param {any[]} values @param {number} index @param {any} value */
function $set(values, index, value) {
  const position = index < 0 ? index + values.length : Number(index);
  if (!(position >= 0 && position < values.length)) throw new RangeError("index out of range");
  values[position] = value;
}

/** Return the value of a key. @template K, V @param {Map<K, V>} map @param {K} key @returns {V} */
function $lookup(map, key) {
  if (!map.has(key)) throw new RangeError(`no entry for ${key}`);
  return /** @type {V} */ (map.get(key));
}

/** @template K, V, O @param {Map<K, V>} map @param {K} key @param {O} otherwise @returns {V | O} */
function $get(map, key, otherwise) {
  return map.has(key) ? /** @type {V} */ (map.get(key)) : otherwise;
}

/** Return the numbers of a range. @param {number} start @param {number} stop @param {number} [step] */
function $range(start, stop, step = 1) {
  if (step === 0) throw new RangeError("range() arg 3 must not be zero");
  const numbers = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) numbers.push(i);
  return numbers;
}

/**
 * Return -1, 0 or 1 as one value is below, equal to or above another; tuples entry by entry.
 * @param {any} one @param {any} other @returns {number}
 */
function $compare(one, other) {
  if (typeof one !== "object") return one < other ? -1 : one > other ? 1 : 0;
  const [these, those] = [[...one], [...other]];
  for (let i = 0; i < Math.min(these.length, those.length); i++) {
    const order = $compare(these[i], those[i]);
    if (order !== 0) return order;
  }
  return these.length - those.length;
}

/**
 * Return whether two values are equal, as Python compares them: true is 1, and tuples are equal by their entries.
 * @param {any} one @param {any} other @returns {boolean}
 */
function $equal(one, other) {
  if (one === null || other === null || typeof one === "string" || typeof other === "string") return one === other;
  if (typeof one !== "object" || typeof other !== "object") {
    return typeof one !== "object" && typeof other !== "object" && one == other;
  }
  const [these, those] = [[...one], [...other]];
  return these.length === those.length && these.every((value, i) => $equal(value, those[i]));
}

/** @param {any} value @param {Iterable<any>} values */
function $in(value, values) {
  for (const other of values) if ($equal(value, other)) return true;
  return false;
}

/** @param {Iterable<any>} values @param {any} value */
function $index(values, value) {
  const index = [...values].findIndex((other) => $equal(value, other));
  if (index < 0) throw new RangeError(`${value} is not among the values`);
  return index;
}

/** @param {Iterable<any>} values @param {any} value */
function $count(values, value) {
  return [...values].filter((other) => $equal(value, other)).length;
}

/** @template T @param {Iterable<T>} values */
function $sorted(values) {
  return [...values].sort($compare);
}

/** @template T @param {Iterable<T>} values */
function $reversed(values) {
  return [...values].reverse();
}

/** @template T @param {Iterable<T>} values */
function $min(values) {
  return $extreme([...values], -1);
}

/** @template T @param {Iterable<T>} values */
function $max(values) {
  return $extreme([...values], 1);
}

/** @template T @param {T[]} values @param {number} sign */
function $extreme(values, sign) {
  if (values.length === 0) throw new RangeError("no values to compare");
  let best = values[0];
  for (const value of values) if ($compare(value, best) * sign > 0) best = value;
  return best;
}

/** @param {Iterable<number>} values @param {number} [start] */
function $sum(values, start = 0) {
  let total = start;
  for (const value of values) total = $int(total + value);
  return total;
}

/** @param {Iterable<number | bigint | boolean>} values @param {number | bigint} [start] */
function $wideSum(values, start = 0) {
  let total = BigInt(start);
  for (const value of values) total += BigInt(value);
  return $wide(total);
}

/**
 * Add floats one after the other, as compiled rules do.
 * @param {Iterable<number>} values @param {number} [start]
 */
function $fsum(values, start = 0) {
  let total = start;
  for (const value of values) total += value;
  return total;
}

/** @param {...Iterable<any>} columns @returns {any[]} */
function $zip(...columns) {
  const lists = columns.map((column) => [...column]);
  return $range(0, Math.min(...lists.map((list) => list.length))).map((i) => lists.map((list) => list[i]));
}

/** @template T @param {Iterable<T>} values @param {number} [start] @returns {[number, T][]} */
function $enumerate(values, start = 0) {
  return [...values].map((value, i) => [i + start, value]);
}

/** @template {string | any[]} T @param {T} values @param {number} times @returns {any} */
function $repeat(values, times) {
  const number = Math.max(0, Number(times));
  return typeof values === "string" ? values.repeat(number) : Array(number).fill(values).flat(1);
}

/** Read a whole number. @param {string} text */
function $parse(text) {
  if (!/^\s*[+-]?\d+(_\d+)*\s*$/.test(text)) throw new RangeError(`${text} is not a whole number`);
  return $int(Number(text.replaceAll("_", "")));
}

/** @param {number} value */
function $trunc(value) {
  return $whole(Math.trunc(value) + 0);
}

/** @param {any} value */
function $str(value) {
  return value === true ? "True" : value === false ? "False" : value === null ? "None" : String(value);
}

/** Write a float as Python does. @param {number} value */
function $float(value) {
  if (!Number.isFinite(value)) return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
  const [digits, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return Number.isInteger(value) ? `${Object.is(value, -0) ? "-0" : value}.0` : String(value);
}

/** @param {number} number */
function $factorial(number) {
  if (number < 0) throw new RangeError("factorial() not defined for negative values");
  let product = 1;
  for (let i = 2; i <= number; i++) product = $int(product * i);
  return product;
}

/** @param {number} number @param {number} chosen */
function $comb(number, chosen) {
  let ways = chosen > number ? 0 : 1;
  for (let i = 0; i < chosen && ways > 0; i++) ways = $floordiv($int(ways * (number - i)), i + 1);
  return ways;
}
