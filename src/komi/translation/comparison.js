/** Calls of translated rules: reads the module and the calls, [part, arguments after the rules], and writes their results. A
 * number beyond 2**53 is a text with an n behind it. */

const isWide = /^-?\d+n$/;
const received = [];
for await (const chunk of process.stdin) received.push(chunk);
const [source, calls] = JSON.parse(Buffer.concat(received).toString(), (_, value) =>
  typeof value === "string" && isWide.test(value) ? BigInt(value.slice(0, -1)) : value,
);
const rules = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);

/** @param {any} value @returns {any} */
const plain = (value) =>
  value === null || value === undefined
    ? null
    : typeof value === "object"
      ? value instanceof Set
        ? Array.from(value, plain).sort((one, other) => (one < other ? -1 : 1))
        : Array.from(value, plain)
      : typeof value === "bigint"
        ? `${value}n`
        : value;

const results = calls.map(([part, ...given]) => {
  try {
    const values = given.map((each) => (Array.isArray(each) ? new rules.State(...each) : each));
    return plain(rules[part](rules.RULES, ...values));
  } catch (error) {
    const isOfRules = error instanceof RangeError || error.constructor === Error;
    return isOfRules && !error.message.includes("JavaScript") ? "error" : String(error);
  }
});
process.stdout.write(JSON.stringify(results));
