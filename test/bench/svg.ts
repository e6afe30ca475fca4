/** Pictures of lines over logarithmic axes, as SVG. */

export interface Look {
  readonly name: string;
  readonly colour: string;
  readonly dash: string;
}

export interface Series extends Look {
  readonly points: readonly (readonly [number, number])[];
}

export interface Axis {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly (readonly [number, string])[];
}

export interface Panel {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

const size = { width: 380, height: 260, left: 60, right: 30, top: 34, bottom: 44 };

const powers = (values: readonly number[]): [number, number] => [
  Math.floor(Math.log10(Math.min(...values))),
  Math.ceil(Math.log10(Math.max(...values)) + 0.001),
];

/** Whole powers of ten around the values, on a logarithmic scale. */
export function logAxis(
  label: string,
  values: readonly number[],
  text: (value: number) => string,
): Axis {
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

function drawLegend(looks: readonly Look[]): string {
  return looks
    .map(({ name, colour, dash }, i) => {
      const at = 60 + i * 150;
      const y = size.height + 14;
      return `<path d="M${at} ${y - 4}h28" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/><text x="${at + 34}" y="${y}">${name}</text>`;
    })
    .join('\n');
}

/** Panels side by side, above one legend. */
export function draw(title: string, panels: readonly Panel[], looks: readonly Look[]): string {
  const [width, height] = [size.width * panels.length, size.height + 28];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<style>text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.grid{stroke:#d0d7de}</style>
<rect width="100%" height="100%" fill="#fff"/>
${panels.map((panel, i) => drawPanel(panel, i * size.width)).join('\n')}
${drawLegend(looks)}
</svg>
`;
}
