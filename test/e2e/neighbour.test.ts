/**
 * The extension beside one that runs npm's yaml-language-server with a Kubernetes schema over the same
 * documents, as the YAML extension of Red Hat does: both have their say, and neither is in the other's way.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { requireOrSkip } from '../support/requireOrSkip';
import { waitFor } from '../support/waitFor';
import { findYamlServer } from '../yamlServer/find.mjs';
import { describeVSCode, vscodeVersions } from './support/describeVSCode';
import { packNeighbour } from './support/neighbour';
import { editorShows, editorText } from './support/parts';
import type { Workbench } from './support/workbench';

interface Parts {
  readonly replicas?: string;
  readonly selector?: readonly string[];
  readonly kind?: string;
}

const deployment = ({
  replicas = '3',
  selector = ['matchLabels:', '  app: nginx'],
  kind = 'kind: Deployment',
}: Parts): string =>
  [
    'apiVersion: apps/v1',
    kind,
    'metadata:',
    '  name: web',
    'spec:',
    `  replicas: ${replicas}`,
    '  selector:',
    ...selector.map((line) => `    ${line}`),
    '  template:',
    '    metadata:',
    '      labels:',
    '        app: nginx',
    '    spec:',
    '      containers:',
    '        - name: web',
    '',
  ].join('\n');

const files = {
  'both.yaml': deployment({ replicas: 'three', selector: ['matchLabels:', '  app: "nginx!"'] }),
  'theirs.yaml': deployment({ replicas: 'three' }),
  'ours.yaml': deployment({ selector: ['matchLabels:', '  app: "nginx!"'] }),
  'good.yaml': deployment({}),
  'value.yaml': deployment({ selector: ['matchLabels:', '  tier: '] }),
  'operator.yaml': deployment({
    selector: ['matchExpressions:', '  - {key: app, operator: in, values: [nginx]}'],
  }),
  'spaced.yaml': deployment({ kind: 'kind:     Deployment' }),
  'wrong.etcdlist.yaml': 'resource: pods\nlimt: 3\n',
  'good.etcdlist.yaml': 'resource: pods\nnamespace: \nresourceVersionMatch: \n',
};

/** The schema of Kubernetes is for manifests; that of query documents comes with our extension. */
const manifests = Object.keys(files).filter((name) => !name.includes('.etcdlist.'));
const settings = {
  'yaml.schemas': { kubernetes: manifests },
  'yaml.schemaStore.enable': false,
};
const slow = { timeoutMs: 60_000 };

const ourServer = '/dist/server/main.js';
const theirServer = 'yaml-language-server';
const theirs = /yaml-schema/;
/** Their source names a schema by its title, and ours is entitled as we are. */
const ours = /^(?!.*yaml-schema).*etcd LIST/;

/** The rows of the problems view below a file's own, from top to bottom. */
async function problemRows(code: Workbench, file: string): Promise<string[]> {
  const rows = code.page.locator('.markers-panel .monaco-list-row');
  const found = await rows.evaluateAll((elements) =>
    elements
      .map((element) => ({
        top: element.getBoundingClientRect().top,
        isFile: element.getAttribute('aria-level') === '1',
        text: element.textContent.replaceAll(/\s+/g, ' '),
      }))
      .toSorted((a, b) => a.top - b.top),
  );
  const first = found.findIndex(({ isFile, text }) => isFile && text.startsWith(file));
  if (first < 0) return [];
  const below = found.slice(first + 1);
  const next = below.findIndex(({ isFile }) => isFile);
  return below.slice(0, next < 0 ? below.length : next).map(({ text }) => text);
}

interface Expected {
  readonly ours: number;
  readonly theirs: number;
}

/** Opens a file and waits until the problems view lists so many of each side, and nothing else of it. */
async function problemsOf(code: Workbench, file: string, expected: Expected): Promise<string[]> {
  await code.openFile(file);
  return await problems(code, file, expected);
}

async function problems(code: Workbench, file: string, expected: Expected): Promise<string[]> {
  await code.palette('Problems: Focus on Problems View');
  const look = async (): Promise<string[]> => {
    const rows = await problemRows(code, file);
    const count = (side: RegExp) => rows.filter((text) => side.test(text)).length;
    expect({ ours: count(ours), theirs: count(theirs), all: rows.length }).toEqual({
      ...expected,
      all: expected.ours + expected.theirs,
    });
    return rows;
  };
  const what = `${expected.ours} of ours and ${expected.theirs} of theirs in ${file}`;
  await waitFor(look, { ...slow, what });
  // What comes late would be seen now: both wait a quarter of a second after a document was opened.
  await delay(1500);
  return await look();
}

/** Labels of what is suggested at the cursor, once `expected` is among them. */
async function suggested(code: Workbench, expected: RegExp): Promise<string[]> {
  const rows = code.page.locator('.suggest-widget .monaco-list-row');
  return await waitFor(
    async () => {
      await code.page.keyboard.press('Escape');
      await code.page.keyboard.press('Control+Space');
      await rows.filter({ hasText: expected }).first().waitFor({ timeout: 3000 });
      return await rows.evaluateAll((found) =>
        found.map((row) => row.querySelector('.label-name')?.textContent ?? ''),
      );
    },
    { ...slow, what: `${String(expected)} among the suggestions` },
  );
}

/** Behind the last character of the line that has only this on it. */
async function cursorBehind(code: Workbench, line: RegExp): Promise<void> {
  await code.page.locator('.editor-instance .view-line', { hasText: line }).first().click();
  await code.page.keyboard.press('End');
}

const isOncePerLabel = (labels: readonly string[]): boolean =>
  new Set(labels).size === labels.length;

function neighbourTests(workbench: () => Workbench): void {
  it('both servers run, and both find what is theirs, once and with their own source', async () => {
    const code = workbench();
    const found = await problemsOf(code, 'both.yaml', { ours: 1, theirs: 1 });
    expect(found.find((text) => theirs.test(text))).toMatch(/Incorrect type.*integer.*Ln 6,/);
    expect(found.find((text) => ours.test(text))).toMatch(/a valid label must be.*Ln 9,/);
    expect(code.server.processes(theirServer)).toHaveLength(1);
    expect(code.server.processes(ourServer)).toHaveLength(1);
    await code.screenshot('both');
  });

  it('neither reports what is the other one’s', async () => {
    const code = workbench();
    await problemsOf(code, 'theirs.yaml', { ours: 0, theirs: 1 });
    await problemsOf(code, 'ours.yaml', { ours: 1, theirs: 0 });
    await problemsOf(code, 'good.yaml', { ours: 0, theirs: 0 });
  });

  it('the neighbour has our schema of query documents', async () => {
    const code = workbench();
    const found = await problemsOf(code, 'wrong.etcdlist.yaml', { ours: 1, theirs: 1 });
    expect(found.find((text) => theirs.test(text))).toMatch(/Property limt is not allowed/);
  });

  it('a label’s value is completed by ours, a field by theirs, and nothing is offered twice', async () => {
    const code = workbench();
    await code.palette('etcd LIST: Connect to the demo cluster');
    await code.statusBarItem(/etcd demo/).waitFor({ timeout: 60_000 });
    await code.openFile('value.yaml');
    await cursorBehind(code, /^\s*tier:\s*$/);
    const values = await suggested(code, /frontend/);
    expect(values).toEqual(expect.arrayContaining(['backend', 'frontend']));
    expect(isOncePerLabel(values)).toBe(true);
    await code.screenshot('value');
    await code.page.keyboard.press('Escape');
    await code.openFile('good.yaml');
    await cursorBehind(code, /^\s*replicas:\s3$/);
    await code.page.keyboard.press('Enter');
    const fields = await suggested(code, /minReadySeconds/);
    expect(fields).toContain('revisionHistoryLimit');
    expect(isOncePerLabel(fields)).toBe(true);
    await code.screenshot('field');
    await code.page.keyboard.press('Escape');
    await code.palette('File: Revert File');
  });

  it('members and words of a query document are completed by theirs, names by ours, and nothing is offered twice', async () => {
    const code = workbench();
    await code.openFile('good.etcdlist.yaml');
    await cursorBehind(code, /^\s*namespace:\s*$/);
    const names = await suggested(code, /billing-prod/);
    expect(isOncePerLabel(names)).toBe(true);
    await code.page.keyboard.press('Escape');
    await cursorBehind(code, /^\s*resourceVersionMatch:\s*$/);
    const words = await suggested(code, /NotOlderThan/);
    expect(words).toContain('Exact');
    expect(isOncePerLabel(words)).toBe(true);
    await code.page.keyboard.press('Escape');
    await code.page.keyboard.press('Enter');
    const members = await suggested(code, /labelSelector/);
    expect(members).toContain('fieldSelector');
    expect(isOncePerLabel(members)).toBe(true);
    await code.screenshot('members');
    await code.page.keyboard.press('Escape');
    await code.palette('File: Revert File');
  });

  it('a hover says what both know', async () => {
    const code = workbench();
    await code.openFile('good.yaml');
    const hover = await code.hoverOver('matchLabels', /Selects Pods/);
    await waitFor(async () => /map of \{key,value\} pairs/.test(await hover.innerText()), {
      ...slow,
      what: 'the description of the schema in the same hover',
    });
    expect((await hover.innerText()).match(/Selects Pods/g)).toHaveLength(1);
    await code.screenshot('hover');
    await code.page.mouse.move(5, 5);
  });

  it('a fix of ours mends what is ours', async () => {
    const code = workbench();
    await code.openFile('operator.yaml');
    await problems(code, 'operator.yaml', { ours: 1, theirs: 0 });
    await code.page.locator('.view-line', { hasText: 'operator: in' }).click();
    await code.palette('Go to Next Problem (Error, Warning, Info)');
    await code.page.keyboard.press('Escape');
    await code.page.keyboard.press('Control+.');
    const fix = code.page.locator('.action-widget').getByText('Change to In');
    await fix.waitFor({ timeout: 60_000 });
    await code.screenshot('fix');
    await code.page.keyboard.press('Enter');
    await editorShows(code, 'operator: In');
    await problems(code, 'operator.yaml', { ours: 0, theirs: 0 });
  });

  it('the form of a manifest stays theirs, and nobody is asked whose it is', async () => {
    const code = workbench();
    await code.openFile('spaced.yaml');
    await cursorBehind(code, /^kind:/);
    await code.palette('Format Document');
    await editorShows(code, 'kind: Deployment');
    expect(await editorText(code)).not.toContain('kind:  ');
    expect(await code.notifications()).toEqual([]);
  });
}

const missing = requireOrSkip(theirServer, findYamlServer(), 'see node test/e2e/get.mjs');

describe.skipIf(missing)('a neighbour', () => {
  const prepare = async () => ({ neighbours: [await packNeighbour()] });
  describeVSCode(vscodeVersions, { name: 'neighbour', files, settings, prepare }, neighbourTests);
});
