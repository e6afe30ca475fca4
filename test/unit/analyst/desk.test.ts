import { describe, expect, it } from 'vitest';
import { Desk } from '../../../server/analyst/desk';
import { NOTHING_FOUND, type LanguageFile } from '../../../server/language/model';
import { openDocument } from '../../../server/language/open';

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
    return NOTHING_FOUND;
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
    expect(desk.handle(ask('analysis'))).toEqual({ id: 7, answer: NOTHING_FOUND });
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
    expect(desk.handle(ask('analysis'))).toEqual({ id: 7, answer: NOTHING_FOUND });
    expect(desk.handle(ask('spotAt', 0))).toEqual({ id: 7, answer: undefined });
  });

  it('reads queries again by the custom resources that it is told of', () => {
    const desk = new Desk(openDocument);
    const text = 'list widgets\n';
    desk.handle({
      kind: 'text',
      document: { uri: 'a', languageId: 'etcdlist', version: 1, text },
    });
    const codes = (): unknown => {
      const reply = desk.handle(ask('analysis')) as { answer: { findings: { code: string }[] } };
      return reply.answer.findings.map(({ code }) => code);
    };
    expect(codes()).toEqual(['unknown-resource']);
    const widgets = {
      group: 'example.com',
      plural: 'widgets',
      otherNames: [],
      namespaced: undefined,
      selectablePaths: undefined,
    };
    desk.handle({ kind: 'resources', customResources: [widgets] });
    expect(codes()).toEqual([]);
    desk.handle({ kind: 'resources', customResources: [] });
    expect(codes()).toEqual(['unknown-resource']);
  });

  it('stops at a question that nobody waits for, at once or in the middle', () => {
    let looks = 0;
    let isStopped = (): boolean => true;
    const desk = new Desk(openDocument, (id) => {
      looks++;
      return id === 7 && isStopped();
    });
    const pods = Array.from(
      { length: 50 },
      (_, i) => `---\napiVersion: v1\nkind: Pod\nmetadata: {labels: {a${i}: b c}}\n`,
    );
    desk.handle(document(1, pods.join('')));
    expect(desk.handle(ask('analysis'))).toEqual({ id: 7, stopped: true });
    expect(looks).toBe(1);
    isStopped = () => looks > 20;
    expect(desk.handle(ask('analysis'))).toEqual({ id: 7, stopped: true });
    expect(looks).toBe(21);
    isStopped = () => false;
    const reply = desk.handle(ask('analysis')) as { answer: { findings: unknown[] } };
    expect(reply.answer.findings).toHaveLength(50);
  });

  it('stops within a document, and among queries', () => {
    const stopAfter = (most: number) => {
      let looks = 0;
      return new Desk(openDocument, () => ++looks > most);
    };
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: {labels: {a: b}}\nspec: {${'a: b, '.repeat(5_000)}}\n`;
    const within = stopAfter(3);
    within.handle(document(1, pod));
    expect(within.handle(ask('analysis'))).toEqual({ id: 7, stopped: true });
    const queries = stopAfter(3);
    const text = 'list pods\n###\n'.repeat(10);
    queries.handle({
      kind: 'text',
      document: { uri: 'a', languageId: 'etcdlist', version: 1, text },
    });
    expect(queries.handle(ask('analysis'))).toEqual({ id: 7, stopped: true });
  });
});
