import { utf8Lossy } from '../../../server/common/bytes';
import { TransformError } from '../../../server/kube/decode/errors';
import { ListFailedError, type ItemContext, type ListItem } from '../../../server/store/interfaces';
import { subjectNames } from '../../support/storeSubjects';
import { encodeTestObject, testDecoder } from '../../support/testObjects';
import { listOptions, testStore } from '../../support/testStore';
import { integer } from '../bytes';
import { defineTopic, UnknownShape, type Columns } from '../harness';
import { columns, flag, text } from '../read';
import { closeRig, openRig, type ReplayRig } from '../replay';
import { asStoreError, kindOf } from '../storeErrors';

const idOf = (key: Uint8Array): number => Number(/([0-9]{6})$/.exec(utf8Lossy(key))?.[1]);

function corruptIds(rule: Columns): (id: number) => boolean {
  if (rule['rule'] === 'even') return (id) => id % 2 === 0;
  if (rule['rule'] === 'all') return () => true;
  if (!Array.isArray(rule['ids'])) throw new UnknownShape('input.corrupt is not a known rule');
  const ids = new Set(rule['ids'] as unknown[]);
  return (id) => ids.has(id);
}

/** Fails as the case says: known trouble of one value, or an unrelated error. */
function failing(input: Columns): (item: ItemContext) => void {
  const corrupt = corruptIds(columns(input, 'corrupt') ?? {});
  const unexpected = new Set(input['unexpected'] as unknown[]);
  return ({ key }) => {
    const id = idOf(key);
    if (unexpected.has(id)) throw new Error('an unrelated failure');
    if (corrupt(id)) throw new TransformError('bits flipped', 'bits flipped', 'test', 'key');
  };
}

function errorColumns(error: ListFailedError, prefix: string): Columns {
  const cause = asStoreError(error);
  const base = { kind: kindOf(cause), message: cause.message.replaceAll(prefix, '{prefix}') };
  if (cause.code !== 'storeRead') return base;
  const fields = cause.causes.flatMap(({ field }) => (field === undefined ? [] : [field]));
  const last = cause.causes.at(-1);
  return {
    ...base,
    code: cause.status,
    causeCount: cause.causes.length,
    firstCauseFields: fields.slice(0, 3).map((field) => field.replaceAll(prefix, '{prefix}')),
    lastCauseType: last?.type,
    lastCauseMessage: last?.message,
  };
}

/** Only the columns a case asks for, since it may pin a part of the causes. */
function asked(error: Columns | null, expect: unknown): unknown {
  if (error === null || typeof expect !== 'object' || expect === null) return error;
  const wanted = expect as Columns;
  const message = String(error['message']);
  const suffix = /( \(and [0-9]+ more\))?$/.exec(message)?.[0] ?? '';
  const all: Columns = { ...error, messageSuffix: suffix };
  const named = Object.keys(wanted).map((name) => (name === 'messagePrefix' ? 'message' : name));
  return Object.fromEntries(named.map((name) => [name, all[name]]));
}

function ids(items: readonly ListItem<unknown>[], expect: Columns): Columns {
  const found = items.map((item) => idOf(item.key));
  if ('itemIds' in expect && expect['itemIds'] !== null) return { itemIds: found };
  return { itemCount: found.length, firstItemIds: found.slice(0, 3), lastItemId: found.at(-1) };
}

function entries(count: number, namespace: string, prefix: string) {
  return Array.from({ length: count }, (_, i) => {
    const name = `foo-${String(i + 1).padStart(6, '0')}`;
    return [prefix + name, encodeTestObject({ name, namespace })] as const;
  });
}

async function read(input: Columns, expect: Columns, rig: ReplayRig): Promise<unknown> {
  const namespace = text(input, 'namespace');
  const prefix = `/registry/pods/${namespace}/`;
  const { writer } = rig.subject;
  await writer.deletePrefix('/registry/pods/');
  await writer.bulkLoad(entries(Number(integer(input, 'count')), namespace, prefix));
  const decoder = testDecoder({ onTransform: failing(input) });
  const store = testStore({ etcd: rig.reader, decoder, aggregate: flag(input, 'aggregate') });
  try {
    const options = { key: `/pods/${namespace}`, limit: integer(input, 'limit') };
    const { items } = await store.getList(listOptions(options));
    return { ...ids(items, expect), error: null };
  } catch (error) {
    if (!(error instanceof ListFailedError)) throw error;
    const columnsOfError = asked(errorColumns(error, prefix), expect['error']);
    return { ...ids(error.items, expect), error: columnsOfError };
  }
}

export const run = defineTopic<ReplayRig>({
  subjects: subjectNames(),
  open: (_, subject) => openRig(subject),
  close: closeRig,
  actual: ({ input, expect }, rig) => read(input, expect, rig),
});
