/** Pictures of growth: requests and time of each way, as SVG. */
import type { GrowthPoint, Way } from './growth';
import { draw, logAxis, type Axis, type Look, type Panel, type Series } from './svg';

const looks: Readonly<Record<Way, Look>> = {
  naive: { colour: '#c4314b', dash: '2 3', name: 'naive paging' },
  doubling: { colour: '#1f6feb', dash: '', name: 'doubling' },
  stream: { colour: '#2da44e', dash: '7 3', name: 'stream' },
};

type Across = (point: GrowthPoint) => number;

function panelsOf(points: readonly GrowthPoint[], across: Across, x: Axis): Panel[] {
  const series = (down: (point: GrowthPoint) => number): Series[] =>
    (['naive', 'doubling', 'stream'] as const).map((way) => ({
      ...looks[way],
      points: points
        .filter((point) => point.way === way)
        .map((point): [number, number] => [across(point), down(point)])
        .sort(([a], [b]) => a - b),
    }));
  const plain = (value: number): string => value.toLocaleString('en-US');
  const requests = logAxis(
    '',
    points.map((point) => point.requests),
    plain,
  );
  const time = logAxis(
    '',
    points.map(({ ms }) => ms),
    (ms) => (ms >= 1000 ? `${plain(ms / 1000)} s` : `${plain(ms)} ms`),
  );
  return [
    { title: 'etcd requests', x, y: requests, series: series((point) => point.requests) },
    { title: 'time', x, y: time, series: series(({ ms }) => ms) },
  ];
}

/** File names and their SVG: by number of keys at 1 %, and by match rate at most keys of up to 100,000. */
export function growthPictures(points: readonly GrowthPoint[]): (readonly [string, string])[] {
  const byKeys = points.filter(({ share }) => share === 0.01);
  const keys = logAxis(
    'keys',
    byKeys.map(({ pods }) => pods),
    (value) => value.toLocaleString('en-US'),
  );
  const most = Math.max(...points.map(({ pods }) => pods).filter((pods) => pods <= 100_000));
  const byShare = points.filter(({ pods }) => pods === most);
  const percent = (value: number): string => `${Number((value * 100).toPrecision(3))} %`;
  const rate = logAxis('match rate', [0.00011, 1], percent);
  const fixed = { ...rate, to: 0, from: -4, ticks: rate.ticks.filter(([power]) => power <= 0) };
  return [
    [
      'growth-keys.svg',
      draw(
        'Requests and time by number of keys, 1 % matching, limit 500',
        panelsOf(byKeys, ({ pods }) => pods, keys),
        Object.values(looks),
      ),
    ],
    [
      'growth-match-rate.svg',
      draw(
        `Requests and time by match rate, ${most.toLocaleString('en-US')} keys, limit 500`,
        panelsOf(byShare, ({ share }) => share, fixed),
        Object.values(looks),
      ),
    ],
  ];
}
