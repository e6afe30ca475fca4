/** `probe`: which etcd this is, and whether it has RangeStream. */
import type { EtcdReader } from '../../etcd/interfaces';
import { probeRangeStream, type RangeStreamProbe } from '../../etcd/probe';
import { rootBytes } from '../../kube/resources/resources';
import type { ProbePlan } from '../args/plan';
import { connectTo } from '../connectTo';
import { warn, type Context } from '../context';
import { ExitCode } from '../exit';
import { cell } from '../output/text';
import { explain } from '../sentences';
import { padEnd, padStart, textWidth } from '../output/width';
import { printSize, thousands } from '../quantities';

/** Fails when no endpoint answers at all. */
export async function runProbe(plan: ProbePlan, context: Context): Promise<ExitCode> {
  const etcd = await connectTo(plan.connection, context);
  try {
    const members = await endpointRows(etcd, context);
    const prefix = rootBytes(plan.connection.root);
    const answer = await probeRangeStream(etcd, prefix, { signal: context.signal });
    await context.rows.write(`${layOut(members.rows)}\n${rangeStreamLines(answer).join('\n')}\n`);
    return members.answered ? ExitCode.done : ExitCode.failed;
  } finally {
    etcd.close();
  }
}

async function endpointRows(etcd: EtcdReader, context: Context) {
  const rows = [['ENDPOINT', 'VERSION', 'REVISION', 'DB SIZE', 'MEMBER', 'ROLE']];
  let answered = false;
  const failures: Error[] = [];
  for (const endpoint of etcd.endpoints) {
    try {
      const status = await etcd.status(endpoint, { signal: context.signal });
      answered = true;
      rows.push([
        endpoint,
        cell(status.version),
        thousands(status.revision),
        printSize(Number(status.dbSizeBytes)),
        status.memberId.toString(16),
        status.leader === status.memberId ? 'leader' : 'follower',
      ]);
    } catch (error) {
      if (context.signal.aborted) throw error;
      failures.push(error instanceof Error ? error : new Error(String(error)));
      if (etcd.endpoints.length > 1) warn(context, explain(error).text);
      rows.push([endpoint, '-', '-', '-', '-', 'no answer']);
    }
  }
  const first = failures[0];
  if (!answered && first !== undefined) throw first;
  return { rows, answered };
}

function rangeStreamLines(probe: RangeStreamProbe): string[] {
  switch (probe.answer) {
    case 'supported':
      return [
        `RangeStream: supported by ${probe.endpoint}; lists without a limit or without a selector can stream`,
      ];
    case 'notSupported':
      return [
        `RangeStream: not supported${probe.proxy ? ' through this proxy' : ''}; lists use pages`,
        `reason: ${probe.reason}`,
      ];
    case 'unknown':
      return ['RangeStream: unknown', `reason: ${probe.reason}`];
  }
}

/** REVISION and DB SIZE stand at the right. */
function layOut(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) =>
    rows.reduce((most, cells) => Math.max(most, textWidth(cells[i] ?? '')), 0),
  );
  return rows
    .map((cells) =>
      cells
        .map((text, i) => (i === 2 || i === 3 ? padStart : padEnd)(text, widths[i] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
