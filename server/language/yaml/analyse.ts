/** One chunk of a stream of YAML, gone over. Offsets are the chunk's own. */
import type { Span } from '../../kube/selectors';
import { finding, type Finding, type Untold } from '../findings';
import type { Checkpoint, SelectorSite } from '../model';
import { builtInFields, type KnownFields } from '../selectors/knownFields';
import { addedUp } from '../told';
import { isKustomization, objectsOf, type KubeObject } from './kubeObject';
import type { ReadLabels } from './labels';
import {
  CONTROL_CHARACTER,
  DOCUMENT_TOO_LARGE,
  TOO_DEEP,
  TOO_MUCH,
  YAML_LIMITS,
  type YamlLimits,
} from './limits';
import { controlIn, treesOf } from './parse';
import { PlaceCheck } from './placeCheck';
import { Report } from './report';
import { ANY_POD, type PodFact, type PodFacts, type ServiceFact } from './serviceHints';
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
  readonly checkpoint?: Checkpoint;
}

export interface ChunkAnalysis {
  readonly findings: readonly Finding[];
  readonly untold: Untold;
  readonly sites: readonly SelectorSite[];
  readonly facts: PodFacts;
  /** Values that were reached through aliases. */
  readonly aliased: number;
}

const ABOUT_LABELS =
  /[lL]abel|[sS]elector|matchExpressions|topologyKey|nodeTopology|nodeAffinity|requirements/;

/** What of a chunk has to be parsed: nothing, where nothing could be found in it. */
export function worthParsing(text: string, { fileName = '' }: YamlOptions): string {
  // A template may write the version with its key.
  const isOne = text.includes('kind') && (text.includes('apiVersion') || text.includes('{{'));
  const isObject = (isOne || isKustomization(fileName)) && ABOUT_LABELS.test(text);
  return isObject || mayHoldTexts(text) ? headOf(text) : '';
}

/** `head` is what of the text is worth parsing. */
export function analyseChunk(text: string, head: string, options: YamlOptions): ChunkAnalysis {
  const limits = { ...YAML_LIMITS, ...options.limits };
  const control = controlIn(text);
  if (control >= 0) {
    return unchecked(CONTROL_CHARACTER, { start: control, end: control + 1 });
  }
  if (head.length > limits.document) return unchecked(DOCUMENT_TOO_LARGE, firstLine(text));
  const trees = treesOf(head, options.checkpoint);
  if (typeof trees === 'string') {
    return unchecked(trees === 'too deep' ? TOO_DEEP : DOCUMENT_TOO_LARGE, firstLine(text));
  }
  // All of them are within the same text.
  const holdsTexts = mayHoldTexts(trees[0]?.text ?? '');
  const found = trees.map((tree) => new DocumentCheck(tree, options, limits).run(holdsTexts));
  return {
    findings: found.flatMap(({ findings }) => findings),
    untold: addedUp(found.map(({ untold }) => untold)),
    sites: found.flatMap(({ sites }) => sites),
    facts: {
      services: found.flatMap(({ services }) => services),
      pods: found.flatMap(({ pods }) => pods),
    },
    aliased: trees.reduce((sum, { aliasedValues }) => sum + aliasedValues, 0),
  };
}

function unchecked(message: string, span: Span): ChunkAnalysis {
  const facts = { services: [], pods: [ANY_POD] };
  return {
    findings: [finding('not-checked', message, span)],
    untold: {},
    sites: [],
    facts,
    aliased: 0,
  };
}

/** The first line that has something on it. */
export function firstLine(text: string): Span {
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
export function holdsCustomObjects(text: string): boolean {
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

  run(holdsTexts: boolean): Pick<ChunkAnalysis, 'findings' | 'untold' | 'sites'> & PodFacts {
    const { tree, report, services, pods } = this;
    for (const object of objectsOf(tree, this.options.fileName)) this.object(object);
    if (holdsTexts) {
      findTexts(
        tree,
        (found) => {
          if (found.cut === undefined) checkMapped(report, found.mapped, found, this.texts);
          else reportCut(report, found);
        },
        (span, message) => {
          report.unseen(span, message);
        },
      );
    }
    const { findings, untold, sites } = report;
    if (tree.isExhausted || tree.soundUntil < tree.text.length) pods.push(ANY_POD);
    if (tree.isExhausted) findings.push(finding('not-checked', TOO_MUCH, firstLine(tree.text)));
    return { findings, untold, sites, services, pods };
  }

  private object(object: KubeObject): void {
    const { report, tree } = this;
    const before = report.sites.length;
    const check = new PlaceCheck(report, object, this.texts, (labels) => {
      this.pods.push({ ...namespaceOf(object), labels: labelsOf(labels) });
    });
    walkKind(tree, object.places, object.value, '', (place) => {
      check.check(place);
    });
    if (object.resource !== 'services') return;
    for (const site of report.sites.slice(before)) this.service(object, site);
  }

  private service(object: KubeObject, site: SelectorSite): void {
    if (site.form !== 'map' || site.selects === undefined) return;
    const selector = new Map(site.requirements.map(({ key, values }) => [key, values[0] ?? '']));
    this.services.push({ ...namespaceOf(object), selector, span: site.anchor });
  }
}

function namespaceOf({ namespace, isNamespaceOpen }: KubeObject) {
  return { namespace, isNamespaceOpen };
}

function labelsOf({ labels, isWhole }: ReadLabels): Map<string, string> | undefined {
  return isWhole ? new Map(labels.map(({ key, value }) => [key, value])) : undefined;
}
