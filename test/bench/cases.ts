/** What is listed, and by whom. */
import { onePercent, oneNode, type Corpus } from './corpus';
import type { ListWork } from './work';

export interface BenchCase {
  readonly name: string;
  readonly title: string;
  readonly list: Omit<ListWork, 'root'>;
  /** Everything is read anyway, so what reads everything can be compared. */
  readonly whole: boolean;
}

const benchCase = (name: string, title: string, list: Partial<ListWork>): BenchCase => {
  const full = { label: '', field: '', limit: 0, stream: false, ...list };
  return { name, title, list: full, whole: full.limit === 0 };
};

export const benchCases: readonly BenchCase[] = [
  benchCase('b', '-l at 1 %, limit 500, to the end', { label: onePercent, limit: 500 }),
  benchCase('c-read', '-l at 1 %, one read', { label: onePercent }),
  benchCase('c-stream', '-l at 1 %, stream', { label: onePercent, stream: true }),
  benchCase('d-pages', 'unfiltered, limit 500, to the end', { limit: 500 }),
  benchCase('d-page-streams', 'unfiltered, limit 500 by streams, to the end', {
    limit: 500,
    stream: true,
  }),
  benchCase('d-read', 'unfiltered, one read', {}),
  benchCase('d-stream', 'unfiltered, stream', { stream: true }),
  benchCase('e-pages', `${oneNode}, limit 500, to the end`, { field: oneNode, limit: 500 }),
  benchCase('e-stream', `${oneNode}, stream`, { field: oneNode, stream: true }),
];

/** The cases whose names begin with one of these, all without any; throws at a name that none begins with. */
export function chosenCases(names: readonly string[]): readonly BenchCase[] {
  if (names.length === 0) return benchCases;
  const strange = names.find((begin) => !benchCases.some(({ name }) => name.startsWith(begin)));
  if (strange !== undefined || names.includes('')) {
    const all = benchCases.map(({ name }) => name).join(', ');
    throw new Error(`there is no case ${JSON.stringify(strange ?? '')}; there are ${all}`);
  }
  return benchCases.filter(({ name }) => names.some((begin) => name.startsWith(begin)));
}

export const workOf = ({ list }: BenchCase, { root }: Corpus): ListWork => ({ ...list, root });
