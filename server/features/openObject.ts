/** One stored object as a document: one read of its key. */
import { utf8Strict } from '../common/bytes';
import { isEtcdError } from '../etcd/errors';
import type { EtcdReader, KeyValue } from '../etcd/interfaces';
import { detectEncoding } from '../kube/decode/encoding';
import { DecodeError, TransformError } from '../kube/decode/errors';
import { decodeObject } from '../kube/decode/object';
import { transform } from '../kube/decode/transform';
import { metadataFields } from '../kube/fields/selectableFields';
import { cellText } from '../kube/print/cellText';
import { yamlText } from '../kube/print/encode';
import { keyText } from '../kube/print/keyText';
import { isMasked, toPrintable } from '../kube/print/printable';
import { isSecret } from '../kube/print/secrets';
import type { OpenedObject, OpenObjectParams } from '../protocol/model';
import type { ConnectionHolder } from './connectionHolder';
import { InvalidParamsError, refuse } from './failures';
import { reading } from './onConnection';
import { readOpenParams } from './queryParams';
import type { Router } from './router';

/** Bytes shown of a value that is neither an object nor text. */
const MOST_HEX = 64 * 1024;
const CHANGED =
  'The connection has changed since this object was listed: list again, and open it from there.';
const MASKED = '(masked)\n';

type ReadObject = Omit<OpenedObject, 'connectionNumber'>;

export function registerOpenObject(router: Router, holder: ConnectionHolder): void {
  router.handle('etcdList/openObject', readOpenParams, async (params, { signal }) => {
    const connection = holder.required();
    const { connectionNumber } = holder;
    if ((params.connectionNumber ?? connectionNumber) !== connectionNumber) throw refuse(CHANGED);
    const key = keyOf(params.key);
    const revision = revisionOf(params.revision);
    const { stored, compacted } = await reading(connection, signal, (both) =>
      read(connection.reader, key, revision, both),
    );
    if (stored === undefined) throw refuse(missing(key, revision, compacted));
    const object = { ...opened(stored, params), connectionNumber };
    return compacted ? { ...object, warning: latestWarning(revision, object.warning) } : object;
  });
}

/** Kubernetes has etcd compacted every five minutes, and a list stays open for longer. */
async function read(
  reader: EtcdReader,
  key: Uint8Array,
  revision: bigint,
  signal: AbortSignal,
): Promise<{ readonly stored: KeyValue | undefined; readonly compacted: boolean }> {
  try {
    const { kvs } = await reader.range({ key, revision }, { signal });
    return { stored: kvs[0], compacted: false };
  } catch (error) {
    if (!isEtcdError(error, 'compacted')) throw error;
    const { kvs } = await reader.range({ key }, { signal });
    return { stored: kvs[0], compacted: true };
  }
}

function missing(key: Uint8Array, revision: bigint, compacted: boolean): string {
  if (compacted) {
    return `Revision ${String(revision)} is compacted, and there is no object ${keyText(key)} any more: it was deleted since; list again.`;
  }
  const when = revision === 0n ? 'now' : `at revision ${String(revision)}`;
  return `There is no object ${keyText(key)} ${when}: it was deleted, or never there; list again.`;
}

function latestWarning(revision: bigint, warning: string): string {
  const latest = `Revision ${String(revision)} is compacted: this is the latest state.`;
  return warning === '' ? latest : `${latest}\n${warning}`;
}

function keyOf(hex: string): Uint8Array {
  if (hex === '' || hex.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(hex)) {
    throw new InvalidParamsError('"key" of the parameters must be an etcd key in hex.');
  }
  return Buffer.from(hex, 'hex');
}

function revisionOf(text: string): bigint {
  if (text === '') return 0n;
  const revision = /^\d{1,19}$/.test(text) ? BigInt(text) : -1n;
  if (revision >= 0n && revision < 2n ** 63n) return revision;
  throw new InvalidParamsError('"revision" of the parameters must be a revision in digits.');
}

function opened(stored: KeyValue, params: OpenObjectParams): ReadObject {
  const title = titleOf(stored.key);
  try {
    const object = decodeObject(transform(stored.value), metadataFields(true));
    const { key, modRevision } = stored;
    const options = { key, modRevision, reveal: params.reveal };
    const { value, warning, damage } = toPrintable(object, options);
    const masked = (isSecret(object) || isMasked(object, key)) && !params.reveal;
    const text = yamlText(value, 'kubectl');
    return { title: `${title}.yaml`, text, warning: warningOf(warning, damage), masked };
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof TransformError)) throw error;
    return openedBytes(stored, params, title, error);
  }
}

function warningOf(warning: string | undefined, damage: string | undefined): string {
  const damaged =
    damage === undefined
      ? []
      : [`This object is damaged and shown as far as it could be read (${cellText(damage)}).`];
  return [...damaged, ...(warning === undefined ? [] : [warning])].join(' ');
}

/** The last parts of the key, such as `web/nginx-1`. */
function titleOf(key: Uint8Array): string {
  return keyText(key).split('/').filter(Boolean).slice(-2).join('/') || keyText(key);
}

/**
 * A damaged Secret is still a Secret: what lies under its prefix is masked whole, and so is what
 * names its kind anywhere.
 */
function openedBytes(
  { key, value }: KeyValue,
  { reveal }: OpenObjectParams,
  title: string,
  error: DecodeError | TransformError,
): ReadObject {
  const mayBeSecret =
    Buffer.from(key).includes('/secrets/') || Buffer.from(value).includes('Secret');
  const masked = !reveal && mayBeSecret;
  const reason = error instanceof TransformError ? error.sentence : error.message;
  const encrypted = detectEncoding(value).kind === 'encrypted';
  const readable = encrypted ? undefined : utf8Strict(value);
  const text = readable ?? hexDump(value);
  const what =
    readable === undefined ? 'its bytes are shown in hex' : 'it is shown as it is stored';
  const warning = `This value is not a readable Kubernetes object (${cellText(reason).replace(/\.$/, '')}): ${masked ? 'it is masked' : what}.`;
  return { title, text: masked ? MASKED : text, warning, masked };
}

function hexDump(value: Uint8Array): string {
  const shown = Buffer.from(value.subarray(0, MOST_HEX)).toString('hex');
  const lines = shown.match(/.{1,64}/g) ?? [];
  const rest = value.length - MOST_HEX;
  const more = rest > 0 ? [`… ${rest.toLocaleString('en-US')} bytes more`] : [];
  return [...lines, ...more, ''].join('\n');
}
