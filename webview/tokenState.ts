/** The token inspector's part of the state, and how each message changes it. */
import type { Failure } from '../server/protocol/errors';
import type { TokenFacts } from '../server/protocol/model';

export interface TokenFields {
  readonly version: string;
  readonly resourceVersion: string;
  readonly start: string;
}

export interface TokenState {
  /** As pasted; of edited fields the token that they make, empty while they make none. */
  readonly text: string;
  readonly facts: TokenFacts | null;
  /** The fields as edited; null while they are those of the pasted token. */
  readonly edited: TokenFields | null;
  readonly failure: Failure | null;
}

export type TokenMessage =
  | { readonly type: 'tokenText'; readonly text: string }
  | { readonly type: 'tokenEdited'; readonly fields: TokenFields }
  | { readonly type: 'tokenFacts'; readonly facts: TokenFacts }
  | { readonly type: 'tokenFailed'; readonly failure: Failure };

export const emptyToken = (text = ''): TokenState => ({
  text,
  facts: null,
  edited: null,
  failure: null,
});

export function reduceToken(token: TokenState, message: TokenMessage): TokenState {
  switch (message.type) {
    case 'tokenText':
      return {
        text: message.text,
        facts: message.text.trim() === '' ? null : token.facts,
        edited: null,
        failure: null,
      };
    case 'tokenEdited':
      return { ...token, edited: message.fields };
    case 'tokenFacts':
      return {
        ...token,
        text: token.edited === null ? token.text : message.facts.token,
        facts: message.facts,
        failure: null,
      };
    case 'tokenFailed':
      // The fields that are being typed in stay.
      return {
        ...token,
        text: token.edited === null ? token.text : '',
        facts: token.edited === null ? null : token.facts,
        failure: message.failure,
      };
  }
}

const types: ReadonlySet<string> = new Set<TokenMessage['type']>([
  'tokenText',
  'tokenEdited',
  'tokenFacts',
  'tokenFailed',
]);

export const isOfToken = (message: { readonly type: string }): message is TokenMessage =>
  types.has(message.type);
