/** A field selector that is written as one text: what is wrong with it, and what it asks. */
import { nearest } from '../../common/nearest';
import {
  parseFieldSelectorDetailed,
  SelectorError,
  type DetailedFieldSelector,
  type Span,
} from '../../kube/selectors';
import { finding, type Finding, type Fix } from '../findings';
import { placedEdits } from '../source/edits';
import type { MappedText } from '../source/mappedText';
import type { KnownFields } from './knownFields';
import type { PlacedRequirement } from './meaning';
import { MOST_REQUIREMENTS } from './requirements';
import { cutFinding, meaningFindings } from './together';

export interface CheckedFieldText {
  readonly parsed: DetailedFieldSelector;
  readonly findings: readonly Finding[];
}

export function checkFieldText(text: MappedText, fields?: KnownFields): CheckedFieldText {
  const parsed = parseFieldSelectorDetailed(text.text, fields?.transform);
  const { error } = parsed;
  if (error === null) {
    const together = meaningFindings(text, placed(parsed), 'field');
    return { parsed, findings: [...together, ...cutFinding(text, parsed.requirements)] };
  }
  const isUnsupported = error.cause instanceof SelectorError;
  const fixes = isUnsupported
    ? nearestFields(text, error.span, fields?.names ?? [])
    : operatorFixes(text);
  const code = isUnsupported ? 'unsupported-field' : 'field-selector';
  return { parsed, findings: [finding(code, error.message, text.place(error.span), fixes)] };
}

function placed({ requirements }: DetailedFieldSelector): PlacedRequirement[] {
  return requirements
    .slice(0, MOST_REQUIREMENTS)
    .flatMap(({ span, field, operator, value }): PlacedRequirement[] => {
      if (operator === null || value === null || value.text === null) return [];
      return [{ key: field.text, operator: operator.text, values: [value.text], span }];
    });
}

function nearestFields(text: MappedText, span: Span, names: readonly string[]): Fix[] {
  const written = text.text.slice(span.start, span.end);
  return nearest(written, names).flatMap((name, i) => {
    const edits = placedEdits(text, [{ span, text: name }]);
    return edits === undefined ? [] : [{ title: `Change to ${name}`, edits, preferred: i === 0 }];
  });
}

/** `:` and `===` are written by people who think of other languages. */
function operatorFixes(text: MappedText): Fix[] {
  const match = /===|:(?!\/)/.exec(text.text);
  if (match === null) return [];
  const span = { start: match.index, end: match.index + match[0].length };
  const repaired = text.text.slice(0, span.start) + '=' + text.text.slice(span.end);
  if (parseFieldSelectorDetailed(repaired).error !== null) return [];
  const edits = placedEdits(text, [{ span, text: '=' }]);
  return edits === undefined ? [] : [{ title: 'Write =', edits, preferred: true }];
}
