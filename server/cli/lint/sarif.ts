/** Findings as SARIF 2.1.0, which code hosts show beside the lines of a change. */
import { isAbsolute, sep } from 'node:path';
import { FINDINGS, type Severity } from '../../language/findings';
import type { LintedFile, LintReport, PlacedFinding, UnreadFile } from './report';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

const rules = Object.entries(FINDINGS).map(([id, { severity, about }]) => ({
  id,
  shortDescription: { text: about },
  defaultConfiguration: { level: levels[severity] },
}));

export function sarif({ files, unread }: LintReport, version: string): string {
  const log = {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'etcd-list', version, rules } },
        invocations: [
          {
            executionSuccessful: unread.length === 0,
            toolExecutionNotifications: [
              ...unread.map(unreadNotification),
              ...files.filter(({ more }) => more !== '').map(moreNotification),
            ],
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: files.flatMap(({ findings }) => findings.map(resultOf)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function unreadNotification({ file, reason }: UnreadFile) {
  return notification('error', file, `cannot be read: ${reason}`);
}

function moreNotification({ name, more }: LintedFile) {
  return notification('note', name, more);
}

function notification(level: 'error' | 'note', file: string, text: string) {
  const locations = [{ physicalLocation: { artifactLocation: { uri: uriOf(file) } } }];
  return { level, message: { text }, locations };
}

function resultOf(found: PlacedFinding) {
  return {
    ruleId: found.code,
    ruleIndex: rules.findIndex(({ id }) => id === found.code),
    level: levels[found.severity],
    message: { text: found.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(found.file) },
          region: {
            startLine: found.start.line,
            startColumn: found.start.column,
            endLine: found.end.line,
            endColumn: found.end.column,
          },
        },
      },
    ],
  };
}

/** A relative reference, or the address of a file with a whole path. */
function uriOf(name: string): string {
  // Elsewhere than on Windows a backslash is a character of a name.
  const path = sep === '\\' ? name.replaceAll('\\', '/') : name;
  const written = path.split('/').map(encodeURIComponent).join('/');
  if (!isAbsolute(name)) return written;
  return `file://${path.startsWith('/') ? '' : '/'}${written}`;
}
