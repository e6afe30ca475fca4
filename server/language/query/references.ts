/** Names of queries, and the tokens that others take from them. */
import { nearest } from '../../common/nearest';
import { cellText } from '../../kube/print/cellText';
import type { Span } from '../../kube/selectors';
import { finding, type Finding, type Fix } from '../findings';
import type { SelectedFrom } from '../model';
import type { MappedText } from '../source/mappedText';
import { placedEdits } from '../source/edits';
import type { Writing } from '../source/writing';
import type { Stated } from './draft';
import { shownAt } from './checkVersion';
import type { ContinueSource, QueryRequest } from './model';
import { hasLimit } from './paging';

export interface NamePart {
  readonly text: string;
  readonly span: Span;
}

/** What later queries want to know of one. */
export interface Finished {
  readonly request: QueryRequest;
  readonly from: SelectedFrom;
}

/** Names that are offered or compared. */
const MOST_NAMES = 200;
/** Comparing names takes time. */
const MOST_SEARCHES = 1_000;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/;
const REFERENCE = /^\{\{[ \t]*([^{}]{1,200}?)[ \t]*\}\}$/;

/** Which query has which name: the first that has it. */
export class QueryNames {
  private readonly indexes = new Map<string, number>();
  private readonly byIndex = new Map<number, string>();
  private readonly inOrder: { readonly index: number; readonly name: string }[] = [];
  private searches = 0;
  private readonly finished: (Finished | undefined)[] = [];

  /** Called for all queries in order, before any is checked. */
  declare(index: number, parts: readonly NamePart[]): Finding[] {
    const [part, second] = parts;
    if (part === undefined) return [];
    const findings: Finding[] = [];
    if (!IDENTIFIER.test(part.text)) {
      const message =
        'A name begins with a letter or _, and goes on with letters, digits, _ and -, up to 100.';
      findings.push(finding('query', message, part.span));
    } else if (this.indexes.has(part.text)) {
      const message = `Another query before this one is called ${part.text}.`;
      findings.push(finding('query', message, part.span));
    } else {
      this.indexes.set(part.text, index);
      this.byIndex.set(index, part.text);
      this.inOrder.push({ index, name: part.text });
    }
    if (second !== undefined) {
      findings.push(finding('query', 'This block has a name already.', second.span));
    }
    return findings;
  }

  /** Called for each query in order, when it was checked; undefined for one with errors. */
  finish(finished: Finished | undefined): void {
    this.finished.push(finished);
  }

  nameOf(index: number): string | undefined {
    return this.byIndex.get(index);
  }

  indexOf(name: string): number | undefined {
    return this.indexes.get(name);
  }

  finishedOf(index: number): Finished | undefined {
    return this.finished[index];
  }

  /** Of those the nearest to a name; of a file with very many wrong names only for the first ones. */
  near(name: string, index: number): string[] {
    this.searches++;
    return this.searches > MOST_SEARCHES ? [] : nearest(name, this.before(index));
  }

  /** Names of the queries before this one: of very many the last ones. */
  before(index: number): string[] {
    let low = 0;
    let high = this.inOrder.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.inOrder[middle]?.index ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return this.inOrder.slice(Math.max(0, low - MOST_NAMES), low).map(({ name }) => name);
  }
}

/** The name that `{{name.continue}}` takes its token from; undefined for any other text. */
export function referenceIn(text: string): string | undefined {
  return text.length > 300 ? undefined : REFERENCE.exec(text)?.[1];
}

export function referenceTo(name: string): string {
  return `{{${name}.continue}}`;
}

/** Nothing of a reference means anything to a shell. */
export function referenceWriting(writing: Writing | undefined): Writing | undefined {
  return writing === 'shell' ? 'plain' : writing;
}

/** The query that a reference names; undefined with a finding where there is none to take from. */
export function checkReference(
  inner: string,
  stated: Stated,
  index: number,
  names: QueryNames,
  findings: Finding[],
): ContinueSource | undefined {
  const span = shownAt(stated);
  const name = /^(.*?)[ \t]*\.[ \t]*continue$/.exec(inner)?.[1];
  if (name === undefined) {
    const message = `Only a token is taken from another query: write {{name.continue}}.`;
    findings.push(finding('query', message, span));
    return undefined;
  }
  const at = names.indexOf(name);
  if (at !== undefined && at < index) return { kind: 'query', name, index: at };
  findings.push(
    finding('query', whyNot(name, at, index), span, fixesOf(name, stated.text, index, names)),
  );
  return undefined;
}

function whyNot(name: string, at: number | undefined, index: number): string {
  const shown = cellText(name);
  if (at === undefined) return `No query before this one is called "${shown}".`;
  return at === index
    ? `A query cannot go on from itself.`
    : `The query "${shown}" comes later: a token is taken from one before.`;
}

function fixesOf(name: string, text: MappedText, index: number, names: QueryNames): Fix[] {
  return names.near(name, index).flatMap((near, i): Fix[] => {
    const put = referenceTo(near);
    const plain = { ...text, writing: referenceWriting(text.writing) };
    const edits = placedEdits(plain, [{ span: { start: 0, end: text.text.length }, text: put }]);
    return edits === undefined
      ? []
      : [{ title: `Take it from ${near}`, edits, preferred: i === 0 }];
  });
}

/** What is odd about a token of that query here, though it can be taken. */
export function referenceFindings(
  source: Finished | undefined,
  name: string,
  here: Finished,
  span: Span,
): Finding[] {
  if (source === undefined) return [];
  const { paging, limit } = source.request;
  if (paging === 'toEnd') {
    const message = `"${name}" reads to the end and leaves no token: nothing is left for this one.`;
    return [finding('no-effect', message, span)];
  }
  if (!hasLimit(limit)) {
    const message = `"${name}" has no limit and leaves no token: nothing is left for this one.`;
    return [finding('no-effect', message, span)];
  }
  if (isSameList(source, here)) return [];
  const message = `"${name}" lists something else: its token would start this list at a place of no meaning.`;
  return [finding('no-effect', message, span)];
}

/** A token's start key is relative to the prefix of the list, however that is named. */
function isSameList(a: Finished, b: Finished): boolean {
  if (a.request.resource === b.request.resource) {
    return a.request.namespace === b.request.namespace;
  }
  return (
    a.from.resource !== undefined &&
    a.from.resource === b.from.resource &&
    a.from.namespace === b.from.namespace
  );
}
