/** Puts the tables of a run into a document, between its markers. */
import { putBetweenMarkers } from './markers';
import * as tables from './report';
import { markdownTable } from './table';

/** Throws when the document has no markers. */
export function writeMarkdown(document: string, report: tables.Report): string {
  return putBetweenMarkers(document, body(report));
}

function body(report: tables.Report): string {
  const { cases, rates, growth, notes } = report;
  return [
    `    ${report.command}`,
    `${report.when} UTC on ${report.machine}. Medians of ${report.rounds} runs; ${tables.noiseOf(report)}.`,
    tables.versionsOf(report),
    ...notes.map((text) => `${text}.`),
    ...(cases.length === 0 ? [] : caseSections(report)),
    ...(rates.length === 0
      ? []
      : ['### Small work, per second', markdownTable(tables.rateTable(rates))]),
    ...(growth.length === 0 ? [] : ['### Growth', markdownTable(tables.growthTable(growth))]),
  ].join('\n\n');
}

function caseSections({ cases }: tables.Report): string[] {
  return [
    '### Lists',
    tables
      .legend(cases)
      .map((line) => `- ${line}`)
      .join('\n'),
    markdownTable(tables.caseTable(cases)),
    '### Targets, on Pods of 2 KB',
    markdownTable(tables.verdictTable(cases)),
    tables.verdictNote(cases),
    '### Longest block of the event loop, in milliseconds',
    markdownTable(tables.loopTable(cases)),
  ];
}
