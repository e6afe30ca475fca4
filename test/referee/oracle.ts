/** Speaks with the oracle: Kubernetes' own code behind one JSON line for each question. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findOracle, requirePinned } from '../oracle/binary.mjs';
import { requireOrSkip } from '../support/requireOrSkip';
import type { GraftPlan } from './plans/plan';

/** For `describe.skipIf(…)`: whether there is no oracle. */
export function oracleMissing(): boolean {
  return requireOrSkip('the oracle', findOracle(), 'it is built where Go is there');
}

/** A map as a list, since a key may be named `__proto__`. */
export type Pairs = readonly (readonly [string, string])[];

export interface PodInput {
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Pairs;
  readonly annotations?: Pairs;
  readonly uid?: string;
  readonly node?: string;
  readonly phase?: string;
  readonly hostNetwork?: boolean;
  readonly ip?: string;
  readonly ips?: readonly string[];
  /** Bytes of ballast. */
  readonly padding?: number;
  readonly json?: boolean;
  /** What its bytes have besides, see `GraftPlan`; never in JSON. */
  readonly grafts?: readonly GraftPlan[];
}

/** One write. `key` and `raw` are base64. */
export interface Change {
  readonly key: string;
  readonly delete?: boolean;
  readonly pod?: PodInput;
  /** Shares in thousandths: what to keep of the value, where in its metadata to xor a byte. */
  readonly damage?: { readonly keep?: number; readonly at?: number; readonly xor?: number };
  readonly raw?: string;
  /** In one transaction with the write before. */
  readonly together?: boolean;
}

export interface ListAsk {
  readonly root: string;
  readonly resourcePrefix: string;
  /** The gate `EtcdRangeStream`. */
  readonly stream: boolean;
  /** The gate `AllowUnsafeMalformedObjectDeletion`. */
  readonly aggregate: boolean;
  /** Forgets whether this etcd has RangeStream. */
  readonly forget: boolean;
  readonly key: string;
  readonly recursive: boolean;
  readonly resourceVersion: string;
  readonly match: string;
  readonly limit: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly continue: string;
  /** Items without their labels. */
  readonly brief: boolean;
  /** Answers through upstream's watch cache over its store. */
  readonly cached?: boolean;
  /** Before this etcd read, from one, the changes are made; 0 never. */
  readonly disturb: number;
  readonly changes: readonly Change[];
  /** After the changes all history is compacted. */
  readonly compact: boolean;
}

export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface ListAnswer {
  readonly items: readonly string[];
  readonly resourceVersion: string;
  readonly continue: string;
  readonly remaining: number | null;
  readonly error: {
    readonly kind: string;
    readonly message: string;
    readonly code?: number;
    readonly reason?: string;
    readonly causes?: readonly Cause[];
    readonly continue?: string;
    readonly retryAfter?: number;
  } | null;
  readonly requests: readonly { readonly method: string; readonly message: string }[];
  /** Values that could not be read; `key` is base64. */
  readonly failures: readonly {
    readonly key: string;
    readonly step: 'transform' | 'decode';
    /** Whether the value had protobuf's magic bytes, or no bytes at all. */
    readonly protobuf: boolean;
  }[];
  /** Upstream's own metrics of this list, a line each. */
  readonly metrics: readonly string[];
}

export interface Parsed {
  readonly text?: string;
  readonly empty?: boolean;
  readonly matches?: readonly boolean[];
  /** Base64, as the error's text. */
  readonly key?: string;
  readonly revision?: string;
  readonly error?: string;
}

/** One stored object, and how upstream's serializers and kubectl show it. */
export interface Shown {
  /** Base64. */
  readonly value: string;
  /** On one line, members sorted, without the escaping of HTML. */
  readonly json: string;
  readonly yaml: string;
  /** Empty unless upstream refuses the bytes. */
  readonly error: string;
}

export interface SampleAsk {
  readonly apiVersion: string;
  readonly kind: string;
  readonly seed: number;
  readonly count: number;
  readonly resourceVersion: string;
}

interface Answer {
  readonly failure?: string;
  readonly versions?: readonly string[];
  readonly revision: string;
  readonly list?: ListAnswer;
  readonly parsed?: Parsed;
  readonly shown?: readonly Shown[];
  readonly text?: string;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The comparison itself broke: neither side was wrong, and nothing after it counts. */
export class RefereeFault extends Error {
  override readonly name = 'RefereeFault';
}

export class Oracle {
  private readonly waiting: Waiting[] = [];
  private readonly errors: string[] = [];
  private ended: RefereeFault | undefined;

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.take(line);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.errors.push(text));
    child.stdin.on('error', () => undefined);
    child.on('close', (code, signal) => {
      const how = `the oracle ended (${String(code ?? signal)}): ${this.errors.join('').slice(-2000)}`;
      this.ended = new RefereeFault(how);
      for (const { reject } of this.waiting.splice(0)) reject(this.ended);
    });
  }

  /**
   * Starts it on an etcd (`host:port`), or without one. Rejects when it is built on other modules
   * than pinned.
   */
  static async start(endpoint?: string, binary = findOracle()): Promise<Oracle> {
    if (binary === undefined) throw new RefereeFault('there is no oracle');
    const child = spawn(binary, [], { stdio: ['pipe', 'pipe', 'pipe'] });
    await once(child, 'spawn');
    const oracle = new Oracle(child);
    try {
      const { versions = [] } = await oracle.ask({ op: 'versions' });
      requirePinned(versions);
      if (endpoint !== undefined) await oracle.ask({ op: 'connect', endpoint });
    } catch (error) {
      await oracle.stop();
      if (error instanceof RefereeFault) throw error;
      throw new RefereeFault(error instanceof Error ? error.message : String(error));
    }
    return oracle;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Every method rejects with `RefereeFault` when the oracle is gone or could not do its part. */
  async apply(entries: readonly Change[]): Promise<bigint> {
    return BigInt((await this.ask({ op: 'apply', entries })).revision);
  }

  async compact(revision: bigint): Promise<void> {
    await this.ask({ op: 'compact', revision: String(revision) });
  }

  async revision(): Promise<bigint> {
    return BigInt((await this.ask({ op: 'revision' })).revision);
  }

  async list(list: ListAsk): Promise<ListAnswer> {
    const answer = await this.ask({ op: 'list', list });
    if (answer.list === undefined) throw new RefereeFault('an answer without a list');
    return answer.list;
  }

  /** Ends the watch caches that lists were answered from. */
  async endCaches(): Promise<void> {
    await this.ask({ op: 'uncache' });
  }

  /** A selector's verdict on itself and on whether each set matches. */
  parseSelector(op: 'labels' | 'fields', text: string, sets: readonly Pairs[]): Promise<Parsed> {
    return this.parse({ op, text, sets });
  }

  parseToken(text: string, prefix: string): Promise<Parsed> {
    return this.parse({ op: 'token', text, prefix: Buffer.from(prefix).toString('base64') });
  }

  /** Random objects of a kind. */
  async sample(kinds: SampleAsk): Promise<readonly Shown[]> {
    return (await this.ask({ op: 'sample', kinds })).shown ?? [];
  }

  /** Stored objects, whatever their bytes. */
  async open(values: readonly Uint8Array[], resourceVersion: string): Promise<readonly Shown[]> {
    const base64 = values.map((value) => Buffer.from(value).toString('base64'));
    const kinds = { values: base64, resourceVersion };
    return (await this.ask({ op: 'open', kinds })).shown ?? [];
  }

  /** A YAML text as kubectl reads it, as JSON on one line; rejects when it refuses the text. */
  async readYaml(text: string): Promise<string> {
    return (await this.ask({ op: 'yaml', text })).text ?? '';
  }

  parseQuantity(text: string): Promise<Parsed> {
    return this.parse({ op: 'quantity', text });
  }

  async stop(): Promise<void> {
    if (this.ended !== undefined) return;
    const gone = once(this.child, 'close');
    this.child.stdin.end();
    await gone;
  }

  /** Nothing that comes after what is no answer can be told from an answer. */
  private take(line: string): void {
    try {
      const answer = JSON.parse(line) as Answer;
      this.waiting.shift()?.resolve(answer);
    } catch {
      this.errors.push(`what it said is no JSON: ${line.slice(0, 200)}`);
      this.child.kill('SIGKILL');
    }
  }

  private async parse(question: Record<string, unknown>): Promise<Parsed> {
    const answer = await this.ask(question);
    if (answer.parsed === undefined) throw new RefereeFault('an answer without a verdict');
    return answer.parsed;
  }

  private async ask(question: Record<string, unknown>): Promise<Answer> {
    if (this.ended !== undefined) throw this.ended;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin.write(`${JSON.stringify(question)}\n`);
    });
    if (answer.failure !== undefined) throw new RefereeFault(`the oracle: ${answer.failure}`);
    return answer;
  }
}
