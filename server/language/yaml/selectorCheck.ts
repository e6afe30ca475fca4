/** Selectors in objects: read, held against Kubernetes' rules, and made sites of. */
import { isMap, isSeq } from 'yaml';
import { invalid, missingNodeTerms } from '../../kube/selectors';
import type { SelectorSite, SiteRequirement } from '../model';
import { contradictions, duplicates } from '../selectors/meaning';
import { contradictionText, DUPLICATE } from '../selectors/together';
import { withoutItem } from './blockLines';
import { deprecatedExpressions, deprecatedLabels } from './deprecated';
import { readExpressions, type WrittenExpression } from './expressions';
import type { RequirementKind } from './operators';
import { checkGenerated } from './jobSelector';
import { goFieldOf, type KubeObject } from './kubeObject';
import { equality, readLabels, type LabelRules, type WrittenLabel } from './labels';
import type { Report } from './report';
import {
  emptyMeaning,
  selectedFrom,
  alternatives,
  siteSpan,
  type ReadSelector,
} from './selectorSite';
import { checkTemplate } from './templateLabels';
import { readingOf, type Tree, type Value } from './tree';
import { tellUnknown, unknownFields } from './unknownFields';
import type { Place } from './walk';

export class SelectorCheck {
  private readonly tree: Tree;

  constructor(
    private readonly report: Report,
    private readonly object: KubeObject,
  ) {
    this.tree = report.tree;
  }

  check(place: Place): void {
    const { node } = place.value;
    switch (place.row.form) {
      case 'object':
        if (isObject(place.value)) this.whole(place, this.selectorObject(place));
        break;
      case 'map':
        if (isObject(place.value)) this.whole(place, this.selectorMap(place));
        break;
      case 'requirements':
        if (isSeq(node)) this.whole(place, this.requirementList(place));
        break;
      case 'nodes':
        this.nodes(place);
        break;
      case 'term':
        if (isMap(node)) this.terms(place, [place.value], [place.path]);
        break;
      default:
        break;
    }
  }

  /** Rules for the labels of a map, whose field is called `path` by upstream. */
  labelRules({ row, path }: Place, holder: string | undefined, shown = path): LabelRules {
    const { isTyped = false, hasWildcards = false, isUnchecked = false } = row.options;
    const goField = goFieldOf(this.object, path, holder);
    return { isTyped, hasWildcards, isUnchecked, path: shown, goField };
  }

  private selectorMap(place: Place): ReadSelector {
    const rules = this.labelRules(place, place.row.options.holder);
    const read = readLabels(this.tree, place.value, rules, this.report);
    const { labels } = read;
    deprecatedLabels(this.report, place, labels);
    const isValid = labels.every(isValidLabel);
    return {
      requirements: this.equalities(labels),
      labels,
      expressions: [],
      isWhole: read.isWhole && isValid,
      isSound: read.unread !== undefined && isValid,
    };
  }

  private selectorObject(place: Place): ReadSelector {
    const { tree, report } = this;
    const matchLabels = tree.field(place.value, 'matchLabels');
    const at = { ...place, path: `${place.path}.matchLabels` };
    const read =
      matchLabels && readLabels(tree, matchLabels, this.labelRules(at, 'LabelSelector'), report);
    const list = tree.field(place.value, 'matchExpressions');
    const expressions = this.expressions(place, list, 'label');
    const { labels = [], isWhole = true } = read ?? {};
    deprecatedLabels(report, at, labels);
    const unknown = unknownFields(tree, place.value);
    if (this.object.isBuiltIn) tellUnknown(report, place, unknown);
    const isValid =
      unknown.length === 0 &&
      labels.every(isValidLabel) &&
      isWholeList(tree, list, expressions) &&
      tree.isCertain(place.value);
    return {
      requirements: [...this.equalities(labels), ...requirementsOf(expressions)],
      labels,
      expressions: expressions.flatMap(({ expression }) => expression ?? []),
      isWhole: isWhole && isValid,
      isSound: (read === undefined || read.unread !== undefined) && isValid,
    };
  }

  private equalities(labels: readonly WrittenLabel[]): SiteRequirement[] {
    return labels.filter(isValidLabel).map((label) => equality(this.tree, label));
  }

  private requirementList(place: Place): ReadSelector {
    const kind = place.row.options.operators ?? 'label';
    const { value } = place;
    const expressions = this.expressions(place, value, kind, place.path);
    const isWhole = isWholeList(this.tree, value, expressions);
    return {
      requirements: requirementsOf(expressions),
      labels: [],
      expressions: expressions.flatMap(({ expression }) => expression ?? []),
      isWhole,
      isSound: isWhole,
    };
  }

  private expressions(
    place: Place,
    list: Value | undefined,
    kind: RequirementKind,
    path = `${place.path}.matchExpressions`,
  ): WrittenExpression[] {
    if (list === undefined) return [];
    const holder = kind === 'label' ? 'LabelSelectorRequirement' : 'NodeSelectorRequirement';
    const goField = goFieldOf(this.object, path, holder);
    const { hasWildcards = false, isUnchecked = false, isLenient = false } = place.row.options;
    const rules = { kind, path, goField, hasWildcards, isUnchecked, isLenient };
    deprecatedExpressions(this.report, place, list, path);
    return readExpressions(this.report, list, rules);
  }

  /** What a selector's requirements say together. */
  private whole(place: Place, read: ReadSelector): void {
    const { report, object } = this;
    const { value, row } = place;
    this.together(value, read.requirements);
    const isEmpty = read.requirements.length === 0 && read.isWhole;
    if (isEmpty) this.empty(place);
    else checkTemplate(report, object, place, read);
    checkGenerated(report, place, read);
    const form = row.form === 'map' ? 'map' : row.form === 'requirements' ? 'terms' : 'object';
    this.site(place, form, [read], alternatives([read], emptyMeaning(place)));
  }

  private site(
    place: Place,
    form: SelectorSite['form'],
    read: readonly Pick<ReadSelector, 'requirements' | 'isWhole'>[],
    selects: SelectorSite['selects'],
  ): void {
    this.report.site({
      form,
      span: siteSpan(place),
      anchor: place.anchor,
      from: selectedFrom(this.tree, this.object, place),
      requirements: read.flatMap(({ requirements }) => requirements),
      selects,
      isWhole: read.every(({ isWhole }) => isWhole),
      empty: emptyMeaning(place),
    });
  }

  private together(value: Value, requirements: readonly SiteRequirement[]): void {
    if (requirements.length < 2) return;
    for (const kind of ['label', 'field'] as const) {
      const own = requirements.filter((each) => each.kind === kind);
      if (own.length > 1 || kind === 'label') this.ofKind(value, own, kind);
    }
  }

  private ofKind(
    value: Value,
    requirements: readonly SiteRequirement[],
    kind: SiteRequirement['kind'],
  ): void {
    const { report } = this;
    for (const each of contradictions(requirements)) {
      const message = contradictionText(each, kind);
      report.aboutAll([value], each.at.span, 'contradiction', message);
    }
    for (const { span } of duplicates(requirements)) {
      const edit = withoutItem(this.tree.text, span);
      const fixes =
        edit === undefined ? [] : [{ title: 'Remove it', edits: [edit], preferred: true }];
      report.aboutAll([value], span, 'duplicate-requirement', DUPLICATE, fixes);
    }
  }

  private empty(place: Place): void {
    const { row, value, path } = place;
    const isNull = readingOf(value.node)?.as === 'null';
    if (isNull || !isMap(value.node)) return;
    const { refusal, isSurprising } = row.options;
    const span = siteSpan(place);
    if (refusal !== undefined) {
      const detail = `empty selector is invalid for ${refusal}`;
      this.report.aboutAll([value], span, 'request', invalid(path, { json: '{}' }, detail).message);
    } else if (isSurprising === true && row.empty !== 'unknown') {
      this.report.aboutAll([value], span, 'empty-selector', emptyText(place));
    }
  }

  private nodes(place: Place): void {
    const { tree, report } = this;
    if (!isMap(place.value.node)) return;
    const list = tree.field(place.value, 'nodeSelectorTerms');
    if (list === undefined || isNothing(list)) {
      const span =
        list === undefined
          ? place.anchor
          : siteSpan({ ...place, anchor: list.keySpan, value: list });
      report.aboutAll([place.value], span, 'values', missingNodeTerms(place.path).message);
    }
    if (list === undefined) return;
    const items = tree.items(list);
    const paths = items.map((_, i) => `${place.path}.nodeSelectorTerms[${i}]`);
    this.terms(place, items, paths);
  }

  private terms(place: Place, terms: readonly Value[], paths: readonly string[]): void {
    const read = terms.map((term, i) => this.term(place, term, paths[i] ?? place.path));
    // A term of several that asks for nothing matches no node; one that stands alone all of them.
    const selects = alternatives(read, place.row.form === 'term' ? place.row.empty : 'none');
    this.site(place, 'terms', read, selects);
  }

  private term(
    place: Place,
    term: Value,
    path: string,
  ): Pick<ReadSelector, 'requirements' | 'isWhole'> {
    const { tree } = this;
    const labels = tree.field(term, 'matchExpressions');
    const fields = tree.field(term, 'matchFields');
    const byLabel = this.expressions(place, labels, 'node', `${path}.matchExpressions`);
    const byField = this.expressions(place, fields, 'nodeField', `${path}.matchFields`);
    const requirements = [...requirementsOf(byLabel), ...requirementsOf(byField)];
    this.together(term, requirements);
    const isWhole =
      isWholeList(tree, labels, byLabel) &&
      isWholeList(tree, fields, byField) &&
      tree.isCertain(term);
    return { requirements, isWhole };
  }
}

/** A map, or nothing where one may stand; anything else is for a schema to complain about. */
function isObject({ node }: Value): boolean {
  return isMap(node) || readingOf(node)?.as === 'null';
}

/** No item, or nothing at all. */
function isNothing({ node }: Value): boolean {
  return isSeq(node) ? node.items.length === 0 : readingOf(node)?.as === 'null';
}

function isValidLabel(label: WrittenLabel): boolean {
  return label.isValid;
}

function requirementsOf(expressions: readonly WrittenExpression[]): SiteRequirement[] {
  return expressions.flatMap(({ requirement }) => requirement ?? []);
}

function isWholeList(
  tree: Tree,
  list: Value | undefined,
  expressions: readonly WrittenExpression[],
): boolean {
  if (list === undefined || readingOf(list.node)?.as === 'null') return true;
  if (!isSeq(list.node) || !tree.isCertain(list)) return false;
  return expressions.every(({ requirement }) => requirement !== undefined);
}

function emptyText({ row }: Place): string {
  const { resource = 'objects', isInOwnNamespace, empty } = row;
  const name = resource.split('.')[0] ?? resource;
  if (empty === 'none') return `An empty selector selects no ${name} here.`;
  const where = isInOwnNamespace ? ' in its namespace' : '';
  return `An empty selector selects all ${name}${where} here.`;
}
