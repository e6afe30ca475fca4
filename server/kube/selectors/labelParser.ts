/** The text of a label selector, parsed as `labels.Parse` does, with the place of every part. */

import { compareUtf8 } from '../../common/goText';
import { aggregateText } from './fieldErrors';
import type { LabelToken, LabelTokenKind } from './labelLexer';
import { lexLabelSelector } from './labelLexer';
import {
  binaryOperators,
  labelKeyError,
  labelValueError,
  requirementErrors,
} from './labelRequirement';
import { labelSelectorOf, sortRequirements } from './labelSelector';
import type { LabelRequirement, LabelSelector, Operator, Span } from './types';
import { SelectorError } from './types';

export interface SelectorPart {
  readonly text: string;
  readonly span: Span;
}

/** One requirement as it is written, perhaps only half. */
export interface WrittenLabelRequirement {
  /** From its first token to its last one read. */
  readonly span: Span;
  readonly key: SelectorPart | null;
  /** Null while none is written; the span of `exists` is empty and stands behind the key. */
  readonly operator: { readonly name: Operator; readonly span: Span } | null;
  /** In the order they are written, duplicates too; an empty value has an empty span. */
  readonly values: readonly SelectorPart[];
  /** What it means; null when it was broken off or is not valid. */
  readonly requirement: LabelRequirement | null;
}

export interface DetailedLabelSelector {
  readonly tokens: readonly LabelToken[];
  /** In the order they are written; the last one may be what stood before the error. */
  readonly requirements: readonly WrittenLabelRequirement[];
  readonly selector: LabelSelector | null;
  readonly error: SelectorError | null;
}

/** Parses a label selector. Throws `SelectorError` with upstream's text. */
export function parseLabelSelector(text: string): LabelSelector {
  const { selector, error } = parseLabelSelectorDetailed(text);
  if (selector === null) throw error ?? new SelectorError('', { start: 0, end: text.length });
  return selector;
}

/** Parses a label selector and keeps the places, also of half-typed text. Never throws. */
export function parseLabelSelectorDetailed(text: string): DetailedLabelSelector {
  const tokens = lexLabelSelector(text);
  const parser = new LabelParser(tokens);
  try {
    parser.parse();
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { tokens, requirements: parser.written, selector: null, error };
  }
  const requirements = parser.written.flatMap(({ requirement }) => requirement ?? []);
  const selector = labelSelectorOf(sortRequirements(requirements));
  return { tokens, requirements: parser.written, selector, error: null };
}

interface Draft {
  span: Span;
  key: SelectorPart | null;
  operator: { name: Operator; span: Span } | null;
  values: SelectorPart[];
  requirement: LabelRequirement | null;
}

const operatorOfToken: ReadonlyMap<LabelTokenKind, Operator> = new Map<LabelTokenKind, Operator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Equals', '='],
  ['DoubleEquals', '=='],
  ['NotEquals', '!='],
  ['GreaterThan', 'gt'],
  ['LessThan', 'lt'],
]);

const inRequirement = 'unable to parse requirement: ';

class LabelParser {
  readonly written: Draft[] = [];
  private position = 0;

  constructor(private readonly tokens: readonly LabelToken[]) {}

  parse(): void {
    while (!this.nextIs('EndOfString')) {
      if (!this.nextIs('Identifier', 'DoesNotExist')) {
        throw this.found("', expected: !, identifier, or 'end of string'");
      }
      this.parseRequirement();
      if (this.nextIs('EndOfString')) return;
      if (!this.nextIs('Comma')) throw this.found("', expected: ',' or 'end of string'");
      this.take();
      if (!this.nextIs('Identifier', 'DoesNotExist')) {
        throw this.found("', expected: identifier after ','");
      }
    }
  }

  private parseRequirement(): void {
    const { start } = this.next().span;
    const draft: Draft = {
      span: { start, end: start },
      key: null,
      operator: null,
      values: [],
      requirement: null,
    };
    this.written.push(draft);
    try {
      this.parseKey(draft);
      if (draft.operator === null) {
        draft.operator = this.parseOperator();
        if (draft.operator.name === 'in' || draft.operator.name === 'notin') this.parseList(draft);
        else this.parseValue(draft);
      }
    } finally {
      draft.span = { start, end: Math.max(start, this.lastEnd()) };
    }
    draft.requirement = build(draft);
  }

  /** `!` before the key, or nothing behind it, settles the operator. */
  private parseKey(draft: Draft): void {
    if (this.nextIs('DoesNotExist')) draft.operator = { name: '!', span: this.take().span };
    if (!this.nextIs('Identifier')) throw this.found("', expected: identifier", inRequirement);
    const { text, span } = this.take();
    draft.key = { text, span };
    const invalid = labelKeyError(null, text);
    if (invalid !== undefined) throw new SelectorError(inRequirement + invalid.message, span);
    if (this.nextIs('EndOfString', 'Comma')) {
      draft.operator ??= { name: 'exists', span: { start: span.end, end: span.end } };
    }
  }

  private parseOperator(): { name: Operator; span: Span } {
    const name = operatorOfToken.get(this.next().kind);
    if (name === undefined) {
      throw this.found(`', expected: ${binaryOperators.join(', ')}`, inRequirement);
    }
    return { name, span: this.take().span };
  }

  private parseValue(draft: Draft): void {
    if (this.nextIs('EndOfString', 'Comma')) {
      draft.values.push(emptyPart(this.lastEnd()));
      return;
    }
    if (!this.nextIs('Identifier')) throw this.found("', expected: identifier", inRequirement);
    draft.values.push(partOf(this.take()));
  }

  private parseList(draft: Draft): void {
    if (!this.nextIs('OpenPar')) throw this.found("' expected: '('", inRequirement);
    this.take();
    if (this.nextIs('ClosedPar')) {
      draft.values.push(emptyPart(this.lastEnd()));
    } else if (this.nextIs('Identifier', 'Comma')) {
      this.parseItems(draft);
    } else {
      throw this.found("', expected: ',', ')' or identifier", inRequirement);
    }
    this.take();
  }

  /** Stops before the closing parenthesis. Where a value is missing it is the empty one. */
  private parseItems(draft: Draft): void {
    for (;;) {
      if (this.nextIs('Identifier')) {
        draft.values.push(partOf(this.take()));
        if (this.nextIs('ClosedPar')) return;
        if (!this.nextIs('Comma')) throw this.found("', expected: ',' or ')'", inRequirement);
        this.take();
      } else if (this.nextIs('Comma')) {
        draft.values.push(emptyPart(this.lastEnd()));
        this.take();
      } else {
        throw this.found("', expected: ',', or identifier", inRequirement);
      }
      if (this.nextIs('ClosedPar')) {
        draft.values.push(emptyPart(this.lastEnd()));
        return;
      }
    }
  }

  private next(): LabelToken {
    return (
      this.tokens[this.position] ?? { kind: 'EndOfString', text: '', span: { start: 0, end: 0 } }
    );
  }

  /** `in` and `notin` are identifiers too, wherever one may stand. */
  private nextIs(...kinds: readonly LabelTokenKind[]): boolean {
    const { kind } = this.next();
    const word = kind === 'In' || kind === 'NotIn' ? 'Identifier' : kind;
    return kinds.includes(word);
  }

  private take(): LabelToken {
    const token = this.next();
    this.position++;
    return token;
  }

  private lastEnd(): number {
    return this.tokens[this.position - 1]?.span.end ?? 0;
  }

  private found(rest: string, before = ''): SelectorError {
    const { text, span } = this.next();
    return new SelectorError(`${before}found '${text}${rest}`, span);
  }
}

function partOf({ text, span }: LabelToken): SelectorPart {
  return { text, span };
}

function emptyPart(at: number): SelectorPart {
  return { text: '', span: { start: at, end: at } };
}

/** The requirement a whole draft means; blames the first value that is not valid. */
function build({ key, operator, values: parts, span }: Draft): LabelRequirement {
  const name = operator?.name ?? 'exists';
  const keyText = key?.text ?? '';
  const values = [...new Set(parts.map(({ text }) => text))].sort(compareUtf8);
  const errors = requirementErrors(keyText, name, values);
  if (errors.length === 0) return { key: keyText, operator: name, values };
  const bad = parts.find(({ text }) => labelValueError(null, keyText, text) !== undefined);
  const blamed = bad ?? parts[0];
  throw new SelectorError(inRequirement + aggregateText(errors), blamed?.span ?? span);
}
