/** From a request as it is written to one that the engine takes, or to what is wrong with it. */
import { FINDINGS, finding, type Finding } from '../findings';
import type { SelectedFrom, SelectorSite, SiteRequirement } from '../model';
import type { Span } from '../../kube/selectors';
import { checkFieldText } from '../selectors/fieldText';
import { checkLabelText } from '../selectors/labelText';
import { fieldRequirements, labelRequirements } from '../selectors/requirements';
import { append } from './append';
import { checkName, checkNamespace } from './checkNamespace';
import { checkLimit, checkToken, checkVersions, isOn, shownAt, textOf } from './checkVersion';
import type { Draft, Stated } from './draft';
import { wholeOf } from '../source/parts';
import type { ContinueSource, Mark, QueryRequest } from './model';
import type { QueryFileOptions } from './options';
import {
  checkReference,
  referenceFindings,
  referenceIn,
  type Finished,
  type QueryNames,
} from './references';
import { resolveTarget } from './resolveTarget';
import { fieldMarks, labelMarks } from './selectorMarks';
import type { Target } from './targets';

export interface CheckContext {
  readonly options: QueryFileOptions;
  readonly names: QueryNames;
  /** Which query of the file it is. */
  readonly index: number;
}

export interface CheckedDraft {
  readonly findings: readonly Finding[];
  readonly request: QueryRequest | undefined;
  readonly site: SelectorSite;
  /** Where the texts of the selectors stand. */
  readonly selectorSpans: readonly Span[];
  readonly from: SelectedFrom;
  readonly fieldNames: readonly string[];
  readonly marks: readonly Mark[];
}

export function isError({ code }: Finding): boolean {
  return FINDINGS[code].severity === 'error';
}

/** Everything that is wrong with a request, or what the engine takes. */
export function checkDraft(draft: Draft, context: CheckContext): CheckedDraft {
  const findings = [...draft.findings];
  const target = draft.target && resolveTarget(draft.target, context.options, findings);
  const namespace = checkNamespace(draft, target, context.options, findings);
  const selectors = checkSelectors(draft, target, findings);
  const name = checkName(draft, target, namespace, findings);
  const { source, token } = checkContinue(draft, context, findings);
  checkVersions(draft, token, findings);
  const limit = checkLimit(draft, findings);
  if (isOn(draft.options.get('watch'))) append(findings, watchFindings(draft, findings));
  const fieldSelector = name ?? textOf(draft.options, 'fieldSelector');
  const from = fromOf(target, namespace);
  let request: QueryRequest | undefined;
  if (target !== undefined && source !== undefined && !findings.some(isError)) {
    const { resource } = target;
    const named = name !== undefined;
    request = requestOf(draft, { resource, namespace, fieldSelector, limit, named, source });
    findings.push(...sourceFindings(draft, { request, from }, context));
  }
  return {
    findings,
    request,
    site: siteOf(draft, request, from, selectors.requirements),
    selectorSpans: selectors.spans,
    from,
    fieldNames: target?.fields?.names ?? [],
    marks: [...draft.marks, ...selectors.marks, ...continueMarks(draft)],
  };
}

function siteOf(
  { span, anchor }: Draft,
  request: QueryRequest | undefined,
  from: SelectedFrom,
  requirements: readonly SiteRequirement[],
): SelectorSite {
  const selects = request && [{ labels: request.labelSelector, fields: request.fieldSelector }];
  const isWhole = selects !== undefined;
  return { form: 'text', span, anchor, from, requirements, selects, isWhole, empty: 'all' };
}

function fromOf(target: Target | undefined, namespace: string): SelectedFrom {
  return {
    resource: target?.from.resource,
    namespace: namespace === '' ? target?.from.namespace : namespace,
  };
}

interface CheckedSelectors {
  readonly requirements: readonly SiteRequirement[];
  readonly spans: readonly Span[];
  readonly marks: readonly Mark[];
}

function checkSelectors(
  { options }: Draft,
  target: Target | undefined,
  findings: Finding[],
): CheckedSelectors {
  const requirements: SiteRequirement[] = [];
  const spans: Span[] = [];
  const marks: Mark[] = [];
  const labels = options.get('labelSelector')?.text;
  if (labels !== undefined && labels.text !== '') {
    const checked = checkLabelText(labels);
    append(findings, checked.findings);
    spans.push(wholeOf(labels));
    append(requirements, labelRequirements(labels, checked.parsed));
    append(marks, labelMarks(labels, checked.parsed));
  }
  const fields = options.get('fieldSelector')?.text;
  if (fields !== undefined && fields.text !== '') {
    const checked = checkFieldText(fields, target?.fields);
    append(findings, checked.findings);
    spans.push(wholeOf(fields));
    append(requirements, fieldRequirements(fields, checked.parsed));
    append(marks, fieldMarks(fields, checked.parsed));
  }
  return { requirements, spans, marks };
}

/** `token` is what the API server's rules look at; `source` is undefined where there is none to take. */
function checkContinue(
  { options }: Draft,
  { names, index }: CheckContext,
  findings: Finding[],
): { source: ContinueSource | undefined; token: string } {
  const stated = options.get('continue');
  const token = stated?.text.text ?? '';
  if (stated === undefined || token === '') return { source: { kind: 'none' }, token };
  if (isOn(options.get('watch'))) return { source: { kind: 'none' }, token };
  const reference = referenceIn(token);
  if (reference !== undefined) {
    return { source: checkReference(reference, stated, index, names, findings), token };
  }
  checkToken(token, stated, findings);
  return { source: { kind: 'token', token }, token };
}

function sourceFindings(draft: Draft, here: Finished, { names }: CheckContext): Finding[] {
  const { continue: source } = here.request;
  const stated = draft.options.get('continue');
  if (source.kind !== 'query' || stated === undefined) return [];
  return referenceFindings(names.finishedOf(source.index), source.name, here, shownAt(stated));
}

function continueMarks({ options }: Draft): Mark[] {
  const stated = options.get('continue');
  if (stated === undefined || stated.text.text === '') return [];
  const type = referenceIn(stated.text.text) === undefined ? 'string' : 'variable';
  return [{ span: wholeOf(stated.text), type }];
}

/** Upstream decodes the tokens of lists alone. */
const TOKEN_OF_WATCH = 'A watch takes no notice of a continue token.';

function watchFindings({ options, anchor }: Draft, found: readonly Finding[]): Finding[] {
  const stated: Stated | undefined = options.get('watch');
  const message = 'This is a watch: its initial list is what is run here.';
  const told = finding('no-effect', message, stated === undefined ? anchor : shownAt(stated));
  const token = options.get('continue');
  if (token === undefined || token.text.text === '' || found.some(isError)) return [told];
  return [told, finding('no-effect', TOKEN_OF_WATCH, shownAt(token))];
}

function requestOf(
  draft: Draft,
  parts: Pick<QueryRequest, 'resource' | 'namespace' | 'fieldSelector' | 'limit' | 'named'> & {
    source: ContinueSource;
  },
): QueryRequest {
  const { source, ...texts } = parts;
  const { options, paging, readMode, skipUnreadable, mayBeMissing } = draft;
  const match = textOf(options, 'resourceVersionMatch');
  return {
    ...texts,
    labelSelector: textOf(options, 'labelSelector'),
    resourceVersion: textOf(options, 'resourceVersion'),
    resourceVersionMatch: match === 'Exact' || match === 'NotOlderThan' ? match : '',
    continue: source,
    paging,
    readMode,
    skipUnreadable,
    ...(mayBeMissing === true && parts.named ? { mayBeMissing } : {}),
    watch: isOn(options.get('watch')),
  };
}
