/** A bar per round trip: outline for the keys fetched, fill for those matched. */
import { h, replaceChildren, setAttribute, setHidden, setText, svg } from '../dom';
import { layoutChart, tripsMade, type Bar, type ChartLayout } from '../chartLayout';
import { counted, thousands } from '../../server/protocol/format';
import { isRunning, type Run } from '../run';
import type { PanelState } from '../state';
import type { View } from './view';

export const barsHeight = 64;
export const labelsHeight = 14;
/** Room for the scale on the left. */
export const scaleWidth = 52;

export function drawBar(bar: Bar): SVGElement {
  const base = labelsHeight + barsHeight;
  const rectangle = (name: string, height: number, inset: number): SVGElement =>
    svg('rect', {
      class: name,
      x: scaleWidth + bar.x + inset,
      y: base - height + inset,
      width: Math.max(1, bar.width - 2 * inset),
      height: Math.max(0, height - 2 * inset),
    });
  return svg(
    'g',
    {},
    bar.width > 3
      ? rectangle(
          bar.pending ? 'fetched pending' : 'fetched',
          Math.max(bar.keysHeight, bar.pending ? 5 : 1),
          0.5,
        )
      : rectangle('fetched thin', bar.keysHeight, 0),
    rectangle('matched', bar.matchedHeight, 0),
    bar.label !== '' &&
      svg(
        'text',
        { class: 'bar-label', x: scaleWidth + bar.x, y: base - Math.max(bar.keysHeight, 5) - 4 },
        bar.label,
      ),
  );
}

/** What the picture shows, in words; the table of round trips holds the same requests. */
export function chartSummary(run: Run, { top, tripsPerBar }: ChartLayout): string {
  const keys = run.requests.reduce((sum, request) => sum + request.keys, 0);
  const matched = run.requests.reduce((sum, request) => sum + request.matched, 0);
  const made = tripsMade(run);
  const kept = made === null ? '' : `${thousands(run.requests.length)} of `;
  const trips = `${kept}${counted(made ?? run.requests.length, 'round trip')}`;
  const bar =
    tripsPerBar > 1 ? `to a bar, which sums ${thousands(tripsPerBar)} round trips` : 'to a bar';
  const numbers = tripsPerBar > 1 ? 'the numbers of each' : 'the same numbers';
  return (
    `Chart of ${trips}: ${counted(keys, 'key')} read, ${thousands(matched)} matched, ` +
    `at most ${thousands(top)} ${bar}. The table of round trips has ${numbers}.`
  );
}

export function drawScale(top: number, extent: number): SVGElement[] {
  const base = labelsHeight + barsHeight + 0.5;
  const line = (name: string, y: number): SVGElement =>
    svg('line', { class: name, x1: scaleWidth, x2: scaleWidth + extent, y1: y, y2: y });
  const text = (value: string, y: number): SVGElement =>
    svg('text', { class: 'scale', x: scaleWidth - 6, y }, value);
  const half = labelsHeight + barsHeight / 2;
  const middle = top > 1 ? [line('half', half + 0.5), text(thousands(top / 2), half + 4)] : [];
  return [...middle, line('base', base), text(thousands(top), labelsHeight + 4), text('0', base)];
}

/** A list that has just begun has its place already: what is below does not move. */
function hasNothing(run: Run): boolean {
  // What a watch cache asks etcd for has no keys.
  if (run.query.serveFrom === 'watchCache') return run.requests.every(({ keys }) => keys === 0);
  if (isRunning(run)) return false;
  return run.failure ? run.requests.every(({ keys }) => keys === 0) : run.requests.length === 0;
}

export class Chart implements View {
  readonly element: HTMLElement;
  private readonly picture = svg('svg', {
    class: 'chart',
    role: 'img',
    height: barsHeight + labelsHeight + 1,
  });
  private readonly sizes = h('span', {});
  private run: Run | null = null;
  private drawn: Run['requests'] | null = null;
  private width = 0;

  constructor() {
    const swatch = (name: string): HTMLElement =>
      h('span', { class: `swatch ${name}`, 'aria-hidden': 'true' });
    this.element = h(
      'section',
      { class: 'chart-box', 'aria-label': 'Round trips over time' },
      this.picture,
      h(
        'p',
        { class: 'legend quiet' },
        swatch('fetched'),
        'keys fetched',
        swatch('matched'),
        'matched',
        this.sizes,
      ),
    );
    new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === this.width) return;
      this.width = width;
      setAttribute(this.picture, 'width', width);
      this.draw();
    }).observe(this.element);
  }

  update({ run }: PanelState): void {
    this.run = run;
    setHidden(this.element, run === null || hasNothing(run));
    if (run?.requests !== this.drawn) this.draw();
  }

  private draw(): void {
    const { run, width } = this;
    if (!run || width === 0) return;
    this.drawn = run.requests;
    const layout = layoutChart(run.requests, width - scaleWidth, barsHeight);
    const { tripsPerBar } = layout;
    const sizes =
      tripsPerBar > 1 ? `· a bar sums ${tripsPerBar} round trips` : '· labels are page sizes';
    setText(this.sizes, sizes);
    setAttribute(this.picture, 'aria-label', chartSummary(run, layout));
    replaceChildren(
      this.picture,
      ...drawScale(layout.top, layout.extent),
      ...layout.bars.map(drawBar),
    );
  }
}
