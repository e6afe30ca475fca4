import { expect, it } from 'vitest';
import { queryText } from '../../../server/protocol/queryText';
import { outcome } from '../../../webview/views/history';
import * as data from '../support/data';

const [entry] = data.history;
if (!entry) throw new Error('there is no entry');

it('an entry of the history says what was asked, and how it ended', () => {
  const query = { ...entry.query, resourceVersion: '7', continueToken: 'eyJ2' };
  expect(queryText(entry.query)).toBe('pods in web -l app=nginx limit 100');
  expect(queryText(query)).toMatch(/ at 7 from a token$/);
  const today = outcome(entry, entry.at);
  expect(today).toMatch(/^prod · \d\d:\d\d · 3 of 300 keys, 2 round trips$/);
  const later = outcome(entry, entry.at + 3 * 86_400_000);
  expect(later.length).toBeGreaterThan(today.length);
  const stopped = { ...entry, failure: { code: 'cancelled', sentence: 'Stopped.' } } as const;
  expect(outcome(stopped, entry.at)).toMatch(/ · stopped, 3 of 300 keys/);
  const failed = { ...entry, failure: { code: 'etcd', sentence: 'Gone.' } } as const;
  expect(outcome(failed, entry.at)).toMatch(/ · failed$/);
});
