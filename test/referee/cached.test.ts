/** Upstream's watch cache as the oracle runs it: what it serves beside what etcd itself holds. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { etcdMissing, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { Engine } from './engine';
import { Oracle, oracleMissing, type Change, type ListAsk, type ListAnswer } from './oracle';
import { refereeSettings, timeoutFor } from './settings';

const { cases, seed } = refereeSettings();

const ask = (more: Partial<ListAsk>): ListAsk => ({
  root: 'cached',
  resourcePrefix: '/pods',
  stream: false,
  aggregate: false,
  forget: false,
  key: '/pods',
  recursive: true,
  resourceVersion: '',
  match: '',
  limit: '0',
  labelSelector: '',
  fieldSelector: '',
  continue: '',
  brief: false,
  disturb: 0,
  changes: [],
  compact: false,
  ...more,
});

const change = (namespace: string, name: string, app: string): Change => ({
  key: Buffer.from(`/cached/pods/${namespace}/${name}`).toString('base64'),
  pod: {
    namespace,
    name,
    uid: `${namespace}.${name}`,
    labels: [['app', app]],
    node: `node-${app}`,
  },
});

const remove = (namespace: string, name: string): Change => {
  const { key } = change(namespace, name, '');
  return { key, delete: true };
};

/** The watch cache begins a start key with a slash where the list's key ends without one. */
const placeOf = (token: string): string =>
  Buffer.from(token, 'base64url').toString('utf8').replace('"start":"/', '"start":"');

const query = fc.record({
  key: fc.constantFrom('/pods', '/pods/web', '/pods/web/', '/pods/none'),
  limit: fc.constantFrom('0', '1', '2', '7', '100', '500'),
  labelSelector: fc.constantFrom('', 'app=a', 'app in (a,b)', '!app', 'app notin (a)'),
  fieldSelector: fc.constantFrom('', '', 'spec.nodeName=node-b', 'metadata.namespace=web'),
});

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('upstream’s watch cache', () => {
  let etcd: RunningEtcd;
  let oracle: Oracle;
  let engine: Engine;
  beforeAll(async () => {
    etcd = await startEtcd('3.7');
    oracle = await Oracle.start(etcd.endpoint);
    engine = await Engine.start(etcd.endpoint);
    const pods = ['default', 'web', 'web-2'].flatMap((namespace) =>
      Array.from({ length: 40 }, (_, i) => change(namespace, `pod-${i}`, 'abc'.charAt(i % 3))),
    );
    await oracle.apply(pods);
  });
  afterAll(async () => {
    await engine.stop();
    await oracle.stop();
    await etcd.stop();
  });

  const cached = (more: Partial<ListAsk>): Promise<ListAnswer> =>
    oracle.list(ask({ ...more, cached: true }));

  const few = Math.ceil(cases / 25);
  it(
    `serves ${String(few)} consistent lists with what the engine reads from etcd, page by page`,
    async () => {
      const met = { requests: 0, tokens: 0, pages: 0 };
      for (const random of fc.sample(query, { seed, numRuns: few })) {
        let token = '';
        do {
          const one = { ...random, continue: token };
          const theirs = await cached(one);
          const { outcome } = await engine.list(ask(one));
          const remaining = theirs.remaining === null ? null : String(theirs.remaining);
          expect([one, outcome.error]).toEqual([one, null]);
          expect([one, outcome.items]).toEqual([one, theirs.items]);
          expect([one, outcome.resourceVersion]).toEqual([one, theirs.resourceVersion]);
          expect([one, placeOf(outcome.continue), outcome.remaining]).toEqual([
            one,
            placeOf(theirs.continue),
            remaining,
          ]);
          token = theirs.continue;
          met.pages++;
          met.requests += theirs.requests.filter(({ method }) => method === 'Range').length;
          if (token !== '') met.tokens++;
        } while (token !== '');
      }
      console.log(`referee: watch cache, seed ${seed}: ${JSON.stringify(met)}`);
      expect(met.tokens).toBeGreaterThan(few / 10);
    },
    timeoutFor(few * 4),
  );

  it('ignores the limit where resourceVersion is 0, and asks etcd nothing', async () => {
    const answer = await cached({ resourceVersion: '0', limit: '2' });
    expect(answer.items).toHaveLength(120);
    expect([answer.continue, answer.remaining, answer.requests]).toEqual(['', null, []]);
  });

  it('is as fresh as etcd right after a write', async () => {
    for (let round = 0; round < 10; round++) {
      await oracle.apply([change('web', 'late', 'z'), remove('default', `pod-${round}`)]);
      const theirs = await cached({});
      const { outcome } = await engine.list(ask({}));
      expect(theirs.items).toEqual(outcome.items);
      await oracle.apply([remove('web', 'late')]);
    }
  });

  it('goes to the store below with a revision it does not hold, whose requests are the engine’s', async () => {
    const before = await oracle.revision();
    await oracle.endCaches();
    await oracle.apply([change('web', 'after', 'z')]);
    await cached({});
    const old = { resourceVersion: String(before), match: 'Exact', limit: '50' };
    const theirs = await cached(old);
    expect(theirs.items).toHaveLength(50);
    expect(theirs.requests).toEqual((await oracle.list(ask(old))).requests);
    const { outcome } = await engine.list(ask(old));
    expect(outcome.items).toEqual(theirs.items);
    expect(outcome.continue).toBe(theirs.continue);
    expect(outcome.requests).toHaveLength(theirs.requests.length);
  });
});
