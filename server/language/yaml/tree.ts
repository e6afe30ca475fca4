/** One parsed document, seen without aliases and merges. */
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Span } from '../../kube/selectors';
import { Anchors } from './anchors';
import { readScalar, type Reading } from './scalars';
import type { MappedText } from '../source/mappedText';
import { scalarText } from '../source/yamlScalar';
import { touchesAny, type MaskedText } from './templates';

export type Content = Scalar | YAMLMap | YAMLSeq;

/** A value where it stands. */
export interface Value {
  /** Aliases are followed; undefined where there is nothing to be read. */
  readonly node: Content | undefined;
  /** Its own characters, those of the alias that leads to it, or none where it is missing. */
  readonly span: Span;
  /**
   * All that may belong to it: from its key, or its beginning in a list, to what comes next. Of an
   * aliased value, where that value stands.
   */
  readonly region: Span;
  /** It stands in this place itself and may be edited here. */
  readonly isDirect: boolean;
  /** A template stands beside it, so that others may be written in its place. */
  readonly isDoubtful: boolean;
}

export interface Entry extends Value {
  readonly key: Scalar;
  readonly keySpan: Span;
}

/** What may be reached through aliases, which can make much of little: each value counts as one, and its length. */
export const MOST_ALIASED = 50_000;
/** Characters that count as much as a value. */
const AS_MUCH_AS_VALUE = 256;
const DEEPEST_MERGE = 10;

interface Gathering {
  readonly isDirect: boolean;
  readonly isWanted: ((key: unknown) => boolean) | undefined;
  readonly depth: number;
  readonly out: Entry[];
}

export class Tree {
  private aliased = 0;
  private readonly anchors: Anchors;

  constructor(
    private readonly content: unknown,
    private readonly masked: MaskedText,
    /** Where the text stops to be sound YAML; what stands behind may belong elsewhere. */
    readonly soundUntil: number,
  ) {
    this.anchors = new Anchors(content);
  }

  /** More was asked for than is given: what is read from here on may lack parts. */
  get isExhausted(): boolean {
    return this.aliased > MOST_ALIASED;
  }

  /** How much was reached through aliases. */
  get aliasedValues(): number {
    return Math.min(this.aliased, MOST_ALIASED);
  }

  /** What was parsed: templates are masked in it. */
  get text(): string {
    return this.masked.text;
  }

  root(): Value {
    return this.valueOf(this.content, { start: 0, end: this.text.length }, true);
  }

  touchesTemplate(span: Span): boolean {
    return touchesAny(span, this.masked.templates);
  }

  mapped(node: Content | undefined): MappedText | undefined {
    if (!isScalar(node) || typeof node.value !== 'string') return undefined;
    return scalarText(node, this.text, node.value);
  }

  /** The value is all that stands there, and stands where it seems to. */
  isCertain({ region, isDoubtful }: Value): boolean {
    return !isDoubtful && region.end <= this.soundUntil;
  }

  /**
   * What a map holds, merged maps included, in the order in which Kubernetes' library takes them: of
   * equal keys the last one counts. Pairs whose key is no scalar are left out. With `isWanted`, only
   * pairs whose key, as it is written, it accepts.
   */
  entries(value: Value, isWanted?: (key: unknown) => boolean): Entry[] {
    const out: Entry[] = [];
    this.gather(value, { isDirect: value.isDirect, isWanted, depth: DEEPEST_MERGE, out });
    return out;
  }

  /** The entry of a map that counts for a key; keys are compared as they are written. */
  field(value: Value, name: string): Entry | undefined {
    return isMap(value.node) ? this.entries(value, (key) => key === name).at(-1) : undefined;
  }

  items(value: Value): Value[] {
    const { node, region, isDirect } = value;
    if (!isSeq(node) || !this.grants(node, isDirect)) return [];
    return node.items.map((item, i) => {
      const start = startOf(item) ?? region.end;
      const end = startOf(node.items[i + 1]) ?? region.end;
      return this.valueOf(item, { start, end }, isDirect);
    });
  }

  private gather(value: Value, gathering: Gathering): void {
    const { node, region } = value;
    const { isDirect, isWanted } = gathering;
    if (!isMap(node) || !this.grants(node, isDirect)) return;
    const pairs = node.items;
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i];
      if (pair === undefined || !mayBeWanted(pair.key, isWanted)) continue;
      this.take(pair, startOf(pairs[i + 1]?.key) ?? region.end, gathering);
    }
  }

  /** One pair, which nothing else belongs to up to `end`. */
  private take(pair: Pair, end: number, gathering: Gathering): void {
    const { isDirect, isWanted, out } = gathering;
    const key = isAlias(pair.key) ? this.anchors.follow(pair.key) : pair.key;
    const keySpan = spanOf(pair.key);
    if (!isScalar(key) || keySpan === undefined) return;
    const region = { start: keySpan.start, end };
    if (key.value === '<<' && isMerge(key)) {
      this.merge(this.valueOf(pair.value, region, isDirect), gathering);
    } else if (isWanted?.(key.value) !== false) {
      const value = this.valueOf(pair.value, region, isDirect);
      out.push(entryOf(value, key, keySpan));
    }
  }

  private merge(value: Value, gathering: Gathering): void {
    const depth = gathering.depth - 1;
    if (depth === 0) {
      this.aliased = Infinity;
      return;
    }
    const merged = { ...gathering, isDirect: false, depth };
    this.gather(value, merged);
    // The earlier ones of a list take precedence.
    for (const item of this.items(value).reverse()) this.gather(item, merged);
  }

  private valueOf(node: unknown, region: Span, isDirect: boolean): Value {
    const span = spanOf(node) ?? { start: region.end, end: region.end };
    const isDoubtful = this.touchesTemplate(region);
    if (!isAlias(node)) return { node: contentOf(node), span, region, isDirect, isDoubtful };
    const aliased = contentOf(this.anchors.follow(node));
    const followed = isScalar(aliased) && !this.grants(aliased, false) ? undefined : aliased;
    const there = wholeOf(followed) ?? region;
    return {
      node: followed,
      span,
      region: there,
      isDirect: false,
      isDoubtful: isDoubtful || this.touchesTemplate(there),
    };
  }

  /** Whether what it holds is given. */
  private grants(node: Content, isDirect: boolean): boolean {
    if (isDirect) return true;
    const [start, end] = rangeOf(node) ?? [0, 0];
    const values = isScalar(node) ? 1 : node.items.length;
    this.aliased += values + Math.floor((end - start) / AS_MUCH_AS_VALUE);
    return !this.isExhausted;
  }
}

/** Looks at most keys no closer than it has to. */
function mayBeWanted(key: unknown, isWanted: Gathering['isWanted']): boolean {
  if (isWanted === undefined) return true;
  if (typeof key !== 'object' || key === null || !('value' in key)) return true;
  return key.value === '<<' || isWanted(key.value);
}

/** Spelled out, since there are many of them. */
function entryOf(value: Value, key: Scalar, keySpan: Span): Entry {
  const { node, span, region, isDirect, isDoubtful } = value;
  return { node, span, region, isDirect, isDoubtful, key, keySpan };
}

function contentOf(node: unknown): Content | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node : undefined;
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  const isNode = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
  return (isNode ? node.range : undefined) ?? undefined;
}

/** Without the line's end, blanks and comments, which the parser counts to a collection in block style. */
export function spanOf(node: unknown): Span | undefined {
  const start = startOf(node);
  if (start === undefined) return undefined;
  let last = node;
  while ((isMap(last) || isSeq(last)) && last.flow !== true && last.items.length > 0) {
    const item: unknown = last.items.at(-1);
    last = isPair(item) ? (startOf(item.value) === undefined ? item.key : item.value) : item;
  }
  return { start, end: Math.max(start, rangeOf(last)?.[1] ?? start) };
}

function wholeOf(node: unknown): Span | undefined {
  const range = rangeOf(node);
  return range && { start: range[0], end: range[2] };
}

function startOf(node: unknown): number | undefined {
  return rangeOf(node)?.[0];
}

/** Of a key that is written `<<`. Upstream: `isMerge` of `go.yaml.in/yaml/v2`. */
function isMerge(key: Scalar): boolean {
  return key.tag === undefined ? key.type === 'PLAIN' : key.tag === 'tag:yaml.org,2002:merge';
}

/** What Kubernetes reads there; undefined for a map or a list. */
export function readingOf(node: Content | undefined): Reading | undefined {
  if (node === undefined) return { as: 'null' };
  if (!isScalar(node)) return undefined;
  const text = typeof node.value === 'string' ? node.value : '';
  return readScalar({ text, isPlain: node.type === 'PLAIN', tag: node.tag ?? '' });
}

/** The text there, where Kubernetes reads one. */
export function textOf(value: Value | undefined): string | undefined {
  const read = value && readingOf(value.node);
  return read?.as === 'string' ? read.text : undefined;
}
