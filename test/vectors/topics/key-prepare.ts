import { prefixEnd } from '../../../server/common/bytes';
import { isStoreError } from '../../../server/store/errors';
import {
  checkResourcePrefix,
  etcdKeyText,
  objectKey,
  prepareKey,
  storePathPrefix,
} from '../../../server/store/keys';
import { hexOf } from '../bytes';
import { defineTopic, type Columns } from '../harness';
import { byCall, flag, text } from '../read';

function orError(answer: () => unknown): unknown {
  try {
    return answer();
  } catch (error) {
    if (isStoreError(error, 'invalidKey')) return { error: error.message };
    throw error;
  }
}

const prepared = (input: Columns): string =>
  prepareKey(text(input, 'resourcePrefix'), text(input, 'key'), flag(input, 'recursive'));

const calls = new Map<string, (input: Columns) => unknown>([
  ['prepareKey', (input) => orError(() => ({ key: prepared(input) }))],
  [
    'fullKey',
    (input) =>
      orError(() => ({
        key: etcdKeyText(storePathPrefix(text(input, 'storePrefix')), prepared(input)),
      })),
  ],
  ['storePrefix', (input) => ({ prefix: storePathPrefix(text(input, 'configured')) })],
  [
    'newStore',
    (input) =>
      orError(() => {
        checkResourcePrefix(text(input, 'resourcePrefix'));
        return { ok: true };
      }),
  ],
  [
    'namespaceKey',
    (input) =>
      orError(() => ({
        key: objectKey(text(input, 'prefix'), text(input, 'namespace'), text(input, 'name')),
      })),
  ],
  [
    'noNamespaceKey',
    (input) =>
      orError(() => ({ key: objectKey(text(input, 'prefix'), undefined, text(input, 'name')) })),
  ],
  [
    'rangeEnd',
    (input) => ({
      endHex: hexOf(prefixEnd(new Uint8Array(Buffer.from(text(input, 'prefixHex'), 'hex')))),
    }),
  ],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
