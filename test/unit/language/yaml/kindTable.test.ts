import { describe, expect, it } from 'vitest';
import type { Form } from '../../../../server/language/yaml/kindRows';
import {
  BUILT_IN_TABLE,
  CUSTOM_TABLE,
  kindOf,
  type KindNode,
} from '../../../../server/language/yaml/kinds';
import { requireOrSkip } from '../../../support/requireOrSkip';
import { apiModule, GoTypes, META, type Field, type Kind } from './goTypes';

const CORE = 'k8s.io.api.core.v1';

/** Types that are selectors, or labels, with the form that they are read in. */
const SELECTORS: ReadonlyMap<string, Form> = new Map<string, Form>([
  [`${META}.LabelSelector`, 'object'],
  [`${META}.LabelSelectorRequirement`, 'requirements'],
  [`${CORE}.NodeSelector`, 'nodes'],
  [`${CORE}.NodeSelectorTerm`, 'term'],
  [`${CORE}.TopologySelectorTerm`, 'topology'],
]);

interface Found {
  readonly path: string;
  readonly form: Form;
}

/** Every place below a type where labels are asked for or given. */
function placesIn(types: GoTypes, type: string, above: string, around: readonly string[]): Found[] {
  return types.fields(type).flatMap((field): Found[] => {
    const path = above === '' ? field.name : `${above}.${field.name}`;
    const form = formOf(field);
    if (form === 'requirements' || form === 'keys') return [{ path, form }];
    const item = field.isList ? `${path}[]` : path;
    if (form === 'labels') return [{ path: `${item}.labels`, form }];
    if (form !== undefined) return [{ path: item, form }];
    return around.includes(field.type)
      ? []
      : placesIn(types, field.type, item, [...around, field.type]);
  });
}

function formOf({ name, type }: Field): Form | undefined {
  if (type === `${META}.ObjectMeta`) return 'labels';
  if (type === 'map<string,string>') return /selector$/i.test(name) ? 'map' : undefined;
  if (/^(?:mis)?matchLabelKeys$/.test(name)) return 'keys';
  if (name === 'topologyKey') return 'key';
  return SELECTORS.get(type);
}

/** What the table says of a kind. */
function rowsIn(node: KindNode, above = ''): Found[] {
  const below = [...node.fields].flatMap(([name, child]) =>
    rowsIn(child, above === '' ? name : `${above}.${name}`),
  );
  const items = node.items === undefined ? [] : rowsIn(node.items, `${above}[]`);
  const own = node.row === undefined ? [] : [{ path: above, form: node.row.form }];
  return [...own, ...below, ...items];
}

const apiVersionOf = ({ group, version }: Kind): string =>
  group === 'core' ? version : `${group}/${version}`;

const text = ({ path, form }: Found): string => `${path} ${form}`;

/** The type at a path of a kind; undefined where there is none. */
function fieldAt(types: GoTypes, type: string, path: string): Field | undefined {
  let at: Field | undefined;
  let within = type;
  for (const step of path.split('.')) {
    const name = step.replace('[]', '');
    at =
      within === `${META}.ObjectMeta` && name === 'labels'
        ? { name, type: 'map<string,string>', isList: false }
        : types.fields(within).find((field) => field.name === name);
    if (at === undefined || (step.endsWith('[]') && !at.isList)) return undefined;
    within = at.type;
  }
  return at;
}

function fits(form: Form, field: Field, path: string): boolean {
  const isList = field.isList && !path.endsWith('[]');
  switch (form) {
    case 'map':
    case 'labels':
      return field.type === 'map<string,string>';
    case 'labelText':
    case 'fieldText':
    case 'key':
      return field.type === 'string' && !isList;
    case 'keys':
      return field.type === 'string' && isList;
    case 'requirements':
      return field.type === `${META}.LabelSelectorRequirement` && isList;
    default:
      return SELECTORS.get(field.type) === form && !isList;
  }
}

const dir = apiModule();
const read = dir === undefined ? undefined : new GoTypes(dir);

describe.skipIf(requireOrSkip('k8s.io/api', dir, 'Go, or the module, cannot be had'))(
  'the table of kinds',
  () => {
    const types = read!;

    it('reads the types of all groups', () => {
      expect(types.kinds.length).toBeGreaterThan(150);
      expect(types.kinds.map(({ kind }) => kind)).toContain('Deployment');
      expect(
        fieldAt(types, `${CORE}.Pod`, 'spec.volumes[].ephemeral.volumeClaimTemplate')?.type,
      ).toBe(`${CORE}.PersistentVolumeClaimTemplate`);
    });

    it.each(
      (read?.kinds ?? []).map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind] as const),
    )('has every place of %s', (_name, kind) => {
      const known = new Set(rowsIn(kindOf(apiVersionOf(kind), kind.kind).node).map(text));
      const places = placesIn(types, kind.type, '', [kind.type]);
      expect(places.map(text)).toContain('metadata.labels labels');
      expect(places.map(text).filter((place) => !known.has(place))).toEqual([]);
    });

    it.each(BUILT_IN_TABLE.map((row) => [`${row.group} ${row.kind}`, row] as const))(
      'has no place that %s lacks',
      (_name, { group, kind, rows }) => {
        const same = types.kinds.filter(
          (each) => each.kind === kind && (group === each.group || group === apiVersionOf(each)),
        );
        expect(same, 'a kind of k8s.io/api').not.toEqual([]);
        const lacking = rows.filter(({ path, form }) =>
          same.every(({ type }) => {
            const field = fieldAt(types, type, path);
            return field === undefined || !fits(form, field, path);
          }),
        );
        expect(lacking.map(({ path, form }) => text({ path, form }))).toEqual([]);
      },
    );
  },
);

describe('the rows of the table', () => {
  const all = [...BUILT_IN_TABLE, ...CUSTOM_TABLE];

  it('name each kind once, and each path of it', () => {
    const kinds = all.map(({ group, kind }) => `${group} ${kind}`);
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const { rows } of all) {
      const paths = rows.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
    }
  });

  it('say what an empty selector means wherever they refuse one or speak of one', () => {
    for (const row of all.flatMap(({ rows }) => rows)) {
      if (row.options.refusal !== undefined) expect(row.empty).toBe('refused');
      if (row.options.isSurprising === true) expect(['all', 'none']).toContain(row.empty);
    }
  });

  it('are found by group, by version where that matters, and for a whole group', () => {
    const meaning = (apiVersion: string): string | undefined =>
      kindOf(apiVersion, 'PodDisruptionBudget').node.fields.get('spec')?.fields.get('selector')?.row
        ?.empty;
    expect([meaning('policy/v1'), meaning('policy/v1beta1')]).toEqual(['all', 'none']);
    expect(kindOf('constraints.gatekeeper.sh/v1beta1', 'K8sAnything').isInTable).toBe(true);
    expect(kindOf('apps/v1', 'Nothing').isInTable).toBe(false);
    expect(rowsIn(kindOf('apps/v1', 'Nothing').node)).toEqual([
      { path: 'metadata.labels', form: 'labels' },
    ]);
  });
});
