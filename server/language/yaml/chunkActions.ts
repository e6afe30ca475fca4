/** Where in a document a selector may be written another way. */
import { isMap, isScalar, isSeq } from 'yaml';
import type { Fix } from '../findings';
import type { SelectorSite } from '../model';
import { objectActions, textActions } from './actions';
import { headOf, type YamlOptions } from './analyse';
import { objectsOf } from './kubeObject';
import { parseChunk } from './parse';
import { textOf, type Entry, type Tree, type Value } from './tree';
import { walkKind } from './walk';

/** `sites` are those of the chunk, in its own offsets, as are `at` and the edits. */
export function actionsInChunk(
  text: string,
  at: number,
  sites: readonly SelectorSite[],
  options: YamlOptions,
): Fix[] {
  const near = sites.filter(({ span }) => span.start <= at && at <= span.end);
  if (near.length === 0) return [];
  const trees = parseChunk(headOf(text)) ?? [];
  return trees.flatMap((tree) => [
    ...ofObjects(tree, at, near, options),
    ...ofText(tree, at, near),
  ]);
}

function ofObjects(
  tree: Tree,
  at: number,
  sites: readonly SelectorSite[],
  { fileName }: YamlOptions,
): Fix[] {
  const found: Fix[] = [];
  for (const object of objectsOf(tree, fileName)) {
    walkKind(tree, object.places, object.value, '', (place) => {
      const site = sites.find(
        ({ form, anchor }) => form === 'object' && anchor.start === place.anchor.start,
      );
      if (site !== undefined && place.row.form === 'object') {
        found.push(...objectActions(tree, place, site, at));
      }
    });
  }
  return found;
}

function ofText(tree: Tree, at: number, sites: readonly SelectorSite[]): Fix[] {
  const entry = entryAt(tree, at);
  const text = textOf(entry);
  const mapped = tree.mapped(entry?.node);
  if (entry === undefined || text === undefined || mapped === undefined) return [];
  const whole = mapped.place({ start: 0, end: text.length });
  const isSelector = sites.some(
    ({ form, span }) => form === 'text' && span.start === whole.start && span.end === whole.end,
  );
  const isLabels = sites.some(({ requirements }) => requirements.every((r) => r.kind === 'label'));
  if (!isSelector || !isLabels) return [];
  return textActions(tree, { anchor: entry.keySpan, span: entry.span }, text);
}

/** The scalar at an offset that is the value of a key in block style. */
function entryAt(tree: Tree, at: number): Entry | undefined {
  let value: Value | undefined = tree.root();
  while (value !== undefined && isBlock(value)) {
    const children: readonly (Value | Entry)[] = isMap(value.node)
      ? tree.entries(value)
      : tree.items(value);
    const next: Value | Entry | undefined = children.find(
      (child) => child.isDirect && child.region.start <= at && at < child.region.end + 1,
    );
    if (next !== undefined && 'keySpan' in next && isScalar(next.node)) return next;
    value = next;
  }
  return undefined;
}

function isBlock({ node }: Value): boolean {
  return (isMap(node) || isSeq(node)) && node.flow !== true;
}
