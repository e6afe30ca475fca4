/** Every YAML file of well-known modules, gone over; every report has to be explained. */
import { cell } from '../../server/cli/output/text';
import { number, textTable } from '../bench/table';
import explainedReports from './explained.json';
import { judge, type Explained, type Judged, type ModuleReport } from './explained';
import { goOver, type ModuleFigures } from './goOver';
import leftOut from './leftOut.json';
import type { Module } from './modules.mjs';
import { isLeftOut, missingPlaces } from './schemas';

type Present = Module & { readonly folder: string };

/** False when a report is unexplained, an explained one is missing, or a kind has a selector unknown to us. */
export function runCorpus(
  modules: readonly Module[],
  explained: readonly Explained[] = explainedReports,
): boolean {
  const present = modules.filter((each): each is Present => each.folder !== undefined);
  const figures = present.map((module) => ({ module, ...goOver(module.folder) }));
  print(textTable(tableOf(figures)));
  const reports = figures.flatMap(({ module, reports }) =>
    reports.map((report): ModuleReport => ({ module: module.path, report })),
  );
  const judged = judge(
    reports,
    explained,
    present.map(({ path }) => path),
  );
  tell(judged);
  const isComplete = checkSchemas(present.map(({ folder }) => folder));
  return isComplete && judged.unexplained.length === 0 && judged.missing.length === 0;
}

function tableOf(figures: readonly (ModuleFigures & { readonly module: Module })[]) {
  const columns = ({ files, documents, selectors, milliseconds, reports }: ModuleFigures) =>
    [files, documents, selectors, milliseconds, reports.length].map((each) => number(each));
  const rows = figures.map((each) => [
    `${each.module.path} ${each.module.version}`,
    ...columns(each),
  ]);
  const all = figures.reduce(plus, NOTHING);
  const head = ['module', 'files', 'documents', 'selectors', 'ms', 'reports'];
  return { head, rows: [...rows, ['together', ...columns(all)]], textColumns: 1 };
}

const NOTHING: ModuleFigures = {
  files: 0,
  documents: 0,
  selectors: 0,
  milliseconds: 0,
  reports: [],
};

function plus(a: ModuleFigures, b: ModuleFigures): ModuleFigures {
  return {
    files: a.files + b.files,
    documents: a.documents + b.documents,
    selectors: a.selectors + b.selectors,
    milliseconds: a.milliseconds + b.milliseconds,
    reports: [...a.reports, ...b.reports],
  };
}

function tell(judged: Judged): void {
  for (const { why, ...each } of judged.true) print(`\n${placed(each)}\n  explained: ${why}`);
  for (const each of judged.unexplained) print(`\n${placed(each)}\n  NOT EXPLAINED`);
  for (const { module, path, line, code } of judged.missing) {
    print(`\n${module}/${path}:${line}: [${code}]\n  EXPLAINED, BUT NOT REPORTED`);
  }
  const [known, unknown] = [judged.true.length, judged.unexplained.length];
  print(`\n${known} reports explained, ${unknown} not; ${judged.missing.length} missing`);
}

/** Whether each selector that the definitions have is in the table of kinds, or left out on purpose. */
function checkSchemas(folders: readonly string[]): boolean {
  const { kinds, missing } = missingPlaces(folders);
  const unknown = missing.filter((place) => !leftOut.some((each) => isLeftOut(place, each)));
  for (const { group, kind, path } of unknown) {
    print(`\n${cell(`${group} ${kind} ${path}`)}\n  NOT IN THE TABLE OF KINDS`);
  }
  const out = missing.length - unknown.length;
  print(`${kinds} definitions of kinds: ${out} selectors left out, ${unknown.length} not known`);
  return unknown.length === 0;
}

/** What the modules hold is printed with nothing in it that a terminal obeys. */
function placed({ module, report }: ModuleReport): string {
  const { file, start, severity, message, code } = report;
  const text = `${module}/${file}:${start.line}:${start.column}: ${severity}: ${message} [${code}]`;
  return cell(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
