/** What is known of a list before it is compared: its keys, their size, and how many match, from a bounded sample. */
import { spreadSample, type PlaceRead, type SampledRange } from '../store/spreadSample';
import { isUnfiltered } from '../store/predicate';

export interface Sample {
  /** In the whole range. */
  readonly keys: number;
  /** Mean bytes of a key in a reply. */
  readonly bytesPerKey: number;
  /** Objects looked at. */
  readonly looked: number;
  readonly matched: number;
  readonly filtered: boolean;
  /** Keys, counted from 1, at which matches stand; only where all were looked at. */
  readonly at?: readonly number[];
}

/** Rejects with what the transport rejects with. Reads at most 500 objects, 16 MiB and 24 keys more. */
export async function sampleList<T>(range: SampledRange<T>): Promise<Sample> {
  const { keys, places, at } = await spreadSample(range);
  const sum = (of: (place: PlaceRead) => number): number =>
    places.reduce((so, place) => so + of(place), 0);
  const looked = sum(({ objects }) => objects);
  return {
    keys,
    bytesPerKey: sum(({ bytes }) => bytes) / Math.max(1, looked),
    looked,
    matched: sum(({ matched }) => matched),
    filtered: !isUnfiltered(range.predicate),
    ...(at === undefined ? {} : { at }),
  };
}
