/** What the client says about itself: trust, gate and limits. Nonsense falls back to the defaults. */
import { NEWEST_VERSION, type KubernetesVersion } from '../cache/versions/version';
import { nearest } from '../common/nearest';
import { FINDINGS } from '../language/findings';
import type { CompletionSettings, InitializationOptions } from '../protocol/lsp';
import {
  completionBounds,
  completionDefaults,
  featureGates,
  kubernetesVersions,
  SEVERITY_SETTINGS,
  type FeatureGateSettings,
  watchCacheMiB,
  type SeveritySetting,
  type SeveritySettings,
} from '../protocol/names';
import { plainText } from './failures';

type Limits = Omit<InitializationOptions, 'trusted'>;

const defaults: Limits = {
  rangeStreamGate: true,
  kubernetesVersion: NEWEST_VERSION,
  featureGates: {},
  byteBudgetMiB: 512,
  deadlineSeconds: 60,
  completion: completionDefaults,
  severities: {},
  schemaCompletion: false,
  metricsPort: 0,
  watchCacheMiB: watchCacheMiB.default,
};

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** A mebibyte more would not be a safe number of bytes. */
const byteBudgetMiB: Bounds = { minimum: 1, maximum: 1024 * 1024 };
/** A timer holds 24 days. */
const deadlineSeconds: Bounds = { minimum: 1, maximum: 2_147_483 };
const port: Bounds = { minimum: 0, maximum: 65_535 };

export class ServerSettings {
  private limits = defaults;

  /** `warn` is told of values that cannot be used. */
  constructor(private readonly warn: (text: string) => void) {}

  /**
   * A changed byte budget holds for the connections made after it, a changed deadline for the next call,
   * and a changed sample for the next.
   */
  get current(): Limits {
    return this.limits;
  }

  take(value: unknown): void {
    const given = isRecord(value) ? value : {};
    const whole = (name: 'byteBudgetMiB' | 'deadlineSeconds', bounds: Bounds): number =>
      this.whole(name, given[name], defaults[name], bounds);
    this.limits = {
      rangeStreamGate: flag(given['rangeStreamGate'], defaults.rangeStreamGate),
      kubernetesVersion: versionOf(given['kubernetesVersion']),
      featureGates: gatesOf(given['featureGates']),
      byteBudgetMiB: whole('byteBudgetMiB', byteBudgetMiB),
      deadlineSeconds: whole('deadlineSeconds', deadlineSeconds),
      completion: this.completion(given['completion']),
      severities: this.severities(given['severities']),
      schemaCompletion: flag(given['schemaCompletion'], defaults.schemaCompletion),
      metricsPort: this.whole('metrics.port', given['metricsPort'], defaults.metricsPort, port),
      watchCacheMiB: this.whole(
        'watchCache.memoryLimitMiB',
        given['watchCacheMiB'],
        defaults.watchCacheMiB,
        watchCacheMiB,
      ),
    };
  }

  private severities(value: unknown): SeveritySettings {
    const taken: Record<string, SeveritySetting> = {};
    for (const [code, severity] of Object.entries(isRecord(value) ? value : {})) {
      const known = SEVERITY_SETTINGS.find((name) => name === severity);
      if (Object.hasOwn(FINDINGS, code) && known !== undefined) taken[code] = known;
      else this.warn(`etcdList.diagnostics.severity: ${severityProblem(code)}.`);
    }
    return taken;
  }

  private completion(value: unknown): CompletionSettings {
    const given = isRecord(value) ? value : {};
    const known = defaults.completion;
    const whole = (name: keyof typeof completionBounds): number =>
      this.whole(`completion.${name}`, given[name], known[name], completionBounds[name]);
    return {
      enabled: flag(given['enabled'], known.enabled),
      sampleObjects: whole('sampleObjects'),
      exactUpTo: whole('exactUpTo'),
      maxAgeSeconds: whole('maxAgeSeconds'),
      maxKeys: whole('maxKeys'),
    };
  }

  private whole(
    name: string,
    value: unknown,
    fallback: number,
    { minimum, maximum }: Bounds,
  ): number {
    if (value === undefined) return fallback;
    if (
      typeof value === 'number' &&
      Number.isInteger(value) &&
      value >= minimum &&
      value <= maximum
    ) {
      return value;
    }
    this.warn(
      `The setting etcdList.${name} must be a whole number from ${minimum} to ${maximum}; ${fallback} is used.`,
    );
    return fallback;
  }
}

function versionOf(value: unknown): KubernetesVersion {
  return kubernetesVersions.find((known) => known === value) ?? defaults.kubernetesVersion;
}

function gatesOf(value: unknown): FeatureGateSettings {
  const given = isRecord(value) ? value : {};
  const named = featureGates.flatMap((name) => {
    const on = given[name];
    return typeof on === 'boolean' ? [[name, on] as const] : [];
  });
  return Object.fromEntries(named);
}

function severityProblem(code: string): string {
  const codes = Object.keys(FINDINGS);
  if (codes.includes(code)) {
    const choices = SEVERITY_SETTINGS.map((name) => `"${name}"`).join(', ');
    return `${code} is left out: write one of ${choices}`;
  }
  const [near] = nearest(code, codes, 1);
  const instead = near === undefined ? 'take it out' : `write ${near}, or take it out`;
  return `there is no kind of finding "${plainText(code)}": ${instead}; each finding shows its kind behind its text`;
}

function flag(value: unknown, fallback: boolean): boolean {
  return typeof value === 'boolean' ? value : fallback;
}

/** Whether the client says that its workspace is trusted; only a plain `true` counts. */
export function isTrusted(value: unknown): boolean {
  return isRecord(value) && value['trusted'] === true;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
