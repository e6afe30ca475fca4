/** An explanation as plain text, and as one line. */
import { NEWEST_VERSION } from '../cache/versions/version';
import { cellText } from '../kube/print/cellText';
import { isFork, likelyPath, type Alternative, type Explanation } from './model';
import type { Fork, Outcome, Step, Trail, Way } from './model';

const WAYS: Readonly<Record<Way, string>> = {
  watchCache: 'by the watch cache',
  etcdPages: 'by etcd, in pages',
  etcdStream: 'by etcd, as a stream',
  etcdKey: 'by etcd, one key',
  refused: 'by nobody: it is refused',
};

/** Columns that the text takes, so far as its words let it. */
const WIDTH = 100;

/** A line as it is, or a paragraph with what stands before its first line and its others. */
type Said = string | readonly [text: string, first: string, others: string];

/**
 * The likely way step by step, what it hangs on, and what else could be asked. With an infinite width
 * each paragraph is one line, for who wraps lines by itself.
 */
export function explanationText(explanation: Explanation, width = WIDTH): string {
  const { request, notes, trail, atEtcd, following, alternatives } = explanation;
  const most = isFork(trail.end) ? 'Most likely: ' : '';
  const said: readonly Said[] = [
    request,
    '',
    [`${most}${endText(likelyPath(trail).end)}`, '', ''],
    ...notes.map((text): Said => [`Note: ${text}`, '', '']),
    ...section(stepsTitle(explanation), trail),
    ...section('Where it goes to etcd', atEtcd),
    ...section('The requests after it, each with the continue token of the one before', following),
    ...(alternatives.length === 0 ? [] : ['', 'Alternatives']),
    ...alternatives.flatMap(alternativeLines),
    '',
  ];
  const lines = said.flatMap((one) => (typeof one === 'string' ? one : wrapped(...one, width)));
  return lines.join('\n');
}

export function stepsTitle({ server }: Explanation): string {
  if (server === undefined) return 'Steps';
  return `Steps of Kubernetes ${server.version} (k8s.io/apiserver ${server.release})`;
}

/** `Served by the watch cache, most likely (rules C1, C4, C5, C6)`; a version that was chosen is named. */
export function servedLine({ trail, server }: Explanation): string {
  const rules = `rules ${rulesOf(trail).join(', ')}`;
  const isChosen = server !== undefined && server.version !== NEWEST_VERSION;
  return `Served ${servedWords(trail)} (${isChosen ? `Kubernetes ${server.version}, ` : ''}${rules})`;
}

export function servedWords(trail: Trail): string {
  return `${WAYS[likelyPath(trail).end.way]}${isFork(trail.end) ? ', most likely' : ''}`;
}

/** On the likely path, each once. */
function rulesOf({ steps, end }: Trail): string[] {
  const here = steps.map(({ rule }) => rule);
  const rest = isFork(end) ? [end.rule, ...rulesOf(end.likely.trail)] : [];
  return [...new Set([...here, ...rest])];
}

function section(title: string, trail: Trail | undefined): Said[] {
  return trail === undefined ? [] : ['', title, ...trailLines(trail)];
}

function trailLines({ steps, end }: Trail): Said[] {
  const said = steps.flatMap(stepLines);
  if (isFork(end)) return [...said, ...forkLines(end), ...trailLines(end.likely.trail)];
  return [...said, [endText(end), '  =>  ', INNER]];
}

const INNER = ' '.repeat(6);

function stepLines({ rule, source, text }: Step): Said[] {
  return [[text, `  ${rule.padEnd(4)}`, INNER], `${INNER}[${source}]`];
}

/** What is unlikely is told where it ends; the likely way goes on behind it. */
function forkLines({ rule, source, about, likely, otherwise }: Fork): Said[] {
  return [
    ...stepLines({ rule, source, text: `Likely, ${likely.when} (${about}).` }),
    [`Otherwise ${otherwise.when}: ${branchText(otherwise.trail)}`, INNER, INNER],
  ];
}

export function branchText(trail: Trail): string {
  const rules = rulesOf(trail);
  const by = rules.length === 0 ? '' : ` (${rules.join(', ')})`;
  const said = endText(likelyPath(trail).end).replace(/\.$/, '');
  return `${isFork(trail.end) ? 'most likely ' : ''}${said.charAt(0).toLowerCase()}${said.slice(1)}${by}.`;
}

export function endText({ text, refusal }: Outcome): string {
  if (refusal === undefined) return text;
  const status = refusal.status === undefined ? '' : `${refusal.status} `;
  return `Refused with ${status}"${cellText(refusal.message)}": ${text}`;
}

function alternativeLines({ title, meaning, trail }: Alternative): Said[] {
  const rules = rulesOf(trail).join(', ');
  return [
    [`${title}: served ${servedWords(trail)} (${rules}).`, '  ', INNER],
    [meaning, INNER, INNER],
  ];
}

/** A word that is too long for a line stands on one of its own. */
export function wrapped(text: string, first: string, others: string, width = WIDTH): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = others;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
