/** What a list cost, in the texts of the totals. */
import { amplification, bytes, counted, duration, thousands } from '../server/protocol/format';
import { isRunning, progressOf, type Progress, type Run } from './run';

export interface TotalsText {
  readonly fetched: string;
  readonly evaluated: string;
  readonly returned: string;
  readonly amplification: string;
  readonly cost: string;
  readonly naive: string;
}

const phases: Readonly<Record<Run['phase'], string>> = {
  running: 'running',
  stopping: 'stopping',
  stopped: 'stopped',
  failed: '',
  done: '',
};

const served = {
  etcd: '',
  watchcache: 'served from the watch cache',
  mixed: 'served partly from the watch cache',
} as const;

export const countingText = 'counting…';

const phaseText = ({ phase }: Run, counting: boolean): string =>
  counting ? countingText : phases[phase];

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(' · ');

/** While a list runs its requests are the source; its totals once they are known. */
function countsOf(run: Run): Omit<Progress, 'bytes'> & { readonly evaluated: string } {
  const live = progressOf(run);
  const { total } = run;
  if (isRunning(run) || !total) return { ...live, evaluated: isRunning(run) ? '…' : '–' };
  const { requests, fetched, returned, durationMs } = total;
  return { requests, fetched, returned, durationMs, evaluated: thousands(total.evaluated) };
}

function costText(run: Run, counting: boolean): string {
  const { total } = run;
  const counts = countsOf(run);
  const revision = total?.resourceVersion ?? null;
  return joined([
    served[total?.servedBy ?? 'etcd'],
    counted(counts.requests, 'round trip'),
    bytes(progressOf(run).bytes),
    duration(counts.durationMs),
    revision === null ? '' : `revision ${thousands(revision)}`,
    total?.streamed ? 'streamed' : '',
    // Last, so that nothing moves when it goes.
    phaseText(run, counting),
  ]);
}

/** @param counting Whether what another read would bring is being counted. */
export function totalsText(run: Run, counting = false): TotalsText {
  const { total } = run;
  const counts = countsOf(run);
  // What a watch cache goes over was not read from etcd.
  const isCached = total?.servedBy === 'watchcache';
  const naive = isRunning(run) || isCached ? null : (total?.naiveRequests ?? null);
  return {
    fetched: thousands(counts.fetched),
    evaluated: counts.evaluated,
    returned: thousands(counts.returned),
    amplification: isCached ? '–' : (amplification(counts.fetched, counts.returned) ?? '–'),
    cost: costText(run, counting),
    naive: naive === null ? '' : `naive paging: ${counted(naive, 'round trip')}`,
  };
}
