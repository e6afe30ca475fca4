/** Page sizes over round trips: doubling, naive and streamed, each in the style of the chart, on one scale. */
import type { PageSeries } from '../../server/protocol/explain';
import { counted, thousands } from '../../server/protocol/format';
import { layoutChart, type Trip } from '../chartLayout';
import { h, replaceChildren, setHidden, svg } from '../dom';
import { barsHeight, drawBar, drawScale, labelsHeight, scaleWidth } from './chart';

/** Rows of one series in the table of numbers; the picture has them all. */
const MOST_ROWS = 40;

export class PagesPicture {
  readonly element: HTMLElement;
  private readonly pictures = h('div', { class: 'pages-pictures' });
  private readonly numbers = h('div', { class: 'pages-numbers' });
  private series: readonly PageSeries[] = [];
  private width = 0;

  constructor() {
    this.element = h(
      'figure',
      { class: 'pages-figure' },
      h('figcaption', {}, 'Page sizes over round trips, in keys'),
      this.pictures,
      h('details', {}, h('summary', {}, 'The same as numbers'), this.numbers),
    );
    new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === this.width) return;
      this.width = width;
      this.draw();
    }).observe(this.pictures);
  }

  show(series: readonly PageSeries[]): void {
    setHidden(this.element, series.length === 0);
    if (series === this.series) return;
    this.series = series;
    replaceChildren(this.numbers, ...series.map(numbersOf));
    this.draw();
  }

  private draw(): void {
    const { series, width } = this;
    if (width === 0) return;
    const most = Math.max(1, ...series.flatMap(({ pages }) => pages.map(({ keys }) => keys)));
    replaceChildren(this.pictures, ...series.map((one) => pictureOf(one, width, most)));
  }
}

function unitOf({ name }: PageSeries): string {
  return name === 'stream' ? 'chunk' : 'round trip';
}

/** `doubling: 7 round trips, 12,700 keys`. */
function titleOf(series: PageSeries): string {
  const { name, title, count, keys } = series;
  const trips = counted(count, unitOf(series));
  const inOne = name === 'stream' ? ' in one round trip' : '';
  return `${title}: ${trips}${inOne}, ${counted(keys, 'key')}`;
}

function pictureOf(series: PageSeries, width: number, most: number): HTMLElement {
  const trips = series.pages.map(({ asked, keys, matched }): Trip => ({
    keys,
    matched,
    limit: asked,
    ended: true,
  }));
  const layout = layoutChart(trips, width - scaleWidth, barsHeight, most);
  const { tripsPerBar, top, extent, bars } = layout;
  const summed = tripsPerBar > 1 ? `, ${thousands(tripsPerBar)} to a bar` : '';
  const left = series.count - trips.length;
  const kept = left > 0 ? `, ${thousands(left)} more are not drawn` : '';
  const title = `${titleOf(series)}${summed}${kept}`;
  const picture = svg('svg', {
    class: 'chart',
    role: 'img',
    height: barsHeight + labelsHeight + 1,
    width,
    'aria-label': `Picture of ${title}. The numbers stand below.`,
  });
  replaceChildren(picture, ...drawScale(top, extent), ...bars.map(drawBar));
  return h('div', { class: 'pages-picture' }, h('p', { class: 'quiet' }, title), picture);
}

function numbersOf(series: PageSeries): HTMLElement {
  const { pages, count } = series;
  const shown = pages.slice(0, MOST_ROWS);
  const rest = count - shown.length;
  const unit = unitOf(series);
  const rows = shown.map(({ keys, matched }, i) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, thousands(i + 1)),
      h('td', {}, thousands(keys)),
      series.name !== 'stream' && h('td', {}, thousands(matched)),
    ),
  );
  return h(
    'table',
    { class: 'cost' },
    h('caption', {}, titleOf(series)),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, unit),
        h('th', { scope: 'col' }, 'keys'),
        series.name !== 'stream' && h('th', { scope: 'col' }, 'matched'),
      ),
    ),
    h('tbody', {}, ...rows),
    rest > 0 && h('tfoot', {}, h('tr', {}, h('td', { colspan: 3 }, `${counted(rest, unit)} more`))),
  );
}
