/** What came between two scrapes of the same API servers. */
import type { Counter } from './families';
import type { Note, ServerScrape } from './model';
import { ScrapeError } from './reader';
import { changesBetween } from './servers';

export interface Since {
  /** With what their counters grew by. */
  readonly servers: readonly ServerScrape[];
  /** Between the two; undefined where nothing says so. */
  readonly seconds: number | undefined;
  readonly notes: readonly Note[];
}

interface Pair {
  readonly older: ServerScrape;
  readonly newer: ServerScrape;
}

/** Start times of one process differ by less, whatever the rounding. */
const SAME_START = 2;

/** Throws `ScrapeError` where the two cannot be what they are given as. */
export function increases(
  older: readonly ServerScrape[],
  newer: readonly ServerScrape[],
  givenSeconds: number | undefined,
): Since {
  const notes: Note[] = [];
  const pairs = pairsOf(older, newer, notes);
  for (const pair of pairs) refuseReversed(pair);
  const servers = pairs.map((pair) => increaseOf(pair, notes));
  const measured = secondsOf(pairs, notes);
  if (givenSeconds !== undefined && measured !== undefined && isFar(givenSeconds, measured)) {
    notes.push(
      `The times in the scrapes are ${shown(measured)} s apart, and not ${shown(givenSeconds)} s: rates are of the interval that was given.`,
    );
  }
  return { servers, seconds: givenSeconds ?? measured, notes };
}

const isFar = (given: number, measured: number): boolean =>
  Math.abs(given - measured) > Math.max(1, measured / 10);
const shown = (seconds: number): string => String(Math.round(seconds * 10) / 10);

/** By name, else by the times nearest to which they started, else by their order where both have as many. */
function pairsOf(
  older: readonly ServerScrape[],
  newer: readonly ServerScrape[],
  notes: Note[],
): Pair[] {
  const matches = new Map(namedAlike(older, newer));
  const unmatched = (): [ServerScrape[], ServerScrape[]] => {
    const taken = new Set(matches.values());
    return [older.filter((one) => !taken.has(one)), newer.filter((one) => !matches.has(one))];
  };
  for (const [server, other] of startedAlike(...unmatched())) matches.set(server, other);
  const [rest, alone] = unmatched();
  const pairs = newer.flatMap((server): Pair[] => {
    const match = matches.get(server);
    return match === undefined ? [] : [{ older: match, newer: server }];
  });
  if (rest.length === alone.length) {
    if (rest.length > 1) notes.push('The servers of the two scrapes are paired in their order.');
    return [...pairs, ...alone.map((server, i) => ({ older: rest[i] ?? server, newer: server }))];
  }
  if (pairs.length === 0) {
    throw new ScrapeError(
      `the older scrape has ${count(older.length)} and the newer ${count(newer.length)}, and nothing tells which is which: give one server at a time, or scrapes with the label instance`,
    );
  }
  for (const server of alone)
    notes.push(`${server.name} is left out: the older scrape has it not.`);
  for (const server of rest) notes.push(`${server.name} is left out: the newer scrape has it not.`);
  return pairs;
}

const count = (servers: number): string => `${servers} server${servers === 1 ? '' : 's'}`;

/** A newer server and its older self. */
type Match = readonly [ServerScrape, ServerScrape];

function namedAlike(older: readonly ServerScrape[], newer: readonly ServerScrape[]): Match[] {
  const known = new Map(older.filter(isInstance).map((server) => [server.name, server]));
  return newer.filter(isInstance).flatMap((server): Match[] => {
    const match = known.get(server.name);
    known.delete(server.name);
    return match === undefined ? [] : [[server, match]];
  });
}

/** Servers may be started together: those whose times are nearest to each other are one. */
function startedAlike(older: readonly ServerScrape[], newer: readonly ServerScrape[]): Match[] {
  const near = newer.flatMap((server) =>
    older
      .filter((other) => !(isInstance(server) && isInstance(other)))
      .filter((other) => isOneStart(other, server) === true)
      .map((other) => ({ server, other, apart: apartOf(server, other) })),
  );
  const matches = new Map<ServerScrape, ServerScrape>();
  const taken = new Set<ServerScrape>();
  for (const { server, other } of near.sort((a, b) => a.apart - b.apart)) {
    if (matches.has(server) || taken.has(other)) continue;
    matches.set(server, other);
    taken.add(other);
  }
  return [...matches];
}

const isInstance = (server: ServerScrape): boolean => server.isInstance;

const apartOf = (a: ServerScrape, b: ServerScrape): number =>
  Math.abs((a.startedAt ?? 0) - (b.startedAt ?? 0));

/** Undefined where one of them does not say when it started. */
function isOneStart(a: ServerScrape, b: ServerScrape): boolean | undefined {
  if (a.startedAt === undefined || b.startedAt === undefined) return undefined;
  return apartOf(a, b) < SAME_START;
}

/** Counters of one process never fall, and a process that is new started later. */
function refuseReversed(pair: Pair): void {
  const { older, newer } = pair;
  const { rose, fell } = changesBetween(older, newer);
  const onlyFell = fell > 0 && rose === 0;
  if (fell > 0 && (startedBefore(pair) || (onlyFell && isEarlier(pair)))) {
    throw new ScrapeError(
      `${newer.name} is older than ${older.name}, which is given as the older one: change their places`,
    );
  }
  if (onlyFell && isOneStart(older, newer) === undefined && older.at === undefined) {
    throw new ScrapeError(
      `every counter of ${newer.name} that changed is smaller than in ${older.name}: either they are the wrong way round, or the server started anew in between; look at ${newer.name} alone`,
    );
  }
}

function startedBefore({ older, newer }: Pair): boolean {
  return isOneStart(older, newer) === false && (newer.startedAt ?? 0) < (older.startedAt ?? 0);
}

/** The newer is of the same process, in which its counters can only rise, or of an earlier time. */
function isEarlier({ older, newer }: Pair): boolean {
  if (isOneStart(older, newer) === true) return true;
  return older.at !== undefined && newer.at !== undefined && newer.at < older.at;
}

function increaseOf({ older, newer }: Pair, notes: Note[]): ServerScrape {
  const { fell } = changesBetween(older, newer);
  const oneStart = isOneStart(older, newer);
  if (fell > 0) {
    notes.push(
      `${newer.name} started anew between the scrapes (${fell} of its counters fell): what it counted since then is told.`,
    );
    return newer;
  }
  if (oneStart === false) {
    const why = startedBefore({ older, newer })
      ? 'says that it started earlier than the older one does: its clock was set, or the two are the wrong way round'
      : 'says that it started at another time, yet no counter fell: its clock was set, or it started anew and has counted further since';
    notes.push(`${newer.name} ${why}; it is read as if it had run on.`);
  }
  const counters = new Map<string, Counter>();
  for (const [key, counter] of newer.counters) {
    const value = counter.value - (older.counters.get(key)?.value ?? 0);
    counters.set(key, { ...counter, value });
  }
  return { ...newer, counters };
}

function secondsOf(pairs: readonly Pair[], notes: Note[]): number | undefined {
  const spans = pairs.flatMap(({ older, newer }) =>
    older.at === undefined || newer.at === undefined ? [] : [(newer.at - older.at) / 1000],
  );
  const span = spans.sort((a, b) => a - b)[Math.floor(spans.length / 2)];
  if (span === undefined || span > 0) return span;
  notes.push(
    'The times in the newer scrape are not after those in the older one, though its counters are: a clock was set, and no rate is told; give --interval for one.',
  );
  return undefined;
}
