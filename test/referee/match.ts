/** Asks both sides for a list and compares what they say. */
import type { Engine } from './engine';
import { foreignKeys } from './failures';
import { RefereeFault, type ListAnswer, type ListAsk, type Oracle } from './oracle';
import {
  alike,
  alikeBelow,
  differences,
  differing,
  upstreamOutcome,
  type Outcome,
  type Part,
} from './outcome';
import type { Place } from './place';
import type { ListPlan } from './plans/plan';
import { kindsOf, Tally } from './tally';
import { withoutForeignTexts } from './verdict';

/** The two sides did not answer alike. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

interface UpstreamAnswer {
  readonly outcome: Outcome;
  /** Keys of values whose errors are not claimed to be worded as upstream's. */
  readonly foreign: ReadonlySet<string>;
  readonly token: string;
}

const answerOf = (ask: ListAsk, answer: ListAnswer, base = 0n): UpstreamAnswer => ({
  outcome: upstreamOutcome(ask, answer, base),
  foreign: foreignKeys(answer),
  token: answer.continue,
});

interface Compared {
  readonly ask: ListAsk;
  readonly outcome: Outcome;
}

/** One list as both sides answered it, without the wording that is not compared. */
export interface Comparison {
  readonly ask: ListAsk;
  readonly ours: Outcome;
  readonly theirs: Outcome;
  readonly differing: readonly Part[];
}

const brokenOff = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Compares one list; throws `Mismatch`, or `RefereeFault` when the comparison itself broke. */
export class Referee {
  readonly tally = new Tally();

  constructor(
    readonly oracle: Oracle,
    private readonly engine: Pick<Engine, 'list'>,
    /** Told of every comparison, before it counts. */
    private readonly onCompared: (comparison: Comparison) => void = () => undefined,
  ) {}

  async compare(ask: ListAsk): Promise<Compared> {
    const { theirs, ours } =
      ask.disturb > 0 ? await this.oneAfterTheOther(ask) : await this.sideBySide(ask);
    this.mustBeAlike(ask, ours.outcome, theirs);
    this.tally.count(...kindsOf(ask, theirs.outcome));
    return { ask, outcome: theirs.outcome };
  }

  /**
   * Compares a list, and the pages after it, while keys in it are written. Each side has a cluster of
   * its own, the two alike but for their names, which `found` makes.
   */
  async compareTwins(
    plan: ListPlan,
    found: (side: string) => Promise<Place>,
    enough: () => boolean,
  ): Promise<void> {
    const left = await found('a');
    const theirs = await pagesOf(left, plan, async (ask) => {
      const { outcome, foreign, token } = answerOf(ask, await this.oracle.list(ask), left.base);
      return {
        outcome: alikeBelow(outcome, left.name, left.base),
        foreign: new Set([...foreign].map((key) => alike(key, left.name))),
        token,
      };
    });
    const right = await found('b');
    const ours = await pagesOf(right, plan, async (ask) => {
      const { outcome, token } = await this.ours(ask, right.base, () => this.disturb(ask));
      return { outcome: alikeBelow(outcome, right.name, right.base), token };
    });
    for (let page = 0; page < Math.max(theirs.length, ours.length); page++) {
      const [one, other] = [theirs[page], ours[page]];
      if (one === undefined || other === undefined) {
        throw new Mismatch(`pages: ours ${ours.length}, upstream ${theirs.length}`);
      }
      const { ask, answer } = one;
      this.mustBeAlike(ask, other.answer.outcome, answer);
      const kinds = [page === 0 ? 'written meanwhile' : 'after writes meanwhile'];
      const isGiven = page === 0 && plan.token.kind === 'given' && ask.continue !== '';
      if (isGiven) kinds.push('written meanwhile, with a given token');
      if (!enough()) this.tally.count(...kinds, ...kindsOf(ask, answer.outcome));
    }
  }

  /** Throws `Mismatch` where the answers differ in what is compared. */
  private mustBeAlike(ask: ListAsk, ours: Outcome, { outcome, foreign }: UpstreamAnswer): void {
    const sides = withoutForeignTexts(ours, outcome, foreign);
    const found = differing(sides.ours, sides.theirs);
    this.onCompared({ ask, ...sides, differing: found });
    if (found.length === 0) return;
    const lines = differences(found, sides.ours, sides.theirs).join('\n  ');
    throw new Mismatch(`${lines}\n  list: ${JSON.stringify(ask)}`);
  }

  private async disturb(ask: ListAsk): Promise<void> {
    await this.oracle.apply(ask.changes);
    if (ask.compact) await this.oracle.compact(0n);
  }

  private ours(ask: ListAsk, base = 0n, disturb?: () => Promise<void>) {
    return this.engine.list(ask, base, disturb).catch((error: unknown) => {
      if (error instanceof RefereeFault) throw error;
      throw new Mismatch(`the engine broke: ${brokenOff(error)}\n  list: ${JSON.stringify(ask)}`);
    });
  }

  private async sideBySide(ask: ListAsk) {
    const [theirs, ours] = await Promise.allSettled([this.oracle.list(ask), this.ours(ask)]);
    if (theirs.status === 'rejected') throw theirs.reason;
    if (ours.status === 'rejected') throw ours.reason;
    return { theirs: answerOf(ask, theirs.value), ours: ours.value };
  }

  /** Each side meets the same disturbance, so each begins at a latest revision of its own. */
  private async oneAfterTheOther(ask: ListAsk) {
    const first = await this.oracle.revision();
    const theirs = answerOf(ask, await this.oracle.list(ask), first);
    const second = await this.oracle.revision();
    const ours = await this.ours(ask, second, () => this.disturb(ask));
    return { theirs, ours };
  }
}

/** The list of a plan and the pages after it, as one side answers them. */
async function pagesOf<A extends { readonly token: string }>(
  place: Place,
  plan: ListPlan,
  list: (ask: ListAsk) => Promise<A>,
): Promise<{ readonly ask: ListAsk; readonly answer: A }[]> {
  let ask = place.written(plan);
  const pages = [];
  for (let page = 0; page <= plan.follow; page++) {
    const answer = await list(ask);
    pages.push({ ask, answer });
    if (answer.token === '') break;
    const next = { resourceVersion: '', match: '', continue: answer.token };
    ask = { ...ask, ...next, disturb: 0, changes: [], compact: false };
  }
  return pages;
}
