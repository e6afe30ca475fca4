/** All that is found in a document: by its text alone, and by what is stored. */
import type { Finding } from '../../language/findings';
import { storedFinding } from '../../language/index/siteText';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { Looked } from './analyses';
import type { Unanswered } from './analyst';
import { storedIndex, type SiteCounts } from './siteCounts';

/** Why a document was not looked at, where a person can do something about it. */
const reasons: Readonly<Partial<Record<Unanswered, string>>> = {
  tooLong: 'Selectors of this document are not checked: looking at it took more than ten seconds.',
  ended: 'Selectors of this document are not checked: it is too large or too deep.',
};

/** Selectors of a document that are held against what is stored. */
const MOST_SITES = 1000;

/** Reads nothing of etcd: what is known there is taken as it is. */
export async function findingsOf(
  looked: Looked,
  { stored, counts }: { readonly stored: StoredLabels; readonly counts: SiteCounts },
): Promise<readonly Finding[]> {
  if (!looked.done) return notChecked(reasons[looked.why]);
  const { findings, sites } = looked.analysis;
  const some = sites.slice(0, MOST_SITES);
  await counts.prepare(some, stored);
  const ofStored = some.flatMap((site) => {
    const index = storedIndex(site, stored);
    return (index && storedFinding(site, index, counts.of(site, index))) ?? [];
  });
  return [...findings, ...ofStored];
}

/** At the first character, for want of a better place. */
function notChecked(message: string | undefined): Finding[] {
  if (message === undefined) return [];
  return [{ code: 'not-checked', message, span: { start: 0, end: 1 }, fixes: [] }];
}
