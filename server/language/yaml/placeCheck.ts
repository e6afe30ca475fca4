/** The places of one object that the table names, each held against its own rules. */
import { isMap, isScalar } from 'yaml';
import { invalid, labelKeyErrors, required, type Span } from '../../kube/selectors';
import { deprecatedKey } from './deprecated';
import { goFieldOf, type KubeObject } from './kubeObject';
import { keyFixes, quoteFix, wrongTypeText } from './labelFixes';
import { readLabels, type ReadLabels } from './labels';
import { checkMatchLabelKeys } from './matchLabelKeys';
import type { Report } from './report';
import { SelectorCheck } from './selectorCheck';
import { emptyMeaning, selectedFrom } from './selectorSite';
import { checkText, type TextRules } from './textCheck';
import { isSubstituted } from './templates';
import { readingOf, type Tree, type Value } from './tree';
import type { Place } from './walk';

export class PlaceCheck {
  private readonly tree: Tree;
  private readonly selectors: SelectorCheck;

  constructor(
    private readonly report: Report,
    private readonly object: KubeObject,
    private readonly texts: TextRules,
    /** Told of the labels that Pods get here. */
    private readonly podLabels: (labels: ReadLabels) => void,
  ) {
    this.tree = report.tree;
    this.selectors = new SelectorCheck(report, object);
  }

  check(place: Place): void {
    const { row, value, path } = place;
    switch (row.form) {
      case 'labels':
        this.labels(place);
        break;
      case 'labelText':
      case 'fieldText':
        this.text(place);
        break;
      case 'key':
        this.key(place, value, path);
        break;
      case 'keys':
        this.tree.items(value).forEach((item, i) => {
          this.key(place, item, `${path}[${i}]`);
        });
        checkMatchLabelKeys(this.report, this.object, place);
        break;
      case 'topology':
        this.topology(place);
        break;
      default:
        this.selectors.check(place);
    }
  }

  private labels(place: Place): void {
    const { row, value, anchor, path } = place;
    const shown = row.options.shown;
    const named = shown === undefined ? path : path.replace(/metadata\.labels$/, shown);
    const rules = this.selectors.labelRules(place, 'ObjectMeta', named);
    const read = readLabels(this.tree, value, rules, this.report);
    if (selectedFrom(this.tree, this.object, place).resource === 'pods') this.podLabels(read);
    if (row.options.isDeprecated === true) {
      this.report.about(anchor, 'deprecated', COMMON_LABELS);
    }
  }

  private text(place: Place): void {
    const { row, value, anchor } = place;
    const kind = row.form === 'fieldText' ? 'field' : 'label';
    const from = selectedFrom(this.tree, this.object, place);
    const empty = emptyMeaning(place);
    checkText(this.report, { kind, value, anchor, from, empty }, this.texts);
  }

  private key(place: Place, value: Value, path: string): void {
    const key = this.textIn(value, path, place.row.options.holder);
    if (key === '') this.emptyKey(value, path);
    if (key === undefined || key === '') return;
    const [message] = labelKeyErrors(key);
    if (message === undefined) deprecatedKey(this.report, place, value, path);
    else if (place.row.options.isUnchecked !== true) {
      this.badKey(value, key, invalid(path, { text: key }, message).message);
    }
  }

  /** Upstream: `validatePodAffinityTerm`, `ValidateTopologyKey`. */
  private emptyKey({ span }: Value, path: string): void {
    if (!path.endsWith('.topologyKey')) return;
    this.report.about(span, 'request', required(path, 'can not be empty').message);
  }

  private badKey({ node, span }: Value, key: string, message: string): void {
    const fixes = isScalar(node) ? keyFixes(this.tree, node, key) : [];
    this.report.about(span, 'label-key', message, fixes);
  }

  /** Kubernetes looks at no more than the keys, and that the values are texts. */
  private topology(place: Place): void {
    const { tree } = this;
    const { value, path } = place;
    const list = isMap(value.node) ? tree.field(value, 'matchLabelExpressions') : undefined;
    if (list === undefined) return;
    tree.items(list).forEach((item, i) => {
      const at = `${path}.matchLabelExpressions[${i}]`;
      const key = tree.field(item, 'key');
      const values = tree.field(item, 'values');
      if (key !== undefined) this.key(place, key, `${at}.key`);
      for (const each of values === undefined ? [] : tree.items(values)) {
        this.textIn(each, `${at}.values`, place.row.options.holder);
      }
    });
  }

  /** The text there; undefined, with a finding where that is certain, where there is none. */
  private textIn({ node, span }: Value, path: string, holder?: string): string | undefined {
    const read = readingOf(node);
    if (read === undefined || read.as === 'unknown' || this.isOpen(span)) return undefined;
    if (read.as === 'null') return '';
    if (read.as === 'string') return isSubstituted(read.text) ? undefined : read.text;
    const written = this.tree.mapped(node)?.text ?? '';
    const text = wrongTypeText(written, read, goFieldOf(this.object, path, holder));
    this.report.about(span, 'not-a-string', text, quoteFix(this.tree, node));
    return undefined;
  }

  private isOpen(span: Span): boolean {
    return this.tree.touchesTemplate(span);
  }
}

/** Upstream: `sigs.k8s.io/kustomize/api/types/kustomization.go`. */
const COMMON_LABELS =
  "'commonLabels' is deprecated. Please use 'labels' instead. Run 'kustomize edit fix' to update your Kustomization automatically.";
