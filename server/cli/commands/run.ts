/** `run`: the queries of a file, one after another on one connection. */
import { openQueries } from '../../language/open';
import type { QueryDocument } from '../../language/query/model';
import type { RunPlan } from '../args/plan';
import type { Context } from '../context';
import type { ExitCode } from '../exit';
import { usageError } from '../exit';
import { plural } from '../receiptText';
import { chosenQueries, type ChosenQuery } from '../run/chosen';
import { QueryRun } from '../run/queryRun';
import { lintText } from '../lint/text';
import { countOf } from '../lint/report';
import { readText, shownName, UnreadableFileError } from '../textFile';
import { withSession } from './get';

export async function runQueries(plan: RunPlan, context: Context): Promise<ExitCode> {
  const text = await textOf(plan.file, context);
  const document = openQueries(
    { uri: plan.file, text },
    { namespace: plan.namespace, root: plan.connection.root },
  );
  const queries = checkedQueries(document, text, plan, context);
  const chosen = chosenQueries(queries, plan.names, plan.file);
  return withSession(plan, context, (session) =>
    new QueryRun({ plan, context, session, text, queries: chosen }).run(),
  );
}

async function textOf(file: string, context: Context): Promise<string> {
  try {
    return await readText(file, context);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw usageError(error.message, { cause: error });
  }
}

/** Says what is wrong with the file; one error, or a query that was not looked at, and none is run. */
function checkedQueries(
  document: QueryDocument,
  text: string,
  plan: RunPlan,
  context: Context,
): ChosenQuery[] {
  const { findings, untold } = document.analysis();
  const queries = document.queries();
  const errors = countOf({ findings, untold }, 'error');
  const runnable = queries.flatMap(({ request, ...query }, index): ChosenQuery[] =>
    request === undefined ? [] : [{ ...query, request, index }],
  );
  const isChecked = document.isWhole() && runnable.length === queries.length;
  const least = isChecked || errors > 0 ? 'warning' : 'information';
  const name = plan.file === '-' ? 'stdin' : plan.file;
  const said = lintText({ name, text, findings, untold }, least, context.style);
  if (said !== '') context.notes.line(said.trimEnd());
  const file = shownName(plan.file);
  if (errors > 0) throw usageError(`${file} has ${plural(errors, 'error')}: nothing is run`);
  if (!isChecked) throw usageError(`not all of ${file} was looked at: nothing is run`);
  if (queries.length === 0) throw usageError(`${file} holds no query: nothing is run`);
  return runnable;
}
