import { lexLabelSelector } from '../../../server/kube/selectors';
import { defineTopic } from '../harness';
import { text } from '../read';

export const run = defineTopic({
  actual: ({ input }) => ({
    tokens: lexLabelSelector(text(input, 'text')).map((token) => [token.kind, token.text]),
  }),
});
