/** A file of YAML: manifests, kustomizations, CI files and whatever else selectors are written in. */
import { finding, type Edit, type Finding, type Fix } from '../findings';
import type { Span } from '../../kube/selectors';
import type { Analysis, CompletionSpot, SelectorSite } from '../model';
import { withEdits } from '../source/edits';
import { addedUp, toldOf } from '../told';
import {
  analyseChunk,
  firstLine,
  headOf,
  holdsCustomObjects,
  worthParsing,
  type ChunkAnalysis,
  type YamlOptions,
} from './analyse';
import { actionsInChunk } from './chunkActions';
import { chunkAt, chunksOf, type Chunk } from './chunks';
import { COST_OF_ALIASED, COST_OF_DOCUMENT, FILE_TOO_LARGE, YAML_LIMITS } from './limits';
import { serviceHints } from './serviceHints';
import { shiftedFinding, shiftedFix, shiftedSite, shiftedSpan, shiftedSpot } from './shift';
import { spotInChunk } from './spots';
import { templatesOverLines, withLineFeeds } from './templates';

/** A document in which something may be found, and what was. */
interface Part {
  readonly chunk: Chunk;
  readonly found: ChunkAnalysis;
}

export class YamlFile {
  private text: string;
  /** What is known of documents by their text. */
  private known = new Map<string, ChunkAnalysis>();
  private last: Analysis | undefined;
  private hidden: readonly Span[] | undefined;

  constructor(
    text: string,
    private readonly options: YamlOptions = {},
  ) {
    this.text = withLineFeeds(text);
  }

  /** Documents of the stream whose text stays the same are not parsed again. */
  edit(change: string | readonly Edit[]): void {
    const text = withLineFeeds(typeof change === 'string' ? change : withEdits(this.text, change));
    if (text === this.text) return;
    this.text = text;
    this.last = undefined;
    this.hidden = undefined;
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
    const { document } = this.limits();
    const chunk = this.chunkAt(offset);
    if (chunk === undefined || headOf(chunk.text).length > document) return undefined;
    const spot = spotInChunk(chunk.text, offset - chunk.start, this.options);
    return spot && shiftedSpot(spot, chunk.start);
  }

  /** Other ways to write the selector at an offset. */
  actionsAt(offset: number): Fix[] {
    this.analysis();
    const chunk = this.chunkAt(offset);
    const sites = chunk === undefined ? undefined : this.known.get(chunk.text)?.sites;
    if (chunk === undefined || sites === undefined) return [];
    return actionsInChunk(chunk.text, offset - chunk.start, sites, this.options).map((fix) =>
      shiftedFix(fix, chunk.start),
    );
  }

  private chunkAt(offset: number): Chunk | undefined {
    return chunkAt(this.text, offset, this.limits().document, this.templates());
  }

  private templates(): readonly Span[] {
    return (this.hidden ??= templatesOverLines(this.text));
  }

  private limits() {
    return { ...YAML_LIMITS, ...this.options.limits };
  }

  private analyse(): Analysis {
    const { findingsOfFile, sitesOfFile } = this.limits();
    const { parts, skipped } = this.parts();
    const findings = parts.flatMap(({ chunk, found }) =>
      found.findings.map((each) => shiftedFinding(each, chunk.start)),
    );
    // What was not looked at may make Pods too.
    const hints = skipped.length > 0 ? [] : this.hints(parts);
    const told = toldOf([...findings, ...skipped, ...hints], findingsOfFile);
    return {
      findings: told.findings,
      untold: addedUp([told.untold, ...parts.map(({ found }) => found.untold)]),
      sites: sitesOf(parts, sitesOfFile),
      selectors: parts.reduce((sum, { found }) => sum + found.sites.length, 0),
    };
  }

  /** Objects that are not Kubernetes' own may make Pods with labels that nobody knows. */
  private hints(parts: readonly Part[]): Finding[] {
    const hasServices = parts.some(({ found }) => found.facts.services.length > 0);
    if (!hasServices || holdsCustomObjects(this.text)) return [];
    return serviceHints(
      parts.map(({ chunk, found }) => ({ facts: found.facts, shift: chunk.start })),
    );
  }

  /** Document by document, as far as the limit of the file goes. */
  private parts(): { readonly parts: readonly Part[]; readonly skipped: readonly Finding[] } {
    const parts: Part[] = [];
    const now = new Map<string, ChunkAnalysis>();
    try {
      const skipped = this.gather(parts, now);
      this.known = now;
      return { parts, skipped };
    } catch (error) {
      // Where it was stopped, what was looked at need not be looked at again.
      for (const [text, found] of now) this.known.set(text, found);
      throw error;
    }
  }

  private gather(parts: Part[], now: Map<string, ChunkAnalysis>): Finding[] {
    const limits = this.limits();
    let left = limits.file;
    for (const chunk of chunksOf(this.text, this.templates())) {
      this.options.checkpoint?.();
      const head = worthParsing(chunk.text, this.options);
      if (head === '') continue;
      left -= COST_OF_DOCUMENT + (head.length > limits.document ? 0 : head.length);
      if (left < 0) {
        const span = shiftedSpan(firstLine(chunk.text), chunk.start);
        return [finding('not-checked', FILE_TOO_LARGE, span)];
      }
      const known = now.get(chunk.text) ?? this.known.get(chunk.text);
      const found = known ?? analyseChunk(chunk.text, own(head), this.options);
      left -= found.aliased * COST_OF_ALIASED;
      // The keys are the new texts, so that the old file is held no longer.
      now.set(chunk.text, found);
      parts.push({ chunk, found });
    }
    return [];
  }
}

function sitesOf(parts: readonly Part[], most: number): SelectorSite[] {
  const sites: SelectorSite[] = [];
  for (const { chunk, found } of parts) {
    for (const site of found.sites) {
      if (sites.length >= most) return sites;
      sites.push(shiftedSite(site, chunk.start));
    }
  }
  return sites;
}

/** A text that holds no other in memory, as a part of a file does. */
function own(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function length({ span }: SelectorSite): number {
  return span.end - span.start;
}
