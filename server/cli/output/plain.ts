/** An item as plain data, for the formats that show whole objects. */
import { utf8Strict } from '../../common/bytes';
import type { JsonObject } from '../../kube/decode/jsonText';
import { DecodeError } from '../../kube/decode/errors';
import { MASK, toPrintable } from '../../kube/print/printable';
import { isSecretKey } from '../../kube/print/secrets';
import { jsonKey } from '../receiptJson';
import { failure } from '../exit';
import { foreignEncoding } from './encoding';
import type { Item } from './rows';
import { cell, keyText } from './text';

export interface PlainChoice {
  readonly showSecrets: boolean;
  /** Leaves out an object that is damaged where listing did not look, with a notice. */
  readonly skipUnreadable: boolean;
  readonly notice: (text: string) => void;
}

/** Undefined for an item that is left out. */
export type ToPlain = (item: Item) => JsonObject | undefined;

export function plainItem(choice: PlainChoice): ToPlain {
  let warned = false;
  return (item) => {
    const { object } = item.object;
    if (object === undefined) return plainValue(item, choice.showSecrets);
    try {
      const { key, modRevision } = item;
      const options = { key, modRevision, reveal: choice.showSecrets };
      const { value, warning } = toPrintable(object, options);
      if (warning !== undefined && !warned) {
        warned = true;
        choice.notice(warning);
      }
      return value;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const text = `${keyText(item.key)} cannot be shown: ${cell(error.message)}`;
      if (!choice.skipUnreadable) throw failure(text, { cause: error });
      choice.notice(`${text}; it is left out`);
      return undefined;
    }
  };
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
