import { labelSelectorOf, parseLabelSelector } from '../../../server/kube/selectors';
import { defineTopic, UnknownShape } from '../harness';
import { has, text, textMap } from '../read';
import { requirements } from '../selectors';

export const run = defineTopic({
  actual: ({ input }) => {
    const selector = has(input, 'requirements')
      ? labelSelectorOf(requirements(input, 'requirements'))
      : parseLabelSelector(text(input, 'selector'));
    const labels = textMap(input, 'labels');
    if (labels === null) throw new UnknownShape('no labels');
    return { match: selector.matches(labels) };
  },
});
