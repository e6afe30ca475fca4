/** Objects written by upstream's serializers, shown by us and by upstream. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { utf8 } from '../../server/common/bytes';
import { DecodeError } from '../../server/kube/decode/errors';
import type { JsonValue } from '../../server/kube/decode/jsonText';
import { decodeObject } from '../../server/kube/decode/object';
import { metadataFields } from '../../server/kube/fields/selectableFields';
import { KINDS } from '../../server/kube/kinds/descriptor';
import { yamlText } from '../../server/kube/print/encode';
import { type Printable, printJson, toPrintable } from '../../server/kube/print/printable';
import { descriptorPath, descriptorText } from '../oracle/describe.mjs';
import { Oracle, oracleMissing, type Shown } from './oracle';
import { refereeSettings, timeoutFor } from './settings';

const { cases, seed } = refereeSettings();
const kinds = Object.keys(KINDS);
const batch = 25;
const resourceVersion = '9007199254740995';

function show(value: Uint8Array): Printable {
  const options = { modRevision: BigInt(resourceVersion), reveal: true, key: utf8('/r/things/a') };
  return toPrintable(decodeObject(value, metadataFields(true)), options);
}

const bytesOf = ({ value }: Shown): Uint8Array => Buffer.from(value, 'base64');

/** Go escapes these two in every JSON text. */
const unescaped = (json: string): string =>
  json.replace(
    /(?<!\\)((?:\\\\)*)\\u202([89])/g,
    (_, before: string, last: string) => before + String.fromCharCode(0x2020 + Number(last)),
  );

const jsonText = (value: JsonValue): string => printJson(value, 0, 'kubectl');

/** The members' names in the order they stand in. */
function namesOf(text: string): string[] {
  const names: string[] = [];
  const walk = (node: unknown): void => {
    if (isSeq(node)) node.items.forEach(walk);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      names.push(String(isScalar(key) ? (key.source ?? key.value) : key));
      walk(value as Node);
    }
  };
  walk(parseDocument(text, { version: '1.1' }).contents);
  return names;
}

function splitKind(kind: string): { apiVersion: string; kind: string } {
  const at = kind.lastIndexOf('/');
  return { apiVersion: kind.slice(0, at), kind: kind.slice(at + 1) };
}

describe.skipIf(oracleMissing())('objects of the kinds shown by name', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await Oracle.start();
  });
  afterAll(() => oracle.stop());

  async function eachBatch(
    total: number,
    judge: (shown: readonly Shown[], at: number) => Promise<void>,
  ): Promise<number> {
    let seen = 0;
    for (let at = 0; seen < total; at++) {
      const kind = splitKind(kinds[at % kinds.length]!);
      const shown = await oracle.sample({
        ...kind,
        seed: seed * 1_000_003 + at,
        count: batch,
        resourceVersion,
      });
      expect(shown).toHaveLength(batch);
      await judge(shown, at);
      seen += shown.length;
    }
    return seen;
  }

  it('the descriptor is what the pinned modules say', () => {
    expect(readFileSync(descriptorPath, 'utf8')).toBe(descriptorText());
  });

  it(
    `${cases} random objects are the same JSON, byte for byte (seed ${seed})`,
    async () => {
      const seen = await eachBatch(cases, (shown) => {
        const wrong = shown.filter((one) => {
          expect(one.error).toBe('');
          const { value, warning, damage } = show(bytesOf(one));
          const isSame = jsonText(value) === unescaped(one.json);
          return !isSame || warning !== undefined || damage !== undefined;
        });
        // The smallest says most.
        const [smallest] = wrong.sort((a, b) => a.value.length - b.value.length);
        if (smallest !== undefined) {
          const { value, warning, damage } = show(bytesOf(smallest));
          expect({ json: jsonText(value), warning, damage }, smallest.value).toEqual({
            json: unescaped(smallest.json),
          });
        }
        return Promise.resolve();
      });
      console.log(`${seen} objects, seed ${seed}`);
    },
    timeoutFor(cases),
  );

  it(
    `the YAML of ${Math.ceil(cases / 5)} says the same to kubectl, in its order`,
    async () => {
      let ordered = 0;
      const seen = await eachBatch(cases / 5, async (shown) => {
        for (const one of shown) {
          const ours = yamlText(show(bytesOf(one)).value, 'kubectl');
          expect(await oracle.readYaml(ours), one.value).toBe(one.json);
          if (one.yaml === '') continue;
          ordered++;
          expect(namesOf(ours), one.value).toEqual(namesOf(one.yaml));
        }
      });
      expect(ordered).toBeGreaterThan(seen / 2);
    },
    timeoutFor(cases),
  );
});
