/** Whole objects: JSON and YAML as one List, NDJSON and names as a line each. */
import type { JsonObject } from '../../kube/decode/jsonText';
import { compactJson, indentedJson, yamlText } from '../../kube/print/encode';
import type { ToPlain } from './plain';
import type { Item, ListEnd, RowWriter, Write } from './rows';

const done = (): Promise<void> => Promise.resolve();

/** One line an item; nothing to open or close. */
export function lineWriter(line: (item: Item) => string | undefined, write: Write): RowWriter {
  return {
    rows: (items) => {
      const lines = items.map(line).filter((text) => text !== undefined);
      return write(lines.map((text) => `${text}\n`).join(''));
    },
    pageEnd: done,
    end: done,
    fail: done,
  };
}

export function ndjsonWriter(toPlain: ToPlain, write: Write): RowWriter {
  return lineWriter((item) => {
    const plain = toPlain(item);
    return plain === undefined ? undefined : compactJson(plain);
  }, write);
}

/**
 * A `v1` List whose metadata comes last, so that no row waits. A list that fails leaves the
 * document open: half a list must not parse as a whole one.
 */
export function jsonWriter(toPlain: ToPlain, write: Write): RowWriter {
  let opened = false;
  const open = '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": [';
  return {
    async rows(items) {
      const texts = plainItems(items, toPlain).map((plain) => {
        const start = opened ? ',' : open;
        opened = true;
        return `${start}\n    ${indentedJson(plain, '    ')}`;
      });
      await write(texts.join(''));
    },
    pageEnd: done,
    async end(end) {
      const close = opened ? '\n  ]' : `${open}]`;
      await write(`${close},\n  "metadata": ${indentedJson(listMetadata(end), '  ')}\n}\n`);
    },
    fail: () => (opened ? write('\n') : done()),
  };
}

function plainItems(items: readonly Item[], toPlain: ToPlain): JsonObject[] {
  return items.map(toPlain).filter((plain) => plain !== undefined);
}

function listMetadata(end: ListEnd): JsonObject {
  return {
    resourceVersion: end.resourceVersion.toString(),
    ...(end.continueToken === '' ? {} : { continue: end.continueToken }),
    ...(end.remainingItemCount === null ? {} : { remainingItemCount: end.remainingItemCount }),
  };
}

/** The same List in YAML. */
export function yamlWriter(toPlain: ToPlain, write: Write): RowWriter {
  let opened = false;
  const open = async (none: boolean): Promise<void> => {
    if (opened) return;
    opened = true;
    await write(`apiVersion: v1\nkind: List\nitems:${none ? ' []' : ''}\n`);
  };
  return {
    async rows(items) {
      for (const plain of plainItems(items, toPlain)) {
        await open(false);
        await write(yamlText([plain]));
      }
    },
    pageEnd: done,
    async end(end) {
      await open(true);
      await write(yamlText({ metadata: listMetadata(end) }));
    },
    fail: done,
  };
}

/** One object on its own, as `get RESOURCE NAME` prints it. */
export function singleWriter(form: 'json' | 'yaml', toPlain: ToPlain, write: Write): RowWriter {
  const text = (plain: JsonObject): string =>
    form === 'yaml' ? yamlText(plain) : `${indentedJson(plain)}\n`;
  return {
    rows: (items) => write(plainItems(items, toPlain).map(text).join('')),
    pageEnd: done,
    end: done,
    fail: done,
  };
}
