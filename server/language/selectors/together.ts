/** What the requirements of one text say together. */
import type { Span } from '../../kube/selectors';
import { finding, type Finding, type Fix } from '../findings';
import { shownNumber } from '../index/nouns';
import { placedEdits } from '../source/edits';
import type { MappedText } from '../source/mappedText';
import { contradictions, duplicates, type Contradiction, type PlacedRequirement } from './meaning';
import { MOST_REQUIREMENTS } from './requirements';

/** Findings on requirements that are valid one by one; their spans are those of the text. */
export function meaningFindings(
  text: MappedText,
  requirements: readonly PlacedRequirement[],
  kind: 'label' | 'field',
): Finding[] {
  return [
    ...contradictions(requirements).map((each) =>
      finding('contradiction', contradictionText(each, kind), text.place(each.at.span)),
    ),
    ...duplicates(requirements).map(({ span }, i) => {
      const fixes = i < MOST_FIXED ? removal(text, span) : [];
      return finding('duplicate-requirement', DUPLICATE, text.place(span), fixes);
    }),
  ];
}

/** What is said where requirements are no longer held against one another. */
export function cutFinding(
  text: MappedText,
  requirements: readonly { readonly span: Span }[],
): Finding[] {
  const next = requirements[MOST_REQUIREMENTS];
  if (next === undefined) return [];
  const message = `Only the first ${shownNumber(MOST_REQUIREMENTS)} requirements of this selector are held against one another.`;
  return [finding('not-checked', message, text.place(next.span))];
}

/** A fix may write the whole text again, so that a fix for each of very many would be too much. */
const MOST_FIXED = 20;

export function contradictionText(
  { key, why }: Pick<Contradiction, 'key' | 'why'>,
  kind: 'label' | 'field',
): string {
  const because = kind === 'label' ? why : why.replace('the label', 'the field');
  return `This selector matches nothing: for "${key}" ${because}.`;
}

export const DUPLICATE = 'This requirement stands here twice.';

/** Takes the requirement away with the comma before it. */
function removal(text: MappedText, span: Span): Fix[] {
  const before = text.text.lastIndexOf(',', span.start);
  if (before < 0) return [];
  const edits = placedEdits(text, [{ span: { start: before, end: span.end }, text: '' }]);
  return edits === undefined ? [] : [{ title: 'Remove it', edits, preferred: true }];
}
