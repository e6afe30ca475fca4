/**
 * Selectors of Jobs, which Kubernetes makes itself unless it is told not to.
 *
 * Upstream: `validateGeneratedSelector` and `ValidateJobTemplateSpec` (`k8s.io/kubernetes/pkg/apis/batch/validation`).
 */
import { isMap } from 'yaml';
import { invalid, labelSelectorJson } from '../../kube/selectors';
import type { Report } from './report';
import { siteSpan, type ReadSelector } from './selectorSite';
import { readingOf } from './tree';
import type { Place } from './walk';

/** Labels that Kubernetes gives to the Pods of a Job, and asks for. */
const GENERATED: ReadonlySet<string> = new Set([
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
]);

export function checkGenerated(report: Report, place: Place, read: ReadSelector): void {
  const { generated } = place.row.options;
  if (generated === undefined || !read.isWhole || !isMap(place.value.node)) return;
  if (generated === 'job') {
    if (isManual(report, place) || read.requirements.every(({ key }) => GENERATED.has(key))) return;
    tell(report, place, read, '`selector` not auto-generated');
  } else tell(report, place, read, '`selector` will be auto-generated');
}

/** Its selector is the one that was written. */
export function isManual({ tree }: Report, { parent }: Place): boolean {
  const read = readingOf(tree.field(parent, 'manualSelector')?.node);
  return read?.as === 'bool' && read.value;
}

function tell(report: Report, place: Place, read: ReadSelector, detail: string): void {
  const json = labelSelectorJson({
    matchLabels: new Map(read.labels.map(({ key, value }) => [key, value])),
    matchExpressions: read.expressions,
  });
  const { message } = invalid(place.path, { json }, detail);
  report.aboutAll([place.value, place.parent], siteSpan(place), 'request', message);
}
