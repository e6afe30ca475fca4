/** How each way reads a list. */
import type { ListHooks, ListOptions } from '../store/interfaces';
import type { WayName } from './model';

type Reading = Pick<ListHooks<unknown>, 'stream' | 'pageSizing' | 'openStream'>;

const readings: Readonly<Record<WayName, Reading>> = {
  pages: { stream: 'off', pageSizing: 'doubling' },
  stream: { stream: 'force', openStream: true },
  naive: { stream: 'off', pageSizing: 'fixed' },
  adaptive: { stream: 'off', pageSizing: 'adaptive' },
};

export const readingOf = (way: WayName): Reading => readings[way];

/**
 * The first LIST of a way. To the end a stream needs no pages, and so no limit; all others follow the
 * tokens of lists of the client's limit. A revision above zero pins the list.
 */
export function firstList(
  way: WayName,
  options: ListOptions,
  toTheEnd: boolean,
  revision: bigint | null,
): ListOptions {
  const whole = way === 'stream' && toTheEnd;
  const predicate = whole ? { ...options.predicate, limit: 0n } : options.predicate;
  if (revision === null) return { ...options, predicate };
  const pinned = { resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
  return { ...options, predicate, ...pinned };
}
