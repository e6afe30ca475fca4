import { pathClean, pathJoin } from '../../../server/common/pathClean';
import { defineTopic } from '../harness';
import { text } from '../read';

export const run = defineTopic({
  actual: ({ input }) => {
    const path = text(input, 'path');
    return { clean: pathClean(path), joinRoot: pathJoin('/', path) };
  },
});
