/** Upstream's watch cache as the oracle runs it: what it serves beside what etcd itself holds. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { etcdMissing } from '../support/etcdServer';
import { Court } from './court';
import { tell } from './enough';
import { oracleMissing, type Change, type ListAsk, type ListAnswer } from './oracle';
import { showRequest, type Outcome } from './outcome';
import { refereeSettings, timeoutFor } from './settings';

const { cases, seed, seeded } = refereeSettings();

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

/** How the cache learns which revision it must have reached: it reads the prefix as a key. */
const revisionRead = 'Range /cached/pods ..  limit=1 rev=(0)';

/** Every read that reached etcd. */
const readsOf = ({ requests }: ListAnswer): string[] =>
  requests.map(({ method, message }) => showRequest(method, Buffer.from(message, 'base64')));

/** Which storage upstream says it listed, with how many lists. */
const servedBy = ({ metrics }: ListAnswer): string[] =>
  metrics.flatMap((line) => /^apiserver_storage_list_total\{.*(storage=.*)$/.exec(line)?.[1] ?? []);

const fromCache = ['storage=watchcache} 1'];
const fromEtcd = ['storage=etcd} 1'];

/** The cache's answer is the engine's, and came out of the cache. */
function expectAlike(asked: ListAsk, theirs: ListAnswer, ours: Outcome): void {
  const remaining = theirs.remaining === null ? null : String(theirs.remaining);
  const upstream = {
    items: theirs.items,
    resourceVersion: theirs.resourceVersion,
    continue: placeOf(theirs.continue),
    remaining,
    error: null,
  };
  const { items, resourceVersion, continue: token, error } = ours;
  const engine = { items, resourceVersion, continue: placeOf(token), error };
  expect({ ...engine, remaining: ours.remaining }, JSON.stringify(asked)).toEqual(upstream);
  // A token says which revision, and the cache holds it.
  expect(readsOf(theirs)).toEqual(asked.continue === '' ? [revisionRead] : []);
  expect(servedBy(theirs)).toEqual(fromCache);
}

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('upstream’s watch cache', () => {
  let court: Court;
  beforeAll(async () => {
    court = await Court.open('3.7');
    const close = (): Promise<void> => court.close();
    const pods = ['default', 'web', 'web-2'].flatMap((namespace) =>
      Array.from({ length: 40 }, (_, i) => change(namespace, `pod-${i}`, 'abc'.charAt(i % 3))),
    );
    // What keeps the tests from beginning must not leave an etcd behind.
    await court.oracle.apply(pods).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    return close;
  });

  const cached = (more: Partial<ListAsk>): Promise<ListAnswer> =>
    court.oracle.list(ask({ ...more, cached: true }));

  /** Compares a list and the pages after it; resolves to how many there were. */
  async function comparePages(query: Partial<ListAsk>): Promise<number> {
    let token = '';
    let pages = 0;
    do {
      const asked = ask({ ...query, continue: token });
      const theirs = await cached(asked);
      expectAlike(asked, theirs, (await court.engine.list(asked)).outcome);
      token = theirs.continue;
      pages++;
    } while (token !== '');
    return pages;
  }

  // Fewer than that need not have second pages among them.
  const few = Math.max(20, Math.ceil(cases / 25));
  it(
    `serves ${String(few)} consistent lists with what the engine reads from etcd, page by page${seeded}`,
    async (context) => {
      let pages = 0;
      for (const random of fc.sample(query, { seed, numRuns: few })) {
        pages += await comparePages(random);
      }
      console.log(`referee: watch cache, ${String(few)} lists in ${String(pages)} pages`);
      tell(context, 'pages through the watch cache', pages);
      expect(pages - few).toBeGreaterThan(few / 10);
    },
    timeoutFor(few * 4),
  );

  it('ignores the limit where resourceVersion is 0, and asks etcd nothing', async () => {
    const answer = await cached({ resourceVersion: '0', limit: '2' });
    expect(answer.items).toHaveLength(120);
    expect([answer.continue, answer.remaining, answer.requests]).toEqual(['', null, []]);
    expect(servedBy(answer)).toEqual(fromCache);
  });

  it('is asked even where upstream has just forgotten what this etcd supports', async () => {
    await court.oracle.list(ask({ forget: true }));
    const theirs = await cached({ limit: '2', labelSelector: 'app=a' });
    expect(servedBy(theirs)).toEqual(fromCache);
  });

  it('is as fresh as etcd right after a write', async () => {
    for (let round = 0; round < 10; round++) {
      await court.oracle.apply([change('web', 'late', 'z'), remove('default', `pod-${round}`)]);
      const theirs = await cached({});
      const { outcome } = await court.engine.list(ask({}));
      expectAlike(ask({}), theirs, outcome);
      await court.oracle.apply([remove('web', 'late')]);
    }
  });

  it('goes to the store below with a revision it does not hold, whose requests are the engine’s', async () => {
    const { oracle, engine } = court;
    const before = await oracle.revision();
    await oracle.endCaches();
    await oracle.apply([change('web', 'after', 'z')]);
    await cached({});
    const old = { resourceVersion: String(before), match: 'Exact', limit: '50' };
    const theirs = await cached(old);
    expect(theirs.items).toHaveLength(50);
    expect(theirs.requests).toEqual((await oracle.list(ask(old))).requests);
    expect(servedBy(theirs)).toEqual(fromEtcd);
    const { outcome } = await engine.list(ask(old));
    expect(outcome.items).toEqual(theirs.items);
    expect(outcome.continue).toBe(theirs.continue);
    expect(outcome.requests).toEqual(readsOf(theirs));
  });
});
