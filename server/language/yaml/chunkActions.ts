/** Where in a document a selector may be written another way. */
import type { Span } from '../../kube/selectors';
import type { Fix } from '../findings';
import type { SelectorSite } from '../model';
import { wholeOf } from '../source/parts';
import { objectActions } from './actions';
import { headOf, type YamlOptions } from './analyse';
import { otherForm } from './eitherForm';
import { objectsOf } from './kubeObject';
import { parseChunk } from './parse';
import { isSubstituted } from './templates';
import { commandActions, objectInstead, scalarActions } from './scalarActions';
import { findTexts, mayHoldTexts, type FoundText } from './textWalk';
import type { Tree } from './tree';
import { walkKind, type Place } from './walk';

/** `sites` are those of the chunk, in its own offsets, as are `at` and the edits. */
export function actionsInChunk(
  text: string,
  at: number,
  sites: readonly SelectorSite[],
  options: YamlOptions,
): Fix[] {
  const near = sites.filter(({ span }) => contains(span, at));
  if (near.length === 0) return [];
  const trees = parseChunk(headOf(text), options.checkpoint) ?? [];
  return trees.flatMap((tree) => new ActionFinder(tree, at, near).find(options));
}

function contains({ start, end }: Span, at: number): boolean {
  return start <= at && at <= end;
}

class ActionFinder {
  private readonly found: Fix[] = [];
  /** Where texts stand of which the table of kinds knows. */
  private readonly known = new Set<number>();

  constructor(
    private readonly tree: Tree,
    private readonly at: number,
    private readonly sites: readonly SelectorSite[],
  ) {}

  find({ fileName }: YamlOptions): Fix[] {
    const { tree } = this;
    for (const { places, value } of objectsOf(tree, fileName)) {
      walkKind(tree, places, value, '', (place) => {
        if (contains(place.value.region, this.at)) this.inPlace(place);
      });
    }
    if (mayHoldTexts(tree.text)) {
      findTexts(tree, (text) => {
        this.inText(text);
      });
    }
    return this.found;
  }

  private inPlace(place: Place): void {
    const { tree, at } = this;
    const { row, value, anchor } = place;
    const site = this.sites.find((each) => each.anchor.start === anchor.start);
    if (site !== undefined) this.found.push(...otherForm(tree, place, site));
    if (row.form === 'object') this.found.push(...objectActions(tree, value, at));
    if (row.form !== 'labelText' && row.form !== 'fieldText') return;
    const text = value.isDirect ? tree.mapped(value.node) : undefined;
    if (text === undefined || this.isOpen(text.text, wholeOf(text))) return;
    this.known.add(wholeOf(text).start);
    const kind = row.form === 'labelText' ? 'label' : 'field';
    this.found.push(...scalarActions(tree, { kind, text }, at));
  }

  private inText(text: FoundText): void {
    const { tree, at } = this;
    const { mapped, command, kind, cut } = text;
    const span = wholeOf(mapped);
    if (
      cut !== undefined ||
      !contains(span, at) ||
      this.known.has(span.start) ||
      this.isOpen(mapped.text, span)
    )
      return;
    this.known.add(span.start);
    if (command === undefined) {
      this.found.push(...scalarActions(tree, { kind, text: mapped }, at));
    } else {
      const { isInFlow } = text;
      this.found.push(...commandActions(tree, { ...command, kind, isInFlow }, at));
    }
    if (kind === 'label' && text.mayBeProse) this.found.push(...objectInstead(tree, text));
  }

  /** Something else decides what stands there in the end. */
  private isOpen(text: string, span: Span): boolean {
    return this.tree.touchesTemplate(span) || isSubstituted(text);
  }
}
