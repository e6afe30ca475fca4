/** A comparison as one JSON object: a documented, stable form (docs/cli.md). */
import {
  overFetched,
  type ComparedWay,
  type Comparison,
  type RunFigures,
} from '../../compare/model';
import { medianOf } from '../../compare/table';
import { indentedJson } from '../../kube/print/encode';
import type { ComparePlan } from '../args/plan';

export function comparisonJson(
  { revision, ways, agreed }: Comparison,
  { list, limit, toTheEnd, rounds }: ComparePlan,
  resource: string,
): string {
  return `${indentedJson({
    resource,
    namespace: list.namespace ?? null,
    labelSelector: list.labelSelector,
    fieldSelector: list.fieldSelector,
    limit,
    toTheEnd,
    rounds,
    revision: revision === null ? null : revision.toString(),
    agreed,
    ways: ways.map(wayForm),
  })}\n`;
}

function wayForm({ way, figures, durationsMs, unsupported }: ComparedWay) {
  if (unsupported) return { way, supported: false };
  if (figures === undefined) return { way };
  return {
    way,
    ...figuresForm(figures),
    durationMs: microseconds(medianOf(durationsMs)),
    durationsMs: durationsMs.map(microseconds),
  };
}

function figuresForm(figures: RunFigures) {
  const { requests, lists, fetched, examined, evaluated, returned } = figures;
  const { bytes, largestReplyBytes } = figures;
  const counts = { requests, lists, fetched, examined, overFetched: overFetched(figures) };
  return { ...counts, evaluated, returned, bytes, largestReplyBytes };
}

const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000;
