/** The API servers of several texts, each once. */
import type { Note, Scrape, ServerScrape } from './model';

export interface Servers {
  readonly servers: readonly ServerScrape[];
  readonly notes: readonly Note[];
}

/** Two texts of the same server, told by the time at which it started, are one: the later is used. */
export function serversOf(scrapes: readonly Scrape[]): Servers {
  const kept: ServerScrape[] = [];
  const notes: Note[] = [];
  for (const server of scrapes.flatMap(({ servers }) => servers)) {
    const index = kept.findIndex((other) => isSame(server, other));
    const other = kept[index];
    if (other === undefined) {
      kept.push(server);
      continue;
    }
    const later = isLater(server, other) ? server : other;
    notes.push(
      `${other.name} and ${server.name} are one server, since it started at the same time: ${later.name} is the later of the two and is used; give the other with --since for what came in between.`,
    );
    kept[index] = later;
  }
  return { servers: kept, notes };
}

function isSame(a: ServerScrape, b: ServerScrape): boolean {
  if (a.isInstance && b.isInstance) return a.name === b.name;
  return a.startedAt !== undefined && a.startedAt === b.startedAt;
}

function isLater(a: ServerScrape, b: ServerScrape): boolean {
  if (a.at !== undefined && b.at !== undefined && a.at !== b.at) return a.at > b.at;
  const { rose, fell } = changesBetween(b, a);
  return rose >= fell;
}

/** How many counters of the second are larger than in the first, and how many smaller or gone. */
export function changesBetween(
  older: ServerScrape,
  newer: ServerScrape,
): { readonly rose: number; readonly fell: number } {
  let rose = 0;
  let fell = 0;
  for (const [key, { value }] of newer.counters) {
    if (value > (older.counters.get(key)?.value ?? 0)) rose++;
  }
  for (const [key, { value }] of older.counters) {
    if ((newer.counters.get(key)?.value ?? 0) < value) fell++;
  }
  return { rose, fell };
}
