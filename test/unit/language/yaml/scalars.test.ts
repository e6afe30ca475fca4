import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, type YAMLMap } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parseChunk } from '../../../../server/language/yaml/parse';
import {
  jsonOf,
  keyTextOf,
  readPlain,
  typedTextOf,
} from '../../../../server/language/yaml/scalars';
import { readingOf, type Tree, type Value } from '../../../../server/language/yaml/tree';

interface ScalarCase {
  readonly id: string;
  readonly kind: string;
  readonly input: { readonly scalar?: string; readonly document?: string };
  readonly expect: {
    readonly json: string | null;
    readonly key?: string | null;
    readonly typed?: string | null;
  };
}

const file = readFileSync(join(import.meta.dirname, 'scalars.json'), 'utf8');
const { cases } = JSON.parse(file) as { readonly cases: readonly ScalarCase[] };
const scalars = cases.filter(({ input }) => input.scalar !== undefined);
const documents = cases.filter(({ input }) => input.document !== undefined);

function treeOf(text: string): Tree {
  const [tree, ...others] = parseChunk(text) ?? [];
  expect(others).toEqual([]);
  return tree!;
}

function pairOf(text: string): YAMLMap['items'][number] {
  const { node } = treeOf(text).root();
  expect(isMap(node), 'a map').toBe(true);
  return (node as YAMLMap).items[0]!;
}

/** How a scalar is read as the value of a key; undefined where that is left open. */
function valueOf(scalar: string) {
  const { value } = pairOf(`v: ${scalar}\n`);
  const read = isScalar(value) ? readingOf(value) : undefined;
  return read?.as === 'unknown' ? undefined : read;
}

const OPEN = /^!!(?:timestamp|binary)/;

describe('scalars, as Kubernetes reads them', () => {
  it('has enough answers of the library to go by', () => {
    expect(scalars.length).toBeGreaterThanOrEqual(80);
  });

  it.each(scalars)('$id: $input.scalar', ({ input, expect: wanted }) => {
    const read = valueOf(input.scalar!);
    // Times and bytes in their own notation are left open, and so may be what the library refuses.
    if (read === undefined) expect(wanted.json === null || OPEN.test(input.scalar!)).toBe(true);
    else if (wanted.json !== null) expect(jsonOf(read)).toBe(wanted.json);
    else expect(jsonOf(read) ?? '""').toMatch(/^"|^null$/);
  });

  it.each(scalars.filter(({ kind }) => kind !== 'tag'))(
    'as a key, $id: $input.scalar',
    ({ input, expect: wanted }) => {
      const { key } = pairOf(`${input.scalar!}: 1\n`);
      const read = isScalar(key) ? readingOf(key) : undefined;
      expect((read && keyTextOf(read)) ?? null).toBe(wanted.key);
    },
  );

  it.each(scalars)('where a text is wanted, $id: $input.scalar', ({ input, expect: wanted }) => {
    const read = valueOf(input.scalar!);
    if (read === undefined) return;
    const text = read.as === 'null' ? '' : typedTextOf(read);
    if (wanted.typed !== null) expect(text).toBe(wanted.typed);
  });

  it('takes no time over long ones', () => {
    const start = performance.now();
    for (const part of ['1', '0', '_', '.5', '1e', '-', '0x']) readPlain(part.repeat(1_000_000));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('maps, as Kubernetes reads them', () => {
  it.each(documents.filter(({ expect: wanted }) => wanted.json !== null))(
    '$id: $input.document',
    ({ input, expect: wanted }) => {
      const tree = treeOf(input.document!);
      expect(plain(tree, tree.root())).toEqual(JSON.parse(wanted.json!) as unknown);
    },
  );
});

/** Only what the documents of the vectors hold. */
function plain(tree: Tree, value: Value): unknown {
  if (!isMap(value.node)) {
    const read = readingOf(value.node);
    return read === undefined
      ? tree.items(value).map((item) => plain(tree, item))
      : JSON.parse(jsonOf(read) ?? 'null');
  }
  return Object.fromEntries(
    tree.entries(value).flatMap((entry) => {
      const read = readingOf(entry.key);
      const key = read && keyTextOf(read);
      return key === undefined ? [] : [[key, plain(tree, entry)]];
    }),
  );
}
