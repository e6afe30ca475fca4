import { decodeContinue, TokenError } from '../../../server/store/continueToken';
import { hexOf, utf8Of } from '../bytes';
import { defineTopic } from '../harness';
import { text } from '../read';

const prefix = 'continue key is not valid: ';

const capitalized = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);

export const run = defineTopic({
  actual: ({ input, expect }) => {
    try {
      const decoded = decodeContinue(text(input, 'token'), utf8Of(text(input, 'keyPrefix')));
      return {
        key: new TextDecoder('utf-8', { ignoreBOM: true }).decode(decoded.key),
        keyHex: hexOf(decoded.key),
        rv: String(decoded.resourceVersion),
      };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      const { kind, message } = error;
      // Go's own tail of the message is compared too, though no case demands it.
      const detail = 'errorDetail' in expect ? { errorDetail: message.slice(prefix.length) } : {};
      return { errorKind: capitalized(kind), error: message, ...detail };
    }
  },
});
