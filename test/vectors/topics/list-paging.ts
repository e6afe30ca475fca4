import { utf8Lossy } from '../../../server/common/bytes';
import { startDemoEtcd } from '../../../server/demo/demoEtcd';
import { connect } from '../../../server/etcd/connect';
import { rangeRequest } from '../../../server/etcd/rpc/kvCodecs';
import { encodeContinue } from '../../../server/store/continueToken';
import type { ListResult } from '../../../server/store/interfaces';
import { encodeTestObject, type TestObject } from '../../support/testObjects';
import { listOptions, testStore } from '../../support/testStore';
import { utf8Of } from '../bytes';
import { defineTopic, UnknownShape, type Columns } from '../harness';
import { columns, flag } from '../read';
import { tokenContent } from '../storeErrors';

/** Tokens of these cases carry this version. */
const tokenVersion = 77n;
const prefix = '/registry/pods/ns/';

const nameOf = (index: number): string => `pod-${String(index).padStart(6, '0')}`;

function number(input: Columns, column: string): number {
  const value = input[column];
  if (typeof value !== 'number') throw new UnknownShape(`input.${column} is not a number`);
  return value;
}

function matcher(match: Columns): (index: number) => boolean {
  if (match['all'] === true) return () => true;
  if (match['none'] === true) return () => false;
  if (Array.isArray(match['indexes'])) {
    const wanted = new Set(match['indexes'] as unknown[]);
    return (index) => wanted.has(index);
  }
  const [every, offset] = [number(match, 'every'), number(match, 'offset')];
  return (index) => index >= offset && (index - offset) % every === 0;
}

function objects(count: number, matches: (index: number) => boolean) {
  return Array.from({ length: count }, (_, index) => {
    const labels = new Map(matches(index) ? [['chosen', 'yes']] : []);
    const value = encodeTestObject({ name: nameOf(index), namespace: 'ns', labels });
    return { key: utf8Of(prefix + nameOf(index)), value };
  });
}

function indexOf(key: string): number | null {
  const digits = /pod-([0-9]{6})/.exec(key)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Loads everything at one revision and then moves on to the version of the tokens. */
async function startLoaded(count: number, matches: (index: number) => boolean) {
  const demo = await startDemoEtcd();
  demo.store.write((txn) => {
    for (const { key, value } of objects(count, matches)) txn.put(key, value);
  });
  while (demo.store.revision < tokenVersion) demo.store.put(utf8Of('/other'), utf8Of('x'));
  return demo;
}

function answer(result: ListResult<TestObject>, reads: unknown): unknown {
  const items = result.items.map((item) => indexOf(utf8Lossy(item.key)));
  const token = result.continueToken;
  return {
    reads,
    itemCount: items.length,
    firstItem: items[0] ?? null,
    lastItem: items.at(-1) ?? null,
    continueAfter: token === '' ? null : indexOf(tokenContent(token).start),
    remaining: result.remainingItemCount === null ? null : Number(result.remainingItemCount),
    evaluated: result.receipt.total.evaluated,
  };
}

async function page(input: Columns): Promise<unknown> {
  const matches = matcher(columns(input, 'match') ?? {});
  const demo = await startLoaded(number(input, 'keys'), matches);
  const reader = connect({ endpoints: [demo.endpoint] });
  try {
    const { startAfter } = input;
    const key = utf8Of(`${prefix}${nameOf(Number(startAfter))}\0`);
    const result = await testStore({ etcd: reader }).getList(
      listOptions({
        limit: BigInt(number(input, 'limit')),
        labelSelector: flag(input, 'filtered') ? 'chosen=yes' : '',
        continueToken:
          startAfter === null ? '' : encodeContinue(key, utf8Of('/registry/pods/'), tokenVersion),
      }),
    );
    const keys = result.receipt.requests.map((request) => request.keys);
    const reads = demo.calls.map((call, i) => {
      const { key: start, limit } = rangeRequest.decode(rangeRequest.encode(call.request));
      return [indexOf(utf8Lossy(start)) ?? -1, Number(limit), keys[i]];
    });
    return answer(result, reads);
  } finally {
    reader.close();
    await demo.stop();
  }
}

export const run = defineTopic({ actual: ({ input }) => page(input) });
