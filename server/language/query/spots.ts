/** From a place in a request to what may be completed there. */
import type { CompletionSpot, SelectedFrom, SpotKind } from '../model';
import { fieldSpotAt, labelSpotAt } from '../selectors/textSpots';
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
  const names = kind === 'fieldName' ? fieldNames : [];
  const choices = names.map((text) => ({ text, detail: '' }));
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
  const { isInSchema, behind } = place;
  return {
    ...spot,
    writing,
    ...(isInSchema !== undefined && { isInSchema }),
    ...(behind !== undefined && { behind }),
  };
}
