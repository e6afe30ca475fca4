/**
 * The feature gates that lists hang on, by Kubernetes version. Upstream: `pkg/features/kube_features.go`
 * of `k8s.io/apiserver` at each release, and `featuregate` of `k8s.io/component-base`.
 */
import { nearest } from '../../common/nearest';
import { isAtLeast, type KubernetesVersion } from './version';

interface Stage {
  /** The version that it begins with; 1.30 stands for any before it too. */
  readonly since: KubernetesVersion;
  readonly stage: 'alpha' | 'beta' | 'GA';
  readonly on: boolean;
  /** Setting it to anything else is refused. */
  readonly locked?: true;
}

interface History {
  readonly stages: readonly Stage[];
  readonly removedIn?: KubernetesVersion;
}

const HISTORIES = {
  EtcdRangeStream: { stages: [{ since: '1.37', stage: 'beta', on: true }] },
  WatchList: {
    stages: [
      { since: '1.30', stage: 'alpha', on: false },
      { since: '1.32', stage: 'beta', on: true },
      { since: '1.33', stage: 'beta', on: false },
      { since: '1.34', stage: 'beta', on: true },
    ],
  },
  ListFromCacheSnapshot: {
    stages: [
      { since: '1.33', stage: 'alpha', on: false },
      { since: '1.34', stage: 'beta', on: true },
    ],
  },
  ConsistentListFromCacheSkipTimeoutFallback: {
    stages: [{ since: '1.37', stage: 'alpha', on: false }],
  },
  AllowUnsafeMalformedObjectDeletion: {
    stages: [
      { since: '1.32', stage: 'alpha', on: false },
      { since: '1.37', stage: 'beta', on: true },
    ],
  },
  ConsistentListFromCache: {
    stages: [
      { since: '1.30', stage: 'alpha', on: false },
      { since: '1.31', stage: 'beta', on: true },
      { since: '1.34', stage: 'GA', on: true, locked: true },
    ],
    removedIn: '1.37',
  },
  ResilientWatchCacheInitialization: {
    stages: [
      { since: '1.31', stage: 'beta', on: true },
      { since: '1.34', stage: 'GA', on: true, locked: true },
    ],
    removedIn: '1.37',
  },
} as const satisfies Readonly<Record<string, History>>;

export type GateName = keyof typeof HISTORIES;

/** One of each. What a version does not have yet is off, and what it has no longer is as it was left. */
export type Gates = Readonly<Record<GateName, boolean>>;

const NAMES = Object.keys(HISTORIES) as GateName[];

const historyOf = (name: GateName): History => HISTORIES[name];

function isRemoved(name: GateName, version: KubernetesVersion): boolean {
  const { removedIn } = historyOf(name);
  return removedIn !== undefined && isAtLeast(version, removedIn);
}

function stageAt(name: GateName, version: KubernetesVersion): Stage | undefined {
  return historyOf(name).stages.findLast(({ since }) => isAtLeast(version, since));
}

/** The gates that a kube-apiserver of the version knows, with their stages. */
export function gatesOf(version: KubernetesVersion): ReadonlyMap<GateName, Stage> {
  return new Map(
    NAMES.flatMap((name) => {
      const stage = stageAt(name, version);
      return stage === undefined || isRemoved(name, version) ? [] : [[name, stage] as const];
    }),
  );
}

export function defaultGates(version: KubernetesVersion): Gates {
  const on = NAMES.map((name) => [name, stageAt(name, version)?.on ?? false] as const);
  return Object.fromEntries(on) as Gates;
}

/** Only those that the version knows, as they are shown. */
export function knownGates(version: KubernetesVersion, gates: Gates): Partial<Gates> {
  return Object.fromEntries([...gatesOf(version).keys()].map((name) => [name, gates[name]]));
}

/** A gate that was given in a way that a kube-apiserver of the version would refuse. */
export class GateError extends Error {
  override readonly name = 'GateError';
  constructor(
    readonly gate: string,
    message: string,
  ) {
    super(message);
  }
}

/** Gates of a whole stage, which hold where no other word is given. */
const STAGES: ReadonlyMap<string, Stage['stage']> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

/** The gates of a server that was started with these. Throws `GateError`. */
export function setGates(version: KubernetesVersion, given: ReadonlyMap<string, boolean>): Gates {
  const gates: Record<GateName, boolean> = { ...defaultGates(version) };
  const known = gatesOf(version);
  for (const [name, on] of given) {
    const stage = STAGES.get(name);
    if (stage === undefined) gates[checked(name, on, version)] = on;
    else {
      for (const [each, at] of known) if (at.stage === stage && !given.has(each)) gates[each] = on;
    }
  }
  return gates;
}

/** Why a kube-apiserver of the version would refuse it; undefined where it would not. */
export function gateProblem(
  version: KubernetesVersion,
  name: string,
  on: boolean,
): string | undefined {
  try {
    setGates(version, new Map([[name, on]]));
    return undefined;
  } catch (error) {
    if (error instanceof GateError) return error.message;
    throw error;
  }
}

function checked(name: string, on: boolean, version: KubernetesVersion): GateName {
  const found = NAMES.find((each) => each === name);
  const stage = found === undefined ? undefined : gatesOf(version).get(found);
  if (found === undefined || stage === undefined) {
    throw new GateError(name, unknownText(name, version));
  }
  if (stage.locked !== true || stage.on === on) return found;
  throw new GateError(
    name,
    `kube-apiserver ${version} refuses it: cannot set feature gate ${name} to ${on}, feature is locked to ${stage.on}`,
  );
}

/** Of gates that other versions have it is known that upstream refuses them. */
function unknownText(name: string, version: KubernetesVersion): string {
  const found = NAMES.find((each) => each === name);
  if (found === undefined) {
    const known = [...gatesOf(version).keys()];
    const close = nearest(name, known, 1)[0];
    const hint = close === undefined ? '' : `; did you mean ${close}?`;
    return `it is none of the gates of ${version} that lists hang on: ${known.join(', ')}${hint}`;
  }
  const { stages, removedIn = '' } = historyOf(found);
  const when = isRemoved(found, version)
    ? `it was removed in ${removedIn}`
    : `it came with ${stages[0]?.since ?? ''}`;
  return `kube-apiserver ${version} refuses it: unrecognized feature gate: ${name} (${when})`;
}
