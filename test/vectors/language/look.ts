/** What the language side finds of a selector that is written in a form, brought back to the selector's own characters. */
import { compareUtf8 } from '../../../server/common/goText';
import {
  fieldSelectorOf,
  labelSelectorOf,
  sortRequirements,
  type FieldRequirement,
  type LabelRequirement,
  type Span,
} from '../../../server/kube/selectors';
import { FINDINGS, type Finding } from '../../../server/language/findings';
import type { LanguageFile, SelectorSite, SiteRequirement } from '../../../server/language/model';
import { openDocument } from '../../../server/language/open';
import type { Form, SelectorKind } from './forms';
import { charactersAt, placeOf, scalarOf, Unwritten, type Encoded } from './pieces';
import { fieldErrorPlace, labelErrorPlace } from './places';

export interface Seen {
  /** The message of the only error. */
  readonly error: string | undefined;
  readonly site: SelectorSite;
}

export interface SeenLabels extends Seen {
  /** Sorted as upstream keeps them. */
  readonly requirements: readonly LabelRequirement[];
  readonly canonical: string;
}

export interface SeenFields extends Seen {
  readonly requirements: readonly FieldRequirement[];
  readonly canonical: string;
}

/** Something does not stand where it belongs. */
export class Misplaced extends Error {
  override readonly name = 'Misplaced';
}

export function openedIn(form: Pick<Form, 'uri'>, text: string): LanguageFile {
  const file = openDocument({ uri: form.uri, languageId: '', text });
  if (file === undefined) throw new Error(`${form.uri} is no document of ours`);
  return file;
}

/** Throws `Misplaced` where the error, or a part of a requirement, stands on other characters. */
export function labelsIn(form: Form, selector: string): SeenLabels | Unwritten {
  const seen = look(form, 'label', selector);
  if (seen instanceof Unwritten) return seen;
  const labels = seen.site.requirements.map(({ key, operator, values }) => ({
    key,
    operator,
    values,
  }));
  const requirements = sortRequirements<LabelRequirement>(labels);
  const canonical = labelSelectorOf(requirements).toString();
  if (seen.error === undefined) checkSelects(form, seen, { labels: canonical, fields: '' });
  return { ...seen, requirements, canonical };
}

export function fieldsIn(form: Form, selector: string): SeenFields | Unwritten {
  const seen = look(form, 'field', selector);
  if (seen instanceof Unwritten) return seen;
  const { written, site, error } = seen;
  const terms = site.requirements.map((requirement) => ({
    raw: part(written, selector, requirement.span),
    requirement,
  }));
  terms.sort((a, b) => compareUtf8(a.raw, b.raw));
  const requirements = terms.flatMap(({ requirement: { key, operator, values } }) => {
    const [value = ''] = values;
    if (key === '' && value === '') return [];
    return [{ field: key, operator: operator === '!=' ? '!=' : '=', value } as const];
  });
  const canonical = fieldSelectorOf(requirements).toString();
  if (error === undefined) checkSelects(form, seen, { labels: '', fields: canonical });
  return { error, site, requirements, canonical };
}

interface Looked extends Seen {
  readonly written: Encoded;
  readonly file: LanguageFile;
  /** As far as the form leaves it whole. */
  readonly given: string;
}

function look(form: Form, kind: SelectorKind, selector: string): Looked | Unwritten {
  const written = form.write(kind, selector);
  if (written instanceof Unwritten) return written;
  const trimmed = form.isTrimmed ? trimmedSpan(selector) : { start: 0, end: selector.length };
  const given = selector.slice(trimmed.start, trimmed.end);
  if (given !== selector && (kind === 'field' || given !== selector.replace(BLANK_ENDS, ''))) {
    return new Unwritten('kubectl takes something at its ends away');
  }
  const file = openedIn(form, written.text);
  const { findings, sites } = file.analysis();
  const [site, ...more] = sites;
  if (site === undefined || more.length > 0) throw new Error(`${sites.length} selectors`);
  const error = errorOf(findings);
  const request = file.queries?.queries()[0]?.request;
  if (form.isQuery && (request === undefined) !== (error !== undefined)) {
    throw new Error(`${error === undefined ? 'no' : 'a'} request of it is made`);
  }
  const at = error === undefined ? undefined : placed(kind, given, error.message);
  for (const each of findings) checkWithin(written, each);
  if (error !== undefined && at !== undefined) {
    const wanted = { start: at.start + trimmed.start, end: at.end + trimmed.start };
    checkPlace(written, selector, error, wanted);
  }
  for (const requirement of site.requirements) checkParts(written, selector, requirement);
  return { error: error?.message, site, written, file, given };
}

/** What the lexer passes over. */
const BLANK_ENDS = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/** As Go's `strings.TrimSpace` has it. */
function trimmedSpan(text: string): Span {
  const blank =
    '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*';
  const start = new RegExp(`^${blank}`).exec(text)![0].length;
  const end = text.length - new RegExp(`${blank}$`).exec(text)![0].length;
  return { start: Math.min(start, end), end };
}

function errorOf(findings: readonly Finding[]): Finding | undefined {
  const errors = findings.filter(({ code }) => FINDINGS[code].severity === 'error');
  const odd = errors.find(({ code }) => code !== 'label-selector' && code !== 'field-selector');
  if (odd !== undefined) throw new Error(`${odd.code}: ${odd.message}`);
  if (errors.length > 1) throw new Error(`${errors.length} errors`);
  return errors[0];
}

function placed(kind: SelectorKind, selector: string, message: string): Span {
  return kind === 'label' ? labelErrorPlace(selector, message) : fieldErrorPlace(selector, message);
}

function checkPlace(written: Encoded, selector: string, { span }: Finding, wanted: Span): void {
  const right = placeOf(written, wanted);
  if (span.start === right.start && span.end === right.end) return;
  const shown = ({ start, end }: Span): string => JSON.stringify(written.text.slice(start, end));
  const what = JSON.stringify(selector.slice(wanted.start, wanted.end));
  throw new Misplaced(
    `stands on ${shown(span)} at ${span.start} in place of ${shown(right)} at ${right.start}, which is ${what} of ${JSON.stringify(selector)}, in ${JSON.stringify(written.text)}`,
  );
}

const ABOUT_SELECTORS = [
  'label-selector',
  'field-selector',
  'contradiction',
  'duplicate-requirement',
];

function checkWithin(written: Encoded, { code, span }: Finding): void {
  if (!ABOUT_SELECTORS.includes(code)) return;
  const scalar = scalarOf(written);
  if (scalar === undefined || span.start < scalar.start || span.end > scalar.end) {
    throw new Misplaced(`${code} at ${span.start} to ${span.end}, outside of the selector`);
  }
}

function part(written: Encoded, selector: string, span: Span): string {
  const characters = charactersAt(written, span);
  if (characters === undefined) {
    throw new Misplaced(
      `${span.start} to ${span.end} of ${JSON.stringify(written.text)} are no characters of ${JSON.stringify(selector)}`,
    );
  }
  return selector.slice(characters.start, characters.end);
}

/** Keys and values are read again from their places; one that is empty has no characters. */
function checkParts(written: Encoded, selector: string, requirement: SiteRequirement): void {
  const { span, key, kind, keyPart, valueParts = [], values } = requirement;
  if (!part(written, selector, span).includes(key))
    throw new Misplaced(`${key} is not in its span`);
  const texts = [keyPart && [keyPart, key], ...valueParts.map((each, i) => [each, values[i]])];
  for (const each of texts) {
    if (each === undefined) continue;
    const [at, text] = each as [NonNullable<typeof keyPart>, string];
    if (text === '') continue;
    const there = part(written, selector, at.span);
    const plain = kind === 'field' && at !== keyPart ? there.replace(/\\([\\,=])/g, '$1') : there;
    if (plain !== text) throw new Misplaced(`${text} is written as ${there}`);
  }
}

function checkSelects(
  form: Form,
  { site, file, given }: Looked,
  canonical: { readonly labels: string; readonly fields: string },
): void {
  if (!form.isQuery) {
    const [selects, ...more] = site.selects ?? [];
    const isSame = selects?.labels === canonical.labels && selects.fields === canonical.fields;
    if (!isSame || more.length > 0) throw new Error(`it selects ${JSON.stringify(site.selects)}`);
    return;
  }
  const request = file.queries?.queries()[0]?.request;
  const asked = request && [request.labelSelector, request.fieldSelector];
  if (!(asked?.includes(given) === true && asked.includes(''))) {
    throw new Error(`it asks ${JSON.stringify(asked)}`);
  }
}
