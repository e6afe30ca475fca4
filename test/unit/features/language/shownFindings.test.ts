import { describe, expect, it } from 'vitest';
import { Analyses } from '../../../../server/features/language/analyses';
import { SiteCounts } from '../../../../server/features/language/siteCounts';
import { codeActions } from '../../../../server/features/language/codeActions';
import { MOST } from '../../../../server/features/language/diagnostics';
import type { Severities } from '../../../../server/features/language/found';
import { Analyst } from '../../../../server/features/language/analyst';
import { LONGEST_MS } from '../../../../server/features/language/pause';
import { analystOfDesk, diagnosticsOf, documentOf, nothingStored, Timers } from './support';

const pod = (value: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    app: ${value}\n`;

function setUp(severities: Severities = {}) {
  const desk = analystOfDesk();
  const current = { severities };
  const { diagnostics, timers, published } = diagnosticsOf(desk.analyses, {
    severities: () => current.severities,
  });
  const told = async () => {
    timers.pass(LONGEST_MS);
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    return published.at(-1);
  };
  return { diagnostics, desk, timers, published, current, told };
}

const wholeOf = (text: string) => ({
  start: { line: 0, character: 0 },
  end: { line: text.split('\n').length, character: 0 },
});

describe('diagnostics', () => {
  it('of a document that is closed while it is looked at are not shown', async () => {
    const { diagnostics, desk, published, told } = setUp();
    const document = documentOf(pod('a b'));
    desk.hold();
    diagnostics.changed(document);
    await told();
    diagnostics.closed(document.uri);
    desk.letGo();
    await told();
    expect(published.map(({ diagnostics: { length } }) => length)).toEqual([0]);
  });

  it('of one that was closed and opened anew are those of the new text', async () => {
    const { diagnostics, desk, published, told } = setUp();
    desk.hold();
    const before = documentOf(pod('a b'));
    diagnostics.changed(before);
    await told();
    diagnostics.closed(before.uri);
    diagnostics.changed(documentOf(pod('good')));
    await told();
    desk.letGo();
    await told();
    expect(published.map(({ diagnostics: { length } }) => length)).toEqual([0, 0]);
  });

  it('are as severe as the settings say, and none of what is off', async () => {
    const { diagnostics, current, told } = setUp({ 'label-value': 'hint' });
    diagnostics.changed(documentOf(pod('a b')));
    expect((await told())?.diagnostics).toMatchObject([{ severity: 4 }]);
    current.severities = { 'label-value': 'off' };
    diagnostics.again();
    expect((await told())?.diagnostics).toEqual([]);
  });

  it('are a thousand at most of what is shown, and how many more there are', async () => {
    const some = Array.from({ length: MOST }, (_, i) => `    k${i}: a b`).join('\n');
    const text = `${pod('a b')}${some}\n---\n${pod('0')}`;
    const { diagnostics, current, told } = setUp();
    diagnostics.changed(documentOf(text));
    const all = (await told())?.diagnostics ?? [];
    expect(all).toHaveLength(MOST + 1);
    expect(all[0]).toMatchObject({ code: 'more-findings' });
    current.severities = { 'label-value': 'off' };
    diagnostics.again();
    const left = (await told())?.diagnostics ?? [];
    expect(left.map(({ code }) => code)).toEqual(['not-a-string']);
  });
});

describe('fixes', () => {
  const text = pod('0');

  async function fixesOf(severities: Severities) {
    const { desk } = setUp();
    const parts = {
      ...desk,
      stored: nothingStored,
      counts: new SiteCounts(),
      severities: () => severities,
    };
    const document = documentOf(text);
    return codeActions(parts, {
      document,
      range: wholeOf(text),
      context: { diagnostics: [], only: ['quickfix'] },
    });
  }

  it('are those of what is shown', async () => {
    expect((await fixesOf({})).length).toBeGreaterThan(0);
    expect((await fixesOf({ 'not-a-string': 'hint' })).length).toBeGreaterThan(0);
    expect(await fixesOf({ 'not-a-string': 'off' })).toEqual([]);
  });
});

describe('a document that cannot be looked at', () => {
  it.each([
    ['for want of memory', {}, /too large or too deep/],
    ['by a fault of ours', { fault: 'no such module' }, /a fault of this extension/],
  ])('%s says so', async (_, end, message) => {
    const timers = new Timers();
    const analyst = new Analyst({
      startThread: ({ ended }) => ({
        send: ({ kind }) => {
          if (kind !== 'ask') return;
          queueMicrotask(() => {
            ended(end);
          });
        },
        stop: () => undefined,
        end: () => undefined,
      }),
      after: timers.after,
      fault: () => undefined,
    });
    const { diagnostics, published } = diagnosticsOf(new Analyses(analyst), { timers });
    diagnostics.changed(documentOf(pod('a')));
    timers.pass(LONGEST_MS);
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    const [{ diagnostics: found } = { diagnostics: [] }] = published;
    expect(found).toMatchObject([{ code: 'not-checked' }]);
    expect(found[0]?.message).toMatch(message);
  });
});
