/** From a spot in a document, and what is stored, to what a person is offered there. */
import { cellText } from '../../kube/print/cellText';
import { escapeFieldValue, labelKeyErrors, labelValueErrors } from '../../kube/selectors';
import type { Edit } from '../findings';
import type { CompletionSpot } from '../model';
import { written } from '../source/writing';
import {
  FIELD_OPERATORS,
  fieldNames,
  fitting,
  internalField,
  LABEL_OPERATORS,
  resources,
  stored,
  valuesOf,
  type Candidate,
  type Candidates,
} from './candidates';
import { fieldChoices } from './fieldChoices';
import type { LabelIndex } from './labelIndex';
import { shareText } from './shares';

export interface Offer {
  /** As it is shown: one line, nothing hidden in it. */
  readonly text: string;
  /** How many objects have it, or what it means; perhaps empty. */
  readonly detail: string;
  readonly edit: Edit;
  /** What stands in the document when somebody types it: editors compare that with the word there. */
  readonly filter: string;
  /** Offers are in the order of these texts. */
  readonly sort: string;
}

export interface Offers {
  readonly offers: readonly Offer[];
  /** False when more fit: typing on must ask again. */
  readonly complete: boolean;
}

/** What is known where a spot is. */
export interface Known {
  /** Of the spot's resource and namespace. */
  readonly index: LabelIndex | undefined;
  readonly namespaces: readonly string[];
  /** As `PLURAL.GROUP`. */
  readonly customResources: readonly string[];
}

/** Longer lists are not read; typing on narrows them. */
const MOST = 200;
/** Values that a person gave before: where there are more, a few offers may be left out. */
const MOST_GIVEN = 1000;
/** In UTF-16 units. Names and labels are shorter; other texts are no offers. */
const LONGEST = 1000;

export function offersFor(spot: CompletionSpot, known: Known): Offers {
  const given = new Set(spot.given);
  const { found, more } = candidatesFor(spot, known, MOST + Math.min(given.size, MOST_GIVEN));
  const left = found.filter(({ text }) => !given.has(text) && isValid(spot, text));
  const offers = left.slice(0, MOST).flatMap((candidate, i) => offerOf(candidate, spot, i));
  return { offers, complete: !more && left.length <= MOST };
}

function candidatesFor(spot: CompletionSpot, known: Known, most: number): Candidates {
  const { typed, key } = spot;
  const { index } = known;
  switch (spot.kind) {
    case 'labelKey':
      return stored(index?.labelKeys, index, typed, most);
    case 'labelValue':
      return stored(index?.labelValues(key), index, typed, most);
    case 'fieldValue':
      return fieldValues(spot, index, most);
    default:
      return fitting(shortList(spot, known), typed, most);
  }
}

function shortList(
  spot: CompletionSpot,
  { index, namespaces, customResources }: Known,
): readonly Candidate[] {
  switch (spot.kind) {
    case 'fieldName':
      return fieldNames(spot, index);
    case 'labelOperator':
      return spot.choices.length > 0 ? spot.choices : LABEL_OPERATORS;
    case 'fieldOperator':
      return spot.choices.length > 0 ? spot.choices : FIELD_OPERATORS;
    case 'resource':
      return resources(customResources);
    case 'namespace':
      return namespaces.map((text) => ({ text, detail: '' }));
    default:
      return spot.choices;
  }
}

/** Those that are stored, then those of a fixed list that are not. */
function fieldValues(
  spot: CompletionSpot,
  index: LabelIndex | undefined,
  most: number,
): Candidates {
  const { key, typed, from } = spot;
  const values = valuesOf(key, spot, index);
  const known = stored(values, index, typed, most);
  const field = internalField(key, from.resource, index);
  const detail = index === undefined ? '' : shareText(0, index);
  const fixed = fieldChoices(from.resource ?? '', field ?? '')
    .filter((text) => (values?.indexOf(text) ?? -1) < 0)
    .map((text) => ({ text, detail }));
  return { found: [...known.found, ...fitting(fixed, typed, most).found], more: known.more };
}

/** What no API server would take is stored by accident, and no offer. */
function isValid({ kind }: CompletionSpot, text: string): boolean {
  if (text.length > LONGEST) return false;
  if (kind === 'labelKey') return labelKeyErrors(text).length === 0;
  return kind !== 'labelValue' || labelValueErrors(text).length === 0;
}

function offerOf({ text, detail }: Candidate, spot: CompletionSpot, place: number): Offer[] {
  const { kind, span, writing, behind = '' } = spot;
  const put = written(kind === 'fieldValue' ? escapeFieldValue(text) : text, writing);
  // Nothing can be put there for an empty value, unless it is written with quotes.
  if (put === undefined || put === '') return [];
  const isQuoted = writing === 'yaml' && text !== '';
  return [
    {
      text: cellText(text === '' ? put : text),
      detail,
      edit: { span, text: put + behind },
      filter: isQuoted ? text : put,
      sort: String(place).padStart(4, '0'),
    },
  ];
}
