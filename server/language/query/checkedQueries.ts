/** The queries of a file, checked in order: one may take the token of another before it. */
import type { Span } from '../../kube/selectors';
import type { Finding, Fix } from '../findings';
import { textActions, type SelectorText } from '../selectors/textActions';
import { append } from './append';
import type { Analysis, SelectorSite } from '../model';
import { toldOf } from '../told';
import { checkDraft, isError, type CheckedDraft } from './checkDraft';
import type { Draft, Place } from './draft';
import type { Mark, Query } from './model';
import { MOST_FINDINGS, type QueryFileOptions } from './options';
import { QueryNames, type NamePart } from './references';
import type { SpotContext } from './spots';

/** One query as it is written. */
export interface Unit {
  readonly span: Span;
  readonly anchor: Span;
  readonly line: number;
  readonly names: readonly NamePart[];
  /** Absent for none. */
  readonly title?: string;
  /** Undefined where it is none of the forms. */
  readonly draft: Draft | undefined;
  readonly findings: readonly Finding[];
}

export class CheckedQueries {
  readonly findings: Finding[] = [];
  readonly sites: SelectorSite[] = [];
  readonly queries: Query[] = [];
  readonly marks: Mark[] = [];
  private readonly names = new QueryNames();
  private readonly checked: (CheckedDraft | undefined)[] = [];

  constructor(
    private readonly units: readonly Unit[],
    options: QueryFileOptions,
  ) {
    const named = units.map(({ names }, index) => this.names.declare(index, names));
    units.forEach((unit, index) => {
      options.checkpoint?.();
      this.check(unit, index, named[index] ?? [], options);
    });
  }

  siteAt(offset: number): SelectorSite | undefined {
    const index = this.indexAt(offset);
    const checked = this.checked[index];
    const isWithin = checked?.selectorSpans.some(
      ({ start, end }) => start <= offset && offset <= end,
    );
    return isWithin === true ? checked?.site : undefined;
  }

  /** `text` is that of the file. */
  actionsAt(offset: number, text: string): Fix[] {
    const { draft } = this.units[this.indexAt(offset)] ?? {};
    return selectorsOf(draft).flatMap((selector) => textActions(selector, text, offset));
  }

  placeAt(offset: number): (SpotContext & { readonly place: Place }) | undefined {
    const index = this.indexAt(offset);
    const place = this.units[index]?.draft?.placeAt(offset);
    const checked = this.checked[index];
    if (place === undefined || checked === undefined) return undefined;
    const { from, fieldNames } = checked;
    return { place, from, fieldNames, names: this.names.before(index) };
  }

  /** Whether a query stands there. */
  covers(offset: number): boolean {
    return this.indexAt(offset) >= 0;
  }

  /** -1 where there is none. */
  private indexAt(offset: number): number {
    return this.units.findLastIndex(({ span }) => span.start <= offset && offset <= span.end);
  }

  private check(
    unit: Unit,
    index: number,
    named: readonly Finding[],
    options: QueryFileOptions,
  ): void {
    const { draft, span, anchor, line, title } = unit;
    // Of more than are told nothing is looked for.
    const suggests = this.findings.length < MOST_FINDINGS;
    const context = { options: { ...options, suggests }, names: this.names, index };
    const checked = draft && checkDraft(draft, context);
    const own = [...named, ...unit.findings];
    const request = own.some(isError) ? undefined : checked?.request;
    this.names.finish(request && checked && { request, from: checked.from });
    append(this.findings, own);
    append(this.findings, checked?.findings ?? []);
    this.checked.push(checked);
    const name = this.names.nameOf(index);
    const titled = title === undefined ? {} : { title };
    this.queries.push({ name, ...titled, form: draft?.form, span, anchor, line, request });
    if (checked === undefined) return;
    this.sites.push(checked.site);
    append(this.marks, checked.marks);
  }
}

/** What is told of them; what says that something was not looked at is always among it. */
export function analysisOf(
  { findings, sites }: CheckedQueries,
  limits: readonly Finding[],
): Analysis {
  const told = toldOf([...limits, ...findings], MOST_FINDINGS);
  return { ...told, sites, selectors: sites.length };
}

function selectorsOf(draft: Draft | undefined): SelectorText[] {
  const labels = draft?.options.get('labelSelector');
  const fields = draft?.options.get('fieldSelector');
  return [
    ...(labels === undefined ? [] : [{ kind: 'label', text: labels.text } as const]),
    ...(fields === undefined ? [] : [{ kind: 'field', text: fields.text } as const]),
  ];
}
