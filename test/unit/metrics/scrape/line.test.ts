import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineWords } from '../../../../server/metrics/scrape/line';

const linesOf = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../../../cli/scrapes', name), 'utf8').split('\n');

function words(name: string, part: string) {
  const lines = linesOf(name);
  const index = lines.findIndex((line) => line.includes(part));
  if (index < 0) throw new Error(`not there: ${part}`);
  return lineWords(lines, index);
}

describe('a line', () => {
  it.each([
    ['1.33.txt', 'list_total{resource="pods"', '240 LISTs of pods were read from etcd.'],
    ['1.33.txt', 'evaluated_objects_total{resource="pods"', '2,376,240 of the objects of pods'],
    [
      '1.33.txt',
      'returned_objects_total{resource="deployments.apps"',
      '31,000 objects of deployments.apps were returned',
    ],
    [
      '1.33.txt',
      'cache_list_total{index="",resource_prefix="/pods"',
      '5,000 LISTs of /pods were served by the watch cache.',
    ],
    ['1.33.txt', 'fallback="true"', '190 consistent reads of /pods were answered by etcd'],
    [
      '1.33.txt',
      'etcd_requests_total{operation="get"',
      '88,123 requests to etcd: operation get, pods. Reads of one key.',
    ],
    ['1.33.txt', 'duration_seconds_sum{operation="list",type="pods"', 'In all 93.4 s.'],
    ['1.33.txt', 'le="+Inf"', 'There were 1,680.'],
    [
      '1.37.txt',
      'evaluated_objects_total{group="",resource="pods",storage="watchcache"',
      'this is always 0',
    ],
    [
      '1.37.txt',
      'list_total{group="apps",index="",resource="replicasets",storage="etcd"',
      '30 LISTs of replicasets.apps',
    ],
    [
      '1.37.txt',
      'duration_seconds_sum{group="",resource="secrets",streamed="true"',
      'LISTs of secrets that were streamed',
    ],
  ])('of %s with %s', (name, part, about) => {
    expect(words(name, part)?.about).toContain(about);
  });

  it('has the numbers of its resource and server beside it', () => {
    const told = words('1.33.txt', 'etcd_requests_total{operation="list",type="pods"');
    expect(told?.beside).toBe(
      '3,048,000 fetched : 2,376,240 tested : 24,000 returned; 127 fetched for each one returned; 240 lists, 1,680 requests to etcd in 93.4 s',
    );
    expect(told?.words?.meaning).toContain('death spiral');
    expect(
      words('1.37.txt', 'list_total{group="",index="",resource="pods",storage="watchcache"')
        ?.beside,
    ).toBe(
      '1,200 lists, 24,000,000 looked at : 12,000 returned; 1,200 consistent reads, 0 passed on to etcd',
    );
    expect(words('1.33.txt', 'etcd_requests_total{operation="get"')?.beside).toBe('');
  });

  it('of one of several servers has those of its own', () => {
    const one = (instance: string, fetched: number) => [
      `apiserver_storage_list_fetched_objects_total{instance="${instance}",resource="pods"} ${fetched}`,
      `apiserver_storage_list_returned_objects_total{instance="${instance}",resource="pods"} 5`,
    ];
    const named = [...one('a', 10), ...one('b', 20)];
    expect(lineWords(named, 1)?.beside).toContain('10 fetched');
    expect(lineWords(named, 2)?.beside).toContain('20 fetched');
    const behind = [...one('', 10), ...one('', 20)];
    expect(lineWords(behind, 0)?.beside).toContain('10 fetched');
    expect(lineWords(behind, 3)?.beside).toContain('20 fetched');
  });

  it('whose value is no count is left out, as the reading leaves it out', () => {
    const bucket =
      'etcd_request_duration_seconds_bucket{operation="list",group="",resource="pods",le="1"}';
    for (const [value, shown] of [
      ['NaN', 'NaN'],
      ['+Inf', 'Infinity'],
      ['-3', '-3'],
    ]) {
      for (const series of ['apiserver_storage_list_total{resource="pods"}', bucket]) {
        expect(lineWords([`${series} ${value}`], 0)).toEqual({
          about: `This line is left out: its value, ${shown}, is no count.`,
          beside: '',
          words: undefined,
        });
      }
    }
  });

  it('of other things is none', () => {
    for (const line of [
      'up 1',
      '',
      '# HELP x y',
      'process_start_time_seconds 1',
      'etcd_requests_total{',
    ]) {
      expect(lineWords([line], 0), line).toBeUndefined();
    }
    expect(lineWords([], 3)).toBeUndefined();
  });
});
