/** What is found in one document, kept free of what nobody can be sure of. */
import type { Span } from '../../kube/selectors';
import {
  finding,
  FINDINGS,
  type Finding,
  type FindingCode,
  type Fix,
  type Severity,
} from '../findings';
import type { SelectorSite } from '../model';
import type { Content, Tree, Value } from './tree';

export class Report {
  readonly findings: Finding[] = [];
  readonly sites: SelectorSite[] = [];
  /** How many of each kind are not among the findings. */
  readonly untold: Partial<Record<FindingCode, number>> = {};
  private readonly seen = new Set<string>();
  private readonly read = new Set<Content>();
  /** By severity; what was not looked at is counted by itself. */
  private readonly told = new Map<Severity | 'not-checked', number>();

  /** More than `most` findings of one severity in one document help nobody: they are counted. */
  constructor(
    readonly tree: Tree,
    private readonly most: number,
  ) {}

  /** About these characters alone. Left out where a template or broken YAML has a hand in them. */
  about(span: Span, code: FindingCode, message: string, fixes: readonly Fix[] = []): void {
    const { tree, seen } = this;
    if (tree.isExhausted || span.end > tree.soundUntil || tree.touchesTemplate(span)) return;
    const mark = `${code} ${span.start} ${span.end}`;
    // An anchored value is met again wherever an alias leads to it.
    if (seen.has(mark)) return;
    seen.add(mark);
    if (this.isTold(code)) this.findings.push(finding(code, message, span, fixes));
  }

  /** True only as long as nothing else stands in these values than what is seen. */
  aboutAll(
    values: readonly Value[],
    span: Span,
    code: FindingCode,
    message: string,
    fixes: readonly Fix[] = [],
  ): void {
    if (values.every((value) => this.tree.isCertain(value))) this.about(span, code, message, fixes);
  }

  /** What was not looked at, whoever has a hand in it. */
  unseen(span: Span, message: string): void {
    const mark = `unseen ${span.start} ${span.end}`;
    if (this.seen.has(mark)) return;
    this.seen.add(mark);
    if (this.isTold('not-checked')) this.findings.push(finding('not-checked', message, span));
  }

  private isTold(code: FindingCode): boolean {
    const kind = code === 'not-checked' ? code : FINDINGS[code].severity;
    const told = this.told.get(kind) ?? 0;
    if (told >= this.most) this.untold[code] = (this.untold[code] ?? 0) + 1;
    else this.told.set(kind, told + 1);
    return told < this.most;
  }

  /** Remembers a text that is a selector: however often aliases lead to it, it is read once. */
  wasRead(node: Content): boolean {
    const isKnown = this.read.has(node);
    this.read.add(node);
    return isKnown;
  }

  /** One selector is one site, however it is come upon. */
  site(site: SelectorSite): void {
    if (this.tree.isExhausted) return;
    const mark = `site ${site.span.start} ${site.span.end}`;
    if (this.seen.has(mark)) return;
    this.seen.add(mark);
    this.sites.push(site);
  }
}
