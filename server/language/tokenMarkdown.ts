/** A token's facts as Markdown in which nothing untrusted can act. */
import { cellText } from '../kube/print/cellText';
import type { TokenExplanation } from './tokenFacts';

/** Longest text of one field; hovers are read, not scrolled. */
const LONGEST = 400;

/** Untrusted text: no Markdown, no HTML, no links out of bare addresses, nothing hidden, one line. */
export function escapeMarkdown(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return cellText(short.replace(/\s+/g, ' ')).replace(
    /[&<>\\`*_{}[\]()#+\-.!|~@:/"'$]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

export function tokenMarkdown(facts: TokenExplanation): string {
  const verdict = facts.verdict === 'ok' ? 'well formed' : 'refused by the API server';
  const lines = [`**Kubernetes continue token**, ${verdict}`, ''];
  const add = (name: string, text: string): void => {
    if (text !== '') lines.push(`- ${name}: ${text}`);
  };
  add('version', escapeMarkdown(facts.version));
  add('resourceVersion', revisionText(facts));
  add('start', escapeMarkdown(facts.start));
  add('resumes at', escapeMarkdown(facts.resumesAt));
  add('kube-apiserver says', escapeMarkdown(facts.upstreamError));
  if (facts.verdict === 'notAToken') add('inside', escapeMarkdown(facts.json));
  lines.push('', facts.why);
  return lines.join('\n');
}

function revisionText({ resourceVersion, revisionMeaning }: TokenExplanation): string {
  if (resourceVersion === '') return '';
  return `${escapeMarkdown(resourceVersion)}. ${revisionMeaning}`;
}
