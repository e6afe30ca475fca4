import { describe, expect, it } from 'vitest';
import { Agreement, type Told } from '../../bench/agreement';

const page = (message: string) => ({ method: 'Range', message });
const engine: Told = {
  items: 20,
  keys: 2000,
  requestCount: 2,
  requests: [page('AA=='), page('AQ==')],
  replyBytes: 5000,
  printedBytes: 4900,
};

/** What is said when `other` comes after the engine. */
function noted(other: Told): () => void {
  const agreement = new Agreement('b, small Pods');
  agreement.note('engine', engine);
  return () => {
    agreement.note('upstream', other);
  };
}

describe('sides agree', () => {
  it('when all is the same, or one tells less', () => {
    expect(noted(engine)).not.toThrow();
    expect(noted({ items: 20 })).not.toThrow();
    expect(noted({})).not.toThrow();
  });

  it.each([
    [{ items: 19 }, 'objects found: engine 20, upstream 19'],
    [{ items: 0 }, 'objects found: engine 20, upstream 0'],
    [{ keys: 2001 }, 'keys received: engine 2000, upstream 2001'],
    [{ requestCount: 3 }, 'number of etcd requests: engine 2, upstream 3'],
    [{ replyBytes: 4999 }, 'bytes of the replies: engine 5000, upstream 4999'],
    [{ printedBytes: 1 }, 'bytes printed: engine 4900, upstream 1'],
  ] satisfies [Told, string][])('not: %j', (other, message) => {
    expect(noted(other)).toThrow(`b, small Pods: not the same ${message}`);
  });

  it.each([
    [[page('AA=='), page('AA==')], 'number 2: engine Range AQ==, upstream Range AA=='],
    [[page('AA==')], 'number 2: engine Range AQ==, upstream nothing'],
    [[page('AA=='), page('AQ=='), page('Ag==')], 'number 3: engine nothing, upstream Range Ag=='],
    [
      [{ method: 'RangeStream', message: 'AA==' }, page('AQ==')],
      'number 1: engine Range AA==, upstream RangeStream AA==',
    ],
  ])('not with requests of their own: %j', (requests, message) => {
    expect(noted({ requests })).toThrow(`not the same etcd requests, ${message}`);
  });

  it('not when a side tells something else than before, or than the third', () => {
    const agreement = new Agreement('a');
    agreement.note('engine', { items: 1 });
    agreement.note('floor', { replyBytes: 7 });
    expect(() => {
      agreement.note('engine', { items: 2 });
    }).toThrow('engine 1, engine 2');
    expect(() => {
      agreement.note('engine', { items: 1, replyBytes: 8 });
    }).toThrow('floor 7, engine 8');
  });
});
