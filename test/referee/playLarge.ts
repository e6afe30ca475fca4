/** Compares lists over more objects than one page holds, all on one cluster. */
import { Cluster } from './cluster';
import { tellDifference } from './difference';
import { Mismatch, Referee } from './match';
import { large, largeLists, largePlan } from './plans/families';
import type { RandomSettings, Sides } from './playRandom';
import type { Tally } from './tally';

/** As `playRandom`. A difference is shown by its list alone where that shows it. */
export async function playLarge(
  { oracle, engine }: Sides,
  { cases, seed, folder }: RandomSettings,
): Promise<{ readonly tally: Tally }> {
  const referee = new Referee(oracle, engine);
  const whole = new Cluster(referee, largePlan(largeLists(seed, cases)), large.name);
  const text = await differenceOf(whole);
  const { tally } = referee;
  console.log(`referee: ${tally.total} large lists\n${tally.text()}`);
  if (text === undefined) return { tally };
  const { steps } = whole.soFar();
  const alone = { ...whole.soFar(), steps: steps.slice(-1) };
  // A fault now must not hide the difference.
  const small = await differenceOf(new Cluster(referee, alone, `${large.name}Alone`)).catch(
    () => undefined,
  );
  const plan = small === undefined ? whole.soFar() : alone;
  const origin = { seed, family: large.name, index: steps.length - 1, etcd: large.etcd };
  throw new Mismatch(tellDifference(small ?? text, plan, origin, folder));
}

/** What differs, undefined when nothing does. */
async function differenceOf(cluster: Cluster): Promise<string | undefined> {
  try {
    await cluster.play();
    return undefined;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    throw error;
  }
}
