import { utf8Lossy } from '../../../server/common/bytes';
import { rangeRequest } from '../../../server/etcd/rpc/kvCodecs';
import { encodeContinue } from '../../../server/store/continueToken';
import type { ListResult } from '../../../server/store/interfaces';
import { embeddedName, subjectNames } from '../../support/storeSubjects';
import { encodeTestObject, type TestObject } from '../../support/testObjects';
import { listOptions, testStore } from '../../support/testStore';
import { utf8Of } from '../bytes';
import { defineTopic, UnknownShape, type Columns } from '../harness';
import { columns, flag } from '../read';
import { closeRig, openRig, type ReplayRig } from '../replay';
import { tokenContent } from '../storeErrors';

/** Cases of more keys run against the embedded etcd only: loading them takes real ones too long. */
const mostKeysOnReal = 5_000;
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
    return [prefix + nameOf(index), value] as const;
  });
}

function indexOf(key: string): number | null {
  const digits = /pod-([0-9]{6})/.exec(key)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Puts these objects in place of what was there; the revision that tokens of the case carry. */
async function load(
  { subject: { writer } }: ReplayRig,
  count: number,
  matches: (index: number) => boolean,
): Promise<bigint> {
  await writer.deletePrefix('/registry/pods/');
  await writer.bulkLoad(objects(count, matches));
  return writer.revision();
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

async function page(input: Columns, rig: ReplayRig): Promise<unknown> {
  const matches = matcher(columns(input, 'match') ?? {});
  const revision = await load(rig, number(input, 'keys'), matches);
  const { startAfter } = input;
  const key = utf8Of(`${prefix}${nameOf(Number(startAfter))}\0`);
  rig.proxy.clear();
  const result = await testStore({ etcd: rig.reader }).getList(
    listOptions({
      limit: BigInt(number(input, 'limit')),
      labelSelector: flag(input, 'filtered') ? 'chosen=yes' : '',
      continueToken:
        startAfter === null ? '' : encodeContinue(key, utf8Of('/registry/pods/'), revision),
    }),
  );
  const keys = result.receipt.requests.map((request) => request.keys);
  const reads = rig.proxy.calls.map(({ requests }, i) => {
    const { key: start, limit } = rangeRequest.decode(requests[0] ?? new Uint8Array(0));
    return [indexOf(utf8Lossy(start)) ?? -1, Number(limit), keys[i]];
  });
  return answer(result, reads);
}

export const run = defineTopic<ReplayRig>({
  subjects: subjectNames(),
  runsOn: ({ input }, subject) =>
    subject === embeddedName || number(input, 'keys') <= mostKeysOnReal,
  open: (_, subject) => openRig(subject),
  close: closeRig,
  actual: ({ input }, rig) => page(input, rig),
});
