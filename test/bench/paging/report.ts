/** What a run found, as tables. */
import { number, type Table } from '../table';
import type { WayName } from '../../../server/compare/model';
import type { Layout } from './layouts';
import type { Point, WayPoint } from './measure';

export interface Report {
  readonly command: string;
  readonly machine: string;
  readonly when: string;
  readonly etcd: string;
  readonly pods: number;
  readonly rounds: number;
  /** Before and after. */
  readonly load: readonly [number, number];
  readonly points: readonly Point[];
}

export interface Section {
  readonly title: string;
  readonly table: Table;
}

const named: Readonly<Record<Layout, string>> = {
  even: 'even',
  chance: 'by chance',
  runs: 'in runs',
};

const ms = (value: number): string => number(value, value < 10 ? 1 : 0);
export const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

const paged = ['pages', 'adaptive', 'naive'] as const satisfies readonly WayName[];
const timed = ['pages', 'adaptive', 'naive', 'stream'] as const satisfies readonly WayName[];

function tableOf(points: readonly Point[]): Table {
  const cells = (
    point: Point,
    ways: readonly WayName[],
    cell: (way: WayPoint) => string,
  ): string[] => ways.map((way) => cell(point.ways[way]));
  return {
    head: [
      'matches',
      'share',
      ...paged.map((way) => `${way}: requests`),
      ...paged.map((way) => `${way}: over-fetched`),
      ...timed.map((way) => `${way}: ms`),
    ],
    rows: points.map((point) => [
      named[point.layout],
      percent(point.share),
      ...cells(point, paged, ({ requests }) => number(requests)),
      ...cells(point, paged, ({ overFetched }) => number(overFetched)),
      ...cells(point, timed, (way) => ms(way.ms)),
    ]),
    textColumns: 2,
  };
}

/** One of each limit, of single lists and of lists to the end. */
export function sectionsOf({ points }: Report): Section[] {
  const limits = [...new Set(points.map(({ limit }) => limit))];
  return [false, true].flatMap((toTheEnd) =>
    limits.map((limit) => ({
      title: `${toTheEnd ? 'All lists to the end' : 'One list'}, limit ${limit}`,
      table: tableOf(points.filter((one) => one.limit === limit && one.toTheEnd === toTheEnd)),
    })),
  );
}

/** How far the adaptive pager is from doubling, over all points to the end of a layout. */
function shareOf(points: readonly Point[], of: (way: WayPoint) => number): string {
  const sum = (way: WayName): number => points.reduce((so, { ways }) => so + of(ways[way]), 0);
  return percent(sum('adaptive') / sum('pages'));
}

export function introductionOf({ etcd, pods, rounds, load, points }: Report): string[] {
  const [before, after] = load.map((one) => number(one, 1));
  const summary = (['even', 'chance', 'runs'] as const).map((layout) => {
    const these = points.filter((one) => one.toTheEnd && one.layout === layout && one.share < 1);
    const [requests, over, time] = [
      shareOf(these, (way) => way.requests),
      shareOf(these, (way) => way.overFetched),
      shareOf(these, (way) => way.ms),
    ];
    return `${named[layout]} ${requests} of the requests, ${over} of the over-fetched keys and ${time} of the time`;
  });
  return [
    `${etcd}, ${number(pods)} Pods; ${rounds === 1 ? 'one run of each way' : `medians of ${rounds} runs`}; load of the machine ${before ?? ''} before and ${after ?? ''} after. All ways gave the same objects in every run.`,
    `To the end, over all shares below 100 %, the adaptive pager took of doubling's, where matches are ${summary.join('; ')}.`,
  ];
}
