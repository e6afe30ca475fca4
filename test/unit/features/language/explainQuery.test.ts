import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { askedBy, UNKNOWN_SERVER } from '../../../../server/explain/asked';
import { explain } from '../../../../server/explain/explain';
import { hoverServed, registerExplain } from '../../../../server/features/language/explainQuery';
import { knownServer } from '../../../../server/features/knownServer';
import type { Router } from '../../../../server/features/router';
import type { ConnectionStatus } from '../../../../server/protocol/model';
import { nothing } from '../../language/query/support';
import { LabelIndexBuilder } from '../../../../server/language/index/labelIndexBuilder';
import { nounOf } from '../../../../server/language/index/nouns';
import { analystOfDesk } from './support';

const text = `# @name pods
list pods -n web -l app=nginx --limit=100
###
GET /api/v1/pods?resourceVersionMatch=Exact
###
list
`;
const uri = 'file:///a/q.etcdlist';
const document = TextDocument.create(uri, 'etcdlist', 7, text);

const { analyst } = analystOfDesk();
const parts = {
  analyst,
  documents: { get: (name: string) => (name === uri ? document : undefined) },
  facts: () => Promise.resolve(UNKNOWN_SERVER),
  stored: { index: () => undefined },
};

/** The request as it comes over the border. */
async function asked(params: object): Promise<{ text: string } | null> {
  let answer: Promise<unknown> | undefined;
  const router: Router = {
    handle: (_, read, handler) => {
      const call = { signal: new AbortController().signal };
      answer = Promise.resolve(handler(read(params), call));
    },
  };
  registerExplain(router, parts);
  return (await answer) as { text: string } | null;
}

type Supposed = Parameters<typeof knownServer>[1];

describe('a query of an open document', () => {
  it('is explained', async () => {
    const found = await asked({ uri, version: 7, index: 0 });
    expect(found?.text).toMatch(/^LIST pods in web, labels app=nginx, limit 100\n/);
    expect(found?.text).toContain('\nSteps of Kubernetes 1.37 ');
    // The editor wraps them.
    expect(
      Math.max(...(found?.text ?? '').split('\n').map(({ length }) => length)),
    ).toBeGreaterThan(120);
  });

  it('that would be refused is explained as that', async () => {
    const found = await asked({ uri, version: 7, index: 1 });
    expect(found?.text).toContain('Refused with "resourceVersionMatch: Forbidden: ');
  });

  it('that is no request is not explained', async () => {
    await expect(asked({ uri, version: 7, index: 2 })).rejects.toMatchObject({
      message: expect.stringContaining('has errors') as string,
    });
  });

  it('of another version, number or document has no answer', async () => {
    expect(await asked({ uri, version: 8, index: 0 })).toBeNull();
    expect(await asked({ uri, version: 7, index: 3 })).toBeNull();
    expect(await asked({ uri: 'file:///b', version: 7, index: 0 })).toBeNull();
  });

  it('is read at the border', async () => {
    await expect(asked({ uri, version: 7, index: -1 })).rejects.toThrow('"index"');
    await expect(asked({ uri, version: 'x', index: 0 })).rejects.toThrow('"version"');
  });
});

describe('the word that a query begins with', () => {
  const at = (line: number, character: number) => hoverServed(parts, document, { line, character });

  it('says who serves the list', async () => {
    const hover = await at(1, 2);
    expect(hover?.contents.value).toMatch(/^Served by the watch cache, most likely \(rules C1, /);
    expect(hover?.range).toEqual({
      start: { line: 1, character: 0 },
      end: { line: 1, character: 4 },
    });
  });

  it('alone does, and of a query without errors', async () => {
    expect(await at(1, 6)).toBeNull();
    expect(await at(3, 1)).toBeNull();
  });
});

describe('what was read before for completion', () => {
  /** 1,000 of 1,000 or of 40,000 Pods, of which every hundredth is one of nginx. */
  const known = (total: number) => {
    const builder = new LabelIndexBuilder();
    for (let i = 1; i <= 1000; i++) {
      const labels = new Map([['app', i % 100 === 0 ? 'nginx' : 'other']]);
      builder.add({ labels, fields: new Map() });
    }
    const resource = {
      noun: nounOf('Pod', 'pods'),
      namespace: 'web',
      namespaced: true,
      fieldTransform: (field: string, value: string) => [field, value] as const,
    };
    const index = builder.build(resource, { total, unreadable: 0, places: total > 1000 ? 9 : 1 });
    const asked: unknown[] = [];
    const stored = {
      index: (...of: unknown[]) => {
        asked.push(of);
        return index;
      },
    };
    return { asked, parts: { ...parts, stored } };
  };

  it('gives the hover a line of what the list would cost', async () => {
    const { asked: places, parts: with1000 } = known(40_000);
    const hover = await hoverServed(with1000, document, { line: 1, character: 1 });
    expect(hover?.contents.value).toMatch(
      /From etcd it takes \d+ to \d+ etcd requests, [\d,]+ to 40,000 keys, by labels that were read before\./,
    );
    expect(places).toEqual([['pods', 'web']]);
  });

  it('estimates all the ways in the explanation', async () => {
    let answer: Promise<unknown> | undefined;
    const router: Router = {
      handle: (_, read, handler) => {
        const call = { signal: new AbortController().signal };
        answer = Promise.resolve(handler(read({ uri, version: 7, index: 0 }), call));
      },
    };
    registerExplain(router, known(1000).parts);
    const { text: told } = (await answer) as { text: string };
    expect(told).toContain('\nEstimate: 1,000 keys, of which 1 % match\n');
    expect(told).toContain('All 1,000 keys were read before.');
  });
});

describe('what a connection tells', () => {
  const connected = (extra: object): ConnectionStatus => ({
    state: 'connected',
    name: 'prod',
    connectionNumber: 1,
    endpoints: ['a:1'],
    root: '/k8s',
    isDemo: false,
    probing: false,
    members: [{ endpoint: 'a:1', version: '3.6.16', problem: '' }],
    rangeStream: { answer: 'supported' },
    probedAt: 1,
    ...extra,
  });
  const newest = { kubernetesVersion: '1.37', featureGates: {} } as const;
  const known = (status: ConnectionStatus, rangeStreamGate = true, supposed: Supposed = newest) =>
    knownServer({ status, rangeStreamGate }, supposed);
  const answers = async (extra: object) => {
    const { progress, rangeStream } = await known(connected(extra));
    return [progress.answer, rangeStream.answer];
  };

  it('is nothing but the gate without one', async () => {
    const { gates, progress } = await known({ state: 'disconnected' }, false);
    expect([gates.EtcdRangeStream, progress.answer]).toEqual([false, undefined]);
  });

  it('is of the version that is set, with its gates; those that it refuses are named', async () => {
    const featureGates = { ListFromCacheSnapshot: true, EtcdRangeStream: false } as const;
    const supposed = { kubernetesVersion: '1.33', featureGates } as const;
    const found = await known({ state: 'disconnected' }, false, supposed);
    expect(found.version).toBe('1.33');
    expect(found.gates).toMatchObject({ ListFromCacheSnapshot: true, EtcdRangeStream: false });
    expect(found.notes).toEqual([
      'etcdList.featureGates: EtcdRangeStream is left out, since kube-apiserver 1.33 refuses it: unrecognized feature gate: EtcdRangeStream (it came with 1.37).',
    ]);
    const { notes, server } = explain(askedBy({ ...nothing, resource: 'pods' }), found);
    expect([notes, server?.release]).toEqual([found.notes, 'v0.33.13']);
  });

  it('is what its members and its probe have answered', async () => {
    const found = await known(connected({}));
    expect(found.root).toBe('/k8s');
    expect(found.progress).toEqual({ answer: true, because: 'a:1 is 3.6.16' });
    expect(found.rangeStream.answer).toBe(true);
    const old = { endpoint: 'b:1', version: '3.5.12', problem: '' };
    const silent = { endpoint: 'c:1', version: '', problem: 'no answer' };
    const fine = { endpoint: 'a:1', version: '3.6.16', problem: '' };
    expect(await answers({ members: [fine, old] })).toEqual([false, true]);
    expect(await answers({ members: [fine, silent] })).toEqual([undefined, true]);
    expect(await answers({ members: [old, silent] })).toEqual([false, true]);
    expect(await answers({ members: [] })).toEqual([undefined, true]);
    expect(await answers({ rangeStream: { answer: 'notSupported' } })).toEqual([true, false]);
    const unknown = { answer: 'unknown', reason: 'Not probed yet.' };
    expect(await answers({ rangeStream: unknown })).toEqual([true, undefined]);
    expect(await answers({ rangeStream: { answer: 'gateOff' } })).toEqual([true, undefined]);
  });
});
