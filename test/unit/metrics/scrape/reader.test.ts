import { describe, expect, it } from 'vitest';
import { ScrapeError, ScrapeReader } from '../../../../server/metrics/scrape/reader';
import { nothingIn } from '../../../../server/metrics/scrape/told';
import { DEPLOYMENTS, PODS, read, textOf } from './texts';

const whole = textOf('storage', [PODS, DEPLOYMENTS]);

function values(text: string, piece?: number): [string, number][][] {
  return read(text, 'a.txt', piece).servers.map(({ counters }) =>
    [...counters.values()].map(({ role, value }) => [role, value]),
  );
}

describe('a text', () => {
  it('is the same in pieces of any size, and with any line breaks', () => {
    const expected = values(whole);
    expect(expected[0]).toHaveLength(12);
    for (const piece of [1, 2, 7, 64, 1000]) expect(values(whole, piece)).toEqual(expected);
    expect(values(whole.replaceAll('\n', '\r\n'), 5)).toEqual(expected);
    expect(values(whole.replaceAll('\n', '\n\n   \n'), 5)).toEqual(expected);
  });

  it('keeps what tells of lists, and counts the rest', () => {
    const scrape = read(whole);
    expect([scrape.kept, scrape.others, scrape.faultCount]).toEqual([12, 5, 0]);
    expect(scrape.lines).toBe(whole.split('\n').length - 1);
  });

  it('may end with the mark of OpenMetrics, and have units and exemplars', () => {
    const open = whole
      .replace(/ 1234\n/, ' 1234 # {trace="1"} 0.4 1700000000.5\n')
      .replace('# TYPE etcd', '# UNIT etcd_request_duration_seconds seconds\n# TYPE etcd');
    const scrape = read(`${open}# EOF\n`);
    expect(scrape.servers.map(({ name }) => name)).toEqual(['a.txt']);
    expect(scrape.kept).toBe(12);
  });

  it('that is broken in places is read for the rest, and each place is told', () => {
    const lines = whole.split('\n');
    lines[2] = 'apiserver_storage_list_evaluated_objects_total{group="",resource="pods",stor';
    lines.splice(4, 0, '<html>', 'apiserver_storage_list_total{resource="x"} NaN');
    const scrape = read(lines.join('\n'));
    expect(scrape.faults).toEqual([
      { line: 3, why: 'it ends within its labels' },
      { line: 5, why: 'it does not begin with the name of a metric' },
      { line: 6, why: 'its value, NaN, is no count' },
    ]);
    expect(scrape.kept).toBe(11);
  });

  it.each([
    ['+Inf', 'its value, Infinity, is no count'],
    ['-1', 'its value, -1, is no count'],
  ])('leaves out a counter of %s', (value, why) => {
    expect(read(`apiserver_storage_list_total{resource="pods"} ${value}\n`).faults).toEqual([
      { line: 1, why },
    ]);
  });

  it('keeps to the first faults and counts all', () => {
    const scrape = read('%\n'.repeat(1000));
    expect([scrape.faults.length, scrape.faultCount]).toEqual([20, 1000]);
    expect(nothingIn(scrape)).toContain('is no text of metrics');
  });

  it('of a line without end keeps nothing of it', () => {
    const scrape = read(`${'x'.repeat(3_000_000)}\n${whole}`, 'a.txt', 100_000);
    expect(scrape.faults).toEqual([{ line: 1, why: 'it is longer than 1 MiB' }]);
    expect(scrape.kept).toBe(12);
  });
});

describe('a text that is cut off', () => {
  it('in the middle of a line says where', () => {
    const at = whole.lastIndexOf('resource="deployments"');
    const scrape = read(whole.slice(0, at));
    const line = whole.slice(0, at).split('\n').length;
    expect(scrape.faults).toEqual([
      { line, why: 'it ends within its labels: the text ends in the middle of it' },
    ]);
    expect(scrape.openEnd).toBe(line);
  });

  it('in the middle of a number cannot be told from a whole one, so the line is', () => {
    const at = whole.indexOf('254000');
    const scrape = read(whole.slice(0, at + 3));
    expect(scrape.openEnd).toBe(whole.slice(0, at).split('\n').length);
    expect(scrape.faults).toEqual([]);
  });

  it('at every place is read without a fault of ours', () => {
    for (let end = 0; end < whole.length; end += 13) {
      const { faultCount, kept } = read(whole.slice(0, end));
      expect(faultCount).toBeLessThanOrEqual(1);
      expect(kept).toBeLessThanOrEqual(12);
    }
  });
});

describe('several servers in one text', () => {
  const second = textOf('storage', [{ ...PODS, lists: 1 }]);

  it('are told by their label instance', () => {
    const named = (instance: string) =>
      `apiserver_storage_list_total{resource="pods",instance="${instance}"} 3\n`;
    const { servers } = read(named('10.0.0.1:6443') + named('10.0.0.2:6443'));
    expect(servers.map(({ name, isInstance }) => [name, isInstance])).toEqual([
      ['10.0.0.1:6443', true],
      ['10.0.0.2:6443', true],
    ]);
  });

  it('one behind the other are told by headings that come again', () => {
    const { servers } = read(whole + second);
    expect(servers.map(({ name, lines }) => [name, lines[0]])).toEqual([
      ['a.txt#1', 3],
      ['a.txt#2', whole.split('\n').length + 2],
    ]);
  });

  it('are told by the mark at an end, and without headings by a series that comes again', () => {
    const bare = (text: string) => text.replace(/^#.*\n/gm, '');
    expect(read(`${whole}# EOF\n${bare(second)}`).servers).toHaveLength(2);
    expect(read(bare(whole) + bare(second)).servers).toHaveLength(2);
  });

  it('of which only one tells of lists are one', () => {
    const other = '# TYPE up gauge\nup{instance="node"} 1\nprocess_start_time_seconds 5\n';
    expect(read(other + other + whole).servers.map(({ name }) => name)).toEqual(['a.txt#2']);
  });
});

describe('times', () => {
  const line = (value: number, at: number) =>
    `apiserver_storage_list_total{resource="pods"} ${value} ${at}\n`;

  it('of one series that stands there several times: the latest counts', () => {
    const [server, ...others] = read(line(3, 1000e9) + line(5, 1015e9)).servers;
    expect(others).toEqual([]);
    expect([...(server?.counters.values() ?? [])].map(({ value }) => value)).toEqual([5]);
    expect(server?.at).toBe(1015e9);
  });

  it('of series that differ in other labels are added up', () => {
    const job = (name: string, value: number) =>
      `apiserver_storage_list_total{resource="pods",job="${name}"} ${value} 1000000000000\n`;
    const { servers } = read(job('a', 3) + job('b', 4));
    expect([...(servers[0]?.counters.values() ?? [])].map(({ value }) => value)).toEqual([7]);
  });
});

describe('a text that means harm', () => {
  const list = (labels: string): string => `apiserver_storage_list_total{${labels}} 1\n`;

  it.each([
    ['scrapes', 2000, () => list('resource="a"'), 'more than 1000 scrapes one behind the other'],
    ['starts', 2000, () => 'process_start_time_seconds 1\n', 'more than 1000 scrapes'],
    [
      'servers',
      60_000,
      (i: number) => `process_start_time_seconds{instance="${i}"} 1\n`,
      'it names more than 50000 servers',
    ],
    ['series', 210_000, (i: number) => list(`resource="r${i}"`), 'more than 200000 numbers'],
    [
      'series of one server',
      210_000,
      (i: number) => `process_start_time_seconds{x="${i}"} 1\n`,
      'more than 200000 numbers',
    ],
  ])('with endless %s is refused', { timeout: 180_000 }, (_, count, line, why) => {
    const reader = new ScrapeReader('x');
    expect(() => {
      for (let i = 0; i < count; i += 1000) {
        reader.push(Array.from({ length: 1000 }, (_unused, j) => line(i + j)).join(''));
      }
    }).toThrow(why);
  });
});

describe('what is no text of metrics', () => {
  it('is refused or told', () => {
    const reader = new ScrapeReader('x');
    expect(() => {
      reader.push('a\0b');
    }).toThrow(ScrapeError);
    expect(() => {
      new ScrapeReader('x').push('\x1f\ufffd\b');
    }).toThrow('it is compressed: unpack it first');
    expect(nothingIn(read(''))).toContain('is empty');
    expect(nothingIn(read('up 1\n'))).toContain('none of lists of an API server');
    expect(nothingIn(read('{"status":"success"}\n'))).toContain('is no text of metrics');
    expect(nothingIn(read('# only a comment\n'))).toContain('holds no metrics');
    expect(nothingIn(read(whole))).toBeUndefined();
  });
});
