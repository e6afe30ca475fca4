/**
 * Selectors that the definitions of custom kinds have and the table of kinds does not: what would
 * never be looked at. Only kinds that are in the table are held against their definitions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chunksOf } from '../../server/language/yaml/chunks';
import { CUSTOM_TABLE } from '../../server/language/yaml/kinds';
import { yamlFilesOf } from './moduleFiles';

/** As `leftOut.json` holds them: places below `path` that are left out on purpose. */
export interface LeftOut {
  readonly group: string;
  /** Of these kinds. */
  readonly kinds: readonly string[];
  readonly path: string;
  readonly why: string;
}

export interface MissingPlace {
  readonly group: string;
  readonly kind: string;
  readonly path: string;
}

/** The part of a schema of OpenAPI that is read here. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Definition {
  readonly spec: {
    readonly versions: readonly { readonly schema?: { readonly openAPIV3Schema?: Schema } }[];
  };
}

/** Also how many kinds had a definition there. */
export function missingPlaces(folders: readonly string[]): {
  readonly kinds: number;
  readonly missing: readonly MissingPlace[];
} {
  const definitions = folders.reduce(definitionsIn, new Map<string, string>());
  const missing = [...definitions].flatMap(([name, text]) => {
    const [group = '', kind = ''] = name.split(' ');
    const known = placesOf(group, kind);
    return selectorsOf(parse(text) as Definition)
      .filter((path) => !known.has(path))
      .map((path) => ({ group, kind, path }));
  });
  return { kinds: definitions.size, missing };
}

export function isLeftOut({ group, kind, path }: MissingPlace, leftOut: LeftOut): boolean {
  const { path: above } = leftOut;
  const isBelow = path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);
  return isBelow && leftOut.group === group && leftOut.kinds.includes(kind);
}

/** The longest one of each kind: tests hold shortened copies. */
function definitionsIn(found: Map<string, string>, folder: string): Map<string, string> {
  for (const name of yamlFilesOf(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    if (!/^kind: CustomResourceDefinition$/m.test(text)) continue;
    for (const chunk of chunksOf(text)) {
      const kind = kindIn(chunk.text);
      if (kind !== undefined && chunk.text.length > (found.get(kind)?.length ?? 0)) {
        found.set(kind, chunk.text);
      }
    }
  }
  return found;
}

/** Undefined for what is no definition, is made by a template, or is of no kind in the table. */
function kindIn(text: string): string | undefined {
  if (!/^kind: CustomResourceDefinition$/m.test(text) || text.includes('{{')) return undefined;
  const group = /^ {2}group: (\S+)$/m.exec(text)?.[1] ?? '';
  const kind = /^ {4}kind: (\S+)$/m.exec(text)?.[1] ?? '';
  return placesOf(group, kind).size > 0 ? `${group} ${kind}` : undefined;
}

function placesOf(group: string, kind: string): Set<string> {
  const sections = CUSTOM_TABLE.filter(
    (each) => each.group === group && (each.kind === kind || each.kind === '*'),
  );
  return new Set(sections.flatMap(({ rows }) => rows.map(({ path }) => path)));
}

/** A stack and no recursion: schemas are nested deep. */
function selectorsOf({ spec }: Definition): string[] {
  const found = new Set<string>();
  const ahead = spec.versions.map(({ schema }) => ({ schema: schema?.openAPIV3Schema, path: '' }));
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const { schema, path } = at;
    if (isSelector(schema)) found.add(path);
    else {
      if (schema?.items !== undefined) ahead.push({ schema: schema.items, path: `${path}[]` });
      for (const [name, below] of Object.entries(schema?.properties ?? {})) {
        ahead.push({ schema: below, path: path === '' ? name : `${path}.${name}` });
      }
    }
  }
  return [...found].sort();
}

function isSelector(schema: Schema | undefined): boolean {
  const { properties = {} } = schema ?? {};
  const isObject = 'matchLabels' in properties && 'matchExpressions' in properties;
  return isObject || 'nodeSelectorTerms' in properties;
}
