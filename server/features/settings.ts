/** What the client says about itself: trust, gate and limits. Nonsense falls back to the defaults. */
import type { InitializationOptions } from '../protocol/lsp';

type Limits = Omit<InitializationOptions, 'trusted'>;

const defaults: Limits = { rangeStreamGate: true, byteBudgetMiB: 512, deadlineSeconds: 60 };
/** A mebibyte more would not be a safe number of bytes; a timer holds 24 days. */
const mostMiB = 1024 * 1024;
const mostSeconds = 2_147_483;

export class ServerSettings {
  private limits = defaults;

  /** `warn` is told of values that cannot be used. */
  constructor(private readonly warn: (text: string) => void) {}

  /** A changed limit holds for the connections made after it. */
  get current(): Limits {
    return this.limits;
  }

  take(value: unknown): void {
    const given = isRecord(value) ? value : {};
    const { rangeStreamGate, byteBudgetMiB, deadlineSeconds } = given;
    this.limits = {
      rangeStreamGate:
        typeof rangeStreamGate === 'boolean' ? rangeStreamGate : defaults.rangeStreamGate,
      byteBudgetMiB: this.whole('byteBudgetMiB', byteBudgetMiB, mostMiB),
      deadlineSeconds: this.whole('deadlineSeconds', deadlineSeconds, mostSeconds),
    };
  }

  private whole(name: 'byteBudgetMiB' | 'deadlineSeconds', value: unknown, most: number): number {
    if (value === undefined) return defaults[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) {
      return value;
    }
    this.warn(
      `The setting etcdList.${name} must be a whole number from 1 to ${most}; ${defaults[name]} is used.`,
    );
    return defaults[name];
  }
}

/** Whether the client says that its workspace is trusted; only a plain `true` counts. */
export function isTrusted(value: unknown): boolean {
  return isRecord(value) && value['trusted'] === true;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
