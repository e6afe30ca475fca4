import { readFileSync } from 'node:fs';

export interface ObjectFixture {
  readonly resource: string;
  readonly group: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly protobuf: string;
  readonly json: object;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly generation?: string;
}

/** Object's index, length kept or 0, offset changed, its new byte, upstream's error text, name. */
export type Damage = readonly [number, number, number, number, string, string];

export interface LabelFixture {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly accepted: Readonly<Record<string, string>>;
  readonly refused: Readonly<Record<string, string>>;
}

interface Fixtures {
  readonly objects: readonly ObjectFixture[];
  readonly damaged: readonly Damage[];
  readonly labels: readonly LabelFixture[];
}

const file = new URL('./fixtures/objects.json', import.meta.url);
const data = JSON.parse(readFileSync(file, 'utf8')) as Fixtures;

export const objects = data.objects;
export const damaged = data.damaged;
export const labelConversions = data.labels;

export function protobufOf(fixture: ObjectFixture): Uint8Array {
  return Uint8Array.from(Buffer.from(fixture.protobuf, 'base64'));
}

/**
 * The JSON text of a fixture. The generation is put in as text, since JSON modules round it.
 */
export function jsonOf(fixture: ObjectFixture): Uint8Array {
  const text = JSON.stringify(fixture.json).replace(
    /"generation":9007199254740992/,
    `"generation":${fixture.generation ?? ''}`,
  );
  return Uint8Array.from(Buffer.from(text));
}
