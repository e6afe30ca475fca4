import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from './workbench';

/** All that VS Code has put down so far: settings, state, logs. */
export function writtenDown(code: Workbench): string {
  const data = join(code.server.folder, '..', 'data');
  const files = readdirSync(data, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
    .join('\n');
}
