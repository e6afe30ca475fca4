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
import type { PlacedRequirement } from './meaning';
import { MOST_REQUIREMENTS } from './requirements';
import { repairsOf, type Repair } from './repairs';
import { cutFinding, meaningFindings } from './together';

export interface CheckedLabelText {
  readonly parsed: DetailedLabelSelector;
  readonly findings: readonly Finding[];
}

export function checkLabelText(text: MappedText): CheckedLabelText {
  const parsed = parseLabelSelectorDetailed(text.text);
  const { error } = parsed;
  if (error === null) {
    return {
      parsed,
      findings: [
        ...meaningFindings(text, placed(parsed), 'label'),
        ...cutFinding(text, parsed.requirements),
      ],
    };
  }
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
  return requirements
    .slice(0, MOST_REQUIREMENTS)
    .flatMap(({ requirement, span }: WrittenLabelRequirement) =>
      requirement === null ? [] : [{ ...requirement, span }],
    );
}
