import { describe, expect, it } from 'vitest';
import { ExitCode, StoppedError } from '../../../server/cli/exit';
import { runList, type ListRun } from '../../../server/cli/follow';
import type { RowWriter, StoredValue } from '../../../server/cli/output/rows';
import { Reporter } from '../../../server/cli/reporter';
import { concatBytes, nextKey, utf8 } from '../../../server/common/bytes';
import { encodeContinue } from '../../../server/store/continueToken';
import { StoreError } from '../../../server/store/errors';
import {
  ListFailedError,
  type ListOptions,
  type ListResult,
  type TotalRecord,
} from '../../../server/store/interfaces';
import { keptContext, type KeptContext } from './support';

const prefix = utf8('/registry/pods/');

const total: TotalRecord = {
  requests: 1,
  fetched: 1,
  examined: 1,
  evaluated: 1,
  returned: 1,
  resourceVersion: 9n,
  continueToken: '',
  remainingItemCount: null,
  naiveRequests: 1,
  streamed: false,
  largestReplyBytes: 1,
  durationMs: 1,
};

type Page = Partial<ListResult<StoredValue>>;

function result(page: Page): ListResult<StoredValue> {
  return {
    items: [],
    resourceVersion: 9n,
    continueToken: '',
    remainingItemCount: null,
    unreadable: [],
    lastKey: undefined,
    receipt: { requests: [], total },
    ...page,
  };
}

/** The token upstream makes after this key. */
const tokenAfter = (key: Uint8Array): string => encodeContinue(nextKey(key), prefix, 9n);

const row = {
  object: { object: undefined, value: utf8('v') },
  key: utf8('k'),
  modRevision: 1n,
  size: 1,
};

const silent: RowWriter = {
  rows: () => Promise.resolve(),
  pageEnd: () => Promise.resolve(),
  end: () => Promise.resolve(),
  fail: () => Promise.resolve(),
};

interface Scripted {
  readonly run: ListRun;
  readonly kept: KeptContext;
  readonly asked: ListOptions[];
}

function scripted(pages: readonly Page[], extra: Partial<ListRun> = {}): Scripted {
  const kept = keptContext();
  const asked: ListOptions[] = [];
  const run: ListRun = {
    context: kept.context,
    store: {
      getList: async (options, hooks) => {
        const page = result(pages[asked.length] ?? {});
        asked.push(options);
        await hooks?.onItems?.([row]);
        if (hooks?.signal?.aborted === true) {
          const error = new StoreError({ code: 'cancelled', message: 'stopped' });
          throw new ListFailedError(error, { requests: [], total }, []);
        }
        return page;
      },
    },
    options: {
      key: '/pods',
      recursive: true,
      resourceVersion: '5',
      resourceVersionMatch: 'Exact',
      predicate: { label: undefined, field: undefined, limit: 1n, continueToken: '' },
    },
    keyPrefix: prefix,
    follow: true,
    hooks: {},
    writer: silent,
    reporter: new Reporter(kept.context, 'json', 1n),
    ...extra,
  };
  return { run, kept, asked };
}

const key = (text: string): Uint8Array => concatBytes(prefix, utf8(text));

describe('following', () => {
  it('goes through all tokens, each without the version of the first', async () => {
    const [a, b] = [key('a'), key('b')];
    const { run, asked } = scripted([
      { lastKey: a, continueToken: tokenAfter(a) },
      { lastKey: b, continueToken: tokenAfter(b) },
      { lastKey: key('c') },
    ]);
    const followed = await runList(run);
    expect(followed).toMatchObject({ rows: 3, continueToken: '', resourceVersion: 9n });
    expect(asked.map((options) => options.predicate.continueToken)).toEqual([
      '',
      tokenAfter(a),
      tokenAfter(b),
    ]);
    expect(asked.map((options) => options.resourceVersion)).toEqual(['5', '', '']);
    expect(asked[1]?.resourceVersionMatch).toBe('');
  });

  it('stops at the first token when not asked to follow', async () => {
    const a = key('a');
    const { run, asked } = scripted([{ lastKey: a, continueToken: tokenAfter(a) }], {
      follow: false,
    });
    expect(await runList(run)).toMatchObject({ continueToken: tokenAfter(a) });
    expect(asked).toHaveLength(1);
  });

  it('fails, naming the key, when a token does not lead beyond it', async () => {
    const last = concatBytes(prefix, Uint8Array.of(0xff, 0xff));
    const { run, asked } = scripted([{ lastKey: last, continueToken: tokenAfter(last) }]);
    await expect(runList(run)).rejects.toMatchObject({
      name: 'CliError',
      exitCode: ExitCode.failed,
      message: expect.stringContaining('/registry/pods/\\xff\\xff') as string,
    });
    expect(asked).toHaveLength(1);
  });

  it('warns when a token could not carry its key and skips beyond it', async () => {
    const last = concatBytes(prefix, Uint8Array.of(0x80));
    const { run, kept } = scripted([{ lastKey: last, continueToken: tokenAfter(last) }]);
    await runList(run);
    expect(kept.notes.join('\n')).toContain('cannot carry the key /registry/pods/\\x80 exactly');
  });

  it('names what was left out', async () => {
    const unreadable = [{ key: key('bad'), error: new Error('broken') }];
    const { run, kept } = scripted([{ unreadable }]);
    await runList(run);
    expect(kept.notes[0]).toBe(
      'warning: /registry/pods/bad cannot be read and is left out: broken',
    );
  });

  it('stops the engine when rows can no longer be written, and keeps the receipt', async () => {
    const writer = { ...silent, rows: () => Promise.reject(new StoppedError('pipe')) };
    const { run, asked } = scripted([{}], { writer });
    await expect(runList(run)).rejects.toBeInstanceOf(StoppedError);
    expect(asked).toHaveLength(1);
    run.reporter.finish();
  });

  it('ends as interrupted when the person stopped it', async () => {
    const { run, kept } = scripted([{}]);
    kept.stop.abort(new StoppedError('interrupt'));
    await expect(runList(run)).rejects.toMatchObject({ name: 'StoppedError', by: 'interrupt' });
    run.reporter.finish();
    expect(kept.notes.join('\n')).toContain('"type":"total"');
  });
});
