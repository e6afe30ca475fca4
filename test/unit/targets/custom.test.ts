import { describe, expect, it } from 'vitest';
import { isCalled, parseDefinition } from '../../../server/targets/customDefinition';
import { CliError } from '../../../server/cli/exit';
import { fieldSelector } from '../../../server/cli/selectors';
import { prefixTarget, resolveResource, type Lookup } from '../../../server/targets/target';
import { compareBytes, utf8, utf8Lossy } from '../../../server/common/bytes';
import { EtcdError } from '../../../server/etcd/errors';
import type { EtcdReader, RangeRequest } from '../../../server/etcd/interfaces';

const definition = (extra: object = {}) =>
  utf8(
    JSON.stringify({
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        versions: [
          { name: 'v1', storage: false },
          {
            name: 'v2',
            storage: true,
            selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec[*]' }],
          },
        ],
        ...extra,
      },
    }),
  );

const prefix = '/registry/apiextensions.k8s.io/customresourcedefinitions/';

/** Answers ranges out of a map, and keeps what was asked. */
function fakeEtcd(stored: ReadonlyMap<string, Uint8Array>) {
  const asked: RangeRequest[] = [];
  const range: EtcdReader['range'] = (request) => {
    asked.push(request);
    const end = request.rangeEnd;
    const kvs = [...stored]
      .map(([key, value]) => ({ key: utf8(key), value }))
      .filter(({ key }) => compareBytes(key, request.key) >= 0)
      .filter(({ key }) =>
        end ? compareBytes(key, end) < 0 : compareBytes(key, request.key) === 0,
      )
      .map((kv) => ({ ...kv, createRevision: 1n, modRevision: 1n, version: 1n, lease: 0n }));
    const limit = Number(request.limit ?? 0n) || kvs.length;
    const page = kvs.slice(0, limit);
    return Promise.resolve({
      kvs: page,
      count: BigInt(kvs.length),
      more: page.length < kvs.length,
      revision: 1n,
      bytes: 0,
      endpoint: 'fake:1',
    });
  };
  return { asked, range };
}

function lookup(range: EtcdReader['range']): Lookup & { notices: string[] } {
  const notices: string[] = [];
  return {
    etcd: { range } as EtcdReader,
    root: '/registry',
    signal: new AbortController().signal,
    notice: (text) => notices.push(text),
    notices,
  };
}

const stored = new Map([
  [`${prefix}gadgets.example.com`, utf8('k8s\0 no definition')],
  [`${prefix}widgets.example.com`, definition()],
]);

describe('a definition', () => {
  it('says what keys do not', () => {
    expect(parseDefinition(definition())).toMatchObject({
      group: 'example.com',
      plural: 'widgets',
      namespaced: true,
      versions: [{ name: 'v1' }, { storage: true, selectablePaths: ['.spec.color', '.spec[*]'] }],
    });
    expect(parseDefinition(definition({ scope: 'Cluster' })).namespaced).toBe(false);
  });

  it('answers to every name', () => {
    const parsed = parseDefinition(definition());
    expect(['widgets', 'widget', 'Widget', 'WD'].every((word) => isCalled(parsed, word))).toBe(
      true,
    );
    expect(isCalled(parsed, 'widge')).toBe(false);
  });

  it.each(['{}', '{"spec":5}', '[]', 'k8s\0', '{"spec":{"group":"g","names":[]}}'])(
    '%j is none',
    (text) => {
      expect(() => parseDefinition(utf8(text))).toThrow();
    },
  );
});

describe('looking a resource up', () => {
  it('reads nothing for what is built in', async () => {
    const { asked, range } = fakeEtcd(stored);
    const target = await resolveResource('svc', lookup(range));
    expect([target.path, target.namespaced, asked.length]).toEqual(['/services/specs', true, 0]);
  });

  it('reads one definition for a full name', async () => {
    const { asked, range } = fakeEtcd(stored);
    const target = await resolveResource('widgets.example.com', lookup(range));
    expect(target).toMatchObject({ path: '/example.com/widgets', name: 'widgets.example.com' });
    expect(asked.map(({ key }) => utf8Lossy(key))).toEqual([`${prefix}widgets.example.com`]);
  });

  it.each(['widgets', 'wd', 'Widget'])('finds %s among the definitions', async (word) => {
    const { asked, range } = fakeEtcd(stored);
    const target = await resolveResource(word, lookup(range));
    expect(target.path).toBe('/example.com/widgets');
    expect(asked[0]?.keysOnly).toBe(true);
  });

  it('takes declared fields, and passes over paths that the API server would refuse', async () => {
    const target = await resolveResource('wd', lookup(fakeEtcd(stored).range));
    expect(fieldSelector('spec.color=red', target.fieldTransform)?.toString()).toBe(
      'spec.color=red',
    );
    expect(() => fieldSelector('spec.size=1', target.fieldTransform)).toThrow(CliError);
  });

  it('says when a definition cannot be read', async () => {
    await expect(
      resolveResource('gadgets.example.com', lookup(fakeEtcd(stored).range)),
    ).rejects.toMatchObject({
      kind: 'unreadableDefinition',
      message: expect.stringContaining(
        'the definition of "gadgets.example.com" cannot be read',
      ) as string,
    });
  });

  it('names the nearest, custom ones first, also when etcd cannot be asked', async () => {
    await expect(resolveResource('widgits', lookup(fakeEtcd(stored).range))).rejects.toMatchObject({
      kind: 'unknownResource',
      message: expect.stringContaining('there is no resource "widgits"') as string,
    });
    const gone = new EtcdError({ code: 'unavailable', message: 'gone', endpoint: 'fake:1' });
    await expect(
      resolveResource(
        'podz',
        lookup(() => Promise.reject(gone)),
      ),
    ).rejects.toMatchObject({
      kind: 'unknownResource',
      message: expect.stringContaining('custom resources could not be looked up') as string,
    });
  });
});

describe('a plain prefix', () => {
  it('decodes what is an object and passes the rest on', () => {
    const unjudged: unknown[] = [];
    const onUnjudged = (value: unknown): void => {
      unjudged.push(value);
    };
    const decoder = prefixTarget('/registry/x/').decoder({ readsFields: false, onUnjudged });
    const item = { key: utf8('/k'), modRevision: 1n };
    const object = decoder.decode(definition(), item);
    expect(object.object?.kind).toBe('CustomResourceDefinition');
    const value = decoder.decode(utf8('k8s:enc:aescbc:v1:k:x'), item);
    expect(value.object).toBeUndefined();
    expect(() => decoder.attributes(value)).toThrow('no Kubernetes object');
    expect(unjudged).toEqual([value]);
  });
});
