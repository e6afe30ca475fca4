/** The contract of a LIST over the watch cache, on every etcd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../server/etcd/connect';
import type { EtcdReader } from '../../server/etcd/interfaces';
import type { WatchCache } from '../../server/cache/interfaces';
import { cacheRig } from '../support/cacheRig';
import { startSubject, subjectNames, type StoreSubject } from '../support/storeSubjects';
import type { TestObject } from '../support/testObjects';
import { listOptions } from '../support/testStore';
import { listContract } from './listContract';

describe.each(subjectNames())('%s', (name) => {
  let subject: StoreSubject;
  let reader: EtcdReader;
  let store: WatchCache<TestObject>;
  const started: WatchCache<TestObject>[] = [];
  const anew = async (): Promise<WatchCache<TestObject>> => {
    const { cache } = cacheRig({ etcd: reader, stream: true });
    started.push(cache);
    await cache.start();
    return cache;
  };
  beforeAll(async () => {
    subject = await startSubject(name);
    reader = connect({ endpoints: [subject.endpoint] });
    store = await anew();
  });
  afterAll(async () => {
    await Promise.all(started.map((cache) => cache.stop()));
    reader.close();
    await subject.stop();
  });

  listContract('watch cache', 'c', () => ({ writer: subject.writer, store, anew }));

  it('was served out of memory where a revision was named', async () => {
    const { receipt } = await store.getList(listOptions({ resourceVersion: '0' }));
    expect(receipt.total.servedBy).toBe('watchcache');
    expect(receipt.total.requests).toBe(0);
  });
});
