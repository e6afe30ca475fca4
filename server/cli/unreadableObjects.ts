/** Objects that a list could not read, in words. */
import { isStoreError, type StoreError, type StoreErrorCode } from '../store/errors';
import { cell, keyText } from './output/text';
import { unreadableReason } from './output/unreadable';

export const SKIP_HINT = '--skip-unreadable leaves such objects out and names them';

const CODES: ReadonlySet<StoreErrorCode> = new Set(['internal', 'undecodable', 'storeRead']);

/** Whether a list failed with objects that cannot be read. */
export function isUnreadable(error: unknown): error is StoreError {
  return isStoreError(error) && CODES.has(error.code);
}

/** Objects that are named; how many more there are is said. */
const NAMED_OBJECTS = 10;

/** One sentence of one object; of several a line each. `hint` is what to do about it, empty for nothing. */
export function unreadableText(error: StoreError, hint: string): string {
  const end = hint === '' ? '' : `; ${hint}`;
  const reasons = reasonsOf(error);
  const [first = '', second] = reasons;
  if (second === undefined) return `${first}${end}`;
  const left = reasons.length - NAMED_OBJECTS;
  return [
    `${reasons.length} objects cannot be read${endedBy(error)}${end}`,
    ...reasons.slice(0, NAMED_OBJECTS).map((reason) => `  ${reason}`),
    ...(left > 0 ? [`  … ${left} more`] : []),
  ].join('\n');
}

function reasonsOf(error: StoreError): string[] {
  const { objects, code, key, cause, message } = error;
  if (objects.length > 0) return objects.map((object) => reason(object.key, object.error));
  return [code === 'storeRead' ? cell(message) : reason(key, cause ?? error)];
}

function reason(key: Uint8Array | undefined, error: unknown): string {
  const what = key === undefined ? 'an object' : keyText(key);
  return `${what} cannot be read: ${unreadableReason(error)}`;
}

/** The engine gives up at a hundred such objects, and at one that fails otherwise. */
const endedBy = ({ objects, causes }: StoreError): string =>
  causes.length > objects.length ? ', and the list ended there' : '';
