/** Small stored objects for tests of the engine: a name, labels and fields as JSON, nothing of Kubernetes. */
import type { ItemContext, ItemDecoder } from '../../server/store/interfaces';

export interface TestObject {
  readonly name: string;
  readonly namespace: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, string>;
}

export interface TestObjectInput {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: ReadonlyMap<string, string>;
  /** Selectable fields beside name and namespace. */
  readonly fields?: ReadonlyMap<string, string>;
}

export function encodeTestObject(object: TestObjectInput): Uint8Array {
  const { name, namespace = '', labels, fields } = object;
  const json = { name, namespace, labels: [...(labels ?? [])], fields: [...(fields ?? [])] };
  return new TextEncoder().encode(JSON.stringify(json));
}

interface StoredJson {
  readonly name: string;
  readonly namespace: string;
  readonly labels: [string, string][];
  readonly fields: [string, string][];
}

export interface DecoderHooks {
  /** Called as each object is decoded; may throw. */
  readonly onDecode?: (item: ItemContext) => void;
  /** Called as each value is transformed; may throw. */
  readonly onTransform?: (item: ItemContext) => void;
}

export function testDecoder(hooks: DecoderHooks = {}): ItemDecoder<TestObject> {
  return {
    transform: (value, item) => {
      hooks.onTransform?.(item);
      return value;
    },
    decode: (value, item) => {
      hooks.onDecode?.(item);
      const stored = JSON.parse(new TextDecoder().decode(value)) as StoredJson;
      const { name, namespace } = stored;
      const own: [string, string][] = [
        ['metadata.name', name],
        ['metadata.namespace', namespace],
      ];
      const fields = new Map([...own, ...stored.fields]);
      return { name, namespace, labels: new Map(stored.labels), fields };
    },
    attributes: ({ labels, fields }) => ({ labels, fields }),
  };
}
