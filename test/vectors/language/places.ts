/**
 * Where an error of a selector stands, told from upstream's text alone and without the places that the
 * product's parser keeps:
 *
 * - `found 'X', expected …`: the first token that the error needs to be known, which has to be `X`
 * - `found '', expected …`: the end; shown on the last character of the token before it
 * - a key that is refused: all of the key
 * - values that are refused: the first of them as written; one that is empty is shown on the character
 *   that it stands behind
 * - `can't understand 'X'`: the term `X` of a field selector
 * - an escape or a character in a value of a field: the first in the first wrong term, in the order in
 *   which upstream looks at them, which is that of their bytes
 */
import { goQuote } from '../../../server/common/goText';
import { parseLabelSelector, SelectorError, type Span } from '../../../server/kube/selectors';

export interface Token extends Span {
  readonly text: string;
}

/** A reader of its own; the vectors of the lexer are run through it. The end is a token without text. */
export function labelTokens(selector: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /[ \t\r\n]*(?:(==|!=|[=!(),><]|[^=!(),>< \t\r\n\0]+)\0?)?/y;
  for (;;) {
    const match = pattern.exec(selector);
    const [whole = '', text = ''] = match ?? [];
    const behind = pattern.lastIndex;
    const start = behind - whole.length + /^[ \t\r\n]*/.exec(whole)![0].length;
    tokens.push({ text, start, end: start + text.length });
    if (text === '') return tokens;
  }
}

/** The product's message for a text, which the vectors of the parser hold against upstream's. */
export function labelError(selector: string): string | undefined {
  try {
    parseLabelSelector(selector);
    return undefined;
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
}

export function labelErrorPlace(selector: string, message: string): Span {
  const tokens = labelTokens(selector);
  if (/found '',? expected/.test(message)) return endPlace(selector, tokens);
  const known = tokens.findIndex(({ end }) => labelError(selector.slice(0, end)) === message);
  const token = tokens[known];
  if (token === undefined) throw new Error(`no part of ${JSON.stringify(selector)} is wrong so`);
  const found = /found '(.*?)',? expected/s.exec(message)?.[1];
  if (found !== undefined) {
    if (found !== token.text) throw new Error(`${message} is told of ${token.text}`);
    return spanOf(token);
  }
  return message.includes('<nil>: ') ? named(token, message) : valuePlace(tokens, known, message);
}

/** Before the last token, which is the end. */
function endPlace(selector: string, tokens: readonly Token[]): Span {
  const last = tokens.at(-2);
  if (last === undefined) throw new Error(`nothing stands before the end of ${selector}`);
  return lastCharacter(selector, last.end);
}

function lastCharacter(selector: string, end: number): Span {
  const size = selector.codePointAt(end - 2)! > 0xffff ? 2 : 1;
  return { start: end - size, end };
}

function spanOf({ start, end }: Token): Span {
  return { start, end };
}

function isNamed({ text }: Token, message: string): boolean {
  return message.includes(`Invalid value: ${goQuote(text)}`);
}

function named(token: Token, message: string): Span {
  if (!isNamed(token, message)) throw new Error(`${message} does not name ${token.text}`);
  return spanOf(token);
}

/** Values stand behind the operator, or the parenthesis that opens their list. */
function valuePlace(tokens: readonly Token[], known: number, message: string): Span {
  const opening = ['=', '==', '!=', '<', '>', '('];
  const open = tokens.findLastIndex(({ text }, i) => i <= known && opening.includes(text));
  const wrong = tokens.slice(open + 1, known + 1).find((token) => isNamed(token, message));
  if (wrong !== undefined) return spanOf(wrong);
  if (!message.includes('Invalid value: ""')) throw new Error(`${message} names no value`);
  const { end } = tokens[open]!;
  return { start: end - 1, end };
}

interface Term extends Token {
  /** Behind the operator; undefined without one. */
  readonly value: number | undefined;
}

/** In the order in which upstream looks at them. */
function fieldTerms(selector: string): Term[] {
  const terms: Term[] = [];
  for (const match of selector.matchAll(/(?:\\.|\\$|[^\\,])+/gs)) {
    const [text] = match;
    const operator = /!=|==?/.exec(text);
    const behind = operator && operator.index + operator[0].length;
    const start = match.index;
    const value = behind === null ? undefined : start + behind;
    terms.push({ text, start, end: start + text.length, value });
  }
  return terms.sort((a, b) => Buffer.compare(Buffer.from(a.text), Buffer.from(b.text)));
}

/** The first thing in a value that upstream's unescaping refuses. */
function wrongInValue(selector: string, start: number, end: number): Span | undefined {
  const good = /(?:\\[\\,=]|[^\\,=])*/y;
  good.lastIndex = start;
  const at = start + good.exec(selector.slice(0, end))![0].length;
  if (at >= end) return undefined;
  if (selector.charAt(at) !== '\\') return { start: at, end: at + 1 };
  const [next = ''] = selector.slice(at + 1, end);
  return { start: at, end: at + 1 + next.length };
}

export function fieldErrorPlace(selector: string, message: string): Span {
  for (const { text, start, end, value } of fieldTerms(selector)) {
    if (value === undefined) {
      const whole = `invalid selector: '${selector}'; can't understand '${text}'`;
      if (message !== whole) throw new Error(`${message} is not ${whole}`);
      return { start, end };
    }
    const wrong = wrongInValue(selector, value, end);
    if (wrong === undefined) continue;
    const part = selector.slice(wrong.start, wrong.end);
    const tail = part.startsWith('\\') ? `sequence: ${part}` : `in value: ${part.charCodeAt(0)}`;
    if (!message.endsWith(tail)) throw new Error(`${message} does not end with ${tail}`);
    return wrong;
  }
  throw new Error(`${message} is told of ${selector}, in which nothing is wrong`);
}
