/** Continue tokens: as upstream writes them, as a client might, nearly so, and of chance. */
import fc from 'fast-check';
import { weighted } from '../plans/chance';
import { joined, ofChance, type Given } from './given';

const encoded = (json: string): string => Buffer.from(json).toString('base64url');

const starts = [
  ...['a\\u0000', 'web/pod-1\\u0000', 'web/a', 'ä', '\\u2028', '<&>', '\\ud83d\\ude00', '\\ud800'],
  ...['.a', '...', 'a\\"b', 'a\\/b', 'web/__proto__\\u0000', 'a b', '/web/a\\u0000', '/'],
];
const revisions = ['1', '5', '-1', '-7', '9223372036854775807', '9007199254740993'];
const names = {
  v: ['v', 'v', 'v', 'V'],
  rv: ['rv', 'rv', 'rv', 'Rv', 'rV'],
  start: ['start', 'start', 'start', 'START', 'ſtart'],
};
const blank = weighted([6, fc.constant('')], [1, fc.constantFrom(' ', '\n', '\t ')]);

/** A whole one: each member once, in any order, and others besides. */
const whole: fc.Arbitrary<Given> = fc
  .record({
    v: fc.constantFrom(...names.v),
    rv: fc.constantFrom(...names.rv),
    start: fc.constantFrom(...names.start),
    revision: fc.constantFrom(...revisions),
    from: fc.constantFrom(...starts),
    more: weighted(
      [4, fc.constant<string[]>([])],
      [1, fc.constantFrom<string[]>(['"other":[1]'], ['"rv":3', '"x":{}'])],
    ),
    order: fc.constantFrom(0, 0, 1, 2),
    space: blank,
  })
  .map(({ v, rv, start, revision, from, more, order, space }) => {
    const members = [`"${v}":"meta.k8s.io/v1"`, `"${rv}":${revision}`, `"${start}":"${from}"`];
    const turned = [...more, ...members.slice(order), ...members.slice(0, order)];
    const isUsual = v === 'v' && rv === 'rv' && start === 'start';
    return {
      text: encoded(`{${space}${turned.join(`,${space}`)}}`),
      operators: [],
      traits: [
        isUsual ? 'usual names' : 'names of other case',
        ...(order > 0 ? ['members in other order'] : []),
        ...(more.length > 0 ? ['more members'] : []),
        ...(space === '' ? [] : ['blanks']),
        ...(/^-/.test(revision) ? ['a negative revision'] : []),
        ...(revision.length > 15 ? ['a revision beyond doubles'] : []),
      ],
    };
  });

const jsonText = joined(
  [
    ...['{', '}', '[', ']', ':', ',', ' ', '\n', '"v"', '"V"', '"rv"', '"start"', '"START"'],
    ...['"meta.k8s.io/v1"', '1', '0', '-1', '1.0', '1e3', '9223372036854775808', 'null', 'true'],
    ...['"a"', '"/a/b"', '"../x"', '"a//b"', '""', '"\\u0000"', '"\\ud800"', '"x"', '"\\uFFFD<>"'],
  ],
  16,
);
const member = fc.constantFrom(
  ...['"v":"meta.k8s.io/v1"', '"V":"meta.k8s.io/v1"', '"v":"v2"', '"v":null', '"rv":5', '"rv":-1'],
  ...['"rv":0', '"RV":7', '"rv":"1"', '"rv":1.5', '"start":"a/b\\u0000"', '"start":"/a"'],
  ...['"start":"."', '"start":"a/../b"', '"start":null', '"start":"\\u2028"', '"Start":"z"'],
  ...['"other":{"a":[1,2]}', '"ſtart":"k"'],
);
const near = fc
  .oneof(
    jsonText,
    fc.array(member, { maxLength: 6 }).map((members) => `{${members.join(',')}}`),
  )
  .map(encoded);

const tornToken = fc
  .tuple(
    fc.oneof(
      near,
      whole.map(({ text }) => text),
    ),
    fc.nat(60),
    fc.constantFrom('=', '\n', 'A', ' ', '+', '-', ''),
  )
  .map(([token, at, more]) => token.slice(0, at) + more + token.slice(at + 1));
const ofLetters = joined(
  ['A', 'Q', '-', '_', '=', '+', '/', '\n', '\r', ' ', 'ey', 'J2', '\u00e4', '\0'],
  12,
);
const ofBytes = fc
  .uint8Array({ maxLength: 30 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'));

export const tokenText: fc.Arbitrary<Given> = weighted(
  [10, whole],
  [6, ofChance(near)],
  [2, ofChance(tornToken)],
  [1, ofChance(ofLetters)],
  [1, ofChance(ofBytes)],
);

export const tokenKinds: readonly string[] = [
  ...['valid', 'refused', 'usual names', 'names of other case', 'members in other order'],
  ...['more members', 'blanks', 'a negative revision', 'a revision beyond doubles'],
];
