/** What a run found, as tables. */
import { figuresBySide, type Figures } from './figures';
import type { GrowthPoint } from './growth';
import type { CaseResult } from './measure';
import type { RateResult } from './rateCases';
import { median } from './statistics';
import { number, type Table } from './table';
import { verdictsOf, type Verdict } from './verdicts';

export interface Report {
  readonly command: string;
  readonly machine: string;
  readonly when: string;
  readonly rounds: number;
  /** Load of the machine over one minute, before and after. */
  readonly load: readonly [number, number];
  /** What was measured, each with its version. */
  readonly versions: readonly string[];
  /** What is missing, and what is not to be trusted. */
  readonly notes: readonly string[];
  readonly cases: readonly CaseResult[];
  readonly rates: readonly RateResult[];
  readonly growth: readonly GrowthPoint[];
}

const mega = (bytes: number): string => number(bytes / 1e6);
const ratio = (value: number, of: number | undefined): string =>
  of === undefined || of === 0 ? '–' : number(value / of, 2);

export function caseTable(cases: readonly CaseResult[]): Table {
  const rows = cases.flatMap((result) => {
    const sides = figuresBySide(result);
    const floor = sides.get('floor');
    return [...sides].map(([side, figures]) => [
      `${number(result.corpus.pods)} × ${result.corpus.size === 'small' ? '2' : '20'} KB`,
      result.name,
      side,
      ...figureCells(figures, floor, sides.get('upstream')),
    ]);
  });
  const head = [
    ...['corpus', 'case', 'side', 'ms', '÷ floor', '÷ upstream', 'spread %', 'first ms'],
    ...['CPU ms', 'etcd CPU ms', 'memory MB', 'requests', 'objects'],
  ];
  return { head, rows, textColumns: 3 };
}

function figureCells(
  figures: Figures,
  floor: Figures | undefined,
  upstream: Figures | undefined,
): string[] {
  return [
    number(figures.ms),
    ratio(figures.ms, floor?.ms),
    ratio(figures.ms, upstream?.ms),
    number(figures.spread * 100),
    number(figures.firstMs),
    number(figures.cpu),
    number(figures.etcdCpu),
    mega(figures.memory),
    figures.requests === 0 ? '–' : number(figures.requests),
    figures.items === 0 ? '–' : number(figures.items),
  ];
}

export function legend(cases: readonly CaseResult[]): string[] {
  const titles = new Map(cases.map(({ name, title }) => [name, title]));
  return [...titles].map(([name, title]) => `${name}: ${title}`);
}

export function loopTable(cases: readonly CaseResult[]): Table {
  const rows = cases.map(({ corpus, name, loop }) => [
    `${number(corpus.pods)} × ${corpus.size === 'small' ? '2' : '20'} KB`,
    name,
    number(median(loop.engine), 1),
    number(Math.max(...loop.engine), 1),
    number(median(loop.floor), 1),
    number(Math.max(...loop.floor), 1),
    number(loop.largestReply / 1e6, 1),
    number(median(loop.joins), 1),
  ]);
  const head = [
    ...['corpus', 'case', 'engine, median', 'engine, worst', 'floor, median', 'floor, worst'],
    ...['largest reply MB', 'joining it ms, median'],
  ];
  return { head, rows, textColumns: 2 };
}

export function verdictTable(cases: readonly CaseResult[]): Table {
  const rows = cases
    .flatMap(verdictsOf)
    .map((verdict) => [
      verdict.name,
      verdict.target,
      judgementOf(verdict),
      verdict.found === undefined ? '–' : quantity(verdict, verdict.found.median),
      quantity(verdict, verdict.limit),
    ]);
  return { head: ['case', 'target', 'verdict', 'found', 'at most'], rows, textColumns: 3 };
}

function judgementOf(verdict: Verdict): string {
  const { judgement, reason, found, isDoubtful } = verdict;
  if (found === undefined) return `${judgement}: ${reason}`;
  if (!isDoubtful) return judgement;
  return `${judgement}, perhaps by noise: ${quantity(verdict, found.low)} to ${quantity(verdict, found.high)}`;
}

function quantity({ unit }: Verdict, value: number): string {
  if (unit === '') return number(value, 2);
  return `${number(value, unit === 'ms' ? 1 : 0)} ${unit}`;
}

/** In words, how much of the table above noise leaves standing. */
export function verdictNote(cases: readonly CaseResult[]): string {
  const verdicts = cases.flatMap(verdictsOf);
  const unjudged = verdicts.filter(({ judgement }) => judgement === 'not judged').length;
  const missed = verdicts.filter(({ judgement }) => judgement === 'missed').length;
  const met = verdicts.length - missed - unjudged;
  const doubtful = verdicts.filter(({ isDoubtful }) => isDoubtful).length;
  return `Of ${verdicts.length} targets ${met} were met, ${missed} missed, and ${unjudged} could not be judged; of ${doubtful} the verdict may be noise: what was found lies on both sides of the limit.`;
}

export function rateTable(rates: readonly RateResult[]): Table {
  const rows = rates.map(({ title, ours, theirs, note }) => [
    title,
    note,
    number(ours),
    theirs === undefined ? '–' : number(theirs),
    ratio(ours, theirs),
  ]);
  const head = ['per second', 'upstream does', 'engine', 'upstream', '÷ upstream'];
  return { head, rows, textColumns: 2 };
}

export function growthTable(points: readonly GrowthPoint[]): Table {
  const rows = points.map(({ pods, share, way, ms, requests, cpu, etcdCpu, memory, floorMs }) => [
    number(pods),
    `${share * 100} %`,
    way,
    number(requests),
    number(ms, ms < 100 ? 1 : 0),
    floorMs === undefined ? '–' : ratio(ms, floorMs),
    number(cpu),
    number(etcdCpu),
    mega(memory),
  ]);
  const head = [
    ...['keys', 'match rate', 'way', 'requests', 'ms', '÷ floor', 'CPU ms', 'etcd CPU ms'],
    'memory MB',
  ];
  return { head, rows, textColumns: 3 };
}

export const versionsOf = ({ versions }: Report): string => `Measured: ${versions.join(', ')}.`;

/** In words, how far the figures can be trusted: the machine's load, and how far the runs of every side lie apart. */
export function noiseOf({ cases, load }: Report): string {
  const spreads = cases.flatMap((result) =>
    [...figuresBySide(result)].map(([, { spread }]) => spread),
  );
  const words = `load of the machine ${number(load[0], 1)} before and ${number(load[1], 1)} after`;
  if (spreads.length === 0) return words;
  const [usual, worst] = [median(spreads), Math.max(...spreads)];
  return `${words}; slowest less fastest run of a side: median ${number(usual * 100)} % of its median, worst ${number(worst * 100)} %`;
}
