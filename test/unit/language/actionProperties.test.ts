/** Whatever is offered as another way to write a selector means the same, and loses nothing beside it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fix } from '../../../server/language/findings';
import { openDocument } from '../../../server/language/open';
import { canonical } from '../../../server/language/selectors/meaning';
import { withEdits } from '../../../server/language/source/edits';

const word = fc.constantFrom('a', 'app', 'tier', 'x.y/z', 'example.com/name', 'b-c');
const value = fc.constantFrom('web', 'db', '1', 'true', 'v1.2', 'a_b', '');

const requirement = fc.oneof(
  fc.tuple(word, value).map(([key, text]) => ({ key, operator: '=', values: [text] })),
  fc.tuple(word, value).map(([key, text]) => ({ key, operator: '!=', values: [text] })),
  fc
    .tuple(
      word,
      fc.constantFrom('in', 'notin'),
      fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
    )
    .map(([key, operator, values]) => ({ key, operator, values })),
  word.map((key) => ({ key, operator: 'exists', values: [] as string[] })),
  word.map((key) => ({ key, operator: '!', values: [] as string[] })),
);
type Requirement = typeof requirement extends fc.Arbitrary<infer T> ? T : never;

const requirements = fc.array(requirement, { minLength: 1, maxLength: 4 });
const blank = fc.constantFrom('', '', ' ', '  ');

/** The text of a selector, with blanks where some may stand. */
const text = fc.tuple(requirements, blank, fc.boolean()).map(([all, space, isDouble]) =>
  all
    .map(({ key, operator, values }) => {
      const list = values.join(`${space},${space}`);
      if (operator === 'exists') return key;
      if (operator === '!') return `!${space}${key}`;
      if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${space}${list})`;
      return `${key}${space}${operator === '=' && isDouble ? '==' : operator}${space}${list}`;
    })
    .join(`,${space}`),
);

interface Style {
  readonly quote: string;
  readonly comment: boolean;
  readonly labelsInFlow: boolean;
  readonly listInFlow: boolean;
  readonly itemsInFlow: boolean;
  readonly dashIndent: string;
  readonly listFirst: boolean;
}

const style: fc.Arbitrary<Style> = fc.record({
  quote: fc.constantFrom('"', "'"),
  comment: fc.boolean(),
  labelsInFlow: fc.boolean(),
  listInFlow: fc.boolean(),
  itemsInFlow: fc.boolean(),
  dashIndent: fc.constantFrom('', '  '),
  listFirst: fc.boolean(),
});

const OPERATORS: Readonly<Record<string, string>> = {
  in: 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function objectLines(all: readonly Requirement[], how: Style): string[] {
  const { quote, comment } = how;
  const put = (each: string): string => `${quote}${each}${quote}`;
  const note = (about: string): string => (comment ? ` # ${about}` : '');
  const labels = new Map(
    all.flatMap(({ key, operator, values }) =>
      operator === '=' ? [[key, values[0] ?? ''] as const] : [],
    ),
  );
  const others = all.filter(({ operator }) => operator !== '=');
  const pairs = [...labels].map(([key, each]) => `${key}: ${put(each)}`);
  const labelPart =
    pairs.length === 0
      ? []
      : how.labelsInFlow
        ? [`matchLabels: {${pairs.join(', ')}}${note('labels')}`]
        : [`matchLabels:${note('labels')}`, ...pairs.map((pair, i) => `  ${pair}${note(`l${i}`)}`)];
  const items = others.map(({ key, operator, values }) => ({
    key: `key: ${put(key)}`,
    operator: `operator: ${OPERATORS[operator] ?? ''}`,
    values: values.length === 0 ? undefined : `values: [${values.map(put).join(', ')}]`,
  }));
  const flow = items.map((item) => `{${Object.values(item).filter(Boolean).join(', ')}}`);
  const lines = items.flatMap((item, i) => {
    if (how.itemsInFlow) return [`${how.dashIndent}- ${flow[i] ?? ''}${note(`e${i}`)}`];
    const rest = [item.operator, item.values].flatMap((each) => each ?? []);
    return [
      `${how.dashIndent}- ${item.key}`,
      ...rest.map((each, j) => `${how.dashIndent}  ${each}${note(`e${i}.${j}`)}`),
    ];
  });
  const listPart =
    items.length === 0
      ? []
      : how.listInFlow
        ? [`matchExpressions: [${flow.join(', ')}]${note('list')}`]
        : [`matchExpressions:${note('list')}`, ...lines];
  return how.listFirst ? [...listPart, ...labelPart] : [...labelPart, ...listPart];
}

const manifest = fc.tuple(requirements, style).map(
  ([all, how]) =>
    `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  # above\n  podSelector:\n${objectLines(
      all,
      how,
    )
      .map((line) => `    ${line}\n`)
      .join('')}  policyTypes: [Ingress] # below\n`,
);

const quotedYaml = (each: string): string => `'${each.replaceAll("'", "''")}'`;

const inYaml = fc
  .tuple(
    text,
    fc.constantFrom<(each: string) => string>(
      (each) => `labelSelector: ${quotedYaml(each)} # why\n`,
      (each) => `labelSelector: "${each}"\n`,
      (each) => `a:\n- labelSelector: >-\n    ${each}\n  b: 1 # why\n`,
      (each) => `run: kubectl get pods -A -l ${quotedYaml(each)} -o name # why\n`,
      (each) => `run: "kubectl get pods -l '${each}'"\n`,
      (each) =>
        `steps:\n- run: |\n    kubectl get pods -l "${each}" # why\n    kubectl get nodes\n`,
      (each) => `run: kubectl get pods -l ${each.replaceAll(/[ ()]/g, '')}\n`,
      (each) => `args: [kubectl, get, pods, -l, ${quotedYaml(each)}]\n`,
    ),
  )
  .map(([each, form]) => form(each));

const inQueries = fc
  .tuple(
    text,
    fc.constantFrom<(each: string) => string>(
      (each) => `list pods -l '${each}' # why\n`,
      (each) => `kubectl get pods -A -l "${each}"\n`,
      (each) => `kubectl get pods -A --selector=${each.replaceAll(/[ ()]/g, '')}\n`,
      (each) => `GET /api/v1/pods?labelSelector=${encodeURIComponent(each)}&limit=5\n`,
      (each) => `GET /api/v1/pods?labelSelector=${each.replaceAll(' ', '+')}&limit=5\n`,
    ),
  )
  .map(([each, form]) => form(each));

interface Said {
  readonly requirements: readonly string[];
  readonly comments: readonly string[];
  readonly breaks: readonly string[];
  readonly errors: readonly string[];
}

function said(document: string, uri: string): Said {
  const { sites, findings } = openDocument({ uri, languageId: '', text: document })!.analysis();
  return {
    requirements: sites.flatMap((site) => site.requirements.map(canonical)).sort(),
    comments: [...document.matchAll(/# [\w.]+/g)].map(([comment]) => comment).sort(),
    breaks: [...new Set([...document.matchAll(/\r?\n/g)].map(([each]) => each))],
    errors: findings.map(({ code }) => code).sort(),
  };
}

const INSTEAD = 'Write it as matchLabels and matchExpressions';

/** Every so many characters it is asked what may be done. */
const STEP = 9;

/** How many actions there were in all, each of which was tried. */
function tried(documents: fc.Arbitrary<string>, uri: string): number {
  let count = 0;
  fc.assert(
    fc.property(documents, fc.boolean(), fc.nat(STEP - 1), (document, isCrLf, first) => {
      const written = isCrLf ? document.replaceAll('\n', '\r\n') : document;
      const file = openDocument({ uri, languageId: '', text: written })!;
      const known = new Map<string, Fix>();
      for (let at = first; at < written.length; at += STEP) {
        for (const fix of file.actionsAt(at)) known.set(JSON.stringify(fix), fix);
      }
      for (const { title, edits } of known.values()) {
        // What is an object then is known as a selector by its kind alone.
        if (title === INSTEAD) continue;
        const after = withEdits(written, edits);
        expect(after).not.toBe(written);
        expect(said(after, uri), `${title}\n${after}`).toEqual(said(written, uri));
        count++;
      }
    }),
    { numRuns: 250 },
  );
  return count;
}

describe('what is offered for a selector means what the selector means', () => {
  it('in objects', () => {
    expect(tried(manifest, 'a.yaml')).toBeGreaterThan(60);
  });

  it('in texts of YAML', () => {
    expect(tried(inYaml, 'a.yaml')).toBeGreaterThan(100);
  });

  it('in queries', () => {
    expect(tried(inQueries, 'a.etcdlist')).toBeGreaterThan(100);
  });
});
