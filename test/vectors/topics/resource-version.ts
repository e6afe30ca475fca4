import { isStoreError, StoreError } from '../../../server/store/errors';
import {
  checkListVersion,
  checkMinimumVersion,
  parseResourceVersion,
} from '../../../server/store/resourceVersion';
import { integer } from '../bytes';
import { defineTopic, type Columns } from '../harness';
import { byCall, text } from '../read';
import { kindOf } from '../storeErrors';

function parse(input: Columns): unknown {
  try {
    const value = parseResourceVersion(text(input, 'version'));
    return { value: String(value), asInt64: String(BigInt.asIntN(64, value)) };
  } catch (error) {
    return { errorKind: 'Invalid', error: (error as Error).message };
  }
}

function described(error: unknown): unknown {
  if (!(error instanceof StoreError)) throw error;
  const base = { errorKind: kindOf(error), error: error.message };
  if (!isStoreError(error, 'tooLargeResourceVersion')) return base;
  const { status, reason, retryAfterSeconds, causes } = error;
  return { ...base, code: status, reason, retryAfterSeconds, causes };
}

function minimum(input: Columns): unknown {
  try {
    checkMinimumVersion(text(input, 'minimum'), integer(input, 'actual'));
    return { ok: true };
  } catch (error) {
    return described(error);
  }
}

function updateList(input: Columns): unknown {
  try {
    const version = integer(input, 'version');
    checkListVersion(version);
    return { ok: true, text: String(version) };
  } catch (error) {
    return described(error);
  }
}

const calls = new Map([
  ['parse', parse],
  ['minimum', minimum],
  ['updateList', updateList],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
