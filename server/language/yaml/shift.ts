/** What was found in a part of a text, in offsets of the whole. */
import type { Span } from '../../kube/selectors';
import type { Finding, Fix } from '../findings';
import type { CompletionSpot, SelectorSite, SitePart, SiteRequirement } from '../model';

export function shiftedSpan({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

export function shiftedFinding(found: Finding, by: number): Finding {
  return {
    ...found,
    span: shiftedSpan(found.span, by),
    fixes: found.fixes.map((fix) => shiftedFix(fix, by)),
  };
}

export function shiftedFix(fix: Fix, by: number): Fix {
  return {
    ...fix,
    edits: fix.edits.map((edit) => ({ ...edit, span: shiftedSpan(edit.span, by) })),
  };
}

export function shiftedSite(site: SelectorSite, by: number): SelectorSite {
  return {
    ...site,
    span: shiftedSpan(site.span, by),
    anchor: shiftedSpan(site.anchor, by),
    requirements: site.requirements.map((requirement) => shiftedRequirement(requirement, by)),
  };
}

function shiftedRequirement(requirement: SiteRequirement, by: number): SiteRequirement {
  const { span, keyPart, valueParts } = requirement;
  return {
    ...requirement,
    span: shiftedSpan(span, by),
    ...(keyPart && { keyPart: shiftedPart(keyPart, by) }),
    ...(valueParts && { valueParts: valueParts.map((part) => shiftedPart(part, by)) }),
  };
}

function shiftedPart(part: SitePart, by: number): SitePart {
  return { ...part, span: shiftedSpan(part.span, by) };
}

export function shiftedSpot(spot: CompletionSpot, by: number): CompletionSpot {
  return { ...spot, span: shiftedSpan(spot.span, by) };
}
