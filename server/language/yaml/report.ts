/** What is found in one document, kept free of what nobody can be sure of. */
import type { Span } from '../../kube/selectors';
import { finding, type Finding, type FindingCode, type Fix } from '../findings';
import type { SelectorSite } from '../model';
import type { Tree, Value } from './tree';

export class Report {
  readonly findings: Finding[] = [];
  readonly sites: SelectorSite[] = [];
  private readonly seen = new Set<string>();
  private isCut = false;

  /** More than `most` findings of one document help nobody. */
  constructor(
    readonly tree: Tree,
    private readonly most: number,
  ) {}

  /** About these characters alone. Left out where a template or broken YAML has a hand in them. */
  about(span: Span, code: FindingCode, message: string, fixes: readonly Fix[] = []): void {
    const { tree, seen, findings } = this;
    if (span.end > tree.soundUntil || tree.touchesTemplate(span)) return;
    const mark = `${code} ${span.start} ${span.end}`;
    // An anchored value is met again wherever an alias leads to it.
    if (seen.has(mark)) return;
    seen.add(mark);
    if (findings.length < this.most) findings.push(finding(code, message, span, fixes));
    else this.isCut = true;
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

  /** More was found than is told. */
  get isFull(): boolean {
    return this.isCut;
  }

  /** One selector is one site, however it is come upon. */
  site(site: SelectorSite): void {
    const mark = `site ${site.span.start} ${site.span.end}`;
    if (this.seen.has(mark)) return;
    this.seen.add(mark);
    this.sites.push(site);
  }
}
