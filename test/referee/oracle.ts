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
  /** Counts on from the lists before. */
  readonly keep?: boolean;
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
  readonly op: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The comparison itself broke: neither side was wrong, and nothing after it counts. */
export class RefereeFault extends Error {
  override readonly name = 'RefereeFault';
}

export interface OracleOptions {
  readonly binary?: string | undefined;
  /** Milliseconds that one answer may take. */
  readonly patienceMs?: number;
  /** Whether the etcd that it is connected to still answers, said in a clause. */
  readonly etcdState?: () => Promise<string>;
}

/** Upstream's own limits are below this: what takes longer hangs. */
const usualPatienceMs = 120_000;
const stopMs = 10_000;

/** What of a process's last words says why it ended: not what its libraries warned of before. */
function lastWords(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{'));
  const why = lines.find((line) => /^(?:panic|fatal error|oracle): /.test(line)) ?? lines.at(-1);
  return why === undefined ? '' : `: ${why.slice(0, 300)}`;
}

export class Oracle {
  private readonly waiting: Waiting[] = [];
  /** The last of what it wrote to its errors. */
  private errors = '';
  private said: string | undefined;
  private ended: RefereeFault | undefined;
  private patience: NodeJS.Timeout | undefined;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly patienceMs: number,
    private readonly etcdState: () => Promise<string>,
  ) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.take(line);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors = (this.errors + text).slice(-100_000);
    });
    child.stdin.on('error', () => undefined);
    child.on('close', (code, signal) => {
      clearTimeout(this.patience);
      const how = `the oracle ended (${String(code ?? signal)})${lastWords(this.errors)}`;
      this.ended ??= new RefereeFault(this.said ?? how);
      for (const { reject } of this.waiting.splice(0)) reject(this.ended);
    });
  }

  /**
   * Starts it on an etcd (`host:port`), or without one. Rejects when it is built on other modules
   * than pinned.
   */
  static async start(endpoint?: string, options: OracleOptions = {}): Promise<Oracle> {
    const { binary = findOracle(), patienceMs = usualPatienceMs } = options;
    const { etcdState = () => Promise.resolve('') } = options;
    if (binary === undefined) throw new RefereeFault('there is no oracle');
    const child = spawn(binary, [], { stdio: ['pipe', 'pipe', 'pipe'] });
    await once(child, 'spawn');
    const oracle = new Oracle(child, patienceMs, etcdState);
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

  /** Deletes every key below `/NAME/`, and forgets the stores that read them. */
  async erase(name: string): Promise<void> {
    await this.ask({ op: 'erase', text: name });
  }

  async revision(): Promise<bigint> {
    return BigInt((await this.ask({ op: 'revision' })).revision);
  }

  async list(list: ListAsk): Promise<ListAnswer> {
    const answer = await this.ask({ op: 'list', list });
    if (answer.list === undefined) throw new RefereeFault('an answer without a list');
    return answer.list;
  }

  /** What an API server that had counted the same would serve at `/metrics`. */
  async scrape(): Promise<string> {
    return (await this.ask({ op: 'scrape' })).text ?? '';
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
    const kill = setTimeout(() => this.child.kill('SIGKILL'), stopMs);
    await gone;
    clearTimeout(kill);
  }

  /** Nothing that comes after what is no answer can be told from an answer. */
  private take(line: string): void {
    const answer = readAnswer(line);
    if (answer === undefined) {
      this.giveUp(`what the oracle said is no answer: ${line.slice(0, 200)}`);
      return;
    }
    this.waiting.shift()?.resolve(answer);
    this.watch();
  }

  /** Waits from now on for the answer to the question that came first. */
  private watch(): void {
    clearTimeout(this.patience);
    const [first] = this.waiting;
    if (first === undefined) return;
    this.patience = setTimeout(() => {
      const seconds = String(this.patienceMs / 1000);
      this.giveUp(`the oracle did not answer '${first.op}' within ${seconds} s`);
    }, this.patienceMs);
  }

  private giveUp(why: string): void {
    this.said ??= why;
    this.child.kill('SIGKILL');
  }

  private async parse(question: Record<string, unknown>): Promise<Parsed> {
    const answer = await this.ask(question);
    if (answer.parsed === undefined) throw new RefereeFault('an answer without a verdict');
    return answer.parsed;
  }

  private async ask(question: Record<string, unknown>): Promise<Answer> {
    if (this.ended !== undefined) throw this.ended;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.waiting.push({ op: String(question['op']), resolve, reject });
      if (this.waiting.length === 1) this.watch();
      this.child.stdin.write(`${JSON.stringify(question)}\n`);
    });
    if (answer.failure === undefined) return answer;
    const state = await this.etcdState();
    throw new RefereeFault(`the oracle: ${answer.failure}${state === '' ? '' : `; ${state}`}`);
  }
}

/** Undefined for a line that is no answer. */
function readAnswer(line: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Answer)
      : undefined;
  } catch {
    return undefined;
  }
}
