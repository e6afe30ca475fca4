/** Selectors of a document as hovers, lenses and inlay hints. */
import type { CodeLens, InlayHint, Position, Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { shownNumber } from '../../language/index/nouns';
import { lensText, requirementHint, siteMarkdown } from '../../language/index/siteText';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { SelectorSite } from '../../language/model';
import { escapeMarkdown } from '../../language/tokenMarkdown';
import type { HoverText } from '../../protocol/model';
import type { Analyses } from './analyses';
import type { Analyst } from './analyst';
import { rangeOf } from './queryFeatures';
import { storedIndex, type SiteCounts } from './siteCounts';

export interface SiteParts {
  readonly analyst: Analyst;
  readonly analyses: Analyses;
  readonly stored: StoredLabels;
  readonly counts: SiteCounts;
}

/** Milliseconds that a hover waits for etcd. */
const WAIT_MS = 500;

/** The selector under the pointer in words; null where none is. */
export async function hoverSite(
  { analyst, stored }: SiteParts,
  document: TextDocument,
  position: Position,
  signal: AbortSignal,
): Promise<HoverText | null> {
  const { version } = document;
  const answer = await analyst.ask(document, 'siteAt', document.offsetAt(position), signal);
  if (!answer.answered || answer.value === undefined || document.version !== version) return null;
  const site = answer.value;
  const { resource, namespace } = site.from;
  const index =
    resource === undefined
      ? undefined
      : await stored.whenReady(resource, namespace, signal, WAIT_MS);
  if (document.version !== version) return null;
  return {
    contents: { kind: 'markdown', value: `${siteMarkdown(site, index)}${readText(site, stored)}` },
    range: rangeOf(document, site.span),
  };
}

/** What was read for it so far, or why it could not be. */
function readText({ from: { resource, namespace } }: SelectorSite, stored: StoredLabels): string {
  if (resource === undefined) return '';
  const at = stored.state(resource, namespace);
  if (at.state === 'failed') return `\n\n${escapeMarkdown(at.sentence)}`;
  if (at.state !== 'ready') return '';
  return `\n\nKeys read for counts and completion since connecting: ${shownNumber(stored.examined)}.`;
}

/** A line above each selector of which something is known. An editor asks for those of documents that are seen. */
export async function siteLenses(parts: SiteParts, document: TextDocument): Promise<CodeLens[]> {
  const { stored, counts } = parts;
  const all = await sitesOf(parts, document);
  const sites = all.slice(0, MOST_WITH_LENSES);
  want(sites, document, stored);
  const { version } = document;
  await counts.prepare(sites, stored, () => document.version === version);
  if (document.version !== version) return [];
  const lenses = sites.flatMap((site) => {
    const title = lensText(site, storedIndex(site, stored), counts.of);
    return title === undefined ? [] : [lensAt(document, site, title)];
  });
  const next = all.slice(MOST_WITH_LENSES).find((site) => storedIndex(site, stored) !== undefined);
  return next === undefined ? lenses : [...lenses, lensAt(document, next, NO_MORE_LENSES)];
}

/** Sites with a lens; a file that was generated may have thousands. */
export const MOST_WITH_LENSES = 1_000;

const NO_MORE_LENSES =
  'From here on nothing is counted above the selectors: there are more than 1,000';

function lensAt(document: TextDocument, site: SelectorSite, title: string): CodeLens {
  return { range: rangeOf(document, site.anchor), command: { title, command: '' } };
}

/** How many objects each requirement alone matches, behind it. */
export async function siteHints(
  parts: SiteParts,
  document: TextDocument,
  range: Range,
): Promise<InlayHint[]> {
  const { stored } = parts;
  const all = await sitesOf(parts, document);
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const sites = all.filter(({ span }) => span.start <= to && span.end >= from);
  want(sites, document, stored);
  return sites.flatMap((site) => {
    const index = storedIndex(site, stored);
    if (index === undefined || site.requirements.length < 2 || isEncoded(site)) return [];
    return site.requirements.flatMap((requirement) => {
      const label = requirementHint(requirement, site, index);
      if (label === undefined) return [];
      return [{ position: document.positionAt(requirement.span.end), label, paddingLeft: true }];
    });
  });
}

/** A number in the middle of an address would be taken for a part of it. */
function isEncoded({ requirements }: SelectorSite): boolean {
  return requirements.some(({ keyPart }) => keyPart?.writing === 'percent');
}

async function sitesOf(
  { analyses }: SiteParts,
  document: TextDocument,
): Promise<readonly SelectorSite[]> {
  const { version } = document;
  const looked = await analyses.of(document);
  return looked.done && document.version === version ? looked.analysis.sites : [];
}

/** Has what they select from read, where it is not known. */
function want(
  sites: readonly SelectorSite[],
  { uri, version }: TextDocument,
  stored: StoredLabels,
): void {
  for (const { resource, namespace } of sites.map(({ from }) => from)) {
    if (resource !== undefined) stored.want(resource, namespace, { uri, version });
  }
}
