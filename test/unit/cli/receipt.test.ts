import { describe, expect, it } from 'vitest';
import { jsonKey, requestJson, totalJson } from '../../../server/cli/receiptJson';
import { textWidth } from '../../../server/cli/output/width';
import { receiptHeader, roundTripLine } from '../../../server/cli/receiptText';
import { Reporter } from '../../../server/cli/reporter';
import { Totals } from '../../../server/store/totals';
import { makeStyle } from '../../../server/cli/style';
import { StoppedError } from '../../../server/cli/exit';
import { utf8 } from '../../../server/common/bytes';
import type { RequestRecord, TotalRecord } from '../../../server/store/interfaces';
import { keptContext } from './support';

const request: RequestRecord = {
  n: 1,
  operation: 'list',
  endpoint: '127.0.0.1:2379',
  serializable: false,
  startKey: utf8('/registry/pods/'),
  endKey: utf8('/registry/pods0'),
  limit: 100n,
  revision: 0n,
  keys: 100,
  matched: 1,
  bytes: 204800,
  durationMs: 2.1,
};

const total: TotalRecord = {
  requests: 7,
  fetched: 12700,
  examined: 9901,
  evaluated: 9901,
  returned: 100,
  resourceVersion: 84213n,
  continueToken: 'eyJ2',
  remainingItemCount: null,
  naiveRequests: 100,
  streamed: false,
  largestReplyBytes: 13107200,
  durationMs: 312.4,
};

describe('the JSON receipt', () => {
  it('is the documented form, field by field', () => {
    expect(requestJson(request)).toBe(
      '{"type":"request","n":1,"operation":"list","endpoint":"127.0.0.1:2379","serializable":false,' +
        '"startKey":"/registry/pods/","endKey":"/registry/pods0","limit":100,"revision":"0",' +
        '"keys":100,"matched":1,"bytes":204800,"durationMs":2.1}',
    );
    expect(totalJson(total)).toBe(
      '{"type":"total","requests":7,"fetched":12700,"examined":9901,"evaluated":9901,' +
        '"returned":100,"resourceVersion":"84213","continue":"eyJ2","remainingItemCount":null,' +
        '"naiveRequests":100,"streamed":false,"largestReplyBytes":13107200,"durationMs":312.4}',
    );
  });

  it('adds what a stream, a refusal and a failure add', () => {
    const error = { code: 'unimplemented', message: 'unknown method' };
    const line = requestJson({ ...request, chunks: 3, refused: true, error, endKey: undefined });
    expect(JSON.parse(line)).toMatchObject({ endKey: null, chunks: 3, refused: true, error });
    const failed = totalJson({ ...total, resourceVersion: null, remainingItemCount: 7n, error });
    expect(JSON.parse(failed)).toMatchObject({
      resourceVersion: null,
      remainingItemCount: 7,
      error,
    });
  });

  it('is JSON in which nothing acts on a terminal', () => {
    const error = { code: 'other', message: 'a\u001b\u009b31m\u202e\n', continue: 'T' };
    const line = totalJson({ ...total, error });
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(line)).toMatchObject({ error });
  });

  it('gives keys that are not UTF-8 as hex', () => {
    expect(jsonKey(Uint8Array.of(0x2f, 0xff))).toEqual({ hex: '2fff' });
    expect(jsonKey(utf8('/a\0'))).toBe('/a\0');
  });
});

describe('totals over a followed list', () => {
  it('sum what adds up and keep the last of the rest', () => {
    const totals = new Totals(100n);
    totals.add(total);
    expect(totals.total).toBe(total);
    expect(totals.numbered(request).n).toBe(8);
    totals.add({
      ...total,
      resourceVersion: null,
      continueToken: '',
      streamed: true,
      examined: 50,
    });
    expect(totals.total).toMatchObject({
      requests: 14,
      fetched: 25400,
      examined: 9951,
      returned: 200,
      resourceVersion: 84213n,
      continueToken: '',
      naiveRequests: 100,
      streamed: true,
      largestReplyBytes: 13107200,
    });
    expect(totals.pages).toBe(2);
  });

  it('say who served them, where that was not etcd alone', () => {
    const servedBy = (...lists: readonly TotalRecord[]) => {
      const totals = new Totals(100n);
      for (const list of lists) totals.add(list);
      return totals.total?.servedBy;
    };
    const cached: TotalRecord = { ...total, servedBy: 'watchcache' };
    expect(servedBy(total, total)).toBeUndefined();
    expect(servedBy(cached, cached)).toBe('watchcache');
    expect(servedBy(total, cached)).toBe('mixed');
    expect(servedBy(cached, total, cached)).toBe('mixed');
    expect(totalJson(cached)).toContain('"streamed":false,"servedBy":"watchcache","largest');
  });

  it('has no naive count without a limit', () => {
    const totals = new Totals(0n);
    totals.add({ ...total, naiveRequests: null });
    totals.add({ ...total, naiveRequests: null });
    expect(totals.total?.naiveRequests).toBeNull();
  });
});

describe('the text receipt', () => {
  it('tells of a list from a watch cache that asked etcd nothing', () => {
    const served = { ...total, requests: 0, servedBy: 'watchcache', largestReplyBytes: 0 } as const;
    const { notes } = report((reporter) => {
      reporter.listDone(served);
    });
    expect(notes).toEqual([
      '12,700 fetched : 9,901 evaluated : 100 returned',
      'from the watch cache · 0 round trips · 0 B · 312 ms · revision 84,213',
    ]);
    const nothing = report((reporter) => {
      reporter.listDone({ ...served, returned: 0 });
    });
    expect(nothing.notes[0]).toMatch(/ {3}nothing matched$/);
    const mixed = report((reporter) => {
      reporter.listDone({ ...total, servedBy: 'mixed' });
    });
    expect(mixed.notes[1]).toMatch(/^partly from the watch cache · 7 round trips/);
  });

  function report(work: (reporter: Reporter) => void, limit = 100n) {
    const kept = keptContext();
    const reporter = new Reporter(kept.context, 'text', limit);
    work(reporter);
    reporter.finish();
    return kept;
  }

  it('prints a line a round trip, then the totals', () => {
    const { notes } = report((reporter) => {
      reporter.request(request, 'started');
      reporter.request(request, 'done');
      reporter.request({ ...request, n: 2, limit: 200n, keys: 200, matched: 2 }, 'done');
      reporter.listDone(total);
    });
    const [first, second, ...rest] = notes;
    expect(first?.split('\n')).toEqual([
      '  #  operation         page      keys   matched    so far      bytes        time  start key',
      '  1  list               100       100         1         1   204.8 kB      2.1 ms  /registry/pods/',
    ]);
    expect(second).toContain('200       200         2         3');
    expect(rest).toEqual([
      '12,700 fetched : 9,901 evaluated : 100 returned   ×127 read amplification',
      '7 round trips · 409.6 kB · 312 ms · revision 84,213',
      'naive paging in pages of 100 would have needed 100 round trips',
    ]);
  });

  it('keeps the order of numbers when a later request ends first', () => {
    const { notes } = report((reporter) => {
      reporter.request({ ...request, n: 2, operation: 'getCurrentResourceVersion' }, 'done');
      expect(reporter).toBeDefined();
      reporter.request(request, 'done');
      reporter.listDone(total);
    });
    expect(notes[0]).toContain('  1  list');
    expect(notes[1]).toBe(
      '  2  getCurrentRV       100       100         1         2   204.8 kB      2.1 ms  /registry/pods/',
    );
  });

  it('says what became of a stream', () => {
    const { notes } = report((reporter) => {
      reporter.request({ ...request, operation: 'listStream', chunks: 0, refused: true }, 'done');
      reporter.request({ ...request, n: 2, operation: 'listStream', chunks: 1 }, 'done');
      const error = { code: 'unavailable', message: 'gone' };
      reporter.request({ ...request, n: 3, error }, 'done');
    });
    expect(notes[0]).toContain('refused: this etcd has no RangeStream');
    expect(notes[1]).toMatch(/ {2}1 chunk$/);
    expect(notes[2]).toMatch(/ {2}unavailable$/);
  });

  it('says nothing of naive paging where a single key was read', () => {
    const { notes } = report((reporter) => {
      reporter.request({ ...request, operation: 'get', endKey: undefined }, 'done');
      reporter.listDone({ ...total, requests: 1, naiveRequests: 1 });
    });
    expect(notes.join('\n')).not.toContain('naive');
    expect(notes).toHaveLength(3);
  });

  it('says nothing of a list that was refused before it read', () => {
    const { notes } = report((reporter) => {
      reporter.listDone({ ...total, requests: 0 });
    });
    expect(notes).toEqual([]);
  });

  it('is silent once the reader of the rows went away', () => {
    const kept = keptContext();
    const reporter = new Reporter(kept.context, 'json', 0n);
    kept.stop.abort(new StoppedError('pipe'));
    reporter.request(request, 'done');
    expect(kept.notes).toEqual([]);
  });
});

describe('a round trip’s line', () => {
  const style = makeStyle(false);
  const long = { ...request, startKey: utf8(`/registry/pods/${'n'.repeat(80)}/the-end\0`) };

  it('is whole in a pipe and fits a terminal, keeping both ends of the key', () => {
    expect(roundTripLine(long, 1, style)).toContain(`${'n'.repeat(80)}/the-end\\x00`);
    for (const columns of [80, 100, 120, 132]) {
      const line = roundTripLine(long, 1, style, columns);
      expect(textWidth(line)).toBe(columns);
      expect(line).toMatch(/ \/reg.*….*end\\x00$/);
    }
  });

  it('leaves out what a narrow terminal has no room for, in header and lines alike', () => {
    expect(receiptHeader(style, 80)).not.toMatch(/operation|so far/);
    expect(receiptHeader(style, 120)).toMatch(/operation .* so far/);
    expect(roundTripLine(long, 1, style, 80)).not.toContain('list');
  });

  it('keeps something of the key on a terminal that is too narrow', () => {
    expect(roundTripLine(long, 1, style, 20)).toMatch(/ \/reg….*\\x00$/);
  });
});
