/** A label selector that is written as one text: what is wrong with it, and what it asks. */
import {
  parseLabelSelectorDetailed,
  type DetailedLabelSelector,
  type Span,
  type WrittenLabelRequirement,
} from '../../kube/selectors';
import { finding, type Finding, type Fix } from '../findings';
import type { MappedText } from '../source/mappedText';
import { placedEdits } from '../source/edits';
import { contradictions, duplicates, type PlacedRequirement } from './meaning';
import { repairsOf, type Repair } from './repairs';

export interface CheckedLabelText {
  readonly parsed: DetailedLabelSelector;
  readonly findings: readonly Finding[];
}

export function checkLabelText(text: MappedText): CheckedLabelText {
  const parsed = parseLabelSelectorDetailed(text.text);
  const { error } = parsed;
  if (error === null) return { parsed, findings: meaningFindings(text, placed(parsed)) };
  const fixes = repairsOf(text.text, parsed).flatMap((repair, i) => fixOf(repair, text, i === 0));
  const span = text.place(visible(error.span, text.text));
  return { parsed, findings: [finding('label-selector', error.message, span, fixes)] };
}

/** An error at the end, or at a missing part, is shown on the last character of the token before it. */
function visible(span: Span, text: string): Span {
  if (span.end > span.start) return span;
  let end = span.start;
  while (end > 0 && ' \t\r\n\0'.includes(text.charAt(end - 1))) end--;
  if (end === 0) return span;
  const isPair = /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, end - 2), end));
  return { start: end - (isPair ? 2 : 1), end };
}

function fixOf({ title, edits }: Repair, text: MappedText, preferred: boolean): Fix[] {
  const placed = placedEdits(text, edits);
  return placed === undefined ? [] : [{ title, edits: placed, preferred }];
}

function placed({ requirements }: DetailedLabelSelector): PlacedRequirement[] {
  return requirements.flatMap(({ requirement, span }: WrittenLabelRequirement) =>
    requirement === null ? [] : [{ ...requirement, span }],
  );
}

/** Findings on requirements that are valid one by one; their spans are those of the text. */
function meaningFindings(text: MappedText, requirements: readonly PlacedRequirement[]): Finding[] {
  return [
    ...contradictions(requirements).map(({ at, key, why }) =>
      finding('contradiction', contradictionText(key, why), text.place(at.span)),
    ),
    ...duplicates(requirements).map(({ span }, i) => {
      const fixes = i < MOST_FIXED ? removal(text, span) : [];
      return finding('duplicate-requirement', DUPLICATE, text.place(span), fixes);
    }),
  ];
}

/** A fix may write the whole text again, so that a fix for each of very many would be too much. */
const MOST_FIXED = 20;

export function contradictionText(key: string, why: string): string {
  return `This selector matches nothing: for "${key}" ${why}.`;
}

export const DUPLICATE = 'This requirement stands here twice.';

/** Takes the requirement away with the comma before it. */
function removal(text: MappedText, span: Span): Fix[] {
  const before = text.text.lastIndexOf(',', span.start);
  if (before < 0) return [];
  const edits = placedEdits(text, [{ span: { start: before, end: span.end }, text: '' }]);
  return edits === undefined ? [] : [{ title: 'Remove it', edits, preferred: true }];
}
