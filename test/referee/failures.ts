/** At which keys a list met values that could not be read. */
import { utf8Lossy } from '../../server/common/bytes';
import type { StoreError } from '../../server/store/errors';
import type { ListAnswer, ListAsk } from './oracle';

/** Keys of the values that ended our list, none when something else did. */
export function ourFailures({ code, key, causes }: StoreError): string[] {
  if (code === 'storeRead') return causes.flatMap(({ field }) => field ?? []);
  const isOfOne = code === 'undecodable' || code === 'internal';
  return isOfOne && key !== undefined ? [utf8Lossy(key)] : [];
}

const keyOf = ({ key }: ListAnswer['failures'][number]): string =>
  utf8Lossy(Buffer.from(key, 'base64'));

/** The same of upstream's list. One that collects failures may still end otherwise. */
export function theirFailures(ask: ListAsk, { error, failures }: ListAnswer): string[] {
  const endedIt = ask.aggregate ? error?.reason === 'StorageReadError' : error !== null;
  return endedIt ? failures.map(keyOf) : [];
}

/**
 * Keys whose values upstream could not decode and that are not protobuf: of the other encodings
 * the wording is the tool's own. Empty values go by upstream's word.
 */
export const foreignKeys = ({ failures }: ListAnswer): Set<string> =>
  new Set(failures.filter(({ step, protobuf }) => step === 'decode' && !protobuf).map(keyOf));
