/**
 * What a LIST promises whoever serves it: items in order, tokens, counts, revisions and refusals. It
 * runs over the store, with the stream on and off, and over the watch cache; nothing here knows how
 * many requests were made.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { nextKey, utf8, utf8Lossy } from '../../server/common/bytes';
import { decodeContinue, encodeContinue } from '../../server/store/continueToken';
import { ListFailedError, type ListResult, type ListStore } from '../../server/store/interfaces';
import type { SubjectWriter } from '../support/storeSubjects';
import { encodeTestObject, type TestObject } from '../support/testObjects';
import { listOptions, type ListInput } from '../support/testStore';

export interface ContractRig {
  readonly writer: SubjectWriter;
  readonly store: ListStore<TestObject>;
  /** The same kind of store, which has seen nothing of what was before now. */
  readonly anew: () => Promise<ListStore<TestObject>>;
}

const count = 1_500;
const nameOf = (i: number): string => `pod-${String(i).padStart(6, '0')}`;

const keysOf = ({ items }: ListResult<TestObject>): string[] =>
  items.map((item) => utf8Lossy(item.key));

export async function failureOf(list: Promise<unknown>): Promise<ListFailedError> {
  const outcome = await list.catch((error: unknown) => error);
  if (outcome instanceof ListFailedError) return outcome;
  throw new Error(`expected a failed list, got ${String(outcome)}`);
}

/** A namespace of one run of the contract, and lists of it. */
class Held {
  readonly path: string;
  readonly prefix: Uint8Array;
  constructor(
    private readonly rig: () => ContractRig,
    private readonly namespace: string,
  ) {
    this.path = `/pods/${namespace}`;
    this.prefix = utf8(`/registry/pods/${namespace}/`);
  }

  key = (i: number): string => `/registry/pods/${this.namespace}/${nameOf(i)}`;
  keys = (...numbers: number[]): string[] => numbers.map(this.key);

  object(i: number): Uint8Array {
    const labels = new Map([['half', String(i % 2)]]);
    if (i % 100 === 0) labels.set('rare', 'yes');
    return encodeTestObject({ name: nameOf(i), namespace: this.namespace, labels });
  }

  async load(upTo: number): Promise<void> {
    const { writer } = this.rig();
    for (let i = 0; i < upTo; i++) await writer.put(this.key(i), this.object(i));
  }

  list = (input: ListInput = {}, store = this.rig().store): Promise<ListResult<TestObject>> =>
    store.getList(listOptions({ key: this.path, ...input }));

  /**
   * Behind which object a token goes on, and at which revision. A token of the watch cache writes the
   * same key with a slash (rule C6).
   */
  resumesAt(token: string): [number, bigint] {
    const { key, resourceVersion } = decodeContinue(token, this.prefix);
    const behind = /pod-(\d{6})\0$/.exec(utf8Lossy(key))?.[1];
    return [Number(behind), resourceVersion];
  }

  /** Writes elsewhere and compacts to the revision of it, so that every earlier one is gone. */
  async compact(): Promise<void> {
    const { writer } = this.rig();
    await writer.compact(await writer.put('/other', utf8('x')));
  }
}

export function listContract(name: string, tag: string, rig: () => ContractRig): void {
  describe(`the contract of a list: ${name}`, () => {
    const held = (part: string): Held => new Held(rig, `${part}-${tag}`);
    itemCases(held('items'), rig);
    versionCases(held('version'), rig);
    expiryCases(held('expired'), rig);
    keyCases(held('odd'), rig);
  });
}

function itemCases(held: Held, rig: () => ContractRig): void {
  const all = Array.from({ length: count }, (_, i) => i);
  beforeAll(async () => {
    const entries = all.map((i) => [held.key(i), held.object(i)] as const);
    await rig().writer.bulkLoad(entries);
  });

  it('gives everything in order, and neither token nor count, without a limit', async () => {
    const result = await held.list();
    expect(keysOf(result)).toEqual(held.keys(...all));
    expect([result.continueToken, result.remainingItemCount]).toEqual(['', null]);
    expect(result.resourceVersion).toBe(await rig().writer.revision());
  });

  it('gives a page, a token that says its revision and where to go on, and what is left', async () => {
    const result = await held.list({ limit: 500n });
    expect(keysOf(result)).toEqual(held.keys(...all.slice(0, 500)));
    expect(result.remainingItemCount).toBe(1000n);
    expect(held.resumesAt(result.continueToken)).toEqual([499, result.resourceVersion]);
  });

  it('does not count what is left when it filters', async () => {
    const result = await held.list({ limit: 3n, labelSelector: 'rare=yes' });
    expect(keysOf(result)).toEqual(held.keys(0, 100, 200));
    expect(result.remainingItemCount).toBeNull();
    expect(held.resumesAt(result.continueToken)).toEqual([200, result.resourceVersion]);
  });

  it('gives every object that matches exactly once when tokens are followed, at one revision', async () => {
    const [seen, revisions]: [string[], Set<bigint>] = [[], new Set()];
    let continueToken = '';
    do {
      const page = await held.list({ limit: 4n, labelSelector: 'rare=yes', continueToken });
      seen.push(...keysOf(page));
      revisions.add(page.resourceVersion);
      ({ continueToken } = page);
      await rig().writer.put('/other', utf8('x'));
    } while (continueToken !== '');
    expect(seen).toEqual(held.keys(...all.filter((i) => i % 100 === 0)));
    expect(revisions.size).toBe(1);
  });

  it('gives no token when the last object is on the page', async () => {
    const exact = await held.list({ limit: BigInt(count) });
    expect([exact.items.length, exact.continueToken]).toEqual([count, '']);
    const last = await held.list({ limit: 15n, labelSelector: 'rare=yes' });
    expect(last.items).toHaveLength(15);
  });

  it('gives an empty list for a prefix that holds nothing', async () => {
    const result = await held.list({ key: `${held.path}-none`, limit: 5n });
    expect([result.items, result.continueToken]).toEqual([[], '']);
    expect(result.resourceVersion).toBe(await rig().writer.revision());
  });

  it('gives one object for a key that is not recursive, and none where there is none', async () => {
    const one = await held.list({ key: `${held.path}/${nameOf(7)}`, recursive: false, limit: 3n });
    expect(keysOf(one)).toEqual(held.keys(7));
    const none = await held.list({ key: `${held.path}/none`, recursive: false });
    expect(none.items).toEqual([]);
  });

  it('reads nothing beyond its own prefix, whatever the token says', async () => {
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":-1,"start":"zzz"}').toString('base64url');
    expect((await held.list({ continueToken: token, limit: 5n })).items).toEqual([]);
  });
}

function versionCases(held: Held, rig: () => ContractRig): void {
  const future = '4611686018427387904';

  it('lists exactly an older revision and says that one', async () => {
    const { writer } = rig();
    await held.load(3);
    const before = await writer.revision();
    await writer.delete(held.key(1));
    const result = await held.list({
      resourceVersion: String(before),
      resourceVersionMatch: 'Exact',
    });
    expect([keysOf(result), result.resourceVersion]).toEqual([held.keys(0, 1, 2), before]);
    const latest = await held.list();
    expect([keysOf(latest), latest.resourceVersion]).toEqual([held.keys(0, 2), before + 1n]);
  });

  it('goes on at the revision of its token while objects come and go', async () => {
    const { writer } = rig();
    const first = await held.list({ limit: 1n });
    await writer.delete(held.key(2));
    await writer.put(held.key(9), held.object(9));
    const rest = await held.list({ limit: 5n, continueToken: first.continueToken });
    expect([keysOf(rest), rest.resourceVersion]).toEqual([held.keys(2), first.resourceVersion]);
    expect(keysOf(await held.list())).toEqual(held.keys(0, 9));
  });

  it.each(['Exact', 'NotOlderThan'])('refuses a revision of the future, %s', async (match) => {
    const current = await rig().writer.revision();
    const failed = await failureOf(
      held.list({ resourceVersion: future, resourceVersionMatch: match }),
    );
    expect(failed.message).toBe(
      `Timeout: Too large resource version: ${future}, current: ${String(current)}`,
    );
    expect(failed.cause.code).toBe('tooLargeResourceVersion');
  });

  it.each([
    [{ continueToken: 'garbled!' }],
    [{ resourceVersion: '-1' }],
    [{ resourceVersion: 'x' }],
  ] satisfies [ListInput][])('refuses %o without a request', async (input) => {
    const failed = await failureOf(held.list(input));
    expect([failed.cause.code, failed.receipt.total.requests]).toEqual(['badRequest', 0]);
  });
}

function expiryCases(held: Held, rig: () => ContractRig): void {
  const revisionOf = async (): Promise<bigint> => (await held.list({ limit: 1n })).resourceVersion;

  it('answers 410 without a token when the request carried none', async () => {
    await held.load(8);
    const old = { resourceVersion: String(await revisionOf()), resourceVersionMatch: 'Exact' };
    await held.compact();
    const failed = await failureOf(held.list(old, await rig().anew()));
    expect(failed.message).toBe('The resourceVersion for the provided list is too old.');
    expect([failed.cause.status, failed.cause.continueToken]).toEqual([410, undefined]);
  });

  it('offers a token at the latest revision when the request carried one', async () => {
    const { continueToken } = await held.list({ limit: 3n });
    await held.compact();
    const store = await rig().anew();
    const failed = await failureOf(held.list({ limit: 3n, continueToken }, store));
    const token = failed.cause.continueToken ?? '';
    expect([failed.cause.status, held.resumesAt(token)]).toEqual([410, [2, -1n]]);
    const rest = await held.list({ continueToken: token }, store);
    expect(keysOf(rest)).toEqual(held.keys(3, 4, 5, 6, 7));
    expect(rest.resourceVersion).toBe(await rig().writer.revision());
  });

  it('offers no token to a list that is not recursive and carried one', async () => {
    const old = await revisionOf();
    await held.compact();
    const one: ListInput = {
      key: `${held.path}/${nameOf(1)}`,
      recursive: false,
      resourceVersion: String(old),
      resourceVersionMatch: 'Exact',
      continueToken: encodeContinue(nextKey(utf8(held.key(0))), held.prefix, old),
    };
    const failed = await failureOf(held.list(one, await rig().anew()));
    expect(failed.message).toBe(
      'The provided continue parameter is too old to display a consistent list result. ' +
        'You can start a new list without the continue parameter.',
    );
    expect([failed.cause.status, failed.cause.continueToken]).toEqual([410, undefined]);
  });

  it('still lists exactly the revision that was compacted to', async () => {
    const { writer } = rig();
    const at = await writer.put('/other', utf8('y'));
    await writer.put('/other', utf8('y'));
    await writer.compact(at);
    const exact = { resourceVersion: String(at), resourceVersionMatch: 'Exact' };
    expect((await held.list(exact, await rig().anew())).items).toHaveLength(8);
  });
}

function keyCases(held: Held, rig: () => ContractRig): void {
  it('lists keys that hold NUL, odd names and bytes that are not UTF-8, and pages over them', async () => {
    const names = [
      utf8('a\0b'),
      utf8('a b'),
      utf8('é'),
      utf8('\u{1f600}'),
      utf8('.x'),
      Uint8Array.of(0x62, 0xff, 0xfe),
      Uint8Array.of(0xff),
    ];
    const keys = names.map((name) => Buffer.concat([held.prefix, name]));
    for (const key of keys) await rig().writer.put(key, encodeTestObject({ name: 'x' }));
    const inOrder = [...keys]
      .sort((a, b) => Buffer.compare(a, b))
      .map((key) => key.toString('hex'));
    const hexOf = ({ items }: ListResult<TestObject>): string[] =>
      items.map((item) => Buffer.from(item.key).toString('hex'));
    expect(hexOf(await held.list())).toEqual(inOrder);
    const page = await held.list({ limit: 2n });
    expect([hexOf(page), page.remainingItemCount]).toEqual([inOrder.slice(0, 2), 5n]);
  });
}
