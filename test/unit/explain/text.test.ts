import { expect, it } from 'vitest';
import { askedBy, UNKNOWN_SERVER } from '../../../server/explain/asked';
import { explain } from '../../../server/explain/explain';
import { explore } from '../../../server/explain/inquiry';
import { explanationText, servedLine } from '../../../server/explain/text';
import { nothing } from '../language/query/support';
import { explained } from './support';

it('is steps with their sources, what they hang on, and what else could be asked', () => {
  const text = explanationText(explained('list events -n web -l a=b --limit=100'));
  expect(text).toBe(`LIST events in web, labels a=b, limit 100

From etcd, in pages that begin with 100 keys.

Steps of Kubernetes 1.37 (k8s.io/apiserver v0.37.2)
  C1  events have no watch cache by default: every list and get reads etcd.
      [pkg/server/options/etcd.go GetRESTOptions]
  S1  Both a limit of 100 and the selector a=b: never streamed, since etcd knows no selector and
      could not end the stream where the page is full.
      [pkg/storage/etcd3/store.go shouldStream]
  P1  The first page is 100 keys; while fewer than 100 objects match, the next page is twice as
      large, up to 10,000 keys.
      [pkg/storage/etcd3/store.go pagedChunks]
  =>  From etcd, in pages that begin with 100 keys.

Alternatives
  Without a limit: served by etcd, as a stream, most likely (C1, S1, S3).
      All objects that match come in one answer, of one revision and without a continue token;
      whoever serves it holds them in memory at once.
  With resourceVersion=0: served by etcd, in pages (C1, S1, P1).
      Without a watch cache it is read from etcd, as it is without a resourceVersion.
  Streamed: served by etcd, as a stream (C1, S1, S3).
      It takes leaving out the limit, so that all objects that match come in one answer.
  One key: fields metadata.name=NAME: served by etcd, one key (N1, C1, N2).
      One object at most; its name has to be known, and limit and token mean nothing.
`);
});

it('has each paragraph in one line for an editor, and the same words', () => {
  const explanation = explained('list events -n web -l a=b --limit=100');
  const lines = explanationText(explanation, Infinity).split('\n');
  expect(lines).toContain(
    '  S1  Both a limit of 100 and the selector a=b: never streamed, since etcd knows no selector and could not end the stream where the page is full.',
  );
  const words = (text: string): string => text.replaceAll(/\s+/g, ' ');
  expect(words(lines.join('\n'))).toBe(words(explanationText(explanation)));
  expect(words(explanationText(explanation, 40))).toBe(words(explanationText(explanation)));
});

it('tells both ways of what is not known, the likely one first', () => {
  const text = explanationText(explained('list pods -l a=b --limit=100'));
  expect(text).toContain('Most likely: From the watch cache, at most 100 objects');
  const likely = text.indexOf('Likely, the watch cache of pods is ready');
  const otherwise = text.indexOf('refused with 429 "storage is (re)initializing"');
  expect(likely).toBeGreaterThan(0);
  expect(otherwise).toBeGreaterThan(likely);
  expect(text).toContain('\nWhere it goes to etcd\n');
});

it('speaks of one where a limit is one', () => {
  for (const asked of ['list pods', 'list events', 'list events -l a=b']) {
    const text = explanationText(explained(`${asked} --limit=1`), Infinity);
    expect(text).toMatch(/\b1 (?:object|key)\b/);
    expect(text).not.toMatch(/\b1 (?:objects|keys)\b/);
  }
});

it('says nothing of etcd where no way leads there', () => {
  const text = explanationText(explained('list pods -l a=b --resource-version=0'));
  expect(text).not.toContain('Where it goes to etcd');
});

it('is one line for a hover', () => {
  const served = (query: string) => servedLine(explained(query));
  expect(served('list pods -l a=b --limit=5')).toBe(
    'Served by the watch cache, most likely (rules C1, C4, C5, C6)',
  );
  expect(served('kubectl get pods a -n web')).toBe('Served by etcd, one key (rules N2, C1, C5)');
});

it('shows texts of a request plainly, and only the beginning of long ones', () => {
  const labelSelector = `a in (${'b'.repeat(50)},\u202eb)`;
  const asked = askedBy({
    ...nothing,
    resource: 'pods',
    limit: '3',
    labelSelector: labelSelector.replace('\u202e', ''),
    fieldSelector: `metadata.name=\u202e${'x'.repeat(1000)}`,
  });
  const text = explanationText(explain(asked, UNKNOWN_SERVER));
  expect(text).toContain('\\u202e');
  expect(text).not.toMatch(/[\p{Cf}\r\t]/u);
  expect(text).not.toContain('x'.repeat(200));
});

it('follows every answer to every question, once', () => {
  let runs = 0;
  const question = { rule: 'X', source: '', known: undefined, likely: true, about: '' };
  const trail = explore((inquiry) => {
    runs++;
    const first = inquiry.ask({ ...question, yes: 'a', no: 'not a' });
    inquiry.step({ rule: 'Y', source: '', text: String(first) });
    if (!first) return { way: 'refused', text: 'no' };
    return {
      way: 'watchCache',
      text: inquiry.ask({ ...question, yes: 'b', no: 'not b' }) ? 'b' : 'c',
    };
  });
  const step = (text: string) => ({ rule: 'Y', source: '', text });
  const leaf = (way: string, text: string) => ({ way, text });
  const fork = { rule: 'X', source: '', about: '' };
  expect(trail).toEqual({
    steps: [],
    end: {
      ...fork,
      likely: {
        when: 'a',
        trail: {
          steps: [step('true')],
          end: {
            ...fork,
            likely: { when: 'b', trail: { steps: [], end: leaf('watchCache', 'b') } },
            otherwise: { when: 'not b', trail: { steps: [], end: leaf('watchCache', 'c') } },
          },
        },
      },
      otherwise: { when: 'not a', trail: { steps: [step('false')], end: leaf('refused', 'no') } },
    },
  });
  expect(runs).toBe(5);
});
