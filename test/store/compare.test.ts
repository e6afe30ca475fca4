/** One list in several ways, over every etcd: the requests of each on the wire, and the same answer by all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { utf8 } from '../../server/common/bytes';
import { compareWays, type CompareHooks } from '../../server/compare/compare';
import { wayNames, type Comparison, type WayName } from '../../server/compare/model';
import { connect } from '../../server/etcd/connect';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { rangeRequest } from '../../server/etcd/rpc/kvCodecs';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';
import { startSubject, subjectNames, type StoreSubject } from '../support/storeSubjects';
import { encodeTestObject, type TestObject } from '../support/testObjects';
import { listOptions, testStore } from '../support/testStore';

const keys = 5000;
const nameOf = (i: number): string => `pod-${String(i).padStart(5, '0')}`;
const keyOf = (i: number): string => `/registry/pods/web/${nameOf(i)}`;

/** The last of each ten `even=yes`; 400 side by side `run=yes`. */
function objectOf(i: number, more: [string, string][] = []): Uint8Array {
  const labels = new Map<string, string>(more);
  if (i % 10 === 9) labels.set('even', 'yes');
  if (i >= 3000 && i < 3400) labels.set('run', 'yes');
  return encodeTestObject({ name: nameOf(i), namespace: 'web', labels });
}

const valueOf = ({ name, labels }: TestObject): Uint8Array =>
  utf8(JSON.stringify([name, ...labels]));

describe.each(subjectNames())('%s', (name) => {
  let subject: StoreSubject;
  let proxy: RecordingProxy;
  let reader: EtcdReader;

  beforeAll(async () => {
    subject = await startSubject(name);
    await subject.writer.bulkLoad(Array.from({ length: keys }, (_, i) => [keyOf(i), objectOf(i)]));
    proxy = await startRecordingProxy(subject.endpoint);
    reader = connect({ endpoints: [proxy.endpoint] });
  });
  afterAll(async () => {
    reader.close();
    await proxy.close();
    await subject.stop();
  });

  interface Asked {
    readonly selector: string;
    readonly limit: bigint;
    readonly toTheEnd?: boolean;
    readonly ways?: readonly WayName[];
  }

  function compared(asked: Asked, hooks: Partial<CompareHooks> = {}): Promise<Comparison> {
    proxy.clear();
    const { selector: labelSelector, limit, toTheEnd = false, ways = wayNames } = asked;
    const options = listOptions({ key: '/pods/web', limit, labelSelector });
    const keyPrefix = utf8('/registry/pods/web/');
    const list = { store: testStore({ etcd: reader }), options, keyPrefix, toTheEnd };
    const { signal } = new AbortController();
    return compareWays({ list, ways, rounds: 1, valueOf }, { signal, ...hooks });
  }

  /** Method, limit and whether it is pinned, of each call that went over the wire. */
  const wire = (): (readonly [string, number, boolean])[] =>
    proxy.calls.map(({ method, requests }) => {
      const request = rangeRequest.decode(requests[0] ?? new Uint8Array(0));
      return [method, Number(request.limit), request.revision > 0n];
    });

  const others = (): number => (subject.hasRangeStream ? 3 : 2);

  it('reads one list by as many pages as each way has, all at one revision', async () => {
    const comparison = await compared({ selector: 'even=yes', limit: 50n });
    expect(comparison.agreed).toBe(others());
    const page = (limit: number) => ['Range', limit, true];
    expect(wire()).toEqual([
      ['Range', 50, false],
      ...[100, 200, 400].map(page),
      ['RangeStream', 0, true],
      ...Array.from({ length: 10 }, () => page(50)),
      // Five of 50 matched: then four times as many, and by 25 of 250 the rest, with its margin.
      ...[50, 200, 378].map(page),
    ]);
    const [pages, stream, naive, adaptive] = comparison.ways;
    const same = { examined: 500, returned: 50 };
    expect(pages?.figures).toMatchObject({ requests: 4, fetched: 750, ...same });
    expect(naive?.figures).toMatchObject({ requests: 10, fetched: 500, ...same });
    expect(adaptive?.figures).toMatchObject({ requests: 3, fetched: 628, ...same });
    if (!subject.hasRangeStream) expect(stream?.unsupported).toBe(true);
    else expect(stream?.figures).toMatchObject({ requests: 1, ...same });
  });

  it.each(['even=yes', 'run=yes', 'even=never', ''])(
    'gives the same to the end by all ways, selecting %j',
    async (selector) => {
      const comparison = await compared({ selector, limit: 70n, toTheEnd: true });
      expect(comparison.agreed).toBe(others());
      const returned = { 'even=yes': 500, 'run=yes': 400, 'even=never': 0, '': keys }[selector];
      for (const { figures, unsupported } of comparison.ways) {
        if (unsupported === true) continue;
        expect(figures).toMatchObject({ returned, examined: keys });
      }
    },
  );

  it('gives the same while objects are changed, written and deleted', async () => {
    const { writer } = subject;
    const changes: Promise<unknown>[] = [];
    const comparison = await compared(
      { selector: 'run=yes', limit: 70n, toTheEnd: true },
      {
        onRunEnded: ({ nth }) => {
          changes.push(
            writer.put(keyOf(3000 + nth), objectOf(3000 + nth, [['more', String(nth)]])),
          );
          changes.push(writer.put(`${keyOf(3100 + nth)}-new`, objectOf(3100 + nth)));
          changes.push(writer.delete(keyOf(3200 + nth)));
        },
      },
    );
    await Promise.all(changes);
    expect(changes).toHaveLength(12);
    expect(comparison.agreed).toBe(others());
    const now = await compared({ selector: 'run=yes', limit: 70n, toTheEnd: true });
    expect(now.revision).toBeGreaterThan(comparison.revision ?? 0n);
  });
});
