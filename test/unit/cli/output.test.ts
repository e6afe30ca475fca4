import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { columnsFor, type ColumnChoice } from '../../../server/cli/output/columns';
import {
  jsonWriter,
  ndjsonWriter,
  singleWriter,
  yamlWriter,
} from '../../../server/cli/output/documents';
import { compactJson, indentedJson, yamlText } from '../../../server/kube/print/encode';
import { nameLine } from '../../../server/cli/output/name';
import { plainItem } from '../../../server/cli/output/plain';
import type { Item } from '../../../server/cli/output/rows';
import { tableWriter } from '../../../server/cli/output/table';
import { keyText } from '../../../server/cli/output/text';
import { textWidth } from '../../../server/cli/output/width';
import { makeStyle } from '../../../server/cli/style';
import { utf8 } from '../../../server/common/bytes';
import { decodeObject } from '../../../server/kube/decode/object';
import { encodeEnvelope } from '../../../server/kube/encode';
import { metadataFields } from '../../../server/kube/fields/selectableFields';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const clock = { now: () => NOW, monotonic: () => 0 };

function item(name: string, extra: object = {}, labels: Record<string, string> = {}): Item {
  const object = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace: 'web', creationTimestamp: '2026-01-01T00:00:00Z', labels },
    ...extra,
  };
  const value = utf8(JSON.stringify(object));
  return {
    object: { object: decodeObject(value, metadataFields(true)), value },
    key: utf8(`/registry/pods/web/${name}`),
    modRevision: 12345n,
    size: 1234,
  };
}

function raw(key: Uint8Array, value: Uint8Array): Item {
  return { object: { object: undefined, value }, key, modRevision: 7n, size: value.length };
}

function sink() {
  const texts: string[] = [];
  const write = (text: string): Promise<void> => {
    texts.push(text);
    return Promise.resolve();
  };
  return { write, text: () => texts.join(''), texts };
}

const end = { resourceVersion: 99n, continueToken: '', remainingItemCount: null };
const plain = (showSecrets = false, single = false) =>
  plainItem({ single, showSecrets, skipUnreadable: false, notice: () => undefined });

const choice: ColumnChoice = {
  kind: 'objects',
  wide: false,
  namespaces: true,
  grouped: false,
  showSecrets: false,
};

function table(rows: readonly Item[][], columns: Partial<ColumnChoice> = {}, terminal = false) {
  const out = sink();
  const writer = tableWriter(columnsFor({ ...choice, ...columns }, clock), out.write, {
    style: makeStyle(false),
    terminal,
  });
  return { out, writer, rows };
}

describe('table', () => {
  it('stands apart from the receipt on a terminal', async () => {
    const { out, writer } = table([], {}, true);
    await writer.rows([item('a')]);
    await writer.pageEnd();
    expect(out.text()).toMatch(/^\nNAMESPACE /);
  });

  it('aligns to the first page, and later rows push their line', async () => {
    const { out, writer } = table([]);
    await writer.rows([item('a'), item('bbbbbb')]);
    expect(out.text()).toBe('');
    await writer.pageEnd();
    await writer.rows([item('cccccccccccc')]);
    await writer.end(end);
    expect(out.text()).toBe(
      [
        'NAMESPACE   NAME     AGE   REVISION   SIZE',
        'web         a        24h      12345   1234',
        'web         bbbbbb   24h      12345   1234',
        'web         cccccccccccc   24h      12345   1234',
        '',
      ].join('\n'),
    );
  });

  it('streams on its own after 500 rows, without waiting for the page', async () => {
    const { out, writer } = table([]);
    await writer.rows(Array.from({ length: 499 }, (_, i) => item(`p${i}`)));
    expect(out.texts).toHaveLength(0);
    await writer.rows([item('last')]);
    expect(out.text().split('\n')).toHaveLength(502);
  });

  it('shows labels when wide, groups digits for people, and leaves out a known namespace', async () => {
    const { out, writer } = table([], { wide: true, grouped: true, namespaces: false });
    await writer.rows([item('a', {}, { app: 'nginx', tier: 'web' }), item('b')]);
    await writer.end(end);
    expect(out.text()).toContain('NAME   AGE   REVISION    SIZE   LABELS\n');
    expect(out.text()).toContain('a      24h     12,345   1,234   app=nginx,tier=web\n');
    expect(out.text()).toContain('<none>');
  });

  it('escapes what would act on a terminal', async () => {
    const { out, writer } = table([]);
    await writer.rows([item('evil\u001b[2J\u202e')]);
    await writer.end(end);
    expect(out.text()).toContain('evil\\x1b[2J\\u202e');
    expect(out.text()).not.toContain('\u001b');
  });

  it('counts columns, not characters', async () => {
    const { out, writer } = table([]);
    await writer.rows([item('日本'), item('abcd')]);
    await writer.end(end);
    const ends = out
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => textWidth(line));
    expect(new Set(ends).size).toBe(1);
  });

  it('writes nothing without rows, and what it holds when the list fails', async () => {
    const nothing = table([]);
    await nothing.writer.end(end);
    expect(nothing.out.text()).toBe('');
    const failing = table([]);
    await failing.writer.rows([item('a')]);
    await failing.writer.fail();
    expect(failing.out.text()).toContain('web');
  });

  it('shows keys of a plain prefix as bytes where they are no text', async () => {
    const { out, writer } = table([], { kind: 'values', wide: true });
    await writer.rows([raw(Uint8Array.of(0x2f, 0x61, 0xff, 0x00), utf8('x'))]);
    await writer.end(end);
    expect(out.text()).toContain('/a\\xff\\x00');
    expect(keyText(utf8('/a\0'))).toBe('/a\\x00');
  });
});

describe('documents', () => {
  it('writes a JSON List piece by piece that parses as a whole', async () => {
    const out = sink();
    const writer = jsonWriter(plain(), out.write);
    await writer.rows([item('a')]);
    await writer.rows([item('b')]);
    await writer.end({ resourceVersion: 99n, continueToken: 'T', remainingItemCount: 5n });
    const list = JSON.parse(out.text()) as Record<string, unknown>;
    expect(list).toMatchObject({
      apiVersion: 'v1',
      kind: 'List',
      items: [{ metadata: { name: 'a', resourceVersion: '12345' } }, { metadata: { name: 'b' } }],
      metadata: { resourceVersion: '99', continue: 'T', remainingItemCount: 5 },
    });
  });

  it('writes an empty List', async () => {
    const json = sink();
    await jsonWriter(plain(), json.write).end(end);
    expect(JSON.parse(json.text())).toMatchObject({
      items: [],
      metadata: { resourceVersion: '99' },
    });
    const yaml = sink();
    await yamlWriter(plain(), yaml.write).end(end);
    expect(parseYaml(yaml.text())).toMatchObject({
      items: [],
      metadata: { resourceVersion: '99' },
    });
  });

  it('leaves a failed JSON List open, so that half of it does not parse', async () => {
    const out = sink();
    const writer = jsonWriter(plain(), out.write);
    await writer.rows([item('a')]);
    await writer.fail();
    expect(() => JSON.parse(out.text()) as unknown).toThrow(SyntaxError);
  });

  it('writes a YAML List in the same shape', async () => {
    const out = sink();
    const writer = yamlWriter(plain(), out.write);
    await writer.rows([item('a', { spec: { on: 'yes', list: [] } })]);
    await writer.rows([item('b')]);
    await writer.end(end);
    expect(parseYaml(out.text())).toMatchObject({
      kind: 'List',
      items: [{ spec: { on: 'yes' } }, { metadata: { name: 'b' } }],
    });
    expect(out.text()).toContain('"on": "yes"');
  });

  it('writes one object a line, integers exact', async () => {
    const out = sink();
    const value = utf8(
      '{"kind":"W","apiVersion":"v1","metadata":{"name":"n"},"big":9007199254740993}',
    );
    const object = decodeObject(value, metadataFields(true));
    const big: Item = { object: { object, value }, key: utf8('/k'), modRevision: 1n, size: 1 };
    await ndjsonWriter(plain(), out.write).rows([big, item('b')]);
    expect(out.text().split('\n')).toHaveLength(3);
    expect(out.text()).toContain('"big":9007199254740993');
  });

  it('escapes what would act on a terminal, and parses back to the same text', () => {
    const value = { 'k\u009b': 'a\u009b31m\u202e\u2028\u{e0001}b', __proto: '\u001b' };
    for (const text of [compactJson(value), indentedJson(value)]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(text)).toEqual(value);
    }
    const yaml = yamlText(value);
    expect(yaml.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(parseYaml(yaml)).toEqual(value);
  });

  it('YAML sequences stand as far left as their key, in the list and in its objects', async () => {
    expect(yamlText({ a: [{ b: ['c', ['d']] }] })).toBe('a:\n- b:\n  - c\n  - - d\n');
    const out = sink();
    await yamlWriter(() => ({ value: { ports: [{ port: 80 }] }, order: 'given' }), out.write).rows([
      item('web-1'),
    ]);
    expect(out.text()).toBe('apiVersion: v1\nkind: List\nitems:\n- ports:\n  - port: 80\n');
  });

  it('quotes what any reader of YAML would take for something else than a string', () => {
    const texts = [
      '0o7',
      '-0o2',
      '+0o2',
      '0x1f',
      '010',
      '1_000',
      '1e3',
      'yes',
      'on',
      '~',
      'null',
      '.inf',
      '12:30:45',
    ];
    for (const text of texts) {
      for (const version of ['1.1', '1.2'] as const) {
        expect(parseYaml(yamlText({ k: text }), { version })).toEqual({ k: text });
      }
    }
  });

  const secretKey = utf8('/registry/secrets/a/b');

  it("masks the labels of what stands under a Secret's key and is none", async () => {
    const foreign = { ...item('s', {}, { token: 'hunter2' }), key: secretKey };
    for (const showSecrets of [false, true]) {
      const { out, writer } = table([], { wide: true, showSecrets });
      await writer.rows([foreign]);
      await writer.end(end);
      expect(out.text().includes('hunter2')).toBe(showSecrets);
    }
  });

  it('masks Secrets unless told', () => {
    const secret = item('s', { kind: 'Secret', data: { password: 'aHVudGVyMg==' } });
    expect(JSON.stringify(plain()(secret))).not.toContain('aHVudGVyMg');
    expect(JSON.stringify(plain(true)(secret))).toContain('aHVudGVyMg');
    const foreign = { ...item('s', { data: { password: 'hunter2' } }), key: secretKey };
    expect(JSON.stringify(plain()(foreign))).not.toContain('hunter2');
    expect(JSON.stringify(plain(true)(foreign))).toContain('hunter2');
    const broken = raw(secretKey, utf8('k8s:hunter2'));
    expect(JSON.stringify(plain()(broken))).not.toContain('hunter2');
  });

  it('writes what it could of a damaged object that was asked for, then fails', async () => {
    const spec = Uint8Array.of(0x12, 0x04, 0x52, 0x02, 0x6e, 0x31, 0x12, 0x02, 0x12, 0x7f);
    const value = encodeEnvelope('v1', 'Pod', spec);
    const object = decodeObject(value, metadataFields(true));
    const key = utf8('/registry/pods/a/b');
    const damaged: Item = { object: { object, value }, key, modRevision: 1n, size: 1 };
    const out = sink();
    const fault = 'damaged, and shown as far as it could be read: spec.containers: unexpected EOF';
    await expect(
      singleWriter('json', plain(false, true), out.write).rows([damaged]),
    ).rejects.toThrow(fault);
    expect(JSON.parse(out.text())).toMatchObject({
      spec: { nodeName: 'n1' },
      'x-damaged': ['spec.containers: unexpected EOF'],
    });
    await expect(ndjsonWriter(plain(), out.write).rows([damaged])).rejects.toThrow(
      '/registry/pods/a/b cannot be shown: spec.containers: unexpected EOF',
    );
  });

  it('sorts the members of objects as kubectl does', async () => {
    const out = sink();
    const odd = item('a', { data: { b: 1, a10: 1, a9: 1, '10': 1, '9': 1 } });
    await singleWriter('json', plain(), out.write).rows([odd]);
    expect(out.text()).toMatch(/"10"[^]*"9"[^]*"a10"[^]*"a9"[^]*"b"[^]*"kind"[^]*"metadata"/);
    const yaml = sink();
    await singleWriter('yaml', plain(), yaml.write).rows([odd]);
    expect(yaml.text()).toMatch(/"9"[^]*"10"[^]*a9[^]*a10[^]*b:[^]*kind:[^]*metadata:/);
  });

  it('gives values of a plain prefix as text or base64', () => {
    expect(plain()(raw(utf8('/a'), utf8('text')))?.value).toEqual({
      key: '/a',
      modRevision: '7',
      size: 4,
      value: 'text',
    });
    expect(plain()(raw(Uint8Array.of(0xff), Uint8Array.of(0xfe)))?.value).toMatchObject({
      key: { hex: 'ff' },
      valueBase64: '/g==',
    });
  });

  it('names objects as kubectl does', () => {
    expect(nameLine(item('a'))).toBe('pod/a');
    expect(nameLine(item('w', { kind: 'Deployment', apiVersion: 'apps/v1' }))).toBe(
      'deployment.apps/w',
    );
  });
});
