import { expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { fileQueries, fileRequestOf } from '../../../../server/features/language/fileQueries';
import { MOST_WITH_LENSES, queryLenses } from '../../../../server/features/language/queryLenses';
import { readCommandsParams, readDocumentParams } from '../../../../server/features/queryParams';
import { query } from '../../client/support';
import { analystOfDesk } from './support';

function document(text: string, name = 'q.etcdlist') {
  const languageId = name.endsWith('yaml') ? 'yaml' : 'etcdlist';
  return TextDocument.create(`file:///a/${name}`, languageId, 7, text);
}

const text = `### Pods
# @name first
list pods -n web -l app=nginx --limit=100

###
GET /api/v1/pods?limit=10&continue={{first.continue}}
###
kubectl get pods -A
###
list /registry/pods/
###
GET /api/v1/pods?labelSelector=a%3D%3D%3Db
`;

async function titlesByLine(text: string, name?: string): Promise<Map<number, string[]>> {
  const lenses = await queryLenses(analystOfDesk().analyst, document(text, name));
  const byLine = new Map<number, string[]>();
  for (const { range, command } of lenses) {
    const { line } = range.start;
    byLine.set(line, [...(byLine.get(line) ?? []), command!.title]);
  }
  return byLine;
}

it('what can be done with a query stands above it, each with its place', async () => {
  const page = [
    'Run',
    'Run beside',
    'Run to the end',
    'Explain',
    'Compare ways',
    'Copy as kubectl',
    'Copy as etcdctl',
  ];
  expect([...(await titlesByLine(text))]).toEqual([
    [2, [...page, 'Run all 5']],
    // It goes on from a token.
    [5, page.filter((title) => title !== 'Compare ways')],
    // It reads to the end by itself.
    [7, page.filter((title) => title !== 'Run to the end')],
    // Neither a limit, nor a request of Kubernetes; and the last has errors.
    [9, ['Run', 'Run beside', 'Explain', 'Copy as etcdctl']],
  ]);
  const [lens] = await queryLenses(analystOfDesk().analyst, document(text));
  expect(lens).toEqual({
    range: { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } },
    command: {
      title: 'Run',
      command: 'etcdList.runQuery',
      arguments: [{ uri: 'file:///a/q.etcdlist', version: 7, index: 0 }],
    },
  });
});

it('one query alone is not run by Run all, nor are there lenses in other files', async () => {
  const one = [...(await titlesByLine('list nodes\n')).values()];
  expect(one).toEqual([['Run', 'Run beside', 'Explain', 'Copy as kubectl', 'Copy as etcdctl']]);
  expect((await titlesByLine('kind: Pod\n', 'a.yaml')).size).toBe(0);
  const yaml = 'resource: pods\nlimit: 5\n---\nresource: nodes\n';
  expect([...(await titlesByLine(yaml, 'q.etcdlist.yaml')).keys()]).toEqual([0, 3]);
  expect((await titlesByLine('list\n###\nlist pods -l "\n')).size).toBe(0);
});

it('very many queries do not all have lenses', async () => {
  const many = 'list pods\n###\n'.repeat(MOST_WITH_LENSES + 5);
  const titles = await titlesByLine(many);
  expect(titles.size).toBe(MOST_WITH_LENSES + 1);
  expect(titles.get(2 * MOST_WITH_LENSES)).toEqual([
    'From here on nothing stands above the queries: they are more than 500. The palette has commands for the query at the cursor',
  ]);
  expect((await titlesByLine('list pods\n###\n'.repeat(MOST_WITH_LENSES))).size).toBe(
    MOST_WITH_LENSES,
  );
});

it('queries are told to the extension host as it runs them', async () => {
  const told = await fileQueries(analystOfDesk().analyst, document(text));
  expect(told?.version).toBe(7);
  expect(told?.queries.map(({ name }) => name)).toEqual(['first', '', '', '', '']);
  const [first, second, third, fourth, fifth] = told!.queries;
  expect(first).toMatchObject({
    range: { start: { line: 0, character: 0 } },
    anchor: { start: { line: 2, character: 0 } },
    request: { continueOf: null, follow: false },
  });
  expect(first?.request?.query).toEqual({ ...query, namespace: 'web' });
  expect(second?.request).toMatchObject({ continueOf: 0, query: { continueToken: '' } });
  expect(third?.request).toMatchObject({ follow: true, query: { limit: '500' } });
  expect(fourth?.request?.query).toMatchObject({ resource: '/registry/pods/', limit: '' });
  expect(fifth?.request).toBeNull();
});

it('a document that changed meanwhile has no answer', async () => {
  const changing = document(text);
  const asked = fileQueries(analystOfDesk().analyst, changing);
  TextDocument.update(changing, [{ text: 'list pods' }], 8);
  expect(await asked).toBeNull();
});

it('a negative limit is none, and a token that is written goes along', () => {
  const request = fileRequestOf({
    ...query,
    limit: '-5',
    continue: { kind: 'token', token: 'eyJ2' },
    paging: 'one',
    named: false,
    watch: true,
  });
  const want = { ...query, limit: '', continueToken: 'eyJ2' };
  expect(request).toEqual({ query: want, continueOf: null, follow: false });
});

it('parameters are read at the border', () => {
  expect(readDocumentParams({ uri: 'file:///a', other: 1 })).toEqual({ uri: 'file:///a' });
  for (const wrong of [null, {}, { uri: 1 }, { uri: 'x'.repeat(2 ** 20 + 1) }]) {
    expect(() => readDocumentParams(wrong)).toThrow(/must be|too long/);
  }
  expect(readCommandsParams(query)).toEqual({ ...query, follow: false });
  expect(readCommandsParams({ ...query, follow: true }).follow).toBe(true);
  expect(() => readCommandsParams({ ...query, follow: 'yes' })).toThrow(/true or false/);
});
