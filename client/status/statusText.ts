/** What the status bar item says. */
import { timeOfDay } from '../../server/protocol/format';
import type { ConnectionStatus, RangeStreamAnswer } from '../../server/protocol/model';

export interface StatusFacts {
  readonly status: ConnectionStatus;
  readonly trusted: boolean;
  /** The language server ended and does not run yet. */
  readonly serverGone: boolean;
}

export interface StatusView {
  readonly text: string;
  /** Markdown; all that comes from outside is escaped. */
  readonly tooltip: string;
  /** For a screen reader: the same without icons and signs. */
  readonly label: string;
  /** Whether the text changes by itself as time passes. */
  readonly counting: boolean;
}

const longestName = 40;
const prompt = 'Click for the menu.';
const serverEnded =
  'The language server of etcd LIST ended: the next thing you ask for starts it again.';

/** `now` in milliseconds since 1970. */
export function statusView({ status, trusted, serverGone }: StatusFacts, now: number): StatusView {
  if (serverGone) {
    const failure = status.state === 'disconnected' ? status.failure : undefined;
    return plain('etcd: server ended', failure?.sentence ?? serverEnded, '$(warning) ');
  }
  switch (status.state) {
    case 'disconnected':
      return disconnected(status.failure?.sentence, trusted);
    case 'connecting':
      return plain(
        `etcd ${shown(status.name)} · connecting`,
        'Connecting to etcd.',
        '$(loading~spin) ',
      );
    case 'connected':
      return connected(status, now);
  }
}

function plain(text: string, sentence: string, icon = ''): StatusView {
  return {
    text: `${icon}${text}`,
    tooltip: `${escapeMarkdown(sentence)}\n\n${prompt}`,
    label: `${text}. ${sentence}`,
    counting: false,
  };
}

function disconnected(failure: string | undefined, trusted: boolean): StatusView {
  if (!trusted) {
    return plain(
      'etcd: not connected',
      'This workspace is not trusted, so the network stays off. Token hovers work.',
    );
  }
  return plain('etcd: not connected', failure ?? 'etcd LIST is not connected to an etcd.');
}

type Connected = Extract<ConnectionStatus, { state: 'connected' }>;

function connected(status: Connected, now: number): StatusView {
  const name = `etcd ${shown(status.name)}`;
  const answer = status.probing ? 'probing' : shortAnswer(status.rangeStream, now);
  return {
    text: `${status.probing ? '$(loading~spin) ' : ''}${name} · ${answer}`,
    tooltip: tooltip(status),
    label: `${name}: ${status.probing ? 'probing' : longAnswer(status.rangeStream)}`,
    counting: !status.probing && isCounting(status.rangeStream, now),
  };
}

function isCounting(answer: RangeStreamAnswer, now: number): boolean {
  return answer.answer === 'notSupported' && (answer.retryAt ?? 0) > now;
}

function shortAnswer(answer: RangeStreamAnswer, now: number): string {
  switch (answer.answer) {
    case 'supported':
      return 'RangeStream ✓';
    case 'notSupported':
      return isCounting(answer, now)
        ? `pages (retry ${countdown((answer.retryAt ?? now) - now)})`
        : 'pages';
    case 'unknown':
      return 'RangeStream ?';
    case 'gateOff':
      return 'RangeStream off';
  }
}

/** Holds no countdown, so that neither a tooltip nor a screen reader is disturbed every second. */
function longAnswer(answer: RangeStreamAnswer): string {
  switch (answer.answer) {
    case 'supported':
      return 'RangeStream is supported';
    case 'notSupported': {
      const who = answer.byProxy ? "etcd's proxy refuses RangeStream" : 'RangeStream is not there';
      const at = answer.retryAt;
      const next = at === undefined ? '' : `; next try at ${timeOfDay(at)}`;
      return `${who}: lists are read in pages${next}`;
    }
    case 'unknown':
      return `whether RangeStream is supported is unknown: ${answer.reason.replace(/\.$/, '')}`;
    case 'gateOff':
      return 'the gate EtcdRangeStream is off: lists are read in pages';
  }
}

/** Minutes and seconds, rounded up so that it never shows 0:00. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function tooltip(status: Connected): string {
  const members = status.members.map(
    ({ endpoint, version, problem }) =>
      `- ${escapeMarkdown(endpoint)}: ${escapeMarkdown(problem === '' ? `etcd ${version}` : problem)}`,
  );
  const endpoints = status.endpoints.map((endpoint) => `- ${escapeMarkdown(endpoint)}`);
  return [
    `**${escapeMarkdown(status.name)}**${status.isDemo ? ' (demo cluster)' : ''}, root ${escapeMarkdown(status.root)}`,
    (members.length > 0 ? members : endpoints).join('\n'),
    escapeMarkdown(`${capital(tooltipAnswer(status))}.`),
    status.probedAt > 0 ? `Last probe: ${timeOfDay(status.probedAt)}.` : '',
    prompt,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A member's problem stands above already. */
function tooltipAnswer({ rangeStream, members }: Connected): string {
  const { reason = '' } = rangeStream.answer === 'unknown' ? rangeStream : {};
  const isSaid = reason !== '' && members.some(({ problem }) => problem === reason);
  return isSaid ? 'whether RangeStream is supported is unknown' : longAnswer(rangeStream);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A name as the status bar may show it: short, on one line, and never an icon. */
function shown(name: string): string {
  const line = name.replace(/[\p{C}\p{Z}]+/gu, ' ').replaceAll('$(', '$ (');
  return line.length > longestName ? `${line.slice(0, longestName)}…` : line;
}

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!|~<>&$:@]/g, (sign) =>
      sign === '<' ? '&lt;' : sign === '&' ? '&amp;' : sign === ':' ? '&#58;' : `\\${sign}`,
    );
}
