import type { EtcdError } from '../../../server/etcd/errors';
import { createStoreMetrics } from '../../../server/metrics/storeMetrics';
import { systemClock } from '../../../server/common/clock';
import { listReadError } from '../../../server/store/readErrors';
import { StoreError } from '../../../server/store/errors';
import { storageErrorText } from '../../../server/store/errorTexts';
import { ReceiptBuilder } from '../../../server/store/receipt';
import { scriptedError, scriptedEtcd } from '../../support/scriptedEtcd';
import { integer, utf8Of } from '../bytes';
import { defineTopic, type Columns } from '../harness';
import { byCall, flag, text } from '../read';
import { kindOf } from '../storeErrors';

function etcdError(name: string): EtcdError {
  if (name === 'Compacted') return scriptedError('compacted');
  if (name === 'FutureRev') return scriptedError('futureRevision');
  return scriptedError('other', name);
}

function described(error: unknown): Columns {
  if (!(error instanceof StoreError)) throw error;
  const { status, reason, message, continueToken, causes, retryAfterSeconds } = error;
  return {
    kind: kindOf(error),
    ...(status === undefined ? {} : { code: status, reason }),
    message,
    ...(continueToken === undefined
      ? {}
      : { continueToken, continueJson: Buffer.from(continueToken, 'base64url').toString() }),
    ...(causes.length === 0 ? {} : { causes, retryAfterSeconds }),
  };
}

async function readError(input: Columns): Promise<unknown> {
  const current = input['currentRevision'];
  const { reader } = scriptedEtcd({
    range: () =>
      current === null
        ? Promise.reject(scriptedError('unavailable'))
        : Promise.resolve({
            kvs: [],
            count: 0n,
            more: false,
            revision: integer(input, 'currentRevision'),
            bytes: 0,
            endpoint: 'script:1',
          }),
  });
  const keyPrefix = utf8Of(text(input, 'keyPrefix'));
  const continueText = text(input, 'continueKey');
  const continueKey = continueText === '' ? undefined : utf8Of(continueText);
  const context = {
    etcd: reader,
    keyPrefix,
    resourceKey: keyPrefix,
    groupResource: { group: '', resource: 'pods' },
    metrics: createStoreMetrics(),
    receipt: new ReceiptBuilder(systemClock),
    clock: systemClock,
    signal: undefined,
  };
  const range = { revision: integer(input, 'withRev'), limit: 0n, continueKey };
  const cause = etcdError(text(input, 'etcdError'));
  return described(await listReadError(context, cause, range, flag(input, 'paging')));
}

function storageError(input: Columns): unknown {
  const { inner } = input;
  return {
    message: storageErrorText(
      Number(integer(input, 'code')),
      text(input, 'key'),
      integer(input, 'resourceVersion'),
      typeof inner === 'string' ? inner : null,
    ),
  };
}

const calls = new Map<string, (input: Columns) => unknown>([
  ['readError', readError],
  ['storageError', storageError],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
