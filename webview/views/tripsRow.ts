/** One row of the table of round trips. */
import { h, setText } from '../dom';
import { bytes, duration, keyText, thousands } from '../../server/protocol/format';
import type { RunRequest } from '../run';
import type { VirtualRow } from './virtualRows';

/** Titles, and the class that says how the column's text stands. */
export const tripColumns: readonly (readonly [title: string, className: string])[] = [
  ['#', 'number'],
  ['Operation', 'text'],
  ['Page asked', 'number'],
  ['Keys', 'number'],
  ['Matched', 'number'],
  ['Bytes', 'number'],
  ['Time', 'number'],
  ['Start key', 'text key'],
];

function outcome(request: RunRequest): string {
  if (request.refused) return `${request.operation} (refused, pages instead)`;
  if (request.error) return `${request.operation} (${request.error.message})`;
  return request.chunks === undefined
    ? request.operation
    : `${request.operation} (${thousands(request.chunks)} chunks)`;
}

function cellTexts(request: RunRequest): readonly string[] {
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

export class TripsRow implements VirtualRow<RunRequest> {
  readonly element: HTMLElement;
  private readonly cells = tripColumns.map(([, className]) =>
    h('div', { role: 'cell', class: `cell ${className}` }),
  );
  private shown: RunRequest | undefined;

  constructor() {
    this.element = h('div', { role: 'row', class: 'row' }, ...this.cells);
  }

  show(request: RunRequest, position: number, top: number): void {
    const { element } = this;
    element.setAttribute('aria-rowindex', String(position + 2));
    element.classList.toggle('odd', position % 2 === 1);
    element.style.setProperty('transform', `translateY(${top}px)`);
    if (this.shown === request) return;
    this.shown = request;
    element.classList.toggle('failed', request.error !== undefined);
    cellTexts(request).forEach((text, index) => {
      const cell = this.cells[index];
      if (cell) setText(cell, text);
    });
  }
}
