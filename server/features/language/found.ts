/** All that is found in a document: by its text alone, and by what is stored. */
import { FINDINGS, type Finding, type FindingCode, type Severity } from '../../language/findings';
import { storedFindings } from '../../language/index/siteText';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { SelectorSite } from '../../language/model';
import type { Looked } from './analyses';
import type { Unanswered } from './analyst';

/** Why a document was not looked at, where a person can do something about it. */
const reasons: Readonly<Partial<Record<Unanswered, string>>> = {
  tooLong: 'Selectors of this document are not checked: looking at it took more than ten seconds.',
  ended: 'Selectors of this document are not checked: it is too large or too deep.',
  fault:
    'Selectors of this document are not checked: something failed inside the language server; see the log for what.',
};

/** What the settings say; what is not named keeps its own severity. */
export type Severities = Readonly<Partial<Record<FindingCode, Severity | 'off'>>>;

export interface ShownFinding {
  readonly found: Finding;
  readonly severity: Severity;
}

/** Nothing stands anywhere of a finding that is off. */
export function shownOf(
  findings: readonly Finding[],
  severities: Severities,
): readonly ShownFinding[] {
  return findings.flatMap((found) => {
    const severity = severities[found.code] ?? FINDINGS[found.code].severity;
    return severity === 'off' ? [] : [{ found, severity }];
  });
}

export function findingsOf(looked: Looked, stored: StoredLabels): readonly Finding[] {
  if (!looked.done) return notChecked(reasons[looked.why]);
  const { findings, sites } = looked.analysis;
  return [...findings, ...sites.flatMap((site) => ofStored(site, stored))];
}

/** At the first character, for want of a better place. */
function notChecked(message: string | undefined): Finding[] {
  if (message === undefined) return [];
  return [{ code: 'not-checked', message, span: { start: 0, end: 1 }, fixes: [] }];
}

function ofStored(site: SelectorSite, stored: StoredLabels): Finding[] {
  const { resource, namespace } = site.from;
  const index = resource === undefined ? undefined : stored.index(resource, namespace);
  return index === undefined ? [] : storedFindings(site, index);
}
