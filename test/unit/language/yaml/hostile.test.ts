/** Texts that nobody writes but to see what happens: of twice the size they may take little more than twice the time. */
import { describe, expect, it } from 'vitest';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';

const SIZE = 25_000;

const upTo = (size: number, part: (i: number) => string): string => {
  const parts: string[] = [];
  for (let length = 0; length < size;) {
    const next = part(parts.length);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
};
const pod = (labels: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {labels: ${labels}}\n`;
const list = (before: string): string => `apiVersion: v1\nkind: List\n${before}items:\n`;
const again =
  (text: string) =>
  (size: number): string =>
    upTo(size, () => text);

const texts: readonly (readonly [string, (size: number) => string])[] = [
  ['documents of nothing', again('---\n')],
  ['small documents', (size) => upTo(size, (i) => `---\n${pod(`{app: w${i}}`)}`)],
  ['documents that each hold a command', (size) => upTo(size, (i) => `--- kubectl${i}\n`)],
  [
    'documents behind carriage returns',
    (size) => upTo(size, (i) => `---\r${pod(`{a: b ${i}}`).replaceAll('\n', '\r')}`),
  ],
  [
    'documents with mixed line ends',
    (size) => upTo(size, (i) => `---${['\n', '\r', '\r\n'][i % 3]!}${pod('{a: b c}')}`),
  ],
  ['ends far away', (size) => `${upTo(size, () => '---\nx\n')}... ${' '.repeat(size)}`],
  [
    'nested lists',
    (size) =>
      `${pod('{a: b}')}spec:\n${upTo(size, () => ` - ${'['.repeat(300)}${']'.repeat(300)}\n`)}`,
  ],
  [
    'a list for very many aliases',
    (size) =>
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\na: &a\n${upTo(size / 2, () => '- x\n')}spec:\n  ingress:\n${upTo(size / 2, () => '  - from: *a\n')}`,
  ],
  [
    'a text for very many aliases',
    (size) =>
      `${list(`a: &a "${'a=b,'.repeat(3_000)}a"\n`)}${upTo(size, () => '- {apiVersion: autoscaling/v1, kind: Scale, status: {selector: *a}}\n')}`,
  ],
  [
    'a long key for very many aliases',
    (size) =>
      `${list(`a: &a {"${'k'.repeat(size / 2)}": v}\n`)}${upTo(size / 2, () => '- {apiVersion: v1, kind: Pod, metadata: {labels: *a}}\n')}`,
  ],
  [
    'alias bombs',
    (size) =>
      upTo(
        size,
        () =>
          `---\napiVersion: v1\nkind: Pod\na0: &a0 {k: v}\n${Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}, *a${i}, *a${i}, *a${i}]}\n`).join('')}metadata: {labels: *a9}\n`,
      ),
  ],
  ['anchors', (size) => `${pod('*a5')}x:\n${upTo(size, (i) => `- &a${i} {b${i}: c}\n`)}`],
  [
    'expressions on one line',
    (size) =>
      `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"selector":{"matchExpressions":[${upTo(size, (i) => `{"key":"a${i}"},`)}]}}}`,
  ],
  [
    'the same expression again and again on one line',
    (size) =>
      `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"selector":{"matchExpressions":[${upTo(3 * size, () => '{"key":"a","operator":"Exists"},')}]}}}`,
  ],
  [
    'very many values of one expression',
    (size) =>
      `apiVersion: apps/v1\nkind: Deployment\nspec: {selector: {matchExpressions: [{key: a, operator: In, values: [${upTo(size, () => 'b,')}]}]}}`,
  ],
  [
    'very many keys in a list',
    (size) =>
      `apiVersion: v1\nkind: Pod\nspec: {topologySpreadConstraints: [{matchLabelKeys: [${upTo(size, () => 'b,')}]}]}`,
  ],
  ['comments of ytt', (size) => `${pod('{a: b}')}x: ${upTo(size, () => 'a #@ "')}`],
  ['parameters that are not closed', (size) => `${pod('{a: b}')}x: ${upTo(size, () => '<< a.')}`],
  [
    'selectors that repeat themselves',
    (size) => upTo(size, () => `labelSelector: ${'a,'.repeat(8_000)}a\n---\n`),
  ],
  [
    'a command with very many arguments',
    (size) =>
      `x:\n  command: [kubectl,${'a,'.repeat(size / 4)}]\n${upTo(size / 2, () => '  args: [a]\n')}`,
  ],
  ['templates that are never closed', (size) => `${pod('{a: b}')}x: ${upTo(size, () => '{{ ')}`],
  [
    'templates with quotes that are not',
    (size) => `${pod('{a: b}')}x: ${upTo(size, () => '{{ \\" }}')}`,
  ],
  [
    'templates with comments that are not',
    (size) => `${pod('{a: b}')}x: ${upTo(size, () => '{{ /* }}')}`,
  ],
  [
    'Services that match no Pods',
    (size) =>
      upTo(
        size,
        (i) =>
          `---\n${i % 2 === 0 ? pod(i % 4 === 0 ? "{x: '1'}" : "{y: '1'}") : "apiVersion: v1\nkind: Service\nspec: {selector: {x: '1', y: '1'}}\n"}`,
      ),
  ],
  ['combining characters', (size) => pod(`{a: "${upTo(size, () => 'e\u0301\u0302')}"}`)],
  ['lone surrogates', (size) => pod(`{a: "${'\ud800'.repeat(size)}"}`)],
  ['NUL', (size) => `${pod('{a: b}')}${upTo(size, () => 'labels: \0\n')}`],
  ['line separators', (size) => `${pod('{a: b}')}${upTo(size, () => 'labels: a\u2028b: c\n')}`],
];

/** Milliseconds of the processor, of the shorter of two tries. */
function time(make: (size: number) => string, size: number): number {
  const tries = [0, 1].map(() => {
    const text = make(size);
    const begin = process.cpuUsage();
    const file = new YamlFile(text);
    file.analysis();
    file.siteAt(text.length >> 1);
    file.spotAt(text.length >> 1);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  });
  return Math.min(...tries);
}

describe('time', () => {
  it.each(texts)('grows with the text, and no faster: %s', (_, make) => {
    const half = time(make, SIZE);
    const whole = time(make, 4 * SIZE);
    // A square would be sixteen times.
    expect(whole).toBeLessThan(8 * half + 200);
  });
});
