/** What the log says of the connection, so that it can be read afterwards. */
import type { Log } from '../common/log';
import type { ConnectionStatus, MemberInfo, RangeStreamAnswer } from '../protocol/model';
import { plainText } from './failures';

/** Takes every status; a line that would say the same again is not written. */
export function statusLogger(log: Pick<Log, 'info'>): (status: ConnectionStatus) => void {
  let said = statusLine({ state: 'disconnected' });
  return (status) => {
    const line = statusLine(status);
    if (line === undefined || line === said) return;
    said = line;
    log.info(line);
  };
}

/** Undefined for a state that soon becomes another. */
export function statusLine(status: ConnectionStatus): string | undefined {
  if (status.state === 'disconnected') return 'Not connected.';
  const name = JSON.stringify(plainText(status.name));
  if (status.state === 'connecting') return `Connecting to ${name}.`;
  if (status.probing) return undefined;
  const members = status.members.map(memberText).join('; ');
  return `Connected to ${name} (${members}). ${answerText(status.rangeStream)}`;
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
