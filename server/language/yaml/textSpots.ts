/** What may be completed in the text of a selector. */
import {
  lexLabelSelector,
  parseFieldSelectorDetailed,
  type LabelToken,
  type Span,
} from '../../kube/selectors';
import type { SpotKind } from '../model';

/** A place in a selector's text, in its own offsets. */
export interface TextSpot {
  readonly kind: SpotKind;
  readonly span: Span;
  readonly key: string;
  readonly given: readonly string[];
}

/** What may stand next in a label selector. */
type State = 'key' | 'operator' | 'value' | 'parenthesis' | 'list' | 'comma';

const KINDS: ReadonlyMap<State, SpotKind> = new Map<State, SpotKind>([
  ['key', 'labelKey'],
  ['operator', 'labelOperator'],
  ['value', 'labelValue'],
  ['list', 'labelValue'],
]);

/** Half-typed text is what it is made for. Undefined where no name or value may stand. */
export function labelTextSpot(text: string, at: number): TextSpot | undefined {
  const reader = new SelectorReader();
  const tokens = lexLabelSelector(text);
  for (const token of tokens) {
    if (token.kind === 'EndOfString' || token.span.start >= at) {
      return touched(reader, token, at) ?? reader.spot({ start: at, end: at }, givenIn(tokens, at));
    }
    if (isWord(token) && token.span.end >= at) return reader.spot(token.span, givenIn(tokens, at));
    reader.take(token);
  }
  return undefined;
}

/** A word that begins right at the cursor is replaced as well. */
function touched(reader: SelectorReader, token: LabelToken, at: number): TextSpot | undefined {
  return isWord(token) && token.span.start === at ? reader.spot(token.span, []) : undefined;
}

function isWord({ kind }: LabelToken): boolean {
  return kind === 'Identifier' || kind === 'In' || kind === 'NotIn';
}

/** What may stand behind each token; without one it stays as it was. */
const NEXT: Readonly<Record<State, (token: LabelToken) => State | undefined>> = {
  key: (token) => (isWord(token) ? 'operator' : undefined),
  operator: ({ kind }) =>
    kind === 'In' || kind === 'NotIn' ? 'parenthesis' : kind === 'Comma' ? 'key' : 'value',
  parenthesis: ({ kind }) => (kind === 'OpenPar' ? 'list' : undefined),
  list: ({ kind }) => (kind === 'ClosedPar' ? 'comma' : undefined),
  value: ({ kind }) => (kind === 'Comma' ? 'key' : 'comma'),
  comma: ({ kind }) => (kind === 'Comma' ? 'key' : undefined),
};

class SelectorReader {
  private state: State = 'key';
  private key = '';
  private values: string[] = [];

  take(token: LabelToken): void {
    const { state } = this;
    this.state = NEXT[state](token) ?? state;
    if (state === 'list' && isWord(token)) this.values.push(token.text);
    if (state !== 'key' || this.state === 'key') return;
    this.key = token.text;
    this.values = [];
  }

  spot(span: Span, keys: readonly string[]): TextSpot | undefined {
    const kind = KINDS.get(this.state);
    if (kind === undefined) return undefined;
    const given = kind === 'labelKey' ? keys : kind === 'labelValue' ? this.values : [];
    return { kind, span, key: kind === 'labelKey' ? '' : this.key, given };
  }
}

/** Keys that stand elsewhere in the selector. */
function givenIn(tokens: readonly LabelToken[], at: number): string[] {
  const reader = new KeyReader();
  return tokens.flatMap((token) => {
    const isKey = reader.isKey(token);
    const isHere = token.span.start <= at && at <= token.span.end;
    return isKey && !isHere ? [token.text] : [];
  });
}

/** Tells keys by what stands before them. */
class KeyReader {
  private isAtKey = true;
  private depth = 0;

  isKey(token: LabelToken): boolean {
    const { kind } = token;
    if (kind === 'OpenPar') this.depth++;
    if (kind === 'ClosedPar') this.depth--;
    const found = this.isAtKey && isWord(token);
    if (found) this.isAtKey = false;
    if (kind === 'Comma' && this.depth <= 0) this.isAtKey = true;
    return found;
  }
}

/** The same in a field selector. */
export function fieldTextSpot(text: string, at: number): TextSpot {
  const { requirements } = parseFieldSelectorDetailed(text);
  const term = requirements.find(({ span }) => span.start <= at && at <= span.end);
  const given = requirements.flatMap((each) => (each === term ? [] : [each.field.text]));
  if (term === undefined)
    return { kind: 'fieldName', span: { start: at, end: at }, key: '', given };
  const { field, operator, span } = term;
  if (operator === null || at <= field.span.end) {
    return { kind: 'fieldName', span: field.span, key: '', given };
  }
  const key = field.text;
  if (at < operator.span.end) return { kind: 'fieldOperator', span: operator.span, key, given: [] };
  const value = { start: operator.span.end, end: span.end };
  return { kind: 'fieldValue', span: value, key, given: [] };
}
