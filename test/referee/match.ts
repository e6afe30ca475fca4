/** Plays a plan on both sides and compares every list. */
import { withoutForeignTexts, type Engine, type EngineAnswer } from './engine';
import { RefereeFault, type ListAsk, type Oracle } from './oracle';
import { alike, alikeBelow, differences, upstreamOutcome, type Outcome } from './outcome';
import { Place } from './place';
import type { ClusterPlan, ListPlan } from './plans';

/** The two sides did not answer alike. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/** How many comparisons of each kind were made. */
export class Tally {
  total = 0;
  private readonly kinds = new Map<string, number>();

  count(...kinds: readonly string[]): void {
    this.total++;
    for (const kind of kinds) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  of(kind: string): number {
    return this.kinds.get(kind) ?? 0;
  }

  text(): string {
    const rows = [...this.kinds].sort(([a], [b]) => (a < b ? -1 : 1));
    return rows.map(([kind, count]) => `  ${String(count).padStart(7)}  ${kind}`).join('\n');
  }
}

function kindsOf(ask: ListAsk, outcome: Outcome): string[] {
  const { error, requests, items, remaining } = outcome;
  const streams = requests.filter((request) => request.startsWith('RangeStream')).length;
  const pages = requests.length - streams;
  const how = !ask.recursive
    ? 'single key'
    : streams === 0
      ? 'pages'
      : pages === 0
        ? 'stream'
        : 'stream and other reads';
  const kinds = [requests.length === 0 ? 'refused before any read' : how];
  if (requests.length > 2) kinds.push('three reads or more');
  if (ask.continue !== '') kinds.push('with a token');
  if (ask.labelSelector !== '' || ask.fieldSelector !== '') kinds.push('with a selector');
  if (ask.compact) kinds.push('compacted meanwhile');
  if (outcome.continue !== '') kinds.push('gives a token');
  if (remaining !== null) kinds.push('gives a remaining count');
  if (error === null) return [...kinds, items.length === 0 ? 'answer: empty' : 'answer: items'];
  const causes =
    error.causes.length > 100 ? ', cut' : error.causes.length > 1 ? ', several causes' : '';
  const token = error.continue === '' ? '' : ' with a token';
  return [...kinds, `error: ${error.kind} ${error.code} ${error.reason}${token}${causes}`];
}

interface Compared {
  readonly ask: ListAsk;
  readonly outcome: Outcome;
}

const brokenOff = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Compares one list; throws `Mismatch`, or `RefereeFault` when the comparison itself broke. */
export class Referee {
  readonly tally = new Tally();

  constructor(
    readonly oracle: Oracle,
    private readonly engine: Pick<Engine, 'list'>,
  ) {}

  async compare(ask: ListAsk, foreign: ReadonlySet<string> = new Set()): Promise<Compared> {
    const { theirs, ours } =
      ask.disturb > 0 ? await this.oneAfterTheOther(ask) : await this.sideBySide(ask);
    mustBeAlike(ask, ours, theirs, foreign);
    this.tally.count(...kindsOf(ask, theirs));
    return { ask, outcome: theirs };
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
    const theirs = await this.pages(left, plan, async (ask) => {
      const answer = await this.oracle.list(ask);
      const outcome = upstreamOutcome(answer, left.base);
      return { outcome, failedKey: undefined, token: answer.continue };
    });
    const right = await found('b');
    const ours = await this.pages(right, plan, (ask) =>
      this.ours(ask, right.base, () => this.disturb(ask)),
    );
    const foreign = new Set([...right.foreign].map((key) => alike(key, right.name)));
    for (let page = 0; page < Math.max(theirs.length, ours.length); page++) {
      const [one, other] = [theirs[page], ours[page]];
      if (one === undefined || other === undefined) {
        throw new Mismatch(`pages: ours ${ours.length}, upstream ${theirs.length}`);
      }
      mustBeAlike(one.ask, other.answer, one.answer.outcome, foreign);
      const written = page === 0 ? 'written meanwhile' : 'after writes meanwhile';
      if (!enough()) this.tally.count(written, ...kindsOf(one.ask, one.answer.outcome));
    }
  }

  private async pages(
    place: Place,
    plan: ListPlan,
    list: (ask: ListAsk) => Promise<EngineAnswer>,
  ): Promise<{ readonly ask: ListAsk; readonly answer: EngineAnswer }[]> {
    let ask = place.written(plan);
    const pages = [];
    for (let page = 0; page <= plan.follow; page++) {
      const answer = await list(ask);
      pages.push({ ask, answer: below(place, answer) });
      if (answer.token === '') break;
      const next = { resourceVersion: '', match: '', continue: answer.token };
      ask = { ...ask, ...next, disturb: 0, changes: [], compact: false };
    }
    return pages;
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
    return { theirs: upstreamOutcome(theirs.value), ours: ours.value };
  }

  /** Each side meets the same disturbance, so each begins at a latest revision of its own. */
  private async oneAfterTheOther(ask: ListAsk) {
    const first = await this.oracle.revision();
    const theirs = upstreamOutcome(await this.oracle.list(ask), first);
    const second = await this.oracle.revision();
    const ours = await this.ours(ask, second, () => this.disturb(ask));
    return { theirs, ours };
  }
}

function mustBeAlike(
  ask: ListAsk,
  { outcome, failedKey }: EngineAnswer,
  theirs: Outcome,
  foreign: ReadonlySet<string>,
): void {
  const isForeign = (key: string): boolean => foreign.has(key);
  const mask = (side: Outcome): Outcome => ({
    ...side,
    error: withoutForeignTexts(side.error, isForeign, failedKey),
  });
  const found = differences(mask(outcome), mask(theirs));
  if (found.length > 0) {
    throw new Mismatch(`${found.join('\n  ')}\n  list: ${JSON.stringify(ask)}`);
  }
}

/** An answer as it would be in a place of no name whose history begins at zero. */
function below({ name, base }: Place, { failedKey, outcome, token }: EngineAnswer): EngineAnswer {
  return {
    outcome: alikeBelow(outcome, name, base),
    failedKey: failedKey && alike(failedKey, name),
    token,
  };
}

/** One cluster of a plan, below a root that nothing else uses. */
export class Cluster {
  private begun = 0;

  constructor(
    private readonly referee: Referee,
    private readonly plan: ClusterPlan,
    private readonly name: string,
    /** Told after every list; true ends the play. */
    private readonly enough: () => boolean = () => false,
  ) {}

  /** The plan without the steps that were not begun. */
  soFar(): ClusterPlan {
    return { ...this.plan, steps: this.plan.steps.slice(0, this.begun) };
  }

  async play(): Promise<void> {
    const { writes, steps } = this.plan;
    const place = await Place.found(this.referee.oracle, this.plan, this.name, [writes]);
    for (const step of steps) {
      if (this.enough()) return;
      this.begun++;
      if (step.kind === 'write') await place.write([step.write]);
      else if (step.kind === 'compact') await place.compact(step.share);
      else if (step.meanwhile.length > 0) await this.twins(step, place);
      else if (step.disturb > 0) await this.compacted(step, place);
      else await this.list(step, place);
    }
  }

  /** Each side lists a copy of its own, which is written to meanwhile. */
  private async twins(step: ListPlan, { history }: Place): Promise<void> {
    const found = (side: string): Promise<Place> =>
      Place.found(
        this.referee.oracle,
        this.plan,
        `${this.name}x${String(this.begun)}${side}`,
        history,
      );
    await this.referee.compareTwins(step, found, this.enough);
  }

  private async compacted(step: ListPlan, place: Place): Promise<void> {
    await this.referee.compare(place.compacted(step), place.foreign);
    await place.lookAtHead();
  }

  private async list(step: ListPlan, place: Place): Promise<void> {
    let { ask, outcome } = await this.referee.compare(place.ask(step), place.foreign);
    keep(place, outcome);
    for (let page = 0; page < step.follow && outcome.continue !== ''; page++) {
      if (this.enough()) return;
      ask = { ...ask, resourceVersion: '', match: '', continue: outcome.continue };
      ({ outcome } = await this.referee.compare(ask, place.foreign));
      keep(place, outcome);
    }
  }
}

function keep({ tokens }: Place, { continue: token, error }: Outcome): void {
  if (token !== '') tokens.push(token);
  if (error !== null && error.continue !== '') tokens.push(error.continue);
}
