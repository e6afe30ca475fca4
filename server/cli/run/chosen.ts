/** Which queries of a file are run. */
import { nearest } from '../../common/nearest';
import type { Query, QueryRequest } from '../../language/query/model';
import { usageError } from '../exit';
import { cell } from '../output/text';
import { shownName } from '../textFile';

/** A query without errors, with its place among those of its file. */
export interface ChosenQuery extends Query {
  readonly index: number;
  readonly request: QueryRequest;
}

/** All, or those named and whose tokens they take, in the order of the file. */
export function chosenQueries(
  queries: readonly ChosenQuery[],
  names: readonly string[],
  file: string,
): ChosenQuery[] {
  if (names.length === 0) return [...queries];
  const wanted = chosenNames(queries, names, shownName(file));
  // A token is taken from an earlier query, so that one way back finds them all.
  for (const { index, request } of [...queries].reverse()) {
    if (wanted.has(index) && request.continue.kind === 'query') wanted.add(request.continue.index);
  }
  return queries.filter(({ index }) => wanted.has(index));
}

/** Where the named ones stand among all. */
export function chosenNames(
  queries: readonly Query[],
  names: readonly string[],
  file: string,
): Set<number> {
  return new Set(names.map((name) => indexOf(queries, name, file)));
}

function indexOf(queries: readonly Query[], name: string, file: string): number {
  const found = queries.findIndex((query) => query.name === name);
  if (found >= 0) return found;
  const known = queries.flatMap((query) => query.name ?? []);
  const [close] = nearest(name, known, 1);
  const hint = close === undefined ? namesText(known) : `did you mean ${close}?`;
  throw usageError(`no query of ${file} is called "${cell(name)}": ${hint}`);
}

const MOST_NAMED = 10;

function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'none has a name, which is written as # @name NAME';
  const more = names.length > MOST_NAMED ? ', …' : '';
  return `there are ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}
