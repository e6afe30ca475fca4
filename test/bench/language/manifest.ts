/** The texts that are measured: many documents, or all of them as the items of one List. */
import { changing, documentsOf } from './application';

export type Shape = 'documents' | 'list';

/** Where a text ends: behind the document that brings it there. */
export type Until = { readonly lines: number } | { readonly bytes: number };

export function manifestOf(shape: Shape, until: Until): string {
  const isList = shape === 'list';
  const pieces = [isList ? 'apiVersion: v1\nkind: List\nitems:\n' : ''];
  let [lines, bytes] = [isList ? 3 : 0, pieces[0]?.length ?? 0];
  const isEnough = (): boolean => ('lines' in until ? lines >= until.lines : bytes >= until.bytes);
  for (let i = 0; !isEnough(); i++) {
    for (const document of documentsOf(i)) {
      if (isEnough()) break;
      const piece = isList ? itemOf(document) : `---\n${document}`;
      pieces.push(piece);
      lines += linesOf(piece);
      bytes += piece.length;
    }
  }
  return pieces.join('');
}

const itemOf = (document: string): string => `- ${document.replaceAll(/\n(?=.)/g, '\n  ')}`;

export function linesOf(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Places of the Deployment in the middle of a text, as offsets. */
export interface Spots {
  /** The one character that a keystroke changes, which means nothing. */
  readonly change: number;
  /** Of the word that counts its replicas: the field's value. */
  readonly replicas: number;
  /** In front of the value of a label in its selector. */
  readonly labelValue: number;
  /** In the key of a field. */
  readonly field: number;
  /** In the word `matchLabels` of its selector. */
  readonly selector: number;
}

/** Throws where the text has no Deployment. */
export function spotsOf(text: string): Spots {
  const kind = text.lastIndexOf('kind: Deployment', text.length / 2);
  const behind = (words: string): number => {
    const at = text.indexOf(words, kind);
    if (kind < 0 || at < 0) throw new Error(`the text has no Deployment with ${words}`);
    return at + words.length;
  };
  const selector = behind('matchLabels');
  return {
    change: behind(changing) - 2,
    replicas: behind('replicas: '),
    labelValue: text.indexOf('app: ', selector) + 'app: '.length,
    field: behind('revisionHist'),
    selector: selector - 3,
  };
}

/** The text with another character in the place of a keystroke. */
export function changed(text: string, { change }: Spots, keystroke: number): string {
  return text.slice(0, change) + String(keystroke % 10) + text.slice(change + 1);
}

/** The document that a place lies in, of a text of many. */
export function documentAround(text: string, offset: number): string {
  const start = text.lastIndexOf('---\n', offset);
  const end = text.indexOf('---\n', offset);
  return text.slice(Math.max(0, start), end < 0 ? text.length : end);
}

export interface Place {
  readonly line: number;
  readonly character: number;
}

export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: linesOf(before), character: offset - before.lastIndexOf('\n') - 1 };
}
