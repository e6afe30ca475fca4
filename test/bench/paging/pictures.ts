/** Pictures of requests, over-fetched keys and time by match rate, a panel for each layout. */
import type { WayName } from '../../../server/compare/model';
import { draw, logAxis, type Axis, type Look, type Panel } from '../svg';
import { layouts, type Layout } from './layouts';
import type { Point, WayPoint } from './measure';
import { percent } from './report';

const looks: Readonly<Record<WayName, Look>> = {
  naive: { colour: '#c4314b', dash: '2 3', name: 'naive' },
  pages: { colour: '#1f6feb', dash: '', name: 'doubling' },
  adaptive: { colour: '#8250df', dash: '9 3 2 3', name: 'adaptive' },
  stream: { colour: '#2da44e', dash: '7 3', name: 'stream' },
};

const titles: Readonly<Record<Layout, string>> = {
  even: 'matches even',
  chance: 'matches by chance',
  runs: 'matches in runs of 200',
};

interface Measure {
  readonly file: string;
  readonly title: string;
  /** In front of a panel's layout. */
  readonly short: string;
  readonly ways: readonly WayName[];
  readonly of: (way: WayPoint) => number;
  readonly text: (value: number) => string;
}

const plain = (value: number): string => value.toLocaleString('en-US');

const measures: readonly Measure[] = [
  {
    file: 'requests',
    title: 'etcd requests',
    short: 'requests',
    ways: ['naive', 'pages', 'adaptive', 'stream'],
    of: ({ requests }) => requests,
    text: plain,
  },
  {
    file: 'over-fetched',
    title: 'Keys fetched and not looked at (none is drawn as one)',
    short: 'over-fetched keys',
    ways: ['naive', 'pages', 'adaptive'],
    of: ({ overFetched }) => Math.max(1, overFetched),
    text: plain,
  },
  {
    file: 'time',
    title: 'Time',
    short: 'time',
    ways: ['naive', 'pages', 'adaptive', 'stream'],
    of: ({ ms }) => ms,
    text: (ms) => (ms >= 1000 ? `${plain(ms / 1000)} s` : `${plain(ms)} ms`),
  },
];

/** All layouts are the same where everything matches. */
const ofLayout = (points: readonly Point[], layout: Layout): Point[] =>
  points.filter((one) => one.layout === layout || one.share === 1);

function panelsOf(points: readonly Point[], { short, ways, of, text }: Measure): Panel[] {
  const rate = logAxis('match rate', [0.00011, 1], percent);
  const x: Axis = { ...rate, from: -4, to: 0, ticks: rate.ticks.filter(([power]) => power <= 0) };
  const y = logAxis(
    '',
    points.flatMap((point) => ways.map((way) => of(point.ways[way]))),
    text,
  );
  return layouts.map((layout) => ({
    title: `${short}, ${titles[layout]}`,
    x,
    y,
    series: ways.map((way) => ({
      ...looks[way],
      points: ofLayout(points, layout)
        .map((point): [number, number] => [point.share, of(point.ways[way])])
        .sort(([a], [b]) => a - b),
    })),
  }));
}

/** File names and their SVG, of lists that are followed to the end. */
export function pagingPictures(
  points: readonly Point[],
  pods: number,
): (readonly [string, string])[] {
  const limits = [...new Set(points.map(({ limit }) => limit))];
  return limits.flatMap((limit) => {
    const these = points.filter((one) => one.limit === limit && one.toTheEnd);
    return measures.map((measure): readonly [string, string] => [
      `paging-${measure.file}-${limit}.svg`,
      draw(
        `${measure.title}: ${plain(pods)} keys to the end, limit ${limit}`,
        panelsOf(these, measure),
        measure.ways.map((way) => looks[way]),
      ),
    ]);
  });
}
