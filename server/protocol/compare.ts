/** One list read in several ways: what is asked for, what is told before, what came of it. */
import type { Failure } from './errors';
import { counted, roughBytes, thousands } from './format';
import type { ListQuery } from './model';

/** A list to be read in several ways. */
export interface CompareParams {
  readonly query: ListQuery;
  /** All LISTs through the continue tokens, and not one. */
  readonly toTheEnd: boolean;
}

/** What a comparison would read, estimated from a bounded sample. */
export interface WaysForecast {
  /** Stored keys below the list's prefix. */
  readonly keys: string;
  readonly ways: readonly WayForecast[];
}

export interface WayForecast {
  readonly way: string;
  readonly requests: number;
  readonly keys: number;
  readonly bytes: number;
}

/** A comparison as a text, as far as it came. */
export interface WaysCompared {
  /** Empty where nothing was read. */
  readonly text: string;
  readonly failure?: Failure;
}

const named: Readonly<Record<string, string>> = {
  pages: 'in doubling pages',
  stream: 'as a stream',
  naive: 'in pages of the limit',
  adaptive: 'in adaptive pages',
};

const shown = ({ way, requests, keys }: WayForecast): string =>
  `${named[way] ?? way} about ${thousands(keys)} keys by ${counted(requests, 'request')}`;

/** To be agreed to; estimated, as if matches stood evenly. */
export function comparesAll(query: ListQuery, { keys, ways }: WaysForecast): string {
  const where = query.namespace === '' ? '' : ` of namespace ${query.namespace}`;
  const bytes = ways.reduce((sum, way) => sum + way.bytes, 0);
  const each = ways.map(shown).join(', ');
  return `This reads the list ${ways.length} times, of ${thousands(keys)} ${query.resource}${where}: ${each}; altogether about ${roughBytes(bytes)}.`;
}
