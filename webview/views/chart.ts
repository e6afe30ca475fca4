/** A bar per round trip: outline for the keys fetched, fill for those matched. */
import { h, replaceChildren, setAttribute, setHidden, setText, svg } from '../dom';
import { layoutChart, type Bar, type ChartLayout } from '../chartLayout';
import { counted, thousands } from '../format';
import type { Run } from '../run';
import type { View } from './view';

const barsHeight = 64;
const labelsHeight = 14;
/** Room for the scale on the left. */
const scaleWidth = 52;

function drawBar(bar: Bar): SVGElement {
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
    rectangle('matched', bar.matchedHeight, 0),
    bar.width > 3
      ? rectangle(bar.pending ? 'fetched pending' : 'fetched', Math.max(bar.keysHeight, 1), 0.5)
      : rectangle('fetched thin', bar.keysHeight, 0),
    bar.label !== '' &&
      svg(
        'text',
        { class: 'bar-label', x: scaleWidth + bar.x, y: base - bar.keysHeight - 4 },
        bar.label,
      ),
  );
}

export function chartSummary(run: Run, layout: ChartLayout): string {
  const keys = run.requests.reduce((sum, request) => sum + request.keys, 0);
  const matched = run.requests.reduce((sum, request) => sum + request.matched, 0);
  return (
    `Chart of ${counted(run.requests.length, 'round trip')}: ${counted(keys, 'key')} read, ` +
    `${thousands(matched)} matched, at most ${thousands(layout.top)} to a bar. ` +
    'The table of round trips has the same numbers.'
  );
}

export function chartView(): View {
  const picture = svg('svg', {
    class: 'chart',
    role: 'img',
    height: barsHeight + labelsHeight + 1,
  });
  const legend = h(
    'p',
    { class: 'legend quiet' },
    h('span', { class: 'swatch fetched', 'aria-hidden': 'true' }),
    'keys fetched ',
    h('span', { class: 'swatch matched', 'aria-hidden': 'true' }),
    'matched',
  );
  const grouped = h('span', {});
  legend.append(grouped);
  const element = h(
    'section',
    { class: 'chart-box', 'aria-label': 'Round trips over time' },
    picture,
    legend,
  );
  let run: Run | null = null;
  let width = 0;
  let drawn: Run['requests'] | null = null;

  const draw = (): void => {
    if (!run || width === 0) return;
    drawn = run.requests;
    const layout = layoutChart(run.requests, width - scaleWidth, barsHeight);
    const base = labelsHeight + barsHeight + 0.5;
    setAttribute(picture, 'aria-label', chartSummary(run, layout));
    setText(
      grouped,
      layout.tripsPerBar > 1
        ? ` · a bar sums ${layout.tripsPerBar} round trips`
        : ' · page size above',
    );
    replaceChildren(
      picture,
      svg('line', { class: 'base', x1: scaleWidth, x2: width, y1: base, y2: base }),
      svg('line', {
        class: 'top',
        x1: scaleWidth,
        x2: width,
        y1: labelsHeight + 0.5,
        y2: labelsHeight + 0.5,
      }),
      svg(
        'text',
        { class: 'scale', x: scaleWidth - 6, y: labelsHeight + 4 },
        thousands(layout.top),
      ),
      svg('text', { class: 'scale', x: scaleWidth - 6, y: base }, '0'),
      ...layout.bars.map(drawBar),
    );
  };
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry?.contentRect.width ?? 0);
    if (now === width) return;
    width = now;
    setAttribute(picture, 'width', width);
    draw();
  }).observe(element);
  return {
    element,
    update(state) {
      ({ run } = state);
      setHidden(element, run === null || run.requests.length === 0);
      if (run?.requests !== drawn) draw();
    },
  };
}
