/** What clients asked of the embedded etcd, for those who want to know exactly. */
import { systemClock } from '../common/clock';

export interface CallRecord {
  /** The gRPC path, such as `/etcdserverpb.KV/Range`. */
  readonly method: string;
  /** The decoded request; of a Watch call the list of requests so far. */
  readonly request: object;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** When the answer was complete, refused or given up; undefined while it goes on. */
  endedAt: number | undefined;
  /** Whether the client cancelled it or went away before its end. */
  cancelled: boolean;
  /** Messages handed to gRPC so far; of a unary call 1 once it is answered. */
  messages: number;
  /** The gRPC status it was refused with. */
  failure: { readonly code: number; readonly details: string } | undefined;
}

export class CallLog {
  private readonly kept: CallRecord[] = [];

  constructor(private readonly isOn: boolean) {}

  get records(): readonly CallRecord[] {
    return this.kept;
  }

  begin(method: string, request: object): CallRecord {
    const record: CallRecord = {
      method,
      request,
      startedAt: systemClock.monotonic(),
      endedAt: undefined,
      cancelled: false,
      messages: 0,
      failure: undefined,
    };
    if (this.isOn) this.kept.push(record);
    return record;
  }
}

export function endCall(record: CallRecord): void {
  record.endedAt ??= systemClock.monotonic();
}
