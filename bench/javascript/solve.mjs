// Solve a game as the page in one file does.

import { readFileSync } from "node:fs";

const [solver, request] = process.argv.slice(2);
const { solve } = await import(solver);
const { source, rules, table } = JSON.parse(readFileSync(request, "utf8"));
await solve(source, rules, table, () => {});
const seconds = process.cpuUsage().user / 1e6;
const memory = process.resourceUsage().maxRSS / 1e3;
console.log(
  `${table.states.toLocaleString("en").padStart(12)} states solved in ${seconds.toFixed(1)} s with ${memory.toFixed(0)} MB`,
);
