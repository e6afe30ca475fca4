/** `lint`: what the API server would refuse, and what cannot be meant, in the selectors of files. */
import { finding } from '../../language/findings';
import { NOTHING_FOUND, type Analysis } from '../../language/model';
import { openDocument } from '../../language/open';
import type { LintPlan } from '../args/plan';
import type { Context } from '../context';
import { ExitCode, failure } from '../exit';
import { findFiles } from '../lint/files';
import { lintJson } from '../lint/json';
import {
  countBySeverity,
  moreText,
  placedFindings,
  totalCounts,
  untoldOf,
  type LintedFile,
  type LintReport,
  type UnreadFile,
} from '../lint/report';
import { sarif } from '../lint/sarif';
import { lintSummary, lintText } from '../lint/text';
import { readText, STDIN, UnreadableFileError } from '../textFile';

export async function runLint(
  plan: LintPlan,
  context: Context,
  version: string,
): Promise<ExitCode> {
  const report = await lintFiles(plan, context);
  const { files, unread } = report;
  if (files.length === 0 && unread.length === 0) {
    throw failure('no file to look at: folders are searched for .yaml, .yml, .json and .etcdlist');
  }
  if (plan.output === 'json') await context.rows.write(lintJson(report));
  if (plan.output === 'sarif') await context.rows.write(sarif(report, version));
  context.notes.line(lintSummary(report));
  const isClean = totalCounts(files).error === 0 && unread.length === 0;
  return isClean ? ExitCode.done : ExitCode.failed;
}

/** One after another; the text of a file is let go before the next. */
async function lintFiles(plan: LintPlan, context: Context): Promise<LintReport> {
  const files: LintedFile[] = [];
  const unread: UnreadFile[] = [];
  for await (const found of findFiles(plan.paths)) {
    context.signal.throwIfAborted();
    try {
      if (found instanceof UnreadableFileError) throw found;
      files.push(await lintFile(found, plan, context));
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      unread.push({ file: nameOf(error.path), reason: error.why });
      context.notes.line(`${context.style.red('error:')} ${error.message}`);
    }
  }
  return { files, unread };
}

async function lintFile(path: string, plan: LintPlan, context: Context): Promise<LintedFile> {
  const text = await readText(path, context);
  const { findings, untold, selectors } = analysisOf(path, text);
  const checked = { name: nameOf(path), text: isText(text) ? text : '', findings, untold };
  const isPrinted = plan.output === 'text';
  if (isPrinted) await context.rows.write(lintText(checked, plan.severity, context.rowStyle));
  return {
    name: checked.name,
    selectors,
    counts: countBySeverity(checked),
    findings: isPrinted ? [] : placedFindings(checked, plan.severity),
    untold: untoldOf(checked, plan.severity),
    more: moreText(checked, plan.severity),
  };
}

const nameOf = (path: string): string => (path === STDIN ? 'stdin' : path);

function isText(text: string): boolean {
  return !text.includes('\0');
}

function analysisOf(path: string, text: string): Analysis {
  if (!isText(text)) {
    const message = 'This file is no text, and is not looked at: it holds NUL bytes.';
    const findings = [finding('not-checked', message, { start: 0, end: 0 })];
    return { ...NOTHING_FOUND, findings };
  }
  const file = openDocument({ uri: path, languageId: '', text });
  return file?.analysis() ?? NOTHING_FOUND;
}
