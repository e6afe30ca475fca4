import { parseLabelSelector, requirementsText } from '../../../server/kube/selectors';
import { defineTopic } from '../harness';
import { text } from '../read';
import { orError } from '../selectors';

export const run = defineTopic({
  actual: ({ input }) =>
    orError(() => {
      const selector = parseLabelSelector(text(input, 'selector'));
      return {
        requirements: selector.requirements,
        canonical: selector.toString(),
        requirementsString: requirementsText(selector.requirements),
        empty: selector.empty(),
      };
    }),
});
