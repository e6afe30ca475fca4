/** A text that is in memory, read without holding up what else wants to run. */
import type { Clock } from '../../common/clock';
import { Turns } from '../../common/turns';
import type { Scrape } from './model';
import { ScrapeReader } from './reader';

/** Characters that are read in one go; some milliseconds of work. */
const PIECE = 256 * 1024;

export interface ReadScrape {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Rejects with `ScrapeError`, and with the signal's reason as soon as it aborts. */
export async function readScrape(
  source: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  { clock, signal }: ReadScrape,
): Promise<Scrape> {
  const reader = new ScrapeReader(source);
  const turns = new Turns(clock);
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += PIECE) {
      signal.throwIfAborted();
      reader.push(piece.slice(start, start + PIECE));
      if (turns.due()) await turns.give();
    }
  }
  signal.throwIfAborted();
  return reader.end();
}
