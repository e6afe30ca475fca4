/** The last runs of a workspace with their receipts, never with the values read. */
import type { HistoryEntry, RequestEntry } from '../../server/protocol/model';
import type { Memory } from '../common/memory';
import { isEntry } from './historyEntry';

export const maxRuns = 50;
/** Of one run: half from its begin, half from its end. */
export const maxRequests = 200;
/** Of all runs together, in UTF-16 units of JSON. */
export const maxSize = 512 * 1024;

const key = 'etcdList.history';

export class History {
  constructor(private readonly memory: Memory) {}

  /** Newest first. */
  entries(): readonly HistoryEntry[] {
    const kept = this.memory.get(key);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  }

  async add(entry: HistoryEntry): Promise<readonly HistoryEntry[]> {
    const entries = bounded([entry, ...this.entries()]);
    await this.memory.update(key, entries);
    return entries;
  }
}

/** Drops what is over the bounds: first requests of long runs, then the receipts of the oldest runs. */
export function bounded(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let size = 0;
  return entries.slice(0, maxRuns).map((entry) => {
    const kept = { ...entry, requests: headAndTail(entry.requests) };
    const length = JSON.stringify(kept).length;
    const fits = size + length <= maxSize;
    const smaller = fits ? kept : { ...kept, requests: [] };
    size += fits ? length : JSON.stringify(smaller).length;
    return smaller;
  });
}

function headAndTail(requests: readonly RequestEntry[]): readonly RequestEntry[] {
  if (requests.length <= maxRequests) return requests;
  const half = maxRequests / 2;
  return [...requests.slice(0, half), ...requests.slice(-half)];
}
