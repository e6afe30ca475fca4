/** What kinds of lists a run compared. */
import type { ListAsk } from './oracle';
import type { Outcome } from './outcome';
import { doubledJsonUid, graftedUid } from './writes';

/** How many comparisons of each kind were made. */
export class Tally {
  total = 0;
  private readonly kinds = new Map<string, number>();

  count(...kinds: readonly string[]): void {
    this.total++;
    for (const kind of kinds) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  of(kind: string): number {
    return this.kinds.get(kind) ?? 0;
  }

  text(): string {
    const rows = [...this.kinds].sort(([a], [b]) => (a < b ? -1 : 1));
    return rows.map(([kind, count]) => `  ${String(count).padStart(7)}  ${kind}`).join('\n');
  }
}

function howRead(ask: ListAsk, { requests }: Outcome): string {
  if (requests.length === 0) return 'refused before any read';
  if (!ask.recursive) return 'single key';
  const streams = requests.filter((request) => request.startsWith('RangeStream')).length;
  if (streams === 0) return 'pages';
  return streams === requests.length ? 'stream' : 'stream and other reads';
}

const isPinned = ({ continue: token }: ListAsk): boolean =>
  /"rv":[1-9]/.test(Buffer.from(token, 'base64url').toString());

const selects = ({ labelSelector, fieldSelector }: ListAsk): boolean =>
  labelSelector !== '' || fieldSelector !== '';

const hasUid =
  (begin: string) =>
  (item: string): boolean =>
    item.split('|')[2]?.startsWith(begin) ?? false;

/** What was asked, and what happened meanwhile. */
function asked(ask: ListAsk, { requests }: Outcome): string[] {
  const kinds = [];
  if (ask.continue !== '') kinds.push('with a token');
  if (selects(ask)) kinds.push('with a selector');
  if (!ask.compact) return kinds;
  kinds.push('compacted meanwhile');
  const isLater = ask.disturb >= 2 && requests.length >= ask.disturb;
  if (isLater && isPinned(ask) && selects(ask) && BigInt(ask.limit) > 0n) {
    kinds.push('pinned, selecting, limited, compacted before a later read');
  }
  return kinds;
}

/** What the objects were like. */
function objects(ask: ListAsk, { items, failures }: Outcome): string[] {
  const kinds = [];
  const under = selects(ask) ? ' under a selector' : '';
  if (failures.length > 0) kinds.push('unreadable', `unreadable${under}`);
  if (items.some(hasUid(graftedUid))) kinds.push('grafted', `grafted${under}`);
  if (items.some(hasUid(doubledJsonUid))) kinds.push('doubled JSON', `doubled JSON${under}`);
  if (/status\.podIP=\w/.test(ask.fieldSelector) && items.length > 0) kinds.push('by address');
  return [...new Set(kinds)];
}

const labelOperator = /^(!)|(?<= )(in|notin)(?= \()|==|!=|[=<>]/;

/** Which operator a label selector of one requirement was answered by, and whether any item met it. */
function selected({ labelSelector, fieldSelector }: ListAsk, { items, error }: Outcome): string[] {
  const isOne = labelSelector !== '' && fieldSelector === '' && !/,(?![^(]*\))/.test(labelSelector);
  if (!isOne || error !== null) return [];
  const operator = labelOperator.exec(labelSelector)?.[0] ?? 'exists';
  return [`label ${operator}: ${items.length > 0 ? 'items' : 'none'}`];
}

export function kindsOf(ask: ListAsk, outcome: Outcome): string[] {
  const { error, requests, items, remaining } = outcome;
  const kinds = [howRead(ask, outcome), ...asked(ask, outcome), ...objects(ask, outcome)];
  kinds.push(...selected(ask, outcome));
  if (requests.length > 2) kinds.push('three reads or more');
  if (outcome.continue !== '') kinds.push('gives a token');
  if (remaining !== null) kinds.push('gives a remaining count');
  if (error === null) return [...kinds, items.length === 0 ? 'answer: empty' : 'answer: items'];
  const causes =
    error.causes.length > 100 ? ', cut' : error.causes.length > 1 ? ', several causes' : '';
  const token = error.continue === '' ? '' : ' with a token';
  const status = error.kind === 'status' ? ` ${String(error.code)} ${error.reason}` : '';
  return [...kinds, 'error', `error: ${error.kind}${status}${token}${causes}`];
}
