import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../../../server/kube/selectors';
import type { Query } from '../../../../server/language/query/model';
import { withEdits } from '../../../../server/language/source/edits';
import { open } from './support';

/** Pieces that files are made of, sound and broken, in any order. */
const piece = fc.oneof(
  fc.constantFrom(
    ...['\n', '\n', '\n', '\r\n', '\r', ' ', '  ', '\t', '\\\n', '\\', '\\\r\n'],
    ...['###', '### t', '\n###\n', '#', '# c', '# @name a', '#@name  b', '\n# @name c\n'],
    ...['kubectl', 'kubectl get ', 'GET ', 'list ', 'pods', 'nodes', '/registry/pods/', ' -n web'],
    ...[' -l ', ' -l', '--selector=', ' --field-selector ', ' --limit=5', ' --limit', ' -A', ' -w'],
    ...[
      ' --chunk-size=',
      '0x10',
      ' --follow',
      ' --continue ',
      '{{a.continue}}',
      '{{',
      '}}',
      '{{b.',
    ],
    ...['a=b', 'a in (b,c)', 'a notin (', ',', '!', '=', '!=', '(', ')', "'", '"', "$'", '`', '$x'],
    ...['/api/v1/pods', '/apis/apps/v1/namespaces/web/deployments', '?', '&', '\n  &', '\n    ?'],
    ...[
      'labelSelector=',
      'fieldSelector=',
      'limit=',
      'continue=',
      '%3D',
      '%',
      '%zz',
      '%C3%BC',
      '+',
    ],
    ...['HTTP/1.1', '\nAccept: x', '"requestURI":"', '\\u0026', ' # x', '\0', '\ud800', '\ufeff'],
    ...[' --resource-version 5', ' --resource-version-match Exact', 'metadata.name=x', '\u{1f600}'],
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const file = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

const yamlPiece = fc.oneof(
  fc.constantFrom(
    ...['\n', '\n', '\r\n', ' ', '  ', '---\n', '...\n', '- ', ': ', '# c\n', '{', '}', '[', ']'],
    ...['resource: pods\n', 'namespace: web\n', 'labelSelector: ', 'fieldSelector: ', 'limit: 5\n'],
    ...['name: a\n', 'continue: "{{a.continue}}"\n', 'continue: {{a.continue}}\n', 'prefix: /a/\n'],
    ...['"', "'", '\\', '\\x41', '\\u00fc', "''", '&a ', '*a', '|\n', '>-\n', '!!str ', 'a=b\n'],
    ...['resourceVersion: 5\n', 'resourceVersionMatch: Exact\n', 'a in (b)', '\t', '\0', '\ud800'],
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const yamlFile = fc.array(yamlPiece, { maxLength: 15 }).map((pieces) => pieces.join(''));

function expectWithin(spans: readonly Span[], length: number): void {
  for (const { start, end } of spans) {
    if (!(start >= 0 && start <= end && end <= length)) {
      throw new Error(`${start} to ${end} of ${length}`);
    }
  }
}

function expectOrdered(spans: readonly Span[]): void {
  spans.slice(1).forEach((span, i) => {
    expect(span.start).toBeGreaterThanOrEqual(spans[i]!.start);
  });
}

function checkAll(text: string, yaml: boolean): void {
  const document = open(text, {}, yaml);
  const { findings, sites } = document.analysis();
  const queries = document.queries();
  const marks = document.semanticTokens().map(({ span }) => span);
  const edits = document.format().map(({ span }) => span);
  const lists = [
    findings.map(({ span }) => span),
    sites.map(({ span }) => span),
    queries.map(({ span }) => span),
    queries.map(({ anchor }) => anchor),
    document.symbols().map(({ span }) => span),
    document.folds(),
    marks,
    edits,
  ];
  for (const spans of lists) {
    expectWithin(spans, text.length);
    expectOrdered(spans);
  }
  expectWithin(
    sites.flatMap(({ requirements }) => requirements.map(({ span }) => span)),
    text.length,
  );
  expectWithin(
    document.symbols().map(({ selection }) => selection),
    text.length,
  );
  for (const disjoint of [marks, edits]) {
    disjoint.slice(1).forEach((span, i) => {
      expect(span.start).toBeGreaterThanOrEqual(disjoint[i]!.end);
    });
  }
  for (const { start, end } of marks) expect(text.slice(start, end)).not.toMatch(/[\r\n]/);
  for (const { fixes } of findings) {
    for (const fix of fixes)
      expectWithin(
        fix.edits.map(({ span }) => span),
        text.length,
      );
  }
  for (let offset = 0; offset <= text.length; offset++) {
    const spot = document.spotAt(offset);
    document.siteAt(offset);
    if (spot === undefined) continue;
    expectWithin([spot.span], text.length);
    expect(spot.span.start).toBeLessThanOrEqual(offset);
    expect(spot.span.end).toBeGreaterThanOrEqual(offset);
  }
}

/** What a query is, wherever it stands. */
function meaning({ name, form, request }: Query) {
  return { name, form, request };
}

describe('any text', () => {
  it('is answered, with every place within it and in order', () => {
    fc.assert(
      fc.property(fc.oneof(file, fc.string({ unit: 'binary' })), (text) => {
        checkAll(text, false);
      }),
      { numRuns: 3000 },
    );
  });

  it('is answered as YAML, with every place within it and in order', () => {
    fc.assert(
      fc.property(fc.oneof(yamlFile, fc.string({ unit: 'binary' })), (text) => {
        checkAll(text, true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is formatted once and for all, and asks the same then', () => {
    fc.assert(
      fc.property(file, (text) => {
        const once = withEdits(text, open(text).format());
        expect(withEdits(once, open(once).format())).toBe(once);
        expect(open(once).queries().map(meaning)).toEqual(open(text).queries().map(meaning));
      }),
      { numRuns: 5000 },
    );
  });

  it('loses nothing but blanks, line breaks and backslashes when it is formatted', () => {
    const bare = (text: string): string => text.replace(/[ \t\r\n\\]/g, '');
    fc.assert(
      fc.property(file, (text) => {
        expect(bare(withEdits(text, open(text).format()))).toBe(bare(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('without errors is the request that it was made of, in every form', () => {
    const word = fc.stringMatching(/^[a-z]([-a-z0-9]{0,5}[a-z0-9])?$/);
    const parts = fc.record({ key: word, value: word, namespace: word, limit: fc.nat() });
    fc.assert(
      fc.property(parts, ({ key, value, namespace, limit }) => {
        const labels = `${key} in (${value}, b)`;
        const encoded = encodeURIComponent(labels);
        const texts = [
          `list pods -n ${namespace} -l '${labels}' --limit ${limit}`,
          `GET /api/v1/namespaces/${namespace}/pods?labelSelector=${encoded}&limit=${limit}`,
          `kubectl get --raw '/api/v1/namespaces/${namespace}/pods?labelSelector=${encoded}&limit=${limit}'`,
        ];
        const yaml = `resource: pods\nnamespace: "${namespace}"\nlabelSelector: ${labels}\nlimit: ${limit}`;
        const requests = texts.map((text) => open(text).queries()[0]?.request);
        requests.push(open(yaml, {}, true).queries()[0]?.request);
        const [first] = requests;
        expect(first).toMatchObject({ namespace, labelSelector: labels, limit: String(limit) });
        for (const request of requests) expect(request).toEqual(first);
      }),
    );
  });
});
