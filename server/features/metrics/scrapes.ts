/** Texts of metrics out of files, and out of parts that the client hands over. */
import type { Clock } from '../../common/clock';
import { decodedText } from '../../common/decodedText';
import { readPieces, SmallFileError } from '../../common/smallFile';
import type { Scrape } from '../../metrics/scrape/model';
import { readScrape } from '../../metrics/scrape/read';
import { ScrapeError, ScrapeReader } from '../../metrics/scrape/reader';
import { nothingIn } from '../../metrics/scrape/told';
import type { ScrapePart, ScrapeSource } from '../../protocol/metrics';
import { plainText, refuse, type FailureError } from '../failures';

/** Texts that are handed over at a time; the oldest makes way. */
const MOST_TEXTS = 16;

interface Text {
  readonly name: string;
  readonly reader: ScrapeReader;
}

export class Scrapes {
  private readonly texts = new Map<string, Text>();

  constructor(private readonly clock: Clock) {}

  /** Reads a part as it comes. Throws `FailureError` for what is no text of metrics. */
  take({ scrape, name, text, first }: ScrapePart): void {
    if (first) this.begin(scrape, name);
    const known = this.texts.get(scrape);
    if (known === undefined) throw refuse('The beginning of this text is gone: read it again.');
    try {
      known.reader.push(text);
    } catch (error) {
      this.texts.delete(scrape);
      throw unread(known.name, error);
    }
  }

  /** A text in parts can be asked for once. Rejects with `FailureError`, and when it is stopped. */
  async read(source: ScrapeSource, signal: AbortSignal): Promise<Scrape> {
    const [name, scrape] =
      source.kind === 'file'
        ? [source.path, await this.readFile(source.path, signal)]
        : this.ended(source.scrape);
    const nothing = nothingIn(scrape);
    if (nothing !== undefined) throw refuse(`${plainText(name)} ${nothing}.`);
    return scrape;
  }

  private begin(scrape: string, name: string): void {
    this.texts.delete(scrape);
    const [oldest] = this.texts.keys();
    if (this.texts.size >= MOST_TEXTS && oldest !== undefined) this.texts.delete(oldest);
    this.texts.set(scrape, { name, reader: new ScrapeReader(name) });
  }

  private ended(scrape: string): [string, Scrape] {
    const known = this.texts.get(scrape);
    this.texts.delete(scrape);
    if (known === undefined) throw refuse('This text is gone: read it again.');
    return [known.name, known.reader.end()];
  }

  private async readFile(path: string, signal: AbortSignal): Promise<Scrape> {
    const name = path.split(/[/\\]/).at(-1) ?? path;
    try {
      const pieces = decodedText(readPieces(path, { signal }));
      return await readScrape(name, pieces, { clock: this.clock, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw unread(name, error);
    }
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'you may not read it'],
  ['EPERM', 'you may not read it'],
  ['NOT_A_FILE', 'it is no file'],
]);

function unread(name: string, error: unknown): FailureError {
  const shown = plainText(name);
  if (error instanceof ScrapeError) return refuse(`${shown} is not read: ${error.message}.`);
  const code = error instanceof SmallFileError ? error.code : codeOf(error);
  return refuse(`${shown} cannot be read: ${REASONS.get(code) ?? plainText(code)}.`);
}

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException | null)?.code ?? 'the reason is not known';
