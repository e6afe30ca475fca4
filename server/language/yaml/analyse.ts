/** One chunk of a stream of YAML, gone over. Offsets are the chunk's own. */
import { finding, type Finding } from '../findings';
import type { SelectorSite } from '../model';
import { builtInFields, type KnownFields } from '../selectors/knownFields';
import { isKustomization, objectsOf, type KubeObject } from './kubeObject';
import type { ReadLabels } from './labels';
import { isUnreadable, parseChunk } from './parse';
import { PlaceCheck } from './placeCheck';
import { Report } from './report';
import type { PodFact, PodFacts, ServiceFact } from './serviceHints';
import { checkMapped, type TextRules } from './textCheck';
import { reportCut } from './shellCuts';
import { findTexts, mayHoldTexts } from './textWalk';
import type { Tree } from './tree';
import { walkKind } from './walk';

export interface YamlOptions {
  /** With or without folders; tells a kustomization that does not say what it is. */
  readonly fileName?: string;
  /** What a custom resource can be selected by, where its definition was read. */
  readonly fields?: (resource: string) => KnownFields | undefined;
  readonly limits?: Partial<YamlLimits>;
}

export interface YamlLimits {
  /** UTF-16 units of one document, of what of it has to be parsed. */
  readonly document: number;
  /** The same of all documents of a file. */
  readonly file: number;
  readonly findingsOfDocument: number;
  readonly findingsOfFile: number;
}

export const YAML_LIMITS: YamlLimits = {
  document: 2_000_000,
  file: 8_000_000,
  findingsOfDocument: 1_000,
  findingsOfFile: 5_000,
};

export interface ChunkAnalysis {
  readonly findings: readonly Finding[];
  readonly sites: readonly SelectorSite[];
  readonly facts: PodFacts;
}

const ABOUT_LABELS =
  /[lL]abel|[sS]elector|matchExpressions|topologyKey|nodeTopology|nodeAffinity|requirements/;

/** What of a chunk has to be parsed: nothing, where nothing could be found in it. */
export function worthParsing(text: string, { fileName = '' }: YamlOptions): string {
  // A template may write the version with its key.
  const isOne = text.includes('kind') && (text.includes('apiVersion') || text.includes('{{'));
  const isObject = (isOne || isKustomization(fileName)) && ABOUT_LABELS.test(text);
  return (isObject || mayHoldTexts(text)) && !isUnreadable(text) ? headOf(text) : '';
}

/** `head` is what of the text is worth parsing. */
export function analyseChunk(text: string, head: string, options: YamlOptions): ChunkAnalysis {
  const limits = { ...YAML_LIMITS, ...options.limits };
  const nothing = { services: [], pods: [], hasOthers: holdsCustomObjects(text) };
  if (head === '') return { findings: [], sites: [], facts: nothing };
  if (head.length > limits.document) return unchecked(text, TOO_LARGE, nothing);
  const trees = parseChunk(head);
  if (trees === undefined) return unchecked(text, TOO_DEEP, nothing);
  const found = trees.map((tree) => new DocumentCheck(tree, options, limits).run());
  return {
    findings: found.flatMap(({ findings }) => findings),
    sites: found.flatMap(({ sites }) => sites),
    facts: {
      ...nothing,
      services: found.flatMap(({ services }) => services),
      pods: found.flatMap(({ pods }) => pods),
    },
  };
}

const TOO_LARGE = 'This document is too large to be looked at.';
const TOO_DEEP = 'This document is nested too deep to be looked at.';
export const MORE = 'There is more to be found here than is told.';
const TOO_MUCH = 'Aliases make too much of this document; not all of it was looked at.';

function unchecked(text: string, message: string, facts: PodFacts): ChunkAnalysis {
  return { findings: [finding('not-checked', message, firstLine(text))], sites: [], facts };
}

/** The first line that has something on it. */
export function firstLine(text: string): { readonly start: number; readonly end: number } {
  const start = Math.max(0, text.search(/\S/));
  const end = text.indexOf('\n', start);
  return { start, end: end < 0 ? text.length : end };
}

const LONG_BODIED =
  /(?:^|\n)kind:[ \t]*["']?(?:CustomResourceDefinition|ConfigMap|Secret)["']?[ \t\r]*(?:\n|$)/;

/**
 * What of a text has to be parsed: of kinds with a long body that holds no selectors, what comes
 * before the first field behind the metadata.
 */
export function headOf(text: string): string {
  if (!LONG_BODIED.test(text)) return text;
  const metadata = /(?:^|\n)metadata:/.exec(text);
  if (metadata === null) return text;
  const next = /\n[^\s#]/g;
  next.lastIndex = metadata.index + metadata[0].length;
  const found = next.exec(text);
  const head = found === null ? text : text.slice(0, found.index + 1);
  return LONG_BODIED.test(head) ? head : text;
}

/** Objects of groups that are not Kubernetes' own, told by the text alone. */
function holdsCustomObjects(text: string): boolean {
  const versions = text.matchAll(
    /(?:^|\n)[ \t]*(?:- )?["']?apiVersion["']?:[ \t]*["']?([^\s"'#/,]+)\//g,
  );
  for (const [, group = ''] of versions) {
    if (group.includes('.') && !group.endsWith('.k8s.io')) return true;
  }
  return false;
}

class DocumentCheck {
  private readonly report: Report;
  private readonly texts: TextRules;
  private readonly services: ServiceFact[] = [];
  private readonly pods: PodFact[] = [];

  constructor(
    private readonly tree: Tree,
    private readonly options: YamlOptions,
    limits: YamlLimits,
  ) {
    this.report = new Report(tree, limits.findingsOfDocument);
    const { fields } = options;
    this.texts = { fields: (resource) => fields?.(resource) ?? builtInFields(resource) };
  }

  run(): Pick<ChunkAnalysis, 'findings' | 'sites'> & Pick<PodFacts, 'services' | 'pods'> {
    const { tree, report, services, pods } = this;
    for (const object of objectsOf(tree, this.options.fileName)) this.object(object);
    if (mayHoldTexts(tree.text)) {
      findTexts(tree, (found) => {
        if (found.cut === undefined) checkMapped(report, found.mapped, found, this.texts);
        else reportCut(report, found);
      });
    }
    const { sites, isFull } = report;
    const notes = [...(tree.isExhausted ? [TOO_MUCH] : []), ...(isFull ? [MORE] : [])];
    const notChecked = notes.map((text) => finding('not-checked', text, firstLine(tree.text)));
    return { findings: [...report.findings, ...notChecked], sites, services, pods };
  }

  private object(object: KubeObject): void {
    const { report, tree } = this;
    const before = report.sites.length;
    const check = new PlaceCheck(report, object, this.texts, (labels) => {
      this.pods.push({ namespace: object.namespace, labels: labelsOf(labels) });
    });
    walkKind(tree, object.places, object.value, '', (place) => {
      check.check(place);
    });
    if (object.resource !== 'services') return;
    for (const site of report.sites.slice(before)) this.service(object, site);
  }

  private service({ namespace }: KubeObject, site: SelectorSite): void {
    if (site.form !== 'map' || site.selects === undefined) return;
    const selector = new Map(site.requirements.map(({ key, values }) => [key, values[0] ?? '']));
    this.services.push({ namespace, selector, span: site.anchor });
  }
}

function labelsOf({ labels, isWhole }: ReadLabels): Map<string, string> | undefined {
  return isWhole ? new Map(labels.map(({ key, value }) => [key, value])) : undefined;
}
