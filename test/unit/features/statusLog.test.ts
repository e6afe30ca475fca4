import { describe, expect, it } from 'vitest';
import { statusLine, statusLogger } from '../../../server/features/statusLog';
import type { ConnectionStatus } from '../../../server/protocol/model';

const connected = {
  state: 'connected',
  name: 'prod',
  connectionNumber: 1,
  endpoints: ['a:1', 'b:1'],
  root: '/registry',
  isDemo: false,
  probing: false,
  members: [
    { endpoint: 'a:1', version: '3.7.3', problem: '' },
    { endpoint: 'b:1', version: '', problem: 'It is down.' },
  ],
  rangeStream: { answer: 'supported' },
  probedAt: 1,
} as const satisfies ConnectionStatus;

describe('statusLine', () => {
  it('names the members and what they can', () => {
    expect(statusLine(connected)).toBe(
      'Connected to "prod" (a:1: etcd 3.7.3; b:1: It is down.). RangeStream is supported.',
    );
    const unknown = { answer: 'unknown', reason: 'The stream ended.' } as const;
    expect(statusLine({ ...connected, rangeStream: unknown })).toMatch(
      /RangeStream is unknown: The stream ended\.$/,
    );
  });

  it('keeps a name on one line', () => {
    expect(statusLine({ state: 'connecting', name: 'a\nb"' })).toBe('Connecting to "a\\\\nb\\"".');
  });
});

describe('statusLogger', () => {
  it('writes what is news, and not that a probe runs', () => {
    const lines: string[] = [];
    const take = statusLogger({ info: (line) => lines.push(line) });
    take({ state: 'disconnected' });
    take({ ...connected, probing: true });
    take(connected);
    take({ ...connected, probing: true });
    take({ ...connected, probedAt: 2 });
    take({ ...connected, rangeStream: { answer: 'gateOff' } });
    take({ state: 'disconnected' });
    expect(lines).toEqual([
      statusLine(connected),
      expect.stringContaining('gate EtcdRangeStream is off'),
      'Not connected.',
    ]);
  });

  it('says when a connection is lost, why, and when it is reached again', () => {
    const lines: string[] = [];
    const take = statusLogger({ info: (line) => lines.push(line) });
    const reason = 'a:1 does not answer.';
    const lost = {
      ...connected,
      unreachable: true,
      rangeStream: { answer: 'unknown', reason },
    } as const;
    take(connected);
    take(lost);
    take({ ...lost, probing: true });
    take(lost);
    take(connected);
    take(connected);
    take({ ...lost, rangeStream: { answer: 'gateOff' } });
    take({ state: 'disconnected', failure: { code: 'etcd', sentence: 'The demo ended.' } });
    expect(lines).toEqual([
      statusLine(connected),
      'Lost "prod": a:1 does not answer.',
      expect.stringMatching(
        /^Reached again: "prod" \(a:1: etcd 3\.7\.3;.*RangeStream is supported/,
      ),
      'Lost "prod": It does not answer.',
      'Not connected: The demo ended.',
    ]);
  });
});
