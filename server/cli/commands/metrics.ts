/** `metrics`: which lists hurt, from scrapes of API servers. No server is asked. */
import { addAbortSignal } from 'node:stream';
import { decodedText } from '../../common/decodedText';
import { readPieces } from '../../common/smallFile';
import { grouped } from '../../metrics/scrape/figures';
import { reportJson } from '../../metrics/scrape/json';
import type { Scrape } from '../../metrics/scrape/model';
import { readScrape } from '../../metrics/scrape/read';
import { ScrapeError } from '../../metrics/scrape/reader';
import { metricsReport, type MetricsReport } from '../../metrics/scrape/report';
import { nothingIn } from '../../metrics/scrape/told';
import { reportText } from '../../metrics/scrape/text';
import type { MetricsPlan } from '../args/plan';
import { note, warn, type Context } from '../context';
import { ExitCode, failure, usageError } from '../exit';
import { cell } from '../output/text';
import { shownName, STDIN, UnreadableFileError } from '../textFile';
import { whyUnreadable } from '../unreadableFile';

export async function runMetrics(plan: MetricsPlan, context: Context): Promise<ExitCode> {
  const older = await scrapesOf(plan.since, context);
  const newer = await scrapesOf(plan.files, context);
  const report = reportOf(newer, older, plan);
  for (const text of report.notes) warn(context, text);
  const others = grouped(report.others);
  if (report.others > 0) note(context, `${others} numbers of other metrics are left out`);
  const style = { clean: cell, bold: (line: string) => context.rowStyle.bold(line) };
  const text = plan.output === 'json' ? reportJson(report) : reportText(report, style);
  await context.rows.write(text);
  return ExitCode.done;
}

function reportOf(
  newer: readonly Scrape[],
  older: readonly Scrape[],
  plan: MetricsPlan,
): MetricsReport {
  try {
    return metricsReport(newer, older, plan);
  } catch (error) {
    if (error instanceof ScrapeError) throw failure(error.message, { cause: error });
    throw error;
  }
}

/** One after another. What could not be read in them is said. */
async function scrapesOf(files: readonly string[], context: Context): Promise<Scrape[]> {
  const scrapes: Scrape[] = [];
  for (const file of files) {
    const scrape = await scrapeOf(file, context);
    sayFaults(scrape, context);
    const nothing = nothingIn(scrape);
    if (nothing !== undefined) throw failure(`${shownName(file)} ${nothing}`);
    scrapes.push(scrape);
  }
  return scrapes;
}

async function scrapeOf(file: string, context: Context): Promise<Scrape> {
  const { clock, signal } = context;
  try {
    return await readScrape(nameOf(file), textOf(file, context), { clock, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ScrapeError) {
      throw failure(`${shownName(file)} is not read: ${error.message}`, { cause: error });
    }
    const unreadable = new UnreadableFileError(file, whyUnreadable(error, Infinity));
    throw usageError(unreadable.message, { cause: error });
  }
}

const nameOf = (file: string): string => (file === STDIN ? 'stdin' : file);

function textOf(file: string, { stdin, signal }: Context): AsyncIterable<string> {
  if (file !== STDIN) return decodedText(readPieces(file, { signal, pipes: true }));
  return decodedText(addAbortSignal(signal, stdin) as AsyncIterable<Buffer>);
}

/** Lines that are told; how many more there are is said. */
const TOLD_FAULTS = 5;

function sayFaults({ source, faults, faultCount, openEnd }: Scrape, context: Context): void {
  for (const { line, why } of faults.slice(0, TOLD_FAULTS)) {
    warn(context, `${source}:${line}: this line is left out: ${why}`);
  }
  const more = faultCount - Math.min(faults.length, TOLD_FAULTS);
  if (more > 0) warn(context, `${source}: ${grouped(more)} more lines are left out`);
  const isTold = faults.some(({ line }) => line === openEnd);
  if (openEnd !== undefined && !isTold) {
    warn(
      context,
      `${source}:${openEnd}: the text ends here without a line break: if it was cut off, its last number is not whole`,
    );
  }
}
