/** How many objects selectors match: counted once for each index, and never long without a pause. */
import type { LabelIndex } from '../../language/index/labelIndex';
import { matchCount } from '../../language/index/siteText';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { SelectorSite } from '../../language/model';

/** Milliseconds of counting between two chances for other requests. */
const SLICE_MS = 20;

interface Counted {
  readonly count: number | undefined;
}

export class SiteCounts {
  /** By index, so that one that is dropped is not held by what was counted with it. */
  private readonly known = new WeakMap<LabelIndex, WeakMap<SelectorSite, Counted>>();

  constructor(
    private readonly pause: () => Promise<void> = () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  ) {}

  /** Undefined where that cannot be told. */
  readonly of = (site: SelectorSite, index: LabelIndex): number | undefined => {
    const counted = this.known.get(index) ?? new WeakMap<SelectorSite, Counted>();
    const known = counted.get(site) ?? { count: matchCount(site, index) };
    this.known.set(index, counted.set(site, known));
    return known.count;
  };

  /** Counts all of them, so that `of` answers at once; ends once nobody wants that any more. */
  async prepare(
    sites: readonly SelectorSite[],
    stored: StoredLabels,
    isWanted: () => boolean = () => true,
  ): Promise<void> {
    let since = performance.now();
    for (const site of sites) {
      if (!isWanted()) return;
      const index = storedIndex(site, stored);
      if (index !== undefined) this.of(site, index);
      if (performance.now() - since < SLICE_MS) continue;
      await this.pause();
      since = performance.now();
    }
  }
}

/** What is known now of the objects that the selector selects from. */
export function storedIndex(
  { from: { resource, namespace } }: SelectorSite,
  stored: StoredLabels,
): LabelIndex | undefined {
  return resource === undefined ? undefined : stored.index(resource, namespace);
}
