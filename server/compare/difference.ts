/** Finds the first object in which two answers differ, by reading both again up to it. */
import { createHash } from 'node:crypto';
import { copyBytes, equalBytes } from '../common/bytes';
import { keyText } from '../kube/print/keyText';
import type { ListItem } from '../store/interfaces';
import type { AnsweredObject, Stretch } from './answers';
import type { WayName } from './model';
import { runWay, WayFailedError, type ComparedList } from './runWay';

/** An object of an answer, without its value. */
export interface ObjectPrint {
  readonly key: Uint8Array;
  readonly modRevision: bigint;
  /** SHA-256 of the value, as hex. */
  readonly hash: string;
}

export type Difference =
  /** Counted from 1; undefined where an answer had ended. */
  | {
      readonly kind: 'object';
      readonly place: number;
      readonly first: ObjectPrint | undefined;
      readonly second: ObjectPrint | undefined;
    }
  /** The same objects, and other continue tokens. */
  | { readonly kind: 'token'; readonly first: string; readonly second: string }
  /** Read again, the two gave the same. */
  | { readonly kind: 'passing'; readonly from: number; readonly until: number };

/** Two ways that should give the same gave something else: a fault of ours or of this etcd. */
export class AnswersDifferError extends Error {
  override readonly name = 'AnswersDifferError';
  readonly code = 'answersDiffer';
  constructor(
    readonly ways: readonly [WayName, WayName],
    readonly difference: Difference,
  ) {
    super(sentenceOf(ways, difference));
  }
}

function sentenceOf([first, second]: readonly [WayName, WayName], found: Difference): string {
  const differ = `the answers by ${first} and by ${second} differ at one revision`;
  switch (found.kind) {
    case 'token':
      return `${differ}: the objects are the same, and the continue tokens are ${told(found.first)} and ${told(found.second)}`;
    case 'passing':
      return `${differ}, somewhere in objects ${found.from} to ${found.until}, and were the same when both were read again: what stands between does not always give the same`;
    case 'object':
      return `${differ}, first in object ${found.place}: ${first} gave ${shown(found.first, found)}, ${second} gave ${shown(found.second, found)}`;
  }
}

const told = (token: string): string => (token === '' ? 'none' : `"${token}"`);

function shown(
  print: ObjectPrint | undefined,
  {
    first,
    second,
  }: { readonly first?: ObjectPrint | undefined; readonly second?: ObjectPrint | undefined },
): string {
  if (print === undefined) return 'no more';
  const name = `${keyText(print.key)} at revision ${print.modRevision}`;
  const isSame = first !== undefined && second !== undefined && isSameKey(first, second);
  return isSame ? `${name} with a value of SHA-256 ${print.hash}` : name;
}

const isSameKey = (a: ObjectPrint, b: ObjectPrint): boolean =>
  equalBytes(a.key, b.key) && a.modRevision === b.modRevision;

/** Reads each way once more, up to the end of the stretch. */
export async function findDifference<T>(
  list: ComparedList<T>,
  ways: readonly [WayName, WayName],
  revision: bigint,
  stretch: Stretch,
  about: { readonly signal: AbortSignal; readonly objectOf: (item: ListItem<T>) => AnsweredObject },
): Promise<Difference> {
  const [first, second] = [
    await printsOf(list, ways[0], revision, stretch, about),
    await printsOf(list, ways[1], revision, stretch, about),
  ];
  for (let i = 0; i < Math.max(first.length, second.length); i++) {
    const [a, b] = [first[i], second[i]];
    const isSame = a !== undefined && b !== undefined && isSameKey(a, b) && a.hash === b.hash;
    if (!isSame) return { kind: 'object', place: stretch.agreed + i + 1, first: a, second: b };
  }
  return { kind: 'passing', from: stretch.agreed + 1, until: stretch.until };
}

async function printsOf<T>(
  list: ComparedList<T>,
  way: WayName,
  revision: bigint,
  { agreed, until }: Stretch,
  { signal, objectOf }: Parameters<typeof findDifference<T>>[4],
): Promise<ObjectPrint[]> {
  const prints: ObjectPrint[] = [];
  const enough = new AbortController();
  let count = 0;
  try {
    await runWay(list, way, revision, {
      signal: AbortSignal.any([signal, enough.signal]),
      onItems: (items) => {
        for (const item of items) {
          count++;
          if (count > agreed && count <= until) prints.push(printOf(objectOf(item)));
        }
        if (count >= until) enough.abort();
      },
    });
  } catch (error) {
    if (signal.aborted || !enough.signal.aborted || !(error instanceof WayFailedError)) throw error;
  }
  return prints;
}

function printOf({ key, modRevision, value }: AnsweredObject): ObjectPrint {
  const hash = createHash('sha256').update(value).digest('hex');
  return { key: copyBytes(key), modRevision, hash };
}
