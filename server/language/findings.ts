/** What is found in a document, as plain data with offsets; no editor's types. */
import type { Span } from '../kube/selectors';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** Replaces what stands in the span, UTF-16 offsets of the document as it is. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
  /** The one to take where there are several. */
  readonly preferred: boolean;
}

/**
 * Every kind of finding with the severity it has where no setting says otherwise, and what it is
 * about. Errors are what an API server refuses.
 */
export const FINDINGS = {
  'label-selector': { severity: 'error', about: 'text that is no label selector' },
  'field-selector': { severity: 'error', about: 'text that is no field selector' },
  'label-key': { severity: 'error', about: 'a label key that Kubernetes refuses' },
  'label-value': { severity: 'error', about: 'a label value that Kubernetes refuses' },
  operator: { severity: 'error', about: 'an operator that does not exist here' },
  values: { severity: 'error', about: 'values that do not go with their operator' },
  'not-a-string': {
    severity: 'error',
    about: 'a label or value that YAML reads as a number, a truth value or nothing',
  },
  'read-as-other': {
    severity: 'warning',
    about: 'a label or key that YAML reads as another text than it is written',
  },
  'unsupported-field': { severity: 'error', about: 'a field that the resource cannot select by' },
  request: { severity: 'error', about: 'a request that the API server refuses' },
  query: { severity: 'error', about: 'text that is no query' },
  'template-labels': {
    severity: 'error',
    about: 'a selector that does not match the labels of its own template',
  },
  contradiction: { severity: 'warning', about: 'a selector that can match nothing' },
  'duplicate-requirement': { severity: 'hint', about: 'a requirement that stands there twice' },
  'empty-selector': {
    severity: 'information',
    about: 'an empty selector, and whether it means all or none here',
  },
  'selects-nothing': { severity: 'hint', about: 'a selector that matches nothing known' },
  'no-effect': { severity: 'warning', about: 'what the API server takes as something else' },
  'idle-flag': {
    severity: 'hint',
    about: 'a flag of kubectl that says what is printed, or where it reads',
  },
  'unknown-resource': { severity: 'warning', about: 'a resource that is not built in' },
  'assumed-namespace': {
    severity: 'hint',
    about: 'a namespace that is not written, and which one is read',
  },
  deprecated: { severity: 'warning', about: 'a form that has a successor' },
  'not-checked': {
    severity: 'information',
    about: 'what was too large or too deep to be looked at',
  },
  'more-findings': {
    severity: 'information',
    about: 'how many findings are not shown, where there are very many',
  },
} as const satisfies Record<string, { readonly severity: Severity; readonly about: string }>;

export type FindingCode = keyof typeof FINDINGS;

/** Findings that are counted and not told, by their kind. */
export type Untold = Readonly<Partial<Record<FindingCode, number>>>;

export interface Finding {
  readonly code: FindingCode;
  /** One sentence, upstream's own where it has one. */
  readonly message: string;
  readonly span: Span;
  readonly fixes: readonly Fix[];
}

export function finding(
  code: FindingCode,
  message: string,
  span: Span,
  fixes: readonly Fix[] = [],
): Finding {
  return { code, message, span, fixes };
}
