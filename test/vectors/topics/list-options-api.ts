import { requestProblems } from '../../../server/store/requestOptions';
import { defineTopic } from '../harness';
import { flag, text } from '../read';

export const run = defineTopic({
  actual: ({ input }) => ({
    errors: requestProblems({
      watch: flag(input, 'watch'),
      resourceVersion: text(input, 'resourceVersion'),
      resourceVersionMatch: text(input, 'resourceVersionMatch'),
      continueToken: text(input, 'continue'),
      sendInitialEvents:
        input['sendInitialEvents'] === null ? undefined : flag(input, 'sendInitialEvents'),
      watchListEnabled: flag(input, 'watchListEnabled'),
    }).map((problem) => problem.message),
  }),
});
