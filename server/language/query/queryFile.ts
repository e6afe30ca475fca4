/** A query file (`*.etcdlist`): blocks, each with one request. */
import { nearest } from '../../common/nearest';
import { cellText } from '../../kube/print/cellText';
import type { Span } from '../../kube/selectors';
import { finding, type Edit, type Finding, type Fix } from '../findings';
import { shownNumber } from '../index/nouns';
import type { Analysis, CompletionSpot, SelectorSite } from '../model';
import { readBlocks, type Block, type Blocks } from './blocks';
import { analysisOf, CheckedQueries, type Unit } from './checkedQueries';
import { START_CHOICES } from './choices';
import type { DraftRead } from './draft';
import { formatBlocks } from './format';
import { isGet, readGet } from './getForm';
import { readKubectl } from './kubectlForm';
import {
  isLineBreak,
  linesBetween,
  skipBlanks,
  trimmedEnd,
  withoutBlankEnd,
} from '../source/lines';
import { readList } from './listForm';
import { auditEvent } from './auditEvent';
import { commentMarks, orderedMarks } from './marks';
import type { Mark, Query, QueryDocument, QuerySymbol } from './model';
import { LONGEST_FILE, LONGEST_REQUEST, MOST_BLOCKS, type QueryFileOptions } from './options';
import { spotOf } from './spots';

export class QueryFile implements QueryDocument {
  private readonly read: Blocks;
  private checked: CheckedQueries | undefined;

  constructor(
    private readonly text: string,
    private readonly options: QueryFileOptions = {},
  ) {
    this.read = text.length > LONGEST_FILE ? NONE : readBlocks(text, MOST_BLOCKS);
  }

  analysis(): Analysis {
    return analysisOf(this.queriesChecked(), this.limitFindings());
  }

  queries(): readonly Query[] {
    return this.queriesChecked().queries;
  }

  isWhole(): boolean {
    return this.limitFindings().length === 0;
  }

  siteAt(offset: number): SelectorSite | undefined {
    return this.queriesChecked().siteAt(offset);
  }

  actionsAt(offset: number): Fix[] {
    return this.queriesChecked().actionsAt(offset, this.text);
  }

  spotAt(offset: number): CompletionSpot | undefined {
    const block = this.read.blocks.find(({ span }) => span.start <= offset && offset <= span.end);
    if (this.text.length > LONGEST_FILE) return undefined;
    const start = block?.request;
    if (start === undefined || offset < start) return this.startSpot(offset);
    const place = this.queriesChecked().placeAt(offset);
    if (place !== undefined) return spotOf(place.place, offset, place);
    return offset <= this.wordEnd(start) ? this.startSpot(offset) : undefined;
  }

  symbols(): readonly QuerySymbol[] {
    const queries = this.queries();
    let at = 0;
    return this.read.blocks.map((block): QuerySymbol => {
      const query = block.request === undefined ? undefined : queries[at++];
      return symbolOf(this.text, block, query);
    });
  }

  folds(): readonly Span[] {
    return this.read.blocks.flatMap(({ span }) => {
      const fold = withoutBlankEnd(this.text, span);
      return fold.end > fold.start ? [fold] : [];
    });
  }

  semanticTokens(): readonly Mark[] {
    if (this.text.length > LONGEST_FILE) return [];
    const { marks } = this.queriesChecked();
    return orderedMarks(this.text, [...marks, ...commentMarks(this.text)]);
  }

  format(): readonly Edit[] {
    return this.read.rest === undefined && this.text.length <= LONGEST_FILE
      ? formatBlocks(this.text)
      : [];
  }

  private queriesChecked(): CheckedQueries {
    this.checked ??= new CheckedQueries(this.units(), this.options);
    return this.checked;
  }

  private units(): Unit[] {
    return this.read.blocks.flatMap((block) =>
      block.request === undefined ? [] : [unitOf(this.text, block, block.request)],
    );
  }

  private limitFindings(): Finding[] {
    if (this.text.length > LONGEST_FILE) {
      const message = `This file is too large to be looked at: more than ${LONGEST_FILE / 1024 / 1024} MiB.`;
      return [finding('not-checked', message, { start: 0, end: 1 })];
    }
    const { rest } = this.read;
    if (rest === undefined) return [];
    const message = `Only the first ${shownNumber(MOST_BLOCKS)} blocks are looked at.`;
    return [finding('not-checked', message, { start: rest, end: rest + 3 })];
  }

  private wordEnd(start: number): number {
    let end = start;
    while (end < this.text.length && !/\s/.test(this.text.charAt(end))) end++;
    return end;
  }

  /** Where a request may begin: alone on its line, or on the first word that is there. */
  private startSpot(offset: number): CompletionSpot | undefined {
    let start = offset;
    while (start > 0 && !isLineBreak(this.text.charAt(start - 1))) start--;
    const word = skipBlanks(this.text, start, this.text.length);
    const end = this.wordEnd(word);
    if (offset < word) return choiceSpot(this.text, offset, offset, offset);
    if (offset > end || this.text.charAt(word) === '#') return undefined;
    return choiceSpot(this.text, word, offset, end);
  }
}

const NONE: Blocks = { blocks: [], rest: undefined };

function choiceSpot(text: string, start: number, offset: number, end: number): CompletionSpot {
  return {
    kind: 'choice',
    span: { start, end },
    typed: text.slice(start, offset),
    from: { resource: undefined, namespace: undefined },
    key: '',
    given: [],
    choices: START_CHOICES,
    writing: 'plain',
  };
}

function unitOf(text: string, block: Block, start: number): Unit {
  const { end } = block.span;
  const { span, line, names, title } = block;
  const base = { span, line, names, ...(title === '' ? {} : { title }) };
  const limit = Math.min(end, start + LONGEST_REQUEST);
  const lineEnd = firstLineEnd(text, start, limit);
  const read = readRequest(text, start, lineEnd, limit);
  if (read === undefined) return { ...base, ...unknownStart(text, start, lineEnd) };
  if (limit < end && read.end >= limit) return { ...base, ...tooLong(start) };
  const { draft } = read;
  const findings = trailingFindings(text, read.end, end);
  return { ...base, anchor: draft.anchor, draft, findings };
}

function tooLong(start: number): Pick<Unit, 'anchor' | 'draft' | 'findings'> {
  const message = `This request is too long to be looked at: more than ${LONGEST_REQUEST / 1024} KiB.`;
  const anchor = { start, end: start + 1 };
  return { anchor, draft: undefined, findings: [finding('not-checked', message, anchor)] };
}

function firstLineEnd(text: string, start: number, limit: number): number {
  for (const { end } of linesBetween(text, start, limit)) return end;
  return limit;
}

function readRequest(
  text: string,
  start: number,
  lineEnd: number,
  end: number,
): DraftRead | undefined {
  const line = text.slice(start, Math.min(lineEnd, start + 200));
  const [word = ''] = line.split(/[ \t\\]/, 1);
  if (word === 'kubectl') return readKubectl(text, start, end);
  if (word === 'list') return readList(text, start, end);
  return isGet(line) ? readGet(text, start, end) : undefined;
}

/** Of a word that begins no request. */
const LONGEST_SHOWN = 60;

/** Other verbs of HTTP and other commands, and what to write for them. */
const OTHER_STARTS: ReadonlyMap<string, string> = new Map([
  ['oc', 'kubectl'],
  ['k', 'kubectl'],
  ['kubectl.exe', 'kubectl'],
  ['LIST', 'list'],
  ['List', 'list'],
  ['get', 'kubectl get'],
  ['Get', 'GET'],
]);

function unknownStart(
  text: string,
  start: number,
  lineEnd: number,
): Pick<Unit, 'anchor' | 'draft' | 'findings'> {
  const [word = ''] = text.slice(start, Math.min(lineEnd, start + 200)).split(/[ \t]/, 1);
  const anchor = { start, end: start + word.length };
  if (/^[$%>]$/.test(word)) return promptStart(text, start, anchor, lineEnd);
  const event = auditEvent(text, start, lineEnd);
  if (event !== undefined) return { anchor: event.span, draft: undefined, findings: [event] };
  const others = /^(?:POST|PUT|PATCH|DELETE|HEAD|OPTIONS|WATCH)$/.test(word)
    ? ['GET']
    : [OTHER_STARTS.get(word) ?? nearest(word, ['kubectl', 'GET', 'list'], 1)[0] ?? []].flat();
  const fixes = others.map((put) => ({
    title: `Change to ${put}`,
    edits: [{ span: anchor, text: put }],
    preferred: true,
  }));
  const shown = word.length > LONGEST_SHOWN ? `${word.slice(0, LONGEST_SHOWN)}…` : word;
  const message = `"${cellText(shown)}" begins no request: write kubectl get, GET or list.`;
  return { anchor, draft: undefined, findings: [finding('query', message, anchor, fixes)] };
}

/** The prompt of a shell that was copied along. */
function promptStart(
  text: string,
  start: number,
  anchor: Span,
  lineEnd: number,
): Pick<Unit, 'anchor' | 'draft' | 'findings'> {
  const span = { start, end: skipBlanks(text, anchor.end, lineEnd) };
  const fix = { title: 'Remove the prompt', edits: [{ span, text: '' }], preferred: true };
  const message = 'This is the prompt of a shell, and no part of a request.';
  return { anchor, draft: undefined, findings: [finding('query', message, anchor, [fix])] };
}

/** A block holds one request; blank lines and comments may follow it. */
function trailingFindings(text: string, from: number, end: number): Finding[] {
  for (const line of linesBetween(text, from, end)) {
    const start = skipBlanks(text, line.start, line.end);
    if (start >= line.end || text.charAt(start) === '#') continue;
    const fix = {
      title: 'Put ### before it',
      edits: [{ span: { start: line.start, end: line.start }, text: '###\n\n' }],
      preferred: true,
    };
    const span = { start, end: trimmedEnd(text, start, line.end) };
    const message = 'A block holds one request: put ### between two.';
    return [finding('query', message, span, line.start === from ? [] : [fix])];
  }
  return [];
}

function symbolOf(text: string, { span, title, separator }: Block, query: Query | undefined) {
  const anchor = query?.anchor ?? separator ?? { start: span.start, end: span.start };
  const line = query === undefined ? '' : requestLine(text, query.anchor.start, span.end);
  const name = query?.name ?? (title === '' ? line : title);
  const shown = name === '' ? '###' : cellText(name);
  return { name: shown, detail: name === line ? '' : cellText(line), span, selection: anchor };
}

const LONGEST_LINE_SHOWN = 200;

function requestLine(text: string, start: number, limit: number): string {
  const end = firstLineEnd(text, start, limit);
  return text.slice(start, Math.min(end, start + LONGEST_LINE_SHOWN)).trim();
}
