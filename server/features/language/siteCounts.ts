/** How many objects selectors match: counted once for each index, and never long without a pause. */
import type { LabelIndex } from '../../language/index/labelIndex';
import { matchCount } from '../../language/index/siteText';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { SelectorSite } from '../../language/model';

/** Milliseconds of counting between two chances for other requests. */
const SLICE_MS = 20;

export class SiteCounts {
  private readonly known = new WeakMap<
    SelectorSite,
    { readonly index: LabelIndex; readonly count: number | undefined }
  >();

  constructor(
    private readonly pause: () => Promise<void> = () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  ) {}

  /** Undefined where that cannot be told. */
  readonly of = (site: SelectorSite, index: LabelIndex): number | undefined => {
    const known = this.known.get(site);
    if (known?.index === index) return known.count;
    const count = matchCount(site, index);
    this.known.set(site, { index, count });
    return count;
  };

  /** Counts all of them, so that `of` answers at once. */
  async prepare(sites: readonly SelectorSite[], stored: StoredLabels): Promise<void> {
    let since = performance.now();
    for (const site of sites) {
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
