/** What failed lately, so that it is not tried again at once. */
import type { Clock } from '../../common/clock';
import { failureOf, isUnreachable } from '../failures';

/** How long a failure is remembered. */
const REMEMBERED_MS = 30_000;

interface Remembered {
  readonly sentence: string;
  readonly until: number;
}

export class RecentFailures {
  private readonly byId = new Map<string, Remembered>();
  /** An etcd that cannot be reached fails everything. */
  private forAll: Remembered | undefined;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** What to say of it, in one sentence; undefined when it may be tried. */
  sentence(id: string): string | undefined {
    const now = this.clock.monotonic();
    return [this.forAll, this.byId.get(id)].find((each) => each !== undefined && now < each.until)
      ?.sentence;
  }

  note(id: string, error: unknown): void {
    const now = this.clock.monotonic();
    for (const [other, { until }] of [...this.byId]) if (now >= until) this.byId.delete(other);
    const failure = { sentence: failureOf(error).sentence, until: now + REMEMBERED_MS };
    if (isUnreachable(error)) this.forAll = failure;
    else this.byId.set(id, failure);
  }

  forget(id: string): void {
    this.byId.delete(id);
    this.forAll = undefined;
  }
}
