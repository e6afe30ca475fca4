/** From a sample that was read to what an estimate is reckoned from. */
import { exactly } from './estimateCost';
import type { SampleCost, StoredKeys } from './estimateModel';
import { meanOf, shareOf } from './estimateShare';

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
