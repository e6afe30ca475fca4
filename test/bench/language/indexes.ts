/** What is stored: how long its index takes to make and to ask, and what it keeps in memory. */
import { median } from '../statistics';
import { writeText } from './files';
import { alternate, medianCount, medianMs, type Runs } from './rounds';
import { LanguageSide, type Surroundings } from './sideProcess';
import type { IndexShape } from './work';

export interface IndexResult {
  readonly shape: IndexShape;
  readonly objects: number;
  readonly buildMs: number;
  /** Bytes that the index keeps. */
  readonly kept: number;
  readonly offers: Runs;
  readonly touched: Runs;
}

/** Answers in each round. */
export const completions = 1200;

export async function measureIndex(
  shape: IndexShape,
  rounds: number,
  around: Surroundings,
): Promise<IndexResult> {
  around.progress(`an index of ${shape}`);
  const side = await LanguageSide.start(`an index of ${shape}`, around);
  await side.ask({ op: 'read', file: writeText(around, 'documents', { lines: 1000 }) });
  // Its time is that of cold code and not counted; what it keeps is, since nothing older can be freed meanwhile.
  const first = await side.ask({ op: 'buildIndex', shape });
  const builds = [];
  for (let i = 0; i < rounds; i++) builds.push(await side.ask({ op: 'buildIndex', shape }));
  const { offers, touched } = await alternate(
    {
      offers: () => side.ask({ op: 'offers', shape, times: completions }),
      touched: () => side.ask({ op: 'parseTouched' }),
    },
    rounds,
  );
  await side.stop();
  return {
    shape,
    objects: first.counts['objects'] ?? Number.NaN,
    buildMs: median(builds.map(({ ms }) => ms)),
    kept: first.counts['bytes'] ?? Number.NaN,
    offers,
    touched,
  };
}

export const offersMs = ({ offers }: IndexResult): number => medianMs(offers);
export const offersTail = ({ offers }: IndexResult): number => medianCount(offers, 'p99');
/** Of the process, whatever else runs; that of collecting garbage meanwhile is in it. */
export const offersTailCpu = ({ offers }: IndexResult): number => medianCount(offers, 'cpu99');
export const offersWorst = ({ offers }: IndexResult): number =>
  Math.max(...offers.samples.map(({ counts }) => counts['slowest'] ?? Number.NaN));
export const touchedMs = ({ touched }: IndexResult): number => medianMs(touched);
