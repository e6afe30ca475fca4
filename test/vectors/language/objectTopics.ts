/** Topics of selectors that are objects, through every form of one. */
import { goQuote } from '../../../server/common/goText';
import type { Span } from '../../../server/kube/selectors';
import { FINDINGS } from '../../../server/language/findings';
import type { SelectorSite } from '../../../server/language/model';
import { flag, has, list, text, textMap, texts } from '../read';
import type { Columns, VectorCase } from '../harness';
import { openedIn } from './look';
import {
  expressionsObject,
  labelsObject,
  objectIn,
  type ExpressionColumns,
  type ObjectColumns,
} from './objectColumns';
import { OBJECT_FORMS, type ObjectForm, type Part, type WrittenObject } from './objects';
import { Unwritten } from './pieces';
import { isMatched } from './textTopics';
import type { Answer, LanguageTopic } from './topic';

interface Told {
  readonly message: string;
  readonly at: Span;
}

interface SeenObject {
  /** In the order of their places. */
  readonly errors: readonly Told[];
  readonly site: SelectorSite;
  readonly written: WrittenObject;
}

type SeeObject = (object: ObjectColumns | null) => SeenObject | Unwritten;

function ofObjects(
  topic: string,
  answer: (vector: VectorCase, see: SeeObject, form: ObjectForm) => Answer,
  isFor: (name: string) => boolean = () => true,
): LanguageTopic {
  return {
    topic,
    forms: OBJECT_FORMS.map(({ name }) => name).filter(isFor),
    answer(vector, name) {
      const form = OBJECT_FORMS.find((each) => each.name === name)!;
      return answer(vector, (object) => look(form, object), form);
    },
  };
}

function look(form: ObjectForm, object: ObjectColumns | null): SeenObject | Unwritten {
  const written = form.write(object);
  if (written instanceof Unwritten) return written;
  const { findings, sites } = openedIn({ uri: 'a.yaml' }, written.text).analysis();
  const [site, ...more] = sites;
  if (site === undefined || more.length > 0) throw new Error(`${sites.length} selectors`);
  const errors = findings
    .filter(({ code }) => FINDINGS[code].severity === 'error')
    .map(({ message, span }) => ({ message, at: span }));
  return { errors, site, written };
}

/** Not a map of labels alone. */
const hasExpressions = (name: string): boolean => !name.includes('Service');
/** Not a list of expressions alone. */
const hasLabels = (name: string): boolean => !name.includes('review');

const NO_OBJECT = new Unwritten('it is no object');

const labelSelectorObject = ofObjects('label-selector-object', (vector, see, form) => {
  const { input, expect } = vector;
  const call = text(input, 'call');
  if (call === 'asMap') return new Unwritten('nothing on the language side asks this');
  if (!has(input, 'labelSelector') || call === 'format') return NO_OBJECT;
  const object = objectIn(input, 'labelSelector');
  if (call === 'validate') return validated(vector, object, see, form);
  const seen = see(object);
  if (seen instanceof Unwritten) return seen;
  if (call === 'match') {
    const labels = textMap(input, 'labels') ?? new Map<string, string>();
    return { got: { match: isMatched(seen.site, labels, new Map()) } };
  }
  // A document is held to what the API server checks, which says the same in other words.
  if ('error' in expect && isUnknown(expect) && form.allowsUnknownOperator) {
    return new Unwritten('an access review may have operators that nobody knows');
  }
  if ('error' in expect)
    return { got: { isRefused: seen.errors.length > 0 }, expected: { isRefused: true } };
  return { got: selectedColumns(seen) };
});

function isUnknown(expect: Columns): boolean {
  return /is not a valid label selector operator$/.test(String(expect['error']));
}

function selectedColumns({ site: { selects }, errors }: SeenObject): Columns {
  if (selects === undefined || errors.length > 0) return { errors };
  const canonical = selects.map(({ labels }) => labels).join(' or ');
  const nothing = selects.length === 0;
  return { canonical, empty: !nothing && canonical === '', nothing, selectable: !nothing };
}

function validated(
  { input, expect }: VectorCase,
  object: ObjectColumns | null,
  see: SeeObject,
  form: ObjectForm,
): Answer {
  if (flag(input, 'allowInvalidValues')) {
    return new Unwritten('new objects are held to the rules for new ones');
  }
  if (flag(input, 'allowUnknownOperator') !== form.allowsUnknownOperator) {
    return new Unwritten('these objects have another rule for operators that nobody knows');
  }
  const seen = see(object);
  if (seen instanceof Unwritten) return seen;
  const wanted = (texts(expect, 'errors') ?? []).map((message) => toldAt(message, seen, form));
  return { got: seen.errors, expected: firstOfEach(wanted) };
}

/** Of several errors about the same part the first is told. */
function firstOfEach(errors: readonly Told[]): Told[] {
  const first = errors.filter(
    ({ at }, i) => errors.findIndex((each) => each.at.start === at.start) === i,
  );
  return first.sort((a, b) => a.at.start - b.at.start);
}

/** The part that an error of upstream's names, and the error under the path of the form. */
function toldAt(error: string, { written }: SeenObject, form: ObjectForm): Told {
  const [, list = '', rest = ''] =
    /^spec\.selector\.(matchLabels|matchExpressions)(.*)$/s.exec(error) ?? [];
  const part = written.parts.find(list === 'matchLabels' ? isLabel(rest) : isOfExpression(rest));
  if (part === undefined) throw new Error(`no part for ${error}`);
  const path = list === 'matchLabels' ? form.labelsPath : form.expressionsPath;
  return { message: path + rest, at: part.span };
}

function isLabel(rest: string): (part: Part) => boolean {
  return ({ role, text: written }) =>
    role.startsWith('label') && rest.includes(`: Invalid value: ${goQuote(written)}: `);
}

/** Values that are missing are told at the operator that asks for them. */
function isOfExpression(rest: string): (part: Part, i: number, parts: readonly Part[]) => boolean {
  const [, index, name, item] = /^\[(\d+)\]\.(key|operator|values)(?:\[(\d+)\])?:/.exec(rest) ?? [];
  return (part, _, parts) => {
    if (part.index !== Number(index) || part.role.startsWith('label')) return false;
    if (item !== undefined) return part.role === 'value' && part.item === Number(item);
    if (name !== 'values') return part.role === name;
    const hasValues = parts.some((each) => each.index === part.index && each.role === 'values');
    return part.role === (hasValues ? 'values' : 'operator');
  };
}

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

const NOT_AS_OBJECT = new Unwritten('an object has no such requirement');

const labelRequirement = ofObjects(
  'label-requirement',
  ({ input, expect }, see) => {
    if (input['call'] !== 'new') return new Unwritten('nothing on the language side asks this');
    const operator = OPERATORS.get(text(input, 'operator'));
    if (operator === undefined) return NOT_AS_OBJECT;
    const values = texts(input, 'values');
    const seen = see(expressionsObject([{ key: text(input, 'key'), operator, values }]));
    if (seen instanceof Unwritten) return seen;
    const isAccepted = seen.errors.length === 0;
    if (expect['ok'] !== true) return { got: { isAccepted }, expected: { isAccepted: false } };
    return { got: { ok: isAccepted, text: seen.site.selects?.[0]?.labels } };
  },
  hasExpressions,
);

const labelMatch = ofObjects(
  'label-match',
  ({ input }, see) => {
    if (!has(input, 'requirements')) return NO_OBJECT;
    const requirements = list(input, 'requirements');
    const expressions = requirements.flatMap((each): ExpressionColumns[] => {
      const key = text(each, 'key');
      const values = texts(each, 'values');
      const isEqual = each['operator'] === '=' && values?.length === 1;
      const operator = isEqual ? 'In' : OPERATORS.get(text(each, 'operator'));
      return operator === undefined ? [] : [{ key, operator, values }];
    });
    if (expressions.length < requirements.length) return NOT_AS_OBJECT;
    const seen = see(expressionsObject(expressions));
    if (seen instanceof Unwritten) return seen;
    const labels = textMap(input, 'labels') ?? new Map<string, string>();
    return { got: { match: isMatched(seen.site, labels, new Map()) } };
  },
  hasExpressions,
);

const labelSelectorOps = ofObjects(
  'label-selector-ops',
  ({ input, expect }, see, form) => {
    const call = text(input, 'call');
    const labels = textMap(input, 'labels');
    if (!/^(?:f|validatedF)romSet$/.test(call) || labels === null) {
      return new Unwritten('nothing on the language side asks this');
    }
    if (labels.size === 0 && form.name.includes('Service')) {
      return new Unwritten('an empty selector of a Service is none');
    }
    const seen = see(labelsObject(labels));
    if (seen instanceof Unwritten) return seen;
    const isAccepted = seen.errors.length === 0;
    // What upstream makes of labels without looking at them, no document keeps.
    if (!isAccepted && call === 'fromSet') return new Unwritten('it is made without being checked');
    if ('error' in expect) return { got: { isAccepted }, expected: { isAccepted: false } };
    const canonical = seen.site.selects?.[0]?.labels;
    return { got: { canonical, empty: canonical === '' } };
  },
  hasLabels,
);

const nameValidation = ofObjects(
  'name-validation',
  ({ input, expect }, see, form) => {
    const value = text(input, 'value');
    const isKey = input['check'] === 'labelKey';
    if (!isKey && input['check'] !== 'labelValue')
      return new Unwritten('it is no part of a selector');
    const seen = see(labelsObject(new Map([isKey ? [value, 'x'] : ['k', value]])));
    if (seen instanceof Unwritten) return seen;
    const [first] = texts(expect, 'errors') ?? [];
    const { span } = seen.written.parts[isKey ? 0 : 1]!;
    const message = `${form.labelsPath}: Invalid value: ${goQuote(value)}: ${first ?? ''}`;
    return { got: seen.errors, expected: first === undefined ? [] : [{ message, at: span }] };
  },
  hasLabels,
);

export const OBJECT_TOPICS: readonly LanguageTopic[] = [
  labelSelectorObject,
  labelRequirement,
  labelMatch,
  labelSelectorOps,
  nameValidation,
];
