/** The YAML files of a folder. */
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Paths from the folder on, with `/`, in order. Links are not followed. */
export function yamlFilesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
