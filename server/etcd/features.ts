/**
 * What the etcd behind one connection can do, as far as its answers have shown. Upstream:
 * `pkg/storage/feature/feature_support_checker.go`, there one for the process, here one for each
 * connection.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../common/clock';
import { silentLog, type Log } from '../common/log';
import type { CallOptions, EtcdReader, MemberStatus } from './interfaces';
import { compareVersions, parseSemantic } from './semver';

export type Feature = 'RequestWatchProgress' | 'RangeStream';

export interface FeatureChecker {
  /** RangeStream: true until marked. RequestWatchProgress: false until checked. Others: false. */
  supports(feature: string): boolean;
  /** For ten minutes RangeStream counts as unsupported. Other features cannot be marked. */
  markUnsupported(feature: string): void;
  /** Milliseconds until a marked RangeStream is tried again; 0 when it is not marked. */
  retryInMs(): number;
  /**
   * Asks one endpoint's version once and notes whether its progress notifications are sound. One
   * unsound endpoint makes the whole etcd unsound for good. Rejects when the endpoint cannot be
   * asked, which changes nothing.
   */
  checkEndpoint(endpoint: string, status: StatusCall): Promise<void>;
  /**
   * Checks each endpoint of the reader that was not checked before, again and again until it
   * answers or the signal aborts. Never rejects.
   */
  checkAll(reader: Pick<EtcdReader, 'endpoints' | 'status'>, signal: AbortSignal): Promise<void>;
}

type StatusCall = (endpoint: string) => Promise<Pick<MemberStatus, 'version'>>;

const recheckMs = 10 * 60 * 1000;
const firstRetryMs = 10;
const longestRetryMs = 15_000;

export function createFeatureChecker(clock: Clock, log: Log = silentLog): FeatureChecker {
  let progressSupported: boolean | undefined;
  let unsupportedSince: number | undefined;
  const checking = new Set<string>();

  const retryInMs = (): number =>
    unsupportedSince === undefined
      ? 0
      : Math.max(0, recheckMs - (clock.monotonic() - unsupportedSince));

  const checkEndpoint = async (endpoint: string, status: StatusCall): Promise<void> => {
    const version = await versionOf(endpoint, status);
    if (!progressIsSound(version)) {
      log.info(`RequestWatchProgress feature is not supported by "${endpoint}" endpoint`);
      progressSupported = false;
    }
    progressSupported ??= true;
  };

  const checkUntilAnswered: FeatureChecker['checkAll'] = async (reader, signal) => {
    const untilAnswered = async (endpoint: string): Promise<void> => {
      const status = (name: string, options: CallOptions = { signal }) =>
        reader.status(name, options);
      for (let wait = firstRetryMs; ; wait = Math.min(wait * 2, longestRetryMs)) {
        try {
          await checkEndpoint(endpoint, status);
          return;
        } catch (error) {
          if (signal.aborted) throw error;
          await delay(wait, undefined, { signal, ref: false });
        }
      }
    };
    const check = async (endpoint: string): Promise<void> => {
      checking.add(endpoint);
      try {
        await untilAnswered(endpoint);
      } catch {
        // Given up, not answered: a later check asks again.
        checking.delete(endpoint);
      }
    };
    await Promise.all(reader.endpoints.filter((name) => !checking.has(name)).map(check));
  };

  return {
    supports: (feature) => {
      if (feature === 'RangeStream') return retryInMs() === 0;
      return feature === 'RequestWatchProgress' && progressSupported === true;
    },
    markUnsupported: (feature) => {
      if (feature === 'RangeStream') unsupportedSince = clock.monotonic();
    },
    retryInMs,
    checkEndpoint,
    checkAll: checkUntilAnswered,
  };
}

async function versionOf(endpoint: string, status: StatusCall): Promise<string> {
  try {
    return (await status(endpoint)).version;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(
      `failed checking etcd version, endpoint: ${JSON.stringify(endpoint)}: ${text}`,
      { cause: error },
    );
  }
}

/**
 * Progress notifications were wrong before 3.4.31 and from 3.5.0 to 3.5.12 (etcd issues 15220 and
 * 17507). A pre-release of 3.5.0 lies between the two ranges; an unreadable version is unsound.
 */
function progressIsSound(text: string): boolean {
  const version = parseSemantic(text);
  if (version === undefined) return false;
  const atLeast = (...numbers: bigint[]): boolean =>
    compareVersions(version, { numbers, preRelease: '' }) >= 0;
  const tooOld = !atLeast(3n, 4n, 31n);
  const bad35 = atLeast(3n, 5n, 0n) && !atLeast(3n, 5n, 13n);
  return !tooOld && !bad35;
}
