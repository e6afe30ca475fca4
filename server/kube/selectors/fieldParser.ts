/** The text of a field selector, parsed as `fields.ParseSelector` does, with the place of every part. */

import { compareUtf8 } from '../../common/goText';
import { unescapeFieldValue } from './fieldEscape';
import { fieldSelectorOf } from './fieldSelector';
import type { FieldRequirement, FieldSelector, FieldTransform, Span } from './types';
import { SelectorError } from './types';

export type FieldTokenKind = 'Field' | 'Operator' | 'Value' | 'Comma';

export interface FieldToken {
  readonly kind: FieldTokenKind;
  /** As written, escapes included. Fields and values that are empty have no token. */
  readonly text: string;
  readonly span: Span;
}

/** One comma-separated term as it is written, perhaps only half. Empty terms are left out. */
export interface WrittenFieldRequirement {
  readonly span: Span;
  readonly field: { readonly text: string; readonly span: Span };
  /** Null when the term has none; the field is then the whole term. */
  readonly operator: { readonly text: '=' | '==' | '!='; readonly span: Span } | null;
  /** `text` is unescaped, null when it cannot be. Null without an operator. */
  readonly value: { readonly text: string | null; readonly span: Span } | null;
}

export interface DetailedFieldSelector {
  readonly tokens: readonly FieldToken[];
  /** In the order they are written. */
  readonly requirements: readonly WrittenFieldRequirement[];
  readonly selector: FieldSelector | null;
  readonly error: SelectorError | null;
}

const identity: FieldTransform = (field, value) => [field, value];

/**
 * Parses a field selector and maps its fields. Throws `SelectorError` with upstream's text; what
 * `transform` refuses is blamed on the field's characters.
 */
export function parseFieldSelector(text: string, transform = identity): FieldSelector {
  const { selector, error } = parseFieldSelectorDetailed(text, transform);
  if (selector === null) throw error ?? new SelectorError('', { start: 0, end: text.length });
  return selector;
}

/**
 * Parses a field selector and keeps the places, also of half-typed text. Throws only what
 * `transform` throws beside `SelectorError`.
 */
export function parseFieldSelectorDetailed(
  text: string,
  transform: FieldTransform = identity,
): DetailedFieldSelector {
  const commas = commaOffsets(text);
  const terms = writtenTerms(text, commas);
  const tokens = tokensOf(text, terms, commas);
  try {
    const selector = build(text, terms, transform);
    return { tokens, requirements: terms, selector, error: null };
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { tokens, requirements: terms, selector: null, error };
  }
}

/** The terms between unescaped commas, escapes left in; none in an empty text. */
export function splitFieldTerms(text: string): string[] {
  return termSpans(text, commaOffsets(text)).map(({ start, end }) => text.slice(start, end));
}

export interface SplitFieldTerm {
  readonly field: string;
  readonly operator: '=' | '==' | '!=';
  /** As written, escapes included. */
  readonly value: string;
}

/** Splits a term at its first operator; undefined without one. The field knows no escapes. */
export function splitFieldTerm(term: string): SplitFieldTerm | undefined {
  const equals = term.indexOf('=');
  if (equals < 0) return undefined;
  if (equals > 0 && term.charAt(equals - 1) === '!') {
    return { field: term.slice(0, equals - 1), operator: '!=', value: term.slice(equals + 1) };
  }
  const operator = term.charAt(equals + 1) === '=' ? '==' : '=';
  return { field: term.slice(0, equals), operator, value: term.slice(equals + operator.length) };
}

/** Offsets of the commas that are not escaped. */
function commaOffsets(text: string): number[] {
  const commas: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\') i++;
    else if (character === ',') commas.push(i);
  }
  return commas;
}

function termSpans(text: string, commas: readonly number[]): Span[] {
  if (text === '') return [];
  return [...commas, text.length].map((end, i) => ({ start: (commas[i - 1] ?? -1) + 1, end }));
}

function writtenTerms(text: string, commas: readonly number[]): WrittenFieldRequirement[] {
  return termSpans(text, commas)
    .filter(({ start, end }) => end > start)
    .map((span) => writtenTerm(text, span));
}

function writtenTerm(text: string, span: Span): WrittenFieldRequirement {
  const term = text.slice(span.start, span.end);
  const split = splitFieldTerm(term);
  if (split === undefined) {
    return { span, field: { text: term, span }, operator: null, value: null };
  }
  const fieldEnd = span.start + split.field.length;
  const valueStart = fieldEnd + split.operator.length;
  const value = unescapeFieldValue(split.value);
  return {
    span,
    field: { text: split.field, span: { start: span.start, end: fieldEnd } },
    operator: { text: split.operator, span: { start: fieldEnd, end: valueStart } },
    value: {
      text: typeof value === 'string' ? value : null,
      span: { start: valueStart, end: span.end },
    },
  };
}

function tokensOf(
  text: string,
  terms: readonly WrittenFieldRequirement[],
  commas: readonly number[],
): FieldToken[] {
  const token = (kind: FieldTokenKind, span: Span | undefined): FieldToken[] =>
    span === undefined || span.start === span.end
      ? []
      : [{ kind, text: text.slice(span.start, span.end), span }];
  const tokens = terms.flatMap(({ field, operator, value }) => [
    ...token('Field', field.span),
    ...token('Operator', operator?.span),
    ...token('Value', value?.span),
  ]);
  const separators = commas.flatMap((at) => token('Comma', { start: at, end: at + 1 }));
  return [...tokens, ...separators].sort((a, b) => a.span.start - b.span.start);
}

/**
 * Upstream sorts the raw terms, operators and escapes included, before it looks at them: that
 * order decides which error comes first. All terms are read before any is transformed. A term
 * whose field and value are both empty is dropped.
 */
function build(
  text: string,
  terms: readonly WrittenFieldRequirement[],
  transform: FieldTransform,
): FieldSelector {
  const raw = terms.map((term) => ({ term, text: text.slice(term.span.start, term.span.end) }));
  raw.sort((a, b) => compareUtf8(a.text, b.text));
  for (const { term } of raw) checkTerm(text, term);
  const requirements: FieldRequirement[] = [];
  for (const { term } of raw) {
    const [field, value] = transformed(term, transform);
    if (field === '' && value === '') continue;
    requirements.push({ field, operator: term.operator?.text === '!=' ? '!=' : '=', value });
  }
  return fieldSelectorOf(requirements);
}

function checkTerm(text: string, { span, value }: WrittenFieldRequirement): void {
  if (value === null) {
    const term = text.slice(span.start, span.end);
    throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`, span);
  }
  const problem = unescapeFieldValue(text.slice(value.span.start, value.span.end));
  if (typeof problem === 'string') return;
  const start = value.span.start + problem.start;
  throw new SelectorError(problem.message, { start, end: value.span.start + problem.end });
}

function transformed(
  { field, value }: WrittenFieldRequirement,
  transform: FieldTransform,
): readonly [string, string] {
  try {
    return transform(field.text, value?.text ?? '');
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorError(error.message, field.span, { cause: error });
  }
}
