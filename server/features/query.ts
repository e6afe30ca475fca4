/** From the query bar's texts to what the engine takes. */
import { qualifiedName } from '../common/groupResource';
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldSelector,
  type FieldTransform,
  type LabelSelector,
} from '../kube/selectors';
import type { ListQuery } from '../protocol/model';
import type { ListOptions, StreamMode } from '../store/interfaces';
import { etcdKey, prepareKey, storePathPrefix } from '../store/keys';
import { narrowedOptions } from '../store/narrow';
import { requestProblems } from '../store/requestOptions';
import type { CustomDefinition } from '../targets/customDefinition';
import { prefixTarget, resolveResource, type ListTarget } from '../targets/target';
import type { ConnectionHolder } from './connectionHolder';
import { plainText, refuse, refusedSentence, SELECTOR_HINT } from './failures';
import type { OpenConnection } from './openConnection';

export const streamModes: Readonly<Record<ListQuery['readMode'], StreamMode>> = {
  auto: 'auto',
  pages: 'off',
  stream: 'force',
};

/** Whether a list that may stream (rule S1) would. */
export function willStream(
  { readMode }: Pick<ListQuery, 'readMode'>,
  holder: Pick<ConnectionHolder, 'current' | 'rangeStreamGate'>,
): boolean {
  if (readMode !== 'auto') return readMode === 'stream';
  return holder.rangeStreamGate && holder.current?.rangeStream().answer !== 'notSupported';
}

/** What a query's resource is; a custom one costs reads of its definition. */
export async function targetOf(
  query: Pick<ListQuery, 'resource' | 'namespace'>,
  connection: OpenConnection,
  signal: AbortSignal,
  notice: (text: string) => void,
): Promise<ListTarget> {
  const word = query.resource.trim();
  if (word === '') throw refuse('No resource is chosen: write one, such as pods.');
  if (word.startsWith('/')) return plainPrefix(word, query.namespace);
  const { reader: etcd, root, definitions } = connection;
  const onDefinition = (read: CustomDefinition): void => {
    definitions.set(qualifiedName({ group: read.group, resource: read.plural }), read);
  };
  const target = await resolveResource(word, { etcd, root, signal, notice, onDefinition });
  if (!target.namespaced && query.namespace !== '') {
    notice(`${target.name} are not namespaced: the namespace has no effect`);
  }
  return target;
}

function plainPrefix(prefix: string, namespace: string): ListTarget {
  if (/^[/\s]*$/.test(prefix)) {
    throw refuse('An empty prefix would read every key: write one, such as /registry/pods/.');
  }
  if (namespace !== '') {
    throw refuse('A namespace does not go with a prefix: append it to the prefix.');
  }
  return prefixTarget(prefix);
}

/** Throws `FailureError` with upstream's text for what the API server would refuse. */
export function listOptionsOf(query: ListQuery, target: ListTarget): ListOptions {
  const { resourceVersion, resourceVersionMatch, continueToken } = query;
  const problem = requestProblemsOf(query)[0];
  if (problem !== undefined) {
    throw refuse(refusedSentence(plainText(problem.message)), problem.message);
  }
  const predicate = {
    label: labelSelectorOf(query.labelSelector),
    field: fieldSelectorOf(query.fieldSelector, target.fieldTransform),
    limit: limitOf(query.limit),
    continueToken,
  };
  const version = { resourceVersion, resourceVersionMatch };
  if (target.kind === 'values') {
    return { key: target.path, recursive: true, predicate, ...version };
  }
  const { path: resourcePath, namespaced } = target;
  return narrowedOptions(
    { resourcePath, namespaced, namespace: query.namespace, predicate },
    version,
  );
}

export function requestProblemsOf(query: ListQuery) {
  const { resourceVersion, resourceVersionMatch, continueToken } = query;
  return requestProblems({
    watch: false,
    resourceVersion,
    resourceVersionMatch,
    continueToken,
    sendInitialEvents: undefined,
    watchListEnabled: true,
  });
}

/** The list's etcd prefix, to which its tokens are relative. Throws `StoreError` `invalidKey`. */
export function keyPrefixOf(options: Pick<ListOptions, 'key'>, target: ListTarget): Uint8Array {
  return etcdKey(storePathPrefix(target.root), prepareKey(target.path, options.key, true));
}

function labelSelectorOf(text: string): LabelSelector | undefined {
  return text === '' ? undefined : parsed('label', () => parseLabelSelector(text));
}

function fieldSelectorOf(text: string, transform: FieldTransform): FieldSelector | undefined {
  return text === '' ? undefined : parsed('field', () => parseFieldSelector(text, transform));
}

const FIELD_HINT =
  'write it as kubectl takes it, such as metadata.name=x, with fields that this resource has';

function parsed<T>(which: 'label' | 'field', parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    const hint = which === 'label' ? SELECTOR_HINT : FIELD_HINT;
    throw refuse(
      `The ${which} selector is refused: ${plainText(error.message)}; ${hint}.`,
      error.message,
    );
  }
}

const maxInt64 = 2n ** 63n - 1n;

/** Undefined when it is no int64. */
export function parseLimit(text: string): bigint | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 0n;
  if (!/^[+-]?\d{1,19}$/.test(trimmed)) return undefined;
  const limit = BigInt(trimmed.replace(/^\+/, ''));
  return limit > maxInt64 || limit < -maxInt64 - 1n ? undefined : limit;
}

function limitOf(text: string): bigint {
  const limit = parseLimit(text);
  if (limit !== undefined) return limit;
  throw refuse(
    `The limit "${plainText(text)}" is not a whole number: write digits, or leave it empty for none.`,
  );
}
