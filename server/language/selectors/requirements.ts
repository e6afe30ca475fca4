/** The requirements of a selector that is written as one text, where they stand in the document. */
import type { DetailedFieldSelector, DetailedLabelSelector, Span } from '../../kube/selectors';
import type { SitePart, SiteRequirement } from '../model';
import type { MappedText } from '../source/mappedText';
import { wordWriting } from '../source/parts';

/** Of one selector; more were written by no person. */
export const MOST_REQUIREMENTS = 10_000;

/** Those that are whole and valid, as they mean it: values sorted, each once. */
export function labelRequirements(
  mapped: MappedText,
  { requirements }: DetailedLabelSelector,
): SiteRequirement[] {
  const first = requirements.slice(0, MOST_REQUIREMENTS);
  return first.flatMap(({ requirement, span, key, values }): SiteRequirement[] => {
    if (requirement === null || key === null) return [];
    const placed = { kind: 'label', span: mapped.place(span), ...requirement } as const;
    const keyPart = partOf(mapped, key.span);
    // Of equal values the first one.
    const parts = new Map([...values].reverse().map(({ text, span: at }) => [text, at]));
    const valueParts = requirement.values.flatMap((text) => {
      const at = parts.get(text);
      return (at && partOf(mapped, at)) ?? [];
    });
    return [withParts(placed, keyPart, valueParts)];
  });
}

/** Those that are whole. */
export function fieldRequirements(
  mapped: MappedText,
  { requirements }: DetailedFieldSelector,
): SiteRequirement[] {
  const first = requirements.slice(0, MOST_REQUIREMENTS);
  return first.flatMap(({ span, field, operator, value }): SiteRequirement[] => {
    if (operator === null || value === null || value.text === null) return [];
    const placed = {
      kind: 'field',
      span: mapped.place(span),
      key: field.text,
      operator: operator.text,
      values: [value.text],
    } as const;
    const valuePart = partOf(mapped, value.span);
    return [
      withParts(placed, partOf(mapped, field.span), valuePart === undefined ? [] : [valuePart]),
    ];
  });
}

/** A requirement with those of its parts that can be replaced alone: values all or none. */
export function withParts(
  requirement: SiteRequirement,
  keyPart: SitePart | undefined,
  valueParts: readonly SitePart[],
): SiteRequirement {
  const isWhole = valueParts.length === requirement.values.length;
  return {
    ...requirement,
    ...(keyPart === undefined ? {} : { keyPart }),
    ...(isWhole ? { valueParts } : {}),
  };
}

/** What is all of the text is written in its form, else as a word within it. */
function partOf(mapped: MappedText, span: Span): SitePart | undefined {
  const isAll = span.end - span.start === mapped.text.length;
  const writing = isAll ? mapped.writing : wordWriting(mapped);
  return writing && { span: mapped.place(span), writing };
}
