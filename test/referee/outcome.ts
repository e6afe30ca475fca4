/** What a list came to, in one form for both sides, so that equal means equal text. */
import { rangeRequest } from '../../server/etcd/rpc/kvCodecs';
import type { RangeRequest } from '../../server/etcd/rpc/messages';
import { theirFailures } from './failures';
import type { ListAnswer, ListAsk } from './oracle';

export interface OutcomeError {
  readonly kind: string;
  readonly message: string;
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly string[];
  readonly continue: string;
  readonly retryAfter: number;
}

export interface Outcome {
  readonly items: readonly string[];
  readonly resourceVersion: string;
  readonly continue: string;
  readonly remaining: string | null;
  readonly error: OutcomeError | null;
  /** Keys of the values that ended the list, since they could not be read. */
  readonly failures: readonly string[];
  readonly requests: readonly string[];
  /** What the list added to the metrics of its store, a line each. */
  readonly metrics: readonly string[];
}

/** Printable ASCII as it is, other bytes as `\xNN`. */
export function showBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte > 0x20 && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}

/** One etcd read. `base` is taken off revisions, so that runs at different ones can be compared. */
export function showRequest(method: string, message: Uint8Array, base = 0n): string {
  const request: RangeRequest = rangeRequest.decode(message);
  const { key, rangeEnd, limit, revision, ...rest } = request;
  const flags = Object.entries(rest).filter(
    ([, value]) => value !== 0n && value !== 0 && value !== false,
  );
  const at = revision > 0n ? relativeRevision(String(revision), base) : `(${String(revision)})`;
  const extra = flags.map(([name, value]) => ` ${name}=${String(value)}`).join('');
  return `${method} ${showBytes(key)} .. ${showBytes(rangeEnd)} limit=${String(limit)} rev=${at}${extra}`;
}

/** A token of a list at `base` as one of a list at 0. Tokens themselves are compared when base is 0. */
export function relativeToken(token: string, base: bigint): string {
  if (token === '' || base === 0n) return token;
  const json = Buffer.from(token, 'base64url').toString('utf8');
  return json.replace(/"rv":(\d+)/, (_, rv: string) => `"rv":${relativeRevision(rv, base)}`);
}

/** No cluster has so many revisions. */
const mostRevisions = 1_000_000n;

/** A cluster's own revision as its distance from `base`, any other as it is. */
export function relativeRevision(revision: string, base: bigint): string {
  if (revision === '' || base === 0n) return revision;
  const over = BigInt(revision) - base;
  return over >= 0n && over < mostRevisions ? `+${String(over)}` : revision;
}

/** A text in which a place's name is as long as any other's, and stands for all of them. */
export const alike = (text: string, name: string): string => text.replaceAll(`${name}/`, 'twin/');

/** The same of the revisions that an error's text names; other numbers there are nobody's. */
const relativeNumbers = (text: string, base: bigint): string =>
  text.replace(/(?<=version: |current: |revision[= ])\d{1,19}/g, (digits) =>
    relativeRevision(digits, base),
  );

/** What a list at `base` in a place of that name came to, so that it can be held beside another's. */
export function alikeBelow(outcome: Outcome, name: string, base: bigint): Outcome {
  const text = (from: string): string => relativeNumbers(alike(from, name), base);
  return {
    ...outcome,
    items: outcome.items.map((item) => {
      const [namespace, name_, uid, revision = '', ...rest] = item.split('|');
      return [namespace, name_, uid, relativeRevision(revision, base), ...rest].join('|');
    }),
    failures: outcome.failures.map((key) => alike(key, name)),
    requests: outcome.requests.map((request) => alike(request, name)),
    error: outcome.error && {
      ...outcome.error,
      message: text(outcome.error.message),
      causes: outcome.error.causes.map(text),
      continue: relativeToken(outcome.error.continue, base),
    },
  };
}

export const causeLine = (type = '', field = '', message = ''): string =>
  `${type}|${field}|${message}`;

export function upstreamOutcome(ask: ListAsk, answer: ListAnswer, base = 0n): Outcome {
  const { error } = answer;
  return {
    items: answer.items,
    resourceVersion: relativeRevision(answer.resourceVersion, base),
    continue: relativeToken(answer.continue, base),
    remaining: answer.remaining === null ? null : String(answer.remaining),
    error: error && {
      kind: error.kind,
      message: error.message,
      code: error.code ?? 0,
      reason: error.reason ?? '',
      causes: (error.causes ?? []).map((c) => causeLine(c.reason, c.field, c.message)),
      continue: error.continue ?? '',
      retryAfter: error.retryAfter ?? 0,
    },
    failures: theirFailures(ask, answer),
    metrics: answer.metrics,
    requests: answer.requests.map(({ method, message }) =>
      showRequest(method, Buffer.from(message, 'base64'), base),
    ),
  };
}

/** What of an outcome is compared, in the order in which it is told. */
export const parts = [
  ...(['items', 'resourceVersion', 'continue', 'remaining'] as const),
  ...(['error', 'failures', 'requests', 'metrics'] as const),
];
export type Part = (typeof parts)[number];

/** Which parts differ; empty when none does. */
export const differing = (ours: Outcome, upstream: Outcome): Part[] =>
  parts.filter((part) => JSON.stringify(ours[part]) !== JSON.stringify(upstream[part]));

/** Lines of these parts, as both sides have them. */
export function differences(found: readonly Part[], ours: Outcome, upstream: Outcome): string[] {
  const shown = (value: unknown): string => JSON.stringify(value).slice(0, 4000);
  return found.map(
    (part) => `${part}\n    ours:     ${shown(ours[part])}\n    upstream: ${shown(upstream[part])}`,
  );
}
