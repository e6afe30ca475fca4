/** Puts the token of an earlier query's run in the place of `{{name.continue}}`. */
import type { ListQuery } from '../../server/protocol/model';
import { refused } from '../lsp/failure';
import type { LastRun } from './lastRuns';
import { nameOf, type Runnable } from './place';

/**
 * `nothingLeft`: the query it goes on from read its list to the end, so it was not run itself.
 * `elsewhere`: it ran over another connection, whose tokens mean nothing here.
 */
export type Outcome = LastRun | 'nothingLeft' | 'elsewhere';

export type Continued =
  | { readonly kind: 'query'; readonly query: ListQuery }
  | { readonly kind: 'nothingLeft'; readonly sentence: string };

/** Throws a sentence when the earlier query was not run, or failed. `outcomeOf` asks by number. */
export function continued(
  { file, request }: Runnable,
  outcomeOf: (index: number) => Outcome | undefined,
): Continued {
  const { continueOf, query } = request;
  if (continueOf === null) return { kind: 'query', query };
  const name = nameOf({ file, index: continueOf });
  const token = tokenOf(outcomeOf(continueOf), name);
  if (token !== '') return { kind: 'query', query: { ...query, continueToken: token } };
  const sentence = `Nothing is left for this query: ${name} read its list to the end.`;
  return { kind: 'nothingLeft', sentence };
}

/** The same for one query alone, where nothing left is a reason not to run it. */
export function continuedAlone(
  one: Runnable,
  outcomeOf: (index: number) => Outcome | undefined,
): ListQuery {
  const next = continued(one, outcomeOf);
  if (next.kind === 'nothingLeft') throw refused(next.sentence);
  return next.query;
}

/** Empty where nothing is left. */
function tokenOf(outcome: Outcome | undefined, name: string): string {
  if (outcome === 'nothingLeft') return '';
  if (outcome === undefined) {
    throw refused(
      `This query goes on from ${name}, which was not run as it stands: run that first.`,
    );
  }
  if (outcome === 'elsewhere') {
    throw refused(
      `This query goes on from ${name}, which was run over another connection: run that again first.`,
    );
  }
  if (outcome.failure !== undefined || outcome.total === undefined) {
    throw refused(`This query goes on from ${name}, whose last run failed: run that again first.`);
  }
  return outcome.total.continue;
}
