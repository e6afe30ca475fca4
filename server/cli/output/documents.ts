/** Whole objects: JSON and YAML as one List, NDJSON and names as a line each. */
import type { JsonObject } from '../../kube/decode/jsonText';
import { compactJson, indentedJson, yamlText } from '../../kube/print/encode';
import type { Plain, ToPlain } from './plain';
import type { Item, ListEnd, RowWriter, Write } from './rows';

const done = (): Promise<void> => Promise.resolve();

/** Characters that make a write; fewer would cost more in calls than in text. */
const pieceLength = 16_384;

/** One line an item; nothing to open or close. */
export function lineWriter(line: (item: Item) => string | undefined, write: Write): RowWriter {
  function* lines(items: readonly Item[]): Generator<string> {
    for (const item of items) {
      const text = line(item);
      if (text !== undefined) yield `${text}\n`;
    }
  }
  return {
    rows: (items) => writeAll(lines(items), write),
    pageEnd: done,
    end: done,
    fail: done,
  };
}

export function ndjsonWriter(toPlain: ToPlain, write: Write): RowWriter {
  return lineWriter((item) => {
    const plain = toPlain(item);
    return plain === undefined ? undefined : compactJson(plain.value, plain.order);
  }, write);
}

/**
 * A `v1` List whose metadata comes last, so that no row waits. A list that fails leaves the
 * document open: half a list must not parse as a whole one.
 */
export function jsonWriter(toPlain: ToPlain, write: Write): RowWriter {
  let opened = false;
  const open = '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": [';
  function* texts(items: readonly Item[]): Generator<string> {
    for (const { value, order } of plainItems(items, toPlain)) {
      const start = opened ? ',' : open;
      opened = true;
      yield `${start}\n    ${indentedJson(value, '    ', order)}`;
    }
  }
  return {
    rows: (items) => writeAll(texts(items), write),
    pageEnd: done,
    async end(end) {
      const close = opened ? '\n  ]' : `${open}]`;
      await write(`${close},\n  "metadata": ${indentedJson(listMetadata(end), '  ')}\n}\n`);
    },
    fail: () => (opened ? write('\n') : done()),
  };
}

/** Converted one by one, as they are taken: a whole page would keep the process busy for long. */
function* plainItems(items: readonly Item[], toPlain: ToPlain): Generator<Plain> {
  for (const item of items) {
    const plain = toPlain(item);
    if (plain !== undefined) yield plain;
  }
}

/** Joins texts into pieces worth a write. */
async function writeAll(texts: Iterable<string>, write: Write): Promise<void> {
  let held = '';
  for (const text of texts) {
    held += text;
    if (held.length < pieceLength) continue;
    await write(held);
    held = '';
  }
  await write(held);
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
  const open = (none: boolean): string => {
    if (opened) return '';
    opened = true;
    return `apiVersion: v1\nkind: List\nitems:${none ? ' []' : ''}\n`;
  };
  function* texts(items: readonly Item[]): Generator<string> {
    for (const { value, order } of plainItems(items, toPlain)) {
      yield open(false) + yamlText([value], order);
    }
  }
  return {
    rows: (items) => writeAll(texts(items), write),
    pageEnd: done,
    async end(end) {
      await write(open(true) + yamlText({ metadata: listMetadata(end) }));
    },
    fail: done,
  };
}

/** One object on its own, as `get RESOURCE NAME` prints it; a part of one is an error afterwards. */
export function singleWriter(form: 'json' | 'yaml', toPlain: ToPlain, write: Write): RowWriter {
  const text = ({ value, order }: Plain): string =>
    form === 'yaml' ? yamlText(value, order) : `${indentedJson(value, '', order)}\n`;
  return {
    async rows(items) {
      for (const plain of plainItems(items, toPlain)) {
        await write(text(plain));
        if (plain.fault !== undefined) throw plain.fault;
      }
    },
    pageEnd: done,
    end: done,
    fail: done,
  };
}
