/** Requirements that ask for what is not stored, beside what is and looks much like it. */
import { cellText } from '../../kube/print/cellText';
import { escapeFieldValue } from '../../kube/selectors';
import type { Fix } from '../findings';
import type { SelectorSite, SitePart, SiteRequirement } from '../model';
import { written } from '../source/writing';
import { internalField } from './candidates';
import type { CountedText, CountedTexts } from './countedTexts';
import type { LabelIndex } from './labelIndex';
import { nearKeys, nearValues } from './nearStored';
import { carriersText } from './shares';

export interface Misspelling {
  readonly requirement: SiteRequirement;
  readonly part: 'key' | 'value';
  /** As it stands in the document. */
  readonly text: string;
  /** Stored ones that are near, best first; at least one. */
  readonly near: readonly CountedText[];
  readonly place: SitePart | undefined;
}

/** Searching for what is near takes some time for each. */
const MOST = 10;

/** At most the first few of a selector. */
export function misspellings(site: SelectorSite, index: LabelIndex): Misspelling[] {
  const found: Misspelling[] = [];
  for (const part of unstored(site, index)) {
    if (found.length >= MOST) break;
    const { requirement, text, all } = part;
    const near = part.part === 'key' ? nearKeys(text, all) : nearValues(text, all);
    if (near.length > 0)
      found.push({ requirement, part: part.part, text, near, place: part.place });
  }
  return found;
}

/** The nearest stored one in the place of each that is not; only where the document can be edited. */
export function storedFixes(site: SelectorSite, index: LabelIndex): Fix[] {
  return misspellings(site, index).flatMap(({ near, place, part, requirement }) =>
    near.flatMap((each, i) => {
      const isEscaped = site.form === 'text' && requirement.kind === 'field' && part === 'value';
      const put = isEscaped ? escapeFieldValue(each.text) : each.text;
      const text = place && written(put, place.writing);
      if (text === undefined || text === '') return [];
      const verb = part === 'key' ? 'carry' : 'have';
      const title = `Change to ${cellText(each.text)}, which ${carriersText(each.count, index, verb)}`;
      return [{ title, edits: [{ span: place?.span ?? site.span, text }], preferred: i === 0 }];
    }),
  );
}

interface Unstored {
  readonly requirement: SiteRequirement;
  readonly part: 'key' | 'value';
  readonly text: string;
  /** What could stand there. */
  readonly all: CountedTexts;
  readonly place: SitePart | undefined;
}

/** Lazily, since most are never looked at. */
function* unstored(site: SelectorSite, index: LabelIndex): Generator<Unstored> {
  for (const requirement of site.requirements) {
    const { kind, key, keyPart } = requirement;
    const all = index.labelKeys;
    const isUnknownLabel = kind === 'label' && all.indexOf(key) < 0;
    if (isUnknownLabel) yield { requirement, part: 'key', text: key, all, place: keyPart };
    else yield* unstoredValues(requirement, site, index);
  }
}

function* unstoredValues(
  requirement: SiteRequirement,
  { from }: SelectorSite,
  index: LabelIndex,
): Generator<Unstored> {
  const { kind, key, operator, values, valueParts } = requirement;
  if (operator === 'gt' || operator === 'lt') return;
  const field = kind === 'field' ? internalField(key, from.resource, index) : undefined;
  const all = kind === 'label' ? index.labelValues(key) : index.fieldValues(field ?? '');
  if (all === undefined) return;
  for (const [i, text] of values.entries()) {
    if (all.indexOf(text) < 0) {
      yield { requirement, part: 'value', text, all, place: valueParts?.[i] };
    }
  }
}
