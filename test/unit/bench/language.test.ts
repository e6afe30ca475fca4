import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { openDocument } from '../../../server/language/open';
import {
  changed,
  documentAround,
  linesOf,
  manifestOf,
  placeAt,
  spotsOf,
} from '../../bench/language/manifest';
import { parseOptions } from '../../bench/language/options';
import { sameCount, type Runs } from '../../bench/language/rounds';
import { schemaFiles } from '../../yamlServer/schema.mjs';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const analysed = (text: string) =>
  openDocument({ uri: 'file:///a.yaml', languageId: 'yaml', text })!.analysis();

describe('a manifest that is measured', () => {
  it.each(['documents', 'list'] as const)('is as long as asked and has no mistake: %s', (shape) => {
    const text = manifestOf(shape, { lines: 700 });
    expect(linesOf(text)).toBeGreaterThanOrEqual(700);
    expect(linesOf(text)).toBeLessThan(900);
    expect(parseAllDocuments(text).flatMap((each) => each.errors)).toEqual([]);
    const { findings, sites } = analysed(text);
    expect(findings).toEqual([]);
    expect(sites.length).toBeGreaterThan(25);
    expect(manifestOf(shape, { bytes: 50_000 }).length).toBeGreaterThanOrEqual(50_000);
  });

  it('has spots where they are said to be', () => {
    const text = manifestOf('documents', { lines: 400 });
    const spots = spotsOf(text);
    const lineAt = (offset: number) => text.split('\n')[placeAt(text, offset).line]?.trim();
    expect(lineAt(spots.change)).toBe('example.com/changed-by: "0"');
    expect(lineAt(spots.replicas)).toBe('replicas: 3');
    expect(lineAt(spots.field)).toBe('revisionHistoryLimit: 5');
    expect(lineAt(spots.selector)).toBe('matchLabels:');
    expect(text.slice(spots.labelValue - 5, spots.labelValue)).toBe('app: ');
    expect(analysed(changed(text, spots, 7)).findings).toEqual([]);
    expect(changed(text, spots, 17)).toContain('changed-by: "7"');
    const document = documentAround(text, spots.labelValue);
    expect(parseAllDocuments(document)).toHaveLength(1);
    expect(document).toContain('kind: Deployment');
  });
});

describe('options', () => {
  it('are whole numbers in their ranges', () => {
    expect(parseOptions(['--lines', '300', '--megabytes', '0'])).toMatchObject({
      lines: 300,
      megabytes: 0,
      rounds: 7,
      command: 'npm run bench:language -- --lines 300 --megabytes 0',
    });
  });

  it.each([['--lines=1'], ['--rounds=0'], ['--rounds=x'], ['--nonsense'], ['--patience=1.5']])(
    'are refused: %s',
    (arg) => {
      const error = vi.spyOn(console, 'error').mockReturnValue();
      expect(parseOptions([arg])).toBeUndefined();
      expect(process.exitCode).toBe(2);
      expect(error.mock.calls[0]?.[0]).toContain(arg.split('=')[0]);
    },
  );
});

it('runs that counted differently are no runs of the same', () => {
  const run = (found: number) => ({ ms: 1, counts: { found } });
  const runs = (...found: number[]): Runs => ({ first: run(3), samples: found.map(run) });
  expect(sameCount('x', runs(3, 3), 'found')).toBe(3);
  expect(() => sameCount('x', runs(3, 4), 'found')).toThrow('x counted 3 found, then 4');
  expect(() => sameCount('x', runs(3), 'other')).toThrow('x counted no other');
});

it('a schema of Kubernetes names kinds, refuses fields, and lets optional ones be null', () => {
  const meta = { type: 'string', description: 'd' };
  const thing = {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: meta,
      kind: meta,
      spec: { type: 'object', additionalProperties: { $ref: '#/definitions/q' } },
      note: { type: 'string' },
    },
    'x-kubernetes-group-version-kind': [{ group: 'g', version: 'v1', kind: 'Thing' }],
  };
  const files = schemaFiles({ definitions: { thing, q: { type: 'string' } } });
  expect(files['all.json']).toEqual({ oneOf: [{ $ref: '_definitions.json#/definitions/thing' }] });
  expect(files['_definitions.json']?.definitions?.['thing']).toEqual({
    type: 'object',
    required: ['spec', 'apiVersion', 'kind'],
    additionalProperties: false,
    properties: {
      apiVersion: { type: 'string', description: 'd', enum: ['g/v1'] },
      kind: { type: 'string', description: 'd', enum: ['Thing'] },
      spec: { type: 'object', additionalProperties: { $ref: '#/definitions/q' } },
      note: { type: ['string', 'null'] },
    },
  });
});
