import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeResponseSize } from '../../../server/demo/messageSize';
import { rangeResponse } from '../../../server/etcd/rpc/kvCodecs';
import { arbitraryRangeResponse } from './rangeResponses';

describe('rangeResponseSize', () => {
  it('is the length of the encoded message', () => {
    fc.assert(
      fc.property(arbitraryRangeResponse, (one) => {
        expect(rangeResponseSize(one)).toBe(rangeResponse.encode(one).length);
      }),
      { numRuns: 300 },
    );
  });
});
