/** Runs every topic over the folder of vectors and ends with the line `N passed, N failed`. */
import type { Topic, TopicSession, VectorFile } from './harness';
import { failureText, isOwnDir, loadFiles, loadTopic, vectorsDir } from './harness';
import { byTopic, formLines } from './language/report';
import { runForm, type FormRun } from './language/topic';
import { LANGUAGE_TOPICS } from './language/topics';

interface Row {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function allFailed(name: string, cases: number, why: string): Row {
  print(`FAILED ${name}: ${why} (${cases} cases)`);
  return { name, passed: 0, failed: cases };
}

/** A file without a single case still fails once, or it would pass unseen. */
function unrunnable(file: VectorFile, name: string, why: string): Row {
  return allFailed(name, Math.max(1, file.cases.length), why);
}

async function runSubject(file: VectorFile, topic: Topic, subject: string): Promise<Row> {
  const name = subject === '' ? file.topic : `${file.topic} on ${subject}`;
  try {
    const cases = topic.casesFor(file, subject);
    const session = await topic.open(file, subject);
    const failed = await failedCases(cases, session, subject).finally(() => session.close());
    return { name, passed: cases.length - failed, failed };
  } catch (error) {
    return unrunnable(file, name, `the topic could not be run: ${String(error)}`);
  }
}

async function failedCases(
  cases: readonly unknown[],
  session: TopicSession,
  subject: string,
): Promise<number> {
  let failed = 0;
  for (const vector of cases) {
    const failure = await session.failure(vector);
    if (failure === undefined) continue;
    failed++;
    const where = subject === '' ? '' : ` on ${subject}`;
    print(`FAILED ${failureText({ ...failure, id: failure.id + where })}`);
  }
  return failed;
}

async function runFile(file: VectorFile): Promise<Row[]> {
  let topic: Topic | undefined;
  try {
    topic = await loadTopic(file.topic);
  } catch (error) {
    return [unrunnable(file, file.topic, `the runner could not be loaded: ${String(error)}`)];
  }
  if (topic === undefined) return [unrunnable(file, file.topic, 'no runner for this topic')];
  const rows: Row[] = [];
  for (const subject of topic.subjects) rows.push(await runSubject(file, topic, subject));
  return rows;
}

function table(rows: readonly Row[]): string {
  const width = Math.max(5, ...rows.map((row) => row.name.length));
  const line = (name: string, passed: string, failed: string) =>
    `${name.padEnd(width)}  ${passed.padStart(6)}  ${failed.padStart(6)}`;
  return [
    line('topic', 'passed', 'failed'),
    ...rows.map((row) => line(row.name, String(row.passed), String(row.failed))),
  ].join('\n');
}

async function runAll(): Promise<Row[]> {
  const dir = vectorsDir();
  const rows: Row[] = [];
  for (const file of loadFiles(dir)) {
    if ('problem' in file) rows.push(allFailed(file.topic, 1, file.problem));
    else rows.push(...(await runFile(file)));
  }
  if (rows.length === 0) rows.push(allFailed('(none)', 1, `no vectors in ${dir}`));
  return rows;
}

/** What can stand in a document, through each form in which a case can be written. */
function runDocuments(): Row[] {
  const dir = vectorsDir();
  const files = new Map(loadFiles(dir).map((file) => [file.topic, file]));
  const rows: Row[] = [];
  const runs = LANGUAGE_TOPICS.flatMap((topic) => {
    const file = files.get(topic.topic);
    if (file !== undefined && !('problem' in file)) {
      return topic.forms.map((form) => runForm(topic, form, file));
    }
    if (isOwnDir(dir)) rows.push(allFailed(`${topic.topic} through documents`, 1, 'no vectors'));
    return [];
  });
  for (const { failures } of runs) {
    for (const failure of failures) print(`FAILED ${failureText(failure)}`);
  }
  print(`\n${formLines(runs).join('\n')}`);
  return [
    ...rows,
    ...[...byTopic(runs)].map(([topic, forms]) => topicRow(topic, forms, isOwnDir(dir))),
  ];
}

/** A form in which nothing is run would else pass unseen. */
function topicRow(topic: string, forms: readonly FormRun[], isWhole: boolean): Row {
  const empty = forms.filter(({ passed, failures }) => isWhole && passed + failures.length === 0);
  for (const { form } of empty) print(`FAILED ${topic} as ${form}: no case is run`);
  const failed = forms.reduce((total, { failures }) => total + failures.length, empty.length);
  const passed = forms.reduce((total, form) => total + form.passed, 0);
  return { name: `${topic} through documents`, passed, failed };
}

function documentRows(broken: (error: unknown) => Row[]): Row[] {
  try {
    return runDocuments();
  } catch (error) {
    return broken(error);
  }
}

/** The number of failures. Prints as it goes. */
export async function main(): Promise<number> {
  const stray: Row[] = [];
  process.on('unhandledRejection', (error) => {
    stray.push(allFailed('(stray)', 1, `a rejection nobody handled: ${String(error)}`));
  });
  const broken = (error: unknown) => [allFailed('(run)', 1, `the run broke off: ${String(error)}`)];
  const rows = await runAll().catch(broken);
  rows.push(...documentRows(broken));
  rows.push(...stray);
  const sum = (column: 'passed' | 'failed') => rows.reduce((total, row) => total + row[column], 0);
  print(`\n${table(rows)}\n`);
  print(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed');
}
