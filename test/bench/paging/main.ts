/** The whole run: an etcd with all markings, every comparison, tables and pictures. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { connect } from '../../../server/etcd/connect';
import { longestTimerMs } from '../../../server/etcd/limits';
import { releaseOf, startBenchEtcd, troubleOf, writeWithin } from '../etcd';
import { machine } from '../machine';
import { checkMarkers, putBetweenMarkers } from '../markers';
import { named, writableFile } from '../outputs';
import { markdownTable, textTable } from '../table';
import type { RunningEtcd } from '../../support/etcdServer';
import { entriesOf } from './corpus';
import { markingsOf } from './layouts';
import { measurePoint, type Point } from './measure';
import type { PagingOptions } from './options';
import { pagingPictures } from './pictures';
import { introductionOf, percent, sectionsOf, type Report } from './report';

export { parseOptions } from './options';

const progress = (text: string): void => {
  console.error(`bench: ${text}`);
};

async function measureAll(etcd: RunningEtcd, options: PagingOptions): Promise<Report> {
  const { pods, rounds, limits } = options;
  const [before] = loadavg();
  const markings = markingsOf(pods);
  const patienceMs = options.patience * 1000;
  progress(`writing ${pods} Pods`);
  await writeWithin(etcd, entriesOf(pods, markings), patienceMs);
  const reader = connect({ endpoints: [etcd.endpoint], deadlineMs: longestTimerMs });
  const points: Point[] = [];
  try {
    for (const limit of limits) {
      for (const marking of markings) {
        for (const toTheEnd of [false, true]) {
          const how = toTheEnd ? 'to the end' : 'one list';
          progress(`limit ${limit}, ${marking.layout}, ${percent(marking.share)}, ${how}`);
          const asked = { marking, pods, limit, toTheEnd, rounds, patienceMs };
          points.push(await measurePoint(reader, asked));
        }
      }
    }
  } finally {
    reader.close();
  }
  return {
    command: options.command,
    machine: machine(),
    when: new Date().toISOString().slice(0, 16),
    etcd: `etcd ${await releaseOf(etcd)}`,
    pods,
    rounds,
    load: [before ?? 0, loadavg()[0] ?? 0],
    points,
  };
}

function print(report: Report): void {
  const sections = sectionsOf(report).map(({ title, table }) => `${title}\n\n${textTable(table)}`);
  console.log([report.machine, ...introductionOf(report), ...sections].join('\n\n'));
}

function markdownOf(report: Report): string {
  const sections = sectionsOf(report).flatMap(({ title, table }) => [
    `### ${title}`,
    markdownTable(table),
  ]);
  const where = `${report.when} UTC on ${report.machine}.`;
  return [`    ${report.command}`, where, ...introductionOf(report), ...sections].join('\n\n');
}

interface Outputs {
  readonly markdown: string | undefined;
  readonly images: string | undefined;
}

/** Throws, naming the option, where nothing could be written. */
function prepared(options: PagingOptions): Outputs {
  const whole = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(path);
  const [markdown, images] = [whole(options.markdown), whole(options.images)];
  if (markdown !== undefined) {
    named('markdown', () => {
      checkMarkers(readFileSync(markdown, 'utf8'));
      writableFile(markdown);
    });
  }
  if (images !== undefined) {
    named('images', () => {
      mkdirSync(images, { recursive: true });
      writableFile(images);
    });
  }
  return { markdown, images };
}

function write({ markdown, images }: Outputs, report: Report): void {
  if (images !== undefined) {
    for (const [name, svg] of pagingPictures(report.points, report.pods)) {
      writeFileSync(join(images, name), svg);
    }
  }
  if (markdown !== undefined) {
    const document = readFileSync(markdown, 'utf8');
    writeFileSync(markdown, putBetweenMarkers(document, markdownOf(report)));
  }
}

/** Resolves to the exit code: 0 when everything was measured, whatever it was. */
export async function runPagingBench(options: PagingOptions): Promise<number> {
  let etcd: RunningEtcd | undefined;
  const stopped = new AbortController();
  const stop = async (): Promise<void> => {
    const running = etcd;
    etcd = undefined;
    await running?.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      stopped.abort();
      void stop().finally(() => process.exit(130));
    });
  }
  try {
    const outputs = prepared(options);
    etcd = await startBenchEtcd();
    const report = await measureAll(etcd, options);
    print(report);
    write(outputs, report);
    return 0;
  } catch (error) {
    if (stopped.signal.aborted) return 130;
    const trouble = etcd && (await troubleOf(etcd));
    console.error(`bench: failed: ${trouble ?? (error as Error).message}`);
    return 1;
  } finally {
    await stop();
  }
}
