/** A file of YAML: manifests, kustomizations, CI files and whatever else selectors are written in. */
import { finding, type Edit, type Finding, type Fix } from '../findings';
import type { Analysis, CompletionSpot, SelectorSite } from '../model';
import { withEdits } from '../source/edits';
import {
  analyseChunk,
  firstLine,
  headOf,
  MORE,
  worthParsing,
  YAML_LIMITS,
  type ChunkAnalysis,
  type YamlOptions,
} from './analyse';
import { actionsInChunk } from './chunkActions';
import { chunkAt, chunksOf, type Chunk } from './chunks';
import { serviceHints } from './serviceHints';
import { shiftedFinding, shiftedFix, shiftedSite, shiftedSpan, shiftedSpot } from './shift';
import { spotInChunk } from './spots';

export class YamlFile {
  private chunks: readonly Chunk[];
  private text: string;
  /** What is known of documents by their text. */
  private known: Map<string, ChunkAnalysis> = new Map();
  private last: Analysis | undefined;

  constructor(
    text: string,
    private readonly options: YamlOptions = {},
  ) {
    this.text = text;
    this.chunks = chunksOf(text);
  }

  /** Documents of the stream whose text stays the same are not parsed again. */
  edit(change: string | readonly Edit[]): void {
    const text = typeof change === 'string' ? change : withEdits(this.text, change);
    if (text === this.text) return;
    this.text = text;
    this.chunks = chunksOf(text);
    this.last = undefined;
  }

  update(text: string): void {
    this.edit(text);
  }

  analysis(): Analysis {
    return (this.last ??= this.analyse());
  }

  /** The narrowest selector around an offset. */
  siteAt(offset: number): SelectorSite | undefined {
    return this.analysis()
      .sites.filter(({ span }) => span.start <= offset && offset <= span.end)
      .reduce<SelectorSite | undefined>(
        (best, site) => (best === undefined || length(site) < length(best) ? site : best),
        undefined,
      );
  }

  /** Where something may be completed; parses no more than the document that the offset lies in. */
  spotAt(offset: number): CompletionSpot | undefined {
    const chunk = chunkAt(this.chunks, offset);
    if (chunk === undefined || headOf(chunk.text).length > this.limits().document) return undefined;
    const spot = spotInChunk(chunk.text, offset - chunk.start, this.options);
    return spot && shiftedSpot(spot, chunk.start);
  }

  /** Other ways to write the selector at an offset. */
  actionsAt(offset: number): Fix[] {
    this.analysis();
    const chunk = chunkAt(this.chunks, offset);
    const sites = chunk === undefined ? undefined : this.known.get(chunk.text)?.sites;
    if (chunk === undefined || sites === undefined) return [];
    return actionsInChunk(chunk.text, offset - chunk.start, sites, this.options).map((fix) =>
      shiftedFix(fix, chunk.start),
    );
  }

  private limits() {
    return { ...YAML_LIMITS, ...this.options.limits };
  }

  private analyse(): Analysis {
    const { parts, skipped } = this.parts();
    const findings = parts.flatMap(({ chunk, found }) =>
      found.findings.map((each) => shiftedFinding(each, chunk.start)),
    );
    const hints = serviceHints(
      parts.map(({ chunk, found }) => ({ facts: found.facts, shift: chunk.start })),
    );
    const sites = parts.flatMap(({ chunk, found }) =>
      found.sites.map((site) => shiftedSite(site, chunk.start)),
    );
    const all = [...findings, ...skipped, ...hints];
    return { findings: this.inOrder(all), sites };
  }

  private inOrder(findings: readonly Finding[]): Finding[] {
    const most = this.limits().findingsOfFile;
    const inOrder = [...findings].sort(
      (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
    );
    if (inOrder.length <= most) return inOrder;
    return [finding('not-checked', MORE, firstLine(this.text)), ...inOrder.slice(0, most)];
  }

  /** Chunk by chunk, as far as the limit of the file goes. */
  private parts(): {
    readonly parts: readonly { readonly chunk: Chunk; readonly found: ChunkAnalysis }[];
    readonly skipped: readonly Finding[];
  } {
    const known = new Map<string, ChunkAnalysis>();
    const parts: { chunk: Chunk; found: ChunkAnalysis }[] = [];
    let left = this.limits().file;
    for (const chunk of this.chunks) {
      const head = worthParsing(chunk.text, this.options);
      left -= head.length;
      if (left < 0) {
        this.known = known;
        const span = shiftedSpan(firstLine(chunk.text), chunk.start);
        return { parts, skipped: [finding('not-checked', FILE_TOO_LARGE, span)] };
      }
      // The keys are the new texts, so that the old file is held no longer.
      const found = this.known.get(chunk.text) ?? analyseChunk(chunk.text, own(head), this.options);
      known.set(chunk.text, found);
      parts.push({ chunk, found });
    }
    this.known = known;
    return { parts, skipped: [] };
  }
}

const FILE_TOO_LARGE = 'The file is too large; from here on it was not looked at.';

/** A text that holds no other in memory, as a part of a file does. */
function own(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function length({ span }: SelectorSite): number {
  return span.end - span.start;
}
