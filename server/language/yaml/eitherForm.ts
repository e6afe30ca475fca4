/** Selectors that may stand in one of two fields, as a text or as requirements. */
import { isSeq } from 'yaml';
import { parseLabelSelectorDetailed } from '../../kube/selectors';
import type { Fix } from '../findings';
import type { SelectorSite } from '../model';
import { expressionLines } from '../selectors/objectLines';
import { written } from '../source/writing';
import { holdsMore } from './collections';
import { instead } from './scalarActions';
import type { Tree } from './tree';
import type { Place } from './walk';

/** The other field in the place of this one; `site` is what was found there. */
export function otherForm(tree: Tree, place: Place, site: SelectorSite | undefined): Fix[] {
  const { other } = place.row.options;
  if (other === undefined || !place.value.isDirect) return [];
  // Both together are refused.
  if (tree.field(place.parent, other) !== undefined) return [];
  return isSeq(place.value.node)
    ? asText(tree, place, site, other)
    : asRequirements(tree, place, other);
}

function asText(
  tree: Tree,
  { anchor, value }: Place,
  site: SelectorSite | undefined,
  other: string,
): Fix[] {
  const span = { start: anchor.start, end: value.span.end };
  const [labels] = (site?.selects ?? []).map((each) => each.labels);
  if (labels === undefined || labels === '' || holdsMore(tree, span)) return [];
  const text = tree.isJson ? JSON.stringify(labels) : written(labels, 'yaml');
  if (text === undefined) return [];
  // The quotes of the key stay.
  const start = tree.isJson ? span.start + 1 : span.start;
  const put = tree.isJson ? `${other}": ${text}` : `${other}: ${text}`;
  const edits = [{ span: { start, end: span.end }, text: put }];
  return [{ title: `Write it as ${other}`, edits, preferred: false }];
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

function asRequirements(tree: Tree, { anchor, value }: Place, other: string): Fix[] {
  const mapped = tree.mapped(value.node);
  const items = mapped === undefined ? [] : itemsFor(mapped.text);
  if (mapped === undefined || items.length === 0) return [];
  const lines = [`${other}:`, ...items.map((line) => `  ${line}`)];
  const edit = instead(tree, { mapped, anchor }, lines);
  return edit === undefined
    ? []
    : [{ title: `Write it as ${other}`, edits: [edit], preferred: false }];
}

/** None where one of them has no such form. */
function itemsFor(text: string): string[] {
  const { error, requirements } = parseLabelSelectorDetailed(text);
  if (error !== null) return [];
  const items = requirements.map(({ requirement }) => {
    const operator = NAMES.get(requirement?.operator ?? '');
    if (requirement === null || operator === undefined) return undefined;
    return expressionLines({ ...requirement, operator });
  });
  return items.includes(undefined) ? [] : items.flatMap((lines) => lines ?? []);
}
