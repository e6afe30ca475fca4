import { describe, expect, it } from 'vitest';
import { Desk } from '../../../server/analyst/desk';
import type { LanguageFile } from '../../../server/language/model';

const document = (version: number, text: string) => ({
  kind: 'text' as const,
  document: { uri: 'a', languageId: 'yaml', version, text },
});

const ask = (
  question: 'analysis' | 'spotAt' | 'siteAt' | 'actionsAt',
  about: unknown = null,
  uri = 'a',
) => ({
  kind: 'ask' as const,
  id: 7,
  uri,
  question,
  about,
});

class NotedFile implements LanguageFile {
  readonly texts: string[];
  constructor(text: string) {
    this.texts = [text];
  }
  update(text: string): void {
    if (text === 'bad') throw new Error('cannot');
    this.texts.push(text);
  }
  analysis() {
    return { findings: [], sites: [] };
  }
  spotAt(): undefined {
    return undefined;
  }
  actionsAt(offset: number) {
    return [{ title: `at ${offset}`, edits: [], preferred: false }];
  }
  siteAt(offset: number): never {
    throw new RangeError(`no site at ${offset}`);
  }
}

describe('the desk', () => {
  it('opens a document once, updates it, and forgets it', () => {
    const opened: NotedFile[] = [];
    const desk = new Desk(({ text }) => {
      const file = new NotedFile(text);
      opened.push(file);
      return file;
    });
    expect(desk.handle(document(1, 'one'))).toBeUndefined();
    desk.handle(document(2, 'two'));
    expect(opened.map(({ texts }) => texts)).toEqual([['one', 'two']]);
    expect(desk.handle(ask('analysis'))).toEqual({ id: 7, answer: { findings: [], sites: [] } });
    expect(desk.handle(ask('actionsAt', 3))).toMatchObject({ answer: [{ title: 'at 3' }] });
    expect(desk.handle(ask('actionsAt', 3, 'another'))).toEqual({ id: 7, answer: [] });
    desk.handle({ kind: 'forget', uri: 'a' });
    desk.handle(document(3, 'three'));
    expect(opened.map(({ texts }) => texts)).toEqual([['one', 'two'], ['three']]);
  });

  it('answers a fault with its stack, and opens anew what could not be updated', () => {
    const opened: string[] = [];
    const desk = new Desk(({ text }) => {
      opened.push(text);
      return new NotedFile(text);
    });
    desk.handle(document(1, 'one'));
    const reply = desk.handle(ask('siteAt', 3));
    expect(reply).toMatchObject({
      id: 7,
      fault: expect.stringContaining('no site at 3') as string,
    });
    expect(desk.handle(document(2, 'bad'))).toBeUndefined();
    expect(desk.handle(ask('analysis'))).toMatchObject({
      fault: expect.stringContaining('cannot') as string,
    });
    desk.handle(document(3, 'three'));
    expect(opened).toEqual(['one', 'three']);
  });

  it('finds nothing in a document of no language of ours', () => {
    const desk = new Desk(() => undefined);
    desk.handle(document(1, 'x'));
    expect(desk.handle(ask('analysis'))).toEqual({ id: 7, answer: { findings: [], sites: [] } });
    expect(desk.handle(ask('spotAt', 0))).toEqual({ id: 7, answer: undefined });
  });
});
