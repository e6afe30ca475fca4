/** Versions of Kubernetes and their feature gates, as kube-apiserver takes them: `A=true,B=false`. */
import type { CacheGates } from '../../cache/serving';
import { GateError, setGates, type Gates } from '../../cache/versions/gates';
import {
  kubernetesVersion,
  NEWEST_VERSION,
  NOT_OFFERED,
  type KubernetesVersion,
} from '../../cache/versions/version';
import type { FeatureGates } from '../../store/interfaces';
import { usageError } from '../exit';
import { cell } from '../output/text';
import { parseBool } from './argv';

export function kubernetesVersionOf(text: string | undefined): KubernetesVersion {
  if (text === undefined) return NEWEST_VERSION;
  const version = kubernetesVersion(text);
  if (version !== undefined) return version;
  throw usageError(`--kubernetes-version "${cell(text)}" ${NOT_OFFERED}`);
}

/** All gates of a server of the version. */
export function gatesFrom(text: string | undefined, version: KubernetesVersion): Gates {
  return named(parsed(text ?? ''), version);
}

/** Those that the engine obeys, which reads as the newest version does. */
export function readGates(text: string | undefined): FeatureGates {
  const gates = gatesFrom(text, NEWEST_VERSION);
  return {
    etcdRangeStream: gates.EtcdRangeStream,
    allowUnsafeMalformedObjectDeletion: gates.AllowUnsafeMalformedObjectDeletion,
  };
}

/** Those that a watch cache of ours obeys. */
export function cacheGates(text: string | undefined): CacheGates {
  const gates = gatesFrom(text, NEWEST_VERSION);
  return {
    listFromCacheSnapshot: gates.ListFromCacheSnapshot,
    consistentListFromCacheSkipTimeoutFallback: gates.ConsistentListFromCacheSkipTimeoutFallback,
  };
}

function named(given: ReadonlyMap<string, boolean>, version: KubernetesVersion): Gates {
  try {
    return setGates(version, given);
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    throw usageError(`--feature-gates ${cell(error.gate)}: ${cell(error.message)}`, {
      cause: error,
    });
  }
}

/** The last one wins where a gate is named twice. */
function parsed(text: string): ReadonlyMap<string, boolean> {
  const parts = text.split(',').map((part) => part.trim());
  return new Map(parts.filter((part) => part !== '').map(parsedOne));
}

function parsedOne(part: string): readonly [string, boolean] {
  const at = part.indexOf('=');
  const name = (at < 0 ? part : part.slice(0, at)).trim();
  const truth = parseBool(at < 0 ? '' : part.slice(at + 1).trim());
  if (truth !== undefined) return [name, truth];
  throw usageError(`--feature-gates ${cell(name)}: write ${cell(name)}=true or =false`);
}
