/** Blanks and blank lines of a query file as everybody writes them. What is asked never changes. */
import type { Edit } from '../findings';
import { isSeparator, markLength } from './blocks';
import { BEFORE_ADDRESS, isGet } from './getForm';
import { type Line, lineFrom, skipBlanks, trimmedEnd } from '../source/lines';
import { LONGEST_REQUEST } from './options';
import { splitShell } from '../shell/commandLine';
import { readUrl } from './urlText';

/** Edits of blanks, line breaks and backslashes between words alone; in order. */
export function formatBlocks(text: string): Edit[] {
  return new Formatter(text).run();
}

const CONTINUATION = '    ';

class Formatter {
  private readonly edits: Edit[] = [];
  private readonly lineBreak: string;
  private hasRequest = false;
  /** Where what was last written ends. */
  private written: number;
  private isAfterSeparator = false;

  constructor(private readonly text: string) {
    this.written = markLength(text);
    this.lineBreak = /\r\n?|\n/.exec(text.slice(0, 100_000))?.[0] ?? '\n';
  }

  run(): Edit[] {
    const { text } = this;
    for (let at = this.written; at < text.length;) {
      const line = lineFrom(text, at, text.length);
      const start = skipBlanks(text, at, line.end);
      if (start >= line.end) {
        at = line.next;
        continue;
      }
      const isFirst = this.written === markLength(text);
      const separates = isSeparator(text, start);
      this.putGap(start, isFirst, separates || this.isAfterSeparator);
      this.isAfterSeparator = separates;
      at = this.putLine(start, trimmedEnd(text, start, line.end), separates);
      this.written = at;
      at = lineFrom(text, at, text.length).next;
    }
    this.putEnd();
    return this.edits;
  }

  private put(start: number, end: number, text: string): void {
    if (this.text.slice(start, end) !== text) this.edits.push({ span: { start, end }, text });
  }

  /** What stands between two lines: at most one blank line, and one around separators. */
  private putGap(start: number, isFirst: boolean, isApart: boolean): void {
    const gap = this.text.slice(this.written, start);
    const breaks = gap.match(/\r\n?|\n/g)?.length ?? 0;
    const wanted = isApart || breaks > 1 ? 2 : 1;
    // Brought to the begin of the file, this character would be a byte order mark.
    const first = this.text.charAt(start) === '\ufeff' ? 1 : 0;
    this.put(this.written, start, this.lineBreak.repeat(isFirst ? first : wanted));
  }

  private putEnd(): void {
    const { text } = this;
    const isEmpty = this.written === markLength(text);
    this.put(this.written, text.length, isEmpty ? '' : this.lineBreak);
  }

  /** Returns where the line, or the request that begins on it, ends. */
  private putLine(start: number, end: number, separates: boolean): number {
    if (separates) {
      this.hasRequest = false;
      this.putHashes(start, end, /^(#{3,})([ \t]*)/);
      return end;
    }
    if (this.text.charAt(start) === '#') {
      this.putHashes(start, end, /^(#+)([ \t]*)(?=@name(?:[ \t]|$))/);
      this.putName(start, end);
      return end;
    }
    if (this.hasRequest) return end;
    this.hasRequest = true;
    return this.putRequest(start, end);
  }

  /** One blank between `#`s and what follows. */
  private putHashes(start: number, end: number, pattern: RegExp): void {
    const [, hashes, blanks] =
      pattern.exec(this.text.slice(start, Math.min(end, start + 500))) ?? [];
    if (hashes === undefined || blanks === undefined) return;
    const from = start + hashes.length;
    if (from + blanks.length < end) this.put(from, from + blanks.length, ' ');
  }

  private putName(start: number, end: number): void {
    const shown = this.text.slice(start, Math.min(end, start + 500));
    const [, before, blanks] = /^(#+[ \t]*@name)([ \t]+)/.exec(shown) ?? [];
    if (before === undefined || blanks === undefined) return;
    const from = start + before.length;
    if (from + blanks.length < end) this.put(from, from + blanks.length, ' ');
  }

  private putRequest(start: number, end: number): number {
    const limit = this.requestLimit(start);
    const line = this.text.slice(start, Math.min(end, start + 200));
    const [word = ''] = line.split(/[ \t\\]/, 1);
    if (word === 'kubectl' || word === 'list') return this.putCommand(start, end, limit);
    return isGet(line) ? this.putGet(start, end, limit) : end;
  }

  /** Before the next separator. */
  private requestLimit(start: number): number {
    const most = Math.min(this.text.length, start + LONGEST_REQUEST);
    for (let at = start; at < most;) {
      const line = lineFrom(this.text, at, most);
      if (at > start && isSeparator(this.text, skipBlanks(this.text, at, line.end))) return at;
      at = line.next;
    }
    return most;
  }

  private putCommand(start: number, end: number, limit: number): number {
    const shell = splitShell(this.text, start, limit);
    const isUnclosed = shell.problems.some(({ kind }) => kind === 'unclosed');
    if (isUnclosed || limit - start >= LONGEST_REQUEST) return end;
    let last = start;
    for (const { span } of shell.words) {
      if (last > start) this.putBetween(last, span.start);
      this.putLineBreaks(span.start, span.end);
      last = span.end;
    }
    const { comment } = shell;
    if (comment === undefined) return this.dropJoints(last, shell.end);
    if (this.isBroken(last, comment.start)) return this.dropJoints(last, comment.start);
    this.put(last, comment.start, ' ');
    return trimmedEnd(this.text, comment.start, comment.end);
  }

  /** What stands between two words. */
  private putBetween(start: number, end: number): void {
    const isJoint = this.isBroken(start, end);
    this.put(start, end, isJoint ? ` \\${this.lineBreak}${CONTINUATION}` : ' ');
  }

  private putLineEnd(start: number, { next }: Line): void {
    this.put(start, next, this.lineBreak);
  }

  /** One kind for all of the file. */
  private putLineBreaks(start: number, end: number): void {
    const raw = this.text.slice(start, end);
    for (const { 0: match, index } of raw.matchAll(/\r\n?|\n/g)) {
      this.put(start + index, start + index + match.length, this.lineBreak);
    }
  }

  private isBroken(start: number, end: number): boolean {
    return /[\r\n]/.test(this.text.slice(start, end));
  }

  /** Backslashes behind the last word lead nowhere. The last line break stays. */
  private dropJoints(start: number, limit: number): number {
    const rest = this.text.slice(start, limit);
    if (!rest.includes('\\')) return start;
    const breaks = [...rest.matchAll(/\r\n?|\n/g)];
    const stop = start + (breaks.at(-1)?.index ?? rest.length);
    this.put(start, stop, '');
    return stop;
  }

  private putGet(start: number, end: number, limit: number): number {
    const word = BEFORE_ADDRESS.exec(this.text.slice(start, Math.min(end, start + 200)))?.[0];
    const wordEnd = start + (word?.length ?? 0);
    const address = skipBlanks(this.text, wordEnd, end);
    const url = readUrl(this.text, address, limit);
    if (word !== undefined && address < end) this.put(wordEnd, address, ' ');
    const first = lineFrom(this.text, start, limit);
    if (first.end < url.end) this.putLineEnd(end, first);
    for (let at = first.next; at < url.end;) {
      const line = lineFrom(this.text, at, limit);
      const from = skipBlanks(this.text, at, line.end);
      this.put(at, from, from > at ? CONTINUATION : '');
      if (line.end < url.end) this.putLineEnd(trimmedEnd(this.text, from, line.end), line);
      at = line.next;
    }
    // Blanks at the end of the last line go with the gap that follows.
    return Math.max(end, trimmedEnd(this.text, start, url.end));
  }
}
