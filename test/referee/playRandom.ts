/** Plays random plans until enough lists are compared, and makes the first difference small. */
import fc from 'fast-check';
import type { Engine } from './engine';
import { Cluster } from './cluster';
import { Mismatch, Referee } from './match';
import { RefereeFault, type Oracle } from './oracle';
import { tellDifference } from './difference';
import type { Family } from './plans/families';
import type { ClusterPlan } from './plans/plan';
import type { Tally } from './tally';

/** How long a difference is made smaller before it is shown, in milliseconds. */
const shrinkMs = 60_000;

export interface Sides {
  readonly oracle: Oracle;
  readonly engine: Pick<Engine, 'list'>;
}

/** What becomes of one plan after another. */
class Rounds {
  readonly referee: Referee;
  fault: Error | undefined;
  /** The smallest plan that was seen to differ, and how. */
  difference:
    { readonly plan: ClusterPlan; readonly text: string; readonly index: number } | undefined;
  private shrinkUntil: number | undefined;
  private place = 0;

  constructor(
    sides: Sides,
    private readonly cases: number,
    private readonly name: string,
  ) {
    this.referee = new Referee(sides.oracle, sides.engine);
  }

  async play(plan: ClusterPlan): Promise<void> {
    if (this.over()) return;
    const enough = (): boolean => this.shrinkUntil === undefined && this.full();
    const place = this.place++;
    const cluster = new Cluster(this.referee, plan, `${this.name}${place}`, enough);
    try {
      await cluster.play();
    } catch (error) {
      if (error instanceof Mismatch) {
        this.shrinkUntil ??= performance.now() + shrinkMs;
        const index = this.difference?.index ?? place;
        this.difference = { plan: cluster.soFar(), text: error.message, index };
      } else this.fault = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  private full(): boolean {
    return this.referee.tally.total >= this.cases;
  }

  /** Nothing counts after a fault; shrinking has its time; else enough is enough. */
  private over(): boolean {
    if (this.fault !== undefined) return true;
    return this.shrinkUntil === undefined ? this.full() : performance.now() > this.shrinkUntil;
  }
}

export interface RandomSettings {
  readonly cases: number;
  readonly seed: number;
  /** Where the plan of a difference is kept, when not where runs keep it. */
  readonly folder?: string;
}

/**
 * Resolves when that many lists were compared and none differed; rejects in every other case. The
 * family's name begins those of the clusters: letters, and others than of any run on the same etcd.
 */
export async function playRandom(
  sides: Sides,
  { name, etcd, plans }: Family,
  { cases, seed, folder }: RandomSettings,
): Promise<{ readonly tally: Tally }> {
  console.log(`referee: ${name}: ${String(cases)} lists, seed ${String(seed)}`);
  const rounds = new Rounds(sides, cases, name);
  const property = fc.asyncProperty(plans, (plan) => rounds.play(plan));
  const result = await fc.check(property, { seed, numRuns: cases });
  const { tally } = rounds.referee;
  console.log(`referee: ${String(tally.total)} lists compared\n${tally.text()}`);
  const { difference, fault } = rounds;
  // First, so that a fault while it was made smaller does not hide it.
  if (difference !== undefined) {
    const { plan, text, index } = difference;
    const origin = { seed, family: name, index, etcd };
    throw new Mismatch(tellDifference(text, plan, origin, folder));
  }
  if (fault !== undefined) {
    throw new RefereeFault(`the comparison broke off: ${fault.message}`, { cause: fault });
  }
  if (result.failed) throw result.errorInstance;
  return { tally };
}
