/** The whole run: etcd, corpora, cases, tables. */
import { loadavg } from 'node:os';
import { etcdMissing, type RunningEtcd } from '../support/etcdServer';
import { chosenCases } from './cases';
import { corpusEntries, type Corpus, type StoredCorpus } from './corpus';
import { releaseOf, startBenchEtcd, troubleOf, writeWithin } from './etcd';
import { etcdctlRelease } from './etcdctl';
import { measureGrowth } from './growth';
import { machine } from './machine';
import { measureCase, type CaseResult } from './measure';
import type { BenchOptions } from './options';
import { prepareOutputs, writeOutputs, type Outputs } from './outputs';
import { CpuClock, forgetPeak } from './proc';
import { Children } from './lineProcess';
import { OracleSide, type Surroundings } from './processes';
import { measureRates } from './rateCases';
import * as tables from './report';
import { textTable } from './table';

export { parseOptions } from './options';

export interface Parts {
  /** The bundle of a measured process. */
  readonly side: string;
  readonly root: string;
  readonly oracle: string | undefined;
  readonly etcdctl: string | undefined;
}

const progress = (text: string): void => {
  console.error(`bench: ${text}`);
};

function notesOn({ oracle, etcdctl }: Parts, { profile }: Outputs): string[] {
  return [
    ...(oracle === undefined
      ? ["Missing: upstream and Go's floors, since there is no oracle"]
      : []),
    ...(etcdctl === undefined ? ['Missing: etcdctl, which could not be built'] : []),
    ...(forgetPeak(process.pid)
      ? []
      : ["Memory: this kernel keeps a process's peak, so starting it counts"]),
    ...(profile === undefined ? [] : ['The engine was profiled: its times are not to be trusted']),
  ];
}

/** Of all that is measured; rejects where one is of another version than it should be. */
async function versionsOf(
  { oracle, etcdctl }: Parts,
  etcd: RunningEtcd,
  around: Surroundings,
): Promise<string[]> {
  const versions = [`etcd ${await releaseOf(etcd)}`];
  if (oracle !== undefined) {
    const side = await OracleSide.start(oracle, around);
    await side.stop();
    versions.push(...side.versions.filter((text) => /^(k8s\.io|go\.etcd\.io)\//.test(text)));
  }
  if (etcdctl !== undefined) {
    versions.push(`etcdctl ${await etcdctlRelease(etcdctl, around.patienceMs)}`);
  }
  return versions;
}

/** Ends what the run started, however it ends. */
class Run {
  readonly children = new Children();
  private stopping: Promise<void> | undefined;
  private readonly held = new Map<string, StoredCorpus>();

  constructor(
    readonly etcd: RunningEtcd,
    private readonly patienceMs: number,
  ) {}

  stop(): Promise<void> {
    this.stopping ??= (async () => {
      this.children.killAll();
      await this.etcd.stop();
    })();
    return this.stopping;
  }

  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  async load(corpus: Corpus): Promise<StoredCorpus> {
    const before = this.held.get(corpus.root);
    if (before !== undefined) return before;
    progress(`writing ${corpus.pods} Pods of about ${corpus.size === 'small' ? 2 : 20} KB`);
    let printedBytes = 0;
    const entries = function* (): Generator<[string, Uint8Array]> {
      for (const [key, value] of corpusEntries(corpus)) {
        printedBytes += Buffer.byteLength(key) + value.length + 2;
        yield [key, value];
      }
    };
    await writeWithin(this.etcd, entries(), this.patienceMs);
    const stored = { ...corpus, printedBytes };
    this.held.set(corpus.root, stored);
    return stored;
  }
}

/** One sentence; where etcd has ended or does not answer, with that before what came of it. */
async function sentenceOf(error: unknown, etcd: RunningEtcd | undefined): Promise<string> {
  const { message } = error as Error;
  const trouble = etcd && (await troubleOf(etcd));
  return trouble === undefined ? message : `${trouble}; ${message}`;
}

/** Resolves to the exit code: 0 when everything asked for was measured, whatever it was. */
export async function runBench(options: BenchOptions, parts: Parts): Promise<number> {
  let run: Run | undefined;
  const interrupt = (): void => {
    if (run?.isStopping === true) return;
    progress('stopped; etcd and its data go');
    void (run?.stop() ?? Promise.resolve()).finally(() => process.exit(130));
  };
  try {
    if (etcdMissing('3.7')) throw new Error('there is no etcd 3.7');
    const outputs = prepareOutputs(options, parts.root);
    for (const text of notesOn(parts, outputs)) progress(text);
    run = new Run(await startBenchEtcd(), options.patience * 1000);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
    const report = await measureAll(options, parts, run, outputs);
    print(report);
    writeOutputs(outputs, report);
    return 0;
  } catch (error) {
    if (run?.isStopping !== true) {
      console.error(`bench: failed: ${await sentenceOf(error, run?.etcd)}`);
    }
    return 1;
  } finally {
    await run?.stop();
  }
}

async function measureAll(
  options: BenchOptions,
  parts: Parts,
  run: Run,
  outputs: Outputs,
): Promise<tables.Report> {
  const { etcd, children } = run;
  const around: Surroundings = {
    endpoint: etcd.endpoint,
    etcdCpu: new CpuClock(etcd.pid, 'etcd'),
    children,
    patienceMs: options.patience * 1000,
    side: parts.side,
    profile: outputs.profile,
  };
  const versions = await versionsOf(parts, etcd, around);
  const wanted = chosenCases(options.cases);
  const small: Corpus = { root: '/registry', pods: options.pods, size: 'small' };
  const large: Corpus = { root: '/large', pods: options.largePods, size: 'large' };
  const corpora: StoredCorpus[] = [];
  for (const corpus of [small, large]) if (corpus.pods > 0) corpora.push(await run.load(corpus));
  const [before] = loadavg();
  const cases: CaseResult[] = [];
  const measuring = { around, programs: parts, rounds: options.rounds, progress };
  for (const corpus of corpora) {
    for (const one of wanted) cases.push(await measureCase(one, corpus, measuring));
  }
  if (options.rates) progress('selectors, tokens, metadata');
  const rates = options.rates
    ? await measureRates(small, around, parts.oracle, options.rounds)
    : [];
  const growth = await measureGrowth({
    around,
    rounds: options.rounds,
    upTo: options.growthTo,
    progress,
    corpusOf: (pods) =>
      run.load(pods === small.pods ? small : { root: `/grown${pods}`, pods, size: 'small' }),
  });
  return {
    command: options.command,
    machine: machine(),
    when: new Date().toISOString().slice(0, 16),
    rounds: options.rounds,
    load: [before ?? 0, loadavg()[0] ?? 0],
    versions,
    notes: notesOn(parts, outputs),
    cases,
    rates,
    growth,
  };
}

function print(report: tables.Report): void {
  const { cases, rates, growth } = report;
  const parts = [
    `${report.machine}\n${tables.noiseOf(report)}; medians of ${report.rounds}\n${tables.versionsOf(report)}`,
    ...(cases.length > 0
      ? [
          textTable(tables.caseTable(cases)),
          tables.legend(cases).join('\n'),
          `Longest block of the event loop, ms\n${textTable(tables.loopTable(cases))}`,
          `Targets, on Pods of 2 KB\n${textTable(tables.verdictTable(cases))}\n${tables.verdictNote(cases)}`,
        ]
      : []),
    ...(rates.length > 0 ? [textTable(tables.rateTable(rates))] : []),
    ...(growth.length > 0 ? [textTable(tables.growthTable(growth))] : []),
    ...report.notes,
  ];
  console.log(parts.join('\n\n'));
}
