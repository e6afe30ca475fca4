import { describe, expect, it } from 'vitest';
import { menuItems } from '../../../../client/status/menu';
import { StatusStore } from '../../../../client/status/statusStore';
import { countdown, escapeMarkdown, statusView } from '../../../../client/status/statusText';
import { Emitter } from '../../../../client/common/emitter';
import type { ServerGone } from '../../../../client/lsp/lspClient';
import type { ConnectionStatus, RangeStreamAnswer } from '../../../../server/protocol/model';
import * as names from '../../../../server/protocol/names';
import { connected } from '../support';

const now = 1_000_000;
const view = (status: ConnectionStatus, more = {}) =>
  statusView({ status, trusted: true, serverGone: false, ...more }, now);
const answered = (rangeStream: RangeStreamAnswer) => view({ ...connected, rangeStream });

describe('statusView', () => {
  it.each<[RangeStreamAnswer, string, boolean]>([
    [{ answer: 'supported' }, 'etcd prod · RangeStream ✓', false],
    [{ answer: 'notSupported', retryAt: now + 492_000 }, 'etcd prod · pages (retry 8:12)', true],
    [{ answer: 'notSupported', retryAt: now }, 'etcd prod · pages', false],
    [{ answer: 'notSupported' }, 'etcd prod · pages', false],
    [{ answer: 'unknown', reason: 'HTTP 404' }, 'etcd prod · RangeStream ?', false],
    [{ answer: 'gateOff' }, 'etcd prod · RangeStream off', false],
  ])('says %o as %s', (answer, text, counting) => {
    expect(answered(answer)).toMatchObject({ text, counting });
  });

  it('says the other states', () => {
    expect(view({ state: 'disconnected' }).text).toBe('etcd: not connected');
    expect(view({ state: 'connecting', name: 'prod' }).text).toBe(
      '$(loading~spin) etcd prod · connecting',
    );
    expect(view({ ...connected, probing: true })).toMatchObject({
      text: '$(loading~spin) etcd prod · probing',
      label: 'etcd prod: probing',
    });
    expect(view({ state: 'disconnected' }, { trusted: false }).tooltip).toContain('not trusted');
    expect(view(connected, { serverGone: true }).text).toContain('server ended');
    const failure = { code: 'internal', sentence: 'It was given up.' } as const;
    const ended = view({ state: 'disconnected', failure }, { serverGone: true });
    expect(ended.tooltip).toContain('It was given up');
    expect(ended.label).toContain('It was given up');
  });

  it('has endpoint, version or problem of each member, and the reason, in the tooltip', () => {
    const { tooltip, label } = view({
      ...connected,
      members: [...connected.members, { endpoint: 'b:1', version: '', problem: 'refused <b>' }],
      rangeStream: { answer: 'unknown', reason: 'HTTP 404' },
      probedAt: now,
    });
    expect(tooltip).toContain('etcd 3\\.7\\.3');
    expect(tooltip).toContain('refused &lt;b\\>');
    expect(tooltip).toContain('HTTP 404');
    expect(tooltip).toContain('Last probe');
    expect(label).toContain('HTTP 404');
  });

  it('does not say the problem of a member twice', () => {
    const problem = 'etcd at b:1 cannot be reached: check the address.';
    const { tooltip, label } = view({
      ...connected,
      members: [{ endpoint: 'b:1', version: '', problem }],
      rangeStream: { answer: 'unknown', reason: problem },
    });
    expect(tooltip.match(/cannot be reached/g)).toHaveLength(1);
    expect(tooltip).toContain(String.raw`Whether RangeStream is supported is unknown\.`);
    expect(label).toContain('cannot be reached');
  });

  it('ends with one period, whether the reason is a sentence or not', () => {
    for (const reason of ['It was not asked yet.', 'It was not asked yet']) {
      const { tooltip, label } = answered({ answer: 'unknown', reason });
      expect(tooltip).toContain(String.raw`It was not asked yet\.` + '\n');
      expect(label).toMatch(/It was not asked yet$/);
    }
  });

  it('has a tooltip and a label that stand still while it counts', () => {
    const status = {
      ...connected,
      rangeStream: { answer: 'notSupported', retryAt: now + 60_000 },
    } as const;
    const facts = { status, trusted: true, serverGone: false };
    const [first, second] = [statusView(facts, now), statusView(facts, now + 5000)];
    expect([second.tooltip, second.label]).toEqual([first.tooltip, first.label]);
    expect([first.text, second.text]).toEqual([
      'etcd prod · pages (retry 1:00)',
      'etcd prod · pages (retry 0:55)',
    ]);
  });

  it('lets no name act: icons, lines, markup and links stay text', () => {
    const name = '$(bug)\n[x](command:y) <img src=x>' + 'n'.repeat(100);
    const { text, tooltip } = view({ ...connected, name });
    expect(text).not.toContain('$(bug)');
    expect(text).not.toContain('\n');
    expect(text.length).toBeLessThan(80);
    expect(tooltip).not.toMatch(/(?<!\\)[[(]x|<img|command:/);
  });
});

describe('countdown', () => {
  it.each([
    [1, '0:01'],
    [1000, '0:01'],
    [59_001, '1:00'],
    [600_000, '10:00'],
  ])('%d ms', (ms, text) => {
    expect(countdown(ms)).toBe(text);
  });
});

it('escapes Markdown', () => {
  expect(escapeMarkdown('a_b*[c](d)`e`\n<f>&#1;')).toBe(
    'a\\_b\\*\\[c\\]\\(d\\)\\`e\\` &lt;f\\>&amp;\\#1;',
  );
});

describe('the menu', () => {
  it('offers what makes sense, and only commands that exist', () => {
    const known = Object.values<string>(names.commands);
    const offered = (status: ConnectionStatus) =>
      menuItems({ status, trusted: true, serverGone: false }, true).map(({ command }) => command);
    expect(offered(connected)).toContain(names.commands.probe);
    expect(offered(connected)).toContain(names.commands.disconnect);
    expect(offered({ state: 'disconnected' })).not.toContain(names.commands.probe);
    expect(known).toEqual(expect.arrayContaining(offered(connected)));
  });
});

describe('StatusStore', () => {
  it('follows the server, and knows nothing is connected once it ended', () => {
    const lsp = {
      statusChanged: new Emitter<ConnectionStatus>(),
      serverGone: new Emitter<ServerGone>(),
    };
    const store = new StatusStore(lsp, true);
    const seen: string[] = [];
    store.changed.on(({ status, serverGone }) => seen.push(`${status.state} ${serverGone}`));
    lsp.statusChanged.fire(connected);
    lsp.serverGone.fire({ recovered: false });
    lsp.serverGone.fire({ recovered: true });
    store.dispose();
    lsp.statusChanged.fire(connected);
    expect(seen).toEqual(['connected false', 'disconnected true', 'disconnected false']);
    expect(lsp.statusChanged.size + lsp.serverGone.size).toBe(0);
  });
});
