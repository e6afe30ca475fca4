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

const label = fc.oneof(
  member('app', '"web"', '"api"', '""', 'null'),
  member('tier', '"db"', '"web"'),
);
const metadata = object(
  4,
  member('name', '"a"', '"pod-1"', 'null', '""'),
  member('Name', '"other"'),
  member('namespace', '"web"', '"default"', 'null'),
  fc.oneof(object(3, label), fc.constant('null')).map((labels) => `"labels":${labels}`),
);
const spec = object(
  3,
  member('nodeName', '"node-1"', '"node-2"', 'null'),
  member('hostNetwork', 'true', 'false', 'null'),
  member('containers', '[]', '[{"name":"main"}]', 'null'),
);
const status = object(
  3,
  member('phase', '"Running"', '"Pending"', 'null'),
  member('podIP', '"10.0.0.1"', 'null', '""'),
  member(
    'podIPs',
    '[]',
    'null',
    '[{"ip":"10.0.0.1"}]',
    '[{}]',
    '[{},{}]',
    '[{"ip":null}]',
    '[null]',
  ),
  member('podIPs', '[{"ip":"10.0.0.2"},{"ip":"10.0.0.1"}]', '[{"ip":"10.0.0.1","ip":"fd00::1"}]'),
);
const orNull = (one: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: one }, { weight: 1, arbitrary: fc.constant('null') });

const part = fc.oneof(
  orNull(metadata).map((text) => `"metadata":${text}`),
  orNull(spec).map((text) => `"spec":${text}`),
  orNull(status).map((text) => `"status":${text}`),
);

const text = fc
  .array(part, { minLength: 1, maxLength: 5 })
  .map((parts) =>
    [
      '{"apiVersion":"v1","kind":"Pod"',
      `"metadata":{"uid":"${doubledJsonUid}"}`,
      `${parts.join(',')}}`,
    ].join(','),
  );

export const doubledJson: fc.Arbitrary<BadPlan> = fc.record({
  kind: fc.constant('bad' as const),
  namespace,
  name,
  raw: text.map((json) => Buffer.from(json).toString('base64')),
  damage: fc.constant({ keep: 0, at: 0, xor: 0 }),
});
