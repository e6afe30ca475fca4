/** What may be offered at a spot, before it is written there. */
import { qualifiedName } from '../../common/groupResource';
import { cellText } from '../../kube/print/cellText';
import { BUILT_IN } from '../../kube/resources/resources';
import { displayName } from '../../kube/resources/suggest';
import { SelectorError, type FieldTransform } from '../../kube/selectors';
import type { CompletionSpot, SpotChoice } from '../model';
import { builtInFields } from '../selectors/knownFields';
import type { CountedTexts } from './countedTexts';
import type { LabelIndex } from './labelIndex';
import { shownNumber } from './nouns';
import { shareText } from './shares';
import { TextPile } from './textPile';

/** A text and what is said beside it. */
export interface Candidate extends SpotChoice {
  /** Other words that mean it, such as `po` for pods. */
  readonly aliases?: readonly string[];
}

export interface Candidates {
  /** Best first. */
  readonly found: readonly Candidate[];
  /** Whether there are others that fit. */
  readonly more: boolean;
}

/** Operators of a label selector that is written as one text. */
export const LABEL_OPERATORS: readonly Candidate[] = [
  { text: '=', detail: 'the label has this value' },
  { text: '!=', detail: 'the label has another value, or is not there' },
  { text: 'in', detail: 'the label has one of these values' },
  { text: 'notin', detail: 'the label has none of these values, or is not there' },
  { text: '==', detail: 'the same as =' },
  { text: '>', detail: 'the label is a greater whole number' },
  { text: '<', detail: 'the label is a smaller whole number' },
];

export const FIELD_OPERATORS: readonly Candidate[] = [
  { text: '=', detail: 'the field has this value' },
  { text: '!=', detail: 'the field has another value, or none' },
  { text: '==', detail: 'the same as =' },
];

/** Goes before all that are alike. */
const ALIAS_RANK = -1;

/** Those of a short list that fit what was typed, the more alike first, else in their order. */
export function fitting(all: readonly Candidate[], typed: string, most: number): Candidates {
  const wanted = typed.toLowerCase();
  const ranks = new Map<number, number>();
  new TextPile(all.map(({ text }) => text)).eachLike(typed, (text, how) => ranks.set(text, how));
  const ranked = all.flatMap((candidate, i) => {
    const isAlias = candidate.aliases?.includes(wanted) === true;
    const rank = isAlias ? ALIAS_RANK : ranks.get(i);
    return rank === undefined ? [] : [{ candidate, rank }];
  });
  ranked.sort((a, b) => a.rank - b.rank);
  const found = ranked.slice(0, most).map(({ candidate }) => candidate);
  return { found, more: ranked.length > found.length };
}

/** Stored texts that fit what was typed, each with its share; none where nothing is known. */
export function stored(
  texts: CountedTexts | undefined,
  index: LabelIndex | undefined,
  typed: string,
  most: number,
): Candidates {
  if (texts === undefined || index === undefined) return { found: [], more: false };
  const { found, more } = texts.find(typed, most);
  // Many have the same count.
  const shares = new Map<number, string>();
  const shareOf = (count: number): string => {
    const share = shares.get(count) ?? shareText(count, index);
    shares.set(count, share);
    return share;
  };
  return { found: found.map(({ text, count }) => ({ text, detail: shareOf(count) })), more };
}

/** Built-in resources as kubectl names them, then custom ones. */
export function resources(custom: readonly string[]): Candidate[] {
  const builtIn = BUILT_IN.map((resource): Candidate => {
    const { kind, group, versions, shortNames, singular } = resource;
    const version = versions[0] ?? '';
    const detail = `${kind}, ${group === '' ? version : `${group}/${version}`}`;
    const aliases = [...shortNames, singular, qualifiedName(resource)];
    return { text: displayName(resource), detail, aliases };
  });
  const known = new Set(builtIn.map(({ text }) => text));
  const others = [...new Set(custom)].filter((name) => !known.has(name));
  return [...builtIn, ...others.map((text) => ({ text, detail: 'custom resource' }))];
}

/** Fields that the resource can be selected by, as they are written. */
export function fieldNames(spot: CompletionSpot, index: LabelIndex | undefined): Candidate[] {
  return writtenFields(spot, index).map((text) => {
    const values = valuesOf(text, spot, index);
    return { text, detail: values === undefined ? '' : valuesText(values) };
  });
}

function writtenFields(
  { from, choices }: CompletionSpot,
  index: LabelIndex | undefined,
): readonly string[] {
  if (choices.length > 0) return choices.map(({ text }) => text);
  const known = builtInFields(from.resource ?? '');
  if (known !== undefined) return known.names;
  if (index !== undefined && index.fieldNames.size > 0) return index.fieldNames.all;
  return ['metadata.name', 'metadata.namespace'];
}

function valuesText(values: CountedTexts): string {
  const [first] = values.find('', 1).found;
  if (first === undefined) return '';
  if (values.size === 1) return first.text === '' ? 'always empty' : `always ${short(first.text)}`;
  const often = first.count > 1 && first.text !== '' ? `, most often ${short(first.text)}` : '';
  return `${shownNumber(values.size)} values${often}`;
}

function short(text: string): string {
  return cellText(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Stored values of a field as it is written; undefined where none are known. */
export function valuesOf(
  field: string,
  { from }: CompletionSpot,
  index: LabelIndex | undefined,
): CountedTexts | undefined {
  const name = internalField(field, from.resource, index);
  return name === undefined ? undefined : index?.fieldValues(name);
}

/** The internal name of a field; undefined where the resource has no such field. */
export function internalField(
  field: string,
  resource: string | undefined,
  index: LabelIndex | undefined,
): string | undefined {
  try {
    const [name] = (index?.resource.fieldTransform ?? transformOf(resource))(field, '');
    return name;
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

function transformOf(word = ''): FieldTransform {
  return builtInFields(word)?.transform ?? ((field, value) => [field, value]);
}
