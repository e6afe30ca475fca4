/** The whole run: manifests, large texts, indexes, both language servers, tables. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Children } from '../lineProcess';
import { machine } from '../machine';
import { checkMarkers, putBetweenMarkers } from '../markers';
import { named, writableFile } from '../outputs';
import { forgetPeak } from '../proc';
import { markdownTable, textTable } from '../table';
import { measureBeside } from './beside';
import { measureFile } from './files';
import { measureIndex } from './indexes';
import { measureLarge } from './largeFiles';
import type { LanguageOptions } from './options';
import { introductionOf, sectionsOf, type Report } from './report';
import type { ServerParts } from './servers';
import type { Surroundings } from './sideProcess';

export { parseOptions } from './options';

export interface Parts {
  /** The bundle of a measured process. */
  readonly side: string;
  /** Absent where yaml-language-server could not be had. */
  readonly servers: ServerParts | undefined;
  readonly versions: readonly string[];
}

/** The smaller of the two files that both servers get. */
const fewLines = 200;

const progress = (text: string): void => {
  console.error(`bench: ${text}`);
};

function notesOn({ servers }: Parts): string[] {
  return [
    ...(servers === undefined ? ['Missing: yaml-language-server, which could not be had'] : []),
    ...(forgetPeak(process.pid)
      ? []
      : ["Memory: this kernel keeps a process's peak, so what came before counts"]),
  ];
}

async function measureAll(
  options: LanguageOptions,
  parts: Parts,
  around: Surroundings,
): Promise<Report> {
  const { lines, rounds, megabytes } = options;
  const [before] = loadavg();
  const files = [
    await measureFile('documents', lines, rounds, around),
    await measureFile('list', lines, rounds, around),
  ];
  const indexes = [
    await measureIndex('values', rounds, around),
    await measureIndex('keys', rounds, around),
  ];
  const { servers } = parts;
  const sizes = [fewLines, lines];
  const beside = servers && (await measureBeside(sizes, rounds, servers, around));
  const bytes = megabytes * 1e6;
  const large =
    bytes === 0
      ? []
      : [
          await measureLarge('list', bytes, rounds, around),
          await measureLarge('documents', bytes, rounds, around),
        ];
  return {
    command: options.command,
    machine: machine(),
    when: new Date().toISOString().slice(0, 16),
    rounds,
    load: [before ?? 0, loadavg()[0] ?? 0],
    versions: parts.versions,
    notes: notesOn(parts),
    files,
    large,
    indexes,
    beside,
  };
}

function print(report: Report): void {
  const sections = sectionsOf(report).map(
    ({ title, text, table }) => `${title}\n${text}\n\n${textTable(table)}`,
  );
  console.log([report.machine, ...introductionOf(report), ...sections].join('\n\n'));
}

function markdownOf(report: Report): string {
  const sections = sectionsOf(report).flatMap(({ title, text, table }) => [
    `### ${title}`,
    text,
    markdownTable(table),
  ]);
  const where = `${report.when} UTC on ${report.machine}.`;
  return [`    ${report.command}`, where, ...introductionOf(report), ...sections].join('\n\n');
}

/** Resolves to the exit code: 0 when everything was measured, whatever it was. */
export async function runLanguageBench(options: LanguageOptions, parts: Parts): Promise<number> {
  const markdown = options.markdown === undefined ? undefined : resolve(options.markdown);
  const children = new Children();
  const folder = mkdtempSync(join(tmpdir(), 'etcd-list-bench-'));
  const tidy = (): void => {
    children.killAll();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      tidy();
      process.exit(130);
    });
  }
  try {
    if (markdown !== undefined) {
      named('markdown', () => {
        checkMarkers(readFileSync(markdown, 'utf8'));
        writableFile(markdown);
      });
    }
    const patienceMs = options.patience * 1000;
    const around = { children, patienceMs, side: parts.side, folder, progress };
    const report = await measureAll(options, parts, around);
    print(report);
    if (markdown !== undefined) {
      const document = readFileSync(markdown, 'utf8');
      writeFileSync(markdown, putBetweenMarkers(document, markdownOf(report)));
    }
    return 0;
  } catch (error) {
    console.error(`bench: failed: ${(error as Error).message}`);
    return 1;
  } finally {
    tidy();
  }
}
