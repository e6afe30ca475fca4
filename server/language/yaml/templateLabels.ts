/**
 * Selectors that have to match the labels of their own template.
 *
 * Upstream: `ValidatePodTemplateSpecForReplicaSet` and its like
 * (`k8s.io/kubernetes/pkg/apis/apps/validation`, `pkg/apis/core/validation`).
 */
import { isMap, isSeq } from 'yaml';
import { goJsonMap } from '../../common/goText';
import { invalid, requirementMatcher } from '../../kube/selectors';
import type { Fix } from '../findings';
import type { SiteRequirement } from '../model';
import { newBelow, newEntry } from './insert';
import { isManual } from './jobSelector';
import type { KubeObject } from './kubeObject';
import { replacement } from './labelFixes';
import { PLAIN_RULES, readLabels, type ReadLabels } from './labels';
import type { Report } from './report';
import type { ReadSelector } from './selectorSite';
import type { Entry, Tree, Value } from './tree';
import type { Place } from './walk';

interface Template {
  readonly path: string;
  readonly value: Entry;
  readonly metadata: Entry | undefined;
  readonly labels: Entry | undefined;
}

export function checkTemplate(
  report: Report,
  object: KubeObject,
  place: Place,
  read: ReadSelector,
): void {
  const { tree } = report;
  const template = templateOf(report, object, place);
  if (template === undefined || !read.isSound || !isComplete(tree, template.value)) return;
  const borne = labelsOf(tree, template);
  const { unread } = borne;
  if (unread === undefined) return;
  const labels = new Map(borne.labels.map(({ key, value }) => [key, value]));
  const failing = read.requirements.filter(
    (each) => !unread.has(each.key) && !requirementMatcher(each)(labels),
  );
  const [first] = failing;
  if (first === undefined) return;
  const json = goJsonMap(isMap(template.labels?.node) ? labels : null);
  const path = `${template.path}.metadata.labels`;
  const { message } = invalid(path, { json }, '`selector` does not match template `labels`');
  const fixes = fixesOf(tree, template, borne, failing);
  report.aboutAll([place.value, template.value], first.span, 'template-labels', message, fixes);
}

function templateOf(report: Report, object: KubeObject, place: Place): Template | undefined {
  const { tree } = report;
  const path = templatePath(report, place);
  if (path === undefined) return undefined;
  const [first = '', ...steps] = path.split('.');
  let value = tree.field(object.value, first);
  for (const name of steps) value = value && tree.field(value, name);
  if (value === undefined) return undefined;
  const metadata = tree.field(value, 'metadata');
  return { path, value, metadata, labels: metadata && tree.field(metadata, 'labels') };
}

function templatePath(report: Report, place: Place): string | undefined {
  const { template, generated } = place.row.options;
  if (generated === 'job' && isManual(report, place)) return 'spec.template';
  return template;
}

/** A patch of an object may hold a part of the labels; one with containers is no such part. */
function isComplete(tree: Tree, template: Value): boolean {
  const spec = tree.field(template, 'spec');
  const containers = spec && tree.field(spec, 'containers');
  return isSeq(containers?.node) && containers.node.items.length > 0;
}

function labelsOf(tree: Tree, { metadata, labels }: Template): ReadLabels {
  if (labels !== undefined) return readLabels(tree, labels, PLAIN_RULES);
  const isWhole = metadata === undefined || tree.isCertain(metadata);
  return { labels: [], isWhole, unread: isWhole ? new Set() : undefined };
}

function fixesOf(
  tree: Tree,
  template: Template,
  borne: ReadLabels,
  failing: readonly SiteRequirement[],
): Fix[] {
  const asked = failing.flatMap(({ key, operator, values }) => {
    const [value, ...more] = values;
    const isOne = (operator === '=' || operator === 'in') && more.length === 0;
    return isOne && value !== undefined ? [{ key, value }] : [];
  });
  if (asked.length < failing.length) return [];
  const there = (key: string) => borne.labels.find((label) => label.key === key);
  const missing = asked.filter(({ key }) => there(key) === undefined);
  const changed = asked.flatMap(({ key, value }) => {
    const node = there(key)?.entry;
    return node === undefined ? [] : replacement(tree, node.node, '', value);
  });
  const added = missing.length === 0 ? [] : insertion(tree, template, missing);
  if (added === undefined || changed.length + missing.length < asked.length) return [];
  const edits = [...added, ...changed.flatMap((fix) => fix.edits)];
  return [{ title: titleOf(missing.length, changed.length), edits, preferred: true }];
}

function titleOf(missing: number, changed: number): string {
  if (missing === 0) return 'Change the label of the template';
  if (changed > 0) return 'Give the template the labels that are asked for';
  return missing === 1
    ? 'Add the missing label to the template'
    : 'Add the missing labels to the template';
}

function insertion(
  tree: Tree,
  { value, metadata, labels }: Template,
  missing: readonly { readonly key: string; readonly value: string }[],
): Fix['edits'] | undefined {
  if (labels !== undefined) return newBelow(tree, labels, [], missing);
  if (metadata !== undefined) return newBelow(tree, metadata, ['labels'], missing);
  return newEntry(tree, value, ['metadata', 'labels'], missing);
}
