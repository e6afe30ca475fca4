import { pathClean, pathJoin } from '../../../server/store/pathClean';
import { defineTopic } from '../harness';
import { text } from '../read';

export const run = defineTopic({
  actual: ({ input }) => {
    const path = text(input, 'path');
    return { clean: pathClean(path), joinRoot: pathJoin('/', path) };
  },
});
