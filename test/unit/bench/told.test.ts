import { describe, expect, it } from 'vitest';
import { outcomeOf, promises, requireTold, type Fact } from '../../bench/told';
import type { Outcome } from '../../bench/work';

const whole = {
  ms: 12.5,
  items: 20,
  keys: 2000,
  requestCount: 2,
  requests: [
    { method: 'Range', message: 'CgA=' },
    { method: 'RangeStream', message: 'CgE=' },
  ],
  replyBytes: 5000,
  largestReply: 3000,
  longestBlock: 0,
};

describe('an outcome of a measured process', () => {
  it('is taken as it is when it is whole, or has a time alone', () => {
    expect(outcomeOf(whole)).toEqual(whole);
    expect(outcomeOf({ ms: 1 })).toEqual({ ms: 1 });
  });

  it.each([null, undefined, 7, 'done'])('is none: %s', (answer) => {
    expect(() => outcomeOf(answer)).toThrow('which is no outcome of a run');
  });

  it.each([[{}], [{ items: 3 }]])('is none without a time: %j', (answer) => {
    expect(() => outcomeOf(answer)).toThrow('told no time in milliseconds');
  });

  it.each([
    [{ ...whole, ms: -5 }, 'told -5 as time in milliseconds'],
    [{ ...whole, ms: '12' }, 'told "12" as time in milliseconds'],
    [{ ...whole, ms: null }, 'told null as time in milliseconds'],
    [{ ...whole, ms: Number.POSITIVE_INFINITY }, 'told null as time in milliseconds'],
    [{ ...whole, items: 1.5 }, 'told 1.5 as number of objects'],
    [{ ...whole, keys: -1 }, 'told -1 as number of keys'],
    [{ ...whole, replyBytes: '1' }, 'told "1" as bytes of replies'],
    [{ ...whole, requests: null }, 'told null as etcd requests'],
    [{ ...whole, requests: [{ method: 'Put', message: '' }] }, 'as etcd requests'],
    [{ ...whole, requests: [null] }, 'told [null] as etcd requests'],
  ])('is none: %j', (answer, message) => {
    expect(() => outcomeOf(answer)).toThrow(message);
  });
});

describe('what a side has to tell', () => {
  const every = new Set<Fact>(Object.values(promises).flat());

  it.each([...every])('is missed: %s', (fact) => {
    const rest = { ...(whole as Outcome), [fact]: undefined };
    expect(() => {
      requireTold(rest, [fact]);
    }).toThrow(/^told no /);
    expect(() => {
      requireTold(whole, [fact]);
    }).not.toThrow();
  });

  it.each(['ms', 'requestCount', 'replyBytes', 'largestReply', 'perSecond'] as const)(
    'is never none: %s',
    (fact) => {
      expect(() => {
        requireTold({ ...(whole as Outcome), [fact]: 0 }, [fact]);
      }).toThrow('told 0 as ');
    },
  );

  it('is a list of requests that is not empty, and may be no objects', () => {
    expect(() => {
      requireTold({ ...(whole as Outcome), requests: [] }, ['requests']);
    }).toThrow('told 0 as etcd requests');
    expect(() => {
      requireTold({ ...(whole as Outcome), items: 0, keys: 0 }, ['items', 'keys']);
    }).not.toThrow();
  });

  /** The table of the document, row by row: objects, keys, requests, bytes. */
  it.each([
    ['engine', ['items', 'keys', 'requests', 'replyBytes']],
    ['upstream', ['items', 'requests']],
    ['floor', ['replyBytes']],
    ["Go's floor", ['keys']],
    ["Go's floor, undecoded", []],
    ['etcd3 getAll()', ['items', 'keys']],
    ['etcdctl', []],
    ['etcdctl --stream', []],
    ['naive', ['items', 'keys', 'requests', 'replyBytes']],
    ['doubling', ['items', 'keys', 'requests', 'replyBytes']],
    ['stream', ['items', 'keys', 'requests', 'replyBytes']],
  ] as const)('is of %s: a time and %j', (side, facts) => {
    const promised = promises[side].filter((fact) =>
      (['items', 'keys', 'requests', 'replyBytes'] as Fact[]).includes(fact),
    );
    expect(promised).toEqual(facts);
    expect(promises[side]).toContain('ms');
  });
});
