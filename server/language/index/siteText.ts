/** The lens, the hover and the finding of a selector, with what is stored or without. */
import { findResource } from '../../kube/resources/resources';
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldRequirement,
} from '../../kube/selectors';
import { finding, type Finding } from '../findings';
import type { EmptyMeaning, SelectorSite, SiteRequirement } from '../model';
import { fieldWords, labelWords } from '../selectors/words';
import { escapeMarkdown } from '../tokenMarkdown';
import { internalField } from './candidates';
import type { LabelIndex, Selection } from './labelIndex';
import { misspellings, type Misspelling } from './misspelt';
import { nounOf, OBJECTS, shownNumber, type Noun } from './nouns';
import { coverageText, matchText, shareText, shortShare } from './shares';

/** What a lens above the selector says; undefined where nothing is known. Plain text. */
export function lensText(
  site: SelectorSite,
  index: LabelIndex | undefined,
  counts: (site: SelectorSite, index: LabelIndex) => number | undefined = matchCount,
): string | undefined {
  if (index === undefined || !site.isWhole) return undefined;
  if (site.requirements.length === 0) return emptyLens(site.empty, index);
  const count = counts(site, index);
  return count === undefined ? undefined : `matches ${matchText(count, index)}`;
}

function emptyLens(meaning: EmptyMeaning, index: LabelIndex): string | undefined {
  switch (meaning) {
    case 'all':
      return `empty: matches ${matchText(index.coverage.objects, index)}`;
    case 'none':
      return 'empty: matches nothing';
    case 'own':
      return 'absent: matches its own namespace';
    case 'refused':
    case 'filled':
    case 'unknown':
      return undefined;
  }
}

/** Objects of the index that the selector selects; undefined where that cannot be told. */
export function matchCount(site: SelectorSite, index: LabelIndex): number | undefined {
  const selections = selectionsOf(site, index);
  return selections === undefined ? undefined : index.matching(selections);
}

function selectionsOf(site: SelectorSite, index: LabelIndex): Selection[] | undefined {
  try {
    return site.selects?.map(({ labels, fields }) => ({
      label: parseLabelSelector(labels),
      field: parseFieldSelector(fields, index.resource.fieldTransform),
    }));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/**
 * A hint where every stored object is known and the selector selects none of them, without its fixes:
 * `storedFixes` makes these, in more time than there is for each selector of a document.
 */
export function storedFinding(
  site: SelectorSite,
  index: LabelIndex,
  count: number | undefined,
): Finding | undefined {
  if (!index.isExact || site.requirements.length === 0 || count !== 0) return undefined;
  return finding('selects-nothing', `This selector matches ${matchText(0, index)}.`, site.anchor);
}

/** Requirements shown; more were written by no person. */
const MOST_SHOWN = 50;

/** The selector requirement by requirement, as Markdown in which nothing of the document can act. */
export function siteMarkdown(site: SelectorSite, index: LabelIndex | undefined): string {
  const noun = index?.resource.noun ?? nounOfSite(site);
  const selects = `Selects ${escapeMarkdown(noun.many)}`;
  if (site.requirements.length === 0) {
    const words = site.isWhole ? emptyWords(site.empty, noun) : UNREAD;
    return `${selects}. ${words}`;
  }
  const near = nearLines(site, index);
  const shown = site.requirements.slice(0, MOST_SHOWN);
  const hidden = site.requirements.length - shown.length;
  return [
    `${selects} by:`,
    '',
    ...shown.flatMap((requirement) => [
      `- ${requirementText(requirement, site, index)}`,
      ...(near.get(requirement) ?? []),
    ]),
    ...(hidden > 0 ? [`- and ${shownNumber(hidden)} more`] : []),
    ...(site.isWhole ? [] : ['', LEFT_OUT]),
    ...(index === undefined ? [] : ['', togetherText(site, index)]),
  ].join('\n');
}

const UNREAD = 'What stands in it has errors, or is filled in by a template.';
const LEFT_OUT = 'What has errors, or is filled in by a template, is left out here.';

function nearLines(
  site: SelectorSite,
  index: LabelIndex | undefined,
): ReadonlyMap<SiteRequirement, readonly string[]> {
  const lines = new Map<SiteRequirement, string[]>();
  if (index === undefined) return lines;
  for (const each of misspellings(site, index)) {
    const { requirement } = each;
    const line = `    - ${nearText(each, index)}`;
    lines.set(requirement, [...(lines.get(requirement) ?? []), line]);
  }
  return lines;
}

/** What an empty selector means where it stands, as one sentence. */
function emptyWords(meaning: EmptyMeaning, noun: Noun): string {
  const many = escapeMarkdown(noun.many);
  switch (meaning) {
    case 'all':
      return `It is empty, which here selects all ${many}.`;
    case 'none':
      return 'It is empty, which here selects nothing.';
    case 'own':
      return 'It is absent, which here selects the namespace that it is in.';
    case 'refused':
      return 'It is empty, which the API server refuses here.';
    case 'filled':
      return 'It is empty, and the API server fills it in here.';
    case 'unknown':
      return 'It is empty; whether that selects all or nothing is for the resource to say.';
  }
}

function nounOfSite({ from }: SelectorSite): Noun {
  const found = findResource(from.resource ?? '')?.resource;
  return found === undefined ? OBJECTS : nounOf(found.kind, found.resource);
}

/** How many objects one requirement alone matches, in a few characters; undefined where nobody knows. */
export function requirementHint(
  { kind, key, operator, values }: SiteRequirement,
  { from }: SelectorSite,
  index: LabelIndex,
): string | undefined {
  if (kind === 'label') return shortShare(index.labelMatches({ key, operator, values }), index);
  const field = internalField(key, from.resource, index);
  if (field === undefined) return undefined;
  const asked = operator === '!=' ? '!=' : '=';
  return shortShare(index.fieldMatches({ field, operator: asked, value: values[0] ?? '' }), index);
}

/** In bold: Markdown's code marks would show the escapes of what stands between them. */
const quote = (text: string): string => `**${escapeMarkdown(text)}**`;

function requirementText(
  requirement: SiteRequirement,
  site: SelectorSite,
  index: LabelIndex | undefined,
): string {
  if (requirement.kind === 'field') return fieldText(requirement, site, index);
  const words = labelWords(requirement, quote);
  if (index === undefined) return words;
  const share = escapeMarkdown(shareText(index.labelMatches(requirement), index));
  return `${words}: ${share}${absentText(requirement, index)}`;
}

/** Of those that a negative requirement matches, how many match for want of the label. */
function absentText({ key, operator }: SiteRequirement, index: LabelIndex): string {
  if (operator !== '!=' && operator !== 'notin') return '';
  const absent = index.labelMatches({ key, operator: '!', values: [] });
  return absent === 0
    ? ', none of them without the label'
    : `, ${shownNumber(absent)} of them without the label`;
}

function fieldText(
  { key, operator, values }: SiteRequirement,
  { from }: SelectorSite,
  index: LabelIndex | undefined,
): string {
  const asked: FieldRequirement = {
    field: key,
    operator: operator === '!=' ? '!=' : '=',
    value: values[0] ?? '',
  };
  const words = fieldWords(asked, quote);
  const field = internalField(key, from.resource, index);
  if (index === undefined || field === undefined) return words;
  return `${words}: ${escapeMarkdown(shareText(index.fieldMatches({ ...asked, field }), index))}`;
}

function nearText({ part, text, near }: Misspelling, index: LabelIndex): string {
  const what = part === 'key' ? 'Nothing read carries' : 'Nothing read has the value';
  const names = near.map(
    ({ text: name, count }) => `${quote(name)} (${escapeMarkdown(shareText(count, index))})`,
  );
  return `${what} ${quote(text)}; near it: ${names.join(', ')}`;
}

function togetherText(site: SelectorSite, index: LabelIndex): string {
  const count = matchCount(site, index);
  const matched =
    count === undefined ? '' : `It matches ${escapeMarkdown(matchText(count, index))}.\n\n`;
  return `${matched}${escapeMarkdown(coverageText(index))}`;
}
