import type { Position, TextDocument } from 'vscode';
import { expect, it, vi } from 'vitest';
import { MetricHovers } from '../../../../client/metrics/metricHover';
import { FakeServer, FakeSource } from '../support';

interface Registration {
  readonly selector: unknown;
  readonly provider: {
    provideHover(document: TextDocument, position: Position, token: unknown): Promise<unknown>;
  };
  readonly dispose: () => void;
}

const registered = vi.hoisted((): unknown[] => []);

vi.mock('vscode', () => ({
  Hover: class {
    constructor(
      readonly contents: unknown,
      readonly range: unknown,
    ) {}
  },
  MarkdownString: class {
    isTrusted: unknown;
    constructor(readonly value: string) {}
  },
  languages: {
    registerHoverProvider: (selector: unknown, provider: unknown) => {
      const registration = { selector, provider, dispose: vi.fn() };
      registered.push(registration);
      return registration;
    },
  },
}));

const TEXT = [
  'up 1',
  'apiserver_storage_list_total{resource="pods"} 2',
  'apiserver_storage_list_total{resource="nodes"} 3',
  'etcd_requests_total{operation="list",type="pods"} 4',
];

function setup(answer: unknown = { markdown: 'words' }) {
  registered.length = 0;
  const server = new FakeServer({ 'etcdList/hoverMetric': () => answer });
  const hovers = new MetricHovers(server, () => undefined);
  hovers.setLanguages(['plaintext']);
  let reads = 0;
  const document = {
    uri: { toString: () => 'file:///x' },
    version: 1,
    lineAt: (line: number) => ({ text: TEXT[line], range: line }),
    getText: () => {
      reads++;
      return TEXT.join('\n');
    },
  } as unknown as TextDocument;
  const hover = (line: number) =>
    (registered as Registration[])[0]?.provider.provideHover(
      document,
      { line } as unknown as Position,
      new FakeSource().token,
    );
  return { server, hovers, hover, reads: () => reads };
}

it('sends the lines of the same resource alone, and reads a document once', async () => {
  const { server, hover, reads } = setup();
  expect(await hover(1)).toMatchObject({ contents: { value: 'words' }, range: 1 });
  expect(await hover(3)).toMatchObject({ contents: { value: 'words' }, range: 3 });
  expect(server.asked.map(({ params }) => params)).toEqual([
    { lines: [TEXT[1], TEXT[3]], index: 0 },
    { lines: [TEXT[1], TEXT[3]], index: 1 },
  ]);
  expect(reads()).toBe(1);
});

it('asks nothing on other lines, and trusts no link', async () => {
  const { server, hover, reads } = setup();
  expect(await hover(0)).toBeUndefined();
  expect([server.asked, reads()]).toEqual([[], 0]);
  const shown = (await hover(1)) as { readonly contents: { readonly isTrusted?: unknown } };
  expect(shown.contents.isTrusted).toBeUndefined();
});

it('shows nothing where the server has nothing to say', async () => {
  expect(await setup(null).hover(1)).toBeUndefined();
});

it('stands in files of metrics and in the languages of the setting', () => {
  const { hovers } = setup();
  hovers.setLanguages(['log']);
  const [first, second] = registered as Registration[];
  expect(first?.dispose).toHaveBeenCalled();
  expect(second?.selector).toEqual([{ pattern: '**/*.{prom,metrics}' }, { language: 'log' }]);
});
