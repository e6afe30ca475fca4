/**
 * Keys whose values a Pod's own labels give: `matchLabelKeys` and `mismatchLabelKeys`, held against the
 * selector beside them.
 *
 * Upstream: `ValidateMatchLabelKeysAndMismatchLabelKeys` (`k8s.io/kubernetes/pkg/apis/core/validation`)
 * and `applyLabelKeysToLabelSelector` (`pkg/registry/core/pod/strategy.go`).
 */
import { isSeq } from 'yaml';
import { forbidden, invalid } from '../../kube/selectors';
import type { KubeObject } from './kubeObject';
import { PLAIN_RULES, readLabels } from './labels';
import type { Report } from './report';
import { GIVEN_LATER } from './serviceHints';
import { isSubstituted } from './templates';
import { readingOf, textOf, type Entry, type Tree, type Value } from './tree';
import type { Place } from './walk';

const FIELD = /\.((?:mis)?matchLabelKeys)$/;

export function checkMatchLabelKeys(report: Report, object: KubeObject, place: Place): void {
  const { tree } = report;
  const { value, path, parent, anchor } = place;
  const name = FIELD.exec(path)?.[1];
  if (name === undefined || !isSeq(value.node) || value.node.items.length === 0) return;
  const selector = tree.field(parent, 'labelSelector');
  if (selector === undefined || readingOf(selector.node)?.as === 'null') {
    const { message } = forbidden(path, 'must not be specified when labelSelector is not set');
    report.aboutAll([parent], anchor, 'request', message);
  }
  if (name !== 'matchLabelKeys') return;
  const others = new Set(textsOf(tree, tree.field(parent, 'mismatchLabelKeys')).map(textIn));
  const asked = selector === undefined ? new Set<string>() : keysOf(tree, selector);
  const term = path.replace(FIELD, '');
  textsOf(tree, value).forEach(({ key, item }, i) => {
    const tell = (at: string, where: string): void => {
      const detail = `exists in both matchLabelKeys and ${where}`;
      report.about(item.span, 'request', invalid(at, { text: key }, detail).message);
    };
    if (others.has(key)) tell(`${path}[${i}]`, 'mismatchLabelKeys');
    // The key is asked for twice once the Pod's own value was added to the selector.
    else if (asked.has(key) && mayBear(tree, object, path, key))
      tell(`${term}[${i}]`, 'labelSelector');
  });
}

interface WrittenKey {
  readonly key: string;
  readonly item: Value;
}

function textIn({ key }: WrittenKey): string {
  return key;
}

/** In their order, with an empty one in the place of what is no text or not certain. */
function textsOf(tree: Tree, list: Value | undefined): WrittenKey[] {
  if (list === undefined) return [];
  return tree.items(list).map((item) => ({ key: certainText(tree, item) ?? '', item }));
}

function certainText(tree: Tree, value: Value): string | undefined {
  const text = textOf(value);
  const isOpen = text === undefined || tree.touchesTemplate(value.span) || isSubstituted(text);
  return isOpen ? undefined : text;
}

/** What a label selector asks about, as far as that is certain. */
function keysOf(tree: Tree, selector: Value): Set<string> {
  const labels = tree.field(selector, 'matchLabels');
  const list = tree.field(selector, 'matchExpressions');
  const read = labels === undefined ? [] : readLabels(tree, labels, PLAIN_RULES).labels;
  const expressions = list === undefined ? [] : tree.items(list);
  const keys = expressions.flatMap((item) => {
    const key = tree.field(item, 'key');
    return key === undefined ? [] : (certainText(tree, key) ?? []);
  });
  return new Set([...read.map(({ key }) => key), ...keys]);
}

/** Whether the Pods may have the label: without it nothing is added to the selector. */
function mayBear(tree: Tree, { value }: KubeObject, path: string, key: string): boolean {
  const at = path.search(/(?:^|\.)spec\.(?:affinity|topologySpreadConstraints)\b/);
  if (at < 0 || GIVEN_LATER.test(key)) return true;
  const steps = [...path.slice(0, at).split('.'), 'metadata', 'labels'].filter(
    (step) => step !== '',
  );
  let labels: Value | Entry | undefined = value;
  for (const step of steps) {
    if (labels !== undefined && !tree.isCertain(labels)) return true;
    labels = labels && tree.field(labels, step);
  }
  if (labels === undefined) return false;
  const { labels: borne, isWhole } = readLabels(tree, labels, PLAIN_RULES);
  return !isWhole || borne.some((label) => label.key === key);
}
