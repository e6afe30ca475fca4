/** Plays one plan again and shows what both sides answer. See `run.mjs`. */
import { createReadStream } from 'node:fs';
import { Cluster } from './cluster';
import { Court } from './court';
import { keepPlan } from './difference';
import { Mismatch, Referee, type Comparison } from './match';
import { familyNames, planOf } from './plans/families';
import { planText, readPlanText, type PlanFile } from './plans/planFile';
import { ShapeError } from './plans/shape';
import { askText, harmless, sideBySide } from './sideBySide';

/** What was asked for cannot be played; the message is one sentence. */
export class ReplayRefusal extends Error {
  override readonly name = 'ReplayRefusal';
}

const mostBytes = 16 * 1024 ** 2;
/** A case is made with all before it. */
const mostIndex = 100_000;

/** The plan in a file, or for `-` on standard input. Rejects with `ReplayRefusal`. */
export async function planFrom(path: string): Promise<PlanFile> {
  const name = path === '-' ? 'standard input' : `'${harmless(path)}'`;
  const text = await readBounded(path, name);
  try {
    return readPlanText(text);
  } catch (error) {
    if (error instanceof ShapeError) throw new ReplayRefusal(`${name} ${harmless(error.message)}`);
    throw error;
  }
}

/** To the end, or to the limit: a device has no end. */
async function readBounded(path: string, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > mostBytes) break;
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT';
    throw new ReplayRefusal(
      isMissing ? `there is no file ${name}` : `${name} cannot be read: ${code}`,
    );
  }
  if (size > mostBytes) throw new ReplayRefusal(`${name} has more than ${mostBytes} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

/** The plan of a case such as `pinned:17`, or `17` of the random ones. Throws `ReplayRefusal`. */
export function planOfCase(text: string, seed: number): PlanFile {
  const [, family = 'random', digits = ''] = /^(?:([a-z]+):)?(\d{1,9})$/.exec(text) ?? [];
  const index = Number(digits);
  if (digits === '' || !familyNames.includes(family) || index > mostIndex) {
    throw new ReplayRefusal(
      `--case takes a number up to ${mostIndex}, after one of ${familyNames.join(', ')} ` +
        `and a colon, not '${harmless(text)}'`,
    );
  }
  const { etcd, plan } = planOf(family, index, seed);
  const file = readPlanText(planText(etcd, plan));
  const name = `seed-${seed}-${family}-${index}-whole`;
  console.log(`referee: the plan of this case is kept in ${keepPlan(name, planText(etcd, plan))}`);
  return file;
}

/** Resolves to the exit code: 0 when no list differed, else 1. */
export async function replay({ etcd, plan }: PlanFile): Promise<number> {
  const compared: Comparison[] = [];
  const show = (comparison: Comparison): void => {
    compared.push(comparison);
    console.log(`\nlist ${compared.length}, ${verdict(comparison)}: ${askText(comparison.ask)}`);
    console.log(sideBySide(comparison, process.stdout.columns).join('\n'));
  };
  const court = await Court.open(etcd);
  try {
    await new Cluster(new Referee(court.oracle, court.engine, show), plan, 'replay').play();
  } catch (error) {
    console.log(`\nreferee: ${ending(error, compared)}`);
    return 1;
  } finally {
    await court.close();
  }
  console.log(`\nreferee: ${compared.length} lists compared, no difference`);
  return compared.length > 0 ? 0 : 1;
}

const verdict = ({ differing }: Comparison): string =>
  differing.length === 0 ? 'alike' : `ours differs from upstream in ${differing.join(', ')}`;

/** Why the play ended before the plan did. */
function ending(error: unknown, compared: readonly Comparison[]): string {
  const last = compared.at(-1);
  const count = `${compared.length} lists compared`;
  if (last !== undefined && last.differing.length > 0) return `${count}, ${verdict(last)}`;
  const message = harmless(error instanceof Error ? error.message : String(error));
  if (error instanceof Mismatch) return `${count}, ours differs from upstream: ${message}`;
  return `the comparison broke off: ${message}`;
}
