/** `explain`: which way an API server would serve a query, why, and at what cost. No list is run. */
import { knownGates } from '../../cache/versions/gates';
import { estimateOf } from '../../explain/estimate';
import type { Estimate, StoredKeys } from '../../explain/estimateModel';
import { estimateText } from '../../explain/estimateText';
import { likelyPath } from '../../explain/model';
import { explanationText } from '../../explain/text';
import type { JsonValue } from '../../kube/decode/jsonText';
import { indentedJson } from '../../kube/print/encode';
import type { ExplainPlan } from '../args/plan';
import { connectTo } from '../connectTo';
import type { Context } from '../context';
import { ExitCode } from '../exit';
import { explainedQueries, type Explained } from '../explain/explained';
import { factsOf } from '../explain/facts';
import { measured } from '../explain/measured';
import { cell } from '../output/text';

interface Estimated extends Explained {
  readonly estimate: Estimate | undefined;
}

export async function runExplain(plan: ExplainPlan, context: Context): Promise<ExitCode> {
  const explained = await explainedQueries(plan, context, () => factsOf(plan, context));
  const estimated = await estimates(explained, plan, context);
  const text = plan.output === 'json' ? jsonOf(estimated, plan) : textOf(estimated);
  await context.rows.write(text);
  return ExitCode.done;
}

/** One after the other: a sample is a load on etcd. */
async function estimates(
  explained: readonly Explained[],
  plan: ExplainPlan,
  context: Context,
): Promise<Estimated[]> {
  const { cost, connection } = plan;
  if (cost.kind === 'none') return explained.map((one) => ({ ...one, estimate: undefined }));
  if (cost.kind === 'given') return explained.map((one) => estimated(one, cost.stored));
  const etcd = await connectTo(connection, context);
  try {
    const all: Estimated[] = [];
    for (const one of explained) {
      const { asked } = one;
      const stored = asked && (await measured(asked, etcd, connection.root, context));
      all.push(estimated(one, stored));
    }
    return all;
  } finally {
    etcd.close();
  }
}

function estimated(one: Explained, stored: StoredKeys | undefined): Estimated {
  const { asked, explanation } = one;
  const estimate = asked && stored && estimateOf(asked, explanation, stored);
  return { ...one, estimate };
}

function textOf(all: readonly Estimated[]): string {
  if (all.length === 1) return all.map(oneText).join('');
  return all
    .map((one) => `${one.name === '' ? '###' : `### ${cell(one.name)}`}\n${oneText(one)}`)
    .join('\n');
}

function oneText({ explanation, estimate }: Estimated): string {
  const text = explanationText(explanation);
  return estimate === undefined ? text : `${text}\n${estimateText(estimate)}`;
}

/** One document; an array where a file holds the queries, or a text several of them. */
function jsonOf(estimated: readonly Estimated[], { subject, version, gates }: ExplainPlan): string {
  const all = estimated.map(({ name, explanation, estimate }) => ({
    ...(name === '' ? {} : { name }),
    way: likelyPath(explanation.trail).end.way,
    gates: knownGates(version, gates),
    ...explanation,
    ...(estimate && { estimate }),
  }));
  const value = subject.kind === 'file' || all.length > 1 ? all : all[0];
  return `${indentedJson(value as unknown as JsonValue)}\n`;
}
