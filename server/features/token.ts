/** Requests about continue tokens: decode, encode, hover. */
import { isEtcdError, type EtcdErrorCode } from '../etcd/errors';
import { DEFAULT_ROOT } from '../kube/resources/resources';
import { explainToken, encodeTokenFields, readShown } from '../language/tokenFacts';
import { tokenMarkdown } from '../language/tokenMarkdown';
import {
  listedBefore,
  mayHoldToken,
  pastedToken,
  tokenAt,
  type FoundToken,
  type TokenPlace,
} from '../language/tokens';
import type { HoverToken, HoverTokenParams, TokenFacts } from '../protocol/model';
import { keyPrefixOf } from './query';
import type { ConnectionHolder } from './connectionHolder';
import { plainText, refuse } from './failures';
import { inspectLink } from './inspectLink';
import { knownTarget } from './knownTargets';
import type { OpenConnection } from './openConnection';
import { readDecodeParams, readEncodeParams, readHoverParams } from './queryParams';
import type { Router } from './router';
import { StoreError } from '../store/errors';
import { prefixTarget } from '../targets/target';

export function registerToken(router: Router, holder: ConnectionHolder): void {
  router.handle('etcdList/decodeToken', readDecodeParams, async (params, { signal }) => {
    const found = pastedToken(params.text);
    const prefix = listPrefix(params.resource, params.namespace, holder.current);
    return factsOf(found.token, foundIn(found), prefix, (key, revision) =>
      params.askEtcd || holder.current === undefined
        ? isCompacted(holder.current, key, revision, signal)
        : 'etcd was not asked',
    );
  });
  router.handle('etcdList/encodeToken', readEncodeParams, (params) => {
    const start = readShown(params.start);
    if (start === undefined) {
      throw refuse('The start key has a backslash that begins no escape: write \\\\ for one.');
    }
    const version = readShown(params.version) ?? params.version;
    const revision = params.resourceVersion.trim();
    if (!/^-?\d+$/.test(revision)) {
      throw refuse(
        `The resourceVersion "${plainText(revision)}" is not a whole number: write digits.`,
      );
    }
    const token = encodeTokenFields(version, BigInt(revision), start);
    const prefix = listPrefix(params.resource, params.namespace, holder.current);
    return factsOf(token, 'edited fields', prefix, () => 'etcd is not asked about edited fields');
  });
  router.handle('etcdList/hoverToken', readHoverParams, (params) =>
    hoverToken(params, holder.current),
  );
}

async function factsOf(
  token: string,
  where: string,
  prefix: Uint8Array | undefined,
  ask: (key: Uint8Array, revision: bigint) => Promise<boolean | string> | string,
): Promise<TokenFacts> {
  const { accepted, ...facts } = explainToken(token, prefix);
  const pinned = accepted !== undefined && accepted.resourceVersion > 0n ? accepted : undefined;
  const compacted = pinned ? await ask(pinned.key, pinned.resourceVersion) : unpinned(facts);
  return { token, foundIn: where, ...facts, ...known(compacted) };
}

function known(answer: boolean | string): Partial<TokenFacts> {
  if (typeof answer === 'boolean') return { compacted: answer };
  return { compactedUnknown: answer, ...(answer === future && { notReached: true }) };
}

const unpinned = ({ verdict }: Pick<TokenFacts, 'verdict'>): string =>
  verdict === 'ok' ? 'the token names no revision' : 'the token is refused';

export function hoverToken(
  { line, character }: HoverTokenParams,
  connection: OpenConnection | undefined,
): HoverToken | null {
  if (!mayHoldToken(line)) return null;
  const found = tokenAt(line, character);
  if (found === undefined) return null;
  const listed = listedBefore(line, found.start);
  const prefix = listed && listPrefix(listed.resource, listed.namespace, connection);
  const facts = tokenMarkdown(explainToken(found.token, prefix));
  const markdown = `${facts}\n\n${inspectLink(found.token)}`;
  return { markdown, start: found.start, end: found.end, token: found.token };
}

const places: Readonly<Record<TokenPlace, string>> = {
  raw: 'the token alone',
  quoted: 'a quoted text',
  parameter: "a URL's continue parameter",
  metadata: "a list's metadata",
  text: 'a longer text',
};

function foundIn({ place, percentEncoded }: FoundToken): string {
  return percentEncoded ? `${places[place]}, percent-encoded` : places[place];
}

/** Undefined where the resource is not known, or the namespace cannot be one. */
function listPrefix(
  resource: string,
  namespace: string,
  connection: OpenConnection | undefined,
): Uint8Array | undefined {
  const word = resource.trim() === '' ? 'pods' : resource.trim();
  const known = knownTarget(word, connection);
  if (known.kind === 'unknown') return undefined;
  const target =
    known.kind === 'target'
      ? known.target
      : prefixTarget(`${connection?.root ?? DEFAULT_ROOT}${known.path}`);
  const isScoped = namespace !== '' && (known.kind === 'custom' || target.namespaced);
  try {
    return keyPrefixOf({ key: isScoped ? `${target.path}/${namespace}` : target.path }, target);
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** One count-only read of one key at that revision; a text says why that does not answer it. */
async function isCompacted(
  connection: OpenConnection | undefined,
  key: Uint8Array,
  revision: bigint,
  signal: AbortSignal,
): Promise<boolean | string> {
  if (connection === undefined) return 'no etcd is connected';
  const both = AbortSignal.any([signal, connection.closed]);
  try {
    const request = { key, revision, limit: 1n, countOnly: true };
    await connection.reader.range(request, { signal: both });
    return false;
  } catch (error) {
    if (!isEtcdError(error)) throw error;
    return error.code === 'compacted' ? true : (reasons.get(error.code) ?? 'etcd did not answer');
  }
}

const future = 'etcd has not reached the revision yet';

const reasons: ReadonlyMap<EtcdErrorCode, string> = new Map([
  ['futureRevision', future],
  ['permissionDenied', 'etcd does not permit this user to read there'],
  ['authentication', 'etcd refused the user'],
  ['userEmpty', 'etcd asks for a user'],
  ['invalidAuthToken', 'etcd refused the user'],
  ['cancelled', 'the question was stopped'],
]);
