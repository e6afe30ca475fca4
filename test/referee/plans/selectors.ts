/** Selectors of labels and fields, most of them well-formed. */
import fc from 'fast-check';
import { weighted } from './chance';
import { longest } from './writes';

const labelTerms = [
  'app=web',
  'app==api',
  'app!=web',
  'app in (web,api)',
  'tier notin (db)',
  '!app',
  'app',
  'n>0',
  'n<42',
  'n>42',
  'n<1',
  'tier in (db)',
  'app notin (web,api)',
  'example.com/role=',
  '__proto__=web',
  'constructor',
  '!__proto__',
  'rare=yes',
  'rare',
];
const badLabels = [
  'app=',
  ' ',
  'app=web,',
  'x y',
  'app in ()',
  'n>x',
  '=',
  `${longest}x`,
  'app in (',
  'a/b/c=d',
  'app=ä',
];
export const label = weighted(
  [20, fc.constant('')],
  [
    9,
    fc
      .array(fc.constantFrom(...labelTerms), { minLength: 1, maxLength: 3 })
      .map((terms) => terms.join(',')),
  ],
  [1, fc.constantFrom(...badLabels)],
);

/** Fields without a default: servers fill those in as they decode, with code that is in no public module. */
const fieldTerms = [
  'metadata.name=a',
  'metadata.name!=pod-1',
  'metadata.namespace=web',
  'metadata.namespace==default',
  'spec.nodeName=node-1',
  'spec.nodeName=',
  'status.phase!=Running',
  'status.phase=Pending',
  'spec.hostNetwork=true',
  'status.podIP=10.0.0.1',
  'status.podIP!=fd00::1',
  'status.podIP=',
  'spec.serviceAccountName=default',
  'no.such=',
  'no.such=x',
];
const badFields = [
  '=',
  'a',
  'a=b=c',
  'a=\\',
  'metadata.name=a\\,b',
  ',',
  'a!=',
  ' metadata.name=a',
];
export const field = weighted(
  [30, fc.constant('')],
  [
    5,
    fc
      .array(fc.constantFrom(...fieldTerms), { minLength: 1, maxLength: 2 })
      .map((terms) => terms.join(',')),
  ],
  [1, fc.constantFrom(...badFields)],
);

export const addressField = fc.constantFrom(
  ...fieldTerms.filter((term) => term.startsWith('status.podIP')),
);

/** One requirement of labels, every operator as often as any other. */
export const labelTerm = fc.oneof(
  fc.constantFrom('app=web', 'n=42'),
  fc.constantFrom('app==api', 'n==1'),
  fc.constantFrom('app!=web', 'n!=42'),
  fc.constantFrom('n<42', 'n<1'),
  fc.constantFrom('n>42', 'n>1'),
  fc.constantFrom('app in (web,api)', 'n in (1,x)', 'tier in (db)'),
  fc.constantFrom('app notin (web,api)', 'n notin (1,x)'),
  fc.constantFrom('rare', 'tier'),
  fc.constantFrom('!rare', '!tier'),
);

/** A well-formed one of labels or of fields. */
export const anySelector = weighted(
  [3, fc.constantFrom(...labelTerms).map((term) => ({ label: term, field: '' }))],
  [2, fc.constantFrom(...fieldTerms).map((term) => ({ label: '', field: term }))],
);
