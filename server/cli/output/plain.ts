/** An item as plain data, for the formats that show whole objects. */
import { utf8Strict } from '../../common/bytes';
import type { JsonObject } from '../../kube/decode/jsonText';
import { DecodeError } from '../../kube/decode/errors';
import type { StoredObject } from '../../kube/decode/object';
import type { MemberOrder } from '../../kube/print/order';
import { MASK, toPrintable } from '../../kube/print/printable';
import { isSecretKey } from '../../kube/print/secrets';
import { jsonKey } from '../receiptJson';
import { type CliError, failure } from '../exit';
import { foreignEncoding } from './encoding';
import type { Item } from './rows';
import { cell, keyText } from './text';

export interface PlainChoice {
  /** The one object that was asked for is shown as far as it could be read. */
  readonly single: boolean;
  readonly showSecrets: boolean;
  /** Leaves out an object that is damaged where listing did not look, with a notice. */
  readonly skipUnreadable: boolean;
  readonly notice: (text: string) => void;
}

/** An item to be printed. */
export interface Plain {
  readonly value: JsonObject;
  readonly order: MemberOrder;
  /** What is thrown once the value is written: it is only a part. */
  readonly fault?: CliError;
}

/** Undefined for an item that is left out. */
export type ToPlain = (item: Item) => Plain | undefined;

export function plainItem(choice: PlainChoice): ToPlain {
  const said = new Set<string>();
  const once = (text: string): void => {
    if (said.has(text)) return;
    said.add(text);
    choice.notice(text);
  };
  return (item) => {
    const { object } = item.object;
    if (object === undefined)
      return { value: plainValue(item, choice.showSecrets), order: 'given' };
    try {
      return plainObject(object, item, choice, once);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const text = `${keyText(item.key)} cannot be shown: ${cell(error.message)}`;
      if (!choice.skipUnreadable) throw failure(text, { cause: error });
      choice.notice(`${text}; it is left out`);
      return undefined;
    }
  };
}

/** Throws `DecodeError` for what is damaged, unless it was asked for by name. */
function plainObject(
  object: StoredObject,
  { key, modRevision }: Item,
  choice: PlainChoice,
  notice: (text: string) => void,
): Plain {
  const options = { key, modRevision, reveal: choice.showSecrets };
  const { value, warning, damage } = toPrintable(object, options);
  if (damage !== undefined && !choice.single) throw new DecodeError(damage);
  if (warning !== undefined) notice(warning);
  const plain = { value, order: 'kubectl' } as const;
  if (damage === undefined) return plain;
  const text = `${keyText(key)} is damaged, and shown as far as it could be read: ${cell(damage)}`;
  return { ...plain, fault: failure(text) };
}

/** A value that is no object. What lies below `/secrets/` may be one that is only damaged. */
function plainValue(item: Item, showSecrets: boolean): JsonObject {
  const { value } = item.object;
  const key = jsonKey(item.key);
  const hidden = !showSecrets && isSecretKey(item.key);
  return {
    key: typeof key === 'string' ? key : { hex: key.hex },
    modRevision: item.modRevision.toString(),
    size: item.size,
    ...(hidden ? { value: MASK } : valueMembers(value)),
  };
}

function valueMembers(value: Uint8Array): JsonObject {
  const encoding = foreignEncoding(value);
  const text = utf8Strict(value);
  if (encoding !== '') return { encoding, valueBase64: Buffer.from(value).toString('base64') };
  if (text !== undefined) return { value: text };
  return { valueBase64: Buffer.from(value).toString('base64') };
}
