/** All YAML files of a module, looked at as `etcd-list lint` looks at them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placedFindings, type PlacedFinding } from '../../server/cli/lint/report';
import { NOTHING_FOUND } from '../../server/language/model';
import { openDocument } from '../../server/language/open';
import { chunksOf } from '../../server/language/yaml/chunks';
import { yamlFilesOf } from './moduleFiles';

export interface ModuleFigures {
  readonly files: number;
  /** Those with anything in them. */
  readonly documents: number;
  readonly selectors: number;
  /** Of the analysis alone: reading the files is not counted. */
  readonly milliseconds: number;
  /** Their `file` is the path within the module. */
  readonly reports: readonly PlacedFinding[];
}

export function goOver(folder: string): ModuleFigures {
  let [documents, selectors, milliseconds] = [0, 0, 0];
  const files = yamlFilesOf(folder);
  const reports: PlacedFinding[] = [];
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8');
    const start = performance.now();
    const { findings, selectors: looked } = analyse(name, text);
    milliseconds += performance.now() - start;
    selectors += looked;
    documents += documentsOf(text);
    reports.push(...placedFindings({ name, text, findings }, 'hint'));
  }
  return { files: files.length, documents, selectors, milliseconds, reports };
}

function analyse(name: string, text: string) {
  try {
    const file = openDocument({ uri: name, languageId: '', text });
    return file?.analysis() ?? NOTHING_FOUND;
  } catch (error) {
    throw new Error(`${name} cannot be looked at`, { cause: error });
  }
}

function documentsOf(text: string): number {
  return [...chunksOf(text)].filter((chunk) =>
    /^[ \t]*[^\s#]/m.test(chunk.text.replace(/^---/, '')),
  ).length;
}
