/** The same numbers as the chart, as a table; of its rows only those in sight are in the document. */
import { h, setAttribute, setHidden, setText } from '../dom';
import { counted, thousands } from '../../server/protocol/format';
import { tripsMade } from '../chartLayout';
import type { Run, RunRequest } from '../run';
import type { PanelState } from '../state';
import { tripColumns, TripsRow } from './tripsRow';
import type { View } from './view';
import { VirtualRows } from './virtualRows';
import { tellWhole } from './wholeText';

function tableHead(): HTMLElement {
  const titles = tripColumns.map(([title, className]) =>
    h('div', { role: 'columnheader', class: `cell ${className}` }, title),
  );
  const row = h('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 }, ...titles);
  return h('div', { role: 'rowgroup', class: 'grid-head' }, row);
}

/** The history keeps only begin and end of a long run's receipt. */
function hintOf(run: Run | null): string {
  const all = run && tripsMade(run);
  if (!run || all === null) {
    return run?.requests.length
      ? ''
      : 'Each etcd round trip of a list is written here as it happens.';
  }
  if (run.requests.length === 0) return 'The history did not keep the round trips of this run.';
  return `The history kept the first and last of this run: ${thousands(run.requests.length)} of ${counted(all, 'round trip')}.`;
}

export class TripsTable implements View {
  readonly element: HTMLElement;
  private readonly body = h('div', { role: 'rowgroup', class: 'grid-body' });
  private readonly table: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly hint = h('p', { class: 'quiet hint' });
  private rows: VirtualRows<RunRequest> | undefined;
  private requests: readonly RunRequest[] = [];

  constructor() {
    const attributes = { role: 'table', class: 'trips', 'aria-label': 'Round trips to etcd' };
    this.table = h('div', attributes, tableHead(), this.body);
    this.scroller = h(
      'div',
      { class: 'trips-scroller', tabindex: 0, role: 'region', 'aria-label': 'Round trips' },
      this.table,
    );
    tellWhole(this.body);
    this.element = h('div', { class: 'trips-box' }, this.hint, this.scroller);
  }

  update({ run, tab }: PanelState): void {
    const requests = run?.requests ?? [];
    const hint = hintOf(run);
    setText(this.hint, hint);
    setHidden(this.hint, hint === '');
    setHidden(this.scroller, requests.length === 0);
    if (tab !== 'roundTrips' || requests.length === 0) return;
    this.rows ??= this.createRows();
    if (requests === this.requests) return;
    const isOther = requests[0] !== this.requests[0];
    this.requests = requests;
    setAttribute(this.table, 'aria-rowcount', requests.length + 1);
    if (isOther) this.rows.toStart();
    this.rows.refresh();
  }

  private createRows(): VirtualRows<RunRequest> {
    const requests = (): readonly RunRequest[] => this.requests;
    const source = {
      get length(): number {
        return requests().length;
      },
      at: (position: number) => requests()[position],
    };
    const { scroller, body } = this;
    return new VirtualRows({ scroller, body, source, createRow: () => new TripsRow() });
  }
}

export const tripsTableView = (): View => new TripsTable();
