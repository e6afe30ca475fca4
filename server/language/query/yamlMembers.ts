/** Names of members, where one may be typed in a query that is written in YAML. */
import { isMap, isScalar, type ParsedNode } from 'yaml';
import type { Span } from '../../kube/selectors';
import { plainlyMapped } from '../source/mappedText';
import { columnOf, lineAround } from '../yaml/blockLines';
import type { Place } from './draft';
import { YAML_FIELDS } from './yamlFields';

/** At a key, at a word that lacks its colon, and where a key may begin. */
export function memberPlaceIn(
  source: string,
  contents: ParsedNode | null,
  offset: number,
): Place | undefined {
  if (isScalar(contents)) {
    const word = { start: contents.range[0], end: contents.range[1] };
    return covers(word, offset) ? memberPlace(source, word, []) : undefined;
  }
  if (!isMap(contents)) return undefined;
  const keys = contents.items.map(({ key }) => spanOf(key));
  const namesBut = (own: Span | undefined): string[] =>
    keys.filter((key) => key !== own).map((key) => plain(source, key).text);
  const at = keys.find((key) => covers(key, offset));
  if (at !== undefined) return memberPlace(source, at, namesBut(at));
  const column = contents.flow === true ? undefined : columnOf(source, keys[0]?.start ?? 0);
  return column === columnOf(source, offset)
    ? blankPlace(source, offset, namesBut(undefined))
    : undefined;
}

/** On a line with nothing on it; undefined on any other. */
export function blankPlace(
  source: string,
  offset: number,
  given: readonly string[] = [],
): Place | undefined {
  const { before, behind } = lineAround(source, offset);
  if (`${before}${behind}`.trim() !== '') return undefined;
  return memberPlace(source, { start: offset, end: offset }, given);
}

const CHOICES = YAML_FIELDS.map(({ name, about }) => ({ text: name, detail: about }));

/** Undefined where no name can stand. */
function memberPlace(source: string, key: Span, given: readonly string[]): Place | undefined {
  const { text, start, isQuoted } = plain(source, key);
  if (!/^\w*$/.test(text)) return undefined;
  const hasColon = /^[ \t]*:/.test(source.slice(key.end, key.end + FAR));
  return {
    kind: 'choice',
    text: plainlyMapped(text, start),
    writingIn: () => 'plain',
    choices: CHOICES,
    given,
    isInSchema: true,
    // Nothing can be put behind a quote that is not replaced.
    ...(hasColon || isQuoted ? {} : { behind: ': ' }),
  };
}

/** Blanks before a colon that are looked behind; more were written by no person. */
const FAR = 200;

/** Without its quotes. */
function plain(
  source: string,
  { start, end }: Span,
): { readonly text: string; readonly start: number; readonly isQuoted: boolean } {
  const text = source.slice(start, end);
  const inner = /^(["'])(.*)\1$/s.exec(text)?.[2];
  return inner === undefined
    ? { text, start, isQuoted: false }
    : { text: inner, start: start + 1, isQuoted: true };
}

function spanOf({ range: [start, end] }: ParsedNode): Span {
  return { start, end };
}

function covers({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}
