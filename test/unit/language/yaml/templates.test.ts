import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSubstituted,
  maskTemplates,
  touchesAny,
} from '../../../../server/language/yaml/templates';

const masked = (text: string): string => maskTemplates(text).text;

describe('a template', () => {
  it.each([
    ['a: {{ .x }}', 'a: xxxxxxxx'],
    ['a: "{{ .x }}"', 'a: "xxxxxxxx"'],
    ['a: {{ printf "}}" }} b', 'a: xxxxxxxxxxxxxxxxx b'],
    ['a: {{ printf `}}` }} b', 'a: xxxxxxxxxxxxxxxxx b'],
    ['a: {{/* }} */}} b', 'a: xxxxxxxxxxxx b'],
    ['a: {{{x}}} b', 'a: xxxxxxx b'],
    ['a: ${{ x }} b', 'a: xxxxxxxx b'],
    ['a: {% x %} b', 'a: xxxxxxx b'],
    ['{a: ${B}, c: d}', '{a: xxxx, c: d}'],
    ['a: <%= x %> b', 'a: xxxxxxxx b'],
    ['{{ .k }}: {{ .v }}', 'xxxxxxxx: xxxxxxxx'],
    ['a: {{ x\n  | y }} b', 'a: xxxxxxxxxxxxx b'],
    ['a: (@= x @) b', 'a: xxxxxxxx b'],
    ['a: << parameters.x >> b', `a: ${'x'.repeat(18)} b`],
    ['a: <<pipeline.git.branch>>', `a: ${'x'.repeat(23)}`],
    ['a: <<# matrix.x >>b<</ matrix.x >>', `a: ${'x'.repeat(15)}b${'x'.repeat(15)}`],
    ['a: << include(a.sh) >>', `a: ${'x'.repeat(19)}`],
    ['a: #@ f()', 'a: xxxxxx'],
    ['a: #@ f("b: c")\r\nb: 1', `a: ${'x'.repeat(12)}\r\nb: 1`],
    ['- #@ f()', '- xxxxxx'],
    ['- a: b #@ f()', '- a: xxxxxxxx'],
    ['a: "b" #@ f()', 'a: xxxxxxxxxx'],
    ['a: {{ .half\nb: 1', 'a: xxxxxxxx\nb: 1'],
    ['a: {{ .half\r\nb: 1', 'a: xxxxxxxx\r\nb: 1'],
  ])('beside other text becomes letters: %j', (text, wanted) => {
    expect(masked(text)).toBe(wanted);
  });

  it.each([
    ['{{ if x }}\na: 1\n{{ end }}\n', '          \na: 1\n         \n'],
    ['  {{- x }} # why\n', '           # why\n'],
    ['{{ a }}{{ b }}\n', '              \n'],
    ['{{ a\n  b }}\n', '    \n      \n'],
    ['{{ a\r\n  b }}\r\n', '    \r\n      \r\n'],
    ['a:\n  {{- toYaml .x | nindent 2 }}\nb: 1\n', `a:\n${' '.repeat(30)}\nb: 1\n`],
  ])('on lines of its own becomes blanks: %j', (text, wanted) => {
    expect(masked(text)).toBe(wanted);
  });

  it.each([
    ['#@ load("a")\na: 1\n', '            \na: 1\n'],
    ['a:\n  #@overlay/match missing_ok=True\n  b: 1', `a:\n  ${' '.repeat(31)}\n  b: 1`],
    ['a: #@overlay/replace\n  b: 1', `a: ${' '.repeat(17)}\n  b: 1`],
    ['a: b #@overlay/remove\n', `a: b ${' '.repeat(16)}\n`],
  ])('that is a comment of ytt becomes blanks: %j', (text, wanted) => {
    expect(masked(text)).toBe(wanted);
  });

  it.each([
    ['cat <<EOF >> b'],
    ['cat <<-EOF'],
    ['<<: *a'],
    ['<<: [*a, *b]'],
    ['a: b#@ c'],
    ['a: "b #@ c"'],
    ['a: << b >>'],
    ['a: b # c'],
  ])('is not in %j', (text) => {
    expect(maskTemplates(text)).toEqual({ text, templates: [] });
  });

  it('leaves a text without one as it is, but for a lone carriage return', () => {
    expect(masked('a: {b: {c: 1}}\r\n')).toBe('a: {b: {c: 1}}\r\n');
    expect(masked('a: 1\rb: 2')).toBe('a: 1\nb: 2');
  });

  it('keeps every other character in its place, whatever is open or closed', () => {
    const part = fc.constantFrom(
      '{{',
      '}}',
      '"',
      '`',
      "'",
      '/*',
      '*/',
      '\n',
      'a: ',
      '{%',
      '(@',
      '@)',
      '<< a.',
      '>>',
      ' #@ ',
      ' #@x ',
      '%}',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const { text: after, templates } = maskTemplates(text);
        expect(after).toHaveLength(text.length);
        for (let i = 0; i < text.length; i++) {
          if (!touchesAny({ start: i, end: i + 1 }, templates)) expect(after[i]).toBe(text[i]);
        }
        for (const [i, { start, end }] of templates.entries()) {
          expect(end).toBeGreaterThan(start);
          expect(start).toBeGreaterThanOrEqual(templates[i - 1]?.end ?? 0);
        }
      }),
    );
  });

  it.each([
    ['{{', 500_000],
    ['{{"', 300_000],
    ['{{`', 300_000],
    ['{{/*', 300_000],
    ['{{ "a" }}', 100_000],
    ['{{ x\n', 200_000],
  ])('costs little, %j many times over', (part, times) => {
    const start = performance.now();
    maskTemplates(part.repeat(times));
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('a text that something replaces', () => {
  it.each([
    '${APP}',
    '$APP',
    '$(APP)',
    'web-${ENV}',
    '{{ x }}',
    '((app))',
    '[[ app ]]',
    '@app@',
    '__APP__',
    '<name>',
    '%APP%',
    'app=%APP%',
    'app=<your app>',
    '#{app}#',
    '%(app)s',

    '<path:avp/data/web#app | base64encode>',
    'ENC[AES256_GCM,data:p673w==,iv:YY=,aad:UQ=,tag:A=]',
    'ref+vault://secret/web#/app',
    'op://vault/web/app',
    '?{gpg:targets/web}',
    '%{ if x }web%{ endif }',
    '(join(a, b))',
    'a-(@= x @)',
    'a #@ x',
    'a-<< parameters.x >>',
  ])('%s', (text) => {
    expect(isSubstituted(text)).toBe(true);
  });

  it.each([
    'web',
    'a.b/c',
    'a_b',
    '100%',
    'a@b',
    '',
    'a-_b',
    '<',
    '1$',
    'a in (b)',
    'a<5,b>3',
    'a<5,b>3',
  ])('is not %j', (text) => {
    expect(isSubstituted(text)).toBe(false);
  });
});
