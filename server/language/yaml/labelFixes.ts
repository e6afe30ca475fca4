/** Fixes and texts for keys and values of labels. */
import { isMap, type Scalar } from 'yaml';
import { labelKeyErrors, labelValueErrors } from '../../kube/selectors';
import type { Fix } from '../findings';
import { placedEdits } from '../source/edits';
import { wholeOf } from '../source/parts';
import { jsonOf, type Reading } from './scalars';
import type { Content, Tree } from './tree';

interface Proposal {
  readonly title: string;
  readonly text: string;
}

export function keyFixes(tree: Tree, node: Scalar, key: string): Fix[] {
  const slash = key.indexOf('/');
  const small = key.slice(0, slash).toLowerCase() + key.slice(slash);
  return replacements(tree, node, key, labelKeyErrors, [
    { title: 'Remove the blanks', text: key.trim() },
    { title: 'Write the prefix in small letters', text: slash < 0 ? key : small },
    { title: 'Write the prefix in small letters, without blanks', text: small.trim() },
  ]);
}

export function valueFixes(tree: Tree, node: Content | undefined, value: string): Fix[] {
  return replacements(tree, node, value, labelValueErrors, [
    { title: 'Remove the blanks', text: value.trim() },
    { title: 'Remove the quotes', text: value.trim().replace(/^(["'`])(.*)\1$/, '$2') },
  ]);
}

/** Those of the proposals that are valid, the first one preferred. */
function replacements(
  tree: Tree,
  node: Content | undefined,
  text: string,
  errorsOf: (text: string) => readonly string[],
  proposals: readonly Proposal[],
): Fix[] {
  const valid = proposals.find((each) => each.text !== text && errorsOf(each.text).length === 0);
  return valid === undefined ? [] : replacement(tree, node, valid.title, valid.text);
}

/** Another text in a scalar's place. */
export function replacement(
  tree: Tree,
  node: Content | undefined,
  title: string,
  text: string,
): Fix[] {
  const mapped = tree.mapped(node);
  if (mapped === undefined) return [];
  const edits = placedEdits(mapped, [{ span: { start: 0, end: mapped.text.length }, text }]);
  return edits === undefined ? [] : [{ title, edits, preferred: true }];
}

/** Quotes around a plain scalar, which keep it the text that it looks like. */
export function quoteFix(tree: Tree, node: Content | undefined): Fix[] {
  const mapped = tree.mapped(node);
  if (mapped?.writing !== 'yaml' || /["\\\n]/.test(mapped.text)) return [];
  if (node?.tag !== undefined) return [];
  const span = wholeOf(mapped);
  const edits = [{ span, text: `"${mapped.text}"` }];
  return [{ title: 'Put it in quotes', edits, preferred: true }];
}

export function readingText(written: string, read: string): string {
  return `YAML reads ${written} as ${read} here.`;
}

/** What stands in the place of a text, and what the API server says to it. */
export function wrongTypeText(
  written: string,
  read: Reading,
  goField: string | undefined,
  goType = 'string',
): string {
  const isTruth = read.as === 'bool';
  const noun = isTruth ? 'truth value' : 'number';
  const is = `YAML reads ${written} as the ${noun} ${jsonOf(read) ?? written}`;
  if (goField === undefined) return `${is}, and this has to be a string.`;
  const type = isTruth ? 'bool' : 'number';
  return `${is}: json: cannot unmarshal ${type} into Go struct field ${goField} of type ${goType}`;
}

/** The same of a map or a list, which have no reading. */
export function wrongShapeText(node: Content, goField: string): string {
  const [noun, type] = isMap(node) ? ['map', 'object'] : ['list', 'array'];
  return `YAML reads a ${noun} here: json: cannot unmarshal ${type} into Go struct field ${goField} of type string`;
}
