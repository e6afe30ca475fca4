/** From a place in a request to what may be completed there. */
import type { CompletionSpot, SelectedFrom, SpotKind } from '../model';
import { fieldSpotAt, labelSpotAt, type TextSpot } from '../selectors/textSpots';
import type { SpotChoice } from '../model';
import type { Place } from './draft';
import { textOffset, wholeOf } from '../source/parts';
import { referenceTo } from './references';

export interface SpotContext {
  readonly from: SelectedFrom;
  /** Fields that the resource can be selected by, where they are known. */
  readonly fieldNames: readonly string[];
  /** Names of the queries before this one. */
  readonly names: readonly string[];
}

export function spotOf(
  place: Place,
  offset: number,
  context: SpotContext,
): CompletionSpot | undefined {
  switch (place.kind) {
    case 'labels':
    case 'fields':
      return selectorSpot(place, offset, context);
    case 'token': {
      const choices = context.names.map((name) => ({
        text: referenceTo(name),
        detail: `the token that ${name} ended with`,
      }));
      return wordSpot('choice', { ...place, choices }, offset, context);
    }
    case 'namespace':
    case 'resource':
    case 'choice':
    case 'flag':
      return wordSpot(place.kind, place, offset, context);
  }
}

/** The word is replaced as a whole. */
function wordSpot(
  kind: SpotKind,
  place: Place,
  offset: number,
  { from }: SpotContext,
): CompletionSpot | undefined {
  const { text, choices, given } = place;
  const typed = text.text.slice(0, textOffset(text, offset));
  const span = text.text === '' ? { start: offset, end: offset } : wholeOf(text);
  return spotIn(place, offset, { kind, span, typed, from, key: '', given, choices });
}

function selectorSpot(
  place: Place,
  offset: number,
  { from, fieldNames }: SpotContext,
): CompletionSpot | undefined {
  const { text } = place;
  const at = textOffset(text, offset);
  const isLabel = place.kind === 'labels';
  const spot = isLabel ? labelSpotAt(text.text, at) : fieldSpotAt(text.text, at);
  if (spot === undefined) return undefined;
  const { start, end } = spot.span;
  const span = start === end ? { start: offset, end: offset } : text.place(spot.span);
  const { kind, typed, key, given } = spot;
  const choices = choicesOf(spot, fieldNames);
  return spotIn(place, offset, { kind, span, typed, from, key, given, choices });
}

/** Undefined where nothing can be written, and behind what the text is made of. */
function spotIn(
  place: Place,
  offset: number,
  spot: Omit<CompletionSpot, 'writing'>,
): CompletionSpot | undefined {
  const { start, end } = spot.span;
  const writing = place.writingIn(spot.span);
  if (writing === undefined || offset < start || offset > end) return undefined;
  return { ...spot, writing };
}

const LABEL_OPERATORS: readonly SpotChoice[] = [
  { text: '=', detail: 'the value is this one' },
  { text: '!=', detail: 'the value is another one, or the label is not there' },
  { text: 'in', detail: 'the value is one of these' },
  { text: 'notin', detail: 'the value is none of these, or the label is not there' },
  { text: '>', detail: 'the value is a larger whole number' },
  { text: '<', detail: 'the value is a smaller whole number' },
];

const FIELD_OPERATORS: readonly SpotChoice[] = [
  { text: '=', detail: 'the value is this one' },
  { text: '!=', detail: 'the value is another one' },
];

function choicesOf({ kind }: TextSpot, fieldNames: readonly string[]): readonly SpotChoice[] {
  switch (kind) {
    case 'labelOperator':
      return LABEL_OPERATORS;
    case 'fieldOperator':
      return FIELD_OPERATORS;
    case 'fieldName':
      return fieldNames.map((text) => ({ text, detail: 'selectable field' }));
    case 'labelKey':
    case 'labelValue':
    case 'fieldValue':
      return [];
  }
}
