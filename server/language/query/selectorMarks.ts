/** What the parts of a selector's text are, for an editor's colours. */
import type { DetailedFieldSelector, DetailedLabelSelector, Span } from '../../kube/selectors';
import { MOST_REQUIREMENTS } from '../selectors/requirements';
import type { MappedText } from '../source/mappedText';
import type { Mark, MarkType } from './model';

export function labelMarks({ place }: MappedText, { requirements }: DetailedLabelSelector): Mark[] {
  const marks: Mark[] = [];
  const put = putter(marks, place);
  for (const { key, operator, values } of requirements.slice(0, MOST_REQUIREMENTS)) {
    put(key?.span, 'property');
    put(operator?.span, 'operator');
    for (const value of values) put(value.span, 'string');
  }
  return marks;
}

export function fieldMarks({ place }: MappedText, { requirements }: DetailedFieldSelector): Mark[] {
  const marks: Mark[] = [];
  const put = putter(marks, place);
  for (const { field, operator, value } of requirements.slice(0, MOST_REQUIREMENTS)) {
    put(field.span, 'property');
    put(operator?.span, 'operator');
    put(value?.span, 'string');
  }
  return marks;
}

function putter(marks: Mark[], place: MappedText['place']) {
  return (span: Span | undefined, type: MarkType): void => {
    if (span !== undefined && span.end > span.start) marks.push({ span: place(span), type });
  };
}
