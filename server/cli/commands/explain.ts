/** `explain`: which way an API server would serve a query, and why. No list is run. */
import { knownGates } from '../../cache/versions/gates';
import { likelyPath } from '../../explain/model';
import { explanationText } from '../../explain/text';
import type { JsonValue } from '../../kube/decode/jsonText';
import { indentedJson } from '../../kube/print/encode';
import type { ExplainPlan } from '../args/plan';
import type { Context } from '../context';
import { ExitCode } from '../exit';
import { explainedQueries, type Explained } from '../explain/explained';
import { factsOf } from '../explain/facts';
import { cell } from '../output/text';

export async function runExplain(plan: ExplainPlan, context: Context): Promise<ExitCode> {
  const explained = await explainedQueries(plan, context, () => factsOf(plan, context));
  const text = plan.output === 'json' ? jsonOf(explained, plan) : textOf(explained);
  await context.rows.write(text);
  return ExitCode.done;
}

function textOf(explained: readonly Explained[]): string {
  if (explained.length === 1)
    return explained.map((one) => explanationText(one.explanation)).join('');
  return explained
    .map(({ name, explanation }) => {
      const title = name === '' ? '###' : `### ${cell(name)}`;
      return `${title}\n${explanationText(explanation)}`;
    })
    .join('\n');
}

/** One document; an array where a file holds the queries, or a text several of them. */
function jsonOf(explained: readonly Explained[], { subject, version, gates }: ExplainPlan): string {
  const all = explained.map(({ name, explanation }) => ({
    ...(name === '' ? {} : { name }),
    way: likelyPath(explanation.trail).end.way,
    gates: knownGates(version, gates),
    ...explanation,
  }));
  const value = subject.kind === 'file' || all.length > 1 ? all : all[0];
  return `${indentedJson(value as unknown as JsonValue)}\n`;
}
