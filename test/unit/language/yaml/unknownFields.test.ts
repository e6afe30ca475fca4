import { describe, expect, it } from 'vitest';
import { withEdits } from '../../../../server/language/source/edits';
import { analyseYaml, found, marks, selects, yaml } from './look';

/** The text after the preferred fix of the first finding. */
function fixedFirst(text: string): string {
  const [first] = analyseYaml(text).findings;
  return withEdits(text, first!.fixes.find(({ preferred }) => preferred)!.edits);
}

const deployment = (selector: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 1\n  selector:${selector}\n`;

describe('a field that a label selector does not have', () => {
  it.each([
    [' {app: web}', ['app']],
    ['\n    app: web\n    tier: db', ['app', 'tier']],
    ['\n    matchLabels: {app: web}\n    tier: db', ['tier']],
    ['\n    matchLabel: {app: web}', ['matchLabel']],
  ])('is refused by its name, and no empty selector is told: %j', (selector, names) => {
    const text = deployment(selector);
    expect(found(text)).toEqual(
      names.map((name) => [
        'request',
        name,
        `strict decoding error: unknown field "spec.selector.${name}"`,
      ]),
    );
    expect(selects(text)).toEqual(['pods -: -']);
  });

  it.each([
    [' {app: web}', ' {matchLabels: {app: web}}'],
    [' { app: web, tier: db }', ' { matchLabels: {app: web, tier: db} }'],
    ['\n    app: web', '\n    matchLabels:\n      app: web'],
    [
      '\n    app: web # x\n    tier: "db"',
      '\n    matchLabels:\n      app: web # x\n      tier: "db"',
    ],
    ['\n    matchLabel: {app: web}', '\n    matchLabels: {app: web}'],
  ])('is put below the right one: %j', (selector, wanted) => {
    const text = deployment(selector);
    expect(fixedFirst(text)).toBe(deployment(wanted));
    expect(marks(deployment(wanted))).toEqual([]);
  });

  it('is put below the right one in JSON, and where lines end otherwise', () => {
    const json = '{"apiVersion":"apps/v1","kind":"Deployment","spec":{"selector":{"app":"web"}}}';
    expect(fixedFirst(json)).toBe(json.replace('{"app":"web"}', '{"matchLabels": {"app":"web"}}'));
    const text = deployment('\n    app: web').replaceAll('\n', '\r\n');
    expect(fixedFirst(text)).toBe(
      deployment('\n    matchLabels:\n      app: web').replaceAll('\n', '\r\n'),
    );
  });

  it.each([
    ['\n    {{- include "a" . | nindent 4 }}'],
    ['\n    {{ a }}: b'],
    ['\n    matchLabels: {app: web}\n    match'],
  ])('is none where something else may stand: %j', (selector) => {
    expect(marks(deployment(selector))).toEqual([]);
  });

  it('is for the schema of a custom resource to know', () => {
    expect(marks(deployment(' {app: web}').replace('apps/v1', 'example.com/v1'))).toEqual([]);
  });
});

describe('a label whose value is no text', () => {
  const service = (selector: string): string =>
    `apiVersion: v1\nkind: Service\nmetadata: {labels: {x: z}}\nspec: {selector: ${selector}}\n`;
  const told = (type: string): string =>
    `json: cannot unmarshal ${type} into Go struct field ServiceSpec.spec.selector of type string`;

  it.each([
    ['{matchLabels: {app: web}}', 'matchLabels', 'object'],
    ['{app: [web]}', 'app', 'array'],
  ])('is told at its key in %s', (selector, key, type) => {
    const [[code, at, message] = []] = found(service(selector));
    expect([code, at]).toEqual(['not-a-string', key]);
    expect(message).toContain(told(type));
  });

  it('is told of the labels that an object bears', () => {
    const text = service('{app: web}').replace('{x: z}', '{a: {b: c}}');
    expect(marks(text)).toEqual([['not-a-string', 'a']]);
  });

  it('is for a template to write', () => {
    expect(marks(service('{app: {{ toYaml . }}}'))).toEqual([]);
    expect(
      marks(yaml`
      apiVersion: v1
      kind: Service
      spec:
        selector:
          app:
            {{- toYaml .Values.app | nindent 6 }}
      `),
    ).toEqual([]);
  });
});
