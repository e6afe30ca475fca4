/** What is known of the server: its gates as they are given, and its etcd where one may be asked. */
import { UNKNOWN_SERVER, type Fact, type ServerFacts } from '../../explain/asked';
import { createFeatureChecker } from '../../etcd/features';
import type { EtcdReader } from '../../etcd/interfaces';
import { probeRangeStream } from '../../etcd/probe';
import { rootBytes } from '../../kube/resources/resources';
import type { ExplainPlan } from '../args/plan';
import { connectTo } from '../connectTo';
import { warn, type Context } from '../context';
import { cell } from '../output/text';
import { explain as worded } from '../sentences';

/** Asks each endpoint for its version, and once for RangeStream; what does not answer stays unknown. */
export async function factsOf(plan: ExplainPlan, context: Context): Promise<ServerFacts> {
  const { version, gates, watchCache, connection } = plan;
  const supposed: ServerFacts = {
    ...UNKNOWN_SERVER,
    version,
    gates,
    watchCache,
    root: connection.root,
  };
  if (!plan.asksEtcd) return supposed;
  const etcd = await connectTo(connection, context);
  try {
    const progress = await progressOf(etcd, context);
    return { ...supposed, progress, rangeStream: await rangeStreamOf(etcd, plan, context) };
  } finally {
    etcd.close();
  }
}

async function progressOf(etcd: EtcdReader, context: Context): Promise<Fact> {
  const checker = createFeatureChecker(context.clock);
  const versions: string[] = [];
  let silent = 0;
  for (const endpoint of etcd.endpoints) {
    try {
      await checker.checkEndpoint(endpoint, async (name) => {
        const status = await etcd.status(name, { signal: context.signal });
        versions.push(`${name} is ${cell(status.version)}`);
        return status;
      });
    } catch (error) {
      context.signal.throwIfAborted();
      silent++;
      warn(context, worded(error).text);
    }
  }
  const supports = checker.supports('RequestWatchProgress');
  const isUnsound = versions.length > 0 && !supports;
  if (silent > 0 && !isUnsound) {
    const because = ['not all members answered', ...versions].join('; ');
    return { answer: undefined, because };
  }
  return { answer: supports, because: versions.join(', ') };
}

async function rangeStreamOf(
  etcd: EtcdReader,
  { connection }: ExplainPlan,
  { signal }: Context,
): Promise<Fact> {
  const found = await probeRangeStream(etcd, rootBytes(connection.root), { signal });
  signal.throwIfAborted();
  switch (found.answer) {
    case 'supported':
      return { answer: true, because: `${found.endpoint} answered it` };
    case 'notSupported':
      return { answer: false, because: cell(found.reason.replace(/\.$/, '')) };
    case 'unknown':
      return {
        answer: undefined,
        because: `asked, and not known: ${cell(found.reason.replace(/\.$/, ''))}`,
      };
  }
}
