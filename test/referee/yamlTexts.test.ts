/** Texts that readers of YAML take for something else, printed by us and read by kubectl's reader. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { yamlText } from '../../server/kube/print/encode';
import { Oracle, oracleMissing } from './oracle';

const words = [
  ...[
    '',
    '0',
    '7',
    '010',
    '089',
    '0o2',
    '0O2',
    '0o8',
    '0o',
    '0x1F',
    '0X1f',
    '0xg',
    '0b1',
    '0B1',
    '0b2',
  ],
  ...['1_0', '_1', '1_', '1__0', '0o_7', '0x_1', '0_b1', '_0x1', '1.', '.5', '1.5', '1_0.5', '._5'],
  ...[
    '1e3',
    '1E+3',
    '1e-3',
    '1.e3',
    '.5e3',
    'e3',
    '1e',
    '.inf',
    '.Inf',
    '.INF',
    '.nan',
    '.NaN',
    'inf',
  ],
  ...['9223372036854775808', '18446744073709551616', '0xffffffffffffffffff', '1e999'],
];
const others = [
  ...[
    'y',
    'Y',
    'yes',
    'Yes',
    'YES',
    'n',
    'N',
    'no',
    'on',
    'On',
    'off',
    'true',
    'True',
    'false',
    'FALSE',
  ],
  ...[
    '~',
    'null',
    'Null',
    'NULL',
    '<<',
    '=',
    '-',
    '--',
    '---',
    '...',
    '?',
    ':',
    '- a',
    '? a',
    'a: b',
    'a #b',
  ],
  ...[
    '2001-01-01',
    '2001-01-01T00:00:00Z',
    '2001-1-1 1:1:1',
    '12:30:45',
    '1:20',
    '!a',
    '&a',
    '*a',
    '|',
    '>',
  ],
  ...[
    '%a',
    '@a',
    '`a',
    '"a',
    "'a",
    '[a',
    '{a',
    'a]',
    ' a',
    'a ',
    '\ta',
    'a\n',
    '\na',
    'a\nb',
    '#a',
    'é',
    '0o２',
  ],
];
const texts = [
  ...['', '+', '-', '--', '+-'].flatMap((sign) => words.map((word) => sign + word)),
  ...others,
];

describe.skipIf(oracleMissing())('texts that look like something else', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await Oracle.start();
  });
  afterAll(() => oracle.stop());

  it(`are texts to kubectl as values, keys and items: ${String(texts.length)} of them`, async () => {
    for (const text of new Set(texts)) {
      for (const value of [{ k: text }, { [text]: 'v' }, { k: [text] }]) {
        const printed = yamlText(value, 'kubectl');
        expect(JSON.parse(await oracle.readYaml(printed)), printed).toEqual(value);
      }
    }
  });
});
