/** What the watch caches of Kubernetes' releases answered (`npm run test:versions`), request by request. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesVersion } from '../../server/cache/versions/version';

export interface Axes {
  readonly resourceVersion: readonly string[];
  readonly match: readonly string[];
  readonly limit: readonly number[];
  readonly token: readonly string[];
  readonly recursive: readonly boolean[];
  readonly filtered: readonly boolean[];
}

export interface AskedOfCache {
  readonly resourceVersion: string;
  readonly match: string;
  readonly limit: bigint;
  readonly token: string;
  readonly recursive: boolean;
  readonly filtered: boolean;
}

type State = 'fresh' | 'behind' | 'unready';
type SomeGates = Readonly<Record<string, boolean>>;

export interface VersionAnswers {
  readonly kubernetes: string;
  readonly release: string;
  readonly gates: Readonly<
    Record<string, { readonly on: boolean; readonly stage: string; readonly locked: boolean }>
  >;
  readonly decided: {
    readonly axes: Axes;
    readonly tellsConsistent: boolean;
    readonly runs: readonly {
      readonly gates: SomeGates;
      readonly progress: boolean;
      readonly answers: string;
    }[];
  };
  readonly served: {
    readonly axes: Axes;
    readonly outcomes: readonly string[];
    readonly runs: readonly {
      readonly gates: SomeGates;
      readonly progress: boolean;
      readonly state: State;
      readonly answers: string;
    }[];
  };
  readonly got: {
    readonly resourceVersion: readonly string[];
    readonly runs: readonly {
      readonly gates: SomeGates;
      readonly state: State;
      readonly outcomes: readonly string[];
    }[];
  };
}

/** Undefined where a version was not asked. */
export function versionAnswers(version: KubernetesVersion): VersionAnswers | undefined {
  const path = join(import.meta.dirname, `../oracle/versions/answers/${version}.json`);
  if (!existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, 'utf8')) as VersionAnswers;
}

/** Every request of a grid, in the order of its answers. */
export function requestsOf(axes: Axes): AskedOfCache[] {
  const { resourceVersion, match, limit, token, recursive, filtered } = axes;
  return resourceVersion.flatMap((version) =>
    match.flatMap((rule) =>
      limit.flatMap((size) =>
        token.flatMap((text) =>
          recursive.flatMap((below) =>
            filtered.map((isFiltered) => ({
              resourceVersion: version,
              match: rule,
              limit: BigInt(size),
              token: text,
              recursive: below,
              filtered: isFiltered,
            })),
          ),
        ),
      ),
    ),
  );
}

/** The only revision that a cache of a grid has seen, and has a snapshot of. */
export const CACHED = 100n;
