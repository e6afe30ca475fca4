/** The same numbers as the chart, as a table. */
import { h, replaceChildren, setHidden } from '../dom';
import { bytes, duration, keyText, thousands } from '../format';
import type { RunRequest } from '../run';
import type { View } from './view';

const columns = ['#', 'Operation', 'Page asked', 'Keys', 'Matched', 'Bytes', 'Time', 'Start key'];
const numeric = [true, false, true, true, true, true, true, false];

/** Rows in the document at most; a longer receipt can be exported whole. */
const mostShown = 1000;

function outcome(request: RunRequest): string {
  if (request.refused) return `${request.operation} (refused, pages instead)`;
  if (request.error) return `${request.operation} (${request.error.message})`;
  return request.chunks === undefined
    ? request.operation
    : `${request.operation} (${thousands(request.chunks)} chunks)`;
}

function cells(request: RunRequest): string[] {
  return [
    thousands(request.n),
    outcome(request),
    request.limit === 0 ? 'all' : thousands(request.limit),
    thousands(request.keys),
    thousands(request.matched),
    bytes(request.bytes),
    request.ended ? duration(request.durationMs) : '…',
    keyText(request.startKey),
  ];
}

function row(request: RunRequest): HTMLTableRowElement {
  const texts = cells(request);
  return h(
    'tr',
    request.error ? { class: 'failed' } : {},
    ...texts.map((text, index) =>
      h(
        'td',
        { class: numeric[index] ? 'number' : 'text', title: index === 7 ? text : undefined },
        text,
      ),
    ),
  );
}

export function tripsTableView(): View {
  const body = h('tbody', {});
  const rest = h('p', { class: 'quiet', hidden: true });
  const empty = h(
    'p',
    { class: 'quiet hint' },
    'Each etcd round trip of a list is written here as it happens.',
  );
  const head = columns.map((name, index) =>
    h('th', { scope: 'col', class: numeric[index] ? 'number' : 'text' }, name),
  );
  const table = h(
    'table',
    { class: 'trips' },
    h('caption', { class: 'heard' }, 'Round trips to etcd'),
    h('thead', {}, h('tr', {}, ...head)),
    body,
  );
  const scroller = h(
    'div',
    { class: 'trips-scroller', tabindex: 0, role: 'region', 'aria-label': 'Round trips' },
    table,
    rest,
  );
  let drawn: readonly RunRequest[] = [];
  return {
    element: h('div', { class: 'trips-box' }, empty, scroller),
    update({ run, tab }) {
      const requests = run?.requests ?? [];
      setHidden(empty, requests.length > 0);
      setHidden(scroller, requests.length === 0);
      if (requests === drawn || tab !== 'roundTrips') return;
      const shown = requests.slice(0, mostShown);
      shown.forEach((request, index) => {
        if (request === drawn[index] && body.rows[index]) return;
        const made = row(request);
        if (body.rows[index]) body.rows[index].replaceWith(made);
        else body.append(made);
      });
      while (body.rows.length > shown.length) body.deleteRow(-1);
      setHidden(rest, requests.length <= mostShown);
      replaceChildren(
        rest,
        `The first ${thousands(mostShown)} of ${thousands(requests.length)}; Export has them all.`,
      );
      drawn = requests;
    },
  };
}
