import { describe, expect, it } from 'vitest';
import { readingNotes } from '../../../server/cli/readingNotes';
import { parseLabelSelector } from '../../../server/kube/selectors';
import type { ListOptions } from '../../../server/store/interfaces';

interface Asked {
  readonly selector?: string;
  readonly limit?: bigint;
  readonly token?: string;
  readonly version?: string;
  readonly match?: string;
  readonly recursive?: boolean;
}

function options(asked: Asked): ListOptions {
  return {
    key: '/pods',
    recursive: asked.recursive ?? true,
    resourceVersion: asked.version ?? '',
    resourceVersionMatch: asked.match ?? '',
    predicate: {
      label: asked.selector === undefined ? undefined : parseLabelSelector(asked.selector),
      field: undefined,
      limit: asked.limit ?? 0n,
      continueToken: asked.token ?? '',
    },
  };
}

describe('what is said before a list is read', () => {
  it.each<Asked>([
    { version: '0' },
    { version: '0', limit: 500n },
    { version: '0', match: 'NotOlderThan' },
    { version: '0', recursive: false },
    { version: '7' },
    { version: '7', limit: 500n, match: 'NotOlderThan' },
  ])('an API server answers %o from its watch cache', (asked) => {
    const [note, ...more] = readingNotes(options(asked), 'auto');
    expect(note).toContain(`with --resource-version=${asked.version ?? ''} an API server answers`);
    expect(more).toEqual([]);
    expect(readingNotes(options(asked), 'auto', 'watch-cache')).toEqual([]);
  });

  it.each<Asked>([
    {},
    { limit: 500n },
    { token: 'T', version: '0' },
    { version: '7', limit: 500n },
    { version: '7', match: 'Exact' },
  ])('%o may reach etcd, so nothing is said', (asked) => {
    expect(readingNotes(options(asked), 'auto')).toEqual([]);
  });

  it('a stream that was asked for and that the rules do not allow', () => {
    const paged = options({ selector: 'a=b', limit: 500n });
    for (const mode of ['on', 'force'] as const) {
      expect(readingNotes(paged, mode)).toEqual([
        expect.stringMatching(/limit and a selector is never streamed.*--chunk-size=0/),
      ]);
      expect(readingNotes(options({ selector: 'a=b' }), mode)).toEqual([]);
      expect(readingNotes(options({ limit: 500n }), mode)).toEqual([]);
      expect(readingNotes(options({ recursive: false }), mode)[0]).toContain('single key');
    }
    for (const mode of ['auto', 'off'] as const) expect(readingNotes(paged, mode)).toEqual([]);
  });
});
