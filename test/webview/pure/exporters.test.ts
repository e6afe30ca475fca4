import { describe, expect, it } from 'vitest';
import {
  fileName,
  tableToCsv,
  toCsv,
  toJson,
  toNdjson,
  toReceipt,
} from '../../../webview/exporters';
import { freshRun } from '../../../webview/run';
import { afterEvents } from '../../../webview/runEvents';
import { emptyQuery } from '../../../webview/query';
import * as data from '../support/data';

const csvCells = (name: string): string => toCsv([data.row(1, { name })]).split('\r\n')[1] ?? '';

describe('CSV', () => {
  it('has a header, CRLF, and a line a row', () => {
    const row = data.row(3, { labels: [['app', 'nginx']], created: '2026-01-02T03:04:05Z' });
    expect(toCsv([row])).toBe(
      'namespace,name,labels,created,resourceVersion,size\r\n' +
        'web,nginx-000003,app=nginx,2026-01-02T03:04:05Z,70003,2011\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '|calc', '%0a'])(
    'keeps %j from being a formula',
    (name) => {
      expect(csvCells(name)).toContain(`'${name}`);
    },
  );

  it.each([
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    [' a', '" a"'],
    ['=a"b', `"'=a""b"`],
  ])('quotes %j', (name, quoted) => {
    expect(csvCells(name)).toContain(`web,${quoted},`.replace('web', data.row(1).namespace));
  });
});

describe('CSV of a table of metrics', () => {
  it('has numbers as they are, nothing for what is not known, and no formula', () => {
    const [table] = data.metrics.tables;
    expect(tableToCsv(table!)).toBe(
      'RESOURCE,LISTS,FETCHED,FETCHED:RETURNED,VERDICT\r\n' +
        'pods,240,3048000,127,selector death spiral\r\n' +
        'deployments.apps,31,31000,1,fine\r\n',
    );
    const [row] = table!.rows;
    const evil = { ...table!, rows: [{ ...row!, values: ['=1+1', null, -2] }] };
    expect(tableToCsv(evil)).toContain("'=1+1,,-2\r\n");
  });
});

describe('JSON', () => {
  it('keeps a label named __proto__, exact versions and markup', () => {
    const row = data.row(1, {
      name: '<img onerror>',
      version: '9223372036854775807',
      labels: [['__proto__', 'x']],
    });
    const [read] = JSON.parse(toJson([row])) as { name: string; resourceVersion: string }[];
    expect(read).toMatchObject({ name: '<img onerror>', resourceVersion: '9223372036854775807' });
    expect(toJson([row])).toContain('"__proto__": "x"');
  });

  it('writes one line a row', () => {
    const lines = toNdjson(data.rows(0, 3)).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(
      data.rows(0, 3).map(({ name }) => name),
    );
    expect(toNdjson([])).toBe('');
  });
});

describe('the receipt', () => {
  it('holds the requests and the totals with the names of the command line', () => {
    const body = { kind: 'request', request: data.request(1), done: true } as const;
    const run = afterEvents(freshRun('a', emptyQuery, false), [{ listId: 'a', seq: 0, body }]);
    const lines = toReceipt(run.requests, data.total()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: 'request', ...data.request(1) },
      { type: 'total', ...data.total() },
    ]);
  });
});

describe('file names', () => {
  it.each([
    ['pods', 'web', '84213', 'pods-web-rv84213.csv'],
    ['widgets.example.com', '', null, 'widgets.example.com.csv'],
    ['../../etc', 'a/b', null, '.._.._etc-a_b.csv'],
    ['', '', null, 'list.csv'],
  ])('of %j in %j at %j', (resource, namespace, revision, name) => {
    expect(fileName(resource, namespace, revision, 'csv')).toBe(name);
  });
});
