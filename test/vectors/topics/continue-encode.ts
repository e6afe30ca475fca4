import { encodeContinueDetailed, prepareContinue } from '../../../server/store/continueToken';
import { isUnfiltered } from '../../../server/store/predicate';
import { parseFieldSelector, parseLabelSelector } from '../../../server/kube/selectors';
import { bytes, integer, utf8Of } from '../bytes';
import { defineTopic, type Columns } from '../harness';
import { byCall, flag, text } from '../read';

function orError(answer: () => unknown): unknown {
  try {
    return answer();
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function jsonOf(token: string): string {
  return Buffer.from(token, 'base64url').toString('utf8');
}

function encode(input: Columns): unknown {
  const keyPrefix = utf8Of(text(input, 'keyPrefix'));
  return orError(() => {
    const { token, json } = encodeContinueDetailed(
      bytes(input, 'key'),
      keyPrefix,
      integer(input, 'rv'),
    );
    return { token, json };
  });
}

function prepare(input: Columns): unknown {
  const label = parseLabelSelector(text(input, 'labelSelector'));
  const field = parseFieldSelector(text(input, 'fieldSelector'));
  return orError(() => {
    const { token, remainingItemCount } = prepareContinue({
      lastKey: bytes(input, 'key'),
      keyPrefix: utf8Of(text(input, 'keyPrefix')),
      resourceVersion: integer(input, 'rv'),
      count: integer(input, 'itemsCount'),
      hasMore: flag(input, 'hasMore'),
      limit: integer(input, 'limit'),
      filtered: !isUnfiltered({ label, field }),
    });
    const remaining = remainingItemCount === null ? null : Number(remainingItemCount);
    return { token, remaining, json: jsonOf(token) };
  });
}

const calls = new Map([
  ['encode', encode],
  ['prepare', prepare],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
