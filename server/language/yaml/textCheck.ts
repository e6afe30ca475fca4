/** Selectors that stand in YAML as one text. */
import type { Span } from '../../kube/selectors';
import type { EmptyMeaning, SelectedFrom, SelectorSite } from '../model';
import { checkFieldText } from '../selectors/fieldText';
import type { KnownFields } from '../selectors/knownFields';
import { checkLabelText } from '../selectors/labelText';
import { fieldRequirements, labelRequirements } from '../selectors/requirements';
import type { MappedText } from '../source/mappedText';
import { wholeOf } from '../source/parts';
import { SELECTOR_TOO_LONG } from './limits';
import type { Report } from './report';
import { isSubstituted } from './templates';
import { textOf, type Value } from './tree';

export interface TextRules {
  /** What a resource can be selected by; undefined where nobody knows. */
  readonly fields: (resource: string) => KnownFields | undefined;
}

export interface TextPlace {
  readonly kind: 'label' | 'field';
  readonly anchor: Span;
  readonly from: SelectedFrom;
  readonly empty: EmptyMeaning;
  /** Only its key makes a selector of it, so that it may be about one. */
  readonly mayBeProse?: boolean;
}

/** The text of a scalar. */
export function checkText(
  report: Report,
  place: TextPlace & { readonly value: Value },
  rules: TextRules,
): void {
  const { node } = place.value;
  if (node === undefined || report.wasRead(node) || textOf(place.value) === undefined) return;
  const mapped = report.tree.mapped(node);
  if (mapped !== undefined) checkMapped(report, mapped, place, rules);
}

/** Longer ones were written by no person, and would have a site for each of their parts. */
const LONGEST = 100_000;

export function checkMapped(
  report: Report,
  mapped: MappedText,
  place: TextPlace,
  rules: TextRules,
): void {
  const { text } = mapped;
  const span = wholeOf(mapped);
  if (report.tree.touchesTemplate(span) || isSubstituted(text)) return;
  if (text.length > LONGEST) {
    report.unseen(span, SELECTOR_TOO_LONG);
    return;
  }
  const checked =
    place.kind === 'label' ? labelParts(mapped) : fieldParts(mapped, place.from, rules);
  if (place.mayBeProse === true && !checked.isSound && isProse(text)) return;
  for (const { span: at, code, message, fixes } of checked.findings) {
    report.about(at, code, message, fixes);
  }
  report.site({
    form: 'text',
    span,
    anchor: place.anchor,
    from: place.from,
    requirements: checked.requirements,
    selects: checked.selects,
    isWhole: checked.selects !== undefined,
    empty: place.empty,
  });
}

interface Checked extends Pick<SelectorSite, 'requirements' | 'selects'> {
  readonly findings: ReturnType<typeof checkLabelText>['findings'];
  readonly isSound: boolean;
}

function labelParts(mapped: MappedText): Checked {
  const { parsed, findings } = checkLabelText(mapped);
  const requirements = labelRequirements(mapped, parsed);
  const labels = parsed.selector?.toString();
  const selects = labels === undefined ? undefined : [{ labels, fields: '' }];
  return { findings, requirements, selects, isSound: parsed.error === null };
}

function fieldParts(mapped: MappedText, from: SelectedFrom, rules: TextRules): Checked {
  const known = from.resource === undefined ? undefined : rules.fields(from.resource);
  const { parsed, findings } = checkFieldText(mapped, known);
  const requirements = fieldRequirements(mapped, parsed);
  const fields = parsed.selector?.toString();
  const selects = fields === undefined ? undefined : [{ labels: '', fields }];
  return { findings, requirements, selects, isSound: parsed.error === null };
}

/** `app in web`, which lacks its parentheses; a caption begins with a capital. */
const BARE_LIST = /^\s*[a-z\d][\w./-]*\s+(?:not)?in\s+\S+\s*$/;

/** A key and what is asked of it, or nearly so: `app:web`. */
const ASKS = /^\s*(?:!\s*|not\s+)?[A-Za-z\d][\w./-]*(?:\s*(?:[=!<>,]|(?:not)?in\s*\(|$)|:[^\s/])/i;
const OPERATOR = /[=!<>]|\w:\w|\b(?:not)?in\s*\(/i;
const FIELD = /^\s*(?:metadata|spec|status)\.\w+\s*$/;

/** A selector of CSS: a class, an id, a state, or an attribute of an element. */
const CSS =
  /(?:^|[\s,>+~])[.#][A-Za-z_]|\w\[[\w-]{1,100}[~|^$*]?=|\w:(?:active|checked|disabled|empty|enabled|focus|hover|not\(|(?:first|last|nth|only)-)|\w::\w/;
const FUNCTION = /^\s*(?:\w+|\([\w, ]{0,100}\))\s*=>/;
/** What goes on behind a requirement as a sentence does. */
const SENTENCE_END = /(?:\s[A-Za-z]+){3}[.!]?$/;

/** A caption, or a text of another language, such as a selector of CSS. */
export function isProse(text: string): boolean {
  if (BARE_LIST.test(text) || FIELD.test(text)) return false;
  if (CSS.test(text) || FUNCTION.test(text) || SENTENCE_END.test(text.trimEnd())) return true;
  return !OPERATOR.test(text) || !ASKS.test(text);
}
