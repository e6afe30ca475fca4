import { parseFieldSelector } from '../../../server/kube/selectors';
import type { Columns } from '../harness';
import { defineTopic } from '../harness';
import { byCall, text, textMap } from '../read';

const calls = new Map<string, (input: Columns) => unknown>([
  [
    'match',
    (input) => ({
      match: parseFieldSelector(text(input, 'selector')).matches(
        textMap(input, 'fields') ?? new Map(),
      ),
    }),
  ],
  [
    'requiresExactMatch',
    (input) => {
      const selector = parseFieldSelector(text(input, 'selector'));
      const value = selector.requiresExactMatch(text(input, 'field'));
      return { found: value !== undefined, value: value ?? '' };
    },
  ],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
