/** Selectors of a document as hovers, lenses and inlay hints. */
import type { CodeLens, InlayHint, Position, Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LabelIndex } from '../../language/index/labelIndex';
import { lensText, requirementHint, siteMarkdown } from '../../language/index/siteText';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { SelectorSite } from '../../language/model';
import type { HoverText } from '../../protocol/model';
import type { Analyses } from './analyses';
import type { Analyst } from './analyst';
import { rangeOf } from './queryFeatures';

export interface SiteParts {
  readonly analyst: Analyst;
  readonly analyses: Analyses;
  readonly stored: StoredLabels;
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
      : (stored.index(resource, namespace) ??
        (await stored.whenReady(resource, namespace, signal, WAIT_MS)));
  // The span is that of the text as it was asked about.
  if (document.version !== version) return null;
  return {
    contents: { kind: 'markdown', value: siteMarkdown(site, index) },
    range: rangeOf(document, site.span),
  };
}

/** A line above each selector of which something is known. */
export async function siteLenses(parts: SiteParts, document: TextDocument): Promise<CodeLens[]> {
  const sites = await sitesOf(parts, document);
  const lenses = sites.slice(0, MOST_WITH_LENSES).flatMap((site) => {
    const title = lensText(site, indexOf(parts, site));
    return title === undefined ? [] : [lensAt(document, site, title)];
  });
  const next = sites.slice(MOST_WITH_LENSES).find((site) => indexOf(parts, site) !== undefined);
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
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const sites = await sitesOf(parts, document);
  return sites
    .filter(({ span }) => span.start <= to && span.end >= from)
    .flatMap((site) => {
      const index = indexOf(parts, site);
      if (index === undefined || site.requirements.length < 2) return [];
      return site.requirements.flatMap((requirement) => {
        const label = requirementHint(requirement, site, index);
        if (label === undefined) return [];
        return [{ position: document.positionAt(requirement.span.end), label, paddingLeft: true }];
      });
    });
}

async function sitesOf(
  { analyses }: SiteParts,
  document: TextDocument,
): Promise<readonly SelectorSite[]> {
  const { version } = document;
  const looked = await analyses.of(document);
  return looked.done && document.version === version ? looked.analysis.sites : [];
}

/** What is stored of what a selector selects from, as far as it was read. */
export function indexOf(
  { stored }: Pick<SiteParts, 'stored'>,
  { from }: SelectorSite,
): LabelIndex | undefined {
  return from.resource === undefined ? undefined : stored.index(from.resource, from.namespace);
}
