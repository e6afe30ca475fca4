import { describe, expect, it } from 'vitest';
import { askedBy, UNKNOWN_SERVER } from '../../../server/explain/asked';
import { estimateOf } from '../../../server/explain/estimate';
import { exactly } from '../../../server/explain/estimateCost';
import type { Matches, StoredKeys } from '../../../server/explain/estimateModel';
import { heldAgainst } from '../../../server/explain/estimateReceipt';
import { estimateText, heldLines } from '../../../server/explain/estimateText';
import { indexedKeys, measuredKeys } from '../../../server/explain/estimateSample';
import { explain } from '../../../server/explain/explain';
import { open, request } from '../language/query/support';

function textOf(query: string, stored: StoredKeys): string {
  const asked = askedBy(request(query)!);
  return estimateText(estimateOf(asked, explain(asked, UNKNOWN_SERVER), stored)!);
}

const given = (matches: Matches): StoredKeys => ({
  keys: 50_000,
  bytesPerKey: exactly(2048),
  matches,
  source: { kind: 'given' },
});

const onePercent: Matches = { kind: 'share', share: exactly(0.01), clustered: false };

it('is a table of the ways, a picture of the pages, and what is taken for granted', () => {
  expect(textOf('list events -l app=nginx --limit=100', given(onePercent))).toBe(
    `Estimate: 50,000 keys of about 2.0 kB, of which 1 % match

                             served by      requests    keys  objects     bytes   largest      held
  As it is asked             etcd, pages           7  12,700      100   26.0 MB   13.1 MB   13.3 MB
  Naive pages of 100         etcd, pages         100  10,000      100   20.5 MB  204.8 kB  409.6 kB
  Without a limit, one read  etcd, pages           1  50,000      500  102.4 MB  102.4 MB  103.4 MB
  Without a limit, streamed  etcd, stream          1  50,000      500  102.4 MB    1.3 MB    2.3 MB
  One key, by its name       etcd, one key         1       1        1    2.0 kB    2.0 kB    4.1 kB

  Page sizes over round trips, in keys
  doubling: 7 round trips, 12,700 keys
        1      100  ▋
        2      200  █▎
        3      400  ██▌
        4      800  █████
        5    1,600  ██████████
        6    3,200  ████████████████████
        7    6,400  ████████████████████████████████████████
  naive: 100 round trips, 10,000 keys
        1      100  ▋
        2      100  ▋
        3      100  ▋
        4      100  ▋
        5      100  ▋
        6      100  ▋
      … 93 more
      100      100  ▋
  stream without a limit: 84 chunks in one round trip, 50,000 keys
        1       10  ▏
        2       20  ▏
        3       40  ▎
        4       80  ▌
        5      160  █
        6      320  ██
      … 77 more
       84       90  ▋

  Objects that match are taken as evenly spread: the last key of each 100. Side by side they may
  cost far less or far more.
  Chunks of a stream are sized as etcd 3.7 does with 1.5 MiB as --max-request-bytes, all values
  being as large as their mean.
  Held is the largest reply and the objects selected, as they are stored; decoded they take more.
`,
  );
});

describe('a sample', () => {
  const places = [3, 0, 5, 1, 2, 0, 4, 1, 0].map((matched) => ({
    objects: 60,
    matched,
    bytes: 60 * 2000,
  }));
  const cost = { requests: 30, keys: 560, bytes: 1_100_000 };
  const text = textOf(
    'list events -l app=nginx --limit=100',
    measuredKeys({ keys: 40_000, places, unreadable: 2, cost }),
  );

  it('gives each figure its range', () => {
    expect(text).toContain('of which 2.96 % match');
    expect(text).toMatch(/As it is asked {2,}etcd, pages {2,}6 {2,}6,300 .*\n {6}at least {2,}\d/);
    expect(text).toMatch(/ {6}at most {2,}7 {2,}12,700/);
  });

  it('says what it read and what it cannot know', () => {
    const flat = text.replaceAll(/\s+/g, ' ');
    expect(flat).toContain('540 of 40,000 keys, at 9 places, were read for this: 30 requests,');
    expect(flat).toContain(
      '2 of them cannot be read: a list that meets one fails, unless they are skipped',
    );
    expect(flat).toContain('(95 of 100 such ranges hold the true figure)');
  });

  it('says so where nothing in it matched', () => {
    const none = places.map((place) => ({ ...place, matched: 0 }));
    const words = textOf(
      'list events -l app=nginx --limit=100',
      measuredKeys({ keys: 40_000, places: none, unreadable: 0, cost }),
    );
    expect(words.replaceAll(/\s+/g, ' ')).toContain(
      'None of the sample matches. Some may all the same',
    );
  });
});

describe('of an index that holds all keys', () => {
  const words = (keys: number, matched: number, query = 'list events -l app=nginx --limit=100') =>
    textOf(query, indexedKeys({ keys, objects: keys, places: 1, matched })).replaceAll(/\s+/g, ' ');

  it('tells how many match for sure, and leaves open where they stand', () => {
    const all = words(1000, 100, 'list events -l app=nginx');
    expect(all).toContain('10 % of all keys match. Where they stand is not known');
    expect(all).not.toContain('at least');
    // A list that is full before the end may have met more or fewer of them by then.
    const limited = words(1000, 100, 'list events -l app=nginx --limit=10');
    expect(limited).toMatch(
      /As it is asked etcd, pages 4 150 10 at least 3 70 10 at most 5 310 10 /,
    );
  });

  it('leaves nothing open where none matches, or all do, or there are none', () => {
    for (const [keys, matched, fetched] of [
      [1000, 0, '1,000 0'],
      [1000, 1000, '100 100'],
      [1, 0, '1 0'],
      [0, 0, '0 0'],
    ] as const) {
      const told = words(keys, matched);
      expect(told).toMatch(new RegExp(`As it is asked etcd, (?:pages|stream) \\d+ ${fetched} `));
      expect(told).not.toMatch(/at most|sample|stand/);
    }
  });

  it('says of how many keys it was read', () => {
    expect(words(1000, 0)).toContain(' All 1,000 keys were read before. ');
    expect(words(1, 0)).toContain(' The one key was read before. ');
    expect(words(0, 0)).toContain(' That there are no keys was read before. ');
  });
});

it('counts in the singular what there is one of', () => {
  const one = measuredKeys({
    keys: 1,
    places: [{ objects: 1, matched: 1, bytes: 100 }],
    at: [1],
    unreadable: 0,
    cost: { requests: 1, keys: 1, bytes: 100 },
  });
  expect(textOf('list events -l app=nginx --limit=100', one)).toContain(
    'The one key was read for this: 1 request, 1 key, 100 B.',
  );
});

it('shows no chunks of a stream where the size of objects is not known, by which they are cut', () => {
  const { bytesPerKey: size, ...unsized } = given(onePercent);
  const query = 'list events -l app=nginx --limit=100';
  expect(size).toBeDefined();
  expect(textOf(query, given(onePercent))).toContain('84 chunks in one round trip');
  const text = textOf(query, unsized);
  expect(text).toContain('Without a limit, streamed');
  expect(text).not.toMatch(/chunks? in one round trip/);
});

it('says that it is reckoned from the beginning where the token is not known yet', () => {
  const text = `# @name page1
list events -l app=nginx --limit=100
###
list events -l app=nginx --limit=100 --continue={{page1.continue}}`;
  const asked = askedBy(open(text).queries()[1]!.request!);
  const estimate = estimateOf(asked, explain(asked, UNKNOWN_SERVER), given(onePercent))!;
  expect(estimateText(estimate).replaceAll(/\s+/g, ' ')).toContain(
    'The continue token of page1 is known only once that has run: this is reckoned as if the list began at its first key.',
  );
  expect(textOf('list events -l app=nginx --limit=100', given(onePercent))).not.toContain(
    'continue token of',
  );
});

it('is held against a receipt, figure by figure', () => {
  const asked = askedBy(request('list events -l app=nginx --limit=100')!);
  const estimate = estimateOf(asked, explain(asked, UNKNOWN_SERVER), given(onePercent))!;
  const row = estimate.rows[0]!;
  const spent = {
    requests: 7,
    keys: 12_700,
    examined: 9901,
    returned: 100,
    bytes: 27e6,
    largestReply: 2e7,
  };
  const lines = heldLines(row, heldAgainst(row, spent));
  expect(lines).toEqual([
    'Estimate against receipt: as it is asked',
    '            estimate  receipt',
    '  requests         7        7  exact',
    '  keys        12,700   12,700  exact',
    '  examined    10,000    9,901  less than estimated',
    '  objects        100      100  exact',
    '  bytes      26.0 MB  27.0 MB  as estimated',
    '  largest    13.1 MB  20.0 MB  more than estimated',
  ]);
});
