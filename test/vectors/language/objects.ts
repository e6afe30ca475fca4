/** Every way in which a selector can be written as an object, with the place of each of its parts. */
import type { ExpressionColumns, ObjectColumns } from './objectColumns';
import { yamlDouble, yamlEscaped, yamlPlain, yamlSingle } from './encodings';
import { Unwritten, type Encoding } from './pieces';
import type { Span } from '../../../server/kube/selectors';

export type PartRole = 'label key' | 'label value' | 'key' | 'operator' | 'values' | 'value';

/** Of an expression or a value in one, `index` and `item` say which. */
export interface Part {
  readonly role: PartRole;
  readonly index: number;
  readonly item: number;
  readonly text: string;
  /** Quotes included. */
  readonly span: Span;
}

export interface WrittenObject {
  readonly text: string;
  readonly parts: readonly Part[];
}

export interface ObjectForm {
  readonly name: string;
  /** How upstream calls what a case calls `spec.selector.matchLabels` and `….matchExpressions`. */
  readonly labelsPath: string;
  readonly expressionsPath: string;
  /** Operators that nobody knows are let through. */
  readonly allowsUnknownOperator: boolean;
  write(object: ObjectColumns | null): WrittenObject | Unwritten;
}

const LONG_KEY = new Unwritten('a key stands in one line');

class Writer {
  text = '';
  readonly parts: Part[] = [];
  problem: Unwritten | undefined;

  constructor(private readonly encoding: Encoding) {}

  put(text: string): void {
    this.text += text;
  }

  part(role: PartRole, text: string, index = 0, item = 0): void {
    const encoded = role === 'values' ? { text } : this.encoding(text);
    if (encoded instanceof Unwritten) {
      this.problem ??= encoded;
      return;
    }
    if (role === 'label key' && encoded.text.includes('\n')) this.problem ??= LONG_KEY;
    const start = this.text.length;
    this.put(encoded.text);
    this.parts.push({ role, index, item, text, span: { start, end: this.text.length } });
  }
}

type Layout = (writer: Writer, object: ObjectColumns | null) => Unwritten | undefined;

function form(
  name: string,
  encoding: Encoding,
  layout: Layout,
  more: Partial<ObjectForm> = {},
): ObjectForm {
  return {
    name,
    labelsPath: 'spec.selector.matchLabels',
    expressionsPath: 'spec.selector.matchExpressions',
    allowsUnknownOperator: false,
    ...more,
    write(object) {
      const writer = new Writer(encoding);
      const refused = layout(writer, object) ?? writer.problem;
      return refused ?? { text: writer.text, parts: writer.parts };
    },
  };
}

const BUDGET = 'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: a\nspec:\n';

function block(writer: Writer, object: ObjectColumns | null): undefined {
  const { matchLabels = null, matchExpressions = null } = object ?? {};
  const isEmpty = object !== null && matchLabels === null && matchExpressions === null;
  writer.put(`${BUDGET}  selector:${isEmpty ? ' {}' : ''}\n`);
  if (matchLabels !== null) {
    writer.put(matchLabels.size === 0 ? '    matchLabels: {}\n' : '    matchLabels:\n');
    blockLabels(writer, matchLabels, '      ');
  }
  if (matchExpressions !== null) {
    writer.put('    matchExpressions:');
    blockExpressions(writer, matchExpressions, '    ');
  }
}

function blockLabels(writer: Writer, labels: ReadonlyMap<string, string>, indent: string): void {
  for (const [key, value] of labels) {
    writer.put(indent);
    writer.part('label key', key);
    writer.put(': ');
    writer.part('label value', value);
    writer.put('\n');
  }
}

function blockExpressions(
  writer: Writer,
  expressions: readonly ExpressionColumns[],
  indent: string,
): void {
  writer.put(expressions.length === 0 ? ' []\n' : '\n');
  expressions.forEach(({ key, operator, values }, i) => {
    writer.put(`${indent}- key: `);
    writer.part('key', key, i);
    writer.put(`\n${indent}  operator: `);
    writer.part('operator', operator, i);
    writer.put('\n');
    if (values === null) return;
    writer.put(`${indent}  `);
    writer.part('values', 'values', i);
    writer.put(values.length === 0 ? ': []\n' : ':\n');
    values.forEach((value, item) => {
      writer.put(`${indent}  - `);
      writer.part('value', value, i, item);
      writer.put('\n');
    });
  });
}

/** One line of JSON. */
function flow(writer: Writer, object: ObjectColumns | null): undefined {
  writer.put('{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "spec": {"selector": ');
  if (object === null) writer.put('null');
  else flowObject(writer, object);
  writer.put('}}\n');
}

function flowObject(writer: Writer, { matchLabels, matchExpressions }: ObjectColumns): void {
  writer.put('{');
  if (matchLabels !== null) {
    writer.put('"matchLabels": {');
    flowLabels(writer, matchLabels);
    writer.put(matchExpressions === null ? '}' : '}, ');
  }
  if (matchExpressions !== null) {
    writer.put('"matchExpressions": [');
    matchExpressions.forEach((each, i) => {
      writer.put(i === 0 ? '{' : ', {');
      flowExpression(writer, each, i);
      writer.put('}');
    });
    writer.put(']');
  }
  writer.put('}');
}

function flowLabels(writer: Writer, labels: ReadonlyMap<string, string>): void {
  for (const [i, [key, value]] of [...labels].entries()) {
    writer.put(i === 0 ? '' : ', ');
    writer.part('label key', key);
    writer.put(': ');
    writer.part('label value', value);
  }
}

function flowExpression(
  writer: Writer,
  { key, operator, values }: ExpressionColumns,
  index: number,
): void {
  writer.put('"key": ');
  writer.part('key', key, index);
  writer.put(', "operator": ');
  writer.part('operator', operator, index);
  if (values === null) return;
  writer.put(', ');
  writer.part('values', '"values"', index);
  writer.put(': [');
  values.forEach((value, item) => {
    writer.put(item === 0 ? '' : ', ');
    writer.part('value', value, index, item);
  });
  writer.put(']');
}

const ONLY_LABELS = new Unwritten('this is a map of labels');
const ONLY_EXPRESSIONS = new Unwritten('this is a list of expressions');

/** The selector of a Service. */
function map(writer: Writer, object: ObjectColumns | null): Unwritten | undefined {
  const { matchLabels = null, matchExpressions = null } = object ?? {};
  if (matchLabels === null || matchExpressions !== null) return ONLY_LABELS;
  writer.put('apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: web}\nspec:\n');
  writer.put(matchLabels.size === 0 ? '  selector: {}\n' : '  selector:\n');
  blockLabels(writer, matchLabels, '    ');
  return undefined;
}

/** The requirements of an access review. */
function review(writer: Writer, object: ObjectColumns | null): Unwritten | undefined {
  const { matchLabels = null, matchExpressions = null } = object ?? {};
  if (matchExpressions === null || matchLabels !== null) return ONLY_EXPRESSIONS;
  writer.put('apiVersion: authorization.k8s.io/v1\nkind: SubjectAccessReview\nspec:\n');
  writer.put('  resourceAttributes:\n    labelSelector:\n      requirements:');
  blockExpressions(writer, matchExpressions, '      ');
  return undefined;
}

const plain: Encoding = (text) => {
  const encoded = yamlPlain(0)(text);
  return encoded instanceof Unwritten ? yamlDouble(text) : encoded;
};

const asMap = { labelsPath: 'spec.selector' };
const asReview = {
  expressionsPath: 'spec.resourceAttributes.labelSelector.requirements',
  allowsUnknownOperator: true,
};

export const OBJECT_FORMS: readonly ObjectForm[] = [
  form('matchLabels and matchExpressions, plain', plain, block),
  form('matchLabels and matchExpressions, single quotes', yamlSingle(4), block),
  form('matchLabels and matchExpressions, double quotes', yamlDouble, block),
  form('matchLabels and matchExpressions, all escaped', yamlEscaped, block),
  form('matchLabels and matchExpressions in JSON', yamlDouble, flow),
  form('selector of a Service, plain', plain, map, asMap),
  form('selector of a Service, double quotes', yamlDouble, map, asMap),
  form('requirements of an access review, plain', plain, review, asReview),
  form('requirements of an access review, all escaped', yamlEscaped, review, asReview),
];
