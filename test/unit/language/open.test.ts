import { describe, expect, it } from 'vitest';
import { openDocument, openQueries } from '../../../server/language/open';
import { MOST_BLOCKS } from '../../../server/language/query/options';

const opened = (uri: string, text: string, languageId = '') => {
  const file = openDocument({ uri, languageId, text });
  if (file === undefined) return 'nothing';
  return file.queries === undefined ? 'manifest' : (file.queries.queries()[0]?.form ?? 'queries');
};

describe('a document', () => {
  it.each([
    ['a/b.etcdlist', 'list pods', '', 'list'],
    ['b.ETCDLIST.YAML', 'resource: pods', '', 'yaml'],
    ['b.yaml', 'list pods', '', 'manifest'],
    ['b.json', '{}', '', 'manifest'],
    ['-', 'GET /api/v1/pods', '', 'get'],
    ['-', '\n# one\r\n  # two\n\t kubectl get pods', '', 'kubectl'],
    ['-', 'lists: 1', '', 'manifest'],
    ['-', '# list pods', '', 'manifest'],
    ['-', '', '', 'manifest'],
    ['untitled', 'list pods', 'etcdlist', 'list'],
    ['untitled', 'list pods', 'yaml', 'manifest'],
    ['a.py', 'list pods', 'python', 'nothing'],
  ])('%s of %j in %j is %s', (uri, text, languageId, kind) => {
    expect(opened(uri, text, languageId)).toBe(kind);
  });

  it('that is blank for long is told all the same', () => {
    expect(opened('-', `${' \n'.repeat(2_000_000)}list pods`)).toBe('queries');
    expect(opened('-', `${'# a\n'.repeat(500_000)}list pods`)).toBe('list');
  });
});

const form = (uri: string, text: string) => openQueries({ uri, text }, {}).queries()[0]?.form;

describe('queries that are to be run', () => {
  it.each([
    ['a.etcdlist', 'resource: pods', undefined],
    ['a.yaml', 'resource: pods', 'yaml'],
    ['a.json', '{"resource":"pods"}', 'yaml'],
    ['-', '{"resource":"pods"}', 'yaml'],
    ['-', '# a\n---\nresource: pods', 'yaml'],
    ['-', '"resource": pods', 'yaml'],
    ['-', 'resource:\n  pods', 'yaml'],
    ['notes.txt', '### a\nlist pods', 'list'],
    ['-', 'GET /api/v1/pods', 'get'],
    ['-', 'GET http://a/api/v1/pods', 'get'],
    ['-', '{{x}}', undefined],
  ])('%s of %j are %s', (uri, text, expected) => {
    expect(form(uri, text)).toBe(expected);
  });

  it('know the namespace and the root that they are given', () => {
    const [query] = openQueries(
      { uri: '-', text: 'kubectl get pods' },
      { namespace: 'v' },
    ).queries();
    expect(query?.request?.namespace).toBe('v');
  });

  it('say whether all of them were looked at', () => {
    const whole = (uri: string, text: string): boolean => openQueries({ uri, text }, {}).isWhole();
    const block = 'list pods\n###\n';
    expect(whole('a.etcdlist', block.repeat(MOST_BLOCKS - 1))).toBe(true);
    expect(whole('a.etcdlist', block.repeat(MOST_BLOCKS))).toBe(false);
    expect(whole('a.etcdlist', '#'.repeat(2 * 1024 * 1024 + 1))).toBe(false);
    expect(whole('a.yaml', 'resource: pods\n---\nresource: nodes')).toBe(true);
    expect(whole('a.yaml', `resource: pods\n${'#'.repeat(256 * 1024)}`)).toBe(false);
  });
});
