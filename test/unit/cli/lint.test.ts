/** `lint` in this process: files, forms of the report, exit codes. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runApp } from '../../../server/cli/app';
import { StoppedError } from '../../../server/cli/exit';
import { findFiles } from '../../../server/cli/lint/files';
import { LARGEST_TEXT, readText, UnreadableFileError } from '../../../server/cli/textFile';
import { FINDINGS } from '../../../server/language/findings';
import { sarifFaults } from '../../support/sarif';
import { keptContext, type KeptContext } from './support';

const BAD_VALUE = `apiVersion: v1
kind: Pod
metadata:
  labels:
    app: x y
`;
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const VALUE_TEXT = `metadata.labels: Invalid value: "x y": ${VALUE_RULE}`;
/** A warning, no error. */
const CONTRADICTION = "kubectl get pods -A -l 'a=1,a=2'\n";
const GOOD = 'apiVersion: v1\nkind: Pod\nmetadata: {labels: {app: web}}\n';

let dir: string;
const at = (...names: string[]): string => join(dir, ...names);

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lint-'));
  for (const folder of [
    'tree/b/deep',
    'tree/a',
    'tree/node_modules',
    'tree/.git',
    'empty',
    'large',
  ])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('bad.yaml'), BAD_VALUE);
  writeFileSync(at('good.yaml'), GOOD);
  writeFileSync(at('warned.etcdlist'), CONTRADICTION);
  for (const name of [
    'z.yaml',
    'b/2.yml',
    'b/deep/1.json',
    'a/q.etcdlist',
    'a/Q.YAML',
    'notes.txt',
  ])
    writeFileSync(at('tree', name), '');
  for (const name of ['node_modules/x.yaml', '.git/x.yaml']) writeFileSync(at('tree', name), '');
  symlinkSync(at('bad.yaml'), at('tree', 'link.yaml'));
  symlinkSync(at('tree'), at('tree', 'b', 'loop'));
  writeFileSync(at('large', 'a.yaml'), '');
  truncateSync(at('large', 'a.yaml'), LARGEST_TEXT + 1);
  writeFileSync(at('large', 'b.yaml'), BAD_VALUE);
  execFileSync('mkfifo', [at('pipe')]);
});

afterAll(() => {
  rmSync(dir, { recursive: true });
});

interface Ran extends KeptContext {
  readonly code: number;
  readonly printed: string;
  readonly said: string;
}

async function lint(argv: readonly string[], input: string | Uint8Array = ''): Promise<Ran> {
  const kept = keptContext({ stdin: Readable.from([Buffer.from(input)]) });
  const code = await runApp(['lint', ...argv], kept.context, '1.2.3');
  return { ...kept, code, printed: kept.rows.join(''), said: kept.notes.join('\n') };
}

async function found(...paths: string[]): Promise<string[]> {
  const names: string[] = [];
  for await (const each of findFiles(paths)) {
    names.push(typeof each === 'string' ? relative(dir, each) : each.message);
  }
  return names;
}

describe('files', () => {
  it('of folders are those of the known endings, by name, without what others wrote and without links', async () => {
    expect(await found(at('tree'))).toEqual([
      'tree/z.yaml',
      'tree/a/Q.YAML',
      'tree/a/q.etcdlist',
      'tree/b/2.yml',
      'tree/b/deep/1.json',
    ]);
  });

  it('come in the order given, each once', async () => {
    const paths = [at('good.yaml'), at('tree', 'b'), `${dir}/./tree/../good.yaml`, at('tree', 'b')];
    expect(await found(...paths)).toEqual(['good.yaml', 'tree/b/2.yml', 'tree/b/deep/1.json']);
  });

  it('that are named need no known ending, and may be links', async () => {
    expect(await found(at('tree', 'notes.txt'), at('tree', 'link.yaml'))).toEqual([
      'tree/notes.txt',
      'tree/link.yaml',
    ]);
  });

  it('that are not there are wrong usage, before anything is looked at', async () => {
    const { code, printed, said } = await lint([at('bad.yaml'), at('absent.yaml')]);
    expect(code).toBe(2);
    expect(printed).toBe('');
    expect(said).toBe(`error: ${at('absent.yaml')} cannot be read: there is no such file`);
  });

  it('are named though their name is nothing, or leads round', async () => {
    symlinkSync(at('round.yaml'), at('round.yaml'));
    expect(await lint([''])).toMatchObject({
      code: 2,
      said: 'error: "" cannot be read: there is no such file',
    });
    expect(await lint([at('round.yaml')])).toMatchObject({
      code: 2,
      said: `error: ${at('round.yaml')} cannot be read: its links lead round in a circle`,
    });
    const long = 'x'.repeat(300);
    expect((await lint([long])).said).toBe(`error: ${long} cannot be read: its name is too long`);
  });

  it('of none are a failure', async () => {
    const { code, said } = await lint([at('empty')]);
    expect(code).toBe(1);
    expect(said).toContain('no file to look at');
    expect((await lint([])).code).toBe(2);
  });

  it('that cannot be read are said, and the others are looked at', async () => {
    const { code, printed, said } = await lint([at('large')]);
    expect(code).toBe(1);
    expect(printed).toContain(VALUE_TEXT);
    expect(said).toBe(
      `error: ${at('large', 'a.yaml')} cannot be read: it is larger than 64 MiB\n1 file, 0 selectors: 1 error, 0 warnings, 1 file not read`,
    );
  });
});

describe('the text of a file', () => {
  const utf16 = (text: string, swap: boolean): Buffer => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return swap ? bytes.swap16() : bytes;
  };

  it.each([
    ['UTF-8', Buffer.from('ä: 1')],
    ['UTF-8 with a mark', Buffer.from('\ufeffä: 1')],
    ['UTF-16, little end first', utf16('ä: 1', false)],
    ['UTF-16, big end first', utf16('ä: 1', true)],
  ])('is read from %s', async (_, bytes) => {
    const { context } = keptContext({ stdin: Readable.from([bytes]) });
    expect(await readText('-', context)).toBe('ä: 1');
  });

  it('holds U+FFFD for what is none', async () => {
    const halves = Buffer.concat([utf16('a', false), Buffer.from([0x00, 0xd8, 0x62, 0x00, 0x63])]);
    const { context } = keptContext({ stdin: Readable.from([halves]) });
    expect(await readText('-', context)).toBe('a\ufffdb\ufffd');
    const broken = keptContext({ stdin: Readable.from([Buffer.from([0x61, 0xff, 0x62])]) });
    expect(await readText('-', broken.context)).toBe('a\ufffdb');
  });

  it('is refused when standard input goes on and on', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'a');
    const endless = Readable.from(
      (function* () {
        for (;;) yield piece;
      })(),
    );
    const { context } = keptContext({ stdin: endless });
    await expect(readText('-', context)).rejects.toThrow(
      'standard input cannot be read: it is larger than 64 MiB',
    );
  });

  it('is not waited for once the work is stopped', async () => {
    const silent = new Readable({ read: () => undefined });
    const { context, stop } = keptContext({ stdin: silent });
    const reading = readText('-', context);
    const reason = new StoppedError('interrupt');
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('comes from pipes, and not from devices', async () => {
    const { context } = keptContext();
    const reading = readText(at('pipe'), context);
    const early = await Promise.race([reading, setTimeout(100, 'nobody has written')]);
    expect(early).toBe('nobody has written');
    const writer = spawn('sh', ['-c', 'printf a: 1 > "$0"', at('pipe')]);
    expect(await reading).toBe('a:');
    expect(writer.killed).toBe(false);
    await expect(readText('/dev/zero', context)).rejects.toThrow(UnreadableFileError);
  });
});

describe('text', () => {
  it('has place, severity, sentence, code, line and carets', async () => {
    const { code, printed, said } = await lint([at('bad.yaml')]);
    expect(code).toBe(1);
    expect(printed).toBe(
      `${at('bad.yaml')}:5:10: error: ${VALUE_TEXT} [label-value]\n      app: x y\n           ^^^\n`,
    );
    expect(said).toBe('1 file, 0 selectors: 1 error, 0 warnings');
  });

  it('of standard input names it so, and tells queries from manifests', async () => {
    const manifest = await lint(['-'], BAD_VALUE);
    expect(manifest.printed).toMatch(/^stdin:5:10: error: /);
    const queries = await lint(['-'], `# a comment\n\n${CONTRADICTION}`);
    expect(queries.printed).toMatch(/^stdin:3:\d+: warning: .* \[contradiction\]\n/);
    expect(queries.said).toBe('1 file, 1 selector: 0 errors, 1 warning');
  });

  it('shows what is as severe as asked, and counts everything', async () => {
    const [shown, hidden] = [
      await lint([at('warned.etcdlist')]),
      await lint([at('warned.etcdlist'), '--severity=error']),
    ];
    expect(shown.printed).toContain('[contradiction]');
    expect(hidden.printed).toBe('');
    expect([shown.code, hidden.code]).toEqual([0, 0]);
    expect(hidden.said).toBe(shown.said);
  });

  it('cannot move the cursor', async () => {
    const { printed } = await lint(
      ['-'],
      'apiVersion: v1\nkind: Pod\nmetadata: {labels: {"a\\e[2J\u009b": "\u202e b"}}\n',
    );
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(printed).toContain('error: ');
  });

  it('says of a file that is no text only that', async () => {
    const { code, printed } = await lint(
      ['-'],
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 0xff]),
    );
    expect(code).toBe(0);
    expect(printed).toBe(
      'stdin:1:1: information: This file is no text, and is not looked at: it holds NUL bytes. [not-checked]\n',
    );
  });
});

describe('JSON', () => {
  it('holds counts, findings with places from 1, and what could not be read', async () => {
    const { code, printed } = await lint(['-o', 'json', at('large'), at('good.yaml')]);
    expect(code).toBe(1);
    expect(JSON.parse(printed)).toEqual({
      files: 2,
      selectors: 0,
      counts: { error: 1, warning: 0, information: 0, hint: 0 },
      findings: [
        {
          file: at('large', 'b.yaml'),
          code: 'label-value',
          severity: 'error',
          message: VALUE_TEXT,
          start: { line: 5, column: 10 },
          end: { line: 5, column: 13 },
          fixes: expect.any(Array) as unknown,
        },
      ],
      untold: [],
      unread: [{ file: at('large', 'a.yaml'), reason: 'it is larger than 64 MiB' }],
    });
  });

  it('is one document where nothing is found', async () => {
    const { code, printed } = await lint(['-o', 'json', at('good.yaml')]);
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({ files: 1, findings: [], unread: [] });
  });
});

interface Sarif {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly Record<string, unknown>[];
      readonly invocations: readonly Record<string, unknown>[];
    },
  ];
}

describe('SARIF', () => {
  it('keeps to the format, with places, levels and rules', async () => {
    const { code, printed } = await lint([
      '-o',
      'sarif',
      at('bad.yaml'),
      at('warned.etcdlist'),
      '--severity=hint',
    ]);
    expect(code).toBe(1);
    const log = JSON.parse(printed) as Sarif;
    expect(sarifFaults(log)).toEqual([]);
    const [{ tool, results, invocations }] = log.runs;
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(Object.keys(FINDINGS));
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['label-value', 'error'],
      ['contradiction', 'warning'],
    ]);
    expect(results[0]).toMatchObject({
      message: { text: VALUE_TEXT },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: `file://${at('bad.yaml')}` },
            region: { startLine: 5, startColumn: 10, endLine: 5, endColumn: 13 },
          },
        },
      ],
    });
    expect(invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);
  });

  it('says what could not be read', async () => {
    const { printed } = await lint(['-o', 'sarif', at('large')]);
    const log = JSON.parse(printed) as Sarif;
    expect(sarifFaults(log)).toEqual([]);
    expect(log.runs[0].invocations).toMatchObject([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          { level: 'error', message: { text: 'cannot be read: it is larger than 64 MiB' } },
        ],
      },
    ]);
  });

  it('escapes names into addresses', async () => {
    mkdirSync(at('odd ü'), { recursive: true });
    writeFileSync(at('odd ü', '#a:b%?.yaml'), BAD_VALUE);
    const { printed } = await lint(['-o', 'sarif', at('odd ü')]);
    const log = JSON.parse(printed) as Sarif;
    expect(sarifFaults(log)).toEqual([]);
    expect(printed).toContain('/odd%20%C3%BC/%23a%3Ab%25%3F.yaml"');
  });

  it.skipIf(sep === '\\')('keeps a backslash that is a character of a name', async () => {
    writeFileSync(at('a\\b.yaml'), BAD_VALUE);
    const { printed } = await lint(['-o', 'sarif', at('a\\b.yaml')]);
    expect(printed).toContain('/a%5Cb.yaml"');
  });

  it('is found faulty by the rules that it is checked with', async () => {
    const { printed } = await lint(['-o', 'sarif', at('bad.yaml')]);
    const faulty = (change: (text: string) => string): string[] =>
      sarifFaults(JSON.parse(change(printed)));
    expect(faulty((text) => text)).toEqual([]);
    expect(faulty((text) => text.replace('"startLine": 5', '"startLine": 0'))).not.toEqual([]);
    expect(faulty((text) => text.replace('"endColumn": 13', '"endColumn": 9'))).not.toEqual([]);
    expect(
      faulty((text) =>
        text.replace(
          '"level": "error",\n          "message"',
          '"level": "fatal",\n          "message"',
        ),
      ),
    ).not.toEqual([]);
    expect(faulty((text) => text.replace('"file:///', '"file:///a b/'))).not.toEqual([]);
    expect(faulty((text) => text.replace('"ruleIndex": ', '"ruleIndex": 1'))).not.toEqual([]);
    expect(faulty((text) => text.replace('"results":', '"result":'))).not.toEqual([]);
  });
});

describe('very many findings', () => {
  /** 1,500 errors in each of two documents, of which 1,000 are kept. */
  const labels = Array.from({ length: 1_500 }, (_, i) => `    a${i}: b c\n`).join('');
  const pod = `apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n${labels}`;
  const many = `${pod}---\n${pod}`;
  const warned = `${CONTRADICTION}###\n`.repeat(1_200);
  const sentence = 'Only 2,000 of 3,000 findings are shown, the most severe ones.';

  it('are told in part, all are counted, and the text says so last', async () => {
    const { code, printed, said } = await lint(['-'], many);
    expect(code).toBe(1);
    expect(printed.match(/\[label-value\]/g)).toHaveLength(2_000);
    expect(printed.trimEnd().split('\n').at(-1)).toBe(
      `stdin:1:1: information: ${sentence} [more-findings]`,
    );
    expect(said).toBe('1 file, 0 selectors: 3,000 errors, 0 warnings');
  });

  it('are said whatever the least severity is, unless none of that severity is left out', async () => {
    expect((await lint(['-', '--severity=error'], many)).printed).toContain(sentence);
    const all = await lint(['-'], warned);
    expect(all.printed).toContain('Only 1,000 of 1,200 findings are shown');
    expect((await lint(['-', '--severity=error'], warned)).printed).toBe('');
  });

  it('stand in the counts of JSON, and those that are left out beside them', async () => {
    const { printed } = await lint(['-o', 'json', '-'], many);
    const report = JSON.parse(printed) as Record<string, unknown> & { findings: unknown[] };
    expect(report.findings).toHaveLength(2_000);
    expect(report).toMatchObject({
      counts: { error: 3_000, warning: 0, information: 0, hint: 0 },
      untold: [{ file: 'stdin', error: 1_000, warning: 0, information: 0, hint: 0 }],
    });
  });

  it('are a notification in SARIF', async () => {
    const { printed } = await lint(['-o', 'sarif', '-'], many);
    const log = JSON.parse(printed) as Sarif;
    expect(sarifFaults(log)).toEqual([]);
    expect(log.runs[0].results).toHaveLength(2_000);
    expect(log.runs[0].invocations).toMatchObject([
      {
        executionSuccessful: true,
        toolExecutionNotifications: [{ level: 'note', message: { text: sentence } }],
      },
    ]);
  });
});
