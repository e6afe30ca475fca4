/** Lists of requirements: `matchExpressions`, `matchFields` and their like. */
import { isMap, isScalar, isSeq } from 'yaml';
import {
  labelValueErrors,
  parseInt64,
  type FieldError,
  type LabelSelectorExpression,
  type Span,
} from '../../kube/selectors';
import type { FindingCode, Fix } from '../findings';
import type { SitePart, SiteRequirement } from '../model';
import { contradictionText } from '../selectors/together';
import { withParts } from '../selectors/requirements';
import { keyFixes, quoteFix, replacement, valueFixes, wrongTypeText } from './labelFixes';
import {
  asTextRequirement,
  meantOperators,
  NODE_FIELDS,
  requirementFaults,
  type RequirementKind,
} from './operators';
import type { Report } from './report';
import { scalarPart } from './scalarPart';
import { isSubstituted } from './templates';
import { readingOf, type Content, type Tree, type Value } from './tree';

export interface ExpressionRules {
  readonly kind: RequirementKind;
  /** Of the list. */
  readonly path: string;
  /** How the decoder calls the list's items, such as `LabelSelectorRequirement.spec.selector.matchExpressions`. */
  readonly goField: string | undefined;
  readonly hasWildcards: boolean;
  /** Nobody refuses what is wrong with them. */
  readonly isUnchecked: boolean;
  /** The same for their values alone. */
  readonly isLenient: boolean;
}

export interface WrittenExpression {
  readonly value: Value;
  /** As it is written; undefined where a part cannot be told. */
  readonly expression: LabelSelectorExpression | undefined;
  /** Undefined where it is not valid either. */
  readonly requirement: SiteRequirement | undefined;
}

export function readExpressions(
  report: Report,
  list: Value,
  rules: ExpressionRules,
): WrittenExpression[] {
  return report.tree
    .items(list)
    .map((value, i) => new ExpressionReader(report, value, rules, `${rules.path}[${i}]`).read());
}

/** A text of which it is certain where it stands and that nothing else replaces it. */
interface Part {
  readonly text: string;
  readonly node: Content;
  readonly span: Span;
  /** It stands in this place itself. */
  readonly isDirect: boolean;
}

/** `open` where something else decides what stands there in the end. */
type Field = Part | 'absent' | 'open';

const NOTHING: LabelSelectorExpression = { key: '', operator: '', values: null };

class ExpressionReader {
  private readonly tree: Tree;
  private readonly key: Field;
  private readonly operator: Field;
  private readonly values: readonly Field[] | 'absent' | 'open';

  constructor(
    private readonly report: Report,
    private readonly value: Value,
    private readonly rules: ExpressionRules,
    private readonly path: string,
  ) {
    this.tree = report.tree;
    this.key = this.field('key');
    this.operator = this.field('operator');
    this.values = this.list();
  }

  read(): WrittenExpression {
    const { value } = this;
    if (!isMap(value.node)) return { value, expression: undefined, requirement: undefined };
    const isWhole = this.tree.isCertain(value);
    const expression = this.expression();
    const faults = requirementFaults(this.rules.kind, this.asFarAsKnown(), this.path);
    for (const fault of faults) this.tell(fault, isWhole);
    const isValid = isWhole && expression !== undefined && faults.length === 0;
    return {
      value,
      expression: isWhole ? expression : undefined,
      requirement: isValid ? this.requirement(expression) : undefined,
    };
  }

  private field(name: 'key' | 'operator'): Field {
    const entry = this.tree.field(this.value, name);
    return entry === undefined ? 'absent' : this.part(entry, name);
  }

  private list(): readonly Field[] | 'absent' | 'open' {
    const entry = this.tree.field(this.value, 'values');
    if (entry === undefined || readingOf(entry.node)?.as === 'null') return 'absent';
    if (!isSeq(entry.node) || !this.tree.isCertain(entry)) return 'open';
    return this.tree.items(entry).map((item) => this.part(item, 'values'));
  }

  private part(value: Value, name: string): Field {
    const { node, span, isDirect } = value;
    const read = readingOf(node);
    if (read === undefined || node === undefined || read.as === 'unknown') return 'open';
    if (this.tree.touchesTemplate(span)) return 'open';
    if (read.as === 'null') return { text: '', node, span, isDirect };
    if (read.as === 'string')
      return isSubstituted(read.text) ? 'open' : { text: read.text, node, span, isDirect };
    const written = isScalar(node) ? String(node.value) : '';
    const { goField } = this.rules;
    const goType = name === 'operator' ? this.operatorType() : 'string';
    const text = wrongTypeText(written, read, goField && `${goField}.${name}`, goType);
    this.report.about(span, 'not-a-string', text, quoteFix(this.tree, node));
    return 'open';
  }

  private operatorType(): string {
    return this.rules.kind === 'label' ? 'v1.LabelSelectorOperator' : 'v1.NodeSelectorOperator';
  }

  private expression(): LabelSelectorExpression | undefined {
    const { key, operator, values } = this;
    if (key === 'open' || operator === 'open' || values === 'open') return undefined;
    if (values !== 'absent' && values.includes('open')) return undefined;
    return this.asFarAsKnown();
  }

  /** What is open is empty in it. */
  private asFarAsKnown(): LabelSelectorExpression {
    const { key, operator, values } = this;
    return {
      key: textOr(key),
      operator: textOr(operator),
      values: typeof values === 'string' ? NOTHING.values : values.map(textOr),
    };
  }

  /** Only a fault that is one for sure. */
  private tell(fault: FieldError, isWhole: boolean): void {
    const about = fault.field.slice(this.path.length + 1);
    if (about === 'values') {
      this.tellCount(fault, isWhole);
      return;
    }
    const [name, field] = this.fieldNamed(about);
    if (field === 'open' || (field === 'absent' && !isWhole)) return;
    if (this.isPattern(field)) return;
    const span = field === 'absent' ? this.head() : field.span;
    const isLenient = this.rules.isLenient && name === 'value' && field !== 'absent';
    const message = isLenient ? warningText(fault.field, field.text) : fault.message;
    const code = isLenient || this.rules.isUnchecked ? 'contradiction' : CODES[name];
    this.report.about(span, code, message, this.fixes(name, field));
  }

  private tellCount(fault: FieldError, isWhole: boolean): void {
    const { operator, values } = this;
    if (!isWhole || typeof operator === 'string' || values === 'open') return;
    const entry = this.tree.field(this.value, 'values');
    const span = entry === undefined ? operator.span : entry.keySpan;
    const code = this.rules.isUnchecked ? 'contradiction' : 'values';
    this.report.about(span, code, fault.message);
  }

  private fieldNamed(about: string): readonly [keyof typeof CODES, Field] {
    if (about === 'key') return ['key', this.key];
    if (about === 'operator') return ['operator', this.operator];
    const index = Number(/\d+/.exec(about)?.[0]);
    const field = typeof this.values === 'string' ? 'open' : (this.values[index] ?? 'open');
    return ['value', field];
  }

  private fixes(name: keyof typeof CODES, field: Field): Fix[] {
    if (typeof field === 'string') return [];
    const { tree, rules } = this;
    const { node, text } = field;
    if (name === 'key') {
      if (rules.kind === 'nodeField') return fieldFixes(tree, node);
      return isScalar(node) ? keyFixes(tree, node, text) : [];
    }
    if (name === 'value') return valueFixes(tree, node, text);
    return meantOperators(rules.kind, text)
      .flatMap((operator) => replacement(tree, node, `Change to ${operator}`, operator))
      .map((fix, i) => ({ ...fix, preferred: i === 0 }));
  }

  private isPattern(field: Field): boolean {
    return this.rules.hasWildcards && typeof field !== 'string' && /[*?]/.test(field.text);
  }

  /** The first line of what is written. */
  private head(): Span {
    const { start, end } = this.value.span;
    // No further than the value, since all of a document may stand on one line.
    const line = this.tree.text.slice(start, end).indexOf('\n');
    return { start, end: line < 0 ? end : start + line };
  }

  private requirement(expression: LabelSelectorExpression): SiteRequirement | undefined {
    const { value, rules } = this;
    const { key } = expression;
    if (this.isUnreachable(expression)) return undefined;
    const asText = asTextRequirement(expression);
    const kind = rules.kind === 'nodeField' ? 'field' : 'label';
    return asText && this.withParts({ kind, span: value.span, key, ...asText });
  }

  /** The values' places where they are written as they are asked for. */
  private withParts(requirement: SiteRequirement): SiteRequirement {
    const written = typeof this.values === 'string' ? [] : this.values;
    const isSame = requirement.values.every((text, i) => text === textOr(written[i] ?? 'absent'));
    const parts = written.flatMap((field) => this.partOf(field) ?? []);
    return withParts(requirement, this.partOf(this.key), isSame ? parts : []);
  }

  private partOf(field: Field): SitePart | undefined {
    return typeof field === 'string' ? undefined : scalarPart(this.tree, field.node, field);
  }

  /** A bound that is no number is accepted, and met by nothing. */
  private isUnreachable({ key, operator, values }: LabelSelectorExpression): boolean {
    if (!/^[GL]te?$/.test(operator) || parseInt64(values?.[0] ?? '') !== undefined) return false;
    const field = typeof this.values === 'string' ? undefined : this.values[0];
    if (field === undefined || typeof field === 'string') return true;
    const text = contradictionText({ key, why: 'the value is no whole number' }, 'label');
    this.report.about(field.span, 'contradiction', text);
    return true;
  }
}

const CODES = {
  key: 'label-key',
  operator: 'operator',
  value: 'label-value',
} as const satisfies Record<string, FindingCode>;

/** Upstream: `GetWarningsForNodeSelectorTerm` (`k8s.io/kubernetes/pkg/api/node/util.go`). */
function warningText(field: string, value: string): string {
  return `${field}: ${value} is invalid, ${labelValueErrors(value)[0] ?? ''}`;
}

function fieldFixes(tree: Tree, node: Content): Fix[] {
  return NODE_FIELDS.flatMap(({ text }) => replacement(tree, node, `Change to ${text}`, text));
}

function textOr(field: Field): string {
  return typeof field === 'string' ? '' : field.text;
}
