/** The smallest manifest that has something to be found in one place of the table of kinds. */
import type { TableKind } from '../../server/language/yaml/kinds';
import type { Form, Row } from '../../server/language/yaml/kindRows';

export function smallestManifest({ group, kind }: TableKind, row: Row): string {
  const apiVersion = group === 'core' ? 'v1' : group.includes('/') ? group : `${group}/v1`;
  const steps = row.path.split(/\.|(?=\[\])/);
  const body = steps.reduceRight<unknown>(
    (below, step) => (step === '[]' ? [below] : { [step]: below }),
    valueOf(row),
  );
  return JSON.stringify({ apiVersion, kind: kind === '*' ? 'Any' : kind, ...(body as object) });
}

/** A selector, or where none is known a mistake. */
function valueOf({ form, options }: Row): unknown {
  // Of a key that nobody checks only an old one is told.
  if (form === 'key') return options.isUnchecked === true ? 'beta.kubernetes.io/os' : 'a b';
  return VALUES[form];
}

const REQUIREMENTS = [{ key: 'a', operator: 'In', values: ['b'] }];

const VALUES: Readonly<Record<Exclude<Form, 'key'>, unknown>> = {
  object: { matchExpressions: REQUIREMENTS },
  map: { a: 'b' },
  nodes: { nodeSelectorTerms: [{ matchExpressions: REQUIREMENTS }] },
  term: { matchExpressions: REQUIREMENTS },
  requirements: REQUIREMENTS,
  topology: { matchLabelExpressions: [{ key: 'a b', values: ['c'] }] },
  labels: { a: 'b c' },
  labelText: 'a=b',
  fieldText: 'metadata.name=a',
  keys: ['a b'],
};
