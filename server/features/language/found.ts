/** All that is found in a document: by its text alone, and by what is stored. */
import type { Span } from '../../kube/selectors';
import {
  finding,
  FINDINGS,
  type Finding,
  type FindingCode,
  type Severity,
  type Untold,
} from '../../language/findings';
import { storedFinding } from '../../language/index/siteText';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { SelectorSite } from '../../language/model';
import type { Looked } from './analyses';
import type { Unanswered } from './analyst';
import { storedIndex, type SiteCounts } from './siteCounts';

/** Why a document was not looked at, where a person can do something about it. */
const reasons: Readonly<Partial<Record<Unanswered, string>>> = {
  tooLong: 'Selectors of this document are not checked: looking at it took more than ten seconds.',
  ended: 'Selectors of this document are not checked: it is too large or too deep.',
  fault:
    'Selectors of this document are not checked: a fault of this extension, which the log tells.',
};

/** What the settings say; what is not named keeps its own severity. */
export type Severities = Readonly<Partial<Record<FindingCode, Severity | 'off'>>>;

/** Nothing stands anywhere of a finding that is off. */
export function severityOf(severities: Severities, code: FindingCode): Severity | 'off' {
  return severities[code] ?? FINDINGS[code].severity;
}

/** Sites that are held against what is stored; each may take milliseconds of the server's own thread. */
export const MOST_COMPARED = 1_000;

export const NOT_COMPARED =
  'From here on selectors are not compared with what is stored: there are too many in this document.';

export const NO_MORE_HOVERS =
  'Behind this selector others are checked, but have no hovers: there are too many in this document.';

export interface Found {
  readonly findings: readonly Finding[];
  /** Beside them. */
  readonly untold: Untold;
}

export interface FoundParts {
  readonly stored: StoredLabels;
  readonly counts: SiteCounts;
}

/** Reads nothing of etcd: what is known there is taken as it is. */
export async function foundIn(
  looked: Looked,
  parts: FoundParts,
  isWanted?: () => boolean,
): Promise<Found> {
  if (!looked.done) return { findings: notChecked(reasons[looked.why]), untold: {} };
  const { findings, untold, sites, selectors } = looked.analysis;
  const some = sites.slice(0, MOST_COMPARED);
  await parts.counts.prepare(some, parts.stored, isWanted);
  const compared = some.flatMap((site) => ofStored(site, parts) ?? []);
  const rest = sites.slice(MOST_COMPARED).find((site) => storedIndex(site, parts.stored));
  const cut = rest === undefined ? [] : [finding('not-checked', NOT_COMPARED, rest.anchor)];
  const last = selectors > sites.length ? sites.at(-1) : undefined;
  if (last !== undefined) cut.push(finding('not-checked', NO_MORE_HOVERS, last.anchor));
  return { findings: [...findings, ...compared, ...cut], untold };
}

/** Those that touch a part of the document. */
export function findingsAt(looked: Looked, parts: FoundParts, { start, end }: Span): Finding[] {
  if (!looked.done) return [];
  const { findings, sites } = looked.analysis;
  const isNear = ({ span }: { readonly span: Span }): boolean =>
    span.start <= end && span.end >= start;
  const near = sites
    .slice(0, MOST_COMPARED)
    .filter(({ span, anchor }) => isNear({ span }) || isNear({ span: anchor }));
  return [...findings, ...near.flatMap((site) => ofStored(site, parts) ?? [])].filter(isNear);
}

/** At the first character, for want of a better place. */
function notChecked(message: string | undefined): Finding[] {
  if (message === undefined) return [];
  return [{ code: 'not-checked', message, span: { start: 0, end: 1 }, fixes: [] }];
}

function ofStored(site: SelectorSite, { stored, counts }: FoundParts): Finding | undefined {
  const index = storedIndex(site, stored);
  return index && storedFinding(site, index, counts.of(site, index));
}
