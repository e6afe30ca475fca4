import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeRangeResponse, encodeRangeStreamResponse } from '../../../server/demo/rangeEncoding';
import { rangeResponse, rangeStreamResponse } from '../../../server/etcd/rpc/kvCodecs';
import { arbitraryRangeResponse } from './rangeResponses';

describe('the encoding of range replies', () => {
  it('makes the bytes of the general codec', () => {
    fc.assert(
      fc.property(arbitraryRangeResponse, (one) => {
        const whole = Buffer.from(encodeRangeResponse(one));
        expect(whole.equals(rangeResponse.encode(one))).toBe(true);
        const chunk = { rangeResponse: one };
        const message = Buffer.from(encodeRangeStreamResponse(chunk));
        expect(message.equals(rangeStreamResponse.encode(chunk))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('makes nothing of a chunk without a reply', () => {
    expect(encodeRangeStreamResponse({ rangeResponse: undefined })).toHaveLength(0);
  });
});
