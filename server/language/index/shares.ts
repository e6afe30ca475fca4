/** Counts of an index in words: exact ones as they are, those of a sample as shares. */
import { cellText } from '../../kube/print/cellText';
import type { LabelIndex } from './labelIndex';
import { counted, shownNumber } from './nouns';

/** `1,204 of 4,210 Pods`, or `about 28 % of a sample of 500`. */
export function shareText(count: number, index: LabelIndex): string {
  const { coverage, resource, isExact } = index;
  if (isExact) return `${shownNumber(count)} of ${counted(coverage.total, resource.noun)}`;
  return `${percentText(count, coverage.objects)} of a sample of ${shownNumber(coverage.objects)}`;
}

/** `1,204`, or `about 28 %` of a sample: for places where there is room for no more. */
export function shortShare(count: number, { coverage, isExact }: LabelIndex): string {
  return isExact ? shownNumber(count) : percentText(count, coverage.objects);
}

/** What a selector matches: `12 of 4,210 Pods in web`, `about 3 % (16 of a sample of 500 Pods) in web`. */
export function matchText(count: number, index: LabelIndex): string {
  return `${matchedText(count, index)}${placeText(index)}`;
}

function matchedText(count: number, { coverage, resource, isExact }: LabelIndex): string {
  const { objects, total } = coverage;
  if (isExact) {
    const all = counted(total, resource.noun);
    if (total === 0) return `nothing: there are no ${resource.noun.many}`;
    if (count === 0) return `none of ${all}`;
    return count === total && total > 1 ? `all ${all}` : `${shownNumber(count)} of ${all}`;
  }
  const sample = `a sample of ${counted(objects, resource.noun)}`;
  if (count === 0) return `none of ${sample}`;
  if (count === objects) return `all of ${sample}`;
  return `${percentText(count, objects)} (${shownNumber(count)} of ${sample})`;
}

function placeText({ resource: { namespace, namespaced } }: LabelIndex): string {
  if (!namespaced) return '';
  return namespace === undefined ? ' in all namespaces' : ` in ${cellText(namespace)}`;
}

/** Never `0 %` of what was seen, nor `100 %` where some were not. */
function percentText(count: number, objects: number): string {
  if (count === 0) return 'none';
  if (count === objects) return 'all';
  const percent = Math.round((100 * count) / objects);
  if (percent < 1) return 'less than 1 %';
  return percent > 99 ? 'more than 99 %' : `about ${percent} %`;
}

/** What the counts rest on, as one sentence. */
export function coverageText({ coverage, resource, isExact }: LabelIndex): string {
  const { objects, total, unreadable, places } = coverage;
  if (isExact) return `Counted over all ${counted(total, resource.noun)}.`;
  const read = `From a sample: ${shownNumber(objects)} of ${counted(total, resource.noun)}`;
  const where = places > 1 ? `read from ${places} places` : 'the first';
  const left = unreadable === 0 ? '' : `; ${shownNumber(unreadable)} could not be read`;
  return `${read}, ${where} in the order of their keys${left}.`;
}

/** `4,010 Pods carry`, `1 Pod carries`, `about 95 % of a sample of 500 Pods carry`. */
export function carriersText(count: number, index: LabelIndex, verb: 'carry' | 'have'): string {
  const { coverage, resource, isExact } = index;
  const singular = verb === 'carry' ? 'carries' : 'has';
  if (isExact) return `${counted(count, resource.noun)} ${count === 1 ? singular : verb}`;
  const { objects } = coverage;
  return `${percentText(count, objects)} of a sample of ${counted(objects, resource.noun)} ${verb}`;
}
