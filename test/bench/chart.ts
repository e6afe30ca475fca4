/** Pictures of growth: requests and time of each way, as SVG. */
import type { GrowthPoint, Way } from './growth';

interface Series {
  readonly name: string;
  readonly colour: string;
  readonly dash: string;
  readonly points: readonly (readonly [number, number])[];
}

interface Axis {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly (readonly [number, string])[];
}

interface Panel {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

const size = { width: 380, height: 260, left: 60, right: 30, top: 34, bottom: 44 };

const looks: Readonly<Record<Way, { colour: string; dash: string; name: string }>> = {
  naive: { colour: '#c4314b', dash: '2 3', name: 'naive paging' },
  doubling: { colour: '#1f6feb', dash: '', name: 'doubling' },
  stream: { colour: '#2da44e', dash: '7 3', name: 'stream' },
};

const powers = (values: readonly number[]): [number, number] => [
  Math.floor(Math.log10(Math.min(...values))),
  Math.ceil(Math.log10(Math.max(...values)) + 0.001),
];

/** Whole powers of ten around the values, on a logarithmic scale. */
function logAxis(label: string, values: readonly number[], text: (value: number) => string): Axis {
  const [from, to] = powers(values.map((value) => Math.max(value, 1e-6)));
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => {
    const value = 10 ** (from + i);
    return [from + i, text(value)] as const;
  });
  return { label, from, to, ticks };
}

function drawPanel({ title, x, y, series }: Panel, shift: number): string {
  const { width, height, left, right, top, bottom } = size;
  const across = (value: number): number =>
    shift + left + ((Math.log10(value) - x.from) / (x.to - x.from)) * (width - left - right);
  const down = (value: number): number =>
    top + (1 - (Math.log10(value) - y.from) / (y.to - y.from)) * (height - top - bottom);
  const text = (at: readonly [number, number], anchor: string, words: string): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
  const [x0, x1] = [shift + left, shift + width - right];
  const grid = y.ticks.map(([power, words]) => {
    const at = down(10 ** power);
    return `<path class="grid" d="M${x0} ${at.toFixed(1)}H${x1}"/>${text([x0 - 6, at + 4], 'end', words)}`;
  });
  const marks = x.ticks.map(([power, words]) =>
    text([across(10 ** power), height - bottom + 18], 'middle', words),
  );
  const lines = series.map(({ colour, dash, points }) => {
    const path = points.map(([a, b]) => `${across(a).toFixed(1)} ${down(b).toFixed(1)}`).join('L');
    const dots = points.map(
      ([a, b]) =>
        `<circle cx="${across(a).toFixed(1)}" cy="${down(b).toFixed(1)}" r="2.5" fill="${colour}"/>`,
    );
    return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>${dots.join('')}`;
  });
  const words = [
    `<text class="title" x="${x0}" y="20">${title}</text>`,
    text([(x0 + x1) / 2, height - 8], 'middle', x.label),
  ];
  return [...grid, ...marks, ...lines, ...words].join('\n');
}

function drawLegend(): string {
  return Object.values(looks)
    .map(({ name, colour, dash }, i) => {
      const at = 60 + i * 150;
      const y = size.height + 14;
      return `<path d="M${at} ${y - 4}h28" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/><text x="${at + 34}" y="${y}">${name}</text>`;
    })
    .join('\n');
}

function draw(title: string, panels: readonly Panel[]): string {
  const [width, height] = [size.width * panels.length, size.height + 28];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<style>text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.grid{stroke:#d0d7de}</style>
<rect width="100%" height="100%" fill="#fff"/>
${panels.map((panel, i) => drawPanel(panel, i * size.width)).join('\n')}
${drawLegend()}
</svg>
`;
}

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
      ),
    ],
    [
      'growth-match-rate.svg',
      draw(
        `Requests and time by match rate, ${most.toLocaleString('en-US')} keys, limit 500`,
        panelsOf(byShare, ({ share }) => share, fixed),
      ),
    ],
  ];
}
