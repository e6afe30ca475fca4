/** Objects written by upstream's serializers, shown by us and by upstream. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { concatBytes, utf8 } from '../../server/common/bytes';
import { openEnvelope } from '../../server/kube/decode/envelope';
import { DecodeError } from '../../server/kube/decode/errors';
import { isObject, type JsonValue } from '../../server/kube/decode/jsonText';
import { decodeObject } from '../../server/kube/decode/object';
import { encodeEnvelope } from '../../server/kube/encode';
import { metadataFields } from '../../server/kube/fields/selectableFields';
import { KINDS } from '../../server/kube/kinds/descriptor';
import { printQuantity } from '../../server/kube/kinds/quantity';
import { yamlText } from '../../server/kube/print/encode';
import { compareYamlKeys } from '../../server/kube/print/order';
import { type Printable, printJson, toPrintable } from '../../server/kube/print/printable';
import { descriptorPath, descriptorText } from '../oracle/describe.mjs';
import { Oracle, oracleMissing, type Shown } from './oracle';
import { refereeSettings, timeoutFor } from './settings';

const { cases, seed, seeded } = refereeSettings();
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

/**
 * Neighbours that stand against the order of names. That order is not transitive, so upstream's
 * whole lists depend on chance.
 */
function misplaced(text: string): string[][] {
  const found: string[][] = [];
  const walk = (node: unknown): void => {
    if (isSeq(node)) node.items.forEach(walk);
    if (!isMap(node)) return;
    const names = node.items.map(({ key }) =>
      String(isScalar(key) ? (key.source ?? key.value) : key),
    );
    for (const [i, name] of names.slice(1).entries()) {
      if (compareYamlKeys(names[i]!, name) > 0) found.push([names[i]!, name]);
    }
    for (const { value } of node.items) walk(value);
  };
  walk(parseDocument(text, { version: '1.1' }).contents);
  return found;
}

function splitKind(kind: string): { apiVersion: string; kind: string } {
  const at = kind.lastIndexOf('/');
  return { apiVersion: kind.slice(0, at), kind: kind.slice(at + 1) };
}

/** Upstream's error, or the JSON that upstream would print; undefined beyond our bounds. */
function showOrFail(value: Uint8Array): { error: unknown; json: string } | undefined {
  try {
    const { value: shown, damage } = show(value);
    if (damage === undefined) return { error: '', json: jsonText(named(shown)) };
    const places = shown['x-damaged'] as readonly string[];
    // What ends a message here, and in upstream at most its printing.
    if (
      places.some((place) =>
        / too (?:far away|long or too large|many) |impossible IntOrString/.test(place),
      )
    )
      return undefined;
    return { error: places[0]!.replace(/^[a-zA-Z][\w.[\]]*: (?=.)/, dropPath), json: '' };
  } catch (error) {
    // Listing looks at the object's own level alone, so what it finds need not be the first.
    if (error instanceof DecodeError) return { error: expect.stringMatching(/./), json: '' };
    throw error;
  }
}

/** Upstream's own texts begin with `proto: ` where they begin with a word at all. */
const dropPath = (path: string): string => (path === 'proto: ' ? path : '');

function quantityOf(text: string): { text: string; error: string } {
  try {
    return { text: printQuantity(text), error: '' };
  } catch (error) {
    if (error instanceof DecodeError) return { text: '', error: error.message };
    throw error;
  }
}

/** Without what upstream drops. */
function named(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(named);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => name !== 'x-undecoded' || !isObject(inner))
      .map(([name, inner]) => [name, named(inner)]),
  );
}

const suffixes = [
  ...['', '', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'],
  ...['e', 'e1', 'e-1', 'E3', 'E-9', 'e20', 'e-30', 'e+6', 'Kik', 'mm', 'e4294967299', 'K'],
];

/** Repeatable chance (mulberry32). */
class Random {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** A quantity, or what looks like one. */
  quantity(): string {
    const digits = (most: number): string =>
      Array.from({ length: this.below(most) }, () => this.pick(Array.from('000123456789'))).join(
        '',
      );
    const fraction = this.below(3) === 0 ? `.${digits(this.pick([4, 12, 25]))}` : '';
    const number = this.pick(['', '', '', '-', '+']) + digits(this.pick([3, 8, 30])) + fraction;
    const odd = this.below(12) === 0 ? this.pick(['x', ' ', '.', '-', 'é', '\0']) : '';
    return number + this.pick(suffixes) + odd;
  }

  /** One or two bytes changed, bytes cut out, doubled or put in. */
  damage(raw: Uint8Array): Uint8Array {
    const at = this.below(raw.length + 1);
    const [before, after] = [raw.subarray(0, at), raw.subarray(at)];
    switch (this.below(6)) {
      case 0:
        return before;
      case 1:
        return concatBytes(before, after.subarray(1 + this.below(4)));
      case 2:
        return concatBytes(before, Uint8Array.of(this.below(256)), after);
      case 3:
        return concatBytes(raw, raw);
      default: {
        const changed = Uint8Array.from(raw);
        for (const bit of [this.below(8), this.below(8)]) {
          const place = this.below(raw.length);
          changed[place] = (changed[place] ?? 0) ^ (1 << bit);
        }
        return changed;
      }
    }
  }
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
    `${cases} random objects are the same JSON, byte for byte${seeded}`,
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
    `${Math.ceil(cases / 2)} damaged ones fail as upstream's, with the same error, or not at all${seeded}`,
    async () => {
      const random = new Random(seed);
      let judged = 0;
      let refused = 0;
      const seen = await eachBatch(cases / 2, async (shown, at) => {
        const { apiVersion, kind } = splitKind(kinds[at % kinds.length]!);
        const values = shown.map((one) =>
          encodeEnvelope(apiVersion, kind, random.damage(openEnvelope(bytesOf(one)).raw)),
        );
        const answers = await oracle.open(values, resourceVersion);
        for (const [i, answer] of answers.entries()) {
          const ours = showOrFail(values[i]!);
          // Upstream's printing refuses what its decoding let through; here it is shown as text.
          if (ours === undefined || /^(json: |error decoding from json)/.test(answer.error))
            continue;
          judged++;
          if (answer.error !== '') refused++;
          const upstream = { error: answer.error, json: unescaped(answer.json) };
          expect(upstream, answer.value).toEqual(ours);
        }
      });
      expect(judged).toBeGreaterThan(seen * 0.9);
      expect(refused).toBeGreaterThan(seen / 20);
      console.log(`${seen} damaged objects, ${refused} of them refused`);
    },
    timeoutFor(cases),
  );

  it(
    `${cases} texts are the same quantity, or none${seeded}`,
    async () => {
      const random = new Random(seed);
      const texts = Array.from({ length: cases }, () => random.quantity());
      const answers = await Promise.all(texts.map((text) => oracle.parseQuantity(text)));
      for (const [i, answer] of answers.entries()) {
        const error = Buffer.from(answer.error ?? '', 'base64').toString();
        expect(quantityOf(texts[i]!), texts[i]).toEqual({ text: answer.text ?? '', error });
      }
    },
    timeoutFor(cases),
  );

  it(
    `the YAML of ${Math.ceil(cases / 5)} says the same to kubectl, in its order${seeded}`,
    async () => {
      let ordered = 0;
      const seen = await eachBatch(cases / 5, async (shown) => {
        for (const one of shown) {
          const ours = yamlText(show(bytesOf(one)).value, 'kubectl');
          expect(await oracle.readYaml(ours), one.value).toBe(one.json);
          expect(misplaced(ours), one.value).toEqual([]);
          if (one.yaml === '') continue;
          ordered++;
          expect(misplaced(one.yaml), one.value).toEqual([]);
        }
      });
      expect(ordered).toBeGreaterThan(seen / 2);
    },
    timeoutFor(cases),
  );
});
