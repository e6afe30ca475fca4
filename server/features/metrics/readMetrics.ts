/** Scrapes of API servers as tables, text and hovers. */
import type { Clock } from '../../common/clock';
import { cellText } from '../../kube/print/cellText';
import { escapeMarkdown } from '../../language/tokenMarkdown';
import { grouped } from '../../metrics/scrape/figures';
import { lineWords } from '../../metrics/scrape/line';
import type { Scrape } from '../../metrics/scrape/model';
import { ScrapeError } from '../../metrics/scrape/reader';
import { metricsReport, type MetricsReport } from '../../metrics/scrape/report';
import { reportTables } from '../../metrics/scrape/tables';
import { headLines, reportText } from '../../metrics/scrape/text';
import type {
  HoverMetricParams,
  MetricsRead,
  MetricsTable,
  ReadMetricsParams,
  ScrapeSource,
} from '../../protocol/metrics';
import { cancelled, refuse } from '../failures';
import type { Router } from '../router';
import { readHoverMetric, readMetricsParams, readScrapePart } from './metricsParams';
import { Scrapes } from './scrapes';

export function registerReadMetrics(router: Router, clock: Clock): void {
  const scrapes = new Scrapes(clock);
  router.handle('etcdList/scrapePart', readScrapePart, (part) => {
    scrapes.take(part);
    return null;
  });
  router.handle('etcdList/readMetrics', readMetricsParams, async (params, { signal }) => {
    const older = await readAll(params.older, scrapes, signal);
    const newer = await readAll(params.newer, scrapes, signal);
    return metricsRead(newer, older, params);
  });
  router.handle('etcdList/hoverMetric', readHoverMetric, hoverMetric);
}

async function readAll(
  sources: readonly ScrapeSource[],
  scrapes: Scrapes,
  signal: AbortSignal,
): Promise<Scrape[]> {
  const read: Scrape[] = [];
  try {
    for (const source of sources) read.push(await scrapes.read(source, signal));
  } catch (error) {
    throw signal.aborted ? cancelled() : error;
  }
  return read;
}

function metricsRead(
  newer: readonly Scrape[],
  older: readonly Scrape[],
  { sort, byServer }: ReadMetricsParams,
): MetricsRead {
  const report = reportOf(newer, older, { sort, byServer });
  const notes = [...[...older, ...newer].flatMap(faultNotes), ...report.notes].map(cellText);
  const text = reportText(report, { clean: cellText, bold: (line) => line });
  const said = notes.map((note) => `Note: ${note}\n`).join('');
  return {
    name: cellText(newer[0]?.source ?? ''),
    heads: headLines(report, cellText),
    tables: reportTables(report, cellText).map(tableOf),
    notes,
    text: said === '' ? text : `${said}\n${text}`,
  };
}

function reportOf(
  newer: readonly Scrape[],
  older: readonly Scrape[],
  options: Pick<ReadMetricsParams, 'sort' | 'byServer'>,
): MetricsReport {
  try {
    return metricsReport(newer, older, { ...options, top: MOST_ROWS, seconds: undefined });
  } catch (error) {
    if (!(error instanceof ScrapeError)) throw error;
    const sentence = cellText(error.message);
    throw refuse(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
  }
}

/** Rows of a table that are told. No API server has so many resources. */
const MOST_ROWS = 1000;

function tableOf({ title, columns, rows, left }: ReturnType<typeof reportTables>[0]): MetricsTable {
  return {
    title,
    columns,
    left,
    rows: rows.map(({ words, ...row }) => ({ ...row, ...words })),
  };
}

const TOLD_FAULTS = 5;

function faultNotes({ source, faults, faultCount, openEnd }: Scrape): string[] {
  const told = faults.slice(0, TOLD_FAULTS);
  const more = faultCount - told.length;
  const isTold = faults.some(({ line }) => line === openEnd);
  return [
    ...told.map(({ line, why }) => `${source}:${line}: this line is left out: ${why}.`),
    ...(more > 0 ? [`${source}: ${grouped(more)} more lines are left out.`] : []),
    ...(openEnd === undefined || isTold
      ? []
      : [
          `${source}:${openEnd}: the text ends here without a line break: if it was cut off, its last number is not whole.`,
        ]),
  ];
}

function hoverMetric({ lines, index }: HoverMetricParams): { markdown: string } | null {
  const told = lineWords(lines, index);
  if (told === undefined) return null;
  // Word for word: a word may be anything and as long as that, a sentence is not to be cut.
  const text = (sentence: string): string => sentence.split(' ').map(escapeMarkdown).join(' ');
  const { about, beside, words } = told;
  const parts = [
    text(about),
    ...(beside === '' ? [] : [`**${text(beside)}**`]),
    ...(words === undefined ? [] : [text(words.meaning)]),
    ...(words === undefined || words.advice.length === 0
      ? []
      : [words.advice.map((advice) => `- ${text(advice)}`).join('\n')]),
  ];
  return { markdown: parts.join('\n\n') };
}
