/** Small decisions about texts, apart from the document. */
import type { Failure } from '../server/protocol/errors';
import type { ListQuery } from '../server/protocol/model';
import type { Run } from './run';
import type { PanelState } from './state';

/** Characters shown on either side of the offending ones. */
const around = 24;

/** The typed text cut to the surroundings of the offence: before, offending, after. */
export function excerpt(
  text: string,
  start: number,
  end: number,
): readonly [string, string, string] {
  const from = Math.max(0, Math.min(start, text.length));
  const to = Math.max(from, Math.min(end, text.length));
  const before = text.slice(0, from);
  const after = text.slice(to);
  return [
    before.length > around ? `…${before.slice(-around)}` : before,
    text.slice(from, to),
    after.length > around ? `${after.slice(0, around)}…` : after,
  ];
}

/** Half of the limit, and never none. */
export function smallerLimit(limit: string): string {
  const value = /^\d+$/.test(limit) ? Number(limit) : 0;
  return String(value === 0 ? 500 : Math.max(1, Math.floor(value / 2)));
}

/** What to run in place of a list that was too large: no page makes a watch cache smaller. */
export function lessThan({ limit, serveFrom }: ListQuery): {
  readonly text: string;
  readonly over: Partial<ListQuery>;
} {
  if (serveFrom !== undefined) return { text: 'Serve from etcd', over: { serveFrom: undefined } };
  const smaller = smallerLimit(limit);
  return { text: `Run again with limit ${smaller}`, over: { limit: smaller } };
}

/** A list of a plain prefix is no request of Kubernetes. */
export function noCommand(what: string): Failure {
  const sentence = `There is no ${what} for this list, so nothing was copied: copy it as etcd-list instead.`;
  return { code: 'badRequest', sentence };
}

/** Why what was read over one connection is not gone on with on another. */
export function ofAnother({ past, connection }: Run, connected: string): string {
  if (past) {
    return `This run is of "${connection}", and "${connected}" is connected: connect to "${connection}", or run it anew.`;
  }
  return connection === connected
    ? `These rows are of an earlier connection to "${connection}": run the list anew.`
    : `These rows are of "${connection}", and "${connected}" is connected: run the list anew.`;
}

/** Why nothing can be listed now, and what to do; empty when it can. */
export function whyNoRun({ status, server, trusted }: PanelState): string {
  if (!trusted) {
    return 'This workspace is not trusted, so nothing was listed: trust it, connect to an etcd, and run again.';
  }
  if (server === 'gone') {
    return 'The language server does not run, so nothing was listed: run again once it is back.';
  }
  switch (status.state) {
    case 'connected':
      return '';
    case 'connecting':
      return `Still connecting to "${status.name}", so nothing was listed: run again once it is connected.`;
    case 'disconnected':
      return 'Not connected, so nothing was listed: connect to an etcd, and run again.';
  }
}
