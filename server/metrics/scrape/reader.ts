/**
 * Reads a text of metrics in pieces and keeps the few that tell of lists: the memory that it takes does
 * not grow with the text. Lines that are none are told with their number, and the reading goes on.
 */
import { counterKey, counterOf, dialectOf, ROLES, type Counter, type Role } from './families';
import { Lines, type Line } from './lines';
import type { LineFault, Scrape, ServerScrape } from './model';
import { countFault, SampleError, SampleParser, type Sample } from './sample';

const MOST_FAULTS = 20;
/** Of all servers of one text. A large cluster's server has some thousands. */
const MOST_KEPT = 200_000;
/** Names of metrics of one server. */
const MOST_NAMES = 100_000;
/** One behind the other. */
const MOST_SECTIONS = 1000;
/** Whatever they are servers of. */
const MOST_INSTANCES = 50_000;

/** A text that cannot be what it is given as; the message is the end of a sentence. */
export class ScrapeError extends Error {
  override readonly name = 'ScrapeError';
}

const tooMany = (): ScrapeError =>
  new ScrapeError(`it holds more than ${MOST_KEPT} numbers that tell of lists`);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Server extends Omit<Mutable<ServerScrape>, 'counters' | 'lines' | 'name' | 'isInstance'> {
  readonly section: number;
  readonly instance: string;
  readonly counters: Map<string, Counter>;
  lines: [number, number];
}

/** What stands in the way of a line being in this scrape too: each of them comes once. */
interface Section {
  /** `TYPE apiserver_storage_list_total`. */
  readonly headings: Set<string>;
  /** By name and all labels. */
  readonly series: Map<string, Pick<Sample, 'at' | 'value'>>;
  /** The mark at the end of OpenMetrics was there. */
  ended: boolean;
}

const newSection = (): Section => ({ headings: new Set(), series: new Map(), ended: false });

/** The two bytes that compressed files begin with, as UTF-8 has them. */
const GZIP = '\x1f\ufffd';
const HEADING = /^#[ \t]*(HELP|TYPE|UNIT)[ \t]+([^ \t]+)/;
const EOF_MARK = /^#[ \t]*EOF[ \t]*$/;
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*(?=[ \t{])/;

export class ScrapeReader {
  private readonly parser = new SampleParser();
  private readonly input = new Lines((line) => {
    this.read(line);
  });
  private readonly servers = new Map<string, Server>();
  private readonly words = new Map<string, string>();
  private readonly faults: LineFault[] = [];
  private faultCount = 0;
  private section = newSection();
  private sections = 0;
  private kept = 0;
  private others = 0;
  private lineCount = 0;
  private openEnd: number | undefined;

  /** `source` is what the text is called in what is told. */
  constructor(private readonly source: string) {}

  /** Throws `ScrapeError` for what is no text. */
  push(text: string): void {
    if (text.startsWith(GZIP) && this.lineCount === 0) {
      throw new ScrapeError('it is compressed: unpack it first');
    }
    if (text.includes('\0')) throw new ScrapeError('it is no text: it holds NUL bytes');
    this.input.push(text);
  }

  end(): Scrape {
    this.input.end();
    const { source, faults, faultCount, kept, others, openEnd } = this;
    const servers = [...this.servers.values()]
      .filter(({ counters }) => counters.size > 0)
      .map((server) => this.named(server));
    const counts = { faultCount, kept, others, lines: this.lineCount };
    return { source, servers, faults, ...counts, openEnd };
  }

  private named({ section, instance, ...server }: Server): ServerScrape {
    const place = this.sections === 0 ? this.source : `${this.source}#${section + 1}`;
    const isInstance = instance !== '';
    return { ...server, name: isInstance ? instance : place, isInstance };
  }

  private read(line: Line): void {
    this.lineCount = line.number;
    const text = line.text.trimStart();
    if (line.cut) this.fault(line.number, 'it is longer than 1 MiB');
    else if (text.startsWith('#')) this.readComment(text);
    else if (text.trimEnd() !== '') this.readSample(line, text);
  }

  private readComment(text: string): void {
    if (EOF_MARK.test(text)) {
      this.section.ended = true;
      return;
    }
    const [, kind = '', name = ''] = HEADING.exec(text) ?? [];
    if (name === '') return;
    const heading = `${kind} ${name}`;
    if (this.section.ended || this.section.headings.has(heading)) this.beginSection();
    const { headings } = this.section;
    if (headings.size < MOST_NAMES) headings.add(this.word(heading));
  }

  /** The next text of metrics begins in the same file: of another server, or of another time. */
  private beginSection(): void {
    this.section = newSection();
    this.sections++;
    if (this.sections >= MOST_SECTIONS) {
      throw new ScrapeError(`it holds more than ${MOST_SECTIONS} scrapes one behind the other`);
    }
  }

  private readSample(line: Line, text: string): void {
    if (!line.ended) this.openEnd = line.number;
    const name = NAME.exec(text)?.[0];
    const isOther = name !== undefined && !ROLES.has(name);
    if (isOther && line.ended) {
      this.others++;
      return;
    }
    try {
      this.take(this.parser.parse(text), line.number);
    } catch (error) {
      if (!(error instanceof SampleError)) throw error;
      const end = line.ended ? '' : ': the text ends in the middle of it';
      this.fault(line.number, `${error.message}${end}`);
    }
  }

  private take(sample: Sample, line: number): void {
    const role = ROLES.get(sample.name);
    if (role === undefined) {
      this.others++;
      return;
    }
    const { value } = sample;
    const fault = countFault(value);
    if (fault !== undefined) throw new SampleError(fault);
    const before = this.placeSample(sample);
    const server = this.serverOf(sample.labels, line);
    if (sample.at !== undefined) server.at = Math.max(server.at ?? sample.at, sample.at);
    if (role === 'start') server.startedAt = value;
    else if (role === 'build') server.version = this.word(sample.labels.get('git_version') ?? '');
    else this.keep(server, role, sample, before);
  }

  /**
   * A series that comes again begins the next text, unless it is the same one at a later time: then what
   * it was before is given.
   */
  private placeSample({ name, labels, at, value }: Sample): number {
    const pairs = [...labels].map(([label, text]) => `${label}=${text}`).sort();
    const series = [name, ...pairs].join('\0');
    const before = this.section.series.get(series);
    const isLater = at !== undefined && before?.at !== undefined && at > before.at;
    if (this.section.ended || (before !== undefined && !isLater)) this.beginSection();
    if (this.section.series.size >= MOST_KEPT) throw tooMany();
    this.section.series.set(this.word(series), { at, value });
    return isLater ? before.value : 0;
  }

  private serverOf(labels: ReadonlyMap<string, string>, line: number): Server {
    const instance = labels.get('instance') ?? '';
    const key = `${this.sections}\0${instance}`;
    const known = this.servers.get(key);
    if (known !== undefined) {
      known.lines = [known.lines[0], line];
      return known;
    }
    if (this.servers.size >= MOST_INSTANCES) {
      throw new ScrapeError(`it names more than ${MOST_INSTANCES} servers`);
    }
    const server: Server = {
      section: this.sections,
      instance: this.word(instance),
      lines: [line, line],
      counters: new Map(),
      dialect: undefined,
      version: '',
      startedAt: undefined,
      at: undefined,
    };
    this.servers.set(key, server);
    return server;
  }

  /** Series that differ in labels of no interest are added up. */
  private keep(server: Server, role: Role, { labels, value }: Sample, before: number): void {
    if (++this.kept > MOST_KEPT) throw tooMany();
    server.dialect ??= dialectOf(role, labels);
    const own = new Map([...labels].map(([label, text]) => [label, this.word(text)]));
    const counter = counterOf(role, own, value);
    const key = counterKey(counter);
    const sum = (server.counters.get(key)?.value ?? 0) + value - before;
    server.counters.set(key, { ...counter, value: sum });
  }

  private fault(line: number, why: string): void {
    this.faultCount++;
    if (this.faults.length < MOST_FAULTS) this.faults.push({ line, why });
  }

  /** A copy that does not hold on to the piece of text that it was found in, and once each. */
  private word(text: string): string {
    const known = this.words.get(text);
    if (known !== undefined) return known;
    const own = Buffer.from(text, 'utf8').toString('utf8');
    this.words.set(own, own);
    return own;
  }
}
