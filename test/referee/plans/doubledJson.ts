/** JSON objects that name members twice: which of them counts, and what of the others stays. */
import fc from 'fast-check';
import { doubledJsonUid } from '../writes';
import type { BadPlan } from './plan';
import { name, namespace } from './writes';

/** A member of an object, again and again. */
const member = (key: string, ...values: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...values).map((value) => `"${key}":${value}`);

const object = (most: number, ...members: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.array(fc.oneof(...members), { maxLength: most }).map((texts) => `{${texts.join(',')}}`);

const ips = [
  '[]',
  'null',
  '[{"ip":"10.0.0.1"}]',
  '[{}]',
  '[{},{}]',
  '[{"ip":null}]',
  '[null]',
  '[{"ip":"10.0.0.2"},{"ip":"10.0.0.1"}]',
  '[{"ip":"10.0.0.1","ip":"fd00::1"}]',
];

const orNull = (one: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: one }, { weight: 1, arbitrary: fc.constant('null') });

/** Pods; `wrong` says which of the values of a wrong type a member may have beside its own. */
function pods(wrong: (...values: readonly string[]) => readonly string[]): fc.Arbitrary<string> {
  const label = fc.oneof(
    member('app', '"web"', '"api"', '""', 'null', ...wrong('5')),
    member('tier', '"db"', '"web"', ...wrong('true')),
  );
  const labels = fc.oneof(object(3, label), fc.constantFrom('null', ...wrong('[]')));
  const metadata = object(
    4,
    member('name', '"a"', '"pod-1"', 'null', '""', ...wrong('5')),
    member('Name', '"other"'),
    member('namespace', '"web"', '"default"', 'null', ...wrong('{}')),
    member('generation', '1', 'null', ...wrong('"1"', '1.5')),
    labels.map((text) => `"labels":${text}`),
  );
  const spec = object(
    3,
    member('nodeName', '"node-1"', '"node-2"', 'null', ...wrong('5')),
    member('hostNetwork', 'true', 'false', 'null', ...wrong('"true"')),
    member('containers', '[]', '[{"name":"main"}]', 'null'),
  );
  const status = object(
    3,
    member('phase', '"Running"', '"Pending"', 'null', ...wrong('[]')),
    member('podIP', '"10.0.0.1"', 'null', '""', ...wrong('10')),
    member('podIPs', ...ips, ...wrong('{}', '["10.0.0.1"]', '[{"ip":10}]')),
  );
  const part = fc.oneof(
    orNull(metadata).map((text) => `"metadata":${text}`),
    orNull(spec).map((text) => `"spec":${text}`),
    orNull(status).map((text) => `"status":${text}`),
    member('apiVersion', '"v1"', ...wrong('1')),
    ...wrong('"metadata":5', '"spec":[]', '"status":"up"').map((text) => fc.constant(text)),
  );
  return fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(','));
}

const text = fc
  .oneof(
    { weight: 15, arbitrary: pods(() => []) },
    // Such an object ends every list that comes to it, so that few of them are written.
    { weight: 1, arbitrary: pods((...values) => values) },
  )
  .map(
    (parts) => `{"apiVersion":"v1","kind":"Pod","metadata":{"uid":"${doubledJsonUid}"},${parts}}`,
  );

export const doubledJson: fc.Arbitrary<BadPlan> = fc.record({
  kind: fc.constant('bad' as const),
  namespace,
  name,
  raw: text.map((json) => Buffer.from(json).toString('base64')),
  damage: fc.constant({ keep: 0, at: 0, xor: 0 }),
});
