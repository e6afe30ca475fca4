/** What an open connection tells of the server that would stand before its etcd. Nothing is asked. */
import { systemClock } from '../common/clock';
import { createFeatureChecker } from '../etcd/features';
import { UNKNOWN_SERVER, type Fact, type ServerFacts } from '../explain/asked';
import { cellText } from '../kube/print/cellText';
import type { ConnectionStatus } from '../protocol/model';
import type { ConnectionHolder } from './connectionHolder';

type Connected = Extract<ConnectionStatus, { state: 'connected' }>;

export async function knownServer(
  holder: Pick<ConnectionHolder, 'status' | 'rangeStreamGate'>,
): Promise<ServerFacts> {
  const gates = { ...UNKNOWN_SERVER.gates, EtcdRangeStream: holder.rangeStreamGate };
  const { status } = holder;
  if (status.state !== 'connected') return { ...UNKNOWN_SERVER, gates };
  const { root } = status;
  return {
    ...UNKNOWN_SERVER,
    gates,
    root,
    progress: await progressOf(status),
    rangeStream: rangeStreamOf(status),
  };
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
