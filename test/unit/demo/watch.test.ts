import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { utf8 } from '../../../server/common/bytes';
import { startDemoEtcd } from '../../../server/demo/demoEtcd';
import type { DemoEtcd } from '../../../server/demo/demoEtcd';
import type { WatchResponse } from '../../../server/etcd/rpc/messages';
import { methods } from '../../../server/etcd/rpc/methods';
import { RawEtcd } from '../../support/rawEtcd';
import type { RawWatch } from '../../support/rawEtcd';
import { waitFor } from '../../support/waitFor';

let etcd: DemoEtcd;
let client: RawEtcd;
let watch: RawWatch;

beforeEach(async () => {
  etcd = await startDemoEtcd({ progressNotifyMs: 30, maxRequestBytes: 100_000 });
  client = new RawEtcd(etcd.endpoint);
  watch = client.watch();
});

afterEach(async () => {
  watch.cancel();
  client.close();
  await etcd.stop();
});

const prefix = { key: utf8('w/'), rangeEnd: utf8('w0') };
const put = (name: string, value = ''): bigint => etcd.store.put(utf8(name), utf8(value));

function brief(response: WatchResponse): string[] {
  return response.events.map(
    ({ type, kv, prevKv }) =>
      `${type === 1 ? 'del' : 'put'} ${Buffer.from(kv!.key).toString()}@${kv!.modRevision}` +
      (prevKv ? ` was ${Buffer.from(prevKv.value).toString()}` : ''),
  );
}

describe('watches of the embedded etcd', () => {
  it('catch up from a revision, then follow, one response a revision', async () => {
    put('w/a', '1');
    put('x');
    put('w/a', '2');
    watch.create({ ...prefix, startRevision: 2n, prevKv: true });
    expect(await watch.next()).toMatchObject({ created: true, watchId: 0n });
    const caughtUp = await watch.next();
    expect(brief(caughtUp)).toEqual(['put w/a@2', 'put w/a@4 was 1']);
    expect(caughtUp.header?.revision).toBe(4n);
    etcd.store.write((txn) => {
      txn.put(utf8('w/b'), utf8('3'));
      txn.deleteRange(utf8('w/a'), undefined);
    });
    expect(brief(await watch.next())).toEqual(['put w/b@5', 'del w/a@5 was 2']);
  });

  it('send a backlog in batches of a thousand revisions', async () => {
    for (let i = 0; i < 2500; i++) put(`w/${i}`);
    watch.create({ ...prefix, startRevision: 1n });
    expect((await watch.next()).created).toBe(true);
    const sizes: number[] = [];
    while (sizes.reduce((a, b) => a + b, 0) < 2500) sizes.push((await watch.next()).events.length);
    expect(sizes).toEqual([1000, 1000, 500]);
  });

  it('share one stream, each with its own filters and id', async () => {
    watch.create({ ...prefix, filters: [0] });
    watch.create({ ...prefix, filters: [1], watchId: 7n });
    watch.create({ key: utf8('w/a') });
    const ids = [await watch.next(), await watch.next(), await watch.next()].map((r) => r.watchId);
    expect(ids).toEqual([0n, 7n, 1n]);
    put('w/b');
    expect(brief(await watch.next())).toEqual(['put w/b@2']);
    etcd.store.delete(utf8('w/b'));
    const deleted = await watch.next();
    expect([deleted.watchId, brief(deleted)]).toEqual([0n, ['del w/b@3']]);
  });

  it('answer a progress request once for all, and not before they have started', async () => {
    put('w/a');
    watch.create(prefix);
    watch.create({ key: utf8('x') });
    await watch.next();
    await watch.next();
    watch.requestProgress();
    const progress = await watch.next();
    expect(progress).toMatchObject({ watchId: -1n, events: [], header: { revision: 2n } });
    watch.create({ key: utf8('x'), startRevision: 100n });
    await watch.next();
    watch.requestProgress();
    watch.cancelWatch(1n);
    expect(await watch.next()).toMatchObject({ watchId: 1n, canceled: true });
  });

  it('are told of progress now and then when they asked for it', async () => {
    watch.create({ ...prefix, progressNotify: true });
    expect((await watch.next()).created).toBe(true);
    put('elsewhere');
    const notice = await waitForRevision(2n);
    expect(notice).toMatchObject({ watchId: 0n, events: [] });
  });

  async function waitForRevision(revision: bigint): Promise<WatchResponse> {
    for (;;) {
      const response = await watch.next();
      if (response.header?.revision === revision) return response;
    }
  }

  it('end when their start is compacted away', async () => {
    for (const value of ['1', '2', '3']) put('w/a', value);
    etcd.store.compact(3n);
    watch.create({ ...prefix, startRevision: 2n });
    watch.create({ ...prefix, startRevision: 3n });
    expect(await watch.next()).toMatchObject({ created: true, canceled: false });
    expect(await watch.next()).toMatchObject({ watchId: 0n, canceled: true, compactRevision: 3n });
    expect((await watch.next()).watchId).toBe(1n);
    expect(brief(await watch.next())).toEqual(['put w/a@3', 'put w/a@4']);
  });

  it('are refused with etcd’s reasons', async () => {
    watch.create({ key: utf8('b'), rangeEnd: utf8('a') });
    const refused = { created: true, canceled: true, watchId: -1n };
    expect(await watch.next()).toMatchObject({
      ...refused,
      cancelReason: 'mvcc: watcher range is empty',
    });
    watch.create({ ...prefix, watchId: 3n });
    watch.create({ ...prefix, watchId: 3n });
    await watch.next();
    expect(await watch.next()).toMatchObject({
      ...refused,
      cancelReason: 'mvcc: duplicate watch ID provided on the WatchStream',
    });
  });

  it('cut large responses when fragments are accepted, and only then', async () => {
    for (let i = 0; i < 20; i++) etcd.store.put(utf8(`w/${i}`), new Uint8Array(90_000));
    watch.create({ ...prefix, startRevision: 1n, fragment: true });
    await watch.next();
    const flags: boolean[] = [];
    let events = 0;
    while (events < 20) {
      const response = await watch.next();
      flags.push(response.fragment);
      events += response.events.length;
    }
    expect(flags.length).toBeGreaterThan(2);
    expect(flags).toEqual([...flags.slice(1).map(() => true), false]);
    watch.create({ ...prefix, startRevision: 1n });
    await watch.next();
    expect(await watch.next()).toMatchObject({ fragment: false, events: { length: 20 } });
  });

  it('are logged with their requests and end with the call', async () => {
    watch.create(prefix);
    await watch.next();
    const record = etcd.calls.find(({ method }) => method === methods.watch);
    expect(record).toMatchObject({
      request: [{ createRequest: { key: utf8('w/') } }],
      messages: 1,
    });
    watch.cancel();
    await waitFor(() => record?.cancelled);
    put('w/a');
    expect(record?.messages).toBe(1);
  });
});
