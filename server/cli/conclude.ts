/** What is said when a `get` has come to its end, well or not. */
import { isStoreError } from '../store/errors';
import { ListFailedError } from '../store/interfaces';
import type { GetPlan } from './args/plan';
import { warn, type Context } from './context';
import { continueLines, resumeLine } from './continueLines';
import { CliError, failure } from './exit';
import type { Followed, Progress } from './follow';
import { foreignEncoding } from './output/encoding';
import type { StoredValue } from './output/rows';
import { cell, keyText } from './output/text';
import { thousands } from './quantities';
import { isUnreadable, unreadableText } from './unreadableObjects';
import type { ListTarget } from '../targets/target';

export interface Concluding {
  readonly plan: GetPlan;
  readonly context: Context;
  readonly target: ListTarget;
  /** The list's prefix as etcd knows it. */
  readonly keyPrefix: Uint8Array;
}

/** The name of the one object that is asked for. */
export function singleName({ target }: GetPlan): string | undefined {
  return target.kind === 'resource' ? target.name : undefined;
}

/** Throws when the one object that was asked for is not there. */
export function requireFound({ plan, target }: Concluding, followed: Followed): void {
  const name = singleName(plan);
  if (name === undefined || followed.rows > 0) return;
  const where = target.namespaced ? ` in namespace "${cell(plan.namespace ?? '')}"` : '';
  throw failure(`${target.name} "${cell(name)}" not found${where}`, { code: 'notFound' });
}

/** What a list failed with; where nothing can be left out, that is not offered. */
export function failureOf(plan: GetPlan, error: unknown): unknown {
  const cause = error instanceof ListFailedError ? error.cause : error;
  if (!isUnreadable(cause)) return error;
  if (singleName(plan) !== undefined) return failure(unreadableText(cause, ''), { cause: error });
  if (plan.serveFrom.kind === 'etcd') return error;
  return failure(unreadableText(cause, WHOLE_CACHE), { cause: error });
}

const WHOLE_CACHE = 'a watch cache holds all objects of a resource or none: list from etcd';

/** The token of the page that failed, where going on with it may do better; empty for none. */
export function resumeToken(error: unknown, { token }: Progress): string {
  const cause = error instanceof ListFailedError ? error.cause : error;
  if (cause instanceof CliError) return '';
  const expired = isStoreError(cause, 'expired') || isStoreError(cause, 'expiredWithContinue');
  return expired ? '' : token;
}

/** Said after the totals of a list that failed. */
export function concludeFailure({ plan, context }: Concluding, token: string, written: number) {
  if (token !== '' && plan.receipt === 'text')
    context.notes.line(resumeLine(token, written, context));
}

/** Said after the totals of a list that ended well. */
export function conclude({ plan, context, target, keyPrefix }: Concluding, followed: Followed) {
  if (followed.rows === 0) {
    const name = target.kind === 'values' ? `keys below ${keyText(keyPrefix)}` : target.name;
    const rest =
      followed.leftOut === 0
        ? `no ${name} found`
        : `no ${name} that can be read: ${thousands(followed.leftOut)} left out`;
    context.notes.line(rest);
  }
  if (followed.continueToken === '' || plan.receipt === 'json') return;
  for (const line of continueLines(followed, context)) context.notes.line(line);
}

/** Values below a plain prefix that the selector could say nothing about. */
export interface Unjudged {
  values: number;
  encrypted: number;
}

export const unjudgedCounter = (unjudged: Unjudged) => (stored: StoredValue) => {
  unjudged.values++;
  if (foreignEncoding(stored.value) !== '') unjudged.encrypted++;
};

export function warnOfUnjudged({ values, encrypted }: Unjudged, context: Context): void {
  if (values === 0) return;
  const some = encrypted > 0 ? `, ${thousands(encrypted)} of them encrypted or CBOR` : '';
  warn(
    context,
    `${thousands(values)} of the values read are no objects that can be decoded${some}: no selector selects them`,
  );
}
