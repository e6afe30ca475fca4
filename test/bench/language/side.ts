/** One measured process: `side.cjs`, then one JSON line for each thing that is asked. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Composer, parseAllDocuments, Parser } from 'yaml';
import { lensText, siteMarkdown } from '../../../server/language/index/siteText';
import { offersFor } from '../../../server/language/index/offers';
import type { LabelIndex } from '../../../server/language/index/labelIndex';
import type { Analysis, CompletionSpot, LanguageFile } from '../../../server/language/model';
import { openDocument } from '../../../server/language/open';
import { quantile } from '../statistics';
import { changed, documentAround, linesOf, spotsOf, type Spots } from './manifest';
import { indexOf, objectsOf, typedWords } from './objects';
import type { Answer, Ask, IndexShape, Outcome, ParseHow } from './work';

/** What one thing left behind must not be collected while the next one is measured. */
const collect = (): void => {
  globalThis.gc?.();
};

function timed<T>(work: () => T): { readonly ms: number; readonly result: T } {
  collect();
  const started = performance.now();
  const result = work();
  return { ms: performance.now() - started, result };
}

class Side {
  private text = '';
  private spots: Spots | undefined;
  private file: LanguageFile | undefined;
  private keystrokes = 0;
  private readonly indexes = new Map<IndexShape, LabelIndex>();

  run(ask: Ask): Outcome {
    switch (ask.op) {
      case 'read':
        return this.read(ask.file);
      case 'parse':
        return parsed(this.text, ask.how);
      case 'parseTouched':
        return parsed(documentAround(this.text, this.needSpots().labelValue), 'usual');
      case 'analyse':
        return this.analyse();
      case 'change':
        return this.change();
      case 'buildIndex':
        return this.buildIndex(ask.shape);
      case 'lenses':
        return this.lenses();
      case 'hover':
        return this.hover();
      case 'complete':
        return this.complete();
      case 'offers':
        return offers(this.index(ask.shape), ask.shape, ask.times);
    }
  }

  private read(path: string): Outcome {
    const { ms, result } = timed(() => readFileSync(path, 'utf8'));
    this.text = result;
    this.spots = spotsOf(result);
    this.file = undefined;
    return { ms, counts: { bytes: result.length, lines: linesOf(result) } };
  }

  private analyse(): Outcome {
    this.file = undefined;
    const { ms, result } = timed(() => {
      const file = opened(this.text);
      return { file, analysis: file.analysis() };
    });
    this.file = result.file;
    return { ms, counts: countsOf(result.analysis) };
  }

  private change(): Outcome {
    const file = this.needFile();
    const text = this.nextText();
    const { ms, result } = timed(() => {
      file.update(text);
      return file.analysis();
    });
    return { ms, counts: countsOf(result) };
  }

  private buildIndex(shape: IndexShape): Outcome {
    const objects = objectsOf(shape);
    this.indexes.delete(shape);
    collect();
    const before = memory();
    const { ms, result } = timed(() => indexOf(objects));
    collect();
    this.indexes.set(shape, result);
    return { ms, counts: { bytes: memory() - before, objects: objects.length } };
  }

  private lenses(): Outcome {
    const { sites } = this.needFile().analysis();
    const index = this.index('values');
    const { ms, result } = timed(() =>
      sites.flatMap((site) => (site.from.resource === 'pods' ? (lensText(site, index) ?? []) : [])),
    );
    return { ms, counts: { lenses: result.length } };
  }

  private hover(): Outcome {
    const file = this.needFile();
    const { selector } = this.needSpots();
    const text = this.nextText();
    const { ms, result } = timed(() => {
      file.update(text);
      const site = file.siteAt(selector);
      return site && siteMarkdown(site, this.index('values'));
    });
    return { ms, counts: { characters: result?.length ?? 0 } };
  }

  private complete(): Outcome {
    const file = this.needFile();
    const { labelValue } = this.needSpots();
    const text = this.nextText();
    const { ms, result } = timed(() => {
      file.update(text);
      const spot = file.spotAt(labelValue);
      return spot && offersFor(spot, knownOf(this.index('values')));
    });
    return { ms, counts: { offers: result?.offers.length ?? 0 } };
  }

  private nextText(): string {
    return changed(this.text, this.needSpots(), ++this.keystrokes);
  }

  private needFile(): LanguageFile {
    return (this.file ??= opened(this.text));
  }

  private needSpots(): Spots {
    if (this.spots === undefined) throw new Error('no file was read');
    return this.spots;
  }

  private index(shape: IndexShape): LabelIndex {
    const index = this.indexes.get(shape);
    if (index === undefined) throw new Error('no index was built');
    return index;
  }
}

const knownOf = (index: LabelIndex) => ({ index, namespaces: [], customResources: [] });

/** As the thread that looks at documents takes it. */
function opened(text: string): LanguageFile {
  const file = openDocument({ uri: 'file:///bench/manifest.yaml', languageId: 'yaml', text });
  if (file === undefined) throw new Error('the text is taken for no manifest');
  return file;
}

function countsOf({ findings, sites }: Analysis): Outcome['counts'] {
  const unchecked = findings.filter(({ code }) => code === 'not-checked').length;
  return { findings: findings.length - unchecked, unchecked, selectors: sites.length };
}

function parsed(text: string, how: ParseHow): Outcome {
  const { ms, result } = timed(() =>
    how === 'usual' ? parseAllDocuments(text).length : leanDocuments(text),
  );
  return { ms, counts: { documents: result } };
}

/** Everything stays text, and nothing is checked that need not be. */
function leanDocuments(text: string): number {
  const composer = new Composer({
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    strict: false,
    logLevel: 'silent',
    prettyErrors: false,
  });
  return [...composer.compose(new Parser().parse(text))].length;
}

function offers(index: LabelIndex, shape: IndexShape, count: number): Outcome {
  const known = knownOf(index);
  const times: number[] = [];
  const work: number[] = [];
  let found = 0;
  collect();
  for (const typed of typedWords(shape, count)) {
    const before = process.cpuUsage();
    const started = performance.now();
    found += offersFor(spotFor(shape, typed), known).offers.length;
    times.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    work.push((user + system) / 1000);
  }
  const [ms, p99, cpu99] = [quantile(times, 0.5), quantile(times, 0.99), quantile(work, 0.99)];
  return { ms, counts: { offers: found, p99, cpu99, slowest: Math.max(...times) } };
}

function spotFor(shape: IndexShape, typed: string): CompletionSpot {
  return {
    kind: shape === 'keys' ? 'labelKey' : 'labelValue',
    span: { start: 0, end: typed.length },
    typed,
    from: { resource: 'pods', namespace: undefined },
    key: shape === 'keys' ? '' : 'app',
    given: [],
    choices: [],
    writing: 'yaml',
  };
}

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function answer(side: Side, line: string): Answer {
  try {
    return side.run(JSON.parse(line) as Ask);
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

async function main(): Promise<void> {
  const side = new Side();
  process.stdout.write(`${JSON.stringify({ ms: 0, counts: {} })}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(answer(side, line))}\n`);
  }
}

// Ctrl-C in a terminal reaches every process of the run; the first one ends this one.
process.on('SIGINT', () => undefined);
void main();
