import { StoreError } from '../../../server/store/errors';
import { validateListOptions } from '../../../server/store/listOptions';
import { integer, utf8Of } from '../bytes';
import { defineTopic } from '../harness';
import { flag, text } from '../read';
import { kindOf } from '../storeErrors';

export const run = defineTopic({
  actual: ({ input }) => {
    const options = {
      key: '',
      recursive: flag(input, 'recursive'),
      resourceVersion: text(input, 'resourceVersion'),
      resourceVersionMatch: text(input, 'resourceVersionMatch'),
      predicate: {
        label: undefined,
        field: undefined,
        limit: integer(input, 'limit'),
        continueToken: text(input, 'continue'),
      },
    };
    try {
      const position = validateListOptions(utf8Of(text(input, 'keyPrefix')), options);
      const continueKey = new TextDecoder().decode(position.continueKey);
      return { withRev: String(position.revision), continueKey };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { errorKind: kindOf(error), error: error.message };
    }
  },
});
