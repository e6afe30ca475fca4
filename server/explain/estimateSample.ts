/** From a sample that was read to what an estimate is reckoned from. */
import { exactly } from './estimateCost';
import type { SampleCost, StoredKeys } from './estimateModel';
import { meanOf, shareOf, wilson } from './estimateShare';

export interface Sampled {
  readonly keys: number;
  readonly places: readonly {
    readonly objects: number;
    readonly matched: number;
    readonly bytes: number;
  }[];
  /** Keys, counted from 1, of the selected objects; only where all were read. */
  readonly at?: readonly number[];
  readonly unreadable: number;
  readonly cost: SampleCost;
}

export function measuredKeys({ keys, places, at, unreadable, cost }: Sampled): StoredKeys {
  const objects = places.reduce((sum, place) => sum + place.objects, 0);
  const mean = meanOf(places);
  const source = { kind: 'measured', objects, places: places.length, unreadable, cost } as const;
  if (at !== undefined) {
    const size = keys === 0 ? {} : { bytesPerKey: exactly(mean.likely) };
    return { keys, ...size, matches: { kind: 'known', at }, source };
  }
  const matches = { kind: 'share', ...shareOf(places) } as const;
  return { keys, bytesPerKey: mean, matches, source };
}

export interface Indexed {
  readonly keys: number;
  /** Objects that were read of them. */
  readonly objects: number;
  readonly places: number;
  readonly matched: number;
}

/** Neighbours that tell no more than one object: an index does not say how far its places differ. */
const ALIKE_IN_INDEX = 3;

/** From labels that were read before: how many match, and neither where they stand nor how large they are. */
export function indexedKeys({ keys, objects, places, matched }: Indexed): StoredKeys {
  const alike = ALIKE_IN_INDEX;
  const share = matched / Math.max(1, objects);
  const source = { kind: 'index', objects, places } as const;
  if (objects >= keys) {
    const matches = {
      kind: 'share',
      share: exactly(share),
      clustered: false,
      counted: true,
    } as const;
    return { keys, matches, source };
  }
  const worth = Math.max(1, objects / alike);
  const range = { ...wilson(share * worth, worth), likely: share };
  const clustered = matched === 0 ? 'perhaps' : false;
  return { keys, matches: { kind: 'share', share: range, clustered, alike }, source };
}
