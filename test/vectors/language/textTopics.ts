/** Topics of selectors that are one text, through every form of one. */
import {
  labelKeyErrors,
  labelSelectorOf,
  labelValueErrors,
  requirementErrors,
  requirementsText,
  type Operator,
  type RawLabelRequirement,
} from '../../../server/kube/selectors';
import { goQuote } from '../../../server/common/goText';
import { LabelIndexBuilder } from '../../../server/language/index/labelIndexBuilder';
import { matchCount } from '../../../server/language/index/siteText';
import type { SelectorSite } from '../../../server/language/model';
import type { Columns, VectorCase } from '../harness';
import { has, list, text, textMap, texts } from '../read';
import { rawRequirement } from '../selectors';
import { FORMS } from './forms';
import { fieldsIn, labelsIn, type SeenLabels } from './look';
import { Unwritten } from './pieces';
import { labelTokens } from './places';
import type { Answer, LanguageTopic } from './topic';

const names = FORMS.map(({ name }) => name);

/** A topic whose cases ask something of a selector's text, in each form. */
function ofTexts(topic: string, answer: (vector: VectorCase, see: See) => Answer): LanguageTopic {
  return {
    topic,
    forms: names,
    answer(vector, name) {
      const form = FORMS.find((each) => each.name === name)!;
      return answer(vector, {
        labels: (selector) => labelsIn(form, selector),
        fields: (selector) => fieldsIn(form, selector),
      });
    },
  };
}

interface See {
  labels(selector: string): ReturnType<typeof labelsIn>;
  fields(selector: string): ReturnType<typeof fieldsIn>;
}

const NOBODY_ASKS = new Unwritten('nothing on the language side asks this');
const NOT_AS_TEXT = new Unwritten('the grammar of texts has no such requirement');

const labelParse = ofTexts('label-parse', ({ input }, see) => {
  const seen = see.labels(text(input, 'selector'));
  if (seen instanceof Unwritten) return seen;
  return { got: parsedColumns(seen) };
});

function parsedColumns({ error, requirements, canonical }: SeenLabels): Columns {
  if (error !== undefined) return { error };
  const requirementsString = requirementsText(requirements);
  return { requirements, canonical, requirementsString, empty: requirements.length === 0 };
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['', 'EndOfString'],
  [')', 'ClosedPar'],
  [',', 'Comma'],
  ['!', 'DoesNotExist'],
  ['==', 'DoubleEquals'],
  ['=', 'Equals'],
  ['>', 'GreaterThan'],
  ['in', 'In'],
  ['<', 'LessThan'],
  ['!=', 'NotEquals'],
  ['notin', 'NotIn'],
  ['(', 'OpenPar'],
]);

/** What is found has to stand on these tokens, or `labelsIn` throws. */
const labelLexer = ofTexts('label-lexer', ({ input }, see) => {
  const selector = text(input, 'text');
  const seen = see.labels(selector);
  if (seen instanceof Unwritten) return seen;
  const tokens = labelTokens(selector).map((each) => [
    KINDS.get(each.text) ?? 'Identifier',
    each.text,
  ]);
  return { got: { tokens } };
});

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['gt', '>'],
  ['lt', '<'],
]);

/** Undefined where the grammar has no such requirement, or would read another one. */
export function textOfRequirement({
  key,
  operator,
  values,
}: RawLabelRequirement): string | undefined {
  const [first = '', ...more] = values;
  const count = values.length;
  const sign = OPERATORS.get(operator);
  let words: string[] | undefined;
  if (sign !== undefined && count === 1) words = [key, sign, first];
  else if (operator === 'exists' && count === 0) words = [key];
  else if (operator === '!' && count === 0) words = ['!', key];
  else if ((operator === 'in' || operator === 'notin') && count > 0) {
    words = [key, operator, '(', first, ...more.flatMap((value) => [',', value]), ')'];
  }
  if (words === undefined) return undefined;
  const written = words.join(operator.endsWith('in') ? ' ' : '');
  const read = labelTokens(written).map((each) => each.text);
  const meant = [...words.filter((word) => word !== ''), ''];
  return key !== '' && JSON.stringify(read) === JSON.stringify(meant) ? written : undefined;
}

const labelRequirement = ofTexts('label-requirement', ({ input, expect }, see) => {
  switch (text(input, 'call')) {
    case 'new':
      return newRequirement(input, expect, see);
    case 'print':
      return printed(list(input, 'requirements').map(rawRequirement), text(expect, 'text'), see);
    default:
      return NOBODY_ASKS;
  }
});

function newRequirement(input: Columns, expect: Columns, see: See): Answer {
  const raw = { ...rawRequirement(input), values: texts(input, 'values') ?? [] };
  const written = textOfRequirement(raw);
  if (written === undefined) return NOT_AS_TEXT;
  const sorted = [...new Set(raw.values)].sort();
  const isSorted = JSON.stringify(sorted) === JSON.stringify(raw.values);
  if (expect['ok'] !== true && !isSorted) return new Unwritten('a text sorts its values first');
  const seen = see.labels(written);
  if (seen instanceof Unwritten) return seen;
  if (expect['ok'] === true) {
    return { got: { ok: seen.error === undefined, text: seen.canonical } };
  }
  // The parser looks at the key alone, before there is a requirement, and has no name for it.
  const keys = list(expect, 'errors').filter((each) => each['field'] === 'key');
  const [key] = keys;
  const told = key === undefined ? text(expect, 'error') : text(key, 'message');
  const error = `unable to parse requirement: ${told.replace(/^key: /, '<nil>: ')}`;
  return { got: { error: seen.error }, expected: { error } };
}

/** What was never checked is printed too, as texts that may mean something else. */
function printed(
  requirements: readonly RawLabelRequirement[],
  canonical: string,
  see: See,
): Answer {
  const keys = requirements.map(({ key }) => key);
  const isSound = requirements.every(
    ({ key, operator, values }) => requirementErrors(key, operator, values).length === 0,
  );
  if (!isSound || JSON.stringify(keys) !== JSON.stringify([...keys].sort())) {
    return new Unwritten('it is printed without being checked or sorted');
  }
  const seen = see.labels(canonical);
  return seen instanceof Unwritten ? seen : { got: { text: seen.canonical } };
}

const labelMatch = ofTexts('label-match', ({ input }, see) => {
  const selector = has(input, 'selector')
    ? text(input, 'selector')
    : textOfRequirements(list(input, 'requirements').map(rawRequirement));
  if (selector === undefined) return NOT_AS_TEXT;
  const seen = see.labels(selector);
  if (seen instanceof Unwritten) return seen;
  const labels = textMap(input, 'labels') ?? new Map<string, string>();
  return { got: { match: isMatched(seen.site, labels, new Map()) } };
});

function textOfRequirements(requirements: readonly RawLabelRequirement[]): string | undefined {
  const texts = requirements.map((each) =>
    requirementErrors(each.key, each.operator, each.values).length > 0
      ? undefined
      : textOfRequirement(each),
  );
  return texts.includes(undefined) ? undefined : texts.join(',');
}

type Texts = ReadonlyMap<string, string>;

/** By the counts of an index with the object in it and without. */
export function isMatched(site: SelectorSite, labels: Texts, fields: Texts): boolean {
  const none = new Map<string, string>();
  const others = [
    { labels: new Map([['x', 'other']]), fields: none },
    { labels: none, fields: new Map([['x', 'other']]) },
  ];
  const counts = [others, [...others, { labels, fields }]].map((objects) => {
    const builder = new LabelIndexBuilder();
    for (const object of objects) builder.add(object);
    const resource = {
      noun: { one: 'Widget', many: 'Widgets' },
      namespace: undefined,
      namespaced: true,
      fieldTransform: (field: string, value: string) => [field, value] as const,
    };
    const coverage = { total: objects.length, unreadable: 0, places: 1 };
    return matchCount(site, builder.build(resource, coverage));
  });
  const [without, beside] = counts;
  if (without === undefined || beside === undefined) throw new Error('nothing is counted');
  return beside - without === 1;
}

const labelSelectorOps = ofTexts('label-selector-ops', ({ input, expect }, see) => {
  if (typeof expect['canonical'] !== 'string') return NOBODY_ASKS;
  const canonical = expect['canonical'];
  if (expect['empty'] === false && canonical === '') return NOBODY_ASKS;
  const labels = textMap(input, 'labels') ?? new Map<string, string>();
  const isSound = [...labels].every(
    ([key, value]) => labelKeyErrors(key).length + labelValueErrors(value).length === 0,
  );
  if (!isSound) return new Unwritten('it is printed without being checked or sorted');
  const seen = see.labels(canonical);
  if (seen instanceof Unwritten) return seen;
  const { error, requirements } = seen;
  const parts = { requirements, canonical: seen.canonical, empty: requirements.length === 0 };
  const wanted = Object.keys(expect).filter((column) => column in parts);
  const columns = (from: Columns): Columns =>
    Object.fromEntries(wanted.map((column) => [column, from[column]]));
  return { got: { ...columns(parts), error }, expected: columns(expect) };
});

const fieldParse = ofTexts('field-parse', ({ input, expect }, see) => {
  if (input['call'] !== 'parse') return NOBODY_ASKS;
  if (has(input, 'failOn')) return new Unwritten('no resource refuses such a field');
  const changes = Object.keys((input['transform'] as object | undefined) ?? {});
  if (changes.length > 0) return new Unwritten('no resource maps such a field');
  const seen = see.fields(text(input, 'text'));
  if (seen instanceof Unwritten) return seen;
  const { error, requirements, canonical } = seen;
  if (error !== undefined) return { got: { error } };
  const expected = { ...expect, requirements: expect['requirements'] ?? [] };
  return { got: { requirements, canonical, empty: requirements.length === 0 }, expected };
});

const fieldMatch = ofTexts('field-match', ({ input }, see) => {
  if (input['call'] !== 'match') return NOBODY_ASKS;
  const seen = see.fields(text(input, 'selector'));
  if (seen instanceof Unwritten) return seen;
  const fields = textMap(input, 'fields') ?? new Map<string, string>();
  return { got: { match: isMatched(seen.site, new Map(), fields) } };
});

/** Of a key or value alone, as a requirement of its own. */
const nameValidation = ofTexts('name-validation', ({ input, expect }, see) => {
  const value = text(input, 'value');
  const isKey = input['check'] === 'labelKey';
  if (!isKey && input['check'] !== 'labelValue')
    return new Unwritten('it is no part of a selector');
  const written = textOfRequirement(
    isKey
      ? { key: value, operator: 'exists', values: [] }
      : { key: 'k', operator: 'in', values: [value] },
  );
  if (written === undefined) return NOT_AS_TEXT;
  const seen = see.labels(written);
  if (seen instanceof Unwritten) return seen;
  const errors = texts(expect, 'errors') ?? [];
  const path = isKey ? '<nil>' : 'values[0][k]';
  const message = `unable to parse requirement: ${path}: Invalid value: ${goQuote(value)}: ${errors.join('; ')}`;
  return { got: { error: seen.error }, expected: errors.length === 0 ? {} : { error: message } };
});

/** From text to object and back; an object's own cases are for the forms of objects. */
const labelSelectorObject = ofTexts('label-selector-object', ({ input, expect }, see) => {
  const isParsed = input['call'] === 'parse';
  if (!isParsed && input['call'] !== 'format') return new Unwritten('it is no text');
  const selector = isParsed ? text(input, 'selector') : text(expect, 'text');
  if (!isParsed && selector.startsWith('<')) return new Unwritten('it is no text');
  const seen = see.labels(selector);
  if (seen instanceof Unwritten) return seen;
  const object = (isParsed ? expect : input)['labelSelector'] as Columns | undefined;
  if (object !== undefined) {
    return { got: { canonical: mapText(seen) }, expected: { canonical: objectText(object) } };
  }
  // What has no form as an object may be a selector all the same.
  const before = `couldn't parse the selector string ${goQuote(selector)}: `;
  const told = seen.error === undefined ? {} : { error: before + seen.error };
  return { got: told, expected: seen.error === undefined ? {} : expect };
});

/** Of several equalities of a key the last one, as in a map. */
function mapText({ requirements }: SeenLabels): string {
  const isEqual = ({ operator }: RawLabelRequirement): boolean => /^==?$/.test(operator);
  const labels = new Map(
    requirements.filter(isEqual).map(({ key, values }) => [key, `${key}=${values[0] ?? ''}`]),
  );
  const others = requirements.filter((each) => !isEqual(each));
  const expressions = others.map((each) => labelSelectorOf([each]).toString());
  return [...labels.values(), ...expressions].sort().join();
}

const OBJECT_OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

function objectText(object: Columns): string {
  const labels = [...(textMap(object, 'matchLabels') ?? [])];
  const expressions = list(object, 'matchExpressions').map((each) => {
    const operator = OBJECT_OPERATORS.get(text(each, 'operator'))!;
    const values = [...(texts(each, 'values') ?? [])].sort();
    return labelSelectorOf([{ key: text(each, 'key'), operator, values }]).toString();
  });
  return [...labels.map(([key, value]) => `${key}=${value}`), ...expressions].sort().join();
}

const selectionPredicate = ofTexts('selection-predicate', ({ input, expect }, see) => {
  const isOne = (column: string): boolean =>
    typeof input[column] === 'string' && typeof expect['match'] === 'boolean';
  if (has(input, 'attrError') || has(input, 'continue')) return NOBODY_ASKS;
  if (!isOne('labelSelector') || !isOne('fieldSelector')) return NOBODY_ASKS;
  const labels = see.labels(text(input, 'labelSelector'));
  const fields = see.fields(text(input, 'fieldSelector'));
  if (labels instanceof Unwritten) return labels;
  if (fields instanceof Unwritten) return fields;
  const object = [
    textMap(input, 'labels') ?? new Map<string, string>(),
    textMap(input, 'fields') ?? new Map<string, string>(),
  ] as const;
  const match = isMatched(labels.site, ...object) && isMatched(fields.site, ...object);
  return { got: { match }, expected: { match: expect['match'] } };
});

export const TEXT_TOPICS: readonly LanguageTopic[] = [
  labelParse,
  labelLexer,
  labelRequirement,
  labelMatch,
  labelSelectorOps,
  labelSelectorObject,
  fieldParse,
  fieldMatch,
  selectionPredicate,
  nameValidation,
];
