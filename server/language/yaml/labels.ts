/** Maps of labels: what Kubernetes reads there, and what it holds against it. */
import { isMap } from 'yaml';
import { invalid, labelKeyErrors, labelValueErrors, type Span } from '../../kube/selectors';
import type { FindingCode } from '../findings';
import type { SiteRequirement } from '../model';
import { withParts } from '../selectors/requirements';
import type { Report } from './report';
import { keyTextOf, typedTextOf, type Reading } from './scalars';
import {
  keyFixes,
  quoteFix,
  readingText,
  valueFixes,
  wrongShapeText,
  wrongTypeText,
} from './labelFixes';
import { isSubstituted } from './templates';
import { scalarPart } from './scalarPart';
import { readingOf, spanOf, type Entry, type Tree, type Value } from './tree';

export interface WrittenLabel {
  readonly key: string;
  readonly value: string;
  /** Both are what Kubernetes takes. */
  readonly isValid: boolean;
  readonly entry: Entry;
  /** From the key to the value's end. */
  readonly span: Span;
}

/** A valid label as what a selector asks for. */
export function equality(tree: Tree, { key, value, span, entry }: WrittenLabel): SiteRequirement {
  const placed = { kind: 'label', span, key, operator: '=', values: [value] } as const;
  const isKeyHere = spanOf(entry.key)?.start === entry.keySpan.start;
  const keyPart = isKeyHere ? scalarPart(tree, entry.key, entry) : undefined;
  const valuePart = scalarPart(tree, entry.node, entry);
  return withParts(placed, keyPart, valuePart === undefined ? [] : [valuePart]);
}

export interface ReadLabels {
  /** Those that are certain, valid or not; of equal keys the last one. */
  readonly labels: readonly WrittenLabel[];
  /** There are no others. */
  readonly isWhole: boolean;
  /**
   * Keys of the others, where these are known: their values are no texts. Undefined where nobody knows
   * what else stands there.
   */
  readonly unread: ReadonlySet<string> | undefined;
}

export interface LabelRules {
  readonly isTyped: boolean;
  readonly hasWildcards: boolean;
  /** Nobody refuses what is wrong with them. */
  readonly isUnchecked: boolean;
  /** How upstream calls the field in its errors. */
  readonly path: string;
  /** How its decoder calls it, such as `ObjectMeta.metadata.labels`; undefined where nobody knows. */
  readonly goField: string | undefined;
}

export const PLAIN_RULES: LabelRules = {
  isTyped: false,
  hasWildcards: false,
  isUnchecked: false,
  path: '',
  goField: undefined,
};

/** Without a report nothing is said about them. */
export function readLabels(
  tree: Tree,
  value: Value,
  rules: LabelRules,
  report?: Report,
): ReadLabels {
  const isCertain = tree.isCertain(value);
  if (!isMap(value.node)) {
    const isWhole = isCertain && readingOf(value.node)?.as === 'null';
    return { labels: [], isWhole, unread: isWhole ? new Set() : undefined };
  }
  const labels = new Map<string, WrittenLabel>();
  const unread = new Set<string>();
  let areKeysKnown = isCertain;
  for (const entry of tree.entries(value)) {
    const { key, label } = new LabelReader(tree, entry, rules, report).read();
    if (key === undefined) areKeysKnown = false;
    else if (label === undefined) {
      labels.delete(key);
      unread.add(key);
    } else {
      labels.set(key, label);
      unread.delete(key);
    }
  }
  const isWhole = areKeysKnown && unread.size === 0;
  return { labels: [...labels.values()], isWhole, unread: areKeysKnown ? unread : undefined };
}

class LabelReader {
  private isValid = true;

  constructor(
    private readonly tree: Tree,
    private readonly entry: Entry,
    private readonly rules: LabelRules,
    private readonly report: Report | undefined,
  ) {}

  /** Each is undefined where it cannot be told; the label also where its value is no text. */
  read(): { readonly key: string | undefined; readonly label: WrittenLabel | undefined } {
    const { entry } = this;
    if (entry.isHalfTyped) return { key: undefined, label: undefined };
    const key = this.key();
    const value = this.value();
    if (key === undefined || value === undefined) return { key, label: undefined };
    const { keySpan, span } = entry;
    const end = Math.max(span.end, keySpan.end);
    const whole = { start: keySpan.start, end };
    return { key, label: { key, value, isValid: this.isValid, entry, span: whole } };
  }

  private key(): string | undefined {
    const { key, keySpan } = this.entry;
    const read = readingOf(key);
    const text = read && keyTextOf(read);
    if (text === undefined || this.isOpen(text, keySpan) || this.isReplaced(text)) return undefined;
    const written = typeof key.value === 'string' ? key.value : '';
    if (text !== written) {
      this.say(keySpan, 'read-as-other', readingText(written, text), quoteFix(this.tree, key));
    }
    this.checkKey(text);
    return text;
  }

  private checkKey(key: string): void {
    const [message] = labelKeyErrors(key);
    if (message === undefined) return;
    this.isValid = false;
    if (this.isPattern(key)) return;
    const text = invalid(this.rules.path, { text: key }, message).message;
    this.say(
      this.entry.keySpan,
      this.code('label-key'),
      text,
      keyFixes(this.tree, this.entry.key, key),
    );
  }

  private value(): string | undefined {
    const { node, span } = this.entry;
    const read = readingOf(node);
    if (read === undefined) this.wrongShape();
    const text = read && this.labelText(read);
    if (text === undefined || this.isOpen(text, span)) return undefined;
    const [message] = labelValueErrors(text);
    if (message === undefined) return text;
    this.isValid = false;
    if (!this.isPattern(text)) {
      const whole = invalid(this.rules.path, { text }, message).message;
      this.say(span, this.code('label-value'), whole, valueFixes(this.tree, node, text));
    }
    return text;
  }

  /** Shown at the key, since the value may go over many lines. */
  private wrongShape(): void {
    const { node, keySpan } = this.entry;
    const { goField } = this.rules;
    if (node === undefined || goField === undefined || this.rules.isTyped) return;
    this.say(keySpan, 'not-a-string', wrongShapeText(node, goField));
  }

  /** The value as a text, or undefined with a finding where it is none. */
  private labelText(read: Reading): string | undefined {
    const { rules } = this;
    if (read.as === 'string') return read.text;
    if (read.as === 'null') return '';
    if (read.as === 'unknown') return undefined;
    const { node, span } = this.entry;
    const written = String(this.tree.mapped(node)?.text);
    const fixes = quoteFix(this.tree, node);
    if (!rules.isTyped) {
      this.say(span, 'not-a-string', wrongTypeText(written, read, rules.goField), fixes);
      return undefined;
    }
    const text = typedTextOf(read);
    if (text !== undefined && text !== written) {
      this.say(span, 'read-as-other', readingText(written, text), fixes);
    }
    return text;
  }

  /** Something else decides what stands there in the end. */
  private isOpen(text: string, span: Span): boolean {
    return this.tree.touchesTemplate(span) || isSubstituted(text);
  }

  /** ytt puts a whole map in the place of such an entry. */
  private isReplaced(key: string): boolean {
    return key === '_' && this.tree.touchesTemplate(this.entry.span);
  }

  private isPattern(text: string): boolean {
    return this.rules.hasWildcards && /[*?]/.test(text);
  }

  /** A selector that nobody refuses matches nothing instead. */
  private code(code: FindingCode): FindingCode {
    return this.rules.isUnchecked ? 'contradiction' : code;
  }

  private say(...[span, code, message, fixes]: Parameters<Report['about']>): void {
    this.report?.about(span, code, message, fixes);
  }
}
