// `npm run test:referee -- --cases 200000 --seed 7`: the comparison with upstream at any length,
// from a seed of chance unless one is given.
// Other arguments go to vitest.
import { parseArgs } from 'node:util';
import { ensureInstalled, runNode } from '../../setup.mjs';
import { getEtcds } from '../etcd/get.mjs';

const options = { cases: { type: 'string' }, seed: { type: 'string' } };
const { values, tokens } = parseArgs({
  options,
  strict: false,
  allowPositionals: true,
  tokens: true,
});
const ours = new Set(Object.keys(options));
const taken = new Set();
for (const token of tokens) {
  if (token.kind !== 'option' || !ours.has(token.name)) continue;
  taken.add(token.index);
  if (token.inlineValue === false) taken.add(token.index + 1);
}

for (const name of ours) {
  const value = values[name];
  if (value === undefined) continue;
  if (!/^\d+$/.test(String(value))) {
    console.error(`--${name} takes a whole number`);
    process.exit(2);
  }
  process.env[`REFEREE_${name.toUpperCase()}`] = value;
}
// Without a seed, one of chance; it is printed, and repeats the run.
process.env.REFEREE_SEED ??= String(Math.floor(Math.random() * 2 ** 31));
console.log(`referee: seed ${process.env.REFEREE_SEED}`);
// Asked for by name, the comparison must not pass by being skipped.
process.env.REQUIRE_ALL ??= '1';

ensureInstalled();
getEtcds();
const rest = process.argv.slice(2).filter((_, index) => !taken.has(index));
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'referee', ...rest];
process.exitCode = await runNode(...vitest);
