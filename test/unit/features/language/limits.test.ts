/** What the editor shows of very much. */
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from 'vscode-languageserver/node';
import type { Analyses, Looked } from '../../../../server/features/language/analyses';
import { SiteCounts } from '../../../../server/features/language/siteCounts';
import { Diagnostics, MOST } from '../../../../server/features/language/diagnostics';
import {
  foundIn,
  findingsAt,
  MOST_COMPARED,
  NO_MORE_HOVERS,
  type Severities,
  NOT_COMPARED,
} from '../../../../server/features/language/found';
import type { Analyst } from '../../../../server/features/language/analyst';
import { MOST_WITH_LENSES, siteLenses } from '../../../../server/features/language/sites';
import { finding, type Finding } from '../../../../server/language/findings';
import type { LabelIndex } from '../../../../server/language/index/labelIndex';
import type { StoredLabels } from '../../../../server/language/index/storedLabels';
import { NOTHING_FOUND, type SelectorSite } from '../../../../server/language/model';
import { indexOf } from '../../language/index/support';
import { nothingStored } from './support';

const text = 'x\n'.repeat(20_000);
const document = TextDocument.create('file:///a.yaml', 'yaml', 1, text);

const found = (findings: readonly Finding[], untold = {}): Looked => ({
  done: true,
  analysis: { ...NOTHING_FOUND, findings, untold },
});

async function shown(looked: Looked, severities: Severities = {}): Promise<Diagnostic[]> {
  const published: Diagnostic[][] = [];
  let show: () => void = () => undefined;
  const diagnostics = new Diagnostics({
    analyses: { of: () => Promise.resolve(looked) } as unknown as Analyses,
    stored: nothingStored,
    counts: new SiteCounts(),
    severities: () => severities,
    now: () => 0,
    publish: (params) => published.push([...params.diagnostics]),
    after: (_ms, action) => {
      show = action;
      return () => undefined;
    },
  });
  diagnostics.changed(document);
  show();
  await new Promise(setImmediate);
  return published.flat();
}

const at = (i: number) => ({ start: 2 * i, end: 2 * i + 1 });
const hints = (count: number): Finding[] =>
  Array.from({ length: count }, (_, i) => finding('duplicate-requirement', 'twice', at(i)));

describe('diagnostics', () => {
  it('are all of few', async () => {
    const diagnostics = await shown(found(hints(MOST)));
    expect(diagnostics.map(({ code }) => code)).toEqual(
      Array.from({ length: MOST }, () => 'duplicate-requirement'),
    );
  });

  it('are the most severe of many, and one more at the top that says how many there are', async () => {
    const error = finding('label-value', 'bad', at(15_000));
    const limit = finding('not-checked', 'large', at(16_000));
    const [more, ...others] = await shown(
      found([...hints(7_000), error, limit], { 'duplicate-requirement': 340, query: 2 }),
    );
    expect(more).toMatchObject({
      code: 'more-findings',
      severity: 3,
      range: { start: { line: 0, character: 0 } },
      message: 'Only 1,000 of 7,344 findings are shown, the most severe ones.',
    });
    expect(others).toHaveLength(MOST);
    expect(others.slice(-2).map(({ code }) => code)).toEqual(['label-value', 'not-checked']);
  });

  it('count nothing that is switched off, and are ordered by the severities of the settings', async () => {
    const error = finding('label-value', 'bad', at(15_000));
    const all = found([...hints(2_000), error], { 'duplicate-requirement': 340 });
    const off = await shown(all, { 'duplicate-requirement': 'off' });
    expect(off.map(({ code }) => code)).toEqual(['label-value']);
    const turned = await shown(all, { 'duplicate-requirement': 'error', 'label-value': 'hint' });
    expect(turned.map(({ code }) => code)).not.toContain('label-value');
    const silent = await shown(all, { 'more-findings': 'off' });
    expect(silent).toHaveLength(MOST);
  });

  it.each([
    ['tooLong', 'took more than ten seconds'],
    ['ended', 'too large or too deep'],
    ['fault', 'a fault of this extension'],
  ] as const)('say why a document is not looked at: %s', async (why, words) => {
    const [only] = await shown({ done: false, why });
    expect(only?.code).toBe('not-checked');
    expect(only?.message).toContain(words);
  });

  it('say nothing of a text that has changed', async () => {
    expect(await shown({ done: false, why: 'outdated' })).toEqual([]);
  });
});

const site = (i: number, resource: string | undefined = 'pods'): SelectorSite => ({
  form: 'text',
  span: at(i),
  anchor: at(i),
  from: { resource, namespace: undefined },
  requirements: [{ kind: 'label', span: at(i), key: 'app', operator: '=', values: ['none'] }],
  selects: [{ labels: 'app=none', fields: '' }],
  isWhole: true,
  empty: 'all',
});

function storing(index: LabelIndex): StoredLabels & { asked: number } {
  const stored = {
    ...nothingStored,
    asked: 0,
    index: (resource: string) => {
      stored.asked++;
      return resource === 'pods' ? index : undefined;
    },
  };
  return stored;
}

const sites = (count: number): SelectorSite[] => Array.from({ length: count }, (_, i) => site(i));
const looked = (all: readonly SelectorSite[], selectors = all.length): Looked => ({
  done: true,
  analysis: { ...NOTHING_FOUND, sites: all, selectors },
});
const messages = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ code, message }) => (code === 'not-checked' ? [message] : []));

describe('what is stored', () => {
  const index = indexOf([{ labels: { app: 'web' } }]);

  it('is compared with a bounded number of selectors, which is said at the next', async () => {
    const parts = { stored: storing(index), counts: new SiteCounts() };
    const messagesIn = async (all: readonly SelectorSite[]) =>
      messages((await foundIn(looked(all), parts)).findings);
    expect(await messagesIn(sites(MOST_COMPARED))).toEqual([]);
    const { findings } = await foundIn(looked(sites(MOST_COMPARED + 5)), parts);
    expect(findings).toHaveLength(MOST_COMPARED + 1);
    expect(findings.at(-1)).toMatchObject({ message: NOT_COMPARED, span: at(MOST_COMPARED) });
    const others = [...sites(MOST_COMPARED), site(MOST_COMPARED, 'nodes')];
    expect(await messagesIn(others)).toEqual([]);
    const without = { ...parts, stored: nothingStored };
    expect((await foundIn(looked(sites(MOST_COMPARED + 5)), without)).findings).toEqual([]);
  });

  it('is compared at a place with the selectors there alone', () => {
    const stored = storing(index);
    const near = findingsAt(looked(sites(900)), { stored, counts: new SiteCounts() }, at(20));
    expect(near.map(({ span }) => span)).toEqual([at(20)]);
    expect(stored.asked).toBe(1);
  });

  it('is counted above a bounded number of selectors, and the next says so', async () => {
    const parts = (count: number) => ({
      analyst: {} as unknown as Analyst,
      analyses: { of: () => Promise.resolve(looked(sites(count))) } as unknown as Analyses,
      stored: storing(index),
      counts: new SiteCounts(),
    });
    expect(await siteLenses(parts(MOST_WITH_LENSES), document)).toHaveLength(MOST_WITH_LENSES);
    const lenses = await siteLenses(parts(MOST_WITH_LENSES + 5), document);
    expect(lenses).toHaveLength(MOST_WITH_LENSES + 1);
    expect(lenses.at(-1)).toMatchObject({
      range: { start: { line: MOST_WITH_LENSES } },
      command: { title: expect.stringContaining('more than 1,000') as string, command: '' },
    });
  });
});

it('selectors without hovers are told', async () => {
  const parts = { stored: nothingStored, counts: new SiteCounts() };
  const { findings } = await foundIn(looked(sites(3), 7), parts);
  expect(findings).toMatchObject([{ message: NO_MORE_HOVERS, span: at(2) }]);
});
