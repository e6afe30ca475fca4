/** What a list came to, in one form for both sides, so that equal means equal text. */
import { rangeRequest } from '../../server/etcd/rpc/kvCodecs';
import type { RangeRequest } from '../../server/etcd/rpc/messages';
import type { ListAnswer } from './oracle';

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
  readonly requests: readonly string[];
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
  const at = revision > 0n ? String(revision - base) : `(${String(revision)})`;
  const extra = flags.map(([name, value]) => ` ${name}=${String(value)}`).join('');
  return `${method} ${showBytes(key)} .. ${showBytes(rangeEnd)} limit=${String(limit)} rev=${at}${extra}`;
}

/** A token of a list at `base` as one of a list at 0. Tokens themselves are compared when base is 0. */
export function relativeToken(token: string, base: bigint): string {
  if (token === '' || base === 0n) return token;
  const json = Buffer.from(token, 'base64url').toString('utf8');
  return json.replace(/"rv":(\d+)/, (_, rv: string) => `"rv":+${String(BigInt(rv) - base)}`);
}

export function relativeRevision(revision: string, base: bigint): string {
  return revision === '' || base === 0n ? revision : `+${String(BigInt(revision) - base)}`;
}

export const causeLine = (type = '', field = '', message = ''): string =>
  `${type}|${field}|${message}`;

export function upstreamOutcome(answer: ListAnswer, base = 0n): Outcome {
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
    requests: answer.requests.map(({ method, message }) =>
      showRequest(method, Buffer.from(message, 'base64'), base),
    ),
  };
}

/** Lines of what differs; empty when nothing does. */
export function differences(ours: Outcome, upstream: Outcome): string[] {
  const parts = ['items', 'resourceVersion', 'continue', 'remaining', 'error', 'requests'] as const;
  return parts.flatMap((part) => {
    const [a, b] = [JSON.stringify(ours[part]), JSON.stringify(upstream[part])];
    return a === b
      ? []
      : [`${part}\n    ours:     ${a.slice(0, 4000)}\n    upstream: ${b.slice(0, 4000)}`];
  });
}
