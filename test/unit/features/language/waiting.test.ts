/** What is asked of a document that changes, and of labels that are read, while an answer is waited for. */
import { describe, expect, it, vi } from 'vitest';
import { complete } from '../../../../server/features/language/completion';
import { SiteCounts } from '../../../../server/features/language/siteCounts';
import { hoverSite } from '../../../../server/features/language/sites';
import {
  documentSymbols,
  foldingRanges,
  formatting,
  semanticTokens,
} from '../../../../server/features/language/queryFeatures';
import type { StoredLabels } from '../../../../server/language/index/storedLabels';
import { indexOf } from '../../language/index/support';
import { analystOfDesk, change, documentOf, nothingStored } from './support';

const text = 'list pods -l app=web -n w\n';
const uri = 'file:///a/q.etcdlist';
const at = (character: number) => ({ line: 0, character });
const KEY = 16;
const NAMESPACE = 25;
const { signal } = new AbortController();

const known = indexOf([{ labels: { app: 'web' } }]);

function setUp(stored: Partial<StoredLabels> = {}) {
  const desk = analystOfDesk();
  const parts = {
    ...desk,
    stored: { ...nothingStored, ...stored },
    schemaCompletes: () => false,
    counts: new SiteCounts(),
  };
  return { desk, parts, document: documentOf(text, uri, 'etcdlist') };
}

describe('completion', () => {
  it('asks again when the text changed before the place was known', async () => {
    const { desk, parts, document } = setUp();
    desk.hold();
    const asked = complete(parts, document, at(5), signal);
    change(document, `${text}x`);
    desk.letGo();
    expect(await asked).toEqual({ isIncomplete: true, items: [] });
  });

  it('places nothing in a text that changed while etcd was waited for, and asks again', async () => {
    const { parts, document } = setUp({
      whenNamespaces: () => {
        change(document, `x${text}`);
        return Promise.resolve(['web']);
      },
    });
    const answer = await complete(parts, document, at(NAMESPACE), signal);
    expect(answer).toEqual({ isIncomplete: true, items: [] });
  });

  it('leaves what is in the schema of query documents to who completes by it, and nothing else', async () => {
    const { parts } = setUp({ whenNamespaces: () => Promise.resolve(['web']) });
    const text = 'resource: pods\nnamespace: \nfollow: \n';
    const yaml = documentOf(text, 'file:///a/q.etcdlist.yaml');
    const labels = async (line: number, character: number, schemaCompletes: boolean) => {
      const beside = { ...parts, schemaCompletes: () => schemaCompletes };
      const { items } = await complete(beside, yaml, { line, character }, signal);
      return items.map(({ label }) => label);
    };
    expect(await labels(3, 0, false)).toContain('labelSelector');
    expect(await labels(2, 8, false)).toEqual(['true', 'false']);
    expect(await labels(3, 0, true)).toEqual([]);
    expect(await labels(2, 8, true)).toEqual([]);
    expect(await labels(1, 11, true)).toEqual(['web']);
  });

  it('of a resource waits for the names of custom ones', async () => {
    const widgets = {
      group: 'example.com',
      plural: 'widgets',
      otherNames: [],
      namespaced: undefined,
      selectablePaths: undefined,
    };
    const { parts, document } = setUp({ whenCustomResources: () => Promise.resolve([widgets]) });
    const { items } = await complete(parts, document, at(5), signal);
    expect(items.map(({ label }) => label)).toContain('widgets.example.com');
  });

  it('waits for what is not known yet', async () => {
    const whenReady = vi.fn(() => Promise.resolve(known));
    const { parts, document } = setUp({ whenReady });
    await complete(parts, document, at(KEY), signal);
    expect(whenReady).toHaveBeenCalledOnce();
  });
});

describe('a hover', () => {
  it('waits for what is not known', async () => {
    const whenReady = vi.fn(() => Promise.resolve(known));
    const fresh = setUp({ whenReady });
    expect(await hoverSite(fresh.parts, fresh.document, at(KEY), signal)).not.toBeNull();
    expect(whenReady).toHaveBeenCalledOnce();
  });

  it('marks nothing in a text that changed while etcd was waited for', async () => {
    const { parts, document } = setUp({
      whenReady: () => {
        change(document, '');
        return Promise.resolve(known);
      },
    });
    expect(await hoverSite(parts, document, at(KEY), signal)).toBeNull();
  });
});

describe('outline, folding, colours and form', () => {
  const all = [documentSymbols, foldingRanges, semanticTokens, formatting];

  it('are null where they are not known, so that an editor may ask others', async () => {
    const { desk, document } = setUp();
    desk.hold();
    const asked = all.map((each) => each(desk.analyst, document));
    change(document, `${text}x`);
    desk.letGo();
    expect(await Promise.all(asked)).toEqual([null, null, null, null]);
  });

  it('are not looked for once they are cancelled', async () => {
    const { desk, document } = setUp();
    const stop = new AbortController();
    stop.abort();
    const asked = all.map((each) => each(desk.analyst, document, stop.signal));
    expect(await Promise.all(asked)).toEqual([null, null, null, null]);
    expect(await Promise.all(all.map((each) => each(desk.analyst, document)))).not.toContain(null);
  });
});
