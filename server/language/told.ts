/** Of very many findings those that are told, and how many the others are. */
import { FINDINGS, type Finding, type FindingCode, type Severity, type Untold } from './findings';
import { shownNumber } from './index/nouns';

export interface Told {
  /** In the order of their places. */
  readonly findings: readonly Finding[];
  readonly untold: Untold;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/**
 * At most so many, the most severe ones first. What says that something was not looked at goes before
 * all others, and of each such sentence at least one stays, whatever `most` is.
 */
export function toldOf(
  findings: readonly Finding[],
  most: number,
  severityOf: (code: FindingCode) => Severity = ownSeverity,
): Told {
  const ordered = inOrder(findings);
  if (ordered.length <= most) return { findings: ordered, untold: {} };
  const ranks = ranked(ordered, severityOf);
  const kept = new Set<Finding>(ranks[0]);
  for (const each of ranks.slice(1).flat()) {
    if (kept.size >= most) break;
    kept.add(each);
  }
  return {
    findings: ordered.filter((each) => kept.has(each)),
    untold: counted(ordered.filter((each) => !kept.has(each))),
  };
}

function ownSeverity(code: FindingCode): Severity {
  return FINDINGS[code].severity;
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

function ranked(
  findings: readonly Finding[],
  severityOf: (code: FindingCode) => Severity,
): Finding[][] {
  const ranks: Finding[][] = Array.from({ length: SEVERITIES.length + 2 }, () => []);
  const said = new Set<string>();
  for (const each of findings) {
    const isLimit = each.code === 'not-checked';
    const isFirst = isLimit && !said.has(each.message);
    if (isFirst) said.add(each.message);
    const rank = isLimit ? Number(!isFirst) : SEVERITIES.indexOf(severityOf(each.code)) + 2;
    ranks[rank]?.push(each);
  }
  return ranks;
}

function counted(findings: readonly Finding[]): Untold {
  const counts: Partial<Record<FindingCode, number>> = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

export function addedUp(all: readonly Untold[]): Untold {
  const counts: Partial<Record<FindingCode, number>> = {};
  for (const each of all) {
    for (const [code, count] of entriesOf(each)) counts[code] = (counts[code] ?? 0) + count;
  }
  return counts;
}

function entriesOf(untold: Untold): [FindingCode, number][] {
  return Object.entries(untold) as [FindingCode, number][];
}

/** Of the kinds that count. */
export function sumOf(untold: Untold, counts: (code: FindingCode) => boolean = () => true): number {
  return entriesOf(untold).reduce((sum, [code, count]) => sum + (counts(code) ? count : 0), 0);
}

/** What is said once where findings are not told. */
export function untoldText(told: number, untold: number): string {
  const all = shownNumber(told + untold);
  return `Only ${shownNumber(told)} of ${all} findings are shown, the most severe ones.`;
}
