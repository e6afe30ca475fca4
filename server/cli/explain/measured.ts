/** The bounded sample of what a list ranges over, read from etcd on request alone. */
import { prefixEnd } from '../../common/bytes';
import type { EtcdReader } from '../../etcd/interfaces';
import type { AskedList } from '../../explain/asked';
import { questionOf } from '../../explain/estimate';
import type { StoredKeys } from '../../explain/estimateModel';
import { measuredKeys } from '../../explain/estimateSample';
import type { ListOptions, Predicate } from '../../store/interfaces';
import { etcdKey, prepareKey, storePathPrefix } from '../../store/keys';
import { validateListOptions } from '../../store/listOptions';
import { narrowedOptions } from '../../store/narrow';
import { spreadSample } from '../../store/spreadSample';
import { prefixTarget, resolveResource, type ListTarget } from '../../targets/target';
import { note, type Context } from '../context';
import { fieldSelector, labelSelector } from '../selectors';

/**
 * Undefined where nothing would be read: the list is refused. Of one key nothing is measured. Throws
 * what looking up the resource, its options and the reads throw.
 */
export async function measured(
  asked: AskedList,
  etcd: EtcdReader,
  root: string,
  context: Context,
): Promise<StoredKeys | undefined> {
  const question = questionOf(asked);
  if (question === undefined) return undefined;
  if (asked.named || !question.recursive) return ONE_KEY;
  const target = await targetOf(asked, etcd, root, context);
  const options = optionsOf(asked, target);
  if (!options.recursive) return ONE_KEY;
  const path = prepareKey(target.path, options.key, true);
  const prefix = etcdKey(storePathPrefix(target.root), path);
  const { continueKey } = validateListOptions(prefix, options);
  const sample = await spreadSample({
    etcd,
    decoder: target.decoder({ readsFields: true, onUnjudged: () => undefined }),
    predicate: options.predicate,
    start: continueKey ?? prefix,
    end: prefixEnd(prefix),
    signal: context.signal,
  });
  return measuredKeys(sample);
}

const ONE_KEY: StoredKeys = { keys: 1, matches: { kind: 'all' }, source: { kind: 'given' } };

function targetOf(
  { resource }: AskedList,
  etcd: EtcdReader,
  root: string,
  context: Context,
): Promise<ListTarget> {
  if (resource.startsWith('/')) return Promise.resolve(prefixTarget(resource));
  const notice = (text: string): void => {
    note(context, text);
  };
  return resolveResource(resource, { etcd, root, signal: context.signal, notice });
}

function optionsOf(asked: AskedList, target: ListTarget): ListOptions {
  const { namespace, limit, from } = asked;
  const predicate: Predicate = {
    label: labelSelector(asked.labelSelector),
    field: fieldSelector(asked.fieldSelector, target.fieldTransform),
    limit,
    continueToken: from.kind === 'token' ? from.token : '',
  };
  const version = { resourceVersion: '', resourceVersionMatch: '' };
  if (target.kind === 'values') {
    return { key: target.path, recursive: true, predicate, ...version };
  }
  const { path: resourcePath, namespaced } = target;
  return narrowedOptions({ resourcePath, namespaced, namespace, predicate }, version);
}
