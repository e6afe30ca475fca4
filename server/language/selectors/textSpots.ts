/** What may be typed at a place in a selector's text, also where the text is only half there. */
import {
  lexLabelSelector,
  parseFieldSelectorDetailed,
  type FieldToken,
  type LabelToken,
  type LabelTokenKind,
  type Span,
} from '../../kube/selectors';

export interface TextSpot {
  readonly kind:
    'labelKey' | 'labelOperator' | 'labelValue' | 'fieldName' | 'fieldOperator' | 'fieldValue';
  /** The word that is replaced, in the selector's text. */
  readonly span: Span;
  /** What of it stands before the place. */
  readonly typed: string;
  /** The key or field that the operator or value belongs to; empty for others. */
  readonly key: string;
  /** Keys of the other requirements, or the other values of the same list. */
  readonly given: readonly string[];
}

type Expected = 'key' | 'operator' | 'value' | 'open' | 'item' | 'nothing';

interface State {
  readonly expected: Expected;
  readonly key: string;
  /** Values of the list so far. */
  readonly items: readonly string[];
}

const START: State = { expected: 'key', key: '', items: [] };
const COMPARISONS: readonly LabelTokenKind[] = [
  'Equals',
  'DoubleEquals',
  'NotEquals',
  'GreaterThan',
  'LessThan',
];

/** Undefined where nothing can follow but a comma. */
export function labelSpotAt(text: string, at: number): TextSpot | undefined {
  const tokens = lexLabelSelector(text);
  let state = START;
  for (const token of tokens) {
    const { start, end } = token.span;
    const isTouched = isWord(token) && start <= at && at <= end;
    if (isTouched || at <= start || token.kind === 'EndOfString') {
      return spotOf(text, at, isTouched ? token.span : { start: at, end: at }, state, tokens);
    }
    if (at < end) return undefined;
    state = next(state, token);
  }
  return undefined;
}

function isWord({ kind }: LabelToken): boolean {
  return kind === 'Identifier' || kind === 'In' || kind === 'NotIn';
}

/** Keeps going after what the parser would refuse: the rest of the text may be sound. */
function next(state: State, token: LabelToken): State {
  const { expected, key, items } = state;
  if (token.kind === 'Comma') return expected === 'item' ? state : START;
  if (token.kind === 'DoesNotExist') return START;
  switch (expected) {
    case 'key':
      return { expected: 'operator', key: token.text, items: [] };
    case 'operator':
      return afterOperator(token, key);
    case 'open':
      return { ...state, expected: token.kind === 'OpenPar' ? 'item' : 'nothing' };
    case 'item':
      if (token.kind === 'ClosedPar') return { ...state, expected: 'nothing' };
      return { ...state, items: [...items.slice(-MOST_GIVEN), token.text] };
    case 'value':
    case 'nothing':
      return { ...state, expected: 'nothing' };
  }
}

/** Longer lists are written by programs. */
const MOST_GIVEN = 100;

function afterOperator(token: LabelToken, key: string): State {
  if (token.kind === 'In' || token.kind === 'NotIn') return { expected: 'open', key, items: [] };
  return { expected: COMPARISONS.includes(token.kind) ? 'value' : 'nothing', key, items: [] };
}

function spotOf(
  text: string,
  at: number,
  span: Span,
  { expected, key, items }: State,
  tokens: readonly LabelToken[],
): TextSpot | undefined {
  const typed = text.slice(span.start, at);
  switch (expected) {
    case 'key':
      return { kind: 'labelKey', span, typed, key: '', given: otherKeys(tokens, span) };
    case 'operator':
      return { kind: 'labelOperator', span, typed, key, given: [] };
    case 'value':
      return { kind: 'labelValue', span, typed, key, given: [] };
    case 'item':
      return {
        kind: 'labelValue',
        span,
        typed,
        key,
        given: [...items, ...laterItems(tokens, span)],
      };
    case 'open':
    case 'nothing':
      return undefined;
  }
}

function otherKeys(tokens: readonly LabelToken[], { start }: Span): string[] {
  const keys = new Set<string>();
  let state = START;
  for (const token of tokens) {
    if (state.expected === 'key' && isWord(token) && token.span.start !== start) {
      keys.add(token.text);
    }
    state = next(state, token);
  }
  return [...keys];
}

/** The values that follow in the same list. */
function laterItems(tokens: readonly LabelToken[], { end }: Span): string[] {
  const items: string[] = [];
  for (const token of tokens) {
    if (token.span.start < end || token.kind === 'Comma') continue;
    if (!isWord(token) || items.length >= MOST_GIVEN) break;
    items.push(token.text);
  }
  return items;
}

export function fieldSpotAt(text: string, at: number): TextSpot {
  const { tokens, requirements } = parseFieldSelectorDetailed(text);
  const { start, end } = termAt(tokens, at, text.length);
  const term = requirements.find(({ span }) => span.start === start);
  const operator = term?.operator?.span ?? { start: end, end: Infinity };
  if (at <= operator.start) {
    const others = requirements.filter((each) => each !== term).map(({ field }) => field.text);
    const span = { start, end: operator.start };
    return { kind: 'fieldName', span, typed: text.slice(start, at), key: '', given: others };
  }
  const key = term?.field.text ?? '';
  if (at < operator.end) {
    const typed = text.slice(operator.start, at);
    return { kind: 'fieldOperator', span: operator, typed, key, given: [] };
  }
  const span = { start: operator.end, end };
  return { kind: 'fieldValue', span, typed: text.slice(operator.end, at), key, given: [] };
}

/** Between the commas around a place. */
function termAt(tokens: readonly FieldToken[], at: number, length: number): Span {
  const commas = tokens.filter(({ kind }) => kind === 'Comma');
  const start = commas.findLast(({ span }) => span.end <= at)?.span.end ?? 0;
  return { start, end: commas.find(({ span }) => span.start >= at)?.span.start ?? length };
}
