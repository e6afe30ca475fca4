/** What an open connection tells of the server that would stand before its etcd. Nothing is asked. */
import { systemClock } from '../common/clock';
import { gateProblem, gatesOf, setGates } from '../cache/versions/gates';
import { createFeatureChecker } from '../etcd/features';
import { UNKNOWN_SERVER, type Fact, type ServerFacts } from '../explain/asked';
import { cellText } from '../kube/print/cellText';
import type { InitializationOptions } from '../protocol/lsp';
import type { ConnectionStatus } from '../protocol/model';
import type { ConnectionHolder } from './connectionHolder';

type Connected = Extract<ConnectionStatus, { state: 'connected' }>;

/** Of the API server that settings describe. */
type Supposed = Pick<InitializationOptions, 'kubernetesVersion' | 'featureGates'>;

export async function knownServer(
  holder: Pick<ConnectionHolder, 'status' | 'rangeStreamGate'>,
  supposed: Supposed,
): Promise<ServerFacts> {
  const server: ServerFacts = { ...UNKNOWN_SERVER, ...supposedServer(supposed, holder) };
  const { status } = holder;
  if (status.state !== 'connected') return server;
  const { root } = status;
  return {
    ...server,
    root,
    progress: await progressOf(status),
    rangeStream: rangeStreamOf(status),
  };
}

/** Gates that the version refuses are left out, which is said; those of the engine are the newest one's. */
function supposedServer(
  { kubernetesVersion: version, featureGates }: Supposed,
  { rangeStreamGate }: Pick<ConnectionHolder, 'rangeStreamGate'>,
): Pick<ServerFacts, 'version' | 'gates' | 'notes'> {
  const taken = new Map<string, boolean>();
  const notes: string[] = [];
  for (const [name, on] of Object.entries(featureGates)) {
    const problem = gateProblem(version, name, on);
    if (problem === undefined) taken.set(name, on);
    else notes.push(`etcdList.featureGates: ${name} is left out, since ${problem}.`);
  }
  if (gatesOf(version).has('EtcdRangeStream')) taken.set('EtcdRangeStream', rangeStreamGate);
  return { version, gates: setGates(version, taken), notes };
}

async function progressOf({ members }: Connected): Promise<Fact> {
  const answered = members.filter(({ version }) => version !== '');
  const checker = createFeatureChecker(systemClock);
  for (const { endpoint, version } of answered) {
    await checker.checkEndpoint(endpoint, () => Promise.resolve({ version }));
  }
  const supports = checker.supports('RequestWatchProgress');
  const versions = answered.map((each) => `${each.endpoint} is ${cellText(each.version)}`);
  const isKnown = answered.length > 0 && (!supports || answered.length === members.length);
  return isKnown
    ? { answer: supports, because: versions.join(', ') }
    : { answer: undefined, because: ['not all members have answered', ...versions].join('; ') };
}

function rangeStreamOf({ rangeStream, name }: Connected): Fact {
  switch (rangeStream.answer) {
    case 'supported':
      return { answer: true, because: `${cellText(name)} answered it` };
    case 'notSupported':
      return { answer: false, because: `${cellText(name)} refused it` };
    case 'unknown':
      return { answer: undefined, because: cellText(rangeStream.reason.replace(/\.$/, '')) };
    case 'gateOff':
      return UNKNOWN_SERVER.rangeStream;
  }
}
