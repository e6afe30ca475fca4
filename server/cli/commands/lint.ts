/** `lint`: what the API server would refuse, and what cannot be meant, in the selectors of files. */
import { openDocument } from '../../language/open';
import type { LintPlan } from '../args/plan';
import type { Context } from '../context';
import { ExitCode, failure } from '../exit';
import { findFiles, readText } from '../lint/files';
import { lintJson } from '../lint/json';
import { countBySeverity, type LintedFile } from '../lint/report';
import { sarif } from '../lint/sarif';
import { lintSummary, lintText } from '../lint/text';

export async function runLint(
  plan: LintPlan,
  context: Context,
  version: string,
): Promise<ExitCode> {
  const files: LintedFile[] = [];
  // The text of a file is needed for its own findings alone.
  const keep = plan.output !== 'text';
  for await (const { name } of findFiles(plan.paths)) {
    context.signal.throwIfAborted();
    const file = lintFile(name, await readText(name, context.stdin));
    if (plan.output === 'text')
      await context.rows.write(lintText(file, plan.severity, context.rowStyle));
    files.push(keep ? file : { ...file, text: '' });
  }
  if (files.length === 0) {
    throw failure('no file to look at: folders are searched for .yaml, .yml, .json and .etcdlist');
  }
  if (plan.output === 'json') await context.rows.write(lintJson(files, plan.severity));
  if (plan.output === 'sarif') await context.rows.write(sarif(files, plan.severity, version));
  context.notes.line(lintSummary(files));
  return countBySeverity(files).error > 0 ? ExitCode.failed : ExitCode.done;
}

function lintFile(path: string, text: string): LintedFile {
  const name = path === '-' ? 'stdin' : path;
  const file = openDocument({ uri: path, languageId: '', text });
  const { findings, sites } = file?.analysis() ?? { findings: [], sites: [] };
  return { name, text, findings, selectors: sites.length };
}
