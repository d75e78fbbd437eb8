const ROUNDS = 5;
const million = (number) => `${(number / 1e6).toFixed(2)} million`;

const sides = [];
for (const name of ["handmade", "rules"]) {
  const { measure } = await import(`./measure.mjs?${name}`);
  sides.push({ name, rules: await import(`./${name}.mjs`), measure, runs: [] });
}
for (let round = 0; round < ROUNDS; round++) {
  for (const side of sides) side.runs.push(side.measure(side.rules));
}
for (const { name, runs } of sides) {
  const best = (part) => Math.max(...runs.map((run) => run[part]));
  const seconds = Math.min(...runs.map((run) => run.listed)).toFixed(2);
  console.log(
    `${name.padEnd(9)} ${million(best("steps"))} steps and ${million(best("transitions"))} outcomes a second, ` +
      `all ${runs[0].states.toLocaleString("en")} states in ${seconds} s`,
  );
}
