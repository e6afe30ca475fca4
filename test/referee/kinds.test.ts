/** Objects written by upstream's serializers, shown by us and by upstream. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { utf8 } from '../../server/common/bytes';
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
import { goMissing } from '../oracle/binary.mjs';
import { descriptorPath, descriptorText } from '../oracle/describe.mjs';
import { requireOrSkip } from '../support/requireOrSkip';
import { mustBeShare, tell } from './enough';
import { Oracle, oracleMissing, type Shown } from './oracle';
import { Random } from './random';
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

interface OurVerdict {
  readonly error: string;
  readonly json: string;
  /** The error is of the object's own level, the only one that listing looks at. */
  readonly isListing?: boolean;
}

/** Upstream's error, or the JSON that upstream would print; undefined beyond our bounds. */
function showOrFail(value: Uint8Array): OurVerdict | undefined {
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
    if (error instanceof DecodeError) return { error: error.message, json: '', isListing: true };
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

/** Random objects of every kind in turn, so many at a time. Resolves to how many there were. */
async function eachBatch(
  oracle: Oracle,
  total: number,
  judge: (shown: readonly Shown[], kind: ReturnType<typeof splitKind>) => Promise<void>,
): Promise<number> {
  let seen = 0;
  const chances = new Random(seed);
  for (let at = 0; seen < total; at++) {
    const kind = splitKind(kinds[at % kinds.length]!);
    const chance = { seed: chances.below(2 ** 31), count: batch };
    const shown = await oracle.sample({ ...kind, ...chance, resourceVersion });
    expect(shown).toHaveLength(batch);
    await judge(shown, kind);
    seen += shown.length;
  }
  return seen;
}

/** Throws of the smallest object that is shown otherwise: it says most. */
function mustBeSame(shown: readonly Shown[]): void {
  const wrong = shown.filter((one) => {
    expect(one.error).toBe('');
    const { value, warning, damage } = show(bytesOf(one));
    const isSame = jsonText(value) === unescaped(one.json);
    return !isSame || warning !== undefined || damage !== undefined;
  });
  const [smallest] = wrong.sort((a, b) => a.value.length - b.value.length);
  if (smallest === undefined) return;
  const { value, warning, damage } = show(bytesOf(smallest));
  expect({ json: jsonText(value), warning, damage }, smallest.value).toEqual({
    json: unescaped(smallest.json),
  });
}

type Judged = 'shown alike' | 'refused, same text' | 'refused, other text';

/** Undefined where the two are not held against each other. */
function judgeDamaged(value: Uint8Array, answer: Shown): Judged | undefined {
  const ours = showOrFail(value);
  // Upstream's printing refuses what its decoding let through; here it is shown as text.
  if (ours === undefined || /^(json: |error decoding from json)/.test(answer.error)) return;
  const { isListing = false, ...verdict } = ours;
  const upstream = { error: answer.error, json: unescaped(answer.json) };
  // What listing finds at its level need not be the first error: upstream's may lie deeper before it.
  if (isListing && upstream.error !== '' && upstream.error !== verdict.error) {
    return 'refused, other text';
  }
  expect(upstream, answer.value).toEqual(verdict);
  return answer.error === '' ? 'shown alike' : 'refused, same text';
}

/** Whether kubectl could make YAML of it, whose order is held against ours then. */
async function judgeYaml(oracle: Oracle, one: Shown): Promise<boolean> {
  const ours = yamlText(show(bytesOf(one)).value, 'kubectl');
  expect(await oracle.readYaml(ours), one.value).toBe(one.json);
  expect(misplaced(ours), one.value).toEqual([]);
  if (one.yaml === '') return false;
  expect(misplaced(one.yaml), one.value).toEqual([]);
  return true;
}

describe.skipIf(oracleMissing())('objects of the kinds shown by name', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await Oracle.start();
    return () => oracle.stop();
  });
  const timeoutMs = timeoutFor(cases);

  const noGo = requireOrSkip('Go', !goMissing(), 'it knows where the pinned modules lie');
  it.skipIf(noGo)('the descriptor is what the pinned modules say', () => {
    expect(readFileSync(descriptorPath, 'utf8')).toBe(descriptorText());
  });

  const same = `${cases} random objects are the same JSON, byte for byte${seeded}`;
  it(same, { timeout: timeoutMs }, async (context) => {
    const seen = await eachBatch(oracle, cases, (shown) => {
      mustBeSame(shown);
      return Promise.resolve();
    });
    tell(context, 'objects', seen);
  });

  const half = Math.ceil(cases / 2);
  const damaged = `${half} damaged ones are refused where upstream refuses them, most with its text${seeded}`;
  it(damaged, { timeout: timeoutMs }, async (context) => {
    const random = new Random(seed);
    const judged: Judged[] = [];
    const seen = await eachBatch(oracle, half, async (shown, { apiVersion, kind }) => {
      const values = shown.map((one) =>
        encodeEnvelope(apiVersion, kind, random.damage(openEnvelope(bytesOf(one)).raw)),
      );
      const answers = await oracle.open(values, resourceVersion);
      judged.push(...answers.flatMap((answer, i) => judgeDamaged(values[i]!, answer) ?? []));
    });
    const count = (what: Judged): number => judged.filter((one) => one === what).length;
    const refused = judged.length - count('shown alike');
    const same = count('refused, same text');
    console.log(
      `referee: ${seen} damaged objects, ${refused} refused by both: ${same} with the same text, ` +
        `${refused - same} with another, since listing looks at the object's own level alone`,
    );
    tell(context, 'damaged objects', judged.length);
    mustBeShare(judged.length, seen, 0.9, 'held against each other');
    mustBeShare(refused, seen, 0.05, 'refused');
    mustBeShare(same, refused, 0.6, 'refused with the same text');
  });

  it(
    `${cases} texts are the same quantity, or none${seeded}`,
    { timeout: timeoutMs },
    async (context) => {
      const random = new Random(seed);
      const texts = Array.from({ length: cases }, () => random.quantity());
      const answers = await Promise.all(texts.map((text) => oracle.parseQuantity(text)));
      for (const [i, answer] of answers.entries()) {
        const error = Buffer.from(answer.error ?? '', 'base64').toString();
        expect(quantityOf(texts[i]!), texts[i]).toEqual({ text: answer.text ?? '', error });
      }
      tell(context, 'quantities', answers.length);
      const valid = answers.filter(({ error }) => error === undefined).length;
      console.log(`referee: ${answers.length} quantities, ${valid} of them valid`);
      mustBeShare(valid, answers.length, 0.3, 'valid quantities');
      mustBeShare(answers.length - valid, answers.length, 0.05, 'refused quantities');
    },
  );

  const fifth = Math.ceil(cases / 5);
  const yaml = `the YAML of ${fifth} says the same to kubectl, in its order${seeded}`;
  it(yaml, { timeout: timeoutMs }, async (context) => {
    let ordered = 0;
    const seen = await eachBatch(oracle, fifth, async (shown) => {
      for (const one of shown) if (await judgeYaml(oracle, one)) ordered++;
    });
    tell(context, 'objects as YAML', seen);
    mustBeShare(ordered, seen, 0.5, 'of which kubectl makes YAML');
  });
});
