import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/**
 * Runs topics of test vectors: inputs with the answers of the Kubernetes sources.
 *
 * To add a topic, write `topics/<topic>.ts` with `export const run = defineTopic({ actual })`.
 * `actual` gets one case and returns the columns of its `expect`, computed. Nothing has to be
 * registered: a topic file is found by its name.
 */

/** The columns of a case. Own members only: a column may be named `__proto__`. */
export type Columns = Readonly<Record<string, unknown>>;

export interface VectorCase {
  readonly id: string;
  readonly kind: string;
  readonly note?: string;
  readonly input: Columns;
  readonly expect: Columns;
}

/** One file of vectors. Members beside these (`fixtures`) are reached through `rest`. */
export interface VectorFile {
  readonly topic: string;
  readonly cases: readonly unknown[];
  readonly rest: Columns;
}

export interface TopicRunner<Context = undefined> {
  /**
   * Names of what the cases run against, one whole run each (say, an embedded and a real etcd).
   * Absent: one run without a name.
   */
  readonly subjects?: readonly string[];
  /** Whether a case runs against this subject; absent: all do. Asked for cases of known shape only. */
  runsOn?(vector: VectorCase, subject: string): boolean;
  /** Runs once per subject before its cases. */
  open?(file: VectorFile, subject: string): Context | Promise<Context>;
  /** Runs once per subject after its cases, also when they failed. */
  close?(context: Context): void | Promise<void>;
  /**
   * The answer to compare with `expect` (see `sameColumns`). What it throws fails the case with
   * the thrown text. Throw `UnknownShape` for an input this runner has no answer to.
   */
  actual(vector: VectorCase, context: Context): unknown;
}

/** A runner whose context type is closed over; what topic files export as `run`. */
export interface Topic {
  readonly subjects: readonly string[];
  /** The cases of a file that run against this subject. */
  casesFor(file: VectorFile, subject: string): readonly unknown[];
  open(file: VectorFile, subject: string): Promise<TopicSession>;
}

export interface TopicSession {
  /** Undefined when the case passes. Never rejects. */
  failure(vector: unknown): Promise<Failure | undefined>;
  close(): Promise<void>;
}

export interface Failure {
  readonly id: string;
  /** What is wrong when there is no answer to compare. */
  readonly problem?: string;
  readonly got?: unknown;
  readonly expected?: unknown;
}

/** A case whose input no runner knows how to read. */
export class UnknownShape extends Error {
  override readonly name = 'UnknownShape';
}

const caseTimeoutMs = 60_000;
const openTimeoutMs = 120_000;

/** Absolute path of the folder of vectors: `VECTORS_DIR`, else this one. */
export function vectorsDir(): string {
  return resolve(process.env['VECTORS_DIR'] ?? 'test/vectors');
}

/** The folder that all topics are in, which a folder of another's may lack. */
export function isOwnDir(dir: string): boolean {
  return dir === resolve('test/vectors');
}

export function defineTopic<Context = undefined>(runner: TopicRunner<Context>): Topic {
  return {
    subjects: runner.subjects ?? [''],
    casesFor: ({ cases }, subject) =>
      cases.filter((one) => !isCase(one) || (runner.runsOn?.(one, subject) ?? true)),
    async open(file, subject) {
      const opening = Promise.resolve(runner.open?.(file, subject));
      const context = (await withTimeout(opening, openTimeoutMs)) as Context;
      return {
        failure: (vector) => failureOf(runner, vector, context),
        close: async () => {
          await runner.close?.(context);
        },
      };
    },
  };
}

async function failureOf<Context>(
  runner: TopicRunner<Context>,
  vector: unknown,
  context: Context,
): Promise<Failure | undefined> {
  if (!isCase(vector))
    return { id: caseId(vector), problem: 'a case of unknown shape', got: vector };
  try {
    const got = await withTimeout(Promise.resolve(runner.actual(vector, context)), caseTimeoutMs);
    if (sameColumns(got, vector.expect)) return undefined;
    return { id: vector.id, got, expected: vector.expect };
  } catch (error) {
    return { id: vector.id, problem: thrownText(error), expected: vector.expect };
  }
}

function thrownText(error: unknown): string {
  if (error instanceof UnknownShape) return `unknown shape: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${timeoutMs} ms`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function isColumns(value: unknown): value is Columns {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCase(value: unknown): value is VectorCase {
  return (
    isColumns(value) &&
    typeof value['id'] === 'string' &&
    typeof value['kind'] === 'string' &&
    isColumns(value['input']) &&
    isColumns(value['expect'])
  );
}

export function caseId(vector: unknown): string {
  return isColumns(vector) && typeof vector['id'] === 'string' ? vector['id'] : '(no id)';
}

/**
 * Whether an answer has exactly the expected columns. Members that are undefined count as absent,
 * and a Map as an object. An expected `xPrefix` or `xContains` pins only that part of the text in
 * the answer's `x`.
 */
export function sameColumns(got: unknown, expected: unknown): boolean {
  if (got instanceof Map) return sameColumns(fromMap(got), expected);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(got) &&
      got.length === expected.length &&
      expected.every((item, i) => sameColumns(got[i], item))
    );
  }
  if (!isColumns(expected)) return Object.is(got, expected);
  if (!isColumns(got)) return false;
  const used = new Set<string>();
  for (const [column, value] of Object.entries(expected)) {
    const name = answeredBy(got, column);
    used.add(name);
    if (!Object.hasOwn(got, name)) return false;
    if (name === column ? !sameColumns(got[name], value) : !pins(column, value, got[name])) {
      return false;
    }
  }
  return Object.keys(got).every((name) => got[name] === undefined || used.has(name));
}

function answeredBy(got: Columns, column: string): string {
  if (Object.hasOwn(got, column)) return column;
  return /^(.+)(?:Prefix|Contains)$/.exec(column)?.[1] ?? column;
}

function pins(column: string, part: unknown, whole: unknown): boolean {
  if (typeof part !== 'string' || typeof whole !== 'string') return false;
  return column.endsWith('Prefix') ? whole.startsWith(part) : whole.includes(part);
}

function fromMap(map: ReadonlyMap<unknown, unknown>): Columns {
  const columns: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of map) columns[String(name)] = value;
  return columns;
}

/** The vector files of a folder, in the order of their names; unreadable ones as their problem. */
export function loadFiles(dir: string): (VectorFile | UnreadableFile)[] {
  const names = readdirSync(dir).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => loadFile(join(dir, name)));
}

export interface UnreadableFile {
  readonly topic: string;
  readonly problem: string;
}

function loadFile(path: string): VectorFile | UnreadableFile {
  const topic = basename(path, '.json');
  try {
    const rest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isColumns(rest) || !Array.isArray(rest['cases'])) {
      return { topic, problem: 'not a file of vectors: no list of cases' };
    }
    return {
      topic: typeof rest['topic'] === 'string' ? rest['topic'] : topic,
      cases: rest['cases'] as unknown[],
      rest,
    };
  } catch (error) {
    return { topic, problem: thrownText(error) };
  }
}

/** The runner of a topic, or undefined when there is none. The topic's name is untrusted. */
export async function loadTopic(topic: string): Promise<Topic | undefined> {
  if (!/^[a-z0-9-]{1,64}$/.test(topic)) return undefined;
  if (!existsSync(join('test/vectors/topics', `${topic}.ts`))) return undefined;
  const loaded = (await import(`./topics/${topic}.ts`)) as { run: Topic };
  return loaded.run;
}

/** A failure in lines a person reads. */
export function failureText(failure: Failure): string {
  const lines = [failure.id];
  if (failure.problem !== undefined) lines.push(`  problem:  ${failure.problem}`);
  if ('got' in failure) lines.push(`  got:      ${printed(failure.got)}`);
  if ('expected' in failure) lines.push(`  expected: ${printed(failure.expected)}`);
  return lines.join('\n');
}

function printed(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Map) return fromMap(inner);
    return typeof inner === 'bigint' ? `${inner}n` : inner;
  }) as string | undefined;
  return text ?? 'undefined';
}
