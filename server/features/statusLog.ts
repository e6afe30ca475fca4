/** What the log says of the connection, so that it can be read afterwards. */
import type { Log } from '../common/log';
import type { ConnectionStatus, MemberInfo, RangeStreamAnswer } from '../protocol/model';
import { plainText } from './failures';

/** Takes every status; a line that would say the same again is not written. */
export function statusLogger(log: Pick<Log, 'info'>): (status: ConnectionStatus) => void {
  let said = statusLine({ state: 'disconnected' });
  let lost = false;
  return (status) => {
    const line = statusLine(status, lost);
    if (line === undefined) return;
    lost = isLost(status);
    if (line === said) return;
    // What recovered is connected, and says so the next time.
    said = statusLine(status);
    log.info(line);
  };
}

/** Undefined for a state that soon becomes another. `afterLoss`: the status before was a lost one. */
export function statusLine(status: ConnectionStatus, afterLoss = false): string | undefined {
  if (status.state === 'disconnected') {
    const { failure } = status;
    return failure === undefined
      ? 'Not connected.'
      : `Not connected: ${plainText(failure.sentence)}`;
  }
  const name = JSON.stringify(plainText(status.name));
  if (status.state === 'connecting') return `Connecting to ${name}.`;
  if (status.probing) return undefined;
  const { rangeStream } = status;
  if (isLost(status)) {
    const why = rangeStream.answer === 'unknown' ? rangeStream.reason : 'It does not answer.';
    return `Lost ${name}: ${plainText(why)}`;
  }
  const members = status.members.map(memberText).join('; ');
  const what = afterLoss ? 'Reached again:' : 'Connected to';
  return `${what} ${name} (${members}). ${answerText(rangeStream)}`;
}

/** Open, while its etcd was not reached the last time. */
function isLost(status: ConnectionStatus): boolean {
  return status.state === 'connected' && status.unreachable === true;
}

function memberText({ endpoint, version, problem }: MemberInfo): string {
  return `${plainText(endpoint)}: ${problem === '' ? `etcd ${version}` : problem}`;
}

function answerText(answer: RangeStreamAnswer): string {
  switch (answer.answer) {
    case 'supported':
      return 'RangeStream is supported.';
    case 'notSupported':
      return 'RangeStream is not supported: lists are read in pages.';
    case 'unknown':
      return `RangeStream is unknown: ${answer.reason}`;
    case 'gateOff':
      return 'The gate EtcdRangeStream is off: lists are read in pages.';
  }
}
