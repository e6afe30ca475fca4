/** Where in a document something may be completed. */
import { isMap, isScalar, isSeq } from 'yaml';
import type { Span } from '../../kube/selectors';
import type { CompletionSpot, SelectedFrom, SpotChoice, SpotKind } from '../model';
import { fieldSpotAt, labelSpotAt } from '../selectors/textSpots';
import type { MappedText } from '../source/mappedText';
import { wholeOf, wordWriting } from '../source/parts';
import { headOf, type YamlOptions } from './analyse';
import { objectsOf } from './kubeObject';
import { marked, MARK, withoutMark } from './marked';
import { NODE_FIELDS, operatorChoices, type RequirementKind } from './operators';
import { controlIn, parseChunk } from './parse';
import { selectedFrom } from './selectorSite';
import { maskTemplates } from './templates';
import { findTexts, mayHoldTexts } from './textWalk';
import { textOf, type Content, type Entry, type Tree, type Value } from './tree';
import { walkKind, type Place } from './walk';

/** `at` is an offset in the chunk, and so are those of the spot. */
export function spotInChunk(
  text: string,
  at: number,
  options: YamlOptions,
): CompletionSpot | undefined {
  if (controlIn(text) >= 0) return undefined;
  const { templates } = maskTemplates(text);
  if (templates.some(({ start, end }) => start < at && at < end)) return undefined;
  const head = headOf(text);
  if (at > head.length) return undefined;
  const lacking = lackingColon(head, at);
  const whole = lacking === undefined ? head : `${head.slice(0, lacking)}:${head.slice(lacking)}`;
  const trees = parseChunk(marked(whole, at), options.checkpoint) ?? [];
  for (const tree of trees) {
    const spot = new SpotFinder(tree, at, lacking !== undefined).find(options);
    if (spot !== undefined) return spot;
  }
  return undefined;
}

/** Longer ones are no keys. */
const LONGEST_LINE = 1000;

/**
 * Where a colon is missed behind a word that has its line for itself and a key of the same map below
 * it: without one the parser takes both lines for one text.
 */
function lackingColon(text: string, at: number): number | undefined {
  const before = /(?:^|\n)( *)["']?[^\s"'#:,[\]{}-]?[^\s"'#:,[\]{}]*$/.exec(
    text.slice(Math.max(0, at - LONGEST_LINE), at),
  );
  const behind = /^[^\s"'#:,[\]{}]*["']?(?=[ \t]*(?:#.*)?\r?(?:\n|$))/.exec(
    text.slice(at, at + LONGEST_LINE),
  );
  if (before === null || behind === null) return undefined;
  const end = at + behind[0].length;
  const below = /^[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( *)["']?[\w./-]+["']?[ \t]*:/.exec(
    text.slice(end, end + LONGEST_LINE),
  );
  return below !== null && below[1] === before[1] ? end : undefined;
}

interface Wanted {
  readonly kind: SpotKind;
  readonly from: SelectedFrom;
  readonly key?: string;
  readonly given?: readonly string[];
  readonly choices?: readonly SpotChoice[];
  /** A key of a map, which needs a colon. */
  readonly isKey?: boolean;
}

/** More than these were written by no person, and may be offered again. */
const MOST_GIVEN = 1_000;

function givenIn(values: readonly Value[]): string[] {
  return unmarkedOf(values.flatMap((value) => textOf(value) ?? []));
}

/** Without what is being typed. */
function unmarkedOf(texts: readonly string[]): string[] {
  return texts.filter((text) => !text.includes(MARK)).slice(0, MOST_GIVEN);
}

class SpotFinder {
  private found: CompletionSpot | undefined;

  constructor(
    private readonly tree: Tree,
    private readonly at: number,
    /** One was put behind the word at the cursor. */
    private readonly lacksColon: boolean,
  ) {}

  find({ fileName }: YamlOptions): CompletionSpot | undefined {
    const { tree } = this;
    for (const object of objectsOf(tree, fileName)) {
      walkKind(tree, object.places, object.value, '', (place) => {
        if (this.isIn(place.value.region)) this.inPlace(place, selectedFrom(tree, object, place));
      });
    }
    if (this.found === undefined && mayHoldTexts(tree.text)) {
      findTexts(tree, ({ kind, mapped, from, cut }) => {
        if (cut !== undefined) return;
        if (kind === 'label') this.inLabelText(mapped, from);
        else this.inFieldText(mapped, from);
      });
    }
    return this.found;
  }

  private inPlace(place: Place, from: SelectedFrom): void {
    const { value, row, anchor } = place;
    switch (row.form) {
      case 'map':
      case 'labels':
        this.inLabels(value, anchor, from);
        break;
      case 'object':
        this.inObject(value, from);
        break;
      case 'requirements':
        this.inExpressions(value, row.options.operators ?? 'label', from);
        break;
      case 'nodes':
        for (const term of this.itemsOf(value, 'nodeSelectorTerms')) this.inTerm(term, from);
        break;
      case 'term':
        this.inTerm(value, from);
        break;
      case 'topology':
        this.inExpressions(this.fieldOf(value, 'matchLabelExpressions'), 'label', from);
        break;
      default:
        this.inScalars(place, from);
    }
  }

  /** Places that hold no map. */
  private inScalars({ row, value }: Place, from: SelectedFrom): void {
    const mapped = this.tree.mapped(value.node);
    if (row.form === 'key') this.offer(value.node, { kind: 'labelKey', from });
    else if (row.form === 'keys') this.inKeys(value, from);
    else if (row.form === 'labelText') this.inLabelText(mapped, from);
    else if (row.form === 'fieldText') this.inFieldText(mapped, from);
  }

  /** A map of labels; one that has no entry yet is a scalar on a line of its own. */
  private inLabels(value: Value, anchor: Span, from: SelectedFrom): void {
    const { node, span } = value;
    if (isScalar(node)) {
      const isBelow = this.tree.text.slice(anchor.end, span.start).includes('\n');
      if (isBelow) this.offer(node, { kind: 'labelKey', from, isKey: true });
      return;
    }
    const entries = this.tree.entries(value);
    const given = unmarkedOf(entries.map(({ key }) => String(key.value)));
    for (const entry of entries) {
      if (this.isIn(entry.keySpan)) {
        const isKey = this.lacksColon || (entry.isHalfTyped && this.isImplicit(entry));
        this.offer(entry.key, { kind: 'labelKey', from, given, isKey });
      } else this.offer(entry.node, { kind: 'labelValue', from, key: String(entry.key.value) });
    }
  }

  private inObject(value: Value, from: SelectedFrom): void {
    const labels = this.fieldOf(value, 'matchLabels');
    if (labels !== undefined && this.isIn(labels.region)) {
      this.inLabels(labels, labels.keySpan, from);
    }
    this.inExpressions(this.fieldOf(value, 'matchExpressions'), 'label', from);
  }

  private inTerm(term: Value, from: SelectedFrom): void {
    this.inExpressions(this.fieldOf(term, 'matchExpressions'), 'node', from);
    this.inExpressions(this.fieldOf(term, 'matchFields'), 'nodeField', from);
  }

  private inExpressions(list: Value | undefined, kind: RequirementKind, from: SelectedFrom): void {
    if (list === undefined || !this.isIn(list.region)) return;
    const items = this.tree.items(list).filter((item) => this.isIn(item.region));
    for (const item of items) this.inExpression(item, kind, from);
  }

  private inExpression(item: Value, kind: RequirementKind, from: SelectedFrom): void {
    const isField = kind === 'nodeField';
    const key = this.fieldOf(item, 'key');
    const fields = isField ? NODE_FIELDS : [];
    this.offer(key?.node, { kind: isField ? 'fieldName' : 'labelKey', from, choices: fields });
    const choices = operatorChoices(kind);
    this.offer(this.fieldOf(item, 'operator')?.node, { kind: 'choice', from, choices });
    const values = this.itemsOf(item, 'values');
    // Of a field there may be one alone.
    if (isField && values.length > 1) return;
    const wanted: Wanted = {
      kind: isField ? 'fieldValue' : 'labelValue',
      from,
      key: textOf(key) ?? '',
      given: givenIn(values),
    };
    for (const { node } of values) this.offer(node, wanted);
  }

  private inKeys(list: Value, from: SelectedFrom): void {
    const items = this.tree.items(list);
    const given = givenIn(items);
    for (const { node } of items) this.offer(node, { kind: 'labelKey', from, given });
  }

  private inLabelText(mapped: MappedText | undefined, from: SelectedFrom): void {
    this.inText(mapped, from, labelSpotAt);
  }

  private inFieldText(mapped: MappedText | undefined, from: SelectedFrom): void {
    this.inText(mapped, from, fieldSpotAt);
  }

  private inText(
    mapped: MappedText | undefined,
    from: SelectedFrom,
    spotIn: typeof labelSpotAt | typeof fieldSpotAt,
  ): void {
    const plain = mapped && this.cleared(mapped);
    if (mapped === undefined || plain === undefined) return;
    const spot = spotIn(plain.text, plain.cursor);
    if (spot === undefined) return;
    const span = plain.place(spot.span);
    // Behind a closing quote there is nothing of the text to be replaced.
    if (!this.isIn(span)) return;
    this.found ??= {
      ...spot,
      span,
      from,
      choices: [],
      writing: wordWriting(mapped) ?? 'word',
    };
  }

  /** The whole scalar, where the cursor is in it. */
  private offer(node: Content | undefined, wanted: Wanted): void {
    const mapped = this.tree.mapped(node);
    const plain = mapped && this.cleared(mapped);
    if (mapped === undefined || plain === undefined) return;
    const span = plain.place({ start: 0, end: plain.text.length });
    // What stands on two lines is one text by mistake.
    if (this.tree.text.slice(span.start, span.end + MARK.length).includes('\n')) return;
    this.found ??= {
      kind: wanted.kind,
      ...(wanted.isKey === true ? this.withColon(span, mapped) : { span }),
      typed: plain.text.slice(0, plain.cursor),
      from: wanted.from,
      key: wanted.key ?? '',
      given: wanted.given ?? [],
      choices: wanted.choices ?? [],
      writing: mapped.writing ?? 'word',
    };
  }

  /** A closing quote is written anew, since the colon stands behind it. */
  private withColon({ start, end }: Span, { writing }: MappedText) {
    const quote = writing === 'yamlDouble' ? '"' : writing === 'yamlSingle' ? "'" : '';
    const isClosed = this.tree.text.startsWith(quote, end + MARK.length);
    if (!isClosed) return { span: { start, end } };
    return { span: { start, end: end + quote.length }, behind: `${quote}: ` };
  }

  /** Without a question mark before it, behind which the colon stands on another line. */
  private isImplicit({ keySpan }: Entry): boolean {
    const before = this.tree.text.slice(Math.max(0, keySpan.start - 100), keySpan.start);
    return !/(?:^|[\s{,])\?\s+$/.test(before);
  }

  /** Undefined where the cursor is not in it, or where a template has a hand in it. */
  private cleared(mapped: MappedText) {
    const whole = wholeOf(mapped);
    return this.tree.touchesTemplate(whole) ? undefined : withoutMark(mapped, this.at);
  }

  private isIn({ start, end }: Span): boolean {
    return start <= this.at && this.at <= end;
  }

  private fieldOf(value: Value, name: string): Entry | undefined {
    return isMap(value.node) ? this.tree.field(value, name) : undefined;
  }

  private itemsOf(value: Value, name: string): Value[] {
    const list = this.fieldOf(value, name);
    return list === undefined || !isSeq(list.node) ? [] : this.tree.items(list);
  }
}
