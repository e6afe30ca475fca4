/** `run` in this process, on an etcd in memory. */
import { Readable } from 'node:stream';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runApp } from '../../../server/cli/app';
import { parseArgs } from '../../../server/cli/args/parse';
import type { RunPlan } from '../../../server/cli/args/plan';
import type { Context } from '../../../server/cli/context';
import { StoppedError } from '../../../server/cli/exit';
import { chosenQueries, type ChosenQuery } from '../../../server/cli/run/chosen';
import { frameOf } from '../../../server/cli/run/frame';
import { getPlanOf, goOnWords } from '../../../server/cli/run/getPlan';
import { headingOf } from '../../../server/cli/run/heading';
import { systemClock } from '../../../server/common/clock';
import { utf8 } from '../../../server/common/bytes';
import type { CallRecord } from '../../../server/demo/callLog';
import { startDemoEtcd, type DemoEtcd } from '../../../server/demo/demoEtcd';
import { openQueries } from '../../../server/language/open';
import type { RangeRequest } from '../../../server/etcd/rpc/messages';
import { keptContext, type KeptContext } from './support';

let etcd: DemoEtcd;
let onCall: (call: CallRecord) => void | Promise<void>;

beforeAll(async () => {
  etcd = await startDemoEtcd({ rangeStream: false, onCall: () => onCall(etcd.calls.at(-1)!) });
  const put = (kind: string, path: string, labels: object = {}): void => {
    const [name, namespace] = path.split('/').reverse();
    const object = { apiVersion: 'v1', kind, metadata: { name, namespace, labels } };
    etcd.store.put(utf8(`/registry/${path}`), utf8(JSON.stringify(object)));
  };
  for (const name of ['a', 'b', 'c', 'd', 'e']) put('Pod', `pods/v/${name}`, { app: name });
  put('Pod', 'pods/default/only');
  put('ConfigMap', 'configmaps/v/one');
  etcd.store.put(utf8('/registry/services/specs/v/broken'), utf8('k8s:enc:aescbc:v1:key1:xxxx'));
});

afterAll(() => etcd.stop());

beforeEach(() => {
  onCall = () => undefined;
});

interface Ran extends KeptContext {
  readonly code: number;
  readonly printed: string;
  readonly said: string;
}

async function run(text: string, args: readonly string[] = [], extra: Partial<Context> = {}) {
  const argv = ['run', '-', ...args];
  const kept = keptContext({
    env: { ETCDCTL_ENDPOINTS: etcd.endpoint },
    clock: systemClock,
    invocation: { program: 'etcd-list', argv },
    stdin: Readable.from([Buffer.from(text)]),
    ...extra,
  });
  const code = await runApp(argv, kept.context, '0');
  const ran: Ran = { ...kept, code, printed: kept.rows.join(''), said: kept.notes.join('\n') };
  return ran;
}

const PAGES = `# @name one
list pods -n v --limit=2
###
# @name two
GET /api/v1/namespaces/v/pods?limit=2&continue={{one.continue}}
###
# @name three
list pods -n v --limit=2 --continue={{two.continue}}
###
# @name four
list pods -n v --limit=2 --continue={{three.continue}}
###
# @name five
list pods -n v --limit=2 --continue={{four.continue}}
`;
const names = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('queries', () => {
  it('run in order, each with the token of an earlier one', async () => {
    const { code, printed, said } = await run(PAGES, ['-o', 'name']);
    expect(code).toBe(0);
    expect(names(printed)).toEqual(['pod/a', 'pod/b', 'pod/c', 'pod/d', 'pod/e']);
    expect(said).toContain(
      'note: four is skipped: three ended without a token, so nothing is left to read',
    );
    expect(said).toContain(
      'note: five is skipped: four was skipped, so there is no token to go on with',
    );
    expect(said).toMatch(/5 queries: 3 done, 2 skipped$/);
  });

  it('that are named run with those whose tokens they take', async () => {
    const { code, printed, said } = await run(PAGES, ['two', '-o', 'name']);
    expect(code).toBe(0);
    expect(names(printed)).toEqual(['pod/a', 'pod/b', 'pod/c', 'pod/d']);
    expect(said).toMatch(/2 queries: 2 done$/);
  });

  it.each(['kubectl get pods NAME -n v', 'GET /api/v1/namespaces/v/pods/NAME'])(
    'fail as get does where the one object of %s is not there',
    async (form) => {
      const missing = await run(form.replace('NAME', 'gone'));
      expect(missing.code).toBe(1);
      expect(missing.said).toContain('error: pods "gone" not found in namespace "v"');
      const found = await run(form.replace('NAME', 'a'), ['-o', 'json']);
      expect(found.code).toBe(0);
      expect(JSON.parse(found.printed)).toMatchObject([
        { list: { kind: 'Pod', metadata: { name: 'a' } } },
      ]);
    },
  );

  it('do not fail for want of an object that may be missing', async () => {
    const { code, said } = await run('kubectl get pods gone -n v --ignore-not-found');
    expect(code).toBe(0);
    expect(said).toContain('no pods found');
  });

  it('make the requests that they state, on one connection', async () => {
    const first = etcd.calls.length;
    const text = [
      'kubectl get pods -n v --chunk-size=4',
      'list pods -n v --limit=3',
      'GET /api/v1/namespaces/v/pods?limit=-1',
      'list /registry/configmaps/ --limit=7',
      'kubectl get pods e -n v',
    ].join('\n###\n');
    const { code, printed } = await run(text, ['-o', 'name']);
    expect(code).toBe(0);
    const reads = etcd.calls
      .slice(first)
      .filter(({ method }) => method.endsWith('/Range'))
      .map(({ request }) => request as RangeRequest)
      .map(({ key, limit }) => [Buffer.from(key).toString(), Number(limit)]);
    // Before a read of everything the keys are counted, and few are read to know their size.
    expect(reads).toEqual([
      ['/registry/pods/v/', 4],
      ['/registry/pods/v/d\0', 4],
      ['/registry/pods/v/', 3],
      ['/registry/pods/v/', 0],
      ['/registry/pods/v/', 0],
      ['/registry/configmaps/', 7],
      ['/registry/pods/v/e', 1],
    ]);
    expect(names(printed)).toHaveLength(5 + 3 + 5 + 1 + 1);
  });

  it('read the namespace that kubectl would', async () => {
    const text = 'kubectl get pods';
    expect(names((await run(text, ['-o', 'name'])).printed)).toEqual(['pod/only']);
    expect(names((await run(text, ['-o', 'name', '-n', 'v'])).printed)).toHaveLength(5);
    expect((await run(text, ['-n', 'a/b'])).code).toBe(2);
  });

  it('that are watches list, and say so', async () => {
    const { code, printed, said } = await run('GET /api/v1/namespaces/v/pods?watch=1', [
      '-o',
      'name',
    ]);
    expect(code).toBe(0);
    expect(names(printed)).toHaveLength(5);
    expect(said).toContain(
      'note: written as a watch: its initial list is read, and no changes after it',
    );
  });

  it('skip what cannot be read where they or the run say so', async () => {
    const own = await run('list services --skip-unreadable');
    const all = await run('list services', ['--skip-unreadable']);
    const none = await run('list services');
    expect([own.code, all.code, none.code]).toEqual([0, 0, 1]);
    expect(own.said).toContain('/registry/services/specs/v/broken cannot be read and is left out');
  });

  it('say how to go on with a command of get', async () => {
    const { said } = await run("list pods -n v -l 'app!=x' --limit=2", [
      '-o',
      'wide',
      '--endpoints',
      etcd.endpoint,
    ]);
    expect(said).toMatch(
      new RegExp(
        `next page: etcd-list get pods -n v -l 'app!=x' --limit=2 -o wide --endpoints=${etcd.endpoint} --continue=ey\\w+$`,
      ),
    );
  });
});

describe('a file', () => {
  /** Says how many calls of etcd it made, too. */
  const calls = async (text: string, args: readonly string[] = []) => {
    const before = etcd.calls.length;
    const ran = await run(text, args);
    return { ...ran, calls: etcd.calls.length - before };
  };

  it('with an error runs nothing, also of the queries without one', async () => {
    const ran = await calls(`# @name good\nlist pods\n###\nlist pods -l 'a in ('\n`, ['good']);
    expect([ran.code, ran.calls, ran.printed]).toEqual([2, 0, '']);
    expect(ran.said).toBe(
      [
        "stdin:4:20: error: unable to parse requirement: found '', expected: ',', ')' or identifier [label-selector]",
        "  list pods -l 'a in ('",
        `${' '.repeat(21)}^`,
        'error: standard input has 1 error: nothing is run',
      ].join('\n'),
    );
  });

  it('with a token from a query that is not there, or comes later, runs nothing', async () => {
    const unknown = await calls('list pods --continue={{no.continue}}');
    expect([unknown.code, unknown.calls]).toEqual([2, 0]);
    expect(unknown.said).toContain('No query before this one is called "no".');
    const later = await calls(
      'list pods --continue={{b.continue}}\n###\n# @name b\nlist pods --limit=1',
    );
    expect(later.said).toContain('comes later');
    expect([later.code, later.calls]).toEqual([2, 0]);
  });

  it('with a warning says it and runs', async () => {
    const ran = await calls("list pods -l 'a=1,a=2'");
    expect(ran.code).toBe(0);
    expect(ran.said).toMatch(/^stdin:1:\d+: warning: .* \[contradiction\]/);
  });

  it('that was not looked at to its end runs nothing', async () => {
    const blocks = 'list pods\n###\n'.repeat(10_001);
    const many = await calls(blocks);
    expect([many.code, many.calls]).toEqual([2, 0]);
    expect(many.said).toContain('Only the first 10,000 blocks are looked at.');
    const long = await calls(`list pods -l ${'x'.repeat(300_000)}\n###\nlist pods`);
    expect([long.code, long.calls]).toEqual([2, 0]);
    expect(long.said).toMatch(/error: not all of standard input was looked at: nothing is run$/);
  });

  it('with more findings than are shown runs when none is an error', async () => {
    const { code } = await run(
      `# @name x\nlist pods --limit=1${'\n###\nkubectl get pods'.repeat(1001)}`,
      ['x'],
    );
    expect(code).toBe(0);
  });

  it('without a query, or without the one that is named, is wrong usage', async () => {
    expect(await run('# nothing')).toMatchObject({
      code: 2,
      said: 'error: standard input holds no query: nothing is run',
    });
    expect((await run(PAGES, ['tow'])).said).toBe(
      'error: no query of standard input is called "tow": did you mean two?',
    );
    expect((await run(PAGES, ['zzzzzz'])).said).toContain('there are one, two, three, four, five');
    expect((await run('list pods', ['x'])).said).toContain('none has a name');
  });

  it('that is not there is wrong usage', async () => {
    const kept = keptContext();
    expect(await runApp(['run', '/no/such/file'], kept.context, '0')).toBe(2);
    expect(kept.notes).toEqual(['error: /no/such/file cannot be read: there is no such file']);
  });

  it('of YAML is told by its beginning on standard input', async () => {
    const text =
      '# queries\nname: one\nresource: pods\nnamespace: v\nlimit: 2\n---\nresource: pods\nnamespace: v\ncontinue: "{{one.continue}}"\n';
    const { code, printed, said } = await run(text, ['-o', 'name']);
    expect(code).toBe(0);
    expect(names(printed)).toHaveLength(5);
    expect(said).toContain('### one: get pods -n v --limit=2\n');
    expect(said).toContain('### get pods -n v --limit=0 --continue={{one.continue}}\n');
  });
});

const FAILING = `# @name ok
list pods -n v --limit=2
###
# @name bad
list pods -n v --limit=2 --resource-version=999999 --resource-version-match=Exact
###
# @name expired
list services
###
# @name needs
list pods --limit=1 --continue={{bad.continue}}
###
# @name last
list configmaps
`;

describe('a query that fails', () => {
  it('ends the run with its exit code', async () => {
    const { code, printed, said } = await run(FAILING, ['-o', 'name']);
    expect(code).toBe(1);
    expect(names(printed)).toEqual(['pod/a', 'pod/b']);
    expect(said).toContain('error: Timeout: Too large resource version: 999999, current: ');
    expect(said).toMatch(/5 queries: 1 done, 1 failed, 3 not run$/);
  });

  it('is passed over with --keep-going, and its exit code stays', async () => {
    const { code, printed, said } = await run(FAILING, ['-o', 'name', '--keep-going']);
    expect(code).toBe(1);
    expect(names(printed)).toEqual(['pod/a', 'pod/b', 'configmap/one']);
    expect(said).toContain(
      'note: needs is skipped: bad failed, so there is no token to go on with',
    );
    expect(said).toMatch(/5 queries: 2 done, 2 failed, 1 skipped$/);
  });

  it('first gives the exit code, whatever fails after it', async () => {
    const compacted = 'list pods --limit=1 --resource-version=1 --resource-version-match=Exact';
    etcd.store.compact(3n);
    const first = await run(`${compacted}\n###\nlist services`, ['--keep-going']);
    const last = await run(`list services\n###\n${compacted}`, ['--keep-going']);
    expect([first.code, last.code]).toEqual([3, 1]);
  });

  it('is no reason to go on when the work is stopped', async () => {
    const stop = new AbortController();
    const before = etcd.calls.length;
    onCall = (call) => {
      if (call.method.endsWith('/Range')) stop.abort(new StoppedError('interrupt'));
    };
    const { code, said } = await run(FAILING, ['--keep-going'], { signal: stop.signal });
    expect(code).toBe(130);
    expect(said).toMatch(/\ninterrupted$/);
    expect(said.match(/interrupted/g)).toHaveLength(1);
    expect(said).not.toContain('5 queries');
    expect(etcd.calls.slice(before).filter(({ method }) => method.endsWith('/Range'))).toHaveLength(
      1,
    );
  });
});

describe('output', () => {
  const queries = 'list pods -n v --limit=1\n###\n# @name cm\nlist configmaps\n###\nlist secrets\n';

  it('as tables stands below headings', async () => {
    const { printed } = await run(queries);
    expect(printed).toMatch(
      /^### list pods -n v --limit=1\nNAME .*\na .*\n\n### cm: list configmaps\nNAMESPACE .*\nv .*\n\n### list secrets\n$/,
    );
  });

  it('of one query is what get prints', async () => {
    const { printed, said } = await run('list configmaps');
    expect(printed).toMatch(/^NAMESPACE .*\nv .*\n$/);
    expect(said).toMatch(/^### list configmaps\n/);
    expect(said).not.toContain('queries');
  });

  it('as JSON is one array, with what was skipped and what failed', async () => {
    const { printed } = await run(`${PAGES}###\n${FAILING.replace(/# @name ok/, '')}`, [
      '-o',
      'json',
      '--keep-going',
    ]);
    expect(printed).toBe(`${JSON.stringify(JSON.parse(printed), null, 2)}\n`);
    const all = JSON.parse(printed) as Record<
      string,
      { items: unknown[]; metadata?: object } & string
    >[];
    expect(all.map((each) => Object.keys(each).join())).toEqual([
      ...Array<string>(3).fill('name,request,line,list'),
      ...Array<string>(2).fill('name,request,line,skipped'),
      'request,line,list',
      'name,request,line,error',
      'name,request,line,error',
      'name,request,line,skipped',
      'name,request,line,list',
    ]);
    expect(all[0]).toMatchObject({ name: 'one', request: 'list pods -n v --limit=2', line: 2 });
    expect(all[0]!['list']!.items).toHaveLength(2);
    expect(all[0]!['list']!.metadata).toMatchObject({
      continue: expect.stringMatching(/^ey/) as unknown,
    });
    expect(all[6]!['error']).toMatch(/^Timeout: Too large resource version/);
  });

  it('as JSON holds the rows of a list that broke off, without its metadata', async () => {
    let reads = 0;
    onCall = ({ method }) => {
      if (method.endsWith('/Range') && ++reads === 2) throw new Error('gone');
    };
    const { code, printed } = await run(
      'kubectl get pods -n v --chunk-size=2\n###\nlist configmaps',
      ['-o', 'json', '--keep-going'],
    );
    expect(code).toBe(1);
    const [broken, whole] = JSON.parse(printed) as [
      { list: { items: unknown[]; metadata?: object }; error: string },
      { list: { items: unknown[] } },
    ];
    expect(broken.list.items).toHaveLength(2);
    expect(broken.list).not.toHaveProperty('metadata');
    expect(broken.error).not.toBe('');
    expect(whole.list.items).toHaveLength(1);
  });

  it('as JSON stays open where the run stops', async () => {
    const { printed } = await run(FAILING, ['-o', 'json']);
    expect(printed).toMatch(/^\[\n/);
    expect(printed.endsWith('\n')).toBe(true);
    expect(() => JSON.parse(printed) as unknown).toThrow();
  });

  it('as YAML is a document for each list', async () => {
    const { printed } = await run(`${PAGES}###\nlist secrets`, ['-o', 'yaml']);
    const documents = parseAllDocuments(printed).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as { kind: string; items: unknown[] };
    });
    expect(documents.map(({ kind, items }) => [kind, items.length])).toEqual([
      ['List', 2],
      ['List', 2],
      ['List', 1],
      ['List', 0],
    ]);
    expect(printed).toMatch(/^---\n# one: list pods -n v --limit=2\napiVersion: v1\n/);
    expect(printed).toContain('\n# four is skipped: three ended without a token');
  });

  it('as lines has nothing else among them, and receipts say their query', async () => {
    const { printed, said } = await run(queries, ['-o', 'ndjson', '--receipt=json']);
    expect(names(printed).map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
      'Pod',
      'ConfigMap',
    ]);
    const lines = names(said)
      .filter((line) => line.startsWith('{"type":'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ type }) => type !== 'request').map(({ type }) => type)).toEqual([
      'query',
      'total',
      'query',
      'total',
      'query',
      'total',
    ]);
    expect(lines.filter(({ type }) => type === 'query')).toEqual([
      { type: 'query', request: 'list pods -n v --limit=1', line: 1 },
      { type: 'query', name: 'cm', request: 'list configmaps', line: 4 },
      { type: 'query', request: 'list secrets', line: 6 },
    ]);
  });
});

function planOf(line: string): RunPlan {
  const parsed = parseArgs(line.split(' '), { env: {}, version: '0', width: 100 });
  if (parsed.kind !== 'plan' || parsed.plan.command !== 'run') throw new Error('no run');
  return parsed.plan;
}

function chosen(text: string): ChosenQuery[] {
  return openQueries({ uri: 'x.etcdlist', text }, {})
    .queries()
    .map((query, index) => ({ ...query, index, request: query.request! }));
}

describe('what stands around rows', () => {
  const heading = { name: 'a', request: 'list pods\u001b[2J', line: 1 };

  async function framed(terminals: boolean[], output: 'table' | 'name', count: number) {
    const { context, rows } = keptContext();
    const [rowsTTY = false, notesTTY = false] = terminals;
    const frame = frameOf({
      output,
      count,
      context: {
        rows: { ...context.rows, isTTY: rowsTTY },
        notes: { ...context.notes, isTTY: notesTTY },
      },
    });
    for (let i = 0; i < 2; i++) {
      await (await frame.begin(heading)).write('row\n');
      await frame.done();
    }
    await frame.end();
    return rows.join('');
  }

  it('is no heading where one stands on the same terminal, or where rows stand for themselves', async () => {
    expect(await framed([true, true], 'table', 2)).toBe('row\nrow\n');
    expect(await framed([false, true], 'name', 2)).toBe('row\nrow\n');
    expect(await framed([false, true], 'table', 1)).toBe('row\nrow\n');
  });

  it('is a heading that cannot move the cursor where tables go elsewhere', async () => {
    const text = '### a: list pods\\x1b[2J\nrow\n\n### a: list pods\\x1b[2J\nrow\n';
    expect(await framed([false, true], 'table', 2)).toBe(text);
    expect(await framed([true, false], 'table', 2)).toBe(text);
  });
});

describe('the plan of a query', () => {
  const plan = planOf(
    'run x -o json --show-secrets --receipt=json --serializable --insecure-transport=false --root=/r',
  );
  const getOf = (text: string, token = '') => getPlanOf(chosen(text)[0]!.request, token, plan);

  it.each([
    ['kubectl get pods -A', { kind: 'chunks', size: 500n }],
    ['kubectl get pods -A --chunk-size=7', { kind: 'chunks', size: 7n }],
    ['kubectl get pods -A --chunk-size=0', { kind: 'limit', limit: 0n, follow: false }],
    ['list pods', { kind: 'limit', limit: 0n, follow: false }],
    ['list pods --limit=3', { kind: 'limit', limit: 3n, follow: false }],
    ['list pods --limit=3 --follow', { kind: 'chunks', size: 3n }],
    ['GET /api/v1/pods?limit=-5', { kind: 'limit', limit: 0n, follow: false }],
  ])('pages as %s does', (text, paging) => {
    expect(getOf(text).paging).toEqual(paging);
  });

  it('has what the query and the run say', () => {
    const text =
      "list deployments.apps -n v -l 'a in (b)' --field-selector metadata.name=x --limit=2 --resource-version=5 --resource-version-match=Exact --stream=off --skip-unreadable";
    const get = getOf(text);
    expect(get).toMatchObject({
      target: { kind: 'resource', resource: 'deployments.apps', name: undefined },
      namespace: 'v',
      labelSelector: 'a in (b)',
      fieldSelector: 'metadata.name=x',
      resourceVersion: '5',
      resourceVersionMatch: 'Exact',
      stream: 'off',
      skipUnreadable: true,
      output: 'json',
      receipt: 'json',
      showSecrets: true,
    });
    expect(getOf('list /registry/a/', 'TOKEN')).toMatchObject({
      target: { kind: 'prefix', prefix: '/registry/a/' },
      namespace: undefined,
      continueToken: 'TOKEN',
    });
  });

  it('is a command line of get that asks for the same', () => {
    const get = getOf(
      "list pods -n v -l 'a in (b)' --field-selector metadata.name=x --limit=2 --resource-version=5 --resource-version-match=Exact --stream=on --skip-unreadable",
    );
    const parsed = parseArgs(goOnWords(get, plan), { env: {}, version: '0', width: 100 });
    expect(parsed).toEqual({ kind: 'plan', plan: get });
  });
});

describe('the choice', () => {
  it('takes names in any order, and what they need, once', () => {
    const queries = chosen(PAGES);
    const picked = (...wanted: string[]): (string | undefined)[] =>
      chosenQueries(queries, wanted, 'x').map(({ name }) => name);
    expect(picked()).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(picked('three')).toEqual(['one', 'two', 'three']);
    expect(picked('three', 'one', 'three')).toEqual(['one', 'two', 'three']);
    expect(picked('one')).toEqual(['one']);
  });
});

describe('the heading', () => {
  const heading = (text: string) => headingOf(chosen(text)[0]!, text, planOf('run x'));

  it('is the first line of a request, not too long', () => {
    expect(heading('\n# c\n  list pods \\\r\n  -n v\r\n')).toEqual({
      name: '',
      request: 'list pods …',
      line: 3,
    });
    const long = `list pods -l ${'a'.repeat(60)}=${'b'.repeat(60)},${'c'.repeat(60)}=${'d'.repeat(60)}`;
    expect(heading(long).request).toBe(`${long.slice(0, 200)}…`);
  });
});
